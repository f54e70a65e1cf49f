"""Where two charts differ, and what each difference is worth by itself, exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtpsim.analysis.charts import chart_for, letter_meant, with_rows
from rtpsim.cards import VALUE_CLASSES, Shoe
from rtpsim.display import html_table
from rtpsim.games import load_game
from rtpsim.strategy import COLUMNS, ROWS, chosen_strategy

if TYPE_CHECKING:
    import pandas as pd

    from rtpsim.exact.evaluate import Table
    from rtpsim.games import AnyGame, Game
    from rtpsim.strategy import AnyStrategy, Chart

SHOWN = 20
"""Differences that a result shows of itself; `ChartDifference.to_frame` has them all."""


@dataclass(frozen=True)
class CellDifference:
    """A cell in which two charts differ.

    Attributes
    ----------
    row, up
        The cell.
    a, b
        What the first chart and the second say there. Where a chart has no such row, what it
        means by its others (`rtpsim.analysis.charts.letter_meant`).
    frequency
        How often the first chart's cell is asked in a round; None without a game.
    gain
        By how much the net of a round changes, in initial wagers, when this cell of the first
        chart alone becomes that of the second; None without a game.
    """

    row: str
    up: str
    a: str
    b: str
    frequency: float | None = None
    gain: float | None = None

    @property
    def gain_per_1000(self) -> float | None:
        """The gain in 1,000 rounds, in initial wagers: what the first chart's letter costs."""
        return None if self.gain is None else 1000 * self.gain

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {**vars(self), "gain_per_1000": self.gain_per_1000}


@dataclass(frozen=True)
class ChartDifference:
    """Where two charts differ.

    Attributes
    ----------
    a, b
        The charts' names.
    game, rules
        The game in which the differences are valued; empty without one.
    net_a, net_b
        Expected net of a round under each chart, in initial wagers, insurance included; None
        without a game. The cells' gains need not add up to the difference: one cell decides how
        often another is asked.
    cells
        The differences: those that matter most first, without a game in the charts' order.
    """

    a: str
    b: str
    game: str
    rules: str
    net_a: float | None
    net_b: float | None
    cells: tuple[CellDifference, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each difference: the fields of `CellDifference.to_dict`."""
        import pandas as pd

        columns = ["row", "up", "a", "b", "frequency", "gain", "gain_per_1000"]
        return pd.DataFrame([cell.to_dict() for cell in self.cells], columns=columns)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "a": self.a,
            "b": self.b,
            "game": self.game or None,
            "rules": self.rules or None,
            "net_a": self.net_a,
            "net_b": self.net_b,
            "cells": [cell.to_dict() for cell in self.cells],
        }

    @property
    def summary(self) -> str:
        """How many cells differ, in one line."""
        if not self.cells:
            return f"{self.a} and {self.b} play alike"
        cells = "one cell" if len(self.cells) == 1 else f"{len(self.cells)} cells"
        where = f" in {self.game}" if self.game else ""
        return f"{self.a} and {self.b} differ in {cells}{where}"

    def __repr__(self) -> str:
        lines = []
        for cell in self.cells[:SHOWN]:
            worth = "" if cell.gain is None else f", gains {1000 * cell.gain:+.4f} in 1,000 rounds"
            lines.append(f"{cell.row} v {cell.up}: {cell.a} -> {cell.b}{worth}")
        if len(self.cells) > SHOWN:
            lines.append("...")
        return "\n".join([self.summary, *lines])

    def _repr_html_(self) -> str:
        rows = [
            (
                f"{cell.row} v {cell.up}",
                cell.a,
                cell.b,
                "" if cell.frequency is None else f"{cell.frequency:.6f}",
                "" if cell.gain is None else f"{1000 * cell.gain:+.4f}",
            )
            for cell in self.cells[:SHOWN]
        ]
        columns = ("cell", self.a, self.b, "times a round", "gain in 1,000 rounds")
        money = " (gains in initial wagers)" if any(c.gain is not None for c in self.cells) else ""
        return html_table(f"{self.summary}{money}", columns, rows)


def diff(a: AnyStrategy, b: AnyStrategy, game: AnyGame | None = None) -> ChartDifference:
    """Return where two charts differ and, in a game, what each difference is worth.

    Parameters
    ----------
    a, b
        Charts, or names as in `rtpsim.analysis.cost.cost`; ``default`` and ``optimal-td`` need a
        game.
    game
        The game in which they are played: a `Game`, its name or file, or a rule string.

    Returns
    -------
    ChartDifference
        Without cells where the charts play alike whatever the game.

    Raises
    ------
    InputError
        If there is no such chart, or it does not fit the game.

    Examples
    --------
    >>> from rtpsim.strategy import read_chart
    >>> chart = read_chart("ordinary")
    >>> diff(chart, chart.with_cell("hard 16", 9, "H"))
    ordinary and ordinary (hard 16 v T: H) differ in one cell
    hard 16 v T: Rh -> H
    """
    game = None if game is None else load_game(game)
    one, other = (_chart(game, chosen) for chosen in (a, b))
    rows = [row for row in ROWS if row in one.rows or row in other.rows]
    cells = []
    for row in rows:
        for up in COLUMNS:
            letters = letter_meant(one, row, up), letter_meant(other, row, up)
            if letters[0] != letters[1]:
                cells.append(CellDifference(row, up, *letters))
    if game is None:
        return ChartDifference(one.name, other.name, "", "", None, None, tuple(cells))
    net_a, valued = _valued(game, one, cells)
    net_b = net_a if not cells else _net(game, other)
    valued.sort(key=lambda cell: (-abs(cell.gain or 0.0), -(cell.frequency or 0.0)))
    return ChartDifference(
        one.name, other.name, game.id, str(game.rules), net_a, net_b, tuple(valued)
    )


def _chart(game: Game | None, strategy: AnyStrategy) -> Chart:
    if game is not None:
        return chart_for(game, strategy)
    chosen = chosen_strategy(strategy)
    if isinstance(chosen, str):
        from rtpsim.errors import InputError

        raise InputError(f"strategy '{chosen}': a game has to say of what; give one, or a chart")
    return chosen


def _net(game: Game, chart: Chart) -> float:
    from rtpsim.exact.figures import exact_figures

    found = exact_figures(game, chart, moments=False)
    return found.main_net + found.insurance[0]


def _valued(
    game: Game, chart: Chart, cells: list[CellDifference]
) -> tuple[float, list[CellDifference]]:
    """Return the chart's net, and the cells with what each is worth."""
    from dataclasses import replace

    from rtpsim.analysis.decisions import decisions
    from rtpsim.exact.policies import ChartPolicy

    rules, shoe = game.rules, Shoe.of_decks(game.rules.decks)
    offers = {"insurance": game.insurance, "even_money": game.even_money}
    whole = with_rows(chart, list(dict.fromkeys(cell.row for cell in cells)))
    found = []
    for up, name in enumerate(VALUE_CLASSES):
        here = [cell for cell in cells if cell.up == name]
        if not here:
            continue
        ledger = decisions(rules, ChartPolicy(whole, rules), shoe, up, **offers)
        base = _table(game, chart, shoe, up)
        net = _column_net(base)
        for cell in here:
            frequency, gain = ledger.frequency.get(cell.row, 0.0), 0.0
            if frequency != 0.0:
                changed = whole.with_cell(cell.row, up, cell.b)
                gain = _column_net(_table(game, changed, shoe, up, base)) - net
            found.append(replace(cell, frequency=frequency, gain=gain))
    return _net(game, chart), found


def _table(game: Game, chart: Chart, shoe: Shoe, up: int, base: Table | None = None) -> Table:
    """Return the table of an up card under a chart; ``base``: one that knows the dealer."""
    from rtpsim.exact.evaluate import table_of
    from rtpsim.exact.policies import ChartPolicy

    return table_of(
        game.rules,
        ChartPolicy(chart, game.rules),
        shoe,
        up,
        insurance=game.insurance,
        even_money=game.even_money,
        outcomes=None if base is None else base.card.outcomes,
    )


def _column_net(table: Table) -> float:
    """Return what an up card nets, times its probability, insurance included."""
    return math.fsum(
        opening.probability * (opening.worth.net + opening.insurance)
        for opening in table.openings()
    )
