"""Policies: what a strategy decides, in the form in which the exact engine asks."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rtpsim.cards import ACE_CLASS
from rtpsim.exact.lattice import CLASSES, lattice
from rtpsim.exact.model import (
    ACE_ORIGIN,
    DECISION,
    DOUBLE,
    HIT,
    INITIAL_ORIGIN,
    SPLIT_ORIGIN,
    STAND,
    World,
    model_of,
)
from rtpsim.exact.worlds import FOLLOW, IMITATE, OPTIMISE
from rtpsim.program.graph import Action, Graph, Origin, Spot
from rtpsim.program.hands import Hand, hand_of
from rtpsim.program.player import ChartPlayer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rtpsim.rules import Rules
    from rtpsim.strategy import Chart

CODES = {Action.STAND: STAND, Action.HIT: HIT, Action.DOUBLE: DOUBLE}
_ORIGINS = {
    INITIAL_ORIGIN: None,
    SPLIT_ORIGIN: Origin(1, False, 0),
    ACE_ORIGIN: Origin(ACE_CLASS, False, 0),
}


class Policy(Protocol):
    """What the exact engine asks of a strategy; classes and up cards are value classes."""

    def mode(self, world: World) -> int:
        """Return how a world's decisions are made: `FOLLOW`, `OPTIMISE` or `IMITATE`."""

    def actions(self, origin: int, up: int) -> NDArray[np.int64]:
        """Return the action of every hand of the lattice, to follow."""

    def opening(
        self, first: int, second: int, up: int, nets: Mapping[Action, float], *, pair: bool
    ) -> Action:
        """Return the action on the initial two cards, one of ``nets``; ``pair`` if splittable."""

    def splits_again(self, card: int, up: int, *, power: bool) -> bool | None:
        """Whether a further pair of a split is split while the rules allow.

        None: whichever brings more. ``power``: the first split was a power split.
        """

    def keeps(self, card: int, up: int) -> int | None:
        """Return the action on such a pair where it is not split; None: as on its total."""

    def replaces(self, first: int, second: int, up: int, third: int, gain: float) -> bool:
        """Whether a power double's third card is replaced; ``gain`` is the net of doing so."""

    def insures(self, first: int, second: int, gain: float) -> bool:
        """Whether insurance is taken; ``gain`` is the net of doing so."""


class OptimalPolicy:
    """The best play by composition: `optimal-cd`.

    Parameters
    ----------
    split_model
        ``CDP`` or ``CDZ-``: see the words in the README.
    resplits
        ``forced``: every further pair of a split is split while the rules allow, the convention
        of published values. ``best``: as often as brings most, decided for each pair, up card
        and number of splits so far.
    """

    def __init__(self, split_model: str = "CDP", resplits: str = "forced") -> None:
        self.split_model = split_model
        self.resplits = resplits

    def mode(self, world: World) -> int:
        """Optimise; split hands imitate the initial ones under CDZ-."""
        imitates = self.split_model == "CDZ-" and world.origin != INITIAL_ORIGIN
        return IMITATE if imitates else OPTIMISE

    def actions(self, origin: int, up: int) -> NDArray[np.int64]:
        """Return room for the actions to be found."""
        return np.zeros(len(lattice().total), dtype=np.int64)

    def opening(
        self, first: int, second: int, up: int, nets: Mapping[Action, float], *, pair: bool
    ) -> Action:
        """Return the best action."""
        return max(nets, key=nets.__getitem__)

    def splits_again(self, card: int, up: int, *, power: bool) -> bool | None:
        """Every further pair is split if that is forced; after a power split where it brings more.

        One hand of a power split often begins with a ten: to force it would be no play at all.
        """
        return None if power or self.resplits == "best" else True

    def keeps(self, card: int, up: int) -> int | None:
        """Play a pair as its total."""
        return None

    def replaces(self, first: int, second: int, up: int, third: int, gain: float) -> bool:
        """Replace where it gains."""
        return bool(gain > 0.0)  # numpy has truth values that JSON does not know

    def insures(self, first: int, second: int, gain: float) -> bool:
        """Insure where it gains."""
        return bool(gain > 0.0)  # numpy has truth values that JSON does not know


class ChartPolicy:
    """Play by a chart.

    Parameters
    ----------
    chart
        The chart.
    rules
        The rules under which its letters are read.
    """

    def __init__(self, chart: Chart, rules: Rules) -> None:
        self.rules = rules
        self.graph = Graph(rules)
        self.player = ChartPlayer(chart, rules)
        self._actions: dict[tuple[int, int], NDArray[np.int64]] = {}
        self._further: dict[tuple[int, int], Action] = {}

    def mode(self, world: World) -> int:
        """Follow the chart."""
        return FOLLOW

    def actions(self, origin: int, up: int) -> NDArray[np.int64]:
        """Ask the chart once for all hands that are alike to it."""
        if (origin, up) not in self._actions:
            self._actions[origin, up] = self._ask(origin, up)
        return self._actions[origin, up]

    def _ask(self, origin: int, up: int) -> NDArray[np.int64]:
        alike, first_of = _alike(self.rules, origin, self.player.cards_alike)
        where = _ORIGINS[origin]
        codes = np.zeros(len(first_of), dtype=np.int64)
        for number, hand in enumerate(first_of):
            spot = Spot(hand, where)
            legal = tuple(action for action in self.graph.legal(spot, up) if action in CODES)
            codes[number] = CODES[self.player.action(spot, up, legal)]
        given = np.full(len(alike), STAND, dtype=np.int64)
        decided = alike >= 0
        given[decided] = codes[alike[decided]]
        return given

    def opening(
        self, first: int, second: int, up: int, nets: Mapping[Action, float], *, pair: bool
    ) -> Action:
        """Return the chart's action."""
        return self.player.action(Spot(hand_of(first, second), None), up, tuple(nets))

    def splits_again(self, card: int, up: int, *, power: bool) -> bool | None:
        """Whether the pair's row says split."""
        return self._further_pair(card, up) is Action.SPLIT

    def keeps(self, card: int, up: int) -> int | None:
        """Return the action of the pair's row, which need not be that of the total's."""
        return CODES[self._further_pair(card, up)]

    def _further_pair(self, card: int, up: int) -> Action:
        if (card, up) not in self._further:
            spot = Spot(hand_of(card, card), Origin(card, True, 0))
            legal = self.graph.legal(spot, up)
            self._further[card, up] = self.player.action(spot, up, legal)
        return self._further[card, up]

    def replaces(self, first: int, second: int, up: int, third: int, gain: float) -> bool:
        """Whether the chart lists the card."""
        return self.player.replaces(hand_of(first, second), up, third)

    def insures(self, first: int, second: int, gain: float) -> bool:
        """Return the chart's word on insurance."""
        return self.player.insures(first, second)


@lru_cache(maxsize=64)
def _alike(rules: Rules, origin: int, cards: int) -> tuple[NDArray[np.int64], tuple[Hand, ...]]:
    """Group decisions by what a chart can see.

    Returns the group of every hand of the lattice (-1: no decision) and one hand of each group.
    Initial two cards are a group each, for the exceptions that a chart may make of them.
    """
    hands = lattice()
    kind = model_of(rules).nodes[origin].kind
    groups: dict[tuple[int, ...], int] = {}
    first_of: list[Hand] = []
    alike = np.full(len(hands.total), -1, dtype=np.int64)
    for number in np.flatnonzero(kind == DECISION).tolist():
        total, size = int(hands.total[number]), min(int(hands.size[number]), cards)
        soft = bool(hands.soft[number])
        composition = hands.composition(number)
        key: tuple[int, ...] = (total, soft, size)
        if size == 2 and origin == INITIAL_ORIGIN:
            key = composition
        if key not in groups:
            groups[key] = len(first_of)
            shown = composition if size == 2 else ()
            first_of.append(Hand(total, ACE_CLASS in composition, size, shown))
        alike[number] = groups[key]
    return alike, tuple(first_of)


def pairs() -> list[tuple[int, int]]:
    """Return all initial two cards as ascending classes."""
    return [(first, second) for first in range(CLASSES) for second in range(first, CLASSES)]
