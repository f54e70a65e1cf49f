"""An up card: what the initial hands against it are worth by each action, splits among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.cards import ACE_CLASS, TEN_CLASS
from rtpsim.exact.dealer import NATURAL
from rtpsim.exact.lattice import CLASSES, lattice
from rtpsim.exact.model import DECISION, DOUBLE, HIT, INITIAL, STAND, World, split_worlds
from rtpsim.exact.splits import split_terms
from rtpsim.exact.worldvalues import WorldValues
from rtpsim.program.events import BUST_TOTAL
from rtpsim.program.graph import Action

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.exact.splits import Term


class PowerEnd(NamedTuple):
    """One end of a power double: its chance, best total (22: bust) and the dealer's outcomes."""

    chance: float
    total: int
    outcome: NDArray[np.float64]


class Worth(NamedTuple):
    """Expected net and total wager of an initial hand, in initial wagers."""

    net: float
    wager: float


class Weighted(NamedTuple):
    """A term of a split in its world.

    Attributes
    ----------
    term, world
        The term, and where its hand is valued.
    weight
        Its factor times the probability of the cards that are gone.
    paired
        Probability that the hand's second card pairs with its first.
    """

    term: Term
    world: World
    weight: float
    paired: float


def insurance_gain(chance: float) -> float:
    """Return what insurance nets, in initial wagers: half of one at 2 to 1.

    Parameters
    ----------
    chance
        Probability of a dealer natural.
    """
    return 1.5 * chance - 0.5


@dataclass
class UpCard(WorldValues):
    """What the initial hands against one up card are worth, action by action; as `WorldValues`."""

    _terms: dict[tuple[int, int, bool], tuple[Term, ...]] = field(default_factory=dict)

    # -- initial hands -----------------------------------------------------------------------

    def natural_chance(self, first: int, second: int) -> float:
        """Return the probability of a dealer natural, given the player's two cards."""
        removal = self.model.removal(first, second)
        return float(self.outcomes[NATURAL, removal])

    def plain(self, first: int, second: int) -> dict[Action, Worth]:
        """Return the worth of standing, hitting and doubling the initial two cards."""
        world = World(INITIAL, ())
        values = self.value(world)
        hand = lattice().of(first, second)
        live = self._live(first, second)
        found = {}
        for action, code in ((Action.STAND, STAND), (Action.HIT, HIT), (Action.DOUBLE, DOUBLE)):
            net = float(values.actions[hand, code])
            if net > -np.inf:
                found[action] = self._whole(
                    first, second, net, self._wager(world, hand, code, live)
                )
        return found

    def _live(self, first: int, second: int) -> float:
        return 1.0 - self.natural_chance(first, second) if self.ends_early else 1.0

    def _wager(self, world: World, hand: int, action: int, live: float) -> float:
        """Return the wager of a hand that takes an action; ``live``: what is wagered to stand."""
        hands, natural = lattice(), self.natural_card
        if action != HIT:
            return 2.0 * live if action == DOUBLE else live
        left = self.deal(world).left - hands.counts[hand]
        values, cards = self.value(world), int(left.sum())
        wager = 0.0
        for card in np.flatnonzero(left > 0).tolist():
            child = int(hands.following[hand, card])
            if child >= 0:
                wager += left[card] / cards * values.wager[child]
            else:
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

    def split_terms(self, first: int, second: int, *, power: bool) -> tuple[Term, ...]:
        """Return the terms of the value of a split under the policy."""
        if (first, second, power) not in self._terms:
            self._terms[first, second, power] = max(
                self._choices(first, second, power=power),
                key=lambda terms: self._sum_terms(first, second, terms)[0],
            )
        return self._terms[first, second, power]

    def _choices(self, first: int, second: int, *, power: bool) -> list[tuple[Term, ...]]:
        """Return the ways of splitting again that the policy leaves open."""
        rules, cards = self.model.rules, (first, second)
        said = {card: self.policy.splits_again(card, self.up, power=power) for card in cards}
        if None not in said.values():
            again = [frozenset(card for card in cards if said[card])]
            ways = [(rules, again[0])]
        elif power:
            again = [frozenset(some) for some in ((), (first,), (second,), cards)]
            ways = [(rules, some) for some in again]
        else:  # up to each number of splits that the rules allow
            limits = ["tree"] if rules.splits == "tree" else range(2, int(rules.splits) + 1)
            ways = [(rules, frozenset())]
            ways += [(rules.replace(splits=limit), frozenset(cards)) for limit in limits]
        return [
            split_terms(limited, first, second, power=power, again=again) for limited, again in ways
        ]

    def splits_again(self, first: int, second: int, *, power: bool) -> frozenset[int]:
        """Return the classes of which further pairs are split, of a split of these cards."""
        terms = self.split_terms(first, second, power=power)
        return frozenset(term.card for term in terms if term.unpaired)

    def split(self, card: int, own_left: int) -> Worth:
        """Return the worth of splitting a pair.

        Parameters
        ----------
        card
            Class of the pair.
        own_left
            Cards left that would pair with it again, the up card not among them.
        """
        terms = self.split_terms(card, card, power=False)
        net, wager = self._sum_terms(card, card, terms, {card: own_left})
        return self._whole(card, card, net, wager)

    def power_split(self, first: int, second: int, own_left: dict[int, int]) -> Worth:
        """Return the worth of a power split; ``own_left``: see `split`, by class."""
        terms = self.split_terms(first, second, power=True)
        net, wager = self._sum_terms(first, second, terms, own_left)
        return self._whole(first, second, net, wager)

    def _sum_terms(
        self,
        first: int,
        second: int,
        terms: tuple[Term, ...],
        own_left: dict[int, int] | None = None,
    ) -> tuple[float, float]:
        """Return net and wager of a split; ``own_left``: cards left by class where ranks count."""
        hands = lattice()
        net = wager = 0.0
        for term, world, weight, paired in self.weighted(first, second, terms, own_left):
            values = self.value(world)
            start, pair = hands.of(term.card), hands.of(term.card, term.card)
            hand_net, hand_wager = values.net[start], values.wager[start]
            if term.unpaired and paired > 0.0:
                hand_net -= paired * values.net[pair]
                hand_wager -= paired * values.wager[pair]
            if term.kept and paired > 0.0:
                kept = self._kept(term.card, world)
                hand_net += paired * (kept.net - values.net[pair])
                hand_wager += paired * (kept.wager - values.wager[pair])
            net += weight * hand_net
            wager += weight * hand_wager
        return float(net), float(wager)

    def weighted(
        self,
        first: int,
        second: int,
        terms: tuple[Term, ...],
        own_left: dict[int, int] | None = None,
    ) -> list[Weighted]:
        """Return the terms of a split with their weights, but those that cannot be.

        Parameters
        ----------
        first, second
            The cards split.
        terms
            The terms of the split.
        own_left
            Cards left by class that would pair with it, where ranks count; all of the class if
            not given.
        """
        if own_left is None:
            left = self.shoe - np.bincount([first, second, self.up], minlength=CLASSES)
            own_left = {card: int(left[card]) for card in (first, second)}
        cards = int(self.shoe.sum()) - 3
        found = []
        for term, world in zip(terms, split_worlds(first, second, terms), strict=True):
            chance, paired = term.chances(own_left, cards)
            if chance != 0.0:
                found.append(Weighted(term, world, term.times * chance, paired))
        return found

    def keeps_apart(self, card: int) -> bool:
        """Whether a pair that might be split again is played otherwise than its total."""
        origin, pair = World(card, ()).origin, lattice().of(card, card)
        if self.model.nodes[origin].kind[pair] != DECISION:
            return False
        kept = self.policy.keeps(card, self.up)
        return kept not in (None, int(self.policy.actions(origin, self.up)[pair]))

    def _kept(self, card: int, world: World) -> Worth:
        """Return the worth of a pair after a split that might be split again and is not."""
        values, pair = self.value(world), lattice().of(card, card)
        action = self.policy.keeps(card, self.up)
        if action is None or self.model.nodes[world.origin].kind[pair] != DECISION:
            return Worth(values.net[pair], values.wager[pair])
        natural = float(self.outcomes[NATURAL, self.removal_of(world)[pair]])
        live = 1.0 - natural if self.ends_early else 1.0
        return Worth(values.actions[pair, action], self._wager(world, pair, action, live))

    def surrender(self, first: int, second: int) -> Worth:
        """Return the worth of surrendering."""
        early = self.model.rules.surrenders_early
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
        net = sum(map(self._power_net, self.power_ends(first, second)))
        return self._whole(first, second, net, 2.0 * self._live(first, second))

    def power_ends(self, first: int, second: int) -> list[PowerEnd]:
        """Return every way in which a power double can end."""
        left = self.shoe - np.bincount([first, second, self.up], minlength=CLASSES)
        cards = int(left.sum())
        ends: list[PowerEnd] = []
        for third in np.flatnonzero(left).tolist():
            chance = float(left[third] / cards)
            kept = self._power_end((first, second), third, (), chance)
            left[third] -= 1
            replaced = [
                self._power_end(
                    (first, second), fourth, (third,), chance * left[fourth] / (cards - 1)
                )
                for fourth in np.flatnonzero(left).tolist()
            ]
            left[third] += 1
            gain = sum(map(self._power_net, replaced)) - self._power_net(kept)
            takes = self.policy.replaces(first, second, self.up, third, gain)
            ends += replaced if takes else [kept]
        return ends

    def _power_end(
        self, initial: tuple[int, int], card: int, discarded: tuple[int, ...], chance: float
    ) -> PowerEnd:
        """Return the end of a power double that ends with ``card``."""
        hands = lattice()
        hand = hands.of(*initial, card)
        outcome = self.outcomes[:, self.model.removal(*initial, card, *discarded)]
        if self.ends_early:
            outcome = np.where(np.arange(len(outcome)) == NATURAL, 0.0, outcome)
        return PowerEnd(chance, int(hands.best[hand]) if hand >= 0 else BUST_TOTAL, outcome)

    def _power_net(self, end: PowerEnd) -> float:
        """Return what an end adds to the net of a power double."""
        alive = end.outcome[:NATURAL] if self.original_only else end.outcome
        if end.total == BUST_TOTAL:
            return -2.0 * end.chance * float(alive.sum())
        row = self.model.pays.power_double[end.total, : len(alive)]
        return end.chance * float(row @ alive)
