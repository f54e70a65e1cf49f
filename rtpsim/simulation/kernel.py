"""The kernel: rounds are dealt, stepped through tables and counted, a block at a time.

It knows cards, entries and contexts (`rtpsim.program.compiler.Program`) and no rule of blackjack.
Unfinished rounds stay in the queue while new ones are dealt behind them; a chunk deals its rounds,
counted as they are dealt, and plays every one of them to its end.

The loops are in `rtpsim.simulation.loops`; here they are put in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rtpsim._jit import kernel
from rtpsim.simulation import loops
from rtpsim.simulation.streams import Stream, fill_words
from rtpsim.simulation.tables import BLOCK, Bets, Counts, Queue, Record, Tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

FINISHED = 0
EXHAUSTED = 1
OVERFLOW = 2

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
    record: Record,
) -> int:
    """Deal ``rounds`` rounds from the stream, play each to its end and add them to the counts.

    Returns
    -------
    int
        `FINISHED`, or `EXHAUSTED` if a round needed more cards than the shoe holds, or `OVERFLOW`
        if it used more cards of one class than its counter can hold.
    """
    loops.number_slots(queue.free)
    recording = record.length.size > 0
    block = 0  # position in the stream
    dealt = 0
    playing = 0
    idle = 0
    while dealt < rounds or playing > 0:
        wanted = min(BLOCK - playing, rounds - dealt)
        if wanted > 0:
            block += draw_deals(wanted, hands, tables, stream, block, queue)
            accepted = loops.list_ones(wanted, queue.valid, queue.listed)
            start_rounds(accepted, playing, hands, tables, queue, counts)
            count_bets(accepted, hands, tables, bets, queue, counts)
            if recording:
                record_deals(accepted, playing, dealt, tables, queue, record)
            dealt += accepted
            playing += accepted
        blocks = (playing + 7) // 8
        fill_words(queue.words, blocks, block, stream.key, stream.counter)
        block += blocks
        if recording:
            queue.plays_before[:playing] = queue.plays[:playing]
            queue.used_before[:playing] = queue.used[:playing]
        if loops.step(playing, queue.draws, tables.cards, tables.step, queue.plays, queue.used):
            return OVERFLOW
        if recording:
            record_draws(playing, tables, queue, record)
        playing_on = finish_rounds(playing, hands, tables, queue, counts, record)
        idle = 0 if wanted > 0 or playing_on < playing else idle + 1
        if idle > _MAX_IDLE:
            return EXHAUSTED
        playing = playing_on
    return FINISHED


@kernel
def draw_deals(
    wanted: int, hands: int, tables: Tables, stream: Stream, block: int, queue: Queue
) -> int:
    """Draw the initial cards of ``wanted`` rounds into ``queue.positions``; return blocks used.

    ``queue.valid`` becomes 1 where all cards are accepted and distinct: uniform over ordered
    tuples of distinct cards. What is rejected is rejected before any outcome is known.
    """
    cards = 2 + 2 * hands
    blocks = (wanted * cards + 7) // 8
    fill_words(queue.words, blocks, block, stream.key, stream.counter)
    queue.valid[:wanted] = 1
    size = np.uint32(tables.cards.size)
    for card in range(cards):
        draws = queue.draws[card * wanted : (card + 1) * wanted]
        loops.draw_position(draws, size, queue.positions[card], queue.valid)
    for card in range(1, cards):
        for other in range(card):
            loops.refuse_same(wanted, queue.positions[card], queue.positions[other], queue.valid)
    return blocks


@kernel
def start_rounds(
    accepted: int, playing: int, hands: int, tables: Tables, queue: Queue, counts: Counts
) -> None:
    """Put the accepted deals behind the rounds in play and count their initial cards."""
    if hands == 1:
        loops.seat_one_hand(
            accepted,
            queue.listed,
            queue.positions,
            tables.cards,
            np.uint64(tables.classes),
            tables.start_plays,
            queue.free[playing:],
            queue.plays[playing:],
            queue.used[playing:],
            counts.initial,
        )
    else:
        loops.seat_hands(
            accepted,
            hands,
            queue.listed,
            queue.positions,
            tables.cards,
            np.uint64(tables.classes),
            np.uint64(tables.check_plane),
            tables.start,
            tables.start_context,
            tables.insured,
            queue.free[playing:],
            queue.plays[playing:],
            queue.used[playing:],
            queue.hand,
            queue.hand_entry,
            queue.hand_context,
            counts.initial,
        )
        resume_rounds(queue.plays[playing : playing + accepted], hands, tables, queue)


@kernel
def count_bets(
    accepted: int, hands: int, tables: Tables, bets: Bets, queue: Queue, counts: Counts
) -> None:
    """Classify the side bets of the accepted deals and count each round's outcomes."""
    for bet in range(bets.first_key.size):
        loops.count_bet(
            accepted,
            bets.makers[bet],
            bets.rows[bet],
            bets.first_key[bet],
            bets.outcomes[bets.first_outcome[bet] :],
            bets.weights[bet],
            tables.numbers,
            queue.listed,
            queue.positions,
            counts.bets,
        )


@kernel
def resume_rounds(plays: NDArray[np.uint64], hands: int, tables: Tables, queue: Queue) -> None:
    """Where a hand has ended or been split, let its context say where the round goes on."""
    if hands == 1:
        loops.resume_one_hand(
            np.uint64(tables.first_event),
            np.uint64(tables.events),
            np.uint64(tables.finished),
            tables.join,
            tables.resume,
            tables.dealer,
            plays,
        )
    else:
        loops.resume_hands(
            hands,
            np.uint64(tables.first_event),
            np.uint64(tables.events),
            np.uint64(tables.finished),
            tables.join,
            tables.resume,
            tables.dealer,
            plays,
            queue.hand,
            queue.hand_entry,
            queue.hand_context,
        )


@kernel
def finish_rounds(
    playing: int, hands: int, tables: Tables, queue: Queue, counts: Counts, record: Record
) -> int:
    """Follow events, count the rounds that are over; return how many play on."""
    done, events = loops.part(
        playing,
        np.uint64(tables.first_event),
        queue.plays,
        queue.used,
        queue.over,
        queue.event_plays,
        queue.event_used,
    )
    kept = playing - done - events
    resume_rounds(queue.event_plays[:events], hands, tables, queue)
    kept += loops.join_queue(
        events,
        queue.event_plays,
        queue.event_used,
        queue.plays[kept:],
        queue.used[kept:],
        queue.over[done:],
    )
    over = queue.over[: playing - kept]
    finished = np.uint64(tables.finished)
    if hands == 1:
        loops.count_labels(over, finished, counts.labels)
    else:
        loops.count_rounds(
            over,
            hands,
            finished,
            tables.largest_bet,
            queue.hand_context,
            tables.settlement,
            counts.labels,
            counts.totals,
            counts.insurance,
        )
    if record.length.size > 0:
        loops.record_results(over, hands, queue.hand_context, record.of_slot, record.results)
    loops.give_back(playing - kept, kept, over, queue.free)
    return kept


@kernel
def record_deals(
    accepted: int, playing: int, dealt: int, tables: Tables, queue: Queue, record: Record
) -> None:
    """Write down the initial cards of the accepted deals."""
    loops.record_deals(
        accepted,
        dealt,
        queue.listed,
        queue.positions,
        queue.plays[playing:],
        tables.numbers,
        record.dealt,
        record.of_slot,
    )


@kernel
def record_draws(playing: int, tables: Tables, queue: Queue, record: Record) -> None:
    """Write down the cards accepted in a step."""
    loops.record_draws(
        queue.plays_before[:playing],
        queue.used_before,
        queue.used,
        tables.counters,
        record.of_slot,
        record.drawn,
        record.length,
    )
