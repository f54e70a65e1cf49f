"""The kernel: rounds are dealt, stepped through tables and counted, a block at a time.

It knows cards, entries and contexts (`rtpsim.program.compiler.Program`) and no rule of blackjack.
Unfinished rounds stay in the queue while new ones are dealt behind them; a chunk deals its rounds,
counted as they are dealt, and plays every one of them to its end.

The loops are in `rtpsim.simulation.deal`, `play`, `count` and `record`; here they are put in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rtpsim._jit import kernel, loop
from rtpsim.simulation import count, deal, play, record
from rtpsim.simulation.layout import BLOCK
from rtpsim.simulation.streams import fill_words

if TYPE_CHECKING:
    from rtpsim.simulation.bets import Bets
    from rtpsim.simulation.buffers import Counts, Queue, Record
    from rtpsim.simulation.streams import Stream
    from rtpsim.simulation.tables import Tables

FINISHED = 0
EXHAUSTED = 1
OVERFLOW = 2

_BLOCK = int(BLOCK)

_MAX_IDLE = 100_000
"""Steps in a row without one accepted card that say that the shoe has run out."""


@kernel
def play_chunk(
    rounds: int,
    hands: int,
    tables: Tables,
    bets: Bets,
    stream: Stream,
    queue: Queue,
    counts: Counts,
    written: Record,
) -> int:
    """Deal ``rounds`` rounds from the stream, play each to its end and add them to the counts.

    Returns
    -------
    int
        `FINISHED`, or `EXHAUSTED` if a round needed more cards than the shoe holds, or `OVERFLOW`
        if it used more cards of one class than its counter can hold.
    """
    recording = written.length.size > 0
    block = 0  # position in the stream
    dealt = 0
    playing = 0
    idle = 0
    while dealt < rounds or playing > 0:
        wanted = min(_BLOCK - playing, rounds - dealt)
        if wanted > 0:
            block = draw_deals(wanted, hands, block, tables, stream, queue)
            seated = seat(wanted, playing, hands, recording, tables, queue, counts)
            count_bets(wanted, tables, bets, queue, counts)
            if recording:
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
        if recording:
            record.record_draws(
                playing,
                queue.positions,
                tables.cards,
                queue.rounds,
                written.of_slot,
                written.drawn,
                written.length,
            )
        kept, done = step(playing, hands, tables, queue)
        count_finished(done, kept, hands, queue, tables, counts, written)
        idle = 0 if wanted > 0 or done > 0 else idle + 1
        if idle > _MAX_IDLE:
            return EXHAUSTED
        playing = kept
    return FINISHED


@loop
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


@loop
def draw_cards(playing: int, block: int, tables: Tables, stream: Stream, queue: Queue) -> int:
    """Propose a card for every round in play; return where the stream goes on."""
    size = np.uint16(tables.shoe_size)
    blocks = (playing + 7) // 8
    fill_words(queue.words, blocks, block, stream.key, stream.counter)
    deal.draw_positions(playing, 0, queue.draws, size, queue.positions, 0)
    return block + blocks


@loop
def seat(
    wanted: int,
    playing: int,
    hands: int,
    recording: bool,
    tables: Tables,
    queue: Queue,
    counts: Counts,
) -> int:
    """Put the valid deals in play and count their initial cards; return how many play then."""
    if hands == 1:
        seated = deal.seat_one_hand(
            wanted,
            playing,
            queue.positions,
            tables.places,
            tables.counters,
            tables.starts,
            queue.rounds,
            counts.initial,
        )
        if recording:
            record.give_slots(playing, seated, queue.free, queue.rounds)
        return seated
    return deal.seat_hands(
        wanted,
        playing,
        hands,
        tables.plane,
        queue.positions,
        tables.places,
        tables.counters,
        tables.starts,
        tables.dealer,
        queue.free,
        queue.rounds,
        queue.slots,
        counts.initial,
    )


@loop
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


@loop
def step(playing: int, hands: int, tables: Tables, queue: Queue) -> tuple[int, int]:
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
    if hands == 1:
        return play.follow_one_hand(
            happened,
            kept,
            done,
            first_event,
            np.uint64(tables.events),
            np.uint64(tables.finished),
            tables.join,
            tables.resume,
            tables.dealer,
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
        tables.resume,
        tables.dealer,
        queue.slots,
        queue.events,
        queue.rounds,
        queue.over,
    )


@loop
def count_finished(
    done: int,
    kept: int,
    hands: int,
    queue: Queue,
    tables: Tables,
    counts: Counts,
    written: Record,
) -> None:
    """Count the rounds that are over, and free their slots."""
    recording = written.length.size > 0
    if hands == 1:
        count.count_labels(done, queue.over, counts.labels)
    else:
        count.count_rounds(
            done,
            hands,
            queue.over,
            queue.slots,
            tables.worths,
            counts.labels,
            counts.totals,
            counts.insurance,
        )
    if recording:
        record.record_results(
            done, hands, queue.over, queue.slots, written.of_slot, written.results
        )
    if recording or hands > 1:
        record.take_slots(done, kept, queue.over, queue.free)
