"""World values: every world of hands against an up card, valued when first asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from rtpsim.cards import ACE_CLASS, TEN_CLASS
from rtpsim.exact.dealer import dealer_outcomes, dealer_trees
from rtpsim.exact.lattice import CLASSES, lattice
from rtpsim.exact.model import INITIAL, INITIAL_ORIGIN, Model, World
from rtpsim.exact.worlds import Deal, Table, Values, value_world
from rtpsim.program.dealer import peeks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.exact.model import Removals
    from rtpsim.exact.policies import Policy


def dealer_table(model: Model, shoe: NDArray[np.int64], up: int) -> NDArray[np.float64]:
    """Return the dealer's outcomes by final and removal for an up card; not to be written to."""
    return _dealer_table(model.removals, model.rules.soft17, tuple(shoe.tolist()), up)


# ten up cards of some rule sets, 0.2 to 0.7 MB each: strategies share them, and so do rule sets
# that differ in the player's rules
@lru_cache(maxsize=80)
def _dealer_table(
    removals: Removals, soft17: str, shoe: tuple[int, ...], up: int
) -> NDArray[np.float64]:
    left = np.array(shoe, dtype=np.int64)[:, np.newaxis] - removals.removed.T
    left[up] -= 1
    return dealer_outcomes(dealer_trees(soft17)[up], np.maximum(left, 0).astype(np.float64))


@dataclass
class WorldValues:
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
    _deals: dict[World, Deal] = field(default_factory=dict)

    @cached_property
    def natural_card(self) -> int:
        """Class that makes the dealer's natural, -1 where none does."""
        return {ACE_CLASS: TEN_CLASS, TEN_CLASS: ACE_CLASS}.get(self.up, -1)

    @cached_property
    def ends_early(self) -> bool:
        """Whether a dealer natural is found before play."""
        known = self.natural_known or peeks(self.model.rules, self.up)
        return self.natural_card >= 0 and known

    @cached_property
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
        size = len(lattice().total)
        values = Values(
            self.policy.actions(world.origin, self.up),
            np.zeros((size, 3)),
            np.zeros(size),
            np.zeros(size),
            np.zeros(size),
        )
        initial = World(INITIAL, ())
        pattern = values.actions if world == initial else self.value(initial).actions
        value_world(
            self.model.places[world].hands,
            self.removal_of(world),
            self.table(world.origin),
            self.deal(world),
            self.policy.mode(world),
            pattern,
            values,
        )
        return values

    def removal_of(self, world: World) -> NDArray[np.int64]:
        """Return the removal of each of a world's hands, by lattice number."""
        places = self.model.places[world]
        removal_of = np.zeros(len(lattice().total), dtype=np.int64)
        removal_of[places.hands] = places.removals
        return removal_of

    def deal(self, world: World) -> Deal:
        """Return the shoe of a world."""
        if world not in self._deals:
            gone = np.array([self.up, *world.gone], dtype=np.int64)
            left = self.shoe - np.bincount(gone, minlength=CLASSES)
            self._deals[world] = Deal(
                left, self.outcomes, self.natural_card, self.original_only, self.ends_early
            )
        return self._deals[world]

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
