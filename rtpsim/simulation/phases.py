"""Phases: what the kernel does to a block of rounds, each from the loops that do it.

They hand arrays on, and read the clock where one is wanted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rtpsim._jit import phase
from rtpsim.simulation import clock, count, deal, play, record, turns
from rtpsim.simulation.clock import lap
from rtpsim.simulation.layout import BLOCK, ZERO
from rtpsim.simulation.streams import blocks_of, fill_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.simulation.bets import Bets
    from rtpsim.simulation.buffers import Counts, Queue, Record
    from rtpsim.simulation.streams import Stream
    from rtpsim.simulation.tables import Tables

    Slots = NDArray[np.uint64] | None

_BLOCK = int(BLOCK)


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
    waits = np.uint64(tables.waits)
    deal.number_deals(_BLOCK, ZERO, tables.classes, queue.positions, queue.cards, queue.deals)
    if written is not None:
        record.record_rows(
            _BLOCK, dealt, queue.positions, queue.cards, written.dealt, written.of_slot
        )
    deal.classify_cards(_BLOCK, 4, tables.cards_ahead, tables.classes, queue.cards)
    lap(queue.clock, clock.NUMBER)
    dealt += deal.count_initial(_BLOCK, queue.deals, counts.initial)
    lap(queue.clock, clock.INITIAL)
    if written is not None:
        record.record_first(
            _BLOCK,
            4,
            queue.deals,
            queue.cards,
            tables.starts,
            waits,
            written.of_slot,
            written.drawn,
            written.length,
        )
    deal.seat_one_hand(
        _BLOCK,
        4,
        queue.deals,
        queue.cards,
        tables.starts,
        tables.ahead,
        tables.onward,
        queue.ahead,
    )
    lap(queue.clock, clock.SEAT)
    kept, done = play.part(_BLOCK, queue.ahead, queue.over)
    lap(queue.clock, clock.STEP)
    count_ahead(done, queue, counts, written)
    for card in range(5, tables.cards_ahead):
        if written is not None:
            record.record_ahead(
                kept,
                card,
                queue.cards,
                waits,
                queue.ahead,
                written.of_slot,
                written.drawn,
                written.length,
            )
        play.step_ahead(kept, card, queue.cards, tables.ahead, tables.onward, queue.ahead)
        kept, done = play.part(kept, queue.ahead, queue.over)
        lap(queue.clock, clock.STEP)
        count_ahead(done, queue, counts, written)
    return dealt, set_apart(kept, playing, tables, queue, written)


@phase
def count_ahead(done: int, queue: Queue, counts: Counts, written: Record | None) -> None:
    """Count rounds that the cards dealt at once have brought to their end."""
    count.count_labels(done, queue.over, counts.labels)
    lap(queue.clock, clock.LABELS)
    if written is not None:
        record.record_results(done, queue.over, written.of_slot, written.results)


@phase
def set_apart(
    number: int, playing: int, tables: Tables, queue: Queue, written: Record | None
) -> int:
    """Put rounds behind those that draw card by card; return how many there are then."""
    seated = play.set_apart(
        number,
        tables.cards_ahead,
        np.uint64(tables.waits),
        queue.ahead,
        playing,
        queue.positions,
        tables.counters,
        queue.deals,
        tables.apart,
        queue.rounds,
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
        deal.number_deals(wanted, hand, tables.classes, queue.positions, queue.cards, queue.deals)
    lap(queue.clock, clock.NUMBER)
    deal.count_initial(wanted, queue.deals, counts.initial)
    lap(queue.clock, clock.INITIAL)
    deal.count_cards(wanted, 2 + 2 * hands, queue.positions, tables.counters, queue.ahead)
    valid = deal.valid_deals(wanted, queue.positions, queue.places)
    turns.check_insured(
        valid, hands, tables.plane, queue.places, queue.deals, tables.starts, queue.sums
    )
    for hand in range(hands - 1, -1, -1):
        turns.seat_hand(
            valid,
            playing,
            hand,
            hands,
            queue.places,
            queue.deals,
            queue.sums,
            tables.starts,
            queue.free,
            slots,
            queue.turns,
        )
    turns.begin_hands(
        valid,
        playing,
        hands,
        queue.places,
        queue.deals,
        queue.ahead,
        tables.starts,
        tables.onward,
        queue.free,
        slots,
        queue.turns,
        queue.rounds,
    )
    lap(queue.clock, clock.SEAT)
    return playing + valid


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
            count.add_outcomes(
                wanted, bets.outcomes, first_outcome, weights, queue.indices, queue.keys
            )
        count.count_keys(wanted, first, cells, queue.positions, queue.keys, counts.bets)
    lap(queue.clock, clock.BETS)


@phase
def step(playing: int, hands: int, tables: Tables, queue: Queue, slots: Slots) -> tuple[int, int]:
    """Give every round in play a card and follow the events; return how many play on, are over."""
    first_event = np.uint64(tables.first_event)
    play.step(playing, queue.proposed, tables.cards, tables.steps, queue.rounds)
    lap(queue.clock, clock.STEP)
    happened = play.find_events(playing, first_event, queue.rounds, queue.events)
    if slots is None:
        play.follow_one_hand(
            happened,
            first_event,
            np.uint64(tables.events),
            np.uint64(tables.finished),
            tables.join,
            tables.onward,
            queue.events,
            queue.rounds,
        )
    else:
        turns.follow_hands(
            happened,
            hands,
            first_event,
            np.uint64(tables.events),
            np.uint64(tables.finished),
            tables.join,
            tables.onward,
            slots,
            queue.turns,
            queue.events,
            queue.rounds,
        )
    lap(queue.clock, clock.EVENTS)
    kept, done = play.part_pairs(playing, queue.rounds, queue.over)
    lap(queue.clock, clock.STEP)
    return kept, done


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
        count.add_worths(done, hands, queue.over, slots, tables.worths, queue.sums)
        count.count_rounds(
            done, queue.over, queue.sums, counts.labels, counts.totals, counts.insurance
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
