"""Ranks, suits, cards and the composition of the shoe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rtpsim.errors import InputError, shown

RANKS = "A23456789TJQK"
"""The thirteen ranks; a card's rank is its index here (ace 0 ... king 12)."""

VALUE_CLASSES = "A23456789T"
"""The ten classes of cards that count alike; class ``c`` is worth ``c + 1``, the ace also 11."""

SUITS = "♣♦♥♠"
"""The four suits; a card's suit is its index here."""

SUIT_LETTERS = "CDHS"
"""What a keyboard without suit signs types instead."""

RED_SUITS = frozenset({1, 2})
CARDS_IN_DECK = 52
MAX_DECKS = 1000
TEN_CLASS = 9
ACE_CLASS = 0


class Card(NamedTuple):
    """One playing card: ``rank`` 0-12 (index into `RANKS`), ``suit`` 0-3 (index into `SUITS`)."""

    rank: int
    suit: int

    @property
    def value_class(self) -> int:
        """Index into `VALUE_CLASSES`: 0 for an ace, 1-8 for 2-9, 9 for ten, jack, queen, king."""
        return min(self.rank, TEN_CLASS)

    @property
    def number(self) -> int:
        """The card's number in a deck, ``4 * rank + suit``, 0-51."""
        return 4 * self.rank + self.suit

    @classmethod
    def from_number(cls, number: int) -> Card:
        """Return the card whose `number` this is."""
        return cls(*divmod(number, 4))

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read ``T♠``, ``10♠``, ``ts`` or ``Ah``.

        Raises
        ------
        InputError
            If the text is not a rank followed by a suit.
        """
        # pasted suits may carry the selector that says whether to draw them in colour
        compact = text.strip().strip("\ufe0e\ufe0f").upper().replace("10", "T")
        if len(compact) == 2 and compact[0] in RANKS:
            for alphabet in (SUITS, SUIT_LETTERS):
                if compact[1] in alphabet:
                    return cls(RANKS.index(compact[0]), alphabet.index(compact[1]))
        raise InputError(
            f"card {shown(text)}: expected a rank out of {RANKS} and a suit out of {SUITS} "
            f"(or {SUIT_LETTERS}), as T♠ or TS"
        )

    def __str__(self) -> str:
        return RANKS[self.rank] + SUITS[self.suit]


@dataclass(frozen=True)
class Shoe:
    """How many copies of each of the 52 cards the shoe holds when a round begins.

    Attributes
    ----------
    counts
        52 numbers, indexed by `Card.number`.
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.counts) != CARDS_IN_DECK or min(self.counts) < 0:
            raise InputError("shoe: expected 52 counts, none below 0")

    @classmethod
    def of_decks(cls, decks: int) -> Shoe:
        """Return the shoe of so many whole decks.

        Raises
        ------
        InputError
            If `decks` is not a whole number from 1 to 1000.
        """
        if isinstance(decks, bool) or not isinstance(decks, int) or not 1 <= decks <= MAX_DECKS:
            raise InputError(
                f"decks = {shown(decks)}: allowed is a whole number from 1 to {MAX_DECKS}"
            )
        return cls((decks,) * CARDS_IN_DECK)

    @property
    def size(self) -> int:
        """Number of cards in the shoe."""
        return sum(self.counts)

    @cached_property
    def by_rank(self) -> tuple[int, ...]:
        """Cards of each of the 13 ranks."""
        return tuple(sum(self.counts[4 * rank : 4 * rank + 4]) for rank in range(len(RANKS)))

    @cached_property
    def by_value(self) -> tuple[int, ...]:
        """Cards of each of the 10 value classes."""
        ranks = self.by_rank
        return (*ranks[:TEN_CLASS], sum(ranks[TEN_CLASS:]))
