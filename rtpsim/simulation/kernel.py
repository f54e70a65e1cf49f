"""The kernel: rounds are dealt, stepped through tables and counted, a block at a time.

It knows cards, entries and contexts (`rtpsim.program.compiler.Program`) and no rule of blackjack.
Unfinished rounds stay in the queue while new ones are dealt behind them; a chunk deals its rounds,
counted as they are dealt, and plays every one of them to its end.

Where there is one hand a round, and where no record is wanted, what they would need is not even
compiled: `slots` and `written` are None then.

The loops are in `rtpsim.simulation.deal`, `play`, `count` and `record`; here they are put in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rtpsim._jit import kernel, phase
from rtpsim.simulation import count, deal, play, record
from rtpsim.simulation.layout import BLOCK, ZERO
from rtpsim.simulation.streams import fill_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.simulation.bets import Bets
    from rtpsim.simulation.buffers import Counts, Queue, Record
    from rtpsim.simulation.streams import Stream
    from rtpsim.simulation.tables import Tables

    Slots = NDArray[np.uint64] | None

FINISHED = 0
EXHAUSTED = 1
OVERFLOW = 2

_BLOCK = int(BLOCK)

_MAX_IDLE = 100_000
"""Steps in a row in which no round ends and none begins that say that the shoe has run out."""


@kernel
def play_chunk(
    rounds: int,
    hands: int,
    tables: Tables,
    bets: Bets,
    stream: Stream,
    queue: Queue,
    slots: Slots,
    counts: Counts,
    written: Record | None,
) -> int:
    """Deal ``rounds`` rounds from the stream, play each to its end and add them to the counts.

    Returns
    -------
    int
        `FINISHED`, or `EXHAUSTED` if a round needed more cards than the shoe holds, or `OVERFLOW`
        if it used more cards of one class than its counter can hold.
    """
    block = ZERO  # position in the stream
    dealt = ZERO
    playing = ZERO
    idle = 0
    while dealt < rounds or playing > 0:
        wanted = min(_BLOCK - playing, rounds - dealt)
        if wanted > 0:
            block = draw_deals(wanted, hands, block, tables, stream, queue)
            seated = seat(wanted, playing, hands, tables, queue, slots, counts)
            count_bets(wanted, tables, bets, queue, counts)
            if written is not None:
                if slots is None:
                    record.give_slots(playing, seated, queue.free, queue.rounds)
                record.record_deals(
                    wanted,
                    playing,
                    dealt,
                    queue.positions,
                    tables.numbers,
                    queue.rounds,
                    written.dealt,
                    written.of_slot,
                )
            dealt += seated - playing
            playing = seated
        block = draw_cards(playing, block, tables, stream, queue)
        if tables.counters_fill_up and play.counter_is_full(
            playing, queue.positions, tables.cards, queue.rounds
        ):
            return OVERFLOW
        if written is not None:
            record.record_draws(
                playing,
                queue.positions,
                tables.cards,
                queue.rounds,
                written.of_slot,
                written.drawn,
                written.length,
            )
        kept, done = step(playing, hands, tables, queue, slots)
        count_finished(done, kept, hands, queue, tables, slots, counts, written)
        idle = 0 if wanted > 0 or done > 0 else idle + 1
        if idle > _MAX_IDLE:
            return EXHAUSTED
        playing = kept
    return FINISHED


@phase
def draw_deals(
    wanted: int, hands: int, block: int, tables: Tables, stream: Stream, queue: Queue
) -> int:
    """Draw the initial cards of ``wanted`` rounds; return where the stream goes on.

    A deal is valid where all its cards are there and distinct: uniform over ordered tuples of
    distinct cards. What is rejected is rejected before any outcome is known.
    """
    cards = 2 + 2 * hands
    size = np.uint16(tables.shoe_size)
    blocks = (wanted * cards + 7) // 8
    fill_words(queue.words, blocks, block, stream.key, stream.counter)
    for card in range(cards):
        deal.draw_positions(wanted, card * wanted, queue.draws, size, queue.positions, 1 + card)
    deal.accept_deals(wanted, cards, size, queue.positions)
    return block + blocks


@phase
def draw_cards(playing: int, block: int, tables: Tables, stream: Stream, queue: Queue) -> int:
    """Propose a card for every round in play; return where the stream goes on."""
    size = np.uint16(tables.shoe_size)
    blocks = (playing + 7) // 8
    fill_words(queue.words, blocks, block, stream.key, stream.counter)
    deal.draw_positions(playing, ZERO, queue.draws, size, queue.positions, ZERO)
    return block + blocks


@phase
def seat(
    wanted: int,
    playing: int,
    hands: int,
    tables: Tables,
    queue: Queue,
    slots: Slots,
    counts: Counts,
) -> int:
    """Put the valid deals in play and count their initial cards; return how many play then."""
    if slots is None:
        return deal.seat_one_hand(
            wanted,
            playing,
            queue.positions,
            tables.places,
            tables.counters,
            tables.starts,
            queue.rounds,
            counts.initial,
        )
    return deal.seat_hands(
        wanted,
        playing,
        hands,
        tables.plane,
        queue.positions,
        tables.places,
        tables.counters,
        tables.starts,
        tables.onward,
        queue.free,
        queue.rounds,
        slots,
        counts.initial,
    )


@phase
def count_bets(wanted: int, tables: Tables, bets: Bets, queue: Queue, counts: Counts) -> None:
    """Classify the side bets of the valid deals and count each round's outcomes."""
    for bet in range(bets.makers.size):
        for hand in range(bets.makers[bet]):
            count.look_up_outcomes(
                wanted,
                bets.rows[bet, hand],
                bets.scales[bet],
                tables.numbers,
                bets.outcomes,
                np.uint64(bets.first_outcome[bet]),
                bets.weights[bet],
                queue.positions,
                queue.keys,
            )
        count.count_keys(wanted, bet, bets.cells, queue.positions, queue.keys, counts.bets)


@phase
def step(playing: int, hands: int, tables: Tables, queue: Queue, slots: Slots) -> tuple[int, int]:
    """Give every round in play a card and follow the events; return how many play on, are over."""
    first_event = np.uint64(tables.first_event)
    kept, happened, done = play.step(
        playing,
        first_event,
        queue.positions,
        tables.cards,
        tables.steps,
        queue.rounds,
        queue.events,
        queue.over,
    )
    if slots is None:
        return play.follow_one_hand(
            happened,
            kept,
            done,
            first_event,
            np.uint64(tables.events),
            np.uint64(tables.finished),
            tables.join,
            tables.onward,
            queue.events,
            queue.rounds,
            queue.over,
        )
    return play.follow_hands(
        happened,
        kept,
        done,
        hands,
        first_event,
        np.uint64(tables.events),
        np.uint64(tables.finished),
        tables.join,
        tables.onward,
        slots,
        queue.events,
        queue.rounds,
        queue.over,
    )


@phase
def count_finished(
    done: int,
    kept: int,
    hands: int,
    queue: Queue,
    tables: Tables,
    slots: Slots,
    counts: Counts,
    written: Record | None,
) -> None:
    """Count the rounds that are over, and free their slots."""
    if slots is None:
        count.count_labels(done, queue.over, counts.labels)
    else:
        count.count_rounds(
            done,
            hands,
            queue.over,
            slots,
            tables.worths,
            counts.labels,
            counts.totals,
            counts.insurance,
        )
    if written is not None:
        record.record_results(done, queue.over, written.of_slot, written.results)
        if slots is not None:
            record.record_contexts(done, hands, queue.over, slots, written.of_slot, written.results)
    if written is not None or slots is not None:
        play.take_slots(done, kept, queue.over, queue.free)
