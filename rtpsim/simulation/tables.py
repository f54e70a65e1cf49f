"""What the kernel reads and writes: a Program and a shoe as flat arrays, queues and counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.cards import CARDS_IN_DECK
from rtpsim.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.cards import Shoe
    from rtpsim.program.compiler import Program
    from rtpsim.sidebets import SideBet

BLOCK = 2048
"""Rounds in play at a time: their queues stay in the first-level cache."""

MAX_CARDS_IN_SHOE = 1 << 16
"""Positions in the shoe are drawn from 16 random bits."""

MAX_CODES = 1 << 20
"""Entries and contexts are kept in 20 bits each."""

WIDTHS = {10: (6,) * 10, 13: (6, *(5,) * 8, *(4,) * 4)}
"""Bits that count the used cards of each class, packed in 64 bits."""

MAX_HANDS = 6
"""Hands a round that the kernel plays at the most."""


class Tables(NamedTuple):
    """A Program and a shoe, flat, as the kernel reads them.

    Attributes
    ----------
    cards
        The ordered shoe, a word a card: class in bits 0-7, place of its counter in bits 8-15,
        largest value of the counter in bits 16-23, which copy of its class it is from bit 24 up;
        uint64, shape (cards in the shoe,).
    numbers
        The card's number (0-51) by position, uint8.
    counters
        A counter word that counts one card, by class, uint64.
    start_plays
        One hand a round: the round in play (`Queue`, without its slot) by the index of the deal
        into the first plane of ``start``, its first event already followed; uint64.
    step, join, resume, dealer, start
        See `rtpsim.program.compiler.Program`; flattened, uint32; ``start`` holds both planes.
    start_context
        Context to begin with, by the same index as a plane of ``start``, uint32.
    insured
        Whether insurance was taken, by context, uint8.
    settlement
        Net, wager, insurance net and wager, flattened (finished context, final, 4), int32.
    first_event, classes, events, finished
        Code of the first event; card classes; number of events; number of finished contexts.
    check_plane
        Length of a plane of ``start`` where insurance taken by one hand has the dealer check for
        a natural, else 0.
    largest_bet
        Largest result or wager of one initial hand, in units.
    """

    cards: NDArray[np.uint64]
    numbers: NDArray[np.uint8]
    counters: NDArray[np.uint64]
    start_plays: NDArray[np.uint64]
    step: NDArray[np.uint32]
    join: NDArray[np.uint32]
    resume: NDArray[np.uint32]
    dealer: NDArray[np.uint32]
    start: NDArray[np.uint32]
    start_context: NDArray[np.uint32]
    insured: NDArray[np.uint8]
    settlement: NDArray[np.int32]
    first_event: int
    classes: int
    events: int
    finished: int
    check_plane: int
    largest_bet: int


class Queue(NamedTuple):
    """The rounds in play and the scratch space of one thread.

    Attributes
    ----------
    plays
        A word a round in play: entry (bits 0-19), context of the hand in play (20-39), mode, which
        is up card x 10 + dealer's second card (40-47), slot (48-63); uint64.
    used
        Counters of the used cards by class, uint64.
    free
        Slots; those not in use begin behind the rounds in play; uint32.
    over
        Scratch: rounds that have just ended, uint64.
    event_plays, event_used
        Scratch: ``plays`` and ``used`` of the rounds that have an event, uint64.
    plays_before, used_before
        Scratch: ``plays`` and ``used`` before a step, for the record, uint64.
    listed
        Scratch: places that a loop has picked out, uint32.
    positions
        Scratch: positions of the initial cards in the shoe (rows: up card, dealer's second card,
        two a hand), uint16, shape (cards dealt, BLOCK).
    valid
        Scratch: whether a deal is accepted, uint16.
    words, draws
        Scratch: random words, uint64; the same memory as 16-bit draws, uint16.
    hand_entry, hand_context
        By slot and hand: entry to start with, context; uint32, shape (BLOCK, hands). Several hands
        only.
    hand
        By slot: which hand is in play, int64.
    """

    plays: NDArray[np.uint64]
    used: NDArray[np.uint64]
    free: NDArray[np.uint32]
    over: NDArray[np.uint64]
    event_plays: NDArray[np.uint64]
    event_used: NDArray[np.uint64]
    plays_before: NDArray[np.uint64]
    used_before: NDArray[np.uint64]
    listed: NDArray[np.uint32]
    positions: NDArray[np.uint16]
    valid: NDArray[np.uint16]
    words: NDArray[np.uint64]
    draws: NDArray[np.uint16]
    hand_entry: NDArray[np.uint32]
    hand_context: NDArray[np.uint32]
    hand: NDArray[np.int64]


class Bets(NamedTuple):
    """The side bets, as the kernel classifies them.

    Attributes
    ----------
    outcomes
        Outcome codes by card numbers, all bets one after the other, uint8.
    first_outcome, first_key, makers
        By bet: where its outcomes and its counts begin, how many hands make it; int64.
    rows
        By bet, hand and card: row of ``Queue.positions``, -1 for no third card; int64, shape
        (bets, hands, 3).
    weights
        By bet and outcome: what the outcome adds to a round's key, int64, shape (bets, 256).
    """

    outcomes: NDArray[np.uint8]
    first_outcome: NDArray[np.int64]
    first_key: NDArray[np.int64]
    makers: NDArray[np.int64]
    rows: NDArray[np.int64]
    weights: NDArray[np.int64]


class Counts(NamedTuple):
    """What the kernel counts, in rounds; int64.

    Attributes
    ----------
    labels
        By label of the first hand (`Program.label`).
    initial
        By class of the first hand's cards, up card and dealer's second card; flattened
        (classes, classes, 10, 10).
    totals
        By net and wager of the whole round, flattened; several hands only.
    insurance
        By number of insured hands and whether the dealer had a natural, flattened (hands + 1, 2);
        several hands only.
    bets
        By key of the outcomes of each side bet, all bets one after the other.
    """

    labels: NDArray[np.int64]
    initial: NDArray[np.int64]
    totals: NDArray[np.int64]
    insurance: NDArray[np.int64]
    bets: NDArray[np.int64]


class Record(NamedTuple):
    """The cards of each round, for the comparison with the referee; empty when not wanted.

    Attributes
    ----------
    dealt
        Card numbers of the deal: up card, dealer's second card, then two a hand; uint8, shape
        (rounds, 2 + 2 hands).
    drawn
        Classes of the cards drawn afterwards, in order; uint8, shape (rounds, 64).
    length
        How many were drawn, int64.
    results
        Final of the dealer and the finished contexts of the hands, uint32, shape
        (rounds, 1 + hands).
    of_slot
        Which round a slot plays, int64, shape (BLOCK,).
    """

    dealt: NDArray[np.uint8]
    drawn: NDArray[np.uint8]
    length: NDArray[np.int64]
    results: NDArray[np.uint32]
    of_slot: NDArray[np.int64]


def counter_places(classes: int) -> list[int]:
    """Return where each class's counter begins in a word of counters."""
    widths = WIDTHS[classes]
    return [sum(widths[:card]) for card in range(classes)]


def shoe_tables(shoe: Shoe, classes: int) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Return the ``cards`` and ``numbers`` of `Tables` for a shoe.

    Raises
    ------
    InputError
        If the shoe holds more cards than 16 random bits can tell apart.
    """
    if shoe.size >= MAX_CARDS_IN_SHOE:
        raise InputError(f"shoe of {shoe.size} cards: allowed are up to {MAX_CARDS_IN_SHOE - 1}")
    widths = WIDTHS[classes]
    places = counter_places(classes)
    cards, numbers, copies = [], [], [0] * classes
    for number in range(CARDS_IN_DECK):
        card = min(number // 4, classes - 1)
        full = (1 << widths[card]) - 1
        for _ in range(shoe.counts[number]):
            cards.append(card | places[card] << 8 | full << 16 | copies[card] << 24)
            numbers.append(number)
            copies[card] += 1
    return np.array(cards, dtype=np.uint64), np.array(numbers, dtype=np.uint8)


def make_tables(program: Program, shoe: Shoe) -> Tables:
    """Flatten a Program and a shoe for the kernel.

    Raises
    ------
    InputError
        If the shoe or the Program is larger than the kernel's words can tell apart.
    """
    codes = max(program.first_event + program.join.shape[1], program.join.shape[0])
    if codes >= MAX_CODES:
        raise InputError(f"the strategy needs {codes} states; allowed are up to {MAX_CODES - 1}")
    cards, numbers = shoe_tables(shoe, program.classes)
    return Tables(
        cards,
        numbers,
        np.array([1 << place for place in counter_places(program.classes)], dtype=np.uint64),
        start_plays(program),
        program.step.ravel(),
        program.join.ravel().astype(np.uint32),
        program.resume.ravel(),
        program.dealer.ravel(),
        program.start.ravel(),
        np.repeat(program.start_context.ravel(), 10).astype(np.uint32),
        program.insured,
        program.settlement.ravel(),
        program.first_event,
        program.classes,
        program.join.shape[1],
        len(program.finished),
        program.start[0].size if program.checks_for_all else 0,
        largest_bet(program),
    )


def start_plays(program: Program) -> NDArray[np.uint64]:
    """Return the ``start_plays`` of `Tables`: where a deal of one hand leads."""
    entry = program.start[0].astype(np.int64)
    context = np.broadcast_to(program.start_context[..., np.newaxis], entry.shape).astype(np.int64)
    up, hole = np.meshgrid(np.arange(10), np.arange(10), indexing="ij")
    up, hole = np.broadcast_to(up, entry.shape), np.broadcast_to(hole, entry.shape)
    happens = entry >= program.first_event
    event = np.where(happens, entry - program.first_event, 0)
    context = np.where(happens, program.join[context, event], context)
    resumed = program.resume[context, up]
    over = context < len(program.finished)
    need = np.where(over, resumed, 0)
    after = np.where(over, program.dealer[up, hole, need], resumed)
    word: NDArray[np.int64] = np.where(happens, after, entry) | context << 20
    return (word | (up * 10 + hole) << 40).ravel().astype(np.uint64)


def largest_bet(program: Program) -> int:
    """Return the largest result or wager of one initial hand, in units."""
    return int(np.abs(program.settlement[:, :, :2]).max())


def make_queue(hands: int) -> Queue:
    """Allocate a thread's queue for so many hands a round."""
    dealt = 2 + 2 * hands
    words = np.zeros(BLOCK * dealt // 4 + 2, dtype=np.uint64)
    return Queue(
        plays=np.zeros(BLOCK, dtype=np.uint64),
        used=np.zeros(BLOCK, dtype=np.uint64),
        free=np.zeros(BLOCK, dtype=np.uint32),
        over=np.zeros(BLOCK, dtype=np.uint64),
        event_plays=np.zeros(BLOCK, dtype=np.uint64),
        event_used=np.zeros(BLOCK, dtype=np.uint64),
        plays_before=np.zeros(BLOCK, dtype=np.uint64),
        used_before=np.zeros(BLOCK, dtype=np.uint64),
        listed=np.zeros(BLOCK, dtype=np.uint32),
        positions=np.zeros((dealt, BLOCK), dtype=np.uint16),
        valid=np.zeros(BLOCK, dtype=np.uint16),
        words=words,
        draws=words.view("<u2"),
        hand_entry=np.zeros((BLOCK, hands), dtype=np.uint32),
        hand_context=np.zeros((BLOCK, hands), dtype=np.uint32),
        hand=np.zeros(BLOCK, dtype=np.int64),
    )


_DEALER_ROWS = {"up": 0, "hole": 1}
_HAND_ROWS = {"player1": 2, "player2": 3}


def make_bets(bets: tuple[SideBet, ...], hands: int) -> tuple[Bets, list[int]]:
    """Lay out side bets for the kernel; also return where the counts of each begin and end."""
    from rtpsim.sidebets import outcome_table

    tables, first_outcome, keys = [np.zeros(0, dtype=np.uint8)], [], [0]
    rows = np.full((len(bets), hands, 3), -1, dtype=np.int64)
    weights = np.zeros((len(bets), 256), dtype=np.int64)
    makers = [1 if bet.per_round else hands for bet in bets]
    for number, bet in enumerate(bets):
        base = makers[number] + 1
        first_outcome.append(sum(table.size for table in tables))
        tables.append(outcome_table(bet).ravel())
        keys.append(keys[-1] + base ** len(bet.outcomes))
        weights[number, 1 : 1 + len(bet.outcomes)] = [
            base**code for code in range(len(bet.outcomes))
        ]
        for hand in range(makers[number]):
            rows[number, hand, : len(bet.cards)] = [
                _DEALER_ROWS[card] if card in _DEALER_ROWS else _HAND_ROWS[card] + 2 * hand
                for card in bet.cards
            ]
    laid_out = Bets(
        np.concatenate(tables),
        np.array(first_outcome, dtype=np.int64),
        np.array(keys[:-1], dtype=np.int64),
        np.array(makers, dtype=np.int64),
        rows,
        weights,
    )
    return laid_out, keys


def make_counts(program: Program, hands: int, bet_cells: int) -> Counts:
    """Allocate zeroed counts."""
    bet = largest_bet(program) * hands
    several = hands > 1
    return Counts(
        np.zeros(program.labels, dtype=np.int64),
        np.zeros(program.classes**2 * 100, dtype=np.int64),
        np.zeros((2 * bet + 1) * (bet + 1) if several else 0, dtype=np.int64),
        np.zeros((hands + 1) * 2 if several else 0, dtype=np.int64),
        np.zeros(bet_cells, dtype=np.int64),
    )


def make_record(rounds: int, hands: int) -> Record:
    """Allocate the record of so many rounds; 0 for none."""
    return Record(
        np.zeros((rounds, 2 + 2 * hands), dtype=np.uint8),
        np.zeros((rounds, 128 if rounds else 0), dtype=np.uint8),
        np.zeros(rounds, dtype=np.int64),
        np.zeros((rounds, 1 + hands), dtype=np.uint32),
        np.zeros(BLOCK, dtype=np.int64),
    )
