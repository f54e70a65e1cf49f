"""An up card: every world of hands against it, valued under a policy when first asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.cards import ACE_CLASS, TEN_CLASS
from rtpsim.exact.dealer import dealer_outcomes, dealer_trees
from rtpsim.exact.lattice import CLASSES, lattice
from rtpsim.exact.model import (
    DOUBLE,
    HIT,
    INITIAL,
    INITIAL_ORIGIN,
    STAND,
    Model,
    World,
    split_worlds,
)
from rtpsim.exact.splits import split_terms
from rtpsim.exact.worlds import Deal, Table, Values, value_world
from rtpsim.program.dealer import peeks
from rtpsim.program.graph import Action

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.exact.policies import Policy
    from rtpsim.exact.splits import Term

_NATURAL = 8


class Worth(NamedTuple):
    """Expected net and total wager of an initial hand, in initial wagers."""

    net: float
    wager: float


def dealer_table(model: Model, shoe: NDArray[np.int64], up: int) -> NDArray[np.float64]:
    """Return the dealer's outcomes by final and removal for an up card."""
    left = shoe[:, np.newaxis] - model.removed.T
    left[up] -= 1
    return dealer_outcomes(
        dealer_trees(model.rules.soft17)[up], np.maximum(left, 0).astype(np.float64)
    )


@dataclass
class UpCard:
    """All worlds of one up card in one shoe, valued under a policy when first asked for.

    Parameters
    ----------
    model
        The rules' model.
    shoe
        Cards by value class before the up card is dealt, int64, shape (10,).
    up
        The up card.
    policy
        The strategy.
    outcomes
        Dealer's outcomes by final and removal (`dealer_outcomes`).
    natural_known
        Whether a natural is found or ruled out before play though the rules of the hole card do
        not say so (`Rules.insurance_peek`).
    """

    model: Model
    shoe: NDArray[np.int64]
    up: int
    policy: Policy
    outcomes: NDArray[np.float64]
    natural_known: bool = False
    values: dict[World, Values] = field(default_factory=dict)

    @property
    def natural_card(self) -> int:
        """Class that makes the dealer's natural, -1 where none does."""
        return {ACE_CLASS: TEN_CLASS, TEN_CLASS: ACE_CLASS}.get(self.up, -1)

    @property
    def ends_early(self) -> bool:
        """Whether a dealer natural is found before play."""
        known = self.natural_known or peeks(self.model.rules, self.up)
        return self.natural_card >= 0 and known

    @property
    def original_only(self) -> bool:
        """Whether a dealer natural costs the original bet only."""
        obo = self.natural_card >= 0 and self.model.rules.hole_card == "obo"
        return self.ends_early or obo

    def value(self, world: World) -> Values:
        """Return the values of a world."""
        if world not in self.values:
            self.values[world] = self._value(world)
        return self.values[world]

    def _value(self, world: World) -> Values:
        origin = world.origin
        places = self.model.places[world]
        size = len(lattice().total)
        removal_of = np.zeros(size, dtype=np.int64)
        removal_of[places.hands] = places.removals
        left = self.shoe - np.bincount(
            np.array([self.up, *world.gone], dtype=np.int64), minlength=CLASSES
        )
        values = Values(
            self.policy.actions(origin, self.up),
            np.zeros((size, 3)),
            np.zeros(size),
            np.zeros(size),
            np.zeros(size),
        )
        initial = World(INITIAL, ())
        pattern = values.actions if world == initial else self.value(initial).actions
        value_world(
            places.hands,
            removal_of,
            self.table(origin),
            Deal(left, self.outcomes, self.natural_card, self.original_only, self.ends_early),
            self.policy.mode(world),
            pattern,
            values,
        )
        return values

    def table(self, origin: int) -> Table:
        """Return the lattice and the rules for hands of an origin."""
        hands, nodes, pays = lattice(), self.model.nodes[origin], self.model.pays
        rules = self.model.rules
        return Table(
            hands.counts,
            hands.best,
            hands.size,
            hands.following,
            nodes.kind,
            nodes.may_double,
            pays.stand,
            pays.double,
            pays.charlie,
            rules.charlie or 0,
            origin == INITIAL_ORIGIN or rules.charlie_after_split,
        )

    # -- initial hands -----------------------------------------------------------------------

    def natural_chance(self, first: int, second: int) -> float:
        """Return the probability of a dealer natural, given the player's two cards."""
        removal = self.model.removal(first, second)
        return float(self.outcomes[_NATURAL, removal])

    def plain(self, first: int, second: int) -> dict[Action, Worth]:
        """Return the worth of standing, hitting and doubling the initial two cards."""
        values = self.value(World(INITIAL, ()))
        hand = lattice().of(first, second)
        live = self._live(first, second)
        wagers = {STAND: live, HIT: self._hit_wager(hand), DOUBLE: 2.0 * live}
        found = {}
        for action, code in ((Action.STAND, STAND), (Action.HIT, HIT), (Action.DOUBLE, DOUBLE)):
            net = float(values.actions[hand, code])
            if net > -np.inf:
                found[action] = self._whole(first, second, net, wagers[code])
        return found

    def _live(self, first: int, second: int) -> float:
        return 1.0 - self.natural_chance(first, second) if self.ends_early else 1.0

    def _hit_wager(self, hand: int) -> float:
        """Return the wager of an initial hand that is hit."""
        values = self.value(World(INITIAL, ()))
        hands = lattice()
        left = self.shoe - hands.counts[hand]
        left[self.up] -= 1
        cards = int(left.sum())
        wager = 0.0
        for card in np.flatnonzero(left).tolist():
            child = int(hands.following[hand, card])
            if child >= 0:
                wager += left[card] / cards * values.wager[child]
            else:
                natural = self.natural_card
                chance = (left[natural] - (card == natural)) / (cards - 1) if natural >= 0 else 0.0
                wager += left[card] / cards * (1.0 - chance if self.ends_early else 1.0)
        return float(wager)

    def _whole(self, first: int, second: int, net: float, wager: float) -> Worth:
        """Add what a dealer natural does to a hand whose play was valued without it."""
        chance = self.natural_chance(first, second)
        return Worth(
            net - chance if self.original_only else net,
            wager + chance if self.ends_early else wager,
        )

    def split(self, card: int, own_left: int, *, again: bool) -> Worth:
        """Return the worth of splitting a pair.

        Parameters
        ----------
        card
            Class of the pair.
        own_left
            Cards left that would pair with it again, the up card not among them.
        again
            Whether further pairs are split.
        """
        terms = split_terms(self.model.rules, card, card, power=False, again=again)
        net, wager = self._sum_terms(card, card, terms, {card: own_left})
        return self._whole(card, card, net, wager)

    def power_split(self, first: int, second: int) -> Worth:
        """Return the worth of a power split."""
        again = self.model.rules.power_split == "resplit"
        terms = split_terms(self.model.rules, first, second, power=True, again=again)
        left = self.shoe - np.bincount([first, second, self.up], minlength=CLASSES)
        own = {card: int(left[card]) for card in (first, second)}
        net, wager = self._sum_terms(first, second, terms, own)
        return self._whole(first, second, net, wager)

    def _sum_terms(
        self, first: int, second: int, terms: tuple[Term, ...], own_left: dict[int, int]
    ) -> tuple[float, float]:
        hands = lattice()
        cards = int(self.shoe.sum()) - 3
        net = wager = 0.0
        for term, world in zip(terms, split_worlds(first, second, terms), strict=True):
            chance, own = 1.0, dict(own_left)
            for drawn, gone in enumerate(term.gone):
                chance *= own[gone] / (cards - drawn) if own[gone] > 0 else 0.0
                own[gone] -= 1
            if chance == 0.0:
                continue
            values = self.value(world)
            start = hands.of(term.card)
            hand_net, hand_wager = values.net[start], values.wager[start]
            if term.unpaired and own[term.card] > 0:
                paired = own[term.card] / (cards - len(term.gone))
                pair = hands.of(term.card, term.card)
                hand_net -= paired * values.net[pair]
                hand_wager -= paired * values.wager[pair]
            net += term.times * chance * hand_net
            wager += term.times * chance * hand_wager
        return float(net), float(wager)

    def surrender(self, first: int, second: int) -> Worth:
        """Return the worth of surrendering."""
        early = self.model.rules.surrender in ("early", "early-ten")
        if early:
            return Worth(-0.5, 1.0)
        outcome = self.outcomes[:, self.model.removal(first, second)]
        return Worth(float(self.model.pays.surrender @ outcome), 1.0)

    def natural(self) -> Worth:
        """Return the worth of a natural."""
        outcome = self.outcomes[:, self.model.removal(ACE_CLASS, TEN_CLASS)]
        return Worth(float(self.model.pays.natural @ outcome), 1.0)

    def power_double(self, first: int, second: int) -> Worth:
        """Return the worth of a power double."""
        left = self.shoe - np.bincount([first, second, self.up], minlength=CLASSES)
        cards = int(left.sum())
        net = 0.0
        for third in np.flatnonzero(left).tolist():
            kept = self._power_settled((first, second), third, ())
            left[third] -= 1
            replaced = sum(
                left[fourth] / (cards - 1) * self._power_settled((first, second), fourth, (third,))
                for fourth in np.flatnonzero(left).tolist()
            )
            left[third] += 1
            takes = self.policy.replaces(first, second, self.up, third, replaced - kept)
            net += left[third] / cards * (replaced if takes else kept)
        return self._whole(first, second, float(net), 2.0 * self._live(first, second))

    def _power_settled(
        self, initial: tuple[int, int], card: int, discarded: tuple[int, ...]
    ) -> float:
        """Return the mean net of a power double that ends with ``card``."""
        hands = lattice()
        hand = hands.of(*initial, card)
        outcome = self.outcomes[:, self.model.removal(*initial, card, *discarded)]
        if self.original_only:
            outcome = np.where(np.arange(len(outcome)) == _NATURAL, 0.0, outcome)
        if hand < 0:
            return -2.0 * float(outcome.sum())
        return float(self.model.pays.power_double[hands.best[hand]] @ outcome)
