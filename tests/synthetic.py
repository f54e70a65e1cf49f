"""Tallies drawn from known probabilities: what a right, or a wrong, simulation would count."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from rtpsim.cards import Shoe
from rtpsim.exact.figures import ExactFigures
from rtpsim.sidebets import exact_counts

# (net, wager) in halves -> probability; a plausible main game, the numbers are nobody's result
MAIN_GAME = {
    (-8, 8): 0.0004,
    (-4, 4): 0.0480,
    (-2, 2): 0.3880,
    (-1, 2): 0.0410,
    (0, 2): 0.0840,
    (0, 4): 0.0080,
    (2, 2): 0.3300,
    (3, 2): 0.0453,
    (4, 4): 0.0550,
    (8, 8): 0.0003,
}


@dataclass(frozen=True)
class SyntheticTally:
    unit: int
    hands: int
    rounds: int
    outcomes: dict
    side_bets: dict
    initial: np.ndarray
    insurance: dict = field(default_factory=dict)
    labels: dict | None = None
    main: dict = field(default_factory=dict)


def figures_of(main, **changes):
    """Return the exact figures of a main game with these probabilities, in halves."""
    total = sum(main.values())
    chances = {key: p / total for key, p in main.items()}
    ev = sum(p * net / 2 for (net, _), p in chances.items())
    document = {
        "strategy": "synthetic",
        "ev": ev,
        "mean_wager": sum(p * wager / 2 for (_, wager), p in chances.items()),
        "insurance": {"net": 0.0, "wager": 0.0},
        "variance": sum(p * (net / 2 - ev) ** 2 for (net, _), p in chances.items()),
        "fourth_central_moment": sum(p * (net / 2 - ev) ** 4 for (net, _), p in chances.items()),
    }
    document |= changes
    ev, wager = document["ev"], document["mean_wager"]
    document["main"] = {"net": ev, "wager": wager}
    document |= {"rtp_initial": 1 + ev, "rtp_total": 1 + ev / wager}
    return ExactFigures(document, {})


def draw(rng, rounds, probabilities):
    """Draw how often each key comes up in so many independent rounds."""
    chances = np.array([float(p) for p in probabilities.values()])
    counts = rng.multinomial(rounds, chances / chances.sum())
    return {key: int(n) for key, n in zip(probabilities, counts, strict=True) if n}


def bet_chances(game, bet_id):
    """Return the exact probability of each winning outcome of a side bet."""
    exact = exact_counts(game.side_bet(bet_id), Shoe.of_decks(game.rules.decks))
    return {name: Fraction(count, exact.total) for name, count in exact.counts.items()}


@cache
def deal_chances(by_value):
    """Return the chances of (player, player, up, second card), float, shape (10, 10, 10, 10).

    Computed as products of conditional chances, unlike the counting in the package.
    """
    chances = np.empty((10, 10, 10, 10))
    for deal in product(range(10), repeat=4):
        chance = 1.0
        for position, card in enumerate(deal):
            left = by_value[card] - deal[:position].count(card)
            chance *= left / (sum(by_value) - position)
        chances[deal] = chance
    chances.setflags(write=False)
    return chances


def tally_of(game, rounds, seed, *, main=None, bets=None, deals=None):
    """Draw a run of one hand a round; `bets` and `deals` replace the right probabilities."""
    rng = np.random.default_rng(seed)
    shoe = Shoe.of_decks(game.rules.decks)
    side_bets = {}
    for bet in game.side_bets:
        chances = (bets or {}).get(bet.id) or bet_chances(game, bet.id)
        full = {(name,): p for name, p in chances.items()}
        full[()] = 1 - sum(chances.values(), Fraction(0))
        side_bets[bet.id] = draw(rng, rounds, full)
    chances = deal_chances(shoe.by_value) if deals is None else deals
    initial = rng.multinomial(rounds, chances.ravel() / chances.sum()).reshape(chances.shape)
    return SyntheticTally(
        unit=2,
        hands=1,
        rounds=rounds,
        outcomes=draw(rng, rounds, main or MAIN_GAME),
        side_bets=side_bets,
        initial=initial,
        insurance={(0, 0): rounds},
        main=main or MAIN_GAME,
    )
