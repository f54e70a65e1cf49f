"""The solved charts that come with rtpsim; ``python -m rtpsim.exact.solver.solved`` writes them."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rtpsim.exact.solver.solve import solve
from rtpsim.games import load_game
from rtpsim.strategy import strategies_dir, write_chart

if TYPE_CHECKING:
    from rtpsim.strategy import Chart


class Solved(NamedTuple):
    """How a solved chart is made.

    Attributes
    ----------
    game
        The game, with its default readings.
    reading, option
        A further reading, of which ``rows`` are taken: they play no part in the game as it is.
    rows
        Labels.
    """

    game: str
    reading: str = ""
    option: str = ""
    rows: tuple[str, ...] = ()


_SOFT = ("soft 19", "soft 20")

SOLVED = {
    "signature-surrender-td": Solved("signature-surrender"),
    "blackjack-surrender-td": Solved("blackjack-surrender"),
    "power-blackjack": Solved(
        "power-blackjack",
        "power-double-soft",
        "allowed",
        tuple(f"{kind} {total}" for kind in ("power double", "replace") for total in _SOFT),
    ),
    "classic-blackjack": Solved("classic-blackjack", "double-soft", "allowed", _SOFT),
}
"""The charts by name."""


def solved_chart(name: str) -> Chart:
    """Solve one of the charts anew.

    Parameters
    ----------
    name
        One of `SOLVED`.
    """
    made = SOLVED[name]
    game = load_game(made.game)
    chart = solve(game)
    rows, notes = dict(chart.rows), []
    if made.rows:
        other = solve(game.with_settings({made.reading: made.option}))
        rows |= {label: other.rows[label] for label in made.rows}
        notes = [
            f"What {' and '.join(_SOFT)} double is that of the reading {made.reading} = "
            f"{made.option}, and plays no part without it."
        ]
    lines = [*chart.provenance, *notes, "Written by: python -m rtpsim.exact.solver.solved"]
    return replace(chart, name=name, rows=rows, provenance=tuple(lines))


def write_solved(folder: Path) -> None:
    """Solve all charts and write them into a folder."""
    for name in SOLVED:
        write_chart(solved_chart(name), folder / f"{name}.csv")


if __name__ == "__main__":
    write_solved(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(str(strategies_dir())))
