"""Side bets: their outcomes and paytables, classifiers, and exact counts from the shoe."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from rtpsim.cards import ACE_CLASS, CARDS_IN_DECK, RANKS, RED_SUITS, Card, Shoe
from rtpsim.errors import InputError, shown, suggestion

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

Kind = Literal["three-card", "pair"]
Role = Literal["player1", "player2", "up", "hole"]
AceInStraights = Literal["high-low", "high", "low"]

ROLES: tuple[Role, ...] = ("player1", "player2", "up", "hole")
"""The cards of the deal that a side bet may look at; ``hole`` is the dealer's second card."""

OUTCOMES: dict[Kind, tuple[str, ...]] = {
    "three-card": ("suited-trips", "straight-flush", "trips", "straight", "flush"),
    "pair": ("perfect", "coloured", "mixed"),
}
"""The winning outcomes of each kind of bet, the most special first.

Three cards: the same rank and suit; sequential ranks in one suit; the same rank; sequential
ranks; one suit. Two cards: the same rank and suit; the same rank and colour; the same rank. Where
several of those that a bet pays hold, the first of them counts."""

LOSE = "lose"
"""What `classify` returns when no outcome that the bet pays holds."""

MAX_PAYS = 1_000_000
_LAST_RANK = len(RANKS) - 1


class SideBet(BaseModel):
    """A bet on the dealt cards alone, whatever becomes of the hand. Immutable and hashable.

    A pydantic model: values that are not allowed raise `pydantic.ValidationError`, which the
    readers of game files turn into an `InputError`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9+-]{0,39}$")
    """Short name, as in results and on the command line: ``empire-poker``."""

    title: str = Field(min_length=1, max_length=200)
    """Name for people: ``Empire Poker``."""

    kind: Kind
    """Which family of `OUTCOMES` it pays."""

    cards: tuple[Role, ...]
    """The cards it looks at, in the order of `ROLES`: three, or two for a pair."""

    ace_in_straights: AceInStraights = "high-low"
    """Whether the ace goes with Q-K, with 2-3, or with both; never round the corner (K-A-2)."""

    pays: dict[str, int]
    """Profit per unit staked ("to one") of each winning outcome, in the order of `OUTCOMES`."""

    inferred: bool = False
    """The paytable is not in the published rules, but inferred from the published figure."""

    @field_validator("cards")
    @classmethod
    def _sort_cards(cls, cards: tuple[Role, ...]) -> tuple[Role, ...]:
        return tuple(sorted(cards, key=ROLES.index))

    @field_validator("pays", mode="before")
    @classmethod
    def _check_pays(cls, pays: Any) -> Any:
        for name, value in pays.items() if isinstance(pays, dict) else ():
            whole = isinstance(value, int) and not isinstance(value, bool)
            if not whole or not 0 <= value <= MAX_PAYS:
                raise ValueError(
                    f"{name} = {shown(value)}: allowed is a whole number 'to one' from 0 to "
                    f"{MAX_PAYS}"
                )
        return pays

    @model_validator(mode="after")
    def _check_together(self) -> SideBet:
        known = OUTCOMES[self.kind]
        for name in self.pays:
            if name not in known:
                raise ValueError(
                    f"pays: unknown outcome {shown(name)} of a {self.kind} bet; allowed are "
                    f"{', '.join(known)}{suggestion(name, known)}"
                )
        if not self.pays:
            raise ValueError(f"pays: no outcome; allowed are {', '.join(known)}")
        needed = 3 if self.kind == "three-card" else 2
        if len(set(self.cards)) != needed or len(self.cards) != needed:
            raise ValueError(
                f"cards = {list(self.cards)}: a {self.kind} bet looks at {needed} different cards "
                f"out of {', '.join(ROLES)}"
            )
        # one order, so that equal paytables are equal and codes do not depend on the file's order
        ordered = {name: self.pays[name] for name in known if name in self.pays}
        self.pays.clear()
        self.pays.update(ordered)
        return self

    def __hash__(self) -> int:
        return hash((self.id, self.kind, self.cards, tuple(self.pays.items())))

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The winning outcomes this bet pays, the most special first."""
        return tuple(self.pays)

    @property
    def per_round(self) -> bool:
        """Whether all hands of a round share one result: no card of the player is looked at."""
        return not any(role.startswith("player") for role in self.cards)


def _is_straight(ranks: Sequence[int], ace: AceInStraights) -> bool:
    low, middle, high = sorted(ranks)
    if (low, middle, high) == (ACE_CLASS, _LAST_RANK - 1, _LAST_RANK):
        return ace != "low"
    if low == ACE_CLASS and ace == "high":
        return False
    return middle == low + 1 and high == middle + 1


def _holds(outcome: str, cards: Sequence[Card], ace: AceInStraights) -> bool:
    """Say whether the cards are what an outcome of `OUTCOMES` asks for."""
    same_rank = len({card.rank for card in cards}) == 1
    same_suit = len({card.suit for card in cards}) == 1
    match outcome:
        case "suited-trips" | "perfect":
            return same_rank and same_suit
        case "straight-flush":
            return same_suit and _is_straight([card.rank for card in cards], ace)
        case "trips" | "mixed":
            return same_rank
        case "straight":
            return _is_straight([card.rank for card in cards], ace)
        case "flush":
            return same_suit
        case "coloured":
            return same_rank and len({card.suit in RED_SUITS for card in cards}) == 1
    raise ValueError(f"no such outcome: {outcome}")


def classify(bet: SideBet, cards: Sequence[Card]) -> str:
    """Return the outcome of a side bet on its cards: one of ``bet.outcomes`` or `LOSE`.

    Parameters
    ----------
    bet
        The side bet.
    cards
        As many cards as ``bet.cards`` names, in any order.

    Raises
    ------
    InputError
        If the number of cards is another.
    """
    if len(cards) != len(bet.cards):
        raise InputError(f"{bet.title}: {len(cards)} cards given, {len(bet.cards)} expected")
    for outcome in bet.outcomes:
        if _holds(outcome, cards, bet.ace_in_straights):
            return outcome
    return LOSE


@lru_cache(maxsize=64)
def outcome_table(bet: SideBet) -> npt.NDArray[np.uint8]:
    """Return the outcome of every deal as a table for engines.

    Returns
    -------
    ndarray of uint8, shape (52,) * len(bet.cards), read-only
        Indexed by card numbers (`Card.number`) in the order of ``bet.cards``: 0 where the bet
        loses, j for the j-th of ``bet.outcomes``, counted from 1.
    """
    size = len(bet.cards)
    numbers = np.indices((CARDS_IN_DECK,) * size, dtype=np.int16)
    ranks, suits = np.sort(numbers // 4, axis=0), numbers % 4
    same_rank = (ranks == ranks[0]).all(axis=0)
    same_suit = (suits == suits[0]).all(axis=0)
    if bet.kind == "pair":
        red = np.isin(suits, list(RED_SUITS))
        holds = {
            "perfect": same_rank & same_suit,
            "coloured": same_rank & (red[0] == red[1]),
            "mixed": same_rank,
        }
    else:
        ace_high = (ranks[0] == ACE_CLASS) & (ranks[1] == _LAST_RANK - 1)
        ace_high &= ranks[2] == _LAST_RANK
        straight = (ranks[1] == ranks[0] + 1) & (ranks[2] == ranks[1] + 1)
        if bet.ace_in_straights == "high":
            straight &= ranks[0] != ACE_CLASS
        if bet.ace_in_straights != "low":
            straight |= ace_high
        holds = {
            "suited-trips": same_rank & same_suit,
            "straight-flush": straight & same_suit,
            "trips": same_rank,
            "straight": straight,
            "flush": same_suit,
        }
    # np.select takes the first condition that holds, as `classify` does
    table = np.select(
        [holds[name] for name in bet.outcomes],
        [np.uint8(code) for code in range(1, len(bet.outcomes) + 1)],
        default=np.uint8(0),
    ).astype(np.uint8)
    table.setflags(write=False)
    return table


def deal_ways(counts: Sequence[int], size: int) -> npt.NDArray[Any]:
    """Return in how many ways cards can be drawn in order without replacement.

    Parameters
    ----------
    counts
        Copies of each of the 52 cards.
    size
        How many cards are drawn, 2 or 3 (1: the counts).

    Returns
    -------
    ndarray, shape (52,) * size
        Indexed by card numbers; int64, or whole numbers of Python where those could overflow.
        0 where a card is drawn more often than it is there.
    """
    dtype: Any = np.int64 if sum(counts) ** size < 2**62 else object
    copies = np.array(counts, dtype=dtype)
    same = np.eye(CARDS_IN_DECK, dtype=np.int64).astype(dtype)
    ways = copies
    if size > 1:
        ways = copies[:, None] * (copies[None, :] - same)
    if size > 2:
        left = copies[None, None, :] - same[:, None, :] - same[None, :, :]
        ways = ways[:, :, None] * left
    return ways


@dataclass(frozen=True)
class OutcomeCounts(Mapping[str, Fraction]):
    """Winning outcome -> exact probability, with the whole numbers behind it.

    The losing outcome is left out; the order is that of the bet's outcomes.

    Attributes
    ----------
    counts
        Outcome -> how many combinations of cards (unordered, drawn without replacement) give it.
    total
        Number of all combinations, the losing ones included.
    """

    counts: dict[str, int]
    total: int

    def __getitem__(self, outcome: str) -> Fraction:
        return Fraction(self.counts[outcome], self.total)

    def __iter__(self) -> Iterator[str]:
        return iter(self.counts)

    def __len__(self) -> int:
        return len(self.counts)


def exact_counts(bet: SideBet, shoe: Shoe) -> OutcomeCounts:
    """Count the combinations of each outcome by enumerating all deals from a shoe.

    Every ordered deal of card numbers counts with the number of ways to draw it without
    replacement from the shoe's actual composition; divided by the orders of as many cards, those
    are combinations.

    Raises
    ------
    InputError
        If the shoe holds fewer cards than the bet looks at.
    """
    size = len(bet.cards)
    if shoe.size < size:
        raise InputError(f"{bet.title}: needs {size} cards, the shoe holds {shoe.size}")
    ways = deal_ways(shoe.counts, size)
    table = outcome_table(bet)
    orders = math.factorial(size)
    return OutcomeCounts(
        {
            name: int(ways[table == code].sum()) // orders
            for code, name in enumerate(bet.outcomes, 1)
        },
        math.comb(shoe.size, size),
    )


def exact_rtp(bet: SideBet, shoe: Shoe) -> Fraction:
    """Return the exact return per unit staked: the sum of probability x (pays + 1)."""
    exact = exact_counts(bet, shoe)
    returned = sum(count * (bet.pays[name] + 1) for name, count in exact.counts.items())
    return Fraction(returned, exact.total)
