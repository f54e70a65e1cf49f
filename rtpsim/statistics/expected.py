"""Exact frequencies of the first cards of a round, by plain enumeration of the shoe."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from rtpsim.cards import ACE_CLASS, TEN_CLASS, VALUE_CLASSES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from rtpsim.cards import Shoe

UPS = tuple(VALUE_CLASSES)
"""Labels of the ten up cards."""

HANDS = tuple(f"{low},{high}" for i, low in enumerate(VALUE_CLASSES) for high in VALUE_CLASSES[i:])
"""Labels of the 55 initial hands, whatever the order of their two cards."""

NATURALS = ("neither", "player", "dealer", "both")
"""Who has a natural."""


@dataclass(frozen=True)
class DealCounts:
    """How often each case of what is seen before anybody plays comes up, for one seat.

    Attributes
    ----------
    up
        By up card, keys as `UPS`.
    hands
        By initial hand and up card, keys ``(hand, up)`` out of `HANDS` and `UPS`.
    naturals
        By who has a natural, keys as `NATURALS`.
    """

    up: Mapping[str, int]
    hands: Mapping[tuple[str, str], int]
    naturals: Mapping[str, int]

    @property
    def total(self) -> int:
        """All deals counted."""
        return sum(self.up.values())


def hand_name(first: int, second: int) -> str:
    """Return the label of two value classes in `HANDS`."""
    low, high = sorted((first, second))
    return f"{VALUE_CLASSES[low]},{VALUE_CLASSES[high]}"


def is_natural(first: int, second: int) -> bool:
    """Say whether two value classes make a natural."""
    return {first, second} == {ACE_CLASS, TEN_CLASS}


def _gather(count_of: Callable[[int, int, int, int], int]) -> DealCounts:
    """Add up all deals (player's two cards, up card, dealer's second) by what is seen."""
    ups = dict.fromkeys(UPS, 0)
    hands = dict.fromkeys(product(HANDS, UPS), 0)
    naturals = dict.fromkeys(NATURALS, 0)
    pairs = list(product(range(len(VALUE_CLASSES)), repeat=2))
    for first, second in pairs:
        hand, player = hand_name(first, second), is_natural(first, second)
        for up, hole in pairs:
            count = count_of(first, second, up, hole)
            ups[UPS[up]] += count
            hands[hand, UPS[up]] += count
            naturals[NATURALS[player + 2 * is_natural(up, hole)]] += count
    return DealCounts(ups, hands, naturals)


@lru_cache(maxsize=32)
def expected_deals(shoe: Shoe) -> DealCounts:
    """Count the ways to deal four cards in order out of a shoe, exactly.

    Every combination of value classes counts the ways to take its cards out one after the
    other; divided by `DealCounts.total` the counts are probabilities.
    """
    cards = shoe.by_value

    def ways(*deal: int) -> int:
        return math.prod(cards[card] - deal[:i].count(card) for i, card in enumerate(deal))

    return _gather(ways)


def observed_deals(initial: NDArray[np.int64]) -> DealCounts:
    """Add up a tally's initial cards to the cells of `expected_deals`.

    Parameters
    ----------
    initial
        int64, shape (10, 10, 10, 10): rounds by value class of the first hand's two cards, the
        up card and the dealer's second card.
    """
    counts = initial.tolist()  # Python's integers, which cannot overflow
    return _gather(lambda first, second, up, hole: counts[first][second][up][hole])
