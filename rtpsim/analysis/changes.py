"""Changes: one game beside another, in figures and in the cells of the best chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from rtpsim.analysis.charts import letter_meant
from rtpsim.analysis.values import USUAL, chosen, difference_bp, values_of
from rtpsim.display import html_table, no_number, percent, signed
from rtpsim.exact.result import solved
from rtpsim.games import load_game
from rtpsim.strategy import COLUMNS
from rtpsim.strategy.notation import ORDER

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from rtpsim.analysis.values import Value
    from rtpsim.games import AnyGame
    from rtpsim.strategy import AnyStrategy, Chart

SOLVED = "optimal-td"
"""The chart whose cells are compared: the best one by totals."""


class CellChange(NamedTuple):
    """A cell that two charts fill differently.

    Attributes
    ----------
    row, up
        Row label and column (``A``, ``2`` ... ``T``).
    old, new
        What each chart says.
    """

    row: str
    up: str
    old: str
    new: str


@dataclass(frozen=True)
class ValueChange:
    """What two games are worth under one strategy.

    Attributes
    ----------
    old, new
        The values.
    difference_bp
        How much larger the house edge of the new game is, in basis points of the initial wager;
        None where the strategy fits one of the games only.
    """

    old: Value
    new: Value

    @property
    def strategy(self) -> str:
        """The strategy as it was asked for."""
        return self.old.strategy

    @property
    def difference_bp(self) -> float | None:
        """Change of the house edge in basis points; below 0 favours the player."""
        return difference_bp(self.old, self.new)


@dataclass(frozen=True, repr=False)
class Comparison:
    """One game beside another.

    Attributes
    ----------
    games, rules
        Id and rule string of the old and the new game.
    rows
        A `ValueChange` for each strategy.
    cells
        The cells of ``optimal-td`` that changed; None where they were not asked for.
    """

    games: tuple[str, str]
    rules: tuple[str, str]
    rows: tuple[ValueChange, ...]
    cells: tuple[CellChange, ...] | None

    def to_frame(self) -> pd.DataFrame:
        """Return the figures as a tidy table, a row for each strategy.

        Returns
        -------
        DataFrame
            ``strategy``; ``old_house_edge``, ``new_house_edge``, ``old_rtp_initial``,
            ``new_rtp_initial`` (per initial wager), ``old_rtp_total``, ``new_rtp_total`` (per unit
            wagered); ``difference_bp`` (new house edge less old, in basis points of the initial
            wager); ``problem`` (why there is no figure, NaN). The cells are in `cells_frame`.
        """
        import pandas as pd

        return pd.DataFrame([self._record(row) for row in self.rows])

    @staticmethod
    def _record(row: ValueChange) -> dict[str, Any]:
        both = (("old", row.old), ("new", row.new))
        return {
            "strategy": row.strategy,
            **{
                f"{when}_{name}": no_number(getattr(value, name))
                for name in ("house_edge", "rtp_initial", "rtp_total")
                for when, value in both
            },
            "difference_bp": no_number(row.difference_bp),
            "problem": row.old.problem or row.new.problem,
        }

    def cells_frame(self) -> pd.DataFrame:
        """Return the changed cells of ``optimal-td``: ``row``, ``up``, ``old``, ``new``."""
        import pandas as pd

        return pd.DataFrame(list(self.cells or ()), columns=list(CellChange._fields))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "games": list(self.games),
            "rules": list(self.rules),
            "strategies": [
                {
                    "strategy": row.strategy,
                    "old": row.old.to_dict(),
                    "new": row.new.to_dict(),
                    "difference_bp": row.difference_bp,
                }
                for row in self.rows
            ],
            "changed_cells": None
            if self.cells is None
            else [cell._asdict() for cell in self.cells],
        }

    def __repr__(self) -> str:
        said = ", ".join(f"{row.strategy} {signed(row.difference_bp)} bp" for row in self.rows)
        cells = "" if self.cells is None else f"; {len(self.cells)} cells of {SOLVED} change"
        return f"<Comparison: {self.rules[0]} -> {self.rules[1]}: {said}{cells}>"

    def _repr_html_(self) -> str:
        figures = html_table(
            f"{self.rules[0]} → {self.rules[1]}",
            ["house edge by", "old", "new", "change (basis points)"],
            [
                [
                    row.strategy,
                    percent(row.old.house_edge),
                    percent(row.new.house_edge),
                    signed(row.difference_bp),
                ]
                for row in self.rows
            ],
        )
        if not self.cells:
            return figures
        title = f"Cells of {SOLVED} that change"
        return figures + html_table(title, ["row", "up card", "old", "new"], self.cells)


def compare(
    old: AnyGame,
    new: AnyGame,
    strategies: Iterable[AnyStrategy] = USUAL,
    *,
    cells: bool = True,
    keep: bool = True,
) -> Comparison:
    """Compare two games, or one game before and after a change: figures and the best chart.

    Parameters
    ----------
    old, new
        Games, names of the catalogue, game files or rule strings; see `Game.replace`.
    strategies
        What they are valued by: charts, charts' names or files, ``default`` (each game's own
        chart), ``optimal-td``, ``optimal-2c``, ``optimal-cd`` (CDP).
    cells
        Whether to solve both games for ``optimal-td`` and list the cells that differ.
    keep
        Whether exact figures are kept on disk, and taken from there.

    Returns
    -------
    Comparison
        House edges and returns are ratios (0.0041), differences in basis points (0.01 %) of the
        initial wager.

    Raises
    ------
    InputError
        If there is no such game or strategy.

    Examples
    --------
    >>> found = compare("6D", "6D H17", ["optimal-td"])
    >>> for cell in found.cells:
    ...     print(f"{cell.row} against {cell.up}: {cell.old} becomes {cell.new}")
    hard 11 against A: H becomes Dh
    soft 18 against 2: S becomes Ds
    soft 19 against 6: S becomes Ds
    >>> print(f"{found.rows[0].difference_bp:+.2f} basis points")
    +21.18 basis points
    """
    before, after, ways = load_game(old), load_game(new), chosen(strategies)
    both = (values_of(game, ways, keep=keep) for game in (before, after))
    changed = None
    if cells:
        changed = changed_cells(solved(before, SOLVED), solved(after, SOLVED))
    return Comparison(
        games=(before.id, after.id),
        rules=(str(before.rules), str(after.rules)),
        rows=tuple(ValueChange(*values) for values in zip(*both, strict=True)),
        cells=changed,
    )


def changed_cells(old: Chart, new: Chart) -> tuple[CellChange, ...]:
    """Return the cells that two charts fill differently, row by row.

    A row that only one has is compared with what the other says of such hands in general
    (`rtpsim.analysis.charts.letter_meant`).

    Parameters
    ----------
    old, new
        The charts.
    """
    labels = sorted({*old.rows, *new.rows}, key=ORDER.__getitem__)
    found = (
        CellChange(label, up, letter_meant(old, label, up), letter_meant(new, label, up))
        for label in labels
        for up in COLUMNS
    )
    return tuple(cell for cell in found if cell.old != cell.new)
