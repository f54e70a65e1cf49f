"""The two hands of a split and the dealer, jointly: they share one shoe.

The probability of two finished hands depends only on the cards of both together. Every pair of
finished hands is therefore sorted by its cards; each collection of cards is weighed once, and the
dealer enumerated once from what it leaves. Hands that bust are not enumerated: what they share
with the other hand is what the hands that did not bust leave of its own distribution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rtpsim._jit import kernel
from rtpsim.exact.dealer import dealer_outcomes, dealer_trees
from rtpsim.exact.lattice import CLASSES, lattice
from rtpsim.program.contexts import STANDING_LOW
from rtpsim.program.events import BUST_TOTAL, Ending, Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.exact.model import World
    from rtpsim.exact.spreading import Ends
    from rtpsim.exact.upcard import UpCard
    from rtpsim.exact.worlds import Table

_CHARLIE, _CHARLIE_21, _BUST, _WAGERS = 6, 7, 8, 9
ENDS = 2 * _WAGERS
"""Ends of a split hand: by wager, totals up to 16, 17 ... 21, Charlie, Charlie of 21, bust."""

_BITS = 6
_NONE, _NATURAL = 0, 8
_LOW = STANDING_LOW


def result_of(end: int) -> Result:
    """Return the result that an end stands for, as contexts keep it."""
    wager, kind = divmod(end, _WAGERS)
    if kind == _BUST:
        return Result(Ending.BUST, BUST_TOTAL, wager + 1)
    if kind >= _CHARLIE:
        return Result(Ending.CHARLIE, 20 + (kind == _CHARLIE_21), wager + 1)
    return Result(Ending.STAND, _LOW + kind, wager + 1)


def ends_of_split(ends: Ends) -> NDArray[np.float64]:
    """Return the probability of each end of a split hand by dealer outcome, shape (18, 9)."""
    merged = np.zeros((ENDS, 9))
    for wager, totals in enumerate((ends.stand, ends.double)):
        first = wager * _WAGERS
        merged[first] = totals[: _LOW + 1].sum(axis=0)
        merged[first + 1 : first + _CHARLIE] = totals[_LOW + 1 :]
        merged[first + _CHARLIE] = ends.charlie[wager, :21].sum(axis=0)
        merged[first + _CHARLIE_21] = ends.charlie[wager, 21]
        merged[first + _BUST] = ends.bust[wager]
    return merged


def joint_ends(
    card: UpCard,
    first: World,
    second: World,
    own: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Return the joint probability of the ends of a split's two hands.

    Parameters
    ----------
    card
        The up card.
    first, second
        The worlds of the two hands.
    own
        Each hand's own ends (`ends_of_split`).

    Returns
    -------
    NDArray[np.float64]
        By end of the first hand, of the second, and the dealer's outcome; shape (18, 18, 9).
        Where both hands bust the outcome is only known as natural (8) or not (0).
    """
    lists = [_finished(card, world) for world in (first, second)]
    keys, pair, ways = _combine(*lists[0], *lists[1])
    cards, place = np.unique(keys, return_inverse=True)
    drawn = np.stack([(cards >> (_BITS * kind)) & 63 for kind in range(CLASSES)])
    left = _left(card, first)[:, np.newaxis]
    weights = _chance_of(left, drawn)
    outcomes = dealer_outcomes(
        dealer_trees(card.model.rules.soft17)[card.up],
        np.maximum(left - drawn, 0).astype(np.float64),
    )
    outcomes *= weights
    if card.ends_early:
        outcomes[_NATURAL] = 0.0
    by_pair = np.zeros((ENDS * ENDS, 9))
    _gather(place, pair, ways, outcomes, by_pair)
    joint = by_pair.reshape(ENDS, ENDS, 9)
    _fill_busts(joint, *own)
    return joint


def _left(card: UpCard, world: World) -> NDArray[np.int64]:
    """Return the cards left when the split cards and the up card are gone."""
    gone = np.array([card.up, world.start, *world.gone], dtype=np.int64)
    left: NDArray[np.int64] = card.shoe - np.bincount(gone, minlength=CLASSES)
    return left


def _chance_of(left: NDArray[np.int64], drawn: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the probability of drawing exactly these cards in a given order."""
    chance = np.ones(drawn.shape[1])
    for kind in range(CLASSES):
        for earlier in range(int(drawn[kind].max())):
            chance *= np.where(drawn[kind] > earlier, np.maximum(left[kind] - earlier, 0), 1.0)
    total = drawn.sum(axis=0)
    cards = int(left.sum())
    for earlier in range(int(total.max())):
        chance /= np.where(total > earlier, max(cards - earlier, 1), 1.0)
    return chance


def _fill_busts(
    joint: NDArray[np.float64], first: NDArray[np.float64], second: NDArray[np.float64]
) -> None:
    """Add the pairs in which hands of one wager bust, by subtraction from each hand's own ends."""
    busts = (_BUST, _WAGERS + _BUST)
    alive = [end for end in range(ENDS) if end != _BUST]
    for end in alive:
        if end in busts:
            continue
        joint[_BUST, end] = second[end] - joint[alive, end].sum(axis=0)
        joint[end, _BUST] = first[end] - joint[end, alive].sum(axis=0)
    doubled = _WAGERS + _BUST
    both = _natural_or_not(joint[doubled, doubled])
    for end in alive:
        if end not in busts:
            continue
        joint[end, end] = both
        joint[_BUST, end] = second[end] - _natural_or_not(joint[alive, end].sum(axis=0))
        joint[end, _BUST] = first[end] - _natural_or_not(joint[end, alive].sum(axis=0))
    rest = _natural_or_not(joint[_BUST, alive].sum(axis=0))
    joint[_BUST, _BUST] = first[_BUST] - rest


def _natural_or_not(outcome: NDArray[np.float64]) -> NDArray[np.float64]:
    """Merge the dealer's outcomes other than a natural."""
    merged = np.zeros(9)
    merged[_NONE] = outcome[:_NATURAL].sum()
    merged[_NATURAL] = outcome[_NATURAL]
    return merged


def _finished(
    card: UpCard, world: World
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return cards drawn (packed), end and number of orders of each finished hand."""
    start = lattice().of(world.start)
    return _list_finished(
        card.model.places[world].hands,
        card.table(world.origin),
        card.value(world).action,
        start,
        world.start,
    )


@kernel
def _list_finished(
    hands: NDArray[np.int64],
    table: Table,
    action: NDArray[np.int64],
    start: int,
    first_card: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """List the finished hands of a world that did not bust undoubled: see `_finished`."""
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
            drawn = table.counts[hand, card] - int(card == first_card)
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


@kernel
def _end(hand: int, wager: int, table: Table, charlie: bool) -> int:
    """Return the end of a hand that did not bust; ``wager`` is 0 or, doubled, 1."""
    best = table.best[hand]
    if charlie:
        return wager * _WAGERS + (_CHARLIE_21 if best == 21 else _CHARLIE)
    return int(wager * _WAGERS + max(best - _LOW, 0))


@kernel
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


@kernel
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
