"""Charts in analysis: the chart that is meant, and what it says where it has no row of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.cards import VALUE_CLASSES
from rtpsim.errors import InputError
from rtpsim.strategy import (
    COLUMNS,
    ROWS,
    Chart,
    check_chart,
    chosen_strategy,
    default_chart,
)
from rtpsim.strategy.notation import NO_CARDS, total_of

if TYPE_CHECKING:
    from rtpsim.games import Game
    from rtpsim.strategy import AnyStrategy


def chart_for(game: Game, strategy: AnyStrategy = "default") -> Chart:
    """Return the chart that a strategy means in a game; solved charts are solved.

    Raises
    ------
    InputError
        If there is no such chart, it does not fit the game, or the strategy is ``optimal-cd``,
        which is no chart.
    """
    chosen = chosen_strategy(strategy)
    if chosen == "optimal-cd":
        raise InputError("strategy 'optimal-cd' is no chart; allowed are optimal-td, optimal-2c")
    if chosen == "default":
        return default_chart(game)
    if isinstance(chosen, str):
        from rtpsim.exact.solver import solve

        return solve(game, chosen)
    check_chart(chosen, game)
    return chosen


def letter_meant(chart: Chart, row: str, up: str) -> str:
    """Return what a chart says in a row, which it need not have, against an up card.

    Two cards without a row are played as their pair or total, a total of so many cards as of
    fewer, insurance alike for all hands; power moves are not made.

    Parameters
    ----------
    chart
        The chart.
    row
        A row that a chart can have (`rtpsim.strategy.ROWS`).
    up
        The up card, one of ``23456789TA``.
    """
    while row not in chart.rows:
        usual = _usual(chart, row)
        if usual is None:
            return NO_CARDS if ROWS[row].kind == "replace" else "N"
        row = usual
    return chart.rows[row][COLUMNS.index(up)]


def _usual(chart: Chart, label: str) -> str | None:
    """Return the row that speaks where there is no such row; None where none does."""
    row = ROWS[label]
    if row.kind in ("power split", "power double", "replace"):
        return None
    if row.kind == "insurance":
        return "insurance"
    if row.at_least > 2:
        plain = label.rpartition(" ")[0]
        fewer = (f"{plain} {cards}+" for cards in range(row.at_least - 1, 2, -1))
        return next((one for one in fewer if one in chart.rows), plain)
    if row.is_pair:
        return f"pair {VALUE_CLASSES[row.cards[0]]}"
    total, soft = total_of(*row.cards)
    return f"{'soft' if soft else 'hard'} {total}"


def with_rows(chart: Chart, rows: list[str]) -> Chart:
    """Return a chart that plays the same and has these rows too."""
    more = {row: tuple(letter_meant(chart, row, up) for up in COLUMNS) for row in rows}
    return Chart(chart.name, {**chart.rows, **more}, chart.provenance)
