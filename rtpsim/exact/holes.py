"""Holes: the mean of the main game given every card of the deal, the dealer's second among them.

The player does not see that card, and plays as he does; what he is worth against it is valued in a
shoe from which it is gone, against a dealer whose hand begins with both his cards. Averaged over
the second card, the means are those of `rtpsim.exact.evaluate`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rtpsim.cards import Card, Shoe
from rtpsim.errors import InputError
from rtpsim.exact.dealer import known_outcomes
from rtpsim.exact.evaluate import Table
from rtpsim.exact.lattice import CLASSES
from rtpsim.exact.model import model_of
from rtpsim.exact.policies import ChartPolicy
from rtpsim.exact.upcard import UpCard
from rtpsim.program.dealer import is_natural, peeks
from rtpsim.program.graph import Action
from rtpsim.strategy import check_chart

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.exact.evaluate import Opening
    from rtpsim.games import Game
    from rtpsim.rules import Rules
    from rtpsim.strategy import Chart


@dataclass(frozen=True, eq=False)
class DealMeans:
    """The main game by the value classes of the deal: the player's two cards, up card, second card.

    Attributes
    ----------
    chances
        Probability of the deal, float64, shape (10, 10, 10, 10).
    nets
        Mean net of the main game without insurance given the deal, in initial wagers.
    insurance
        Net of the insurance given the deal; 0 where none is taken.
    """

    chances: NDArray[np.float64]
    nets: NDArray[np.float64]
    insurance: NDArray[np.float64]


class _SeenUpCard(UpCard):
    """An up card whose dealer's second card is known to the calculation, though to no player."""

    @cached_property
    def natural_card(self) -> int:
        """No card left in the shoe makes a natural."""
        return -1


def means_by_deal(game: Game, chart: Chart) -> DealMeans:
    """Return the main game's mean for every deal, one hand a round.

    Raises
    ------
    InputError
        If the chart does not fit the game, or insurance has the dealer look for a natural
        (`Rules.insurance_peek`): the hand is then not played alike against every second card.
    """
    rules = game.rules
    check_chart(chart, game)
    if rules.insurance_peek:
        raise InputError(f"{game.id}: means by deal: not where insurance has the dealer look")
    policy = ChartPolicy(chart, rules)
    shoe = Shoe.of_decks(rules.decks)
    means = DealMeans(*(np.zeros((CLASSES,) * 4) for _ in range(3)))
    for hole in range(CLASSES):
        left = _without(shoe, hole)
        chance = shoe.by_value[hole] / shoe.size
        for up in np.flatnonzero(left.by_value).tolist():
            table = _table(game, policy, left, up, hole)
            ended = is_natural(up, hole) and (peeks(rules, up) or rules.hole_card == "obo")
            for opening in table.openings():
                net = _ended(rules, opening) if ended else opening.worth.net
                _add(means, opening, hole, chance, net)
    dealt = means.chances > 0
    for sums in (means.nets, means.insurance):
        np.divide(sums, means.chances, out=sums, where=dealt)
    return means


def _without(shoe: Shoe, kind: int) -> Shoe:
    """Return a shoe less one card of a value class."""
    gone = next(
        number
        for number, count in enumerate(shoe.counts)
        if count and Card.from_number(number).value_class == kind
    )
    counts = [count - (number == gone) for number, count in enumerate(shoe.counts)]
    return Shoe(tuple(counts))


def _table(game: Game, policy: ChartPolicy, shoe: Shoe, up: int, hole: int) -> Table:
    """Return the table of an up card, in a shoe that the second card has left already."""
    model = model_of(game.rules)
    counts = np.array(shoe.by_value, dtype=np.int64)
    left = counts[:, np.newaxis] - model.removed.T
    left[up] -= 1
    outcomes = known_outcomes(game.rules.soft17, up, hole, np.maximum(left, 0).astype(np.float64))
    card = _SeenUpCard(model, counts, up, policy, outcomes)
    return Table(card, None, shoe, game.insurance, game.even_money)


def _ended(rules: Rules, opening: Opening) -> float:
    """Return the net of a hand against a natural that takes the original bet, and no more."""
    early = rules.surrenders_early and opening.action is Action.SURRENDER
    return opening.worth.net if opening.action is None or early else -1.0


def _add(means: DealMeans, opening: Opening, hole: int, chance: float, net: float) -> None:
    """Add an opening to the sums, in either order of its cards."""
    orders = {(opening.first, opening.second), (opening.second, opening.first)}
    for first, second in orders:
        cell = first, second, opening.up, hole
        probability = chance * opening.probability / len(orders)
        means.chances[cell] += probability
        means.nets[cell] += probability * net
        means.insurance[cell] += probability * opening.insurance
