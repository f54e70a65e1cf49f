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
    CODE,
    DEALER_MASK,
    NEED,
    SLOT,
    THREE,
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
    """Set row 0 to 1 where the positions of a deal (rows from 1) are there and distinct, else 0.

    Rows are compared in fours, since so many fit the processor's registers; the last four are
    filled up with positions that no shoe has.
    """
    fours = (cards + 3) // 4
    for spare in range(1 + cards, 1 + 4 * fours):
        row = np.uint64(spare) * BLOCK
        for i in range(np.uint64(wanted)):
            positions[row + i] = size + np.uint16(spare)
    for i in range(np.uint64(wanted)):
        positions[i] = 1
    for four in range(fours):
        row = np.uint64(1 + 4 * four) * BLOCK
        compare_four(wanted, row, size, positions)
        for other in range(four):
            compare_fours(wanted, row, np.uint64(1 + 4 * other) * BLOCK, positions)
    for i in range(np.uint64(wanted)):
        positions[i] = np.uint16(positions[i] > 0)


@loop
def compare_four(wanted: int, row: np.uint64, size: np.uint16, positions: Halves) -> None:
    """Set row 0 to 0 where two cards of four rows are the same, or one is ``size``.

    Numbers are the same where their bits differ nowhere: the least difference of all pairs is
    found without leaving 16 bits, which a comparison does not do.
    """
    for i in range(np.uint64(wanted)):
        first = positions[row + i]
        second = positions[row + BLOCK + i]
        third = positions[row + TWO * BLOCK + i]
        fourth = positions[row + THREE * BLOCK + i]
        least = min(positions[i], np.uint16(first ^ size))
        least = min(least, np.uint16(second ^ size))
        least = min(least, np.uint16(third ^ size))
        least = min(least, np.uint16(fourth ^ size))
        least = min(least, np.uint16(first ^ second))
        least = min(least, np.uint16(first ^ third))
        least = min(least, np.uint16(first ^ fourth))
        least = min(least, np.uint16(second ^ third))
        least = min(least, np.uint16(second ^ fourth))
        positions[i] = min(least, np.uint16(third ^ fourth))


@loop
def compare_fours(wanted: int, row: np.uint64, before: np.uint64, positions: Halves) -> None:
    """Set row 0 to 0 where a card of four rows is one of four rows before."""
    for i in range(np.uint64(wanted)):
        first = positions[before + i]
        second = positions[before + BLOCK + i]
        third = positions[before + TWO * BLOCK + i]
        fourth = positions[before + THREE * BLOCK + i]
        least = positions[i]
        for card in range(4):
            own = positions[row + np.uint64(card) * BLOCK + i]
            least = min(least, np.uint16(own ^ first))
            least = min(least, np.uint16(own ^ second))
            least = min(least, np.uint16(own ^ third))
            least = min(least, np.uint16(own ^ fourth))
        positions[i] = least


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
def number_deals(
    wanted: int, hand: int, classes: int, positions: Halves, cards: Halves, deals: Halves
) -> None:
    """Write the number of the deal that a hand is for itself, by the classes of its cards.

    It stands in the row ``hand`` of ``deals`` and counts as ``starts`` are counted; what is not
    valid has the number behind all others.
    """
    last = np.uint16(classes - 1)
    first_place = np.uint16(100 * classes)
    none = np.uint16(100 * classes * classes)
    row = np.uint64(2 + 2 * hand) * BLOCK
    start = np.uint64(hand) * BLOCK
    for i in range(np.uint64(wanted)):
        up = min(np.uint16(cards[i] >> _RANK), _LAST_VALUE)
        hole = min(np.uint16(cards[BLOCK + i] >> _RANK), _LAST_VALUE)
        first = min(np.uint16(cards[row + i] >> _RANK), last)
        second = min(np.uint16(cards[row + BLOCK + i] >> _RANK), last)
        deal = np.uint16(
            np.uint16(first * first_place)
            + np.uint16(second * _HUNDRED)
            + np.uint16(up * _TEN)
            + hole
        )
        deals[start + i] = deal if positions[i] > 0 else none


@loop
def count_initial(wanted: int, deals: Halves, initial: Counts) -> int:
    """Count the deals of the first hand by their numbers; return how many are valid.

    In a loop of its own: where the processor has yet to find out what a loop writes to, a count
    that it reads has to wait.
    """
    none = np.uint64(initial.size - 1)
    before = initial[none]
    for i in range(np.uint64(wanted)):
        initial[np.uint64(deals[i])] += 1
    return int(wanted - (initial[none] - before))


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
    row: int,
    deals: Halves,
    cards: Halves,
    starts: Words,
    ahead: Words,
    onward: Words,
    rounds: Words,
) -> None:
    """Start every deal of one hand, and give it the first card that was dealt for it.

    A round's slot is its place. What is not valid starts as a round that is over and has a context
    that none has. `rtpsim.simulation.play.step_ahead` says how rounds are parted.
    """
    start = np.uint64(row) * BLOCK
    for i in range(np.uint64(wanted)):
        play = starts[np.uint64(deals[i])] | (i << SLOT)
        play ^= ahead[(play & CODE) | np.uint64(cards[start + i])]
        rounds[i] = play ^ onward[(play >> NEED) & DEALER_MASK]


@loop
def count_cards(wanted: int, rows: int, positions: Halves, counters: Words, used: Words) -> None:
    """Add up the counters of the cards of each deal, four cards at a time."""
    for i in range(np.uint64(wanted)):
        used[i] = 0
    for four in range(rows // 4):
        row = np.uint64(1 + 4 * four) * BLOCK
        for i in range(np.uint64(wanted)):
            first = counters[np.uint64(positions[row + i])]
            second = counters[np.uint64(positions[row + BLOCK + i])]
            third = counters[np.uint64(positions[row + TWO * BLOCK + i])]
            fourth = counters[np.uint64(positions[row + THREE * BLOCK + i])]
            used[i] += (first + second) + (third + fourth)
    for left in range(rows // 4 * 4, rows):
        row = np.uint64(1 + left) * BLOCK
        for i in range(np.uint64(wanted)):
            used[i] += counters[np.uint64(positions[row + i])]


@loop
def valid_deals(wanted: int, positions: Halves, deals_in_order: Halves) -> int:
    """Write the places of the valid deals one after the other; return how many there are."""
    valid = np.uint64(0)
    for i in range(np.uint64(wanted)):
        deals_in_order[valid] = np.uint16(i)
        valid += np.uint64(positions[i])
    return int(np.int64(valid))
