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
    BLOCK,
    CODE,
    CONTEXT,
    CONTEXT_MASK,
    DEALER_MASK,
    ENTRY,
    FIRST_STATE,
    FOUR,
    JOIN_CONTEXT,
    JOIN_NEED,
    NEED,
    ONE,
    PLAY,
    RESUMES,
    SLOT,
    TEN,
    THREE,
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
def step_ahead(
    playing: int, row: int, cards: Halves, ahead: Words, onward: Words, rounds: Words
) -> None:
    """Give every round of one hand the card that was dealt for it.

    The card's class stands in the ``row`` of ``cards`` at the round's slot. ``ahead`` has the bits
    of the round that the card changes: where it finishes the player's hand, to the entry 0 and a
    need, from which ``onward`` has those that change to where the dealer begins.
    """
    start = np.uint64(row) * BLOCK
    for i in range(np.uint64(playing)):
        play = rounds[i]
        play ^= ahead[(play & CODE) | np.uint64(cards[start + (play >> SLOT)])]
        rounds[i] = play ^ onward[(play >> NEED) & DEALER_MASK]


@loop
def part(playing: int, rounds: Words, over: Words) -> tuple[int, int]:
    """Part the rounds of one hand: those that are over go to ``over``, the others close up.

    Those before a round that are not in the one list are in the other. In a loop of its own, for
    the processor looks nothing up ahead while it does not know where the last round goes. Returns
    how many there are of each.
    """
    kept = np.uint64(0)
    for i in range(np.uint64(playing)):
        play = rounds[i]
        over[i - kept] = play
        rounds[kept] = play
        kept += np.uint64((play & CODE) >= FIRST_STATE)
    return int(np.int64(kept)), playing - int(np.int64(kept))


@loop
def set_apart(
    number: int,
    used: int,
    waits: np.uint64,
    ahead: Words,
    playing: int,
    positions: Halves,
    counters: Words,
    deals: Halves,
    apart: Words,
    rounds: Words,
) -> int:
    """Put rounds behind those that draw their cards one by one; return how many there are then.

    Those that have waited for it since the deal are put there as they were then; the others have
    ``used`` so many of the cards dealt at once.
    """
    first = np.uint64(playing)
    for k in range(np.uint64(number)):
        play = ahead[k]
        slot = play >> SLOT
        cards = used
        if (play & CODE) == waits:
            play = apart[np.uint64(deals[slot])] | (slot << SLOT)
            cards = 4
        sum_of_counters = ZERO_WORD
        for card in range(1, 1 + cards):
            sum_of_counters += counters[positions[np.uint64(card) * BLOCK + slot]]
        rounds[TWO * (first + k)] = play
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
def step(playing: int, positions: Halves, cards: Words, steps: Codes, rounds: Words) -> None:
    """Draw a card for every round in play, and follow it.

    A position in the full shoe is proposed and accepted if its copy number is not below the count
    of used cards of its class: uniform over the cards left, exactly, since copies of a class are
    exchangeable. A rejected proposal leaves the round as it is. A round that is over already stays
    so: finals lead to themselves.
    """
    for i in range(np.uint64(playing)):
        card = FOUR * np.uint64(positions[i])
        play = rounds[TWO * i]
        used = rounds[TWO * i + ONE]
        accepted = (used & cards[card]) <= cards[card + ONE]
        entry = play & CODE
        following = np.uint64(steps[entry | cards[card + TWO]])
        following = following if accepted else entry
        rounds[TWO * i] = (play & ~CODE) | following
        rounds[TWO * i + ONE] = used + (cards[card + THREE] if accepted else ZERO_WORD)


@loop
def find_events(playing: int, first_event: np.uint64, rounds: Words, events: Codes) -> int:
    """List the rounds that have an event; return how many they are."""
    happened = np.uint64(0)
    for i in range(np.uint64(playing)):
        events[happened] = np.uint32(i)
        happened += np.uint64((rounds[TWO * i] & CODE) >= first_event)
    return int(np.int64(happened))


@loop
def follow_one_hand(
    happened: int,
    first_event: np.uint64,
    kinds: np.uint64,
    finished: np.uint64,
    join: Codes,
    onward: Words,
    events: Codes,
    rounds: Words,
) -> None:
    """Follow the event of each round: it moves the context, which says where to go on.

    A context that is not finished names the state in which its next hand waits; a finished one
    how far the dealer plays.
    """
    for k in range(np.uint64(happened)):
        place = TWO * np.uint64(events[k])
        play = rounds[place]
        event = ((play & CODE) - first_event) >> ENTRY
        joined = np.uint64(join[((play >> CONTEXT) & CONTEXT_MASK) * kinds + event])
        context = joined & JOIN_CONTEXT
        need = joined >> JOIN_NEED
        dealer = ((play >> NEED) & DEALER_MASK) | need
        resume = RESUMES + context * TEN + ((play >> UP) & UP_MASK)
        play = (play & ~PLAY) | (context << CONTEXT) | (need << NEED)
        rounds[place] = play ^ onward[dealer if context <= finished else resume]


@loop
def part_pairs(playing: int, rounds: Words, over: Words) -> tuple[int, int]:
    """Part the rounds that draw card by card, as `part` does the others."""
    kept = np.uint64(0)
    for i in range(np.uint64(playing)):
        play = rounds[TWO * i]
        used = rounds[TWO * i + ONE]
        over[i - kept] = play
        rounds[TWO * kept] = play
        rounds[TWO * kept + ONE] = used
        kept += np.uint64((play & CODE) >= FIRST_STATE)
    return int(np.int64(kept)), playing - int(np.int64(kept))


@loop
def take_slots(done: int, kept: int, over: Words, free: Codes) -> None:
    """Put the slots of finished rounds back, behind the ``kept`` in play."""
    for k in range(done):
        free[kept + k] = over[k] >> SLOT
