"""Solver: the best chart of a game, by exact improvement of one cell and of two cells at a time.

Up cards are independent: each is a `rtpsim.exact.solver.column.Column`, and a chart is put together
from the columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from rtpsim.cards import CARDS_IN_DECK, Shoe
from rtpsim.errors import InputError, shown, suggestion
from rtpsim.exact.solver.cells import RESOLVED, TOTALS, Total
from rtpsim.exact.solver.column import Column, Play
from rtpsim.exact.solver.gains import letter_worth
from rtpsim.exact.solver.insurance import insurance_of
from rtpsim.exact.solver.tables import chart_rows
from rtpsim.games import load_game
from rtpsim.strategy import Chart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rtpsim.exact.solver.insurance import Insurance
    from rtpsim.games import AnyGame
    from rtpsim.rules import Rules

Kind = Literal["optimal-td", "optimal-2c"]
"""The kinds of charts that are solved."""

ROW_WORTH = 1e-9
"""What a row for hands of so many cards has to bring to be written, in initial wagers."""


@dataclass(frozen=True)
class Solution:
    """A solved chart before it is written: see `solution`.

    Attributes
    ----------
    columns, plays
        By up card (value class); None where the shoe has no such card.
    insurance
        What insurance brings.
    ev
        Net of a round in initial wagers, main game without insurance (with it where
        `Rules.insurance_peek` makes it part of the play).
    """

    columns: tuple[Column | None, ...]
    plays: tuple[Play | None, ...]
    insurance: Insurance
    ev: float


def solve(game: AnyGame, kind: str = "optimal-td") -> Chart:
    """Return the best chart of a game.

    Parameters
    ----------
    game
        A game, a name of the catalogue, a game file, or rules alone (with whole decks, insurance
        offered and no even money).
    kind
        ``optimal-td`` (see `solve_td`) or ``optimal-2c`` (see `solve_2c`).

    Raises
    ------
    InputError
        For another kind, or if there is no such game.

    Examples
    --------
    >>> chart = solve("6D H17 LS")
    >>> chart.cell("soft 18", 1)  # against a two: value classes count from the ace, 0
    'Ds'
    >>> print(chart.provenance[-1])
    exact EV -0.005818079963 initial wagers
    """
    if kind not in get_args(Kind):
        raise InputError(
            f"kind of chart {shown(kind)}: allowed are {', '.join(get_args(Kind))}"
            f"{suggestion(kind, get_args(Kind))}"
        )
    solver = solve_2c if kind == "optimal-2c" else solve_td
    game = load_game(game)
    rules, shoe = game.rules, Shoe.of_decks(game.rules.decks)
    return solver(rules, shoe, insurance=game.insurance, even_money=game.even_money)


def solve_td(
    rules: Rules, shoe: Shoe, *, insurance: bool = True, even_money: bool = False
) -> Chart:
    """Return the best chart by totals: ``optimal-td``.

    One letter for each total and up card, the same before and after a split; a pair is split or
    follows its total. Where the rules have a Charlie the chart also looks at the number of cards:
    a row such as ``hard 15 6+`` is written if it brings at least `ROW_WORTH`. Power splits are
    decided by their two cards, power doubles and the cards to replace by their total, insurance
    for all hands alike (with `Rules.insurance_peek`, where it decides what is known in play, for
    every hand by itself).

    What is guaranteed: no change of one cell, and no change of any two cells together, pairs,
    power moves and the insurance of `Rules.insurance_peek` among them, improves the exact return
    by more than rounding (1e-14 initial wagers). All twos are tried, none is left out as hopeless:
    a change of one cell shifts how often others are reached, which is followed exactly
    (`rtpsim.exact.solver.gains`). That no three changes together improve is not tried.

    Parameters
    ----------
    rules
        The rules.
    shoe
        The shoe before the deal.
    insurance, even_money
        Whether they are offered.
    """
    found = solution(rules, shoe, insurance=insurance, even_money=even_money)
    return _chart("optimal-td", found, rules, shoe)


def solve_2c(
    rules: Rules, shoe: Shoe, *, insurance: bool = True, even_money: bool = False
) -> Chart:
    """Return the best chart with two-card exceptions: ``optimal-2c``.

    As `solve_td`, but every initial hand of two cards is decided by itself, as is its insurance;
    the totals hold for longer hands and after a split. A row such as ``T,2`` is written where it
    differs from what totals and pairs say. (T,T has no such row where tens are split by rank.)
    The search begins at the chart by totals and only improves, with the same guarantee.
    """
    found = solution(rules, shoe, two_card=True, insurance=insurance, even_money=even_money)
    return _chart("optimal-2c", found, rules, shoe)


def solution(
    rules: Rules,
    shoe: Shoe,
    *,
    two_card: bool = False,
    insurance: bool = True,
    even_money: bool = False,
) -> Solution:
    """Solve every column: see `solve_td` and `solve_2c`."""
    counts = shoe.by_value
    columns = tuple(
        Column(rules, shoe, up, insurance=insurance) if counts[up] else None
        for up in range(len(counts))
    )
    counted: Mapping[Total, tuple[int, ...]] = {}
    if rules.charlie is not None:
        counted = dict.fromkeys(TOTALS, tuple(range(3, rules.charlie)))
    while True:
        plays = [None if column is None else column.solve(counted) for column in columns]
        kept = _worth_writing(columns, plays, counted)
        if kept == counted:
            break
        counted = kept
    if two_card:
        for up, (column, play) in enumerate(zip(columns, plays, strict=True)):
            if column is not None and play is not None:
                plays[up] = column.solve(counted, play)
    pays = insurance_of(
        shoe, columns, plays, apart=two_card, offered=insurance, even_money=even_money
    )
    nets = [
        column.worth(play)
        for column, play in zip(columns, plays, strict=True)
        if column is not None and play is not None
    ]
    return Solution(columns, tuple(plays), pays, sum(nets) + pays.naturals)


def _worth_writing(
    columns: tuple[Column | None, ...],
    plays: list[Play | None],
    counted: Mapping[Total, tuple[int, ...]],
) -> dict[Total, tuple[int, ...]]:
    """Return those rows for numbers of cards that differ, and pay, from the row before them."""
    kept = {}
    for total, sizes in counted.items():
        label = str(total)
        paying = []
        for size in sizes:
            worth = 0.0
            for column, play in zip(columns, plays, strict=True):
                if column is not None and play is not None:
                    cell = play.cells.number(f"{total} {size}+")
                    before = int(play.letter[play.cells.number(label)])
                    chosen = letter_worth(column.sums, cell, int(play.letter[cell]), RESOLVED)
                    worth += chosen - letter_worth(column.sums, cell, before, RESOLVED)
            if worth >= ROW_WORTH:
                paying.append(size)
                label = f"{total} {size}+"
        if paying:
            kept[total] = tuple(paying)
    return kept


def _chart(kind: Kind, found: Solution, rules: Rules, shoe: Shoe) -> Chart:
    cards = f" in a shoe of {shoe.size} cards" if shoe.size != rules.decks * CARDS_IN_DECK else ""
    lines = (
        f"A chart for {rules}{cards}.",
        f"kind: {kind}, solved. split model: none, a chart plays every split hand alike.",
        f"exact EV {found.ev:+.12f} initial wagers",
    )
    rows = chart_rows(rules, found.columns, found.plays) | found.insurance.rows()
    return Chart(kind, rows, lines)
