"""Loops for several hands a round: their turns, one after the other, and then the dealer's.

Every hand has a word in the slot of its round: entry and context it begins with, once it is
finished its context alone. Whose turn it is, and who waits, is one word more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rtpsim._jit import loop
from rtpsim.simulation.layout import (
    BLOCK,
    CODE,
    CONTEXT,
    CONTEXT_MASK,
    DEALER_MASK,
    DEALER_WAITS,
    ENTRY,
    JOIN_CONTEXT,
    JOIN_NEED,
    MODE,
    MODE_MASK,
    NEED,
    NEED_MASK,
    ONE,
    PLAY,
    RESUMES,
    SLOT,
    START_INSURED,
    START_MODE,
    START_PLAYS,
    TEN,
    TURN_HAND,
    TURN_NEED,
    TURN_NEXT,
    TURN_PLACE,
    TURN_PLAYS,
    TURN_QUEUE,
    TWO,
    UP,
    UP_MASK,
    ZERO_WORD,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]
    Codes = NDArray[np.uint32]
    Halves = NDArray[np.uint16]


@loop
def check_insured(
    valid: int,
    hands: int,
    plane: int,
    places: Halves,
    deals: Halves,
    starts: Words,
    checked: Words,
) -> None:
    """Write where the starts of each round begin.

    That is behind the first ``plane`` where insurance taken by a hand has had the dealer check for
    a natural; ``plane`` is 0 where he does not.
    """
    for k in range(np.uint64(valid)):
        checked[k] = 0
    if plane > 0:
        for hand in range(hands):
            row = np.uint64(hand) * BLOCK
            for k in range(np.uint64(valid)):
                start = starts[np.uint64(deals[row + np.uint64(places[k])])]
                checked[k] |= np.uint64(plane) * ((start >> START_INSURED) & ONE)


@loop
def seat_hand(
    valid: int,
    playing: int,
    hand: int,
    hands: int,
    places: Halves,
    deals: Halves,
    checked: Words,
    starts: Words,
    free: Codes,
    slots: Words,
    turns: Words,
) -> None:
    """Write one hand of each round into the round's slot, and in front of those in its turn.

    In a loop for each hand, where it goes is known before it has been looked up.
    """
    row = np.uint64(hand) * BLOCK
    first = np.uint64(playing)
    length = np.uint64(1 + hands)
    own = np.uint64(1 + hand)
    last = hand == hands - 1
    for k in range(np.uint64(valid)):
        start = starts[checked[k] + np.uint64(deals[row + np.uint64(places[k])])]
        slot = np.uint64(free[first + k])
        slots[slot * length + own] = start & PLAY
        turn = ZERO_WORD if last else turns[slot]
        need = max(turn & TURN_NEED, (start >> NEED) & NEED_MASK)
        waits = (start >> START_PLAYS) & ONE
        queue = ((turn >> TURN_QUEUE) << (waits * TURN_PLACE)) | (waits * own)
        turns[slot] = need | (queue << TURN_QUEUE)


@loop
def begin_hands(
    valid: int,
    playing: int,
    hands: int,
    places: Halves,
    deals: Halves,
    used: Words,
    starts: Words,
    onward: Words,
    free: Codes,
    slots: Words,
    turns: Words,
    rounds: Words,
) -> None:
    """Put rounds of several hands in play: the first hand that waits begins, or the dealer."""
    first = np.uint64(playing)
    length = np.uint64(1 + hands)
    for k in range(np.uint64(valid)):
        i = np.uint64(places[k])
        slot = np.uint64(free[first + k])
        mode = (starts[np.uint64(deals[i])] >> START_MODE) & MODE_MASK
        code = take_turn(slot, mode << TWO, length, onward, slots, turns)
        rounds[TWO * (first + k)] = code | (mode << MODE) | (slot << SLOT)
        rounds[TWO * (first + k) + ONE] = used[i]


@loop
def take_turn(
    slot: np.uint64, mode: np.uint64, length: np.uint64, onward: Words, slots: Words, turns: Words
) -> np.uint64:
    """Begin the next hand that waits, or where none does the dealer; return entry and context.

    ``mode`` stands above the need. Both are looked up, and one is nothing: whether a hand waits is
    foreseen wrongly too often for a branch.
    """
    turn = turns[slot]
    hand = (turn >> TURN_QUEUE) & TURN_HAND
    waits = (hand + TURN_HAND) >> TURN_PLACE
    need = (turn & TURN_NEED) | (waits * DEALER_WAITS)
    dealer = onward[mode | need] ^ (need << NEED)
    turns[slot] = (turn & TURN_NEED) | (hand << TURN_PLAYS) | (turn >> TURN_NEXT << TURN_QUEUE)
    return np.uint64(slots[slot * length + hand] | dealer)


@loop
def follow_hands(
    happened: int,
    hands: int,
    first_event: np.uint64,
    kinds: np.uint64,
    finished: np.uint64,
    join: Codes,
    onward: Words,
    slots: Words,
    turns: Words,
    events: Codes,
    rounds: Words,
) -> None:
    """Follow the event of each round: a finished hand gives way to the next, or to the dealer.

    The context of a finished hand is kept in the round's slot.
    """
    length = np.uint64(1 + hands)
    for k in range(np.uint64(happened)):
        place = TWO * np.uint64(events[k])
        play = rounds[place]
        event = ((play & CODE) - first_event) >> ENTRY
        joined = np.uint64(join[((play >> CONTEXT) & CONTEXT_MASK) * kinds + event])
        context = joined & JOIN_CONTEXT
        if context <= finished:
            slot = play >> SLOT
            turn = turns[slot]
            slots[slot * length + ((turn >> TURN_PLAYS) & TURN_HAND)] = context << CONTEXT
            turns[slot] = (turn & ~TURN_NEED) | max(turn & TURN_NEED, joined >> JOIN_NEED)
            mode = (play >> NEED) & DEALER_MASK
            code = take_turn(slot, mode, length, onward, slots, turns)
        else:
            code = onward[RESUMES + context * TEN + ((play >> UP) & UP_MASK)]
            code |= context << CONTEXT
        rounds[place] = (play & ~PLAY) | code
