"""What each cell of a chart loses against the best play, dearest first; it adds up exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtpsim.analysis.charts import chart_for
from rtpsim.cards import VALUE_CLASSES, Shoe
from rtpsim.display import html_table
from rtpsim.games import load_game

if TYPE_CHECKING:
    import pandas as pd

    from rtpsim.games import AnyGame
    from rtpsim.strategy import AnyStrategy

SHOWN = 12
"""Cells that a result shows of itself; `ChartCost.to_frame` has them all."""


@dataclass(frozen=True)
class CellCost:
    """What a cell of a chart loses.

    Attributes
    ----------
    row, up, letter
        The cell: its row, the up card, and what it says.
    frequency
        How often it is asked in a round; after a split that can be more than once.
    cost
        What it loses a round in initial wagers: `frequency` times the mean of the value of the
        best action less that of the action taken, when play goes on by ``optimal-cd``.
    ev
        Mean net of the hands that it decides, from there on, under the chart, in initial wagers
        (given that the dealer has looked, where the dealer does); None for insurance and for the
        cards to replace.
    """

    row: str
    up: str
    letter: str
    frequency: float
    cost: float
    ev: float | None = None

    @property
    def each(self) -> float:
        """What it loses each time it is asked, in initial wagers."""
        return self.cost / self.frequency if self.frequency else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {**vars(self), "each": self.each, "cost_per_1000": 1000 * self.cost}


@dataclass(frozen=True)
class ChartCost:
    """What a chart loses against the best play by composition, cell by cell.

    Attributes
    ----------
    game, rules, chart
        What was played.
    best, own
        Expected net of a round by ``optimal-cd`` (CDP) and by the chart, in initial wagers;
        insurance included.
    cells
        Every cell that is asked at all, dearest first. A cell that splits pairs again, or does
        not, may gain: ``optimal-cd`` splits every further pair while the rules allow, as published
        values do, better or worse.
    """

    game: str
    rules: str
    chart: str
    best: float
    own: float
    cells: tuple[CellCost, ...]

    @property
    def total(self) -> float:
        """The sum of all cells: ``best - own``, to rounding (1e-12)."""
        return math.fsum(cell.cost for cell in self.cells)

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each cell: the fields of `CellCost.to_dict`, per round."""
        import pandas as pd

        columns = ["row", "up", "letter", "frequency", "cost", "each", "cost_per_1000", "ev"]
        return pd.DataFrame([cell.to_dict() for cell in self.cells], columns=columns)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "game": self.game,
            "rules": self.rules,
            "chart": self.chart,
            "ev_optimal_cd": self.best,
            "ev_chart": self.own,
            "total": self.total,
            "cells": [cell.to_dict() for cell in self.cells],
        }

    def __repr__(self) -> str:
        lines = [
            f"{cell.row} v {cell.up}: {cell.letter} loses {1000 * cell.cost:.4f} in 1,000 rounds"
            for cell in self.cells[:SHOWN]
            if cell.cost
        ]
        return "\n".join([self.summary, *lines])

    @property
    def summary(self) -> str:
        """What it loses in all, in one line."""
        return (
            f"{self.chart} in {self.game}: loses {1000 * self.total:.4f} initial wagers in 1,000 "
            "rounds to the best play"
        )

    def _repr_html_(self) -> str:
        rows = [
            (
                f"{cell.row} v {cell.up}",
                cell.letter,
                f"{cell.frequency:.6f}",
                f"{cell.each:.6f}",
                f"{1000 * cell.cost:.4f}",
            )
            for cell in self.cells[:SHOWN]
        ]
        columns = ("cell", "letter", "times a round", "loses each time", "loses in 1,000 rounds")
        title = f"{self.summary}; its dearest cells (losses in initial wagers)"
        return html_table(title, columns, rows)


def cost(game: AnyGame, chart: AnyStrategy = "default") -> ChartCost:
    """Return what each cell of a chart loses, dearest first.

    Every state that the chart comes to counts with how often it comes there times what its action
    loses there against the best one: `rtpsim.analysis.decisions`.

    Parameters
    ----------
    game
        The game: a `Game`, its name or file, or a rule string.
    chart
        A `Chart`, ``default`` (the game's own), ``optimal-td``, ``optimal-2c``, or a chart's name
        or file.

    Returns
    -------
    ChartCost
        Costs and frequencies by the round, in initial wagers.

    Raises
    ------
    InputError
        If there is no such chart, or it does not fit the game.

    Examples
    --------
    >>> found = cost("classic-blackjack")
    >>> found.cells[0].row, found.cells[0].up
    ('hard 16', 'T')
    """
    from rtpsim.analysis.decisions import decisions
    from rtpsim.exact.figures import exact_figures
    from rtpsim.exact.policies import ChartPolicy

    game = load_game(game)
    played = chart_for(game, chart)
    policy, shoe = ChartPolicy(played, game.rules), Shoe.of_decks(game.rules.decks)
    cells = []
    for up, name in enumerate(VALUE_CLASSES):
        ledger = decisions(
            game.rules, policy, shoe, up, insurance=game.insurance, even_money=game.even_money
        )
        for row, loss in ledger.loss.items():
            often, letter = ledger.valued[row], str(played.cell(row, up))
            ev = ledger.worth[row] / often if often > 0.0 else None
            cells.append(CellCost(row, name, letter, ledger.frequency[row], loss, ev))
    cells.sort(key=lambda cell: (-cell.cost, -cell.frequency))
    best, own = (exact_figures(game, way, moments=False) for way in ("optimal-cd", played))
    return ChartCost(
        game=game.id,
        rules=str(game.rules),
        chart=played.name,
        best=best.main_net + best.insurance[0],
        own=own.main_net + own.insurance[0],
        cells=tuple(cells),
    )
