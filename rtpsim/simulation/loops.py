"""The kernel's loops: each runs over the rounds of a block and does one thing to a few arrays.

Arrays are those of `rtpsim.simulation.tables` (shapes and dtypes there), passed one by one because
compiled code reads plain arrays fastest. No loop over rounds has a branch that depends on the
cards, except where the rare hand of a split goes on. Indices are unsigned: a signed one costs a
test for counting from the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rtpsim._jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]
    Codes = NDArray[np.uint32]
    Halves = NDArray[np.uint16]
    Bytes = NDArray[np.uint8]
    Places = NDArray[np.int64]

_ONE = np.uint64(1)
_THREE = np.uint64(3)
_FOUR = np.uint64(4)
_NINE = np.uint64(9)
_TEN = np.uint64(10)
_SIXTEEN = np.uint64(16)
_BYTE = np.uint64(0xFF)
_LOW16 = np.uint64(0xFFFF)
_RANGE = np.uint64(1 << 16)
_NATURAL = np.uint64(8)
_FIRST_STATE = np.uint64(9)

# A card in the shoe is one word: class, place of its counter, width of its counter as a mask,
# copy number.
_PLACE = np.uint64(8)
_MASK = np.uint64(16)
_COPY = np.uint64(24)

# A round in play is one word: entry (20 bits), context (20), mode (8), slot (16).
_CODE = np.uint64(0xFFFFF)
_CONTEXT = np.uint64(20)
_MODE = np.uint64(40)
_SLOT = np.uint64(48)


@kernel
def entry_of(play: np.uint64) -> np.uint64:
    """Return the entry of a round in play."""
    return play & _CODE


@kernel
def context_of(play: np.uint64) -> np.uint64:
    """Return the context of a round in play."""
    return (play >> _CONTEXT) & _CODE


@kernel
def mode_of(play: np.uint64) -> np.uint64:
    """Return up card x 10 + dealer's second card of a round in play."""
    return (play >> _MODE) & _BYTE


@kernel
def slot_of(play: np.uint64) -> np.uint64:
    """Return the slot of a round in play."""
    return play >> _SLOT


@kernel
def counted(card: np.uint64) -> np.uint64:
    """Return a word of counters that counts this one card."""
    return _ONE << ((card >> _PLACE) & _BYTE)


# -- lists ---------------------------------------------------------------------------------------


@kernel
def number_slots(free: Codes) -> None:
    """Mark every slot as free: ``free[i] = i``."""
    for i in range(free.size):
        free[i] = i


@kernel
def list_ones(length: int, valid: Halves, listed: Codes) -> int:
    """List the places where ``valid`` is 1; return how many there are."""
    count = np.uint64(0)
    for i in range(length):
        listed[count] = i
        count += np.uint64(valid[i])
    return int(count)


@kernel
def part(
    length: int,
    first_event: np.uint64,
    plays: Words,
    used: Words,
    over: Words,
    event_plays: Words,
    event_used: Words,
) -> tuple[int, int]:
    """Part the rounds in play: to ``over`` those that are over, to ``event_*`` those with an event.

    The others close up at the front of the queue. Returns how many are over, and how many have an
    event.
    """
    kept = np.uint64(0)
    done = np.uint64(0)
    events = np.uint64(0)
    for i in range(length):
        play = plays[i]
        count = used[i]
        over[done] = play
        event_plays[events] = play
        event_used[events] = count
        plays[kept] = play
        used[kept] = count
        is_over = np.uint64((play & _CODE) < _FIRST_STATE)
        has_event = np.uint64((play & _CODE) >= first_event)
        done += is_over
        events += has_event
        kept += _ONE - is_over - has_event
    return int(done), int(events)


@kernel
def join_queue(
    count: int, event_plays: Words, event_used: Words, plays: Words, used: Words, over: Words
) -> int:
    """Put the rounds whose events have been followed behind those in play, or to ``over``.

    ``plays``, ``used`` and ``over`` begin behind what they hold. Returns how many play on.
    """
    kept = np.uint64(0)
    done = np.uint64(0)
    for k in range(count):
        play = event_plays[k]
        plays[kept] = play
        used[kept] = event_used[k]
        over[done] = play
        is_over = np.uint64((play & _CODE) < _FIRST_STATE)
        kept += _ONE - is_over
        done += is_over
    return int(kept)


@kernel
def give_back(count: int, kept: int, over: Words, free: Codes) -> None:
    """Append the slots of finished rounds to the free ones, behind the ``kept`` in play."""
    free_behind = free[kept:]
    for k in range(count):
        free_behind[k] = over[k] >> _SLOT


# -- the deal ------------------------------------------------------------------------------------


@kernel
def draw_position(draws: Halves, size: np.uint32, positions: Halves, valid: Halves) -> None:
    """Draw one position in the shoe for each deal from 16 bits, as far as ``draws`` reaches.

    Multiply and shift with the exact rejection threshold (D. Lemire, "Fast random integer
    generation in an interval", ACM TOMACS 29 (2019)): unbiased.
    """
    threshold = np.uint32(65536) % size
    for i in range(draws.size):
        product = np.uint32(draws[i]) * size
        positions[i] = np.uint16(product >> np.uint32(16))
        valid[i] &= np.uint16((product & np.uint32(0xFFFF)) >= threshold)


@kernel
def refuse_same(wanted: int, positions: Halves, others: Halves, valid: Halves) -> None:
    """Refuse the deals in which two positions are the same."""
    for i in range(wanted):
        valid[i] &= np.uint16(positions[i] != others[i])


@kernel
def seat_one_hand(
    accepted: int,
    deals: Codes,
    positions: Halves,
    shoe: Words,
    classes: np.uint64,
    start_plays: Words,
    free: Codes,
    plays: Words,
    used: Words,
    initial: Places,
) -> None:
    """Put deals of one hand in play: look up where they start, count their initial cards.

    ``positions`` has the deal's rows: up card, dealer's second card, the hand's two cards.
    ``free``, ``plays`` and ``used`` begin behind the rounds in play.
    """
    for k in range(accepted):
        deal = deals[k]
        up = shoe[positions[0, deal]]
        hole = shoe[positions[1, deal]]
        first = shoe[positions[2, deal]]
        second = shoe[positions[3, deal]]
        mode = min(up & _BYTE, _NINE) * _TEN + min(hole & _BYTE, _NINE)
        pair = (first & _BYTE) * classes + (second & _BYTE)
        index = pair * (_TEN * _TEN) + mode
        initial[index] += 1
        plays[k] = start_plays[index] | (np.uint64(free[k]) << _SLOT)
        used[k] = counted(up) + counted(hole) + counted(first) + counted(second)


@kernel
def seat_hands(
    accepted: int,
    hands: int,
    deals: Codes,
    positions: Halves,
    shoe: Words,
    classes: np.uint64,
    plane: np.uint64,
    start: Codes,
    start_context: Codes,
    insured: Bytes,
    free: Codes,
    plays: Words,
    used: Words,
    current: Places,
    hand_entry: Codes,
    hand_context: Codes,
    initial: Places,
) -> None:
    """Put deals of several hands in play: the same, each hand's start kept in the round's slot.

    ``plane`` is the distance to the start table's second plane where insurance taken by one hand
    has the dealer check for all, else 0.
    """
    for k in range(accepted):
        deal = deals[k]
        slot = np.uint64(free[k])
        up = shoe[positions[0, deal]]
        hole = shoe[positions[1, deal]]
        mode = min(up & _BYTE, _NINE) * _TEN + min(hole & _BYTE, _NINE)
        count = counted(up) + counted(hole)
        checked = np.uint64(0)
        for hand in range(hands):
            first = shoe[positions[2 + 2 * hand, deal]]
            second = shoe[positions[3 + 2 * hand, deal]]
            index = ((first & _BYTE) * classes + (second & _BYTE)) * (_TEN * _TEN) + mode
            hand_entry[slot, hand] = index
            hand_context[slot, hand] = start_context[index]
            checked |= np.uint64(insured[start_context[index]])
            count += counted(first) + counted(second)
        initial[hand_entry[slot, 0]] += 1
        for hand in range(hands):
            hand_entry[slot, hand] = start[np.uint64(hand_entry[slot, hand]) + checked * plane]
        current[slot] = 0
        plays[k] = (
            np.uint64(hand_entry[slot, 0])
            | (np.uint64(hand_context[slot, 0]) << _CONTEXT)
            | (mode << _MODE)
            | (slot << _SLOT)
        )
        used[k] = count


@kernel
def count_bet(
    accepted: int,
    hands: int,
    rows: Places,
    key: int,
    outcomes: Bytes,
    weights: Places,
    numbers: Bytes,
    deals: Codes,
    positions: Halves,
    counts: Places,
) -> None:
    """Classify one side bet for all hands of each deal and count the round's outcomes.

    ``rows`` are the rows of ``positions`` that it looks at, for each hand: shape (hands, 3), -1
    where it looks at two cards only.
    """
    for k in range(accepted):
        cell = key
        for hand in range(hands):
            index = np.uint64(numbers[positions[rows[hand, 0], deals[k]]])
            index = index * np.uint64(52) + np.uint64(numbers[positions[rows[hand, 1], deals[k]]])
            if rows[hand, 2] >= 0:
                third = np.uint64(numbers[positions[rows[hand, 2], deals[k]]])
                index = index * np.uint64(52) + third
            cell += weights[outcomes[index]]
        counts[cell] += 1


# -- play ----------------------------------------------------------------------------------------


@kernel
def step(playing: int, draws: Halves, shoe: Words, steps: Codes, plays: Words, used: Words) -> bool:
    """Draw a card for every round in play and follow it; return whether a counter was full.

    A position in the full shoe is proposed and accepted if its copy number is not below the count
    of used cards of its class: uniform over the cards left, exactly, since copies of a class are
    exchangeable. A rejected proposal leaves the round as it is. A round that is over already
    stays so: the rows of finals lead to themselves.
    """
    size = np.uint64(shoe.size)
    threshold = _RANGE % size
    overflow = np.uint64(0)
    for i in range(playing):
        product = np.uint64(draws[i]) * size
        card = shoe[product >> _SIXTEEN]
        place = (card >> _PLACE) & _BYTE
        full = (card >> _MASK) & _BYTE
        count = (used[i] >> place) & full
        play = plays[i]
        accepted = np.uint64(((product & _LOW16) >= threshold) & ((card >> _COPY) >= count))
        overflow |= accepted & np.uint64(count == full)
        following = np.uint64(steps[(play & _CODE) * _SIXTEEN + (card & _BYTE)])
        plays[i] = (play & ~_CODE) | following if accepted else play
        used[i] += accepted << place
    return bool(overflow > 0)


@kernel
def resume_one_hand(
    first_event: np.uint64,
    events: np.uint64,
    finished: np.uint64,
    join: Codes,
    resumes: Codes,
    dealers: Codes,
    plays: Words,
) -> None:
    """Follow the event of each round: it moves the context, which says where to go on.

    A context that is not finished names the state in which its next hand waits; a finished one
    how far the dealer plays.
    """
    for k in range(plays.size):
        play = plays[k]
        mode = mode_of(play)
        context = np.uint64(join[context_of(play) * events + (entry_of(play) - first_event)])
        entry = np.uint64(resumes[context * _TEN + mode // _TEN])
        if context < finished:
            entry = np.uint64(dealers[mode * _THREE + entry])
        plays[k] = (play >> _MODE << _MODE) | (context << _CONTEXT) | entry


@kernel
def resume_hands(
    hands: int,
    first_event: np.uint64,
    events: np.uint64,
    finished: np.uint64,
    join: Codes,
    resumes: Codes,
    dealers: Codes,
    plays: Words,
    current: Places,
    hand_entry: Codes,
    hand_context: Codes,
) -> None:
    """Do the same for several hands: a finished one gives way to the next, the last to the dealer.

    The next hand may have an event waiting at once, so each round goes on until it waits for a
    card or is over.
    """
    for k in range(plays.size):
        play = plays[k]
        mode = mode_of(play)
        slot = slot_of(play)
        entry = entry_of(play)
        context = context_of(play)
        while entry >= first_event:
            context = np.uint64(join[context * events + (entry - first_event)])
            entry = np.uint64(resumes[context * _TEN + mode // _TEN])
            if context < finished:
                hand = current[slot]
                hand_context[slot, hand] = context
                if hand + 1 < hands:
                    current[slot] = hand + 1
                    entry = np.uint64(hand_entry[slot, hand + 1])
                    context = np.uint64(hand_context[slot, hand + 1])
                else:
                    for other in range(hands - 1):
                        need = np.uint64(resumes[np.uint64(hand_context[slot, other]) * _TEN])
                        entry = max(entry, need)
                    entry = np.uint64(dealers[mode * _THREE + entry])
        plays[k] = (play >> _MODE << _MODE) | (context << _CONTEXT) | entry


# -- counts --------------------------------------------------------------------------------------


@kernel
def count_labels(over: Words, finished: np.uint64, labels: Places) -> None:
    """Count the label of each finished round of one hand."""
    for k in range(over.size):
        play = over[k]
        up = mode_of(play) // _TEN
        labels[(up * finished + context_of(play)) * _NINE + entry_of(play)] += 1


@kernel
def count_rounds(
    over: Words,
    hands: int,
    finished: np.uint64,
    largest_bet: int,
    hand_context: Codes,
    settlement: NDArray[np.int32],
    labels: Places,
    totals: Places,
    insurance: Places,
) -> None:
    """Count each finished round of several hands: the first's label, and the sums over all."""
    largest = largest_bet * hands
    for k in range(over.size):
        play = over[k]
        final = entry_of(play)
        slot = slot_of(play)
        up = mode_of(play) // _TEN
        first = np.uint64(hand_context[slot, 0])
        labels[(up * finished + first) * _NINE + final] += 1
        net = np.int64(0)
        wager = np.int64(0)
        insured = np.int64(0)
        for hand in range(hands):
            paid = (np.uint64(hand_context[slot, hand]) * _NINE + final) * _FOUR
            net += settlement[paid]
            wager += settlement[paid + _ONE]
            insured += settlement[paid + _THREE] > 0
        totals[(net + largest) * (largest + 1) + wager] += 1
        insurance[2 * insured + np.int64(final == _NATURAL)] += 1


# -- the record ----------------------------------------------------------------------------------


@kernel
def record_deals(
    accepted: int,
    dealt: int,
    deals: Codes,
    positions: Halves,
    plays: Words,
    numbers: Bytes,
    record_dealt: Bytes,
    of_slot: Places,
) -> None:
    """Write down the initial cards of the accepted deals, and which round their slots play."""
    for k in range(accepted):
        of_slot[slot_of(plays[k])] = dealt + k
        for card in range(record_dealt.shape[1]):
            record_dealt[dealt + k, card] = numbers[positions[card, deals[k]]]


@kernel
def record_draws(
    plays_before: Words,
    used_before: Words,
    used: Words,
    counters: Words,
    of_slot: Places,
    record_drawn: Bytes,
    length: Places,
) -> None:
    """Write down the cards accepted in a step: the class whose counter has moved."""
    for i in range(plays_before.size):
        moved = used[i] - used_before[i]
        if moved > 0 and entry_of(plays_before[i]) >= _FIRST_STATE:
            number = of_slot[slot_of(plays_before[i])]
            for kind in range(counters.size):
                if counters[kind] == moved:
                    record_drawn[number, length[number]] = kind
            length[number] += 1


@kernel
def record_results(
    over: Words, hands: int, hand_context: Codes, of_slot: Places, results: Codes
) -> None:
    """Write down the dealer's final and the contexts of the rounds that are over."""
    for k in range(over.size):
        play = over[k]
        number = of_slot[slot_of(play)]
        results[number, 0] = entry_of(play)
        results[number, 1] = context_of(play)
        if hands > 1:
            for hand in range(hands):
                results[number, 1 + hand] = hand_context[slot_of(play), hand]
