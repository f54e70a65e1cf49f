"""Model: what the exact engine knows of a set of rules before shoe and strategy are given.

Hands are valued in *worlds*: the initial hand in the shoe without the up card, or a hand that
began with one card of a split while certain other cards are gone. The dealer's outcomes depend
only on the cards removed from the shoe, and the same removals recur in many worlds: they are
numbered once.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.cards import ACE_CLASS
from rtpsim.exact.lattice import CLASSES, lattice
from rtpsim.exact.splits import Term, split_terms
from rtpsim.program.events import Ending, Result
from rtpsim.program.graph import Action, Graph, Origin, Spot
from rtpsim.program.hands import Hand
from rtpsim.program.settlement import FINALS, Final, settle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.rules import Rules

INITIAL = -1
"""Start of the world of initial hands."""

STAND, HIT, DOUBLE = 0, 1, 2
"""Codes of the actions inside a world."""

DECISION, FORCED_STAND, FORCED_CHARLIE, WAITS = 0, 1, 2, 3
"""Kinds of hands: the player decides; the hand stands; it is a Charlie; it waits for a card."""

INITIAL_ORIGIN, SPLIT_ORIGIN, ACE_ORIGIN = 0, 1, 2
"""Origins that the rules of play tell apart: initial hands, split hands, split aces."""


class World(NamedTuple):
    """Where a hand is valued: its first card (`INITIAL` for initial hands) and what else is gone.

    ``gone`` are classes, ascending, besides the up card and the hand's own cards.
    """

    start: int
    gone: tuple[int, ...]

    @property
    def origin(self) -> int:
        """Return which rules of play hold: see `INITIAL_ORIGIN`."""
        if self.start == INITIAL:
            return INITIAL_ORIGIN
        return ACE_ORIGIN if self.start == ACE_CLASS else SPLIT_ORIGIN


class Nodes(NamedTuple):
    """What each hand of the lattice is under the rules, for one origin.

    Attributes
    ----------
    kind
        `DECISION`, `FORCED_STAND`, `FORCED_CHARLIE` or `WAITS`, int64.
    may_double
        Whether it may be doubled, bool.
    """

    kind: NDArray[np.int64]
    may_double: NDArray[np.bool_]


class Pays(NamedTuple):
    """What a finished hand nets by the dealer's final, in initial wagers, float64.

    Attributes
    ----------
    stand, double, power_double
        By best total and final, shape (22, 9).
    charlie
        By wager - 1, whether it is a 21, and final, shape (2, 2, 9).
    natural, surrender
        By final, shape (9,).
    """

    stand: NDArray[np.float64]
    double: NDArray[np.float64]
    power_double: NDArray[np.float64]
    charlie: NDArray[np.float64]
    natural: NDArray[np.float64]
    surrender: NDArray[np.float64]


class Places(NamedTuple):
    """A world's hands: their numbers in the lattice, ascending, and their removals; int64."""

    hands: NDArray[np.int64]
    removals: NDArray[np.int64]


@dataclass(frozen=True)
class Removals:
    """The removals of a model (`Model.removed`), equal by their content's hash."""

    content: str
    removed: NDArray[np.int64] = field(compare=False, repr=False)


@dataclass(frozen=True)
class Model:
    """The exact engine's tables for a set of rules.

    Attributes
    ----------
    rules
        The rules.
    nodes
        By origin.
    pays
        What finished hands net.
    places
        The hands and removals of each world.
    removed
        Cards removed by removal and class, int64, shape (removals, 10).
    numbers
        Number of a removal by its cards.
    """

    rules: Rules
    nodes: tuple[Nodes, Nodes, Nodes]
    pays: Pays
    places: dict[World, Places]
    removed: NDArray[np.int64]
    numbers: dict[tuple[int, ...], int]

    @cached_property
    def removals(self) -> Removals:
        """The removals, equal to those of other rules that remove the same cards."""
        return Removals(hashlib.sha256(self.removed.tobytes()).hexdigest(), self.removed)

    def removal(self, *cards: int) -> int:
        """Return the number of the removal of these cards."""
        counts = [0] * CLASSES
        for card in cards:
            counts[card] += 1
        return self.numbers[tuple(counts)]


def split_worlds(first: int, second: int, terms: tuple[Term, ...]) -> list[World]:
    """Return the world of each term of a split."""
    worlds = []
    for term in terms:
        gone = [first, second, *term.gone]
        gone.remove(term.card)
        worlds.append(World(term.card, tuple(sorted(gone))))
    return worlds


@lru_cache(maxsize=64)
def power_pairs(rules: Rules) -> tuple[tuple[int, int], ...]:
    """Return the initial two cards (ascending) that may be power split."""
    if rules.power_split == "none":
        return ()
    graph = Graph(rules)
    pairs = [(first, second) for first in range(CLASSES) for second in range(first, CLASSES)]
    return tuple(pair for pair in pairs if Action.POWER_SPLIT in graph.legal(_initial(*pair), 1))


@lru_cache(maxsize=64)
def power_doubles(rules: Rules) -> tuple[tuple[int, int], ...]:
    """Return the initial two cards (ascending) that may be power doubled."""
    if rules.power_double == "none":
        return ()
    graph = Graph(rules)
    pairs = [(first, second) for first in range(CLASSES) for second in range(first, CLASSES)]
    return tuple(pair for pair in pairs if Action.POWER_DOUBLE in graph.legal(_initial(*pair), 1))


def _initial(first: int, second: int) -> Spot:
    total = first + second + 2
    return Spot(Hand(total, ACE_CLASS in (first, second), 2, (first, second)), None)


def _all_worlds(rules: Rules) -> list[World]:
    worlds = {World(INITIAL, ()): None}
    splits = [(card, card, False) for card in range(CLASSES)] if rules.splits != 0 else []
    splits += [(*pair, True) for pair in power_pairs(rules)]
    for first, second, power in splits:
        for again in map(frozenset, ((), (first,), (second,), (first, second))):
            terms = split_terms(rules, first, second, power=power, again=again)
            worlds.update(dict.fromkeys(split_worlds(first, second, terms)))
    return list(worlds)


@lru_cache(maxsize=16)
def model_of(rules: Rules) -> Model:
    """Return the model of a set of rules."""
    return Model(
        rules,
        (_nodes(rules, INITIAL_ORIGIN), _nodes(rules, SPLIT_ORIGIN), _nodes(rules, ACE_ORIGIN)),
        _pays(rules),
        *_removals(tuple(_all_worlds(rules)), power_doubles(rules)),
    )


@lru_cache(maxsize=16)
def _removals(
    worlds: tuple[World, ...], doubles: tuple[tuple[int, int], ...]
) -> tuple[dict[World, Places], NDArray[np.int64], dict[tuple[int, ...], int]]:
    """Return the places of worlds, the removals, and their numbers; alike for many rules."""
    hands = lattice()
    numbers: dict[tuple[int, ...], int] = {}
    rows: list[tuple[int, ...]] = []

    def number(counts: tuple[int, ...]) -> int:
        if counts not in numbers:
            numbers[counts] = len(rows)
            rows.append(counts)
        return numbers[counts]

    places = {}
    for world in worlds:
        inside = _hands_of(world)
        gone = np.bincount(np.array(world.gone, dtype=np.int64), minlength=CLASSES)
        removals = [number(tuple(row)) for row in (hands.counts[inside] + gone).tolist()]
        places[world] = Places(inside, np.array(removals, dtype=np.int64))
    for pair in doubles:
        start = hands.counts[hands.of(*pair)]
        for third in range(CLASSES):
            for fourth in range(CLASSES):
                row = start.copy()
                row[third] += 1
                row[fourth] += 1
                number(tuple(row.tolist()))
    return places, np.array(rows, dtype=np.int64), numbers


def _hands_of(world: World) -> NDArray[np.int64]:
    hands = lattice()
    if world.start == INITIAL:
        return np.flatnonzero(hands.size >= 2)
    return np.flatnonzero(hands.counts[:, world.start] > 0)


def _nodes(rules: Rules, origin: int) -> Nodes:
    """Ask the graph what every hand is: once for all hands alike to the rules."""
    hands = lattice()
    graph = Graph(rules)
    first = ACE_CLASS if origin == ACE_ORIGIN else 1
    where = None if origin == INITIAL_ORIGIN else Origin(first, False, 0)
    kind = np.full(len(hands.total), WAITS, dtype=np.int64)
    may_double = np.zeros(len(hands.total), dtype=np.bool_)
    inside = np.flatnonzero(hands.size >= 2)
    facts = np.stack([hands.total[inside], hands.soft[inside], hands.size[inside]], axis=1)
    alike, examples, which = np.unique(facts, axis=0, return_index=True, return_inverse=True)
    answers = []
    for (total, _, size), example in zip(alike.tolist(), inside[examples].tolist(), strict=True):
        cards = hands.composition(example)
        answers.append(_ask(graph, Spot(Hand(total, ACE_CLASS in cards, size, cards), where)))
    kinds, doubles = zip(*answers, strict=True)
    kind[inside] = np.array(kinds)[which.reshape(-1)]
    may_double[inside] = np.array(doubles)[which.reshape(-1)]
    return Nodes(kind, may_double)


def _ask(graph: Graph, spot: Spot) -> tuple[int, bool]:
    """Return the kind of a hand, and whether it may be doubled."""
    node = graph.arrive(spot)
    if isinstance(node, Result):
        charlie = node.ending is Ending.CHARLIE
        return (FORCED_CHARLIE if charlie else FORCED_STAND), False
    return DECISION, Action.DOUBLE in graph.legal(spot, 1)


def _pays(rules: Rules) -> Pays:
    def row(ending: Ending, total: int, wager: int) -> list[float]:
        result = Result(ending, total, wager)
        nets = [0.0]  # a hand that depends on the final never meets 'none'
        for final in FINALS[1:]:
            net = settle(rules, (result,), insured=False, final=final).net
            nets.append(net / rules.unit)
        return nets

    def by_total(ending: Ending, wager: int) -> NDArray[np.float64]:
        return np.array([row(ending, total, wager) for total in range(22)])

    charlie = [[row(Ending.CHARLIE, total, wager) for total in (20, 21)] for wager in (1, 2)]
    assert FINALS[-1] is Final.NATURAL, "naturals come last"
    return Pays(
        by_total(Ending.STAND, 1),
        by_total(Ending.DOUBLE, 2),
        by_total(Ending.POWER_DOUBLE, 2),
        np.array(charlie),
        np.array(row(Ending.NATURAL, 21, 1)),
        np.array(row(Ending.SURRENDER, 16, 1)),
    )
