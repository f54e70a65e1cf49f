"""Reach: how often each hand of a world comes up, and which row of a chart it asks then."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from rtpsim.cards import ACE_CLASS
from rtpsim.exact.dealer import NATURAL
from rtpsim.exact.lattice import CLASSES, lattice
from rtpsim.exact.model import ACE_ORIGIN, INITIAL_ORIGIN, World
from rtpsim.program.graph import Action, Origin, Spot
from rtpsim.program.hands import Hand

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.exact.policies import ChartPolicy
    from rtpsim.exact.upcard import UpCard, Weighted


class Starts:
    """Where hands of one context begin: weights by world and hand of the lattice.

    Attributes
    ----------
    decide
        Weight of coming to a hand that is then played by its total.
    hit
        Weight of hands that have been decided to be hit.
    """

    def __init__(self) -> None:
        size = len(lattice().total)
        self.decide: defaultdict[World, NDArray[np.float64]] = defaultdict(lambda: np.zeros(size))
        self.hit: defaultdict[World, NDArray[np.float64]] = defaultdict(lambda: np.zeros(size))


def alive(card: UpCard, world: World, hands: int | NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the probability that no dealer natural has ended the round before play."""
    if not card.ends_early:
        return np.ones(np.shape(hands))
    chances: NDArray[np.float64] = 1.0 - card.outcomes[NATURAL, card.removal_of(world)[hands]]
    return chances


def alive_hands(card: UpCard, one: Weighted) -> float:
    """Return what a term of a split adds to the number of hands that are played in the end."""
    term, world, weight, paired = one
    hands = lattice()
    number = float(alive(card, world, hands.of(term.card)))
    if term.unpaired:
        number -= paired * float(alive(card, world, hands.of(term.card, term.card)))
    return weight * number


def next_cards(card: UpCard, world: World) -> NDArray[np.float64]:
    """Return the probability of each next card of every hand, shape (hands, 10)."""
    left = card.deal(world).left - lattice().counts
    cards = left.sum(axis=1)
    possible = (left.min(axis=1) >= 0) & (cards > 0)
    chances: NDArray[np.float64] = np.where(
        possible[:, np.newaxis], left / np.maximum(cards, 1)[:, np.newaxis], 0.0
    )
    return chances


def _layers() -> list[NDArray[np.int64]]:
    """Return the hands of the lattice by total: those that a card leads to come later."""
    total = lattice().total
    return [np.flatnonzero(total == points) for points in range(1, 22)]


LAYERS = _layers()


def draw_cards(
    card: UpCard,
    world: World,
    met: NDArray[np.float64],
    hit: NDArray[np.float64],
    drawing: NDArray[np.bool_],
) -> None:
    """Follow the cards drawn in a world.

    Parameters
    ----------
    card, world
        The up card, and the world.
    met
        Weight of beginning at each hand of the lattice; the weight of coming there is written.
    hit
        Weight of hands that are hit whatever their total says.
    drawing
        Hands that take a card when they are met.
    """
    hands, chances = lattice(), next_cards(card, world)
    for inside in LAYERS:
        here = hit[inside] + np.where(drawing[inside], met[inside], 0.0)
        inside, here = inside[here != 0.0], here[here != 0.0]
        for drawn in range(CLASSES):
            child = hands.following[inside, drawn]
            fits = child >= 0
            # different hands become different hands by one card: nothing is added twice
            met[child[fits]] += here[fits] * chances[inside[fits], drawn]


def total_rows(policy: ChartPolicy, origin: int) -> list[str]:
    """Return the row that decides each hand of the lattice by its total and number of cards."""
    hands, player = lattice(), policy.player
    where = None
    if origin != INITIAL_ORIGIN:
        where = Origin(ACE_CLASS if origin == ACE_ORIGIN else 1, False, 0)
    rows: dict[tuple[int, bool, int], str] = {}
    found = []
    sizes = np.minimum(hands.size, player.cards_alike)
    alike = zip(hands.total.tolist(), hands.soft.tolist(), sizes.tolist(), strict=True)
    for total, soft, size in alike:
        key = total, soft, size
        if size >= 2 and key not in rows:
            # initial hands of two cards are decided before; three stand for them here
            hand = Hand(total, soft, size if where is not None else max(size, 3), ())
            asked = player.consulted(Spot(hand, where), 1, (Action.STAND, Action.HIT))
            rows[key] = asked[-1].row
        found.append(rows.get(key, ""))
    return found
