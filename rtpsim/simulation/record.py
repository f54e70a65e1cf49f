"""Loops that write down the cards of every round, for the comparison with the referee.

They read what the other loops read; a recorded run plays the same rounds as any other. Each round
needs a slot to be recognised by.
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
    ENTRY,
    FIRST_STATE,
    FOUR,
    ONE,
    SLOT,
    TWO,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]
    Codes = NDArray[np.uint32]
    Halves = NDArray[np.uint16]
    Bytes = NDArray[np.uint8]
    Places = NDArray[np.int64]

NO_ROUND = np.int64(-1)
"""Stands for the round of a slot whose deal is not valid."""


@loop
def record_rows(
    wanted: int, dealt: int, positions: Halves, cards: Halves, record_dealt: Bytes, of_slot: Places
) -> None:
    """Write down the initial cards of the valid deals of one hand; their slots are their places."""
    count = 0
    for i in range(wanted):
        of_slot[i] = NO_ROUND
        if positions[i] > 0:
            of_slot[i] = dealt + count
            for card in range(record_dealt.shape[1]):
                record_dealt[dealt + count, card] = cards[np.uint64(card) * BLOCK + np.uint64(i)]
            count += 1


@loop
def record_first(
    wanted: int,
    row: int,
    deals: Halves,
    cards: Halves,
    starts: Words,
    waits: np.uint64,
    of_slot: Places,
    drawn: Bytes,
    length: Places,
) -> None:
    """Write down the first card, dealt ahead, of the deals of one hand that begin with it."""
    for i in range(wanted):
        code = starts[deals[i]] & CODE
        if code >= FIRST_STATE and code != waits:
            number = of_slot[i]
            drawn[number, length[number]] = cards[row * int(BLOCK) + i]
            length[number] += 1


@loop
def record_ahead(
    playing: int,
    row: int,
    cards: Halves,
    waits: np.uint64,
    rounds: Words,
    of_slot: Places,
    drawn: Bytes,
    length: Places,
) -> None:
    """Write down the card, dealt ahead, that each round is about to take."""
    for i in range(playing):
        if (rounds[i] & CODE) >= FIRST_STATE and (rounds[i] & CODE) != waits:
            slot = rounds[i] >> SLOT
            number = of_slot[slot]
            drawn[number, length[number]] = cards[np.uint64(row) * BLOCK + slot]
            length[number] += 1


@loop
def move_slots(playing: int, seated: int, free: Codes, rounds: Words, of_slot: Places) -> None:
    """Give the rounds behind those ``playing`` slots instead of their deals' places."""
    for i in range(playing, seated):
        play = rounds[2 * i]
        of_slot[free[i]] = of_slot[play >> SLOT]
        rounds[2 * i] = (play & ((ONE << SLOT) - ONE)) | (np.uint64(free[i]) << SLOT)


@loop
def record_deals(
    wanted: int,
    playing: int,
    dealt: int,
    positions: Halves,
    cards: Halves,
    rounds: Words,
    record_dealt: Bytes,
    of_slot: Places,
) -> None:
    """Write down the initial cards of the valid deals, and which round their slots play."""
    count = 0
    for i in range(wanted):
        if positions[i] > 0:
            of_slot[rounds[2 * (playing + count)] >> SLOT] = dealt + count
            for card in range(record_dealt.shape[1]):
                record_dealt[dealt + count, card] = cards[np.uint64(card) * BLOCK + np.uint64(i)]
            count += 1


@loop
def record_draws(
    playing: int,
    positions: Halves,
    cards: Words,
    rounds: Words,
    of_slot: Places,
    drawn: Bytes,
    length: Places,
) -> None:
    """Write down the cards that the step about to be made accepts."""
    for i in range(playing):
        card = FOUR * np.uint64(positions[i])
        play = rounds[2 * i]
        accepted = (rounds[2 * i + 1] & cards[card]) <= cards[card + ONE]
        if accepted and (play & CODE) >= FIRST_STATE:
            number = of_slot[play >> SLOT]
            if length[number] < drawn.shape[1]:
                drawn[number, length[number]] = cards[card + TWO]
            length[number] += 1


@loop
def record_results(done: int, over: Words, of_slot: Places, results: Codes) -> None:
    """Write down the dealer's final and the context of the rounds that are over."""
    for k in range(done):
        number = of_slot[over[k] >> SLOT]
        if number != NO_ROUND:
            results[number, 0] = (over[k] & CODE) >> ENTRY
            results[number, 1] = ((over[k] >> CONTEXT) & CONTEXT_MASK) - ONE


@loop
def record_contexts(
    done: int, hands: int, over: Words, slots: Words, of_slot: Places, results: Codes
) -> None:
    """Write down the contexts of all hands of the rounds that are over."""
    for k in range(done):
        slot = over[k] >> SLOT
        contexts = slot * np.uint64(1 + hands) + ONE
        for hand in range(hands):
            results[of_slot[slot], 1 + hand] = (slots[contexts + np.uint64(hand)] >> CONTEXT) - ONE
