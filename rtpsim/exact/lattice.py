"""The lattice of player hands: every composition up to 21, and where each card leads."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

CLASSES = 10
BUST = -1


class Lattice(NamedTuple):
    """All compositions of value classes whose hard total is at most 21, the empty one first.

    Hands are ordered by hard total, so that a card always leads to a later hand.

    Attributes
    ----------
    counts
        Cards of each class, int64, shape (hands, 10).
    total
        Hard total (aces as 1), int64.
    soft
        Whether an ace can count 11, bool.
    best
        The total that counts, an ace as 11 where that does not bust, int64.
    size
        Number of cards, int64.
    following
        Hand after one more card of a class, `BUST` beyond 21; int64, shape (hands, 10).
    """

    counts: NDArray[np.int64]
    total: NDArray[np.int64]
    soft: NDArray[np.bool_]
    best: NDArray[np.int64]
    size: NDArray[np.int64]
    following: NDArray[np.int64]

    def of(self, *cards: int) -> int:
        """Return the hand of these value classes; `BUST` beyond 21."""
        hand = 0
        for card in cards:
            hand = int(self.following[hand, card])
            if hand == BUST:
                return BUST
        return hand

    def composition(self, hand: int) -> tuple[int, ...]:
        """Return a hand's cards in ascending order."""
        return tuple(np.repeat(np.arange(CLASSES), self.counts[hand]).tolist())


def _with_card(counts: tuple[int, ...], card: int) -> tuple[int, ...]:
    return (*counts[:card], counts[card] + 1, *counts[card + 1 :])


@cache
def lattice() -> Lattice:
    """Return the lattice of hands (3,073 with the empty one)."""
    layers: list[set[tuple[int, ...]]] = [set() for _ in range(22)]
    layers[0].add((0,) * CLASSES)
    for total, layer in enumerate(layers):
        for counts in layer:
            for card in range(min(CLASSES, 21 - total)):
                grown = _with_card(counts, card)
                layers[total + card + 1].add(grown)
    ordered = [counts for layer in layers for counts in sorted(layer)]
    numbers = {counts: number for number, counts in enumerate(ordered)}
    counts_of = np.array(ordered, dtype=np.int64)
    following = np.full((len(ordered), CLASSES), BUST, dtype=np.int64)
    for number, counts in enumerate(ordered):
        for card in range(CLASSES):
            following[number, card] = numbers.get(_with_card(counts, card), BUST)
    totals = counts_of @ np.arange(1, CLASSES + 1)
    soft = (counts_of[:, 0] > 0) & (totals <= 11)
    return Lattice(
        counts_of,
        totals,
        soft,
        totals + 10 * soft,
        counts_of.sum(axis=1),
        following,
    )
