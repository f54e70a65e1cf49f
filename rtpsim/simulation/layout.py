"""How arrays and words are packed, as the loops take them apart: unsigned 64-bit constants.

Arrays that a loop reads or writes together are one array, flat, since a processor has few registers
to point to arrays: a round in play is two words side by side, a card of the shoe four.

A round in play: entry (bits 4-21; read with the four zeros below it, it is where a row of ``steps``
or ``ahead`` begins), how far the dealer plays once the hand is finished (22-23, while a step is
made), mode, which is 16 x up card + dealer's second card (24-31), context of the hand in play
(32-49), slot (50-62). The bits that change of a round, in ``ahead`` and ``onward``, are
laid out alike.

A start, of one hand among several: entry, how far the dealer plays for it if it is finished, and
context once its first event has been followed, all where a round has them; whether it waits for a
card (50), whether it is insured (51), mode (52-59).

A turn, of a round of several hands: how far the dealer plays for those finished (0-1), the hand in
play, counted from 1 (4-7), then the hands that wait, four bits each, the next one first (8-31).
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

ZERO_WORD = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
THREE = np.uint64(3)
FOUR = np.uint64(4)
NINE = np.uint64(9)
TEN = np.uint64(10)

ENTRY = np.uint64(4)
"""Where an entry begins in a round; rows of ``steps`` and ``ahead`` have 2 to the power of it."""

CODE = np.uint64(((1 << 18) - 1) << 4)
NEED = np.uint64(22)
NEED_MASK = np.uint64(0x3)
DEALER_MASK = np.uint64(0x3FF)
"""Mode and need side by side: which of the dealer's entries of ``onward``."""

MODE = np.uint64(24)
MODE_MASK = np.uint64(0xFF)
UP = np.uint64(28)
UP_MASK = np.uint64(0xF)
UP_BITS = np.uint64(4)
CONTEXT = np.uint64(32)
CONTEXT_MASK = np.uint64((1 << 18) - 1)
CONTEXT_AND_UP = np.uint64((1 << 22) - 1)
"""Context and up card side by side: the row of a label."""

PLAY = np.uint64(int(CODE) | int(CONTEXT_MASK) << 32)
SLOT = np.uint64(50)

KEEPS_ON = 3
DEALER_WAITS = np.uint64(KEEPS_ON)
"""Stands for a need where the player's hand is not finished: the dealer changes nothing."""

START_PLAYS = np.uint64(50)
START_INSURED = np.uint64(51)
START_MODE = np.uint64(52)

TURN_HAND = np.uint64(0xF)
TURN_NEED = np.uint64(0x3)
TURN_PLAYS = np.uint64(4)
TURN_QUEUE = np.uint64(8)
TURN_NEXT = np.uint64(12)
TURN_PLACE = np.uint64(4)

JOIN_NEED = np.uint64(20)
JOIN_CONTEXT = np.uint64((1 << 20) - 1)
"""An entry of ``join``: context, and above it the need where that is finished."""

RESUMES = np.uint64(16 * 16 * 4)
"""Where the states begin in ``onward`` in which hands of a split resume, behind the dealer's."""

NATURAL = np.uint64(8)
"""The dealer's final: a natural."""

FIRST_STATE = np.uint64(9 << 4)
"""The first entry that is not a final, as a round has it."""

WORTH_MASK = np.uint64((1 << 48) - 1)
WORTH_INSURED = np.uint64(48)
