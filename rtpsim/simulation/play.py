"""Loops that play: a card for every round in play, and what follows where a hand has ended.

Arrays are those of `rtpsim.simulation.tables` and `rtpsim.simulation.buffers`; how words are packed
is said in `rtpsim.simulation.layout`. There is no branch that depends on the cards, but for the
rare hand of a split that goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rtpsim._jit import loop
from rtpsim.simulation.layout import (
    AHEAD_ROW,
    APART,
    BLOCK,
    BYTE,
    CODE,
    CONTEXT,
    DEALER_MASK,
    FIRST_STATE,
    FOUR,
    MODE,
    NEED,
    NEED_AHEAD,
    NEED_BITS,
    ONE,
    PLAY,
    RESUMES,
    SLOT,
    SLOT_MASK,
    TEN,
    TURN_COUNT,
    TURN_NEED,
    TURN_NEXT,
    TWO,
    UP,
    UP_MASK,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]
    Codes = NDArray[np.uint32]
    Halves = NDArray[np.uint16]

_ZERO = np.uint64(0)


@loop
def step_ahead(
    playing: int,
    row: int,
    cards: Halves,
    ahead: Words,
    onward: Codes,
    rounds: Words,
    over: Words,
) -> tuple[int, int]:
    """Give every round of one hand the card that was dealt for it, and part the rounds.

    The card's class stands in the ``row`` of ``cards`` at the round's slot. Where it finishes the
    player's hand, the entry of ``ahead`` is 0 and a need, and the dealer's entry is added to it.

    Rounds that are over go to ``over``, the others close up: those before a round that are not in
    the one list are in the other. Returns how many there are of each.
    """
    kept = np.uint64(0)
    start = np.uint64(row) * BLOCK
    for i in range(np.uint64(playing)):
        play = rounds[i]
        card = np.uint64(cards[start + (play >> SLOT)])
        play = (play & ~CODE) | ahead[((play & CODE) << AHEAD_ROW) | card]
        dealer = np.uint64(onward[(play >> NEED_AHEAD) & DEALER_MASK])
        play = (play & ~NEED_BITS) + dealer
        over[i - kept] = play
        rounds[kept] = play
        kept += np.uint64((play & CODE) >= FIRST_STATE)
    return int(np.int64(kept)), playing - int(np.int64(kept))


@loop
def set_apart(
    number: int,
    used: int,
    playing: int,
    apart: Words,
    positions: Halves,
    counters: Words,
    rounds: Words,
) -> int:
    """Put rounds behind those that draw their cards one by one; return how many there are then.

    Of the cards dealt at once they have ``used`` so many.
    """
    first = np.uint64(playing)
    for k in range(np.uint64(number)):
        play = apart[k]
        slot = (play >> SLOT) & SLOT_MASK
        sum_of_counters = np.uint64(0)
        for card in range(1, 1 + used):
            sum_of_counters += counters[positions[np.uint64(card) * BLOCK + slot]]
        rounds[TWO * (first + k)] = play & ~(ONE << APART)
        rounds[TWO * (first + k) + ONE] = sum_of_counters
    return playing + number


@loop
def counter_is_full(playing: int, positions: Halves, cards: Words, rounds: Words) -> bool:
    """Whether a card about to be accepted finds the counter of its class full."""
    full = False
    for i in range(np.uint64(playing)):
        card = FOUR * np.uint64(positions[i])
        mask = cards[card]
        taken = rounds[TWO * i + ONE] & mask
        full |= (taken == mask) & (taken <= cards[card + ONE])
    return full


@loop
def step(
    playing: int,
    first_event: np.uint64,
    positions: Halves,
    cards: Words,
    steps: Codes,
    rounds: Words,
    events: Words,
    over: Words,
) -> tuple[int, int, int]:
    """Draw a card for every round in play, follow it, and part the rounds.

    A position in the full shoe is proposed and accepted if its copy number is not below the count
    of used cards of its class: uniform over the cards left, exactly, since copies of a class are
    exchangeable. A rejected proposal leaves the round as it is. A round that is over already stays
    so: finals lead to themselves.

    Rounds that are over go to ``over``, those with an event to ``events``, the others close up at
    the front of the queue. Returns how many there are left, with an event, and over.
    """
    kept = np.uint64(0)
    happened = np.uint64(0)
    for i in range(np.uint64(playing)):
        card = FOUR * np.uint64(positions[i])
        play = rounds[TWO * i]
        used = rounds[TWO * i + ONE]
        mask = cards[card]
        accepted = (used & mask) <= cards[card + ONE]
        entry = play & CODE
        following = np.uint64(steps[cards[card + TWO] + entry])
        following = following if accepted else entry
        used += mask & (~mask + ONE) if accepted else _ZERO
        play = (play & ~CODE) | following
        over[i - kept - happened] = play
        events[TWO * happened] = play
        events[TWO * happened + ONE] = used
        rounds[TWO * kept] = play
        rounds[TWO * kept + ONE] = used
        has_event = np.uint64(following >= first_event)
        happened += has_event
        kept += np.uint64(following >= FIRST_STATE) - has_event
    done = playing - int(np.int64(kept)) - int(np.int64(happened))
    return int(np.int64(kept)), int(np.int64(happened)), done


@loop
def follow_one_hand(
    happened: int,
    kept: int,
    done: int,
    first_event: np.uint64,
    kinds: np.uint64,
    finished: np.uint64,
    join: Codes,
    onward: Codes,
    events: Words,
    rounds: Words,
    over: Words,
) -> tuple[int, int]:
    """Follow the event of each round: it moves the context, which says where to go on.

    A context that is not finished names the state in which its next hand waits; a finished one
    how far the dealer plays. The rounds join the ``kept`` ones in play or the ``done`` ones that
    are over; returns how many there are of each then.
    """
    playing = np.uint64(kept)
    ended = np.uint64(done)
    for k in range(np.uint64(happened)):
        play = events[TWO * k]
        event = (play & CODE) - first_event
        joined = np.uint64(join[((play >> CONTEXT) & CODE) * kinds + event])
        context = joined & CODE
        dealer = ((play >> NEED_AHEAD) & DEALER_MASK) | (joined >> NEED)
        resume = RESUMES + context * TEN + ((play >> UP) & UP_MASK)
        entry = np.uint64(onward[dealer if context <= finished else resume])
        play = (play & ~PLAY) | (context << CONTEXT) | entry
        rounds[TWO * playing] = play
        rounds[TWO * playing + ONE] = events[TWO * k + ONE]
        over[ended] = play
        is_over = np.uint64(entry < FIRST_STATE)
        ended += is_over
        playing += ONE - is_over
    return int(np.int64(playing)), int(np.int64(ended))


@loop
def follow_hands(
    happened: int,
    kept: int,
    done: int,
    hands: int,
    first_event: np.uint64,
    kinds: np.uint64,
    finished: np.uint64,
    join: Codes,
    onward: Codes,
    slots: Words,
    events: Words,
    rounds: Words,
    over: Words,
) -> tuple[int, int]:
    """Do the same for several hands: a finished one gives way to the next, the last to the dealer.

    The context of a finished hand is kept in the round's slot.
    """
    playing = np.uint64(kept)
    ended = np.uint64(done)
    length = np.uint64(1 + 2 * hands)
    for k in range(np.uint64(happened)):
        play = events[TWO * k]
        event = (play & CODE) - first_event
        joined = np.uint64(join[((play >> CONTEXT) & CODE) * kinds + event])
        context = joined & CODE
        if context <= finished:
            slot = (play >> SLOT) * length
            turn = slots[slot]
            slots[slot + ONE + (turn & BYTE)] = context
            need = max(turn >> TURN_NEED, joined >> NEED)
            number = (turn >> TURN_NEXT) & BYTE
            queued = (turn >> TURN_COUNT) & BYTE
            following = slots[slot + ONE + np.uint64(hands) + number]
            dealer = np.uint64(onward[((play >> NEED_AHEAD) & DEALER_MASK) | need])
            code = following & PLAY if number < queued else dealer
            slots[slot] = (
                (following >> MODE)
                | ((number + ONE) << TURN_NEXT)
                | (queued << TURN_COUNT)
                | (need << TURN_NEED)
            )
        else:
            code = np.uint64(onward[RESUMES + context * TEN + ((play >> UP) & UP_MASK)])
            code |= context << CONTEXT
        play = (play & ~PLAY) | code
        rounds[TWO * playing] = play
        rounds[TWO * playing + ONE] = events[TWO * k + ONE]
        over[ended] = play
        is_over = np.uint64((code & CODE) < FIRST_STATE)
        ended += is_over
        playing += ONE - is_over
    return int(np.int64(playing)), int(np.int64(ended))


@loop
def take_slots(done: int, kept: int, over: Words, free: Codes) -> None:
    """Put the slots of finished rounds back, behind the ``kept`` in play."""
    for k in range(done):
        free[kept + k] = over[k] >> SLOT
