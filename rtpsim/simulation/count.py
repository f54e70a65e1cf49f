"""Loops that count: finished rounds by label and result, deals by the outcomes of side bets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rtpsim._jit import loop
from rtpsim.simulation.layout import (
    BLOCK,
    CODE,
    CONTEXT,
    NATURAL,
    NINE,
    ONE,
    SLOT,
    TEN,
    THREE,
    UP,
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
        up = (play >> UP) & UP_MASK
        labels[(((play >> CONTEXT) & CODE) * TEN + up) * NINE + (play & CODE)] += 1


@loop
def count_rounds(
    done: int,
    hands: int,
    over: Words,
    slots: Words,
    worths: Words,
    labels: Counts,
    totals: Counts,
    insurance: Counts,
) -> None:
    """Count each finished round of several hands: the first's label, and the sums over all."""
    length = np.uint64(1 + 2 * hands)
    for k in range(np.uint64(done)):
        play = over[k]
        final = play & CODE
        contexts = (play >> SLOT) * length + ONE
        up = (play >> UP) & UP_MASK
        labels[(slots[contexts] * TEN + up) * NINE + final] += 1
        worth = np.uint64(0)
        for hand in range(hands):
            worth += worths[slots[contexts + np.uint64(hand)] * NINE + final]
        totals[worth & WORTH_MASK] += 1
        insured = worth >> WORTH_INSURED
        insurance[insured + insured + np.uint64(final == NATURAL)] += 1


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
def count_outcomes(
    wanted: int,
    first: np.uint64,
    cells: np.uint64,
    outcomes: Bytes,
    first_outcome: np.uint64,
    weights: Codes,
    positions: Halves,
    indices: Codes,
    counts: Counts,
) -> None:
    """Count the outcomes of the valid deals, where one hand makes the bets.

    Most rounds lose: neighbours are counted apart, since adding to the same number twice in a row
    has to wait.
    """
    for i in range(np.uint64(wanted)):
        key = np.uint64(weights[outcomes[first_outcome + np.uint64(indices[i])]])
        counts[first + (i & THREE) * cells + key] += np.int64(positions[i])


@loop
def add_outcomes(
    wanted: int,
    outcomes: Bytes,
    first_outcome: np.uint64,
    weights: Codes,
    indices: Codes,
    keys: Codes,
) -> None:
    """Add what the outcomes of one hand of several say to the key of each deal."""
    for i in range(np.uint64(wanted)):
        keys[i] += weights[outcomes[first_outcome + np.uint64(indices[i])]]


@loop
def count_keys(
    wanted: int, first: np.uint64, cells: np.uint64, positions: Halves, keys: Codes, counts: Counts
) -> None:
    """Count the keys of the valid deals as `count_outcomes` does, and set them to 0."""
    for i in range(np.uint64(wanted)):
        counts[first + (i & THREE) * cells + np.uint64(keys[i])] += np.int64(positions[i])
        keys[i] = 0
