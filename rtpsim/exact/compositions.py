"""The best play by composition, written down decision by decision so that it can be simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rtpsim.cards import TEN_CLASS, VALUE_CLASSES, Shoe
from rtpsim.errors import InputError
from rtpsim.exact.evaluate import evaluation
from rtpsim.exact.lattice import CLASSES, lattice
from rtpsim.exact.model import DECISION, DOUBLE, HIT, INITIAL, STAND, World
from rtpsim.exact.policies import OptimalPolicy
from rtpsim.exact.result import solved
from rtpsim.program.composition import CompositionStrategy
from rtpsim.program.compositionfiles import is_composition_file, read_composition
from rtpsim.program.graph import Action
from rtpsim.strategy import Chart, check_chart, chosen_strategy, default_chart

if TYPE_CHECKING:
    from rtpsim.exact.evaluate import Evaluation, Opening
    from rtpsim.exact.upcard import UpCard
    from rtpsim.games import Game
    from rtpsim.program.composition import Decision, Strategy
    from rtpsim.strategy import AnyStrategy

Key = TypeVar("Key", bound=tuple[Any, ...])
What = TypeVar("What")

_ACTIONS = {STAND: Action.STAND, HIT: Action.HIT, DOUBLE: Action.DOUBLE}
_TENS = range(TEN_CLASS, 13)


class _NotingPolicy(OptimalPolicy):
    """The best play, noting which third cards of power doubles are replaced."""

    def __init__(self, split_model: str) -> None:
        super().__init__(split_model)
        self.replaced: set[tuple[tuple[int, ...], int, int]] = set()

    def replaces(self, first: int, second: int, up: int, third: int, gain: float) -> bool:
        """Replace where it gains, and note it."""
        takes = super().replaces(first, second, up, third, gain)
        if takes:
            self.replaced.add(((first, second), up, third))
        return takes


def composition_strategy(
    game: Game, split_model: str = "CDP", shoe: Shoe | None = None
) -> CompositionStrategy:
    """Return ``optimal-cd`` of a game as a table of decisions.

    It is what `rtpsim.exact.exact` values, further pairs split while the rules allow.

    Parameters
    ----------
    game
        The game.
    split_model
        ``CDP``: hands of a split are played by their own cards. ``CDZ-``: as if they had not been
        split.
    shoe
        The shoe that it is the best play for; by default the game's decks.

    Raises
    ------
    InputError
        If the play depends on what the states of a hand do not tell: under CDP on how often a pair
        is still going to be split, or on both cards of a power split; where insurance shows
        whether the dealer has a natural, on whether the hand is insured.
    """
    policy = _NotingPolicy(split_model)
    found = evaluation(
        game.rules,
        policy,
        shoe or Shoe.of_decks(game.rules.decks),
        insurance=game.insurance,
        even_money=game.even_money,
    )
    table = _Decisions(game, split_model)
    if game.rules.insurance_peek and any(opening.insured for opening in found.openings):
        raise InputError(
            f"{game.id}: where insurance shows whether the dealer has a natural, the best play by "
            "composition depends on more than the cards; play by a chart"
        )
    for card, _ in found.cards.values():
        table.add_world(card, World(INITIAL, ()), None)
    for opening in found.openings:
        table.add_opening(found, opening)
    table.add_unreached_splits(found)
    insured = {(one.first, one.second) for one in found.openings if one.insured or one.even_money}
    return CompositionStrategy(
        {**table.unreached, **table.actions},
        frozenset(insured),
        frozenset(policy.replaced),
        frozenset(key for key, again in table.resplit.items() if again),
        f"optimal-cd ({split_model})",
    )


def _worlds(pair: tuple[int, int]) -> list[World]:
    """Return the worlds of the two hands of a split, one if they are alike."""
    first, second = pair
    return list(dict.fromkeys((World(first, (second,)), World(second, (first,)))))


def strategy_for(
    game: Game, strategy: AnyStrategy | CompositionStrategy = "default", split_model: str = "CDP"
) -> Strategy:
    """Return what a game is played by in a simulation.

    Parameters
    ----------
    game
        The game.
    strategy
        A chart or a strategy by composition; ``default`` (the game's chart), ``optimal-td``,
        ``optimal-2c`` or ``optimal-cd``; a chart's name or file; the file of a strategy by
        composition.
    split_model
        Of ``optimal-cd``: see `composition_strategy`.

    Raises
    ------
    InputError
        If there is no such strategy, or it does not fit the game.
    """
    if isinstance(strategy, CompositionStrategy):
        return strategy
    if not isinstance(strategy, Chart) and is_composition_file(strategy):
        return read_composition(strategy)
    chosen = chosen_strategy(strategy)
    if isinstance(chosen, Chart):
        check_chart(chosen, game)
        return chosen
    if chosen == "default":
        return default_chart(game)
    return (
        composition_strategy(game, split_model) if chosen == "optimal-cd" else solved(game, chosen)
    )


class _Decisions:
    """Decisions gathered from an evaluation; refuses two for one state."""

    def __init__(self, game: Game, split_model: str) -> None:
        self.game = game
        self.split_model = split_model
        self.actions: dict[Decision, Action] = {}
        # the compiler asks of hands that the shoe cannot deal, and of pairs that are not split
        # against this up card but against another
        self.unreached: dict[Decision, Action] = {}
        self.resplit: dict[tuple[int, int], bool] = {}
        self.split: set[tuple[World, int]] = set()  # worlds of hands, and how often split so far

    def add_world(
        self, card: UpCard, world: World, origin: tuple[int, int] | None, *, reached: bool = True
    ) -> None:
        """Add the decisions of all hands of a world that can be dealt there."""
        hands, values = lattice(), card.value(world)
        inside = card.model.places[world].hands
        possible = (hands.counts[inside] <= card.deal(world).left).all(axis=1)
        decides = card.model.nodes[world.origin].kind[inside] == DECISION
        for hand in inside[decides & ~possible].tolist():
            self.unreached.setdefault((hands.composition(hand), origin, card.up), Action.STAND)
        for hand in inside[decides & possible].tolist():
            action = _ACTIONS[int(values.action[hand])]
            key = hands.composition(hand), origin, card.up
            if reached:
                self._decide(self.actions, key, action)
            else:
                self.unreached.setdefault(key, action)

    def add_opening(self, found: Evaluation, opening: Opening) -> None:
        """Add the decision on an initial hand, and those of the hands it is split into."""
        if opening.action is None:
            return
        card, up = found.card_of(opening), opening.up
        pair = opening.first, opening.second
        by_rank = self.game.rules.split_by == "rank"
        if pair == (TEN_CLASS, TEN_CLASS) and by_rank and not opening.pair:
            for first in _TENS:  # two tens of different rank, which may not be split
                for second in _TENS[first - TEN_CLASS + 1 :]:
                    self.actions[(first, second), None, up] = opening.action
        else:
            self.actions[pair, None, up] = opening.action
        if opening.action is Action.SPLIT:
            self._add_split(card, pair, power=False)
        elif opening.action is Action.POWER_SPLIT:
            self._add_split(card, pair, power=True)

    def _add_split(self, card: UpCard, pair: tuple[int, int], *, power: bool) -> None:
        """Add the decisions of the hands of a split."""
        rules = self.game.rules
        again = card.splits_again(*pair, power=power)
        most = 3 if rules.splits == "tree" else max(1, int(rules.splits))
        splits = 1 if power and rules.power_split == "once" else most
        if splits > 1 and again and self.split_model == "CDP":
            raise InputError(
                f"{self.game.id}: hands of a split may be split again, and CDP plays them by how "
                "often that happens; play by CDZ- instead (--split-model)"
            )
        for world in _worlds(pair):
            for number in range(1, splits + 1):
                self.add_world(card, world, (world.start, number))
                self.split.add((world, number))
            if splits > 1:
                self._decide(self.resplit, (world.start, card.up), world.start in again)

    def add_unreached_splits(self, found: Evaluation) -> None:
        """Add what hands of a split do against up cards against which they are not split."""
        for card, _ in found.cards.values():
            for world, number in sorted(self.split):
                self.add_world(card, world, (world.start, number), reached=False)
        origins = [None, *sorted({(world.start, number) for world, number in self.split})]
        hands = lattice()
        for up in set(range(CLASSES)) - set(found.cards):  # no such card in the shoe
            for hand in np.flatnonzero(hands.size >= 2).tolist():
                for origin in origins:
                    self.unreached[hands.composition(hand), origin, up] = Action.STAND

    def _decide(self, table: dict[Key, What], key: Key, what: What) -> None:
        """Write a decision down; the same state cannot have two."""
        if table.setdefault(key, what) != what:
            raise InputError(
                f"{self.game.id}: the best play after a split against "
                f"{VALUE_CLASSES[key[-1]]} depends on both cards that were split; "
                "play by CDZ- instead (--split-model), or by a chart"
            )
