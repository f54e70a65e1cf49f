"""How arrays and words are packed, as the loops take them apart: unsigned 64-bit constants.

Arrays that a loop reads or writes together are one array, flat, since a processor has few registers
to point to arrays: a round in play is two words side by side, a card of the shoe four.

A round in play: entry (bits 0-19), context of the hand in play (20-39), nothing (40-41, where an
entry of ``ahead`` has its need), mode, which is 16 x up card + dealer's second card (42-49), slot
(50-62), whether it has to be played apart (63, in starts only).

A start, of one hand among several: entry (0-19) and context (20-39) once its first event has been
followed, how far the dealer plays for it if it is finished (40-41), whether it waits for a card
(44), whether it is insured (45), mode (48-55).

A turn, of a round of several hands: the hand in play (0-7), which of the waiting hands is next
(8-15), how many there were (16-23), how far the dealer plays for those finished (24-25).
"""

from __future__ import annotations

from typing import cast

import numpy as np

ZERO = cast("int", np.int64(0))
"""Zero as a number among others: for the constant 0, numba would compile a loop once more."""

BLOCK = np.uint64(1024)
"""Deals at a time: their cards and rounds stay in the first-level cache."""

HALF_BLOCK = 512
"""So many long rounds may wait while others are dealt."""

ONE = np.uint64(1)
TWO = np.uint64(2)
THREE = np.uint64(3)
FOUR = np.uint64(4)
NINE = np.uint64(9)
TEN = np.uint64(10)
BYTE = np.uint64(0xFF)

CODE = np.uint64((1 << 20) - 1)
CONTEXT = np.uint64(20)
PLAY = np.uint64((1 << 40) - 1)
NEED_AHEAD = np.uint64(40)
NEED_BITS = np.uint64(0x3 << 40)
DEALER_MASK = np.uint64(0x3FF)
MODE = np.uint64(42)
UP = np.uint64(46)
UP_MASK = np.uint64(0xF)
SLOT = np.uint64(50)
SLOT_MASK = np.uint64((1 << 13) - 1)
APART = np.uint64(63)

KEEPS_ON = 3
"""Stands for a need where the player's hand is not finished: nothing of the dealer is added."""

START_NEED = np.uint64(40)
START_PLAYS = np.uint64(44)
START_INSURED = np.uint64(45)
START_MODE = np.uint64(48)
NEED_MASK = np.uint64(0x3)

TURN_NEXT = np.uint64(8)
TURN_COUNT = np.uint64(16)
TURN_NEED = np.uint64(24)

AHEAD_ROW = np.uint64(4)
"""Binary logarithm of the length of a row of ``ahead``."""

NEED = np.uint64(20)
"""Where the need begins in an entry of ``join`` that leads to a finished context."""

RESUMES = np.uint64(16 * 16 * 4)
"""Where the states begin in ``onward`` in which hands of a split resume, behind the dealer's."""

NATURAL = np.uint64(8)
"""The dealer's final: a natural."""

FIRST_STATE = np.uint64(9)
"""The first entry that is not a final."""

WORTH_MASK = np.uint64((1 << 48) - 1)
WORTH_INSURED = np.uint64(48)
