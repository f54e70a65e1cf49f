"""Valuing the hands of a world: backwards over the lattice, every action of every hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim._jit import array_kernel
from rtpsim.exact.dealer import NATURAL
from rtpsim.exact.lattice import CLASSES
from rtpsim.exact.model import DECISION, DOUBLE, FORCED_CHARLIE, FORCED_STAND, HIT, STAND

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BEST_21 = 21

FOLLOW, OPTIMISE, IMITATE = 0, 1, 2
"""How a world's decisions are made: given; the best; the best of the initial hand (CDZ-)."""


class Table(NamedTuple):
    """The lattice and the rules as `value_world` reads them; see `Lattice`, `Nodes`, `Pays`."""

    counts: NDArray[np.int64]
    best: NDArray[np.int64]
    size: NDArray[np.int64]
    following: NDArray[np.int64]
    kind: NDArray[np.int64]
    may_double: NDArray[np.bool_]
    stand: NDArray[np.float64]
    double: NDArray[np.float64]
    charlie: NDArray[np.float64]
    charlie_cards: int
    charlie_counts: bool


class Deal(NamedTuple):
    """The shoe of a world as `value_world` reads it.

    Attributes
    ----------
    left
        Cards left by class when only the world's hand is not yet removed, int64, shape (10,).
    outcomes
        Dealer's outcomes by final and removal, shape (9, removals).
    natural_card
        Class that makes the dealer's natural, -1 where none does.
    original_only
        Whether a dealer natural costs the original bet only, which is accounted for elsewhere:
        its results are then 0 here.
    ends_early
        Whether a dealer natural ends the round before further wagers are placed.
    """

    left: NDArray[np.int64]
    outcomes: NDArray[np.float64]
    natural_card: int
    original_only: bool
    ends_early: bool


class Values(NamedTuple):
    """What the hands of a world are worth, by lattice number.

    Attributes
    ----------
    action
        The action chosen (or, to follow, given), int64.
    actions
        Net of stand, hit and double, float64, shape (hands, 3); double is -inf where not allowed.
    doubled
        Net of a hand that was doubled before its last card, float64.
    net
        Net under the chosen actions, float64.
    wager
        Wager placed in all, under the chosen actions, float64.
    """

    action: NDArray[np.int64]
    actions: NDArray[np.float64]
    doubled: NDArray[np.float64]
    net: NDArray[np.float64]
    wager: NDArray[np.float64]


@array_kernel
def value_world(
    hands: NDArray[np.int64],
    removal_of: NDArray[np.int64],
    table: Table,
    deal: Deal,
    mode: int,
    pattern: NDArray[np.float64],
    values: Values,
) -> None:
    """Value every hand of a world, from those with most points down.

    Parameters
    ----------
    hands
        The world's hands, ascending.
    removal_of
        The removal of each, by lattice number.
    table, deal
        Rules and shoe.
    mode
        `FOLLOW` takes ``values.action``; `OPTIMISE` the best action; `IMITATE` the best by
        ``pattern`` that is allowed.
    pattern
        ``actions`` of the initial hands, for `IMITATE`.
    values
        Result; children are read from it, so worlds do not share one.
    """
    draw = np.zeros(CLASSES)
    for place in range(hands.size - 1, -1, -1):
        hand = hands[place]
        if not next_cards(hand, table, deal, draw):
            values.net[hand] = 0.0
            values.wager[hand] = 0.0
            values.doubled[hand] = 0.0
            values.actions[hand, :] = 0.0
            continue
        outcome = deal.outcomes[:, removal_of[hand]]
        live = 1.0 - outcome[NATURAL] if deal.ends_early else 1.0
        values.doubled[hand] = _settle_doubled(hand, table, deal, outcome)
        kind = table.kind[hand]
        if kind in (FORCED_STAND, FORCED_CHARLIE):
            values.net[hand] = _settle_forced(hand, table, deal, outcome)
            values.wager[hand] = live
            continue
        _hit(hand, table, deal, draw, values)
        if kind != DECISION:
            continue
        values.actions[hand, STAND] = _settled(table.stand[table.best[hand]], outcome, deal)
        values.actions[hand, DOUBLE] = -np.inf
        if table.may_double[hand]:
            values.actions[hand, DOUBLE] = _double(hand, table, deal, draw, values)
        if mode != FOLLOW:
            known = pattern[hand] if mode == IMITATE else values.actions[hand]
            values.action[hand] = _best(known, table.may_double[hand])
        chosen = values.action[hand]
        values.net[hand] = values.actions[hand, chosen]
        if chosen == STAND:
            values.wager[hand] = live
        elif chosen == DOUBLE:
            values.wager[hand] = 2.0 * live


@array_kernel
def next_cards(hand: int, table: Table, deal: Deal, draw: NDArray[np.float64]) -> bool:
    """Write the probability of each next card; return False where the hand cannot be dealt."""
    cards = -table.size[hand]
    for card in range(CLASSES):
        cards += deal.left[card]
    possible = cards > 0
    for card in range(CLASSES):
        left = deal.left[card] - table.counts[hand, card]
        possible = possible and left >= 0
        draw[card] = left / cards if cards > 0 else 0.0
    return bool(possible)


@array_kernel
def _settled(row: NDArray[np.float64], outcome: NDArray[np.float64], deal: Deal) -> float:
    """Return the mean net of a finished hand over the dealer's outcomes."""
    net = 0.0
    for final in range(1, NATURAL):
        net += row[final] * outcome[final]
    if not deal.original_only:
        net += row[NATURAL] * outcome[NATURAL]
    return net


@array_kernel
def _settle_forced(hand: int, table: Table, deal: Deal, outcome: NDArray[np.float64]) -> float:
    """Return the mean net of a hand that stands by itself, as a Charlie or not."""
    if table.kind[hand] == FORCED_CHARLIE:
        return _settled(table.charlie[0, int(table.best[hand] == _BEST_21)], outcome, deal)
    return _settled(table.stand[table.best[hand]], outcome, deal)


@array_kernel
def _settle_doubled(hand: int, table: Table, deal: Deal, outcome: NDArray[np.float64]) -> float:
    """Return the mean net of the hand if it was doubled before its last card."""
    if table.charlie_counts and table.size[hand] == table.charlie_cards:
        return _settled(table.charlie[1, int(table.best[hand] == _BEST_21)], outcome, deal)
    return _settled(table.double[table.best[hand]], outcome, deal)


@array_kernel
def chance_alive(hand: int, card: int, table: Table, deal: Deal) -> float:
    """Return the probability of no dealer natural once ``card`` has busted the hand."""
    if deal.natural_card < 0:
        return 1.0
    cards = -table.size[hand] - 1
    for other in range(CLASSES):
        cards += deal.left[other]
    natural = deal.natural_card
    left = deal.left[natural] - table.counts[hand, natural] - int(card == natural)
    return 1.0 - left / cards if cards > 0 else 0.0


@array_kernel
def _hit(hand: int, table: Table, deal: Deal, draw: NDArray[np.float64], values: Values) -> None:
    """Write net and wager of hitting, as the hand's own until something better is chosen."""
    net = 0.0
    wager = 0.0
    for card in range(CLASSES):
        if draw[card] > 0.0:
            child = table.following[hand, card]
            if child >= 0:
                net += draw[card] * values.net[child]
                wager += draw[card] * values.wager[child]
            else:
                alive = chance_alive(hand, card, table, deal)
                net -= draw[card] * (alive if deal.original_only else 1.0)
                wager += draw[card] * (alive if deal.ends_early else 1.0)
    values.actions[hand, HIT] = net
    values.net[hand] = net
    values.wager[hand] = wager


@array_kernel
def _double(
    hand: int, table: Table, deal: Deal, draw: NDArray[np.float64], values: Values
) -> float:
    """Return the net of doubling."""
    net = 0.0
    for card in range(CLASSES):
        if draw[card] > 0.0:
            child = table.following[hand, card]
            if child >= 0:
                net += draw[card] * values.doubled[child]
            else:
                alive = chance_alive(hand, card, table, deal)
                net -= 2.0 * draw[card] * (alive if deal.original_only else 1.0)
    return net


@array_kernel
def _best(actions: NDArray[np.float64], may_double: bool) -> int:
    """Return the best action; standing before hitting before doubling where they tie."""
    chosen = STAND
    if actions[HIT] > actions[chosen]:
        chosen = HIT
    if may_double and actions[DOUBLE] > actions[chosen]:
        chosen = DOUBLE
    return chosen
