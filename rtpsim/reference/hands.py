"""The referee's working notes: the hands on the table while a round is played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rtpsim.cards import ACE_CLASS, RANKS, TEN_CLASS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rtpsim.cards import Card

_CLASS_OF_RANK = tuple(min(rank, TEN_CLASS) for rank in range(len(RANKS)))
"""`Card.value_class` as a table, which is faster."""


class Hand:
    """The cards of one hand, with what decides how it may be played.

    Attributes
    ----------
    cards
        The cards held, in the order received.
    total
        The best total: the highest that does not exceed 21, else the lowest.
    soft
        Whether an ace counts 11 in `total`.
    wager
        What is wagered on this hand, in initial wagers.
    depth
        How many splits lie between the initial hand and this one; 0 for the initial hand.
    split_ace
        Whether the hand was made by splitting two aces.
    power_split
        Whether the hand was made by a power split.
    route
        How the hand ended; empty while it is played.
    """

    __slots__ = ("_aces", "_low", "cards", "depth", "power_split", "route", "soft", "split_ace",
                 "total", "wager")  # fmt: skip

    def __init__(self, cards: Iterable[Card] = ()) -> None:
        self.cards: list[Card] = []
        self._low = 0
        self._aces = 0
        self.total = 0
        self.soft = False
        self.wager = 1
        self.depth = 0
        self.split_ace = False
        self.power_split = False
        self.route = ""
        for card in cards:
            self.take(card)

    def take(self, card: Card) -> None:
        """Add a card."""
        self.cards.append(card)
        value_class = _CLASS_OF_RANK[card.rank]
        self._low += value_class + 1
        if value_class == ACE_CLASS:
            self._aces += 1
        self.soft = self._aces > 0 and self._low <= 11
        self.total = self._low + 10 if self.soft else self._low

    @property
    def words(self) -> str:
        """The total in words: ``hard 16``, ``soft 18``."""
        return f"{'soft' if self.soft else 'hard'} {self.total}"

    def split(self, power: bool) -> tuple[Hand, Hand]:
        """Return the two hands of one card each that a split makes of this one."""
        first, second = self.cards
        aces = first.value_class == second.value_class == ACE_CLASS
        halves = (Hand([first]), Hand([second]))
        for half in halves:
            half.depth = self.depth + 1
            half.split_ace = aces
            half.power_split = power
        return halves


def is_natural(first: Card, second: Card) -> bool:
    """Return whether two cards are an ace and a card worth ten."""
    classes = (_CLASS_OF_RANK[first.rank], _CLASS_OF_RANK[second.rank])
    return classes in ((ACE_CLASS, TEN_CLASS), (TEN_CLASS, ACE_CLASS))


@dataclass(slots=True)
class Dealer:
    """The dealer's cards, and how they ended.

    Attributes
    ----------
    cards
        The up card first.
    total
        The total at the end; 0 if it was not needed.
    final
        ``17`` ... ``22``, ``bust``, ``natural`` or ``none``.
    ended_round
        Whether a natural was found, and ended the round, before anybody played.
    """

    cards: list[Card] = field(default_factory=list)
    total: int = 0
    final: str = "none"
    ended_round: bool = False


@dataclass(slots=True)
class Seat:
    """One initial hand and everything that becomes of it."""

    number: int
    initial: tuple[Card, Card]
    natural: bool
    hands: list[Hand]
    splits: int = 0
    power_split: bool = False
    early_surrender: bool = False
    insured: bool = False
    even_money: bool = False
    side_bets: dict[str, str] = field(default_factory=dict)

    @property
    def wager(self) -> int:
        """What the seat has wagered on its hands, in initial wagers."""
        return sum(hand.wager for hand in self.hands)

    @property
    def route(self) -> str:
        """How the initial hand ended: split, or as its only hand did."""
        if self.splits:
            return "power-split" if self.power_split else "split"
        return self.hands[0].route
