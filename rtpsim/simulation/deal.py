"""Loops that deal: positions in the shoe from random words, initial hands from positions.

Arrays are those of `rtpsim.simulation.tables` (shapes and dtypes there), passed one by one because
compiled code reads plain arrays fastest. No loop over rounds has a branch that depends on the
cards: what is rejected is written too, and overwritten by the next. Indices are unsigned: a signed
one costs a test for counting from the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rtpsim._jit import loop
from rtpsim.simulation.layout import (
    BLOCK,
    BYTE,
    CODE,
    CONTEXT,
    FOUR,
    MODE,
    NEED_MASK,
    ONE,
    PLAY,
    SLOT,
    START_INSURED,
    START_MODE,
    START_NEED,
    START_PLAYS,
    THREE,
    TURN_COUNT,
    TURN_NEED,
    TURN_NEXT,
    TWO,
    ZERO,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]
    Codes = NDArray[np.uint32]
    Halves = NDArray[np.uint16]
    Bytes = NDArray[np.uint8]
    Counts = NDArray[np.int64]

_SIXTEEN = np.uint32(16)
_RANGE = np.uint32(1 << 16)

# A row of ``places``: what a card adds to a deal's number as up card, as ...
_HOLE = np.uint64(1)
_FIRST = np.uint64(2)
_SECOND = np.uint64(3)


@loop
def draw_positions(
    wanted: int, first: int, draws: Halves, size: np.uint16, positions: Halves, row: int
) -> None:
    """Draw positions in a shoe of ``size`` cards from 16 bits each; ``size`` itself: none.

    ``draws[first + i]`` decides the i-th of the row. Multiply and shift with the exact rejection
    threshold (D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019)):
    unbiased. All values fit 16 bits, so that the loop vectorises well.
    """
    threshold = np.uint16(_RANGE % np.uint32(size))
    start = np.uint64(row) * BLOCK
    begin = np.uint64(first)
    for i in range(np.uint64(wanted)):
        product = np.uint32(np.uint32(draws[begin + i]) * np.uint32(size))
        accepted = np.uint16(product) >= threshold
        positions[start + i] = np.uint16(product >> _SIXTEEN) if accepted else size


@loop
def accept_deals(wanted: int, cards: int, size: np.uint16, positions: Halves) -> None:
    """Set row 0 to 1 where the positions of a deal (rows from 1) are there and distinct, else 0."""
    for i in range(np.uint64(wanted)):
        positions[i] = 1
    for card in range(1, 1 + cards):
        row = np.uint64(card) * BLOCK
        for i in range(np.uint64(wanted)):
            positions[i] &= np.uint16(positions[row + i] != size)
        for other in range(1, card):
            before = np.uint64(other) * BLOCK
            for i in range(np.uint64(wanted)):
                positions[i] &= np.uint16(positions[row + i] != positions[before + i])


@loop
def seat_one_hand(
    wanted: int,
    playing: int,
    positions: Halves,
    places: Halves,
    counters: Words,
    starts: Words,
    rounds: Words,
    initial: Counts,
) -> int:
    """Put valid deals of one hand in play behind those playing; return how many are playing then.

    The places of the deal's four cards add up to its number.
    """
    seated = np.uint64(playing)
    for i in range(np.uint64(wanted)):
        valid = np.uint64(positions[i])
        up = np.uint64(positions[BLOCK + i])
        hole = np.uint64(positions[TWO * BLOCK + i])
        first = np.uint64(positions[THREE * BLOCK + i])
        second = np.uint64(positions[FOUR * BLOCK + i])
        deal = np.uint64(places[FOUR * up]) + np.uint64(places[FOUR * hole + _HOLE])
        deal += np.uint64(places[FOUR * first + _FIRST]) + np.uint64(
            places[FOUR * second + _SECOND]
        )
        rounds[TWO * seated] = starts[deal]
        rounds[TWO * seated + ONE] = (
            counters[up] + counters[hole] + counters[first] + counters[second]
        )
        initial[deal] += np.int64(valid)
        seated += valid
    return int(np.int64(seated))


@loop
def start_of(hand: int, i: int, dealer: np.uint64, positions: Halves, places: Halves) -> np.uint64:
    """Return the number of the deal that a hand is for itself, with the ``dealer``'s part given."""
    row = np.uint64(3 + 2 * hand) * BLOCK + np.uint64(i)
    first = np.uint64(positions[row])
    second = np.uint64(positions[row + BLOCK])
    place = np.uint64(places[FOUR * first + _FIRST]) + np.uint64(places[FOUR * second + _SECOND])
    return dealer + place


@loop
def seat_hands(
    wanted: int,
    playing: int,
    hands: int,
    plane: int,
    positions: Halves,
    places: Halves,
    counters: Words,
    starts: Words,
    onward: Codes,
    free: Codes,
    rounds: Words,
    slots: Words,
    initial: Counts,
) -> int:
    """Put valid deals of several hands in play: the first that waits for a card begins.

    Those that wait are queued in their round's slot. ``plane`` is the distance to the starts where
    insurance taken by another hand has had the dealer check for a natural, else 0.
    """
    seated = np.uint64(playing)
    length = np.uint64(1 + 2 * hands)
    for i in range(np.uint64(wanted)):
        valid = np.uint64(positions[i])
        slot = np.uint64(free[seated])
        contexts = slot * length + ONE
        waiting = contexts + np.uint64(hands)
        up = np.uint64(positions[BLOCK + i])
        hole = np.uint64(positions[TWO * BLOCK + i])
        dealer = np.uint64(places[FOUR * up]) + np.uint64(places[FOUR * hole + _HOLE])
        initial[start_of(ZERO, i, dealer, positions, places)] += np.int64(valid)
        if plane > 0:
            checked = np.uint64(0)
            for hand in range(hands):
                start = starts[start_of(hand, i, dealer, positions, places)]
                checked |= (start >> START_INSURED) & ONE
            dealer += checked * np.uint64(plane)
        count = counters[up] + counters[hole]
        queued = np.uint64(0)
        need = np.uint64(0)
        start = np.uint64(0)
        begins = np.uint64(0)
        for hand in range(hands):
            start = starts[start_of(hand, i, dealer, positions, places)]
            row = np.uint64(3 + 2 * hand) * BLOCK + i
            count += counters[positions[row]] + counters[positions[row + BLOCK]]
            slots[contexts + np.uint64(hand)] = (start >> CONTEXT) & CODE
            hand_waits = (start & PLAY) | (np.uint64(hand) << MODE)
            slots[waiting + queued] = hand_waits
            begins = begins if queued > 0 else hand_waits
            queued += (start >> START_PLAYS) & ONE
            need = max(need, (start >> START_NEED) & NEED_MASK)
        mode = (start >> START_MODE) & BYTE
        code = begins & PLAY if queued > 0 else np.uint64(onward[(mode << TWO) | need])
        rounds[TWO * seated] = code | (mode << MODE) | (slot << SLOT)
        rounds[TWO * seated + ONE] = count
        slots[slot * length] = (
            (begins >> MODE) | (ONE << TURN_NEXT) | (queued << TURN_COUNT) | (need << TURN_NEED)
        )
        seated += valid
    return int(np.int64(seated))
