"""What the kernel reads: a Program and a shoe as flat arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.errors import InputError
from rtpsim.program.settlement import FINALS
from rtpsim.simulation import layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.cards import Shoe
    from rtpsim.program.compiler import Program

BLOCK = int(layout.BLOCK)
"""Rounds in play at a time."""

MAX_CARDS_IN_SHOE = 1 << 16
"""Positions in the shoe are drawn from 16 random bits."""

MAX_CODES = 1 << 20
"""Entries and contexts are kept in 20 bits each."""

ROW = 16
"""Length of a row of ``ahead``; the classes beyond those of the Program are never used."""

CARDS_AHEAD = {150: 8, 52: 6, 0: 4}
"""How many cards a round is dealt at once, by the least number of cards in the shoe: all of them
have to be distinct, and a small shoe would have to try too often."""

WIDTHS = {10: (*(6,) * 9, 8), 13: (6, *(5,) * 8, *(4,) * 4)}
"""Bits that count the used cards of each class, packed in 64 bits."""

MAX_HANDS = 6
"""Hands a round that the kernel plays at the most."""

FINAL_CODES = len(FINALS)
UPS = 10


class Tables(NamedTuple):
    """A Program and a shoe, flat, as the kernel reads them.

    Arrays by position have one place more than the shoe has cards, for a position that has been
    rejected. Classes are counted in a word of counters, a few bits for each.

    Attributes
    ----------
    cards
        By position four words: mask of the counter of the card's class (all bits for the rejected
        position); which copy of its class the card is, shifted to where the counter is and no more
        than it can hold; where the class begins in ``steps``; the card's class. Flat, uint64.
    counters
        Counters of this one card, by position, uint64.
    numbers
        By position the card's number (0-51), uint16.
    starts
        By number of the deal, which is (first card, second card, up card, dealer's second card),
        uint64: with one hand the round in play, its first event followed;
        with several the start of one (`rtpsim.simulation.layout`), first those where the dealer
        has not checked because of insurance, then those where he has.
    ahead
        By (entry, class), rows of `ROW`, flat, uint64: what a card does to a round of one hand that
        has not been split, its event followed: entry, context where the hand is finished by it, and
        its need (`layout.KEEPS_ON` where it is not).
    steps
        Entry by (class, entry), uint32.
    join
        Context by (context, event), with the need behind it if it is finished; uint32. Contexts are
        numbered anew (`_Contexts`).
    onward
        Where play goes on: for finished contexts the entry by (up card, dealer's second card,
        need), shape (16, 16, 4); behind these the entry by (context, up card) for the others;
        flat, uint32.
    worths
        By (context, final), uint64: what it adds to the cell of a round's net and wager, and 1
        above 48 bits if it is insured.
    first_event, events, finished
        Code of the first event; number of events; number of finished contexts.
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
    ahead: NDArray[np.uint64]
    steps: NDArray[np.uint32]
    join: NDArray[np.uint32]
    onward: NDArray[np.uint32]
    worths: NDArray[np.uint64]
    first_event: int
    events: int
    finished: int
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


class _Contexts(NamedTuple):
    """Contexts as the kernel numbers them: 0 is the hand to which nothing has happened yet.

    The finished ones follow, so that a finished hand's context can be put in the place of that 0
    by adding it.

    Attributes
    ----------
    number
        The kernel's number of a context, by the Program's.
    order
        The Program's number, by the kernel's.
    """

    number: NDArray[np.int64]
    order: NDArray[np.int64]

    @classmethod
    def of(cls, program: Program) -> _Contexts:
        """Give the contexts of a Program their numbers."""
        uninsured = program.start_context[program.insured[program.start_context] == 0]
        fresh = int(uninsured.flat[0])
        order = np.array([fresh, *(c for c in range(program.join.shape[0]) if c != fresh)])
        return cls(np.argsort(order), order)


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
    contexts = _Contexts.of(program)
    ahead = _ahead(program, contexts)
    start = (
        start_plays(program, contexts, apart=ahead is None)
        if hands == 1
        else start_hands(program, contexts)
    )
    return Tables(
        cards=_columns(
            _rejected(full << shift, 2**64 - 1),
            _rejected(copies),
            _rejected(cards.kind * program.first_event),
            _rejected(cards.kind),
        ),
        counters=_rejected(np.uint64(1) << shift),
        numbers=_rejected(cards.number).astype(np.uint16),
        starts=start,
        ahead=np.zeros(ROW, dtype=np.uint64) if ahead is None else ahead.ravel(),
        steps=program.step[:, : program.classes].T.astype(np.uint32).ravel(),
        join=_join(program, contexts).ravel(),
        onward=np.concatenate([_dealer(program).ravel(), program.resume[contexts.order].ravel()]),
        worths=_worths(program, hands).ravel(),
        first_event=program.first_event,
        events=program.join.shape[1],
        finished=len(program.finished),
        plane=program.start[0].size if program.checks_for_all else 0,
        shoe_size=shoe.size,
        counters_fill_up=bool((cards.copy.astype(np.uint64) >= full).any()),
        classes=program.classes,
        cards_ahead=next(ahead for least, ahead in CARDS_AHEAD.items() if shoe.size >= least),
        decks_only=len(set(shoe.counts)) == 1,
    )


def _join(program: Program, contexts: _Contexts) -> NDArray[np.uint32]:
    """Return the ``join`` of `Tables`: contexts, with their needs where they are finished."""
    finished = program.join < len(program.finished)
    need = np.where(finished, program.resume[program.join, 0], 0).astype(np.uint32)
    codes: NDArray[np.uint32] = contexts.number[program.join].astype(np.uint32)
    return (codes | need << np.uint32(layout.NEED))[contexts.order]


def _ahead(program: Program, contexts: _Contexts) -> NDArray[np.uint64] | None:
    """Return the ``ahead`` of `Tables`, or None if a hand with a card more could still be split.

    No rules are known that would allow that; all rounds are played apart then.
    """
    entry = program.step.astype(np.int64)
    happens = entry >= program.first_event
    event = np.where(happens, entry - program.first_event, 0)
    context = program.join[contexts.order[0], event].astype(np.int64)
    finishes = happens & (context >= 0) & (context < len(program.finished))
    if (happens & ~finishes & _reached(program, contexts)[:, np.newaxis]).any():
        return None
    need = np.where(finishes, program.resume[context, 0].astype(np.int64), layout.KEEPS_ON)
    code = np.where(happens, 0, entry)
    context = np.where(finishes, contexts.number[context], 0)
    ahead: NDArray[np.uint64] = (
        code.astype(np.uint64)
        | context.astype(np.uint64) << layout.CONTEXT
        | need.astype(np.uint64) << layout.NEED_AHEAD
    )
    return ahead


def _reached(program: Program, contexts: _Contexts) -> NDArray[np.bool_]:
    """Return which states a hand that has not been split comes to."""
    fresh = (program.start_context == contexts.order[0])[..., np.newaxis]
    starts = program.start[0][np.broadcast_to(fresh, program.start[0].shape)]
    reached = np.zeros(program.first_event, dtype=bool)
    waiting = set(starts[starts < program.first_event].tolist())
    while waiting:
        reached[list(waiting)] = True
        following = program.step[list(waiting), : program.classes].ravel()
        states = following[following < program.first_event]
        waiting = set(states[~reached[states]].tolist())
    return reached


def _dealer(program: Program) -> NDArray[np.uint32]:
    """Return the dealer's part of the ``onward`` of `Tables`."""
    table = np.zeros((16, 16, layout.KEEPS_ON + 1), dtype=np.uint32)
    table[:UPS, :UPS, : program.dealer.shape[2]] = program.dealer
    return table


def _modes(program: Program) -> NDArray[np.uint64]:
    """Return 16 x up card + dealer's second card by number of the deal, one plane."""
    up, hole = np.meshgrid(np.arange(UPS), np.arange(UPS), indexing="ij")
    shape = program.start.shape[1:]
    return np.broadcast_to(up * 16 + hole, shape).astype(np.uint64)


class _Followed(NamedTuple):
    """Starts whose first event has been followed: entry (or need), context, whether finished."""

    entry: NDArray[np.uint64]
    context: NDArray[np.uint64]
    finished: NDArray[np.bool_]


def _followed(program: Program) -> _Followed:
    """Follow the first event of every start, in both planes."""
    entry = program.start.astype(np.int64)
    context = np.broadcast_to(program.start_context[..., np.newaxis], entry.shape).astype(np.int64)
    up = np.broadcast_to(np.arange(UPS)[:, np.newaxis], entry.shape)
    happens = entry >= program.first_event
    event = np.where(happens, entry - program.first_event, 0)
    context = np.where(happens, program.join[context, event], context)
    entry = np.where(happens, program.resume[context, up], entry)
    return _Followed(
        entry.astype(np.uint64), context.astype(np.uint64), context < len(program.finished)
    )


def start_plays(program: Program, contexts: _Contexts, *, apart: bool) -> NDArray[np.uint64]:
    """Return the ``starts`` of one hand a round: where a deal leads.

    A hand that has been split or insured is marked to be played apart, as all are if ``apart``.
    """
    followed, mode = _followed(program), _modes(program)
    finished = followed.finished[0]
    need = np.where(finished, followed.entry[0], 0)
    dealer = _dealer(program).reshape(256, -1)[mode.astype(np.int64), need.astype(np.int64)]
    entry = np.where(finished, dealer, followed.entry[0])
    context = contexts.number[followed.context[0].astype(np.int64)].astype(np.uint64)
    alone = (context > 0) & ~finished
    if apart:
        alone |= entry >= layout.FIRST_STATE
    plays: NDArray[np.uint64] = (
        entry
        | context << layout.CONTEXT
        | mode << layout.MODE
        | alone.astype(np.uint64) << layout.APART
    )
    return plays.ravel()


def start_hands(program: Program, contexts: _Contexts) -> NDArray[np.uint64]:
    """Return the ``starts`` of several hands a round: where each hand's cards lead."""
    followed, mode = _followed(program), _modes(program)
    over = followed.finished
    reached = followed.context.astype(np.int64)
    insured = program.insured[reached].astype(np.uint64)
    zero = np.uint64(0)
    starts: NDArray[np.uint64] = (
        np.where(over, zero, followed.entry)
        | contexts.number[reached].astype(np.uint64) << layout.CONTEXT
        | np.where(over, followed.entry, zero) << layout.START_NEED
        | (~over).astype(np.uint64) << layout.START_PLAYS
        | insured << layout.START_INSURED
        | mode << layout.START_MODE
    )
    return starts.ravel()


def largest_bet(program: Program) -> int:
    """Return the largest result or wager of one initial hand, in units."""
    return int(np.abs(program.settlement[:, :, :2]).max())


def _worths(program: Program, hands: int) -> NDArray[np.uint64]:
    """Return the ``worths`` of `Tables`: added up over the hands they number a cell of totals.

    The cell of (net, wager) is (net + largest) x (largest + 1) + wager, ``largest`` being the
    largest bet of all hands together.
    """
    one = largest_bet(program)
    net, wager, _, insurance = np.moveaxis(program.settlement.astype(np.int64), 2, 0)
    cell = (net + one) * (one * hands + 1) + wager
    insured = (insurance > 0).astype(np.uint64)
    worths: NDArray[np.uint64] = cell.astype(np.uint64) | insured << layout.WORTH_INSURED
    nothing = np.zeros((1, FINAL_CODES), dtype=np.uint64)
    return np.concatenate([nothing, worths])  # the context of a hand that is not finished
