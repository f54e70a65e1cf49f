"""Player hands as the compiler sees them: total, ace, number of cards, composition."""

from __future__ import annotations

from typing import NamedTuple

from rtpsim.cards import ACE_CLASS, RANKS, TEN_CLASS


def card_value(card: int) -> int:
    """Return what a card counts, an ace as 1; ``card`` is a value class or a rank (0-12)."""
    return min(card, TEN_CLASS) + 1


class Hand(NamedTuple):
    """A hand of cards.

    Attributes
    ----------
    total
        Sum of the cards, aces as 1.
    has_ace
        Whether an ace is among them.
    cards
        How many cards it has. Where a strategy does not care, the number is capped.
    composition
        The cards in ascending order; empty where a strategy does not care.
    """

    total: int
    has_ace: bool
    cards: int
    composition: tuple[int, ...]

    @property
    def soft(self) -> bool:
        """Whether an ace can count 11."""
        return self.has_ace and self.total <= 11

    @property
    def best(self) -> int:
        """The total that counts: an ace as 11 where that does not bust."""
        return self.total + 10 if self.soft else self.total

    def with_card(self, card: int) -> Hand:
        """Return the hand after one more card."""
        return Hand(
            self.total + card_value(card),
            self.has_ace or card == ACE_CLASS,
            self.cards + 1,
            tuple(sorted((*self.composition, card))),
        )

    def is_pair(self, by: str) -> bool:
        """Whether these are two cards that pair, by ``"value"`` or by ``"rank"``."""
        if self.cards != 2:
            return False
        first, second = self.composition
        return first == second if by == "rank" else card_value(first) == card_value(second)

    def __str__(self) -> str:
        if self.composition:
            return ",".join(RANKS[card] for card in self.composition)
        return f"{'soft' if self.soft else 'hard'} {self.best}"


EMPTY = Hand(0, False, 0, ())


def hand_of(*cards: int) -> Hand:
    """Return the hand of these cards."""
    hand = EMPTY
    for card in cards:
        hand = hand.with_card(card)
    return hand
