"""Stack: the hands of all worlds of one up card in one row, for strategies that decide by cells.

A chart decides alike for many hands in many worlds: improving it means summing over all of them.
Here every hand of every world is a *place*; a world's places stand together, ascending, so that a
card always leads to a later place.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.exact.lattice import CLASSES, lattice
from rtpsim.exact.model import (
    DECISION,
    DOUBLE,
    INITIAL,
    INITIAL_ORIGIN,
    STAND,
    WAITS,
    World,
    model_of,
)
from rtpsim.exact.policies import OptimalPolicy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.exact.upcard import UpCard
    from rtpsim.rules import Rules

FIXED, DRAWS, DECIDES = 0, 1, 2
"""Kinds of places: worth what they are; wait for a card; left to the strategy."""

SURRENDER = 3
"""Code of surrender, after those of `rtpsim.exact.model`."""

CHOICES = 4

CAN_DOUBLE, CAN_SURRENDER = 1, 2
"""Bits of a place's *abilities*: which letters of a chart are more than their "else"."""

ABILITIES = 4


class Stack(NamedTuple):
    """Places and where cards lead, for kernels.

    Attributes
    ----------
    following
        Place after one more card of a class, -1 beyond 21; int64, shape (places, 10).
    kind
        `FIXED`, `DRAWS` or `DECIDES`, int64.
    abilities
        Bits `CAN_DOUBLE` and `CAN_SURRENDER`, int64.
    """

    following: NDArray[np.int64]
    kind: NDArray[np.int64]
    abilities: NDArray[np.int64]


@dataclass(frozen=True)
class Layout:
    """Where the hands of all worlds stand in the row.

    Attributes
    ----------
    stack
        As kernels read it.
    worlds
        The worlds, in the order of the row.
    first
        Place of each world's first hand, and the number of places.
    hand
        Lattice number of every place.
    opening
        Whether the place is an initial hand of two cards.
    place
        Place of every (world, lattice number), -1 where there is none.
    """

    stack: Stack
    worlds: tuple[World, ...]
    first: NDArray[np.int64]
    hand: NDArray[np.int64]
    opening: NDArray[np.bool_]
    place: dict[World, NDArray[np.int64]]


@lru_cache(maxsize=16)
def layout_of(rules: Rules, *, surrender: bool) -> Layout:
    """Return the layout for a set of rules; ``surrender``: allowed against this up card."""
    model, hands = model_of(rules), lattice()
    worlds = tuple(model.places)
    numbers = [model.places[world].hands for world in worlds]
    if INITIAL in {world.start for world in worlds}:
        assert worlds[0].start == INITIAL, "initial hands come first"
    first = np.cumsum([0, *(len(inside) for inside in numbers)])
    following, kinds, abilities, opening = [], [], [], []
    place = {}
    for number, (world, inside) in enumerate(zip(worlds, numbers, strict=True)):
        where = np.full(len(hands.total) + 1, -1, dtype=np.int64)  # the last for bust
        where[inside] = first[number] + np.arange(len(inside))
        place[world] = where
        following.append(where[hands.following[inside]])
        nodes = model.nodes[world.origin]
        kind = np.full(len(inside), FIXED, dtype=np.int64)
        kind[nodes.kind[inside] == WAITS] = DRAWS
        kind[nodes.kind[inside] == DECISION] = DECIDES
        kinds.append(kind)
        two = (hands.size[inside] == 2) & (world.origin == INITIAL_ORIGIN)
        opening.append(two & (kind == DECIDES))
        doubles = np.where(nodes.may_double[inside], CAN_DOUBLE, 0)
        abilities.append(doubles + np.where(two & surrender, CAN_SURRENDER, 0))
    stack = Stack(
        np.ascontiguousarray(np.concatenate(following)),
        np.concatenate(kinds),
        np.concatenate(abilities),
    )
    return Layout(stack, worlds, first, np.concatenate(numbers), np.concatenate(opening), place)


class Worths(NamedTuple):
    """What the places of an up card are worth, for kernels; what a strategy decides is written in.

    Attributes
    ----------
    draw
        Probability of each next card, float64, shape (places, 10).
    bust
        What the cards that bust the hand contribute to hitting, float64.
    choice
        Net of stand, hit, double and surrender, 0 where not allowed; float64, shape (places, 4).
    net
        Net under the strategy, float64.
    """

    draw: NDArray[np.float64]
    bust: NDArray[np.float64]
    choice: NDArray[np.float64]
    net: NDArray[np.float64]


def worths_of(card: UpCard, layout: Layout) -> Worths:
    """Return the worths of all places under the best play by composition.

    Parameters
    ----------
    card
        The up card, with an `OptimalPolicy`.
    layout
        The layout of its rules.
    """
    assert isinstance(card.policy, OptimalPolicy), "standing and doubling are valued everywhere"
    draw, bust = _draws(card, layout)
    choice = np.zeros((len(layout.hand), CHOICES))
    net = np.zeros(len(layout.hand))
    for number, world in enumerate(layout.worlds):
        here = slice(layout.first[number], layout.first[number + 1])
        values, inside = card.value(world), layout.hand[here]
        choice[here, : DOUBLE + 1] = values.actions[inside, STAND : DOUBLE + 1]
        net[here] = values.net[inside]
    choice[~np.isfinite(choice)] = 0.0
    return Worths(draw, bust, choice, net)


def _draws(card: UpCard, layout: Layout) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the probability of each next card, and what those that bust contribute."""
    gone = np.zeros((len(layout.worlds), CLASSES), dtype=np.int64)
    for number, world in enumerate(layout.worlds):
        for other in (card.up, *world.gone):
            gone[number, other] += 1
    world_of = np.repeat(np.arange(len(layout.worlds)), np.diff(layout.first))
    left = (card.shoe - gone)[world_of] - lattice().counts[layout.hand]
    cards = left.sum(axis=1)
    possible = (left.min(axis=1) >= 0) & (cards > 0)
    scale = np.where(possible, 1.0 / np.maximum(cards, 1), 0.0)
    draw = left.astype(np.float64) * scale[:, np.newaxis]
    busts = np.where(layout.stack.following < 0, draw, 0.0)
    bust = -busts.sum(axis=1)
    if card.original_only:
        # a dealer natural, whose chance the busting card changes, is accounted for elsewhere
        natural = card.natural_card
        others = np.maximum(cards - 1, 1)
        bust += (busts.sum(axis=1) * left[:, natural] - busts[:, natural]) / others
    return draw, bust
