"""Exact frequencies of the first cards of a round, by plain enumeration of the shoe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from rtpsim.cards import ACE_CLASS, TEN_CLASS, VALUE_CLASSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

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


def natural_name(player: tuple[int, int], dealer: tuple[int, int]) -> str:
    """Return which case of `NATURALS` two cards of the player and of the dealer make."""
    wanted = {ACE_CLASS, TEN_CLASS}
    return NATURALS[(set(player) == wanted) + 2 * (set(dealer) == wanted)]


def _gather(deals: Iterable[tuple[tuple[int, int, int, int], int]]) -> DealCounts:
    """Add up counted deals (player's two cards, up card, dealer's second) by what is seen."""
    ups = dict.fromkeys(UPS, 0)
    hands = dict.fromkeys(product(HANDS, UPS), 0)
    naturals = dict.fromkeys(NATURALS, 0)
    for (first, second, up, hole), count in deals:
        ups[UPS[up]] += count
        hands[hand_name(first, second), UPS[up]] += count
        naturals[natural_name((first, second), (up, hole))] += count
    return DealCounts(ups, hands, naturals)


@lru_cache(maxsize=32)
def expected_deals(shoe: Shoe) -> DealCounts:
    """Count the ways to deal four cards in order out of a shoe, exactly.

    Every combination of value classes counts the ways to take its cards out one after the
    other; divided by `DealCounts.total` the counts are probabilities.
    """
    return _gather(_ways(shoe))


def _ways(shoe: Shoe) -> Iterator[tuple[tuple[int, int, int, int], int]]:
    """Yield each four value classes in order with the number of ways to deal them."""
    left = list(shoe.by_value)
    classes = range(len(VALUE_CLASSES))
    for deal in product(classes, classes, classes, classes):
        ways = 1
        for card in deal:
            ways *= left[card]
            left[card] -= 1
        for card in deal:
            left[card] += 1
        yield deal, ways


def observed_deals(initial: NDArray[np.int64]) -> DealCounts:
    """Add up a tally's initial cards to the cells of `expected_deals`.

    Parameters
    ----------
    initial
        int64, shape (10, 10, 10, 10): rounds by value class of the first hand's two cards, the
        up card and the dealer's second card.
    """
    classes = range(len(VALUE_CLASSES))
    deals = product(classes, classes, classes, classes)
    return _gather((deal, int(initial[deal])) for deal in deals)
