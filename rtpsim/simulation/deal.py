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
    APART,
    BLOCK,
    BYTE,
    CODE,
    CONTEXT,
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
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]
    Codes = NDArray[np.uint32]
    Halves = NDArray[np.uint16]
    Bytes = NDArray[np.uint8]
    Counts = NDArray[np.int64]

_FIFTY_SECOND = np.uint32(20165)  # 2**20 / 52, rounded up
_DECK_SHIFT = np.uint16(4)
_DECK = np.uint16(52)
_RANK = np.uint16(2)
_LAST_VALUE = np.uint16(9)
_TEN = np.uint16(10)
_HUNDRED = np.uint16(100)
_SIXTEEN = np.uint32(16)
_RANGE = np.uint32(1 << 16)


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
        fours = (card - 1) // 4
        for four in range(fours):
            differ_from_four(wanted, row, np.uint64(1 + 4 * four) * BLOCK, positions)
        for other in range(1 + 4 * fours, card):
            before = np.uint64(other) * BLOCK
            for i in range(np.uint64(wanted)):
                positions[i] &= np.uint16(positions[row + i] != positions[before + i])


@loop
def differ_from_four(wanted: int, row: np.uint64, before: np.uint64, positions: Halves) -> None:
    """Set row 0 to 0 where the card of ``row`` is one of those of the four rows from ``before``."""
    for i in range(np.uint64(wanted)):
        card = positions[row + i]
        differs = np.uint16(card != positions[before + i])
        differs &= np.uint16(card != positions[before + BLOCK + i])
        differs &= np.uint16(card != positions[before + TWO * BLOCK + i])
        differs &= np.uint16(card != positions[before + THREE * BLOCK + i])
        positions[i] &= differs


@loop
def keep_first(wanted: int, most: int, positions: Halves) -> None:
    """Drop valid deals behind the first ``most``."""
    left = np.uint64(most)
    for i in range(np.uint64(wanted)):
        positions[i] &= np.uint16(left > 0)
        left -= np.uint64(positions[i])


@loop
def number_cards(wanted: int, rows: int, positions: Halves, cards: Halves) -> None:
    """Turn positions in a shoe of whole decks into card numbers, 0 to 51: the remainder by 52.

    The quotient of a 16-bit number by 52 is the upper half of its product with 20165, over 16: the
    loop vectorises. What has been rejected gets some number too.
    """
    for row in range(rows):
        start = np.uint64(row) * BLOCK
        for i in range(np.uint64(wanted)):
            position = positions[start + BLOCK + i]
            upper = np.uint16(np.uint32(np.uint32(position) * _FIFTY_SECOND) >> _SIXTEEN)
            cards[start + i] = np.uint16(
                position - np.uint16(np.uint16(upper >> _DECK_SHIFT) * _DECK)
            )


@loop
def look_up_cards(
    wanted: int, rows: int, positions: Halves, numbers: Halves, cards: Halves
) -> None:
    """Do the same for any shoe, from the card numbers by position."""
    for row in range(rows):
        start = np.uint64(row) * BLOCK
        for i in range(np.uint64(wanted)):
            cards[start + i] = numbers[np.uint64(positions[start + BLOCK + i])]


@loop
def number_deals(wanted: int, hand: int, classes: int, cards: Halves, deals: Halves) -> None:
    """Write the number of the deal that a hand is for itself, by the classes of its cards.

    It stands in the row ``hand`` of ``deals`` and counts as ``starts`` are counted.
    """
    last = np.uint16(classes - 1)
    first_place = np.uint16(100 * classes)
    row = np.uint64(2 + 2 * hand) * BLOCK
    start = np.uint64(hand) * BLOCK
    for i in range(np.uint64(wanted)):
        up = min(np.uint16(cards[i] >> _RANK), _LAST_VALUE)
        hole = min(np.uint16(cards[BLOCK + i] >> _RANK), _LAST_VALUE)
        first = min(np.uint16(cards[row + i] >> _RANK), last)
        second = min(np.uint16(cards[row + BLOCK + i] >> _RANK), last)
        deals[start + i] = np.uint16(
            np.uint16(first * first_place)
            + np.uint16(second * _HUNDRED)
            + np.uint16(up * _TEN)
            + hole
        )


@loop
def classify_cards(wanted: int, first: int, last: int, classes: int, cards: Halves) -> None:
    """Turn the card numbers of the rows ``first`` to ``last`` - 1 into classes."""
    highest = np.uint16(classes - 1)
    for row in range(first, last):
        start = np.uint64(row) * BLOCK
        for i in range(np.uint64(wanted)):
            cards[start + i] = min(np.uint16(cards[start + i] >> _RANK), highest)


@loop
def seat_one_hand(
    wanted: int,
    positions: Halves,
    deals: Halves,
    starts: Words,
    rounds: Words,
    apart: Words,
    initial: Counts,
) -> tuple[int, int]:
    """Start the valid deals of one hand; those to be played apart go to ``apart``.

    Returns how many there are of the others, over ones among them, and of these. A round's slot is
    its place. Few are played apart: a branch costs less than to write all rounds twice.
    """
    playing = np.uint64(0)
    alone = np.uint64(0)
    for i in range(np.uint64(wanted)):
        valid = np.uint64(positions[i])
        deal = np.uint64(deals[i])
        play = starts[deal] | (i << SLOT)
        initial[deal] += np.int64(valid)
        rounds[playing] = play
        playing += valid
        if (play >> APART) & valid > 0:
            apart[alone] = play
            alone += ONE
            playing -= ONE
    return int(np.int64(playing)), int(np.int64(alone))


@loop
def count_cards(wanted: int, rows: int, positions: Halves, counters: Words, used: Words) -> None:
    """Add up the counters of the cards of each deal."""
    for i in range(np.uint64(wanted)):
        used[i] = 0
    for row in range(1, 1 + rows):
        start = np.uint64(row) * BLOCK
        for i in range(np.uint64(wanted)):
            used[i] += counters[np.uint64(positions[start + i])]


@loop
def seat_hands(
    wanted: int,
    playing: int,
    hands: int,
    plane: int,
    positions: Halves,
    deals: Halves,
    used: Words,
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
        initial[np.uint64(deals[i])] += np.int64(valid)
        checked = np.uint64(0)
        if plane > 0:
            for hand in range(hands):
                start = starts[np.uint64(deals[np.uint64(hand) * BLOCK + i])]
                checked |= (start >> START_INSURED) & ONE
        checked *= np.uint64(plane)
        queued = np.uint64(0)
        need = np.uint64(0)
        start = np.uint64(0)
        begins = np.uint64(0)
        for hand in range(hands):
            start = starts[checked + np.uint64(deals[np.uint64(hand) * BLOCK + i])]
            slots[contexts + np.uint64(hand)] = (start >> CONTEXT) & CODE
            hand_waits = (start & PLAY) | (np.uint64(hand) << MODE)
            slots[waiting + queued] = hand_waits
            begins = begins if queued > 0 else hand_waits
            queued += (start >> START_PLAYS) & ONE
            need = max(need, (start >> START_NEED) & NEED_MASK)
        mode = (start >> START_MODE) & BYTE
        code = begins & PLAY if queued > 0 else np.uint64(onward[(mode << TWO) | need])
        rounds[TWO * seated] = code | (mode << MODE) | (slot << SLOT)
        rounds[TWO * seated + ONE] = used[i]
        slots[slot * length] = (
            (begins >> MODE) | (ONE << TURN_NEXT) | (queued << TURN_COUNT) | (need << TURN_NEED)
        )
        seated += valid
    return int(np.int64(seated))
