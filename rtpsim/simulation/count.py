"""Loops that count: finished rounds by label and result, deals by the outcomes of side bets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rtpsim._jit import loop
from rtpsim.simulation.layout import (
    BLOCK,
    CODE,
    CONTEXT,
    CONTEXT_AND_UP,
    ENTRY,
    NATURAL,
    NINE,
    ONE,
    SLOT,
    THREE,
    UP,
    UP_BITS,
    UP_MASK,
    WORTH_INSURED,
    WORTH_MASK,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]
    Codes = NDArray[np.uint32]
    Halves = NDArray[np.uint16]
    Bytes = NDArray[np.uint8]
    Places = NDArray[np.int64]
    Counts = NDArray[np.int64]


@loop
def count_labels(done: int, over: Words, labels: Counts) -> None:
    """Count the label of each finished round of one hand, by (context, up card, final)."""
    for k in range(np.uint64(done)):
        play = over[k]
        labels[((play >> UP) & CONTEXT_AND_UP) * NINE + ((play & CODE) >> ENTRY)] += 1


@loop
def forget_none(labels: Counts, initial: Counts) -> None:
    """Set to 0 what has been counted of deals that are not valid."""
    for cell in range((UP_MASK + ONE) * NINE):
        labels[cell] = 0
    initial[-1] = 0


@loop
def add_worths(
    done: int, hands: int, over: Words, slots: Words, worths: Words, sums: Words
) -> None:
    """Write where each finished round of several hands is counted.

    First what its hands are worth together, behind these the place of the first one's label.
    """
    length = np.uint64(1 + hands)
    labels = np.uint64(done)
    for k in range(np.uint64(done)):
        play = over[k]
        final = (play & CODE) >> ENTRY
        first = (play >> SLOT) * length + ONE
        worth = np.uint64(0)
        for hand in range(np.uint64(hands)):
            worth += worths[(slots[first + hand] >> CONTEXT) * NINE + final]
        sums[k] = worth
        row = ((slots[first] >> CONTEXT) << UP_BITS) | ((play >> UP) & UP_MASK)
        sums[labels + k] = row * NINE + final


@loop
def count_rounds(
    done: int, over: Words, sums: Words, labels: Counts, totals: Counts, insurance: Counts
) -> None:
    """Count each finished round of several hands: the first's label, and the sums over all.

    Most rounds are not insured; they are counted on the way, for adding to the same number again
    and again has to wait.
    """
    naturals = 0
    insured_rounds = 0
    for k in range(np.uint64(done)):
        labels[sums[np.uint64(done) + k]] += 1
        totals[sums[k] & WORTH_MASK] += 1
        natural = np.uint64(((over[k] & CODE) >> ENTRY) == NATURAL)
        insured = sums[k] >> WORTH_INSURED
        if insured > 0:
            insurance[insured + insured + natural] += 1
            insured_rounds += 1
        else:
            naturals += int(natural)
    insurance[0] += done - insured_rounds - naturals
    insurance[1] += naturals


@loop
def index_outcomes(wanted: int, rows: Places, scales: Codes, cards: Halves, indices: Codes) -> None:
    """Write where the outcome of each deal stands: the numbers of up to three cards, scaled.

    ``rows`` are the rows of ``cards`` that the bets look at. The loop vectorises.
    """
    row_0, row_1, row_2 = (
        np.uint64(rows[0]) * BLOCK,
        np.uint64(rows[1]) * BLOCK,
        np.uint64(rows[2]) * BLOCK,
    )
    scale_0, scale_1, scale_2 = scales[0], scales[1], scales[2]
    for i in range(np.uint64(wanted)):
        indices[i] = np.uint32(
            np.uint32(np.uint32(cards[row_0 + i]) * scale_0)
            + np.uint32(np.uint32(cards[row_1 + i]) * scale_1)
            + np.uint32(np.uint32(cards[row_2 + i]) * scale_2)
        )


@loop
def add_outcomes(
    wanted: int,
    outcomes: Bytes,
    first_outcome: np.uint64,
    weights: Codes,
    indices: Codes,
    keys: Codes,
) -> None:
    """Add what the outcomes of one hand say to the key of each deal."""
    for i in range(np.uint64(wanted)):
        keys[i] += weights[outcomes[first_outcome + np.uint64(indices[i])]]


@loop
def count_keys(
    wanted: int, first: np.uint64, cells: np.uint64, positions: Halves, keys: Codes, counts: Counts
) -> None:
    """Count the keys of the valid deals, and set them to 0.

    Most rounds lose: neighbours are counted apart, since adding to the same number twice in a row
    has to wait.
    """
    for i in range(np.uint64(wanted)):
        counts[first + (i & THREE) * cells + np.uint64(keys[i])] += np.int64(positions[i])
        keys[i] = 0
