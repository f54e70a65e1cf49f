"""Exact values against long simulations, every game and every reading, judged as one family.

    python benchmarks/agreement.py [ROUNDS OF A GAME [ROUNDS OF A READING]]

Prints the standard scores of EV, mean wager and variance of each game as it is and under each
option of each reading that is not the default, and whether any fails when all are judged together
(Holm at 1 %). The variance's standard error comes from the exact fourth moment where the joint
distribution is in reach, else from the simulation's. A failing line is run once more, ten times as
long with the next seed, and that run decides.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

from scipy.special import ndtr

from rtpsim.exact import ExactResult, exact
from rtpsim.games import Game, game_names, load_game
from rtpsim.simulation import Tally, simulate
from rtpsim.statistics.significance import holm
from rtpsim.strategy import default_chart

LEVEL = 0.01


class Line(NamedTuple):
    """One game or reading: its scores, and their two-sided probabilities."""

    name: str
    rounds: int
    scores: dict[str, float]

    @property
    def chances(self) -> dict[str, float]:
        """Return the probability of a score at least as far from 0, by score."""
        return {what: 2.0 * float(ndtr(-abs(z))) for what, z in self.scores.items()}


def scores(tally: Tally, value: ExactResult) -> dict[str, float]:
    """Return how many standard errors a simulation lies from the exact values."""
    unit, rounds = tally.unit, tally.rounds

    def mean(function) -> float:
        return (
            sum(function(n / unit, w / unit) * c for (n, w), c in tally.outcomes.items()) / rounds
        )

    ev, wager = mean(lambda n, w: n), mean(lambda n, w: w)
    variance = mean(lambda n, w: (n - ev) ** 2)
    fourth = value.moments.fourth if value.moments else mean(lambda n, w: (n - ev) ** 4)
    wagers = mean(lambda n, w: (w - wager) ** 2)
    return {
        "EV": (ev - value.main_net) / (value.variance / rounds) ** 0.5,
        "wager": (wager - value.main_wager) / (wagers / rounds) ** 0.5,
        "variance": (variance - value.variance) / ((fourth - value.variance**2) / rounds) ** 0.5,
    }


def run(name: str, game: Game, rounds: int, seed: int) -> Line:
    """Simulate a game and compare."""
    chart = default_chart(game)
    tally = simulate(game, chart, rounds=rounds, seed=seed, side_bets=())
    line = Line(name, rounds, scores(tally, exact(game, chart)))
    shown = "  ".join(f"{what} {z:+5.2f}" for what, z in line.scores.items())
    print(f"{rounds:15,d}  seed {seed}  {shown}  {name}", flush=True)
    return line


def cases(rounds_of_game: int, rounds_of_reading: int) -> list[tuple[str, Game, int]]:
    """Return every game and every other option of a reading that touches the main game."""
    found = []
    for name in game_names():
        game = load_game(name)
        found.append((name, game, rounds_of_game))
        for reading in game.readings:
            for option in reading.options:
                other = game.with_settings({reading.id: option})
                if other.rules != game.rules:
                    found.append((f"{name} {reading.id}={option}", other, rounds_of_reading))
    return found


def main() -> int:
    """Run all and judge them; return 1 where something fails twice."""
    given = [int(float(argument)) for argument in sys.argv[1:]]
    todo = cases(*given, *(10**10, 10**9)[len(given) :])
    lines = [run(name, game, rounds, seed=1) for name, game, rounds in todo]
    names = [(line.name, what) for line in lines for what in line.scores]
    adjusted = holm([chance for line in lines for chance in line.chances.values()])
    failed = {name for (name, _), p in zip(names, adjusted, strict=True) if p <= LEVEL}
    print(f"{len(names)} tests, judged together at 1 % (Holm): {len(failed) or 'none'} failed")
    again = [run(name, game, 10 * rounds, seed=2) for name, game, rounds in todo if name in failed]
    twice = [line.name for line in again if min(holm(list(line.chances.values()))) <= LEVEL]
    for name in twice:
        print(f"FAILS AGAIN: {name}")
    return 1 if twice else 0


if __name__ == "__main__":
    sys.exit(main())
