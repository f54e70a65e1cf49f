"""Starts: where the initial two cards lead by a chart's other rows, as weights on places.

Pairs, power splits, power doubles and insurance are *toggles*: on or off for an up card. Given
them, an initial hand is a constant and a few weighted places; the return is their sum.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.exact.lattice import CLASSES, lattice
from rtpsim.exact.model import INITIAL, World, power_pairs, split_worlds
from rtpsim.exact.solver.cells import Total
from rtpsim.exact.solver.power import power_doubles_of
from rtpsim.exact.splits import split_terms
from rtpsim.exact.upcard import insurance_gain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rtpsim.exact.deals import Dealt
    from rtpsim.exact.solver.stack import Layout
    from rtpsim.exact.upcard import UpCard


class Toggle(NamedTuple):
    """A row of a chart that says yes or no.

    Attributes
    ----------
    kind
        ``pair``, ``power split``, ``power double`` or ``insurance``.
    cards
        The class of the pair twice, or the two cards; empty for a power double.
    total
        Of a power double.
    """

    kind: str
    cards: tuple[int, ...] = ()
    total: Total | None = None


class Start(NamedTuple):
    """What an initial hand is worth: ``constant`` and ``weights`` on the nets of ``places``."""

    constant: float
    places: NDArray[np.int64]
    weights: NDArray[np.float64]


class Routes(NamedTuple):
    """The toggles that say how an initial hand is played; None where it has none of the kind."""

    insurance: Toggle | None
    power_split: Toggle | None
    power_double: Toggle | None
    pair: Toggle | None


@dataclass
class Starts:
    """The initial hands against an up card.

    Parameters
    ----------
    cards
        The up card's worlds; second, where there are any, those in which insurance has found no
        natural.
    layout
        The places of one of them; those of the second follow.
    deals
        The initial hands.
    """

    cards: list[UpCard]
    layout: Layout
    deals: list[Dealt]
    replaced: dict[Total, frozenset[int]] = field(init=False)
    toggles: dict[Toggle, list[int]] = field(init=False)
    _known: dict[tuple[object, ...], Start] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rules = self.cards[0].model.rules
        self._power = [power_doubles_of(card) for card in self.cards]
        self._power_pairs = frozenset(power_pairs(self.rules))
        self.replaced = self._replacements()
        self._routes = [self._routes_of(deal) for deal in self.deals]
        self.toggles = self._toggles()

    def _routes_of(self, deal: Dealt) -> Routes:
        cards = deal.first, deal.second
        return Routes(
            Toggle("insurance", cards) if len(self.cards) > 1 else None,
            Toggle("power split", cards) if cards in self._power_pairs else None,
            Toggle("power double", total=Total.of(*cards)) if cards in self._power[0] else None,
            Toggle("pair", cards) if deal.pair else None,
        )

    def _replacements(self) -> dict[Total, frozenset[int]]:
        """Return the third cards to replace in the power doubles of each total."""
        gains: dict[Total, NDArray[np.float64]] = {}
        for deal in self.deals:
            double = self._power[0].get((deal.first, deal.second))
            if double is not None:
                total = Total.of(deal.first, deal.second)
                gain = deal.probability * double.gain
                gains[total] = gains.get(total, np.zeros(CLASSES)) + gain
        return {total: frozenset(np.flatnonzero(gain > 0.0)) for total, gain in gains.items()}

    def _toggles(self) -> dict[Toggle, list[int]]:
        """Return every toggle with the deals that it bears on."""
        found: dict[Toggle, list[int]] = {}
        resplits = self.rules.power_split == "resplit"
        for number, (deal, routes) in enumerate(zip(self.deals, self._routes, strict=True)):
            mine = [toggle for toggle in (routes.pair, routes.power_split) if toggle]
            if routes.power_split and resplits:
                mine += [Toggle("pair", (card, card)) for card in {deal.first, deal.second}]
            mine += [toggle for toggle in (routes.power_double, routes.insurance) if toggle]
            for toggle in dict.fromkeys(mine):
                found.setdefault(toggle, []).append(number)
        return found

    def flips(self) -> list[tuple[Toggle, ...]]:
        """Return the toggles, alone and in twos that bear on the same deals."""
        twos = (
            (one, two)
            for one, two in combinations(self.toggles, 2)
            if not set(self.toggles[one]).isdisjoint(self.toggles[two])
        )
        return [*((toggle,) for toggle in self.toggles), *twos]

    def start(self, number: int, on: Mapping[Toggle, bool]) -> Start:
        """Return where a deal leads when the toggles stand as they do."""
        insurance, power_split, power_double, pair = self._routes[number]
        context = int(insurance is not None and on[insurance])
        route: tuple[object, ...] = ("plain",)
        if power_split is not None and on[power_split]:
            route = ("power split", self._again(power_split.cards, on))
        elif power_double is not None and on[power_double]:
            route = ("power double",)
        elif pair is not None and on[pair]:
            route = ("split", frozenset(pair.cards))
        key = (number, context, *route)
        if key not in self._known:
            self._known[key] = self._start(self.deals[number], context, route)
        return self._known[key]

    def _again(self, cards: tuple[int, ...], on: Mapping[Toggle, bool]) -> frozenset[int]:
        if self.rules.power_split != "resplit":
            return frozenset()
        return frozenset(card for card in cards if on.get(Toggle("pair", (card, card)), False))

    def _start(self, deal: Dealt, context: int, route: tuple[object, ...]) -> Start:
        card, offset = self.cards[context], context * len(self.layout.hand)
        chance = card.natural_chance(deal.first, deal.second)
        constant = -chance if card.original_only else 0.0
        if context:
            constant += insurance_gain(chance)  # the insurance, which has brought us here
        places: dict[int, float] = {}
        if route[0] == "plain":
            hand = lattice().of(deal.first, deal.second)
            places[int(self.layout.place[World(INITIAL, ())][hand])] = 1.0
        elif route[0] == "power double":
            double = self._power[context][deal.first, deal.second]
            replaced = self.replaced[Total.of(deal.first, deal.second)]
            constant += double.kept + sum(float(double.gain[third]) for third in replaced)
        else:
            assert isinstance(route[1], frozenset)
            places = self._split(deal, route[1], power=route[0] == "power split")
        return Start(
            deal.probability * constant,
            np.array(list(places), dtype=np.int64) + offset,
            np.array(list(places.values())) * deal.probability,
        )

    def _split(self, deal: Dealt, again: frozenset[int], *, power: bool) -> dict[int, float]:
        """Return the weights of a split's places: see `rtpsim.exact.splits`."""
        first, second = deal.first, deal.second
        terms = split_terms(self.rules, first, second, power=power, again=again)
        cards = int(self.cards[0].shoe.sum()) - 3
        weights: dict[int, float] = {}
        for case in deal.cases:
            for term, world in zip(terms, split_worlds(first, second, terms), strict=True):
                weight, chance = term.chances(case.left, cards, term.times * case.chance)
                if weight == 0.0:
                    continue
                place = self.layout.place[world]
                begins = int(place[lattice().of(term.card)])
                weights[begins] = weights.get(begins, 0.0) + weight
                if term.unpaired and chance > 0.0:
                    paired = int(place[lattice().of(term.card, term.card)])
                    weights[paired] = weights.get(paired, 0.0) - weight * chance
        return weights
