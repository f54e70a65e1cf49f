"""Insurance and even money: what they bring beside a solved chart, and the rows that say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtpsim.cards import ACE_CLASS, TEN_CLASS
from rtpsim.exact.deals import deal_probability
from rtpsim.exact.upcard import insurance_gain
from rtpsim.strategy import COLUMNS, two_cards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtpsim.cards import Shoe
    from rtpsim.exact.solver.column import Column, Play

_NATURAL = (ACE_CLASS, TEN_CLASS)


@dataclass(frozen=True)
class Insurance:
    """What is decided about insurance, and what naturals bring.

    Attributes
    ----------
    usual
        Whether insurance is taken where no row speaks of the two cards.
    others
        The hands (two cards, ascending) for which it is otherwise.
    naturals
        Net of all naturals, even money included where it is taken, times their probability; in
        initial wagers.
    """

    usual: bool
    others: frozenset[tuple[int, int]]
    naturals: float

    def rows(self) -> dict[str, tuple[str, ...]]:
        """Return the rows of a chart: one for all hands, and those that differ."""
        other = {f"insurance {two_cards(*cards)}" for cards in self.others}
        return {"insurance": _row(self.usual), **dict.fromkeys(other, _row(not self.usual))}


def _row(yes: bool) -> tuple[str, ...]:
    return tuple("Y" if yes and up == "A" else "N" for up in COLUMNS)


def insurance_of(
    shoe: Shoe,
    columns: Sequence[Column | None],
    plays: Sequence[Play | None],
    *,
    apart: bool,
    offered: bool,
    even_money: bool,
) -> Insurance:
    """Decide about insurance beside solved columns.

    Parameters
    ----------
    shoe
        The shoe before the deal.
    columns, plays
        By up card.
    apart
        Whether each hand is to be decided by itself.
    offered, even_money
        Whether insurance, and even money for a natural, are offered.
    """
    naturals = sum(_natural_net(shoe, column) for column in columns if column is not None)
    column, play = columns[ACE_CLASS], plays[ACE_CLASS]
    if column is None or play is None:
        return Insurance(False, frozenset(), naturals)
    gains: dict[tuple[int, int], float] = {}
    tells = len(column.cards) > 1
    if offered and not tells:
        gains = _gains(column, play)
    if offered or even_money:
        gains[_NATURAL] = _natural_gain(shoe, column, even_money=even_money)
    usual = not tells and sum(gains.values()) > 0.0
    others: set[tuple[int, int]] = set()
    if tells or apart:
        others = {cards for cards, gain in gains.items() if (gain > 0.0) != usual}
    others |= {
        (toggle.cards[0], toggle.cards[1])
        for toggle, on in play.on.items()
        if toggle.kind == "insurance" and on
    }
    if even_money and usual != (_NATURAL in others):
        naturals += gains[_NATURAL]
    return Insurance(usual, frozenset(others), naturals)


def _natural_net(shoe: Shoe, column: Column) -> float:
    """Return what naturals net against an up card, times their probability."""
    probability = deal_probability(shoe, column.up, *_NATURAL)
    return probability * column.cards[0].natural().net if probability else 0.0


def _natural_gain(shoe: Shoe, column: Column, *, even_money: bool) -> float:
    """Return what even money, or insurance, adds for a natural against an ace."""
    probability = deal_probability(shoe, ACE_CLASS, *_NATURAL)
    if probability == 0.0:
        return 0.0
    if even_money:
        return probability - _natural_net(shoe, column)
    return probability * insurance_gain(column.cards[0].natural_chance(*_NATURAL))


def _gains(column: Column, play: Play) -> dict[tuple[int, int], float]:
    """Return what insurance adds by the two cards; who surrenders early takes none."""
    gains: dict[tuple[int, int], float] = {}
    early = column.surrendered_early(play)
    for deal in column.deals:
        cards = deal.first, deal.second
        if cards not in early:
            gain = insurance_gain(column.cards[0].natural_chance(*cards))
            gains[cards] = gains.get(cards, 0.0) + deal.probability * gain
    return gains
