"""Building a report: randomness of the deal stream and independent witnesses (13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.report.build.run import family_member
from rtpsim.report.model import Randomness, RandomnessTest, RefereeRun, TinyShoe, Witnesses
from rtpsim.simulation.randomness import check_randomness
from rtpsim.verification.judging import family
from rtpsim.witnesses.finding import find_witness

if TYPE_CHECKING:
    from rtpsim.exact.figures import ExactFigures
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


def witnesses(game: Game, chart: Chart, exact: ExactFigures, level: float) -> Witnesses:
    """Return what the referee found of a game and chart, if that is stored.

    Parameters
    ----------
    level
        Chance that the tests of the referee's run fail although everything is right.
    """
    found = find_witness(game, chart)
    if (witness := found.witness) is None:
        return Witnesses(text=found.text, referee=None, tiny_shoes=())
    figures = witness.figures
    return Witnesses(
        text=found.text,
        referee=RefereeRun(
            rounds=witness.rounds,
            seed=witness.seed,
            hands=witness.hands,
            net=figures.ev.value,
            net_standard_error=figures.ev.standard_error,
            wager=figures.mean_wager.value,
            tests=tuple(family_member(one) for one in family(witness.tests(game, exact), level)),
            sha256=witness.sha256,
            referee_sha256=witness.referee_sha256,
            version=witness.version,
        ),
        tiny_shoes=tuple(
            TinyShoe(
                cards=one.cards,
                outcomes=one.outcomes,
                referee_net=str(one.referee_net),
                referee_wager=str(one.referee_wager),
                exact_net=one.exact_net,
                exact_wager=one.exact_wager,
                difference=one.difference,
            )
            for one in witness.tiny_shoes
        ),
    )
