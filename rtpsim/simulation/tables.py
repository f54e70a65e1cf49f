"""What the kernel reads: a Program and a shoe as flat arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.errors import InputError
from rtpsim.simulation import layout
from rtpsim.simulation.packing import (
    Contexts,
    ahead_table,
    dealer_table,
    entries,
    join_table,
    splits_later,
    start_hands,
    start_plays,
    step_table,
    waiting_starts,
    worth_table,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.cards import Shoe
    from rtpsim.program.compiler import Program

BLOCK = int(layout.BLOCK)
"""Rounds in play at a time."""

MAX_CARDS_IN_SHOE = (1 << 16) - 32
"""Positions in the shoe are drawn from 16 random bits; a few numbers stand for none."""

MAX_CODES = 1 << 18
"""Entries and contexts are kept in 18 bits each."""

CARDS_AHEAD = {150: 8, 52: 6, 0: 4}
"""How many cards a round is dealt at once, by the least number of cards in the shoe: all of them
have to be distinct, and a small shoe would have to try too often."""

WIDTHS = {10: (*(6,) * 9, 8), 13: (6, *(5,) * 8, *(4,) * 4)}
"""Bits that count the used cards of each class, packed in 64 bits."""

MAX_HANDS = 6
"""Hands a round that the kernel plays at the most."""


class Tables(NamedTuple):
    """A Program and a shoe, flat, as the kernel reads them.

    Arrays by position have one place more than the shoe has cards, for a position that has been
    rejected. Classes are counted in a word of counters, a few bits for each.

    Attributes
    ----------
    cards
        By position four words: mask of the counter of the card's class (all bits for the rejected
        position); which copy of its class the card is, shifted to where the counter is and no more
        than it can hold; the card's class; one in its counter. Flat, uint64.
    counters
        Counters of this one card, by position, uint64.
    numbers
        By position the card's number (0-51), uint16.
    starts
        By number of the deal, which is (first card, second card, up card, dealer's second card),
        uint64: with one hand the round in play, its first event followed; with several the start of
        one (`rtpsim.simulation.layout`), first those where the dealer has not checked because of
        insurance, then those where he has. One more, of zeros, is for deals that are not valid.
    apart
        The same of one hand a round; where ``starts`` has the entry `waits`, what it stands for.
    ahead
        By (entry, class), rows of `ROW`, flat, uint64: bits that a card changes of a round of one
        hand that has not been split, its event followed: entry, context where the hand is finished
        by it, and its need (`layout.KEEPS_ON` where it is not). The entry `waits` leads to itself.
    steps
        Entry, as a round has it, by (entry, class), rows of `ROW`, flat, uint32.
    join
        Context by (context, event), with the need behind it if it is finished; uint32. Contexts are
        numbered anew (`Contexts`).
    onward
        Where play goes on, as bits that change of a round with the entry 0: for finished contexts
        by (up card, dealer's second card, need), the need among them, shape (16, 16, 4); behind
        these by (context, up card) for the others; flat, uint64.
    worths
        By (context, final), uint64: what it adds to the cell of a round's net and wager, and 1
        above 48 bits if it is insured.
    first_event, events, finished
        Entry of the first event, as a round has it; number of events; of finished contexts.
    waits
        Entry, as a round has it, of rounds that are to be played apart: those that are split or
        insured at the deal.
    plane
        Number of deals where insurance taken by one hand has the dealer check for a natural,
        else 0.
    shoe_size
        Cards in the shoe.
    counters_fill_up
        Whether the shoe has more cards of a class than its counter can hold.
    classes
        Card classes of the Program, 10 or 13.
    cards_ahead
        How many cards of a round of one hand are dealt at once.
    decks_only
        Whether the shoe is of whole decks: card number by position is the remainder by 52 then.
    """

    cards: NDArray[np.uint64]
    counters: NDArray[np.uint64]
    numbers: NDArray[np.uint16]
    starts: NDArray[np.uint64]
    apart: NDArray[np.uint64]
    ahead: NDArray[np.uint64]
    steps: NDArray[np.uint32]
    join: NDArray[np.uint32]
    onward: NDArray[np.uint64]
    worths: NDArray[np.uint64]
    first_event: int
    events: int
    finished: int
    waits: int
    plane: int
    shoe_size: int
    counters_fill_up: bool
    classes: int
    cards_ahead: int
    decks_only: bool


class _Cards(NamedTuple):
    """A shoe laid out deck by deck: number, class and copy of its class by position."""

    number: NDArray[np.int64]
    kind: NDArray[np.int64]
    copy: NDArray[np.int64]


def _cards(shoe: Shoe, classes: int) -> _Cards:
    """Lay out a shoe.

    Raises
    ------
    InputError
        If the shoe holds more cards than 16 random bits can tell apart.
    """
    if shoe.size >= MAX_CARDS_IN_SHOE:
        raise InputError(f"shoe of {shoe.size} cards: allowed are up to {MAX_CARDS_IN_SHOE - 1}")
    counts = np.array(shoe.counts)
    decks = [np.flatnonzero(counts > deck) for deck in range(counts.max())]
    number = np.concatenate(decks)
    kind = np.minimum(number // 4, classes - 1)
    order = np.argsort(kind, kind="stable")
    copy = np.empty(len(kind), dtype=np.int64)
    copy[order] = np.arange(len(kind)) - np.searchsorted(kind[order], kind[order])
    return _Cards(number, kind, copy)


def _rejected(values: NDArray[np.int64] | NDArray[np.uint64], last: int = 0) -> NDArray[np.uint64]:
    """Append the value of the rejected position."""
    return np.append(values.astype(np.uint64), np.uint64(last))


def _columns(*columns: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the columns side by side, flat."""
    return np.stack(columns, axis=1).ravel()


def make_tables(program: Program, shoe: Shoe, hands: int = 1) -> Tables:
    """Flatten a Program and a shoe for the kernel, for so many hands a round.

    Raises
    ------
    InputError
        If the shoe or the Program is larger than the kernel's words can tell apart.
    """
    codes = max(program.first_event + program.join.shape[1], program.join.shape[0])
    if codes >= MAX_CODES:
        raise InputError(f"the strategy needs {codes} states; allowed are up to {MAX_CODES - 1}")
    cards = _cards(shoe, program.classes)
    widths = np.array(WIDTHS[program.classes], dtype=np.uint64)
    shift = (np.cumsum(widths) - widths)[cards.kind]
    full = (np.uint64(1) << widths[cards.kind]) - np.uint64(1)
    copies = np.minimum(cards.copy.astype(np.uint64), full) << shift
    contexts = Contexts.of(program)
    cards_ahead = next(ahead for least, ahead in CARDS_AHEAD.items() if shoe.size >= least)
    alone = cards_ahead == CARDS_AHEAD[0] or splits_later(program, contexts)
    waits = program.first_event << int(layout.ENTRY)
    apart = start_plays(program, contexts)
    return Tables(
        cards=_columns(
            _rejected(full << shift, 2**64 - 1),
            _rejected(copies),
            _rejected(cards.kind),
            _rejected(np.uint64(1) << shift),
        ),
        counters=_rejected(np.uint64(1) << shift),
        numbers=_rejected(cards.number).astype(np.uint16),
        starts=waiting_starts(apart, len(program.finished), waits, alone=alone)
        if hands == 1
        else start_hands(program, contexts),
        apart=apart,
        ahead=ahead_table(program, contexts, alone=alone).ravel(),
        steps=step_table(program).ravel(),
        join=join_table(program, contexts).ravel(),
        onward=np.concatenate(
            [dealer_table(program).ravel(), entries(program.resume[contexts.order]).ravel()]
        ),
        worths=worth_table(program, hands).ravel(),
        first_event=waits,
        events=program.join.shape[1],
        finished=len(program.finished),
        waits=waits,
        plane=program.start[0].size if program.checks_for_all else 0,
        shoe_size=shoe.size,
        counters_fill_up=bool((cards.copy.astype(np.uint64) >= full).any()),
        classes=program.classes,
        cards_ahead=cards_ahead,
        decks_only=len(set(shoe.counts)) == 1,
    )
