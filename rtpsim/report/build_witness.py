"""Building a report: randomness of the deal stream and independent witnesses (13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.report.model import Randomness, RandomnessTest
from rtpsim.simulation.randomness import check_randomness

if TYPE_CHECKING:
    from rtpsim.games import Game
    from rtpsim.strategy import Chart

DEALS = 1 << 20
"""Deals of the pass over the deal stream: a bias of a thousandth of a card's frequency shows."""


def randomness(game: Game, chart: Chart, seed: int) -> Randomness:
    """Return the tests of the deal stream that a seed has for a game."""
    found = check_randomness(game, chart, seed=seed, rounds=DEALS)
    return Randomness(
        seed=found.seed,
        first_chunk=found.first_chunk,
        rounds=found.rounds,
        cards=found.cards,
        recorded=found.recorded,
        level=found.level,
        tests=tuple(RandomnessTest(**row) for row in found.to_dict()["tests"]),
    )
