"""Two hands of a split and the dealer, jointly: they share one shoe.

The probability of two finished hands depends only on the cards of both together. Every pair of
finished hands is therefore sorted by its cards; each collection of cards is weighed once, and the
dealer enumerated once from what it leaves. Hands that bust are not enumerated: what they share
with the other hand is what the hands that did not bust leave of its own distribution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim._jit import array_kernel
from rtpsim.exact.dealer import NATURAL, NONE, dealer_outcomes, dealer_trees
from rtpsim.exact.lattice import CLASSES, lattice
from rtpsim.exact.model import World
from rtpsim.program.contexts import STANDING_LOW
from rtpsim.program.events import BUST_TOTAL, Ending, Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.exact.upcard import UpCard
    from rtpsim.exact.worlds import Table

_CHARLIE, _CHARLIE_21, _BUST, _WAGERS = 6, 7, 8, 9
ENDS = 2 * _WAGERS
"""Ends of a split hand: by wager, totals up to 16, 17 ... 21, Charlie, Charlie of 21, bust."""

_BITS = 6
_LOW = STANDING_LOW


def result_of(end: int) -> Result:
    """Return the result that an end stands for, as contexts keep it."""
    wager, kind = divmod(end, _WAGERS)
    if kind == _BUST:
        return Result(Ending.BUST, BUST_TOTAL, wager + 1)
    if kind >= _CHARLIE:
        return Result(Ending.CHARLIE, 20 + (kind == _CHARLIE_21), wager + 1)
    return Result(Ending.STAND, _LOW + kind, wager + 1)


class Finished(NamedTuple):
    """The finished hands of one hand of a split, undoubled busts left out.

    Attributes
    ----------
    keys
        Cards drawn after its start, 6 bits a class, int64.
    ends
        How it ended, int64: see `ENDS`.
    orders
        In how many orders its cards can be drawn, float64.
    """

    keys: NDArray[np.int64]
    ends: NDArray[np.int64]
    orders: NDArray[np.float64]


def joint_ends(
    card: UpCard, first: tuple[int, ...], second: tuple[int, ...], gone: tuple[int, ...] = ()
) -> NDArray[np.float64]:
    """Return the joint probability of the ends of two hands of a split.

    Parameters
    ----------
    card
        The up card. Hands are played as in its worlds in which only the other hand's first card
        is gone.
    first, second
        The cards with which each hand begins: one, or a pair that is not split again.
    gone
        Other cards known to be gone, besides the up card.

    Returns
    -------
    NDArray[np.float64]
        By end of the first hand, of the second, and the dealer's outcome; shape (18, 18, 9).
        Where both hands bust the outcome is only known as natural (8) or not (0). A natural that
        ends the round before play is left out.
    """
    lists = _finished(card, first, second[0]), _finished(card, second, first[0])
    left = _left(card, (*first, *second, *gone))
    keys, pair, ways = _combine(*lists[0], *lists[1])
    joint = _weigh(card, left, keys, pair, ways, ENDS * ENDS).reshape(ENDS, ENDS, 9)
    _fill_busts(joint, *(_ends(card, left, hands) for hands in lists))
    return joint


def own_ends(
    card: UpCard, start: tuple[int, ...], other: int, gone: tuple[int, ...]
) -> NDArray[np.float64]:
    """Return the ends of one hand of a split by dealer outcome, shape (18, 9).

    Parameters
    ----------
    card, start, gone
        As in `joint_ends`; ``gone`` has all known cards but ``start`` and the up card.
    other
        First card of the other hand: which of the worlds is played.
    """
    return _ends(card, _left(card, (*start, *gone)), _finished(card, start, other))


def _left(card: UpCard, known: tuple[int, ...]) -> NDArray[np.int64]:
    """Return the cards left when the up card and other known cards are gone."""
    counts = np.bincount(np.array([card.up, *known], dtype=np.int64), minlength=CLASSES)
    left: NDArray[np.int64] = card.shoe - counts
    return left


def _ends(card: UpCard, left: NDArray[np.int64], hands: Finished) -> NDArray[np.float64]:
    """Return the ends of a hand; what did not finish otherwise has bust undoubled."""
    ends = _weigh(card, left, *hands, ENDS)
    ends[_BUST] = _natural_or_not(_outlook(card, left) - ends.sum(axis=0))
    return ends


def _finished(card: UpCard, start: tuple[int, ...], other: int) -> Finished:
    """Return the finished hands of a hand that begins with ``start``."""
    world = World(start[0], (other,))
    return Finished(
        *_list_finished(
            card.model.places[world].hands,
            card.table(world.origin),
            card.value(world).action,
            lattice().of(*start),
        )
    )


def _weigh(
    card: UpCard,
    left: NDArray[np.int64],
    keys: NDArray[np.int64],
    ends: NDArray[np.int64],
    ways: NDArray[np.float64],
    size: int,
) -> NDArray[np.float64]:
    """Return the probability of each end by dealer outcome, shape (size, 9).

    Every collection of cards is weighed once, and the dealer enumerated once from what it leaves.
    """
    cards, place = _number(keys)
    drawn = np.stack([(cards >> (_BITS * kind)) & 63 for kind in range(CLASSES)])
    outcomes = dealer_outcomes(
        dealer_trees(card.model.rules.soft17)[card.up],
        np.maximum(left[:, np.newaxis] - drawn, 0).astype(np.float64),
    )
    outcomes *= _chance_of(left, drawn)
    if card.ends_early:
        outcomes[NATURAL] = 0.0
    total = np.zeros((size, 9))
    _gather(place, ends, ways, outcomes, total)
    return total


def _outlook(card: UpCard, left: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the chance of a dealer natural (8) and of none (0) before the hands draw."""
    chance = left[card.natural_card] / left.sum() if card.natural_card >= 0 else 0.0
    outlook = np.zeros(9)
    outlook[NONE] = 1.0 - chance
    outlook[NATURAL] = 0.0 if card.ends_early else chance
    return outlook


def _chance_of(left: NDArray[np.int64], drawn: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the probability of drawing exactly these cards in a given order."""
    chance = np.ones(drawn.shape[1])
    for kind in range(CLASSES):
        for earlier in range(int(drawn[kind].max())):
            chance *= np.where(drawn[kind] > earlier, max(int(left[kind]) - earlier, 0), 1.0)
    total = drawn.sum(axis=0)
    cards = int(left.sum())
    for earlier in range(int(total.max())):
        chance /= np.where(total > earlier, max(cards - earlier, 1), 1.0)
    return chance


def _fill_busts(
    joint: NDArray[np.float64], first: NDArray[np.float64], second: NDArray[np.float64]
) -> None:
    """Add the pairs in which an undoubled hand busts: what each hand's own ends leave over."""
    doubled = _WAGERS + _BUST
    alive = [end for end in range(ENDS) if end != _BUST]
    joint[doubled, doubled] = _natural_or_not(joint[doubled, doubled])
    for end in alive:
        rest_first = first[end] - joint[end, alive].sum(axis=0)
        rest_second = second[end] - joint[alive, end].sum(axis=0)
        if end == doubled:
            rest_first, rest_second = _natural_or_not(rest_first), _natural_or_not(rest_second)
        joint[end, _BUST] = _clean(rest_first, first[end])
        joint[_BUST, end] = _clean(rest_second, second[end])
    joint[_BUST, _BUST] = first[_BUST] - _natural_or_not(joint[_BUST, alive].sum(axis=0))


def _clean(rest: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """Drop what is only the rounding of a difference that is 0."""
    return np.where(rest > 1e-12 * whole.sum(), rest, 0.0)


def _natural_or_not(outcome: NDArray[np.float64]) -> NDArray[np.float64]:
    """Merge the dealer's outcomes other than a natural."""
    merged = np.zeros(9)
    merged[NONE] = outcome[:NATURAL].sum()
    merged[NATURAL] = outcome[NATURAL]
    return merged


@array_kernel
def _number(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the different keys in the order first met, and each key's number among them.

    A hash table with open addressing, as large as the next power of two of twice the keys.
    """
    room = 1
    while room < 2 * keys.size:
        room *= 2
    table = np.full(room, -1, dtype=np.int64)
    different = np.zeros(keys.size, dtype=np.int64)
    place = np.zeros(keys.size, dtype=np.int64)
    count = 0
    for at in range(keys.size):
        mixed = np.uint64(keys[at]) * np.uint64(0x9E3779B97F4A7C15)
        slot = np.int64(mixed >> np.uint64(20)) & (room - 1)
        while table[slot] >= 0 and different[table[slot]] != keys[at]:
            slot = (slot + 1) & (room - 1)
        if table[slot] < 0:
            table[slot] = count
            different[count] = keys[at]
            count += 1
        place[at] = table[slot]
    return different[:count].copy(), place


@array_kernel
def _list_finished(
    hands: NDArray[np.int64],
    table: Table,
    action: NDArray[np.int64],
    start: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """List the finished hands that grow out of ``start``: see `Finished`."""
    room = hands.size * (CLASSES + 1)
    keys = np.zeros(room, dtype=np.int64)
    ends = np.zeros(room, dtype=np.int64)
    orders = np.zeros(room)
    ways = np.zeros(table.best.size)
    ways[start] = 1.0
    count = 0
    for place in range(hands.size):
        hand = hands[place]
        if ways[hand] == 0.0:
            continue
        key = np.int64(0)
        for card in range(CLASSES):
            drawn = table.counts[hand, card] - table.counts[start, card]
            key += np.int64(drawn) << (_BITS * card)
        kind = table.kind[hand]
        if kind in (1, 2) or (kind == 0 and action[hand] == 0):
            keys[count], ends[count], orders[count] = (
                key,
                _end(hand, 0, table, kind == 2),
                ways[hand],
            )
            count += 1
            continue
        doubled = kind == 0 and action[hand] == 2
        for card in range(CLASSES):
            child = table.following[hand, card]
            if not doubled:
                if child >= 0:
                    ways[child] += ways[hand]
                continue
            end = _WAGERS + _BUST
            if child >= 0:
                charlie = table.charlie_counts and table.size[child] == table.charlie_cards
                end = _end(child, 1, table, charlie)
            keys[count] = key + (np.int64(1) << (_BITS * card))
            ends[count], orders[count] = end, ways[hand]
            count += 1
    return keys[:count].copy(), ends[:count].copy(), orders[:count].copy()


@array_kernel
def _end(hand: int, wager: int, table: Table, charlie: bool) -> int:
    """Return the end of a hand that did not bust; ``wager`` is 0 or, doubled, 1."""
    best = table.best[hand]
    if charlie:
        return wager * _WAGERS + (_CHARLIE_21 if best == 21 else _CHARLIE)
    return int(wager * _WAGERS + max(best - _LOW, 0))


@array_kernel
def _combine(
    first_keys: NDArray[np.int64],
    first_ends: NDArray[np.int64],
    first_ways: NDArray[np.float64],
    second_keys: NDArray[np.int64],
    second_ends: NDArray[np.int64],
    second_ways: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Pair every finished hand with every other: cards of both, pair of ends, number of orders."""
    size = first_keys.size * second_keys.size
    keys = np.zeros(size, dtype=np.int64)
    pair = np.zeros(size, dtype=np.int64)
    ways = np.zeros(size)
    at = 0
    for i in range(first_keys.size):
        for j in range(second_keys.size):
            keys[at] = first_keys[i] + second_keys[j]
            pair[at] = first_ends[i] * ENDS + second_ends[j]
            ways[at] = first_ways[i] * second_ways[j]
            at += 1
    return keys, pair, ways


@array_kernel
def _gather(
    place: NDArray[np.int64],
    pair: NDArray[np.int64],
    ways: NDArray[np.float64],
    outcomes: NDArray[np.float64],
    joint: NDArray[np.float64],
) -> None:
    """Add up the dealer's outcomes by pair of ends."""
    for at in range(place.size):
        for final in range(1, 9):
            joint[pair[at], final] += ways[at] * outcomes[final, place[at]]
