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
from rtpsim.simulation import clock, count, deal, play, record
from rtpsim.simulation.clock import lap
from rtpsim.simulation.layout import BLOCK, HALF_BLOCK, ZERO
from rtpsim.simulation.streams import blocks_of, fill_words

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
    return FINISHED


@phase
def draw_deals(
    wanted: int, cards: int, block: int, tables: Tables, stream: Stream, queue: Queue
) -> int:
    """Draw the first ``cards`` cards of ``wanted`` rounds; return where the stream goes on.

    A deal is valid where all its cards are there and distinct: uniform over ordered tuples of
    distinct cards. What is rejected is rejected before any outcome is known.
    """
    size = np.uint16(tables.shoe_size)
    blocks = blocks_of(wanted * cards)
    fill_words(queue.words, blocks, block, stream.key, stream.counter)
    lap(queue.clock, clock.WORDS)
    for card in range(cards):
        deal.draw_positions(wanted, card * wanted, queue.draws, size, queue.positions, 1 + card)
    deal.accept_deals(wanted, cards, size, queue.positions)
    lap(queue.clock, clock.DEAL)
    return block + blocks


@phase
def draw_cards(playing: int, block: int, tables: Tables, stream: Stream, queue: Queue) -> int:
    """Propose a card for every round in play; return where the stream goes on."""
    size = np.uint16(tables.shoe_size)
    blocks = blocks_of(playing)
    fill_words(queue.words, blocks, block, stream.key, stream.counter)
    lap(queue.clock, clock.WORDS)
    deal.draw_positions(playing, ZERO, queue.draws, size, queue.proposed, ZERO)
    lap(queue.clock, clock.DEAL)
    return block + blocks


@phase
def number_cards(cards: int, tables: Tables, queue: Queue) -> None:
    """Turn the positions of all deals into card numbers."""
    if tables.decks_only:
        deal.number_cards(_BLOCK, cards, queue.positions, queue.cards)
    else:
        deal.look_up_cards(_BLOCK, cards, queue.positions, tables.numbers, queue.cards)
    lap(queue.clock, clock.NUMBER)


@phase
def play_ahead(
    dealt: int,
    playing: int,
    tables: Tables,
    queue: Queue,
    counts: Counts,
    written: Record | None,
) -> tuple[int, int]:
    """Play the valid deals of one hand with the cards dealt at once, and count those that end.

    The others are put behind the ``playing`` ones that draw card by card; returns how many rounds
    are ``dealt`` then, and how many draw card by card.
    """
    deal.number_deals(_BLOCK, ZERO, tables.classes, queue.cards, queue.deals)
    if written is not None:
        record.record_rows(
            _BLOCK, dealt, queue.positions, queue.cards, written.dealt, written.of_slot
        )
    deal.classify_cards(_BLOCK, 4, tables.cards_ahead, tables.classes, queue.cards)
    lap(queue.clock, clock.NUMBER)
    kept, alone = deal.seat_one_hand(
        _BLOCK,
        queue.positions,
        queue.deals,
        tables.starts,
        queue.ahead,
        queue.apart,
        counts.initial,
    )
    lap(queue.clock, clock.SEAT)
    dealt += kept + alone
    playing = set_apart(alone, 4, playing, queue.apart, tables, queue, written)
    for card in range(4, tables.cards_ahead):
        if written is not None:
            record.record_ahead(
                kept, card, queue.cards, queue.ahead, written.of_slot, written.drawn, written.length
            )
        kept, done = play.step_ahead(
            kept, card, queue.cards, tables.ahead, tables.onward, queue.ahead, queue.over
        )
        lap(queue.clock, clock.STEP)
        count.count_labels(done, queue.over, counts.labels)
        lap(queue.clock, clock.LABELS)
        if written is not None:
            record.record_results(done, queue.over, written.of_slot, written.results)
    return dealt, set_apart(kept, tables.cards_ahead, playing, queue.ahead, tables, queue, written)


@phase
def set_apart(
    number: int,
    used: int,
    playing: int,
    apart: NDArray[np.uint64],
    tables: Tables,
    queue: Queue,
    written: Record | None,
) -> int:
    """Put rounds behind those that draw card by card; return how many there are then."""
    seated = play.set_apart(
        number, used, playing, apart, queue.positions, tables.counters, queue.rounds
    )
    if written is not None:
        record.move_slots(playing, seated, queue.free, queue.rounds, written.of_slot)
    lap(queue.clock, clock.APART)
    return seated


@phase
def seat_hands(
    wanted: int,
    playing: int,
    hands: int,
    tables: Tables,
    queue: Queue,
    slots: NDArray[np.uint64],
    counts: Counts,
) -> int:
    """Put the valid deals in play and count their initial cards; return how many play then."""
    for hand in range(hands):
        deal.number_deals(_BLOCK, hand, tables.classes, queue.cards, queue.deals)
    lap(queue.clock, clock.NUMBER)
    deal.count_cards(wanted, 2 + 2 * hands, queue.positions, tables.counters, queue.ahead)
    seated = deal.seat_hands(
        wanted,
        playing,
        hands,
        tables.plane,
        queue.positions,
        queue.deals,
        queue.ahead,
        tables.starts,
        tables.onward,
        queue.free,
        queue.rounds,
        slots,
        counts.initial,
    )
    lap(queue.clock, clock.SEAT)
    return seated


@phase
def count_bets(wanted: int, bets: Bets, queue: Queue, counts: Counts, hands: int) -> None:
    """Classify the side bets of the valid deals and count each round's outcomes."""
    cells = np.uint64(bets.cells)
    for group in range(bets.makers.size):
        first = np.uint64(4 * group) * cells
        first_outcome = np.uint64(bets.first_outcome[group])
        weights = bets.weights[group]
        for hand in range(bets.makers[group]):
            count.index_outcomes(
                wanted, bets.rows[group, hand], bets.scales[group], queue.cards, queue.indices
            )
            if hands > 1:
                count.add_outcomes(
                    wanted, bets.outcomes, first_outcome, weights, queue.indices, queue.keys
                )
        if hands > 1:
            count.count_keys(wanted, first, cells, queue.positions, queue.keys, counts.bets)
        else:
            count.count_outcomes(
                wanted,
                first,
                cells,
                bets.outcomes,
                first_outcome,
                weights,
                queue.positions,
                queue.indices,
                counts.bets,
            )
    lap(queue.clock, clock.BETS)


@phase
def step(playing: int, hands: int, tables: Tables, queue: Queue, slots: Slots) -> tuple[int, int]:
    """Give every round in play a card and follow the events; return how many play on, are over."""
    first_event = np.uint64(tables.first_event)
    kept, happened, done = play.step(
        playing,
        first_event,
        queue.proposed,
        tables.cards,
        tables.steps,
        queue.rounds,
        queue.events,
        queue.over,
    )
    lap(queue.clock, clock.STEP)
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
    lap(queue.clock, clock.EVENTS)
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
    lap(queue.clock, clock.LABELS)


@phase
def record_draws(playing: int, tables: Tables, queue: Queue, written: Record) -> None:
    """Write down the cards that the step about to be made accepts."""
    record.record_draws(
        playing,
        queue.proposed,
        tables.cards,
        queue.rounds,
        written.of_slot,
        written.drawn,
        written.length,
    )
