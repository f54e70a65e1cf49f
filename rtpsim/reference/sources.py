"""Where the referee's cards come from: a shuffled shoe, or a list that somebody wrote down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from rtpsim.cards import RANKS, SUITS, Card, Shoe
from rtpsim.errors import InputError, ShoeExhaustedError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORDS_AT_ONCE = 4096
_WORD = 1 << 32


class SuitlessCard(Card):
    """A card whose suit was not told. It counts as a spade, and no side bet is judged on it."""

    __slots__ = ()

    def __str__(self) -> str:
        return RANKS[self.rank]


class CardSource(Protocol):
    """What hands the referee its cards, by the role each one plays.

    Every method raises `ShoeExhaustedError` when there is no such card.
    """

    def player_card(self, seat: int, nth: int) -> Card:
        """Return the first (``nth`` = 0) or second (1) card of the hand at ``seat`` (from 0)."""
        ...

    def up_card(self) -> Card:
        """Return the dealer's up card."""
        ...

    def dealer_card(self) -> Card:
        """Return the dealer's second card."""
        ...

    def draw(self) -> Card:
        """Return the next card that a hand or the dealer draws."""
        ...


class ShoeSource:
    """A shoe, shuffled before every round and dealt from the top in the order asked for.

    Only the cards that are dealt are shuffled: the next card is a uniform choice among those not
    yet dealt (the Fisher-Yates shuffle, stopped when the round ends). The choices are made with
    the generator's raw 32-bit words, of which those that would favour some cards are rejected.

    Parameters
    ----------
    shoe
        The composition before a round.
    generator
        Where the randomness comes from. It is read in blocks, so it should not be shared.
    """

    def __init__(self, shoe: Shoe, generator: np.random.Generator) -> None:
        self._cards = [
            Card.from_number(number)
            for number, copies in enumerate(shoe.counts)
            for _ in range(copies)
        ]
        self._generator = generator
        self._words: list[int] = []
        self._dealt = 0

    def shuffle(self) -> None:
        """Put every card back, so that the next one is dealt from the full shoe."""
        self._dealt = 0

    def draw(self) -> Card:
        """Return the next card of the shoe."""
        cards, place = self._cards, self._dealt
        left = len(cards) - place
        if left == 0:
            raise ShoeExhaustedError(
                f"the shoe ran out: a round needed more than its {place} cards"
            )
        # Lemire's bounded draw: the high half of word * left is uniform on 0 ... left - 1 once
        # the few words whose low half is below 2^32 mod left are thrown away
        product = (self._words or self._more_words()).pop() * left
        while product % _WORD < left and product % _WORD < _WORD % left:
            product = (self._words or self._more_words()).pop() * left
        chosen = place + product // _WORD
        card = cards[chosen]
        cards[chosen] = cards[place]
        cards[place] = card
        self._dealt = place + 1
        return card

    def player_card(self, seat: int, nth: int) -> Card:
        """Return the next card of the shoe, whoever receives it."""
        return self.draw()

    up_card = dealer_card = draw

    def _more_words(self) -> list[int]:
        words = self._generator.integers(0, _WORD, size=_WORDS_AT_ONCE, dtype=np.uint32)
        self._words = words.tolist()
        return self._words


class ScriptedSource:
    """Cards laid down beforehand, by role.

    Parameters
    ----------
    initial
        The first two cards of each hand, in the order of the hands.
    up
        The dealer's up card.
    second
        The dealer's second card. Without it that card is the first of ``draws`` in a game that
        deals a hole card, and else comes from ``draws`` when the dealer takes it.
    draws
        Every later card, in the order drawn.
    """

    def __init__(
        self,
        initial: Sequence[tuple[Card, Card]],
        up: Card,
        second: Card | None = None,
        draws: Sequence[Card] = (),
    ) -> None:
        self.initial = tuple(initial)
        self.up = up
        self.second = second
        self.draws = tuple(draws)
        self._drawn = 0

    @property
    def hands(self) -> int:
        """For how many hands initial cards were given."""
        return len(self.initial)

    @property
    def unused(self) -> tuple[Card, ...]:
        """The later draws that nobody has drawn yet."""
        return self.draws[self._drawn :]

    def player_card(self, seat: int, nth: int) -> Card:
        """Return one of the initial cards of the hand at ``seat``."""
        if seat >= len(self.initial):
            raise ShoeExhaustedError(f"the cards given ran out: there are none for hand {seat + 1}")
        return self.initial[seat][nth]

    def up_card(self) -> Card:
        """Return the dealer's up card."""
        return self.up

    def dealer_card(self) -> Card:
        """Return the dealer's second card."""
        return self.draw() if self.second is None else self.second

    def draw(self) -> Card:
        """Return the next of the later draws."""
        if self._drawn == len(self.draws):
            raise ShoeExhaustedError(
                f"the cards given ran out: the round needs more than {self._drawn} later cards"
            )
        self._drawn += 1
        return self.draws[self._drawn - 1]


def parse_cards(text: str) -> ScriptedSource:
    """Read the cards of one round, as in ``T♠ 6♦ / 9 7 | 9♣ 8♥ | 5 K``.

    Three parts, separated by ``|``: the hands' initial cards, one hand from the next separated by
    ``/`` or ``;``; the up card and, if wanted, the dealer's second card; the later cards in the
    order drawn (this part may be missing). Cards are ranks (A23456789TJQK, or 10) with or without
    a suit (♣♦♥♠ or CDHS); a card without a suit is a `SuitlessCard`.

    Raises
    ------
    InputError
        If a part is missing or too long, a hand has not two cards, or a card cannot be read.
    """
    parts = [part.strip() for part in text.split("|")]
    if len(parts) not in (2, 3):
        raise InputError(
            f"cards {shown(text)}: expected 'hand | up card | later cards', as 'T 6 | 9 7 | 5'; "
            f"found {len(parts)} part{'s' * (len(parts) != 1)}"
        )
    initial = []
    for number, hand in enumerate(parts[0].replace(";", "/").split("/"), start=1):
        cards = [_parse_card(word) for word in hand.split()]
        if len(cards) != 2:
            raise InputError(f"cards of hand {number} {shown(hand.strip())}: expected two cards")
        initial.append((cards[0], cards[1]))
    dealer = [_parse_card(word) for word in parts[1].split()]
    if len(dealer) not in (1, 2):
        raise InputError(
            f"the dealer's cards {shown(parts[1])}: expected the up card, or the up card and the "
            "dealer's second card"
        )
    return ScriptedSource(
        initial,
        dealer[0],
        dealer[1] if len(dealer) == 2 else None,
        [_parse_card(word) for word in "".join(parts[2:]).split()],
    )


def _parse_card(word: str) -> Card:
    rank = word.upper().replace("10", "T")
    if len(rank) == 1 and rank in RANKS:
        return SuitlessCard(RANKS.index(rank), SUITS.index("♠"))
    return Card.parse(word)
