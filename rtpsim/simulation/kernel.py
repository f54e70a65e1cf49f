"""The kernel: rounds are dealt, stepped through tables and counted, a block at a time.

It knows cards, entries and contexts (`rtpsim.program.compiler.Program`) and no rule of blackjack.
Unfinished rounds stay in the queue while new ones are dealt behind them; a chunk deals its rounds,
counted as they are dealt, and plays every one of them to its end.

Where there is one hand a round, and where no record is wanted, what they would need is not even
compiled: `slots` and `written` are None then.

What is done to a block is in `rtpsim.simulation.phases`, by the loops in `deal`, `play`, `turns`,
`count` and `record`; here it is put in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim._jit import kernel
from rtpsim.simulation import clock, count, deal, play, record
from rtpsim.simulation.clock import lap
from rtpsim.simulation.layout import BLOCK, HALF_BLOCK, ZERO
from rtpsim.simulation.phases import (
    count_bets,
    count_finished,
    draw_cards,
    draw_deals,
    number_cards,
    play_ahead,
    record_draws,
    seat_hands,
    step,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rtpsim.simulation.bets import Bets
    from rtpsim.simulation.buffers import Counts, Queue, Record
    from rtpsim.simulation.streams import Stream
    from rtpsim.simulation.tables import Tables

FINISHED = 0
EXHAUSTED = 1
OVERFLOW = 2

_BLOCK = int(BLOCK)

_MAX_IDLE = 100_000
"""Steps in a row in which no round ends and none begins that say that the shoe has run out."""


@kernel
def play_one_hand(
    rounds: int,
    tables: Tables,
    bets: Bets,
    stream: Stream,
    queue: Queue,
    counts: Counts,
    written: Record | None,
) -> int:
    """Deal ``rounds`` rounds of one hand, play each to its end and add them to the counts.

    The first cards of a round are dealt at once. It is played with those, a card of every round at
    a time; the few that are split or need more then draw card by card.

    Returns
    -------
    int
        `FINISHED`, or `EXHAUSTED` if a round needed more cards than the shoe holds, or `OVERFLOW`
        if it used more cards of one class than its counter can hold.
    """
    lap(queue.clock, clock.START)
    block = ZERO  # position in the stream
    dealt = ZERO
    playing = ZERO  # rounds that draw card by card
    idle = 0
    while dealt < rounds or playing > 0:
        if dealt < rounds and playing <= HALF_BLOCK:
            block = draw_deals(_BLOCK, tables.cards_ahead, block, tables, stream, queue)
            if rounds - dealt < _BLOCK:
                deal.keep_first(_BLOCK, rounds - dealt, queue.positions)
            number_cards(tables.cards_ahead, tables, queue)
            count_bets(_BLOCK, bets, queue, counts, 1)
            dealt, playing = play_ahead(dealt, playing, tables, queue, counts, written)
        else:
            block = draw_cards(playing, block, tables, stream, queue)
            if tables.counters_fill_up and play.counter_is_full(
                playing, queue.proposed, tables.cards, queue.rounds
            ):
                return OVERFLOW
            if written is not None:
                record_draws(playing, tables, queue, written)
            kept, done = step(playing, 1, tables, queue, None)
            count_finished(done, kept, 1, queue, tables, None, counts, written)
            idle = 0 if done > 0 else idle + 1
            if idle > _MAX_IDLE:
                return EXHAUSTED
            playing = kept
    count.forget_none(counts.labels, counts.initial)
    return FINISHED


@kernel
def play_hands(
    rounds: int,
    hands: int,
    tables: Tables,
    bets: Bets,
    stream: Stream,
    queue: Queue,
    slots: NDArray[np.uint64],
    counts: Counts,
    written: Record | None,
) -> int:
    """Do the same with several hands a round; all cards after the deal are drawn one by one."""
    lap(queue.clock, clock.START)
    block = ZERO
    dealt = ZERO
    playing = ZERO
    idle = 0
    while dealt < rounds or playing > 0:
        wanted = min(_BLOCK - playing, rounds - dealt)
        if wanted > 0:
            block = draw_deals(wanted, 2 + 2 * hands, block, tables, stream, queue)
            number_cards(2 + 2 * hands, tables, queue)
            seated = seat_hands(wanted, playing, hands, tables, queue, slots, counts)
            count_bets(wanted, bets, queue, counts, hands)
            if written is not None:
                record.record_deals(
                    wanted,
                    playing,
                    dealt,
                    queue.positions,
                    queue.cards,
                    queue.rounds,
                    written.dealt,
                    written.of_slot,
                )
            dealt += seated - playing
            playing = seated
        block = draw_cards(playing, block, tables, stream, queue)
        if tables.counters_fill_up and play.counter_is_full(
            playing, queue.proposed, tables.cards, queue.rounds
        ):
            return OVERFLOW
        if written is not None:
            record_draws(playing, tables, queue, written)
        kept, done = step(playing, hands, tables, queue, slots)
        count_finished(done, kept, hands, queue, tables, slots, counts, written)
        idle = 0 if wanted > 0 or done > 0 else idle + 1
        if idle > _MAX_IDLE:
            return EXHAUSTED
        playing = kept
    count.forget_none(counts.labels, counts.initial)
    return FINISHED
