"""Published against exact against simulated: how a game's wagers are judged."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtpsim.cards import Shoe
from rtpsim.errors import InputError
from rtpsim.exact.figures import ExactFigures, exact_figures
from rtpsim.games import MAIN
from rtpsim.results import BetTerms, rounds_asked
from rtpsim.statistics import (
    Estimate,
    MainFigures,
    main_figures,
    return_estimate,
    rounds_needed,
)
from rtpsim.statistics.significance import TestResult, holm
from rtpsim.strategy import Chart
from rtpsim.verification.published import deviations, main_verdict, other_readings, printed_verdict
from rtpsim.verification.run_tests import (
    LEAST_ROUNDS,
    bet_error,
    bet_sd,
    bet_tests,
    deal_tests,
    frequency_tests,
    main_tests,
    rounds_for_rarest,
)
from rtpsim.verification.verdicts import (
    LEVEL,
    FamilyTest,
    GameVerification,
    OtherBase,
    PublishedVerdict,
    RunVerification,
    SimulatedVerdict,
    WagerVerification,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rtpsim.games import Game
    from rtpsim.program.composition import Strategy
    from rtpsim.results import TallyLike
    from rtpsim.sidebets import SideBet

SECOND_RUN_FACTOR = 10
"""How many times as long the one second run is that a FAIL triggers."""


@dataclass(frozen=True)
class Limits:
    """What the verdicts are given by.

    Attributes
    ----------
    main, side_bet
        Largest half-width of the 99 % interval of a return that can pass: 0.01 and 0.05 points.
    family
        Chance that a game's family of tests fails although everything is right.
    """

    main: float = 0.0001
    side_bet: float = 0.0005
    family: float = 0.01


def verify(
    tally: TallyLike,
    game: Game,
    chart: Strategy,
    *,
    seed: int,
    exact: ExactFigures | None = None,
    limits: Limits | None = None,
    rerun: Callable[[int, int], TallyLike] | None = None,
) -> GameVerification:
    """Judge a run of a game.

    Parameters
    ----------
    tally
        What was counted, all side bets included; a `SimulationResult` will do.
    game, chart, seed
        What it was counted of.
    exact
        Exact figures of the main game under the chart, if they have been found already.
    limits
        Tolerances and the family's level, if not the usual ones.
    rerun
        Plays so many rounds with such a seed: called once, with ten times the rounds and the
        next seed, if the run fails. That run is then reported too and decides.

    Raises
    ------
    InputError
        If the tally lacks a side bet, the initial cards, how its rounds went, or some of its
        rounds; or if several hands a round affect each other (`Rules.insurance_peek`).
    """
    if tally.hands > 1 and game.rules.insurance_peek:
        raise InputError(
            f"{game.id}: where insurance makes the dealer check, several hands a round are not "
            "alike; verify a run of one hand a round"
        )
    if exact is None:
        if not isinstance(chart, Chart):
            raise InputError(f"{chart.name}: give the exact figures of a strategy by composition")
        exact = exact_figures(game, chart)
    judge = _Judge(game, chart, exact, limits or Limits())
    runs = [judge.run(tally, seed)]
    if runs[0].failed and rerun is not None:
        second = rerun(SECOND_RUN_FACTOR * tally.rounds, seed + 1)
        runs.append(judge.run(second, seed + 1))
    return GameVerification(
        game=game.id,
        title=game.title,
        rules=str(game.rules),
        strategy=chart.name,
        settings=dict(game.chosen),
        runs=tuple(runs),
    )


def exit_status(verifications: Iterable[GameVerification]) -> int:
    """Return 1 for any FAIL or NOT REPRODUCED, else 3 for any INCONCLUSIVE, else 0."""
    wagers = [wager for game in verifications for wager in game.wagers]
    if any(
        wager.simulated_verdict is SimulatedVerdict.FAIL
        or wager.published_verdict is PublishedVerdict.NOT_REPRODUCED
        for wager in wagers
    ):
        return 1
    return 3 if any(w.simulated_verdict is SimulatedVerdict.INCONCLUSIVE for w in wagers) else 0


def to_json(verifications: Iterable[GameVerification]) -> str:
    """Return verifications as a JSON list of games."""
    games = [verification.to_dict() for verification in verifications]
    return json.dumps(games, indent=1, ensure_ascii=False)


@dataclass(frozen=True)
class _Judge:
    """What the runs of a game are judged by."""

    game: Game
    chart: Strategy
    exact: ExactFigures
    limits: Limits

    def run(self, tally: TallyLike, seed: int) -> RunVerification:
        """Run the tests of the game's family, then give each wager its verdicts."""
        game = self.game
        shoe = Shoe.of_decks(game.rules.decks)
        terms = {bet.id: BetTerms.of(bet, shoe, tally.hands) for bet in game.side_bets}
        for bet in terms:
            if bet not in tally.side_bets:
                raise InputError(
                    f"{game.id}: side bet '{bet}' was not played in this run; verify a run with all"
                )
        figures = main_figures(tally.outcomes, tally.unit, tally.hands)
        if figures.rounds != tally.rounds:
            raise InputError(
                f"{game.id}: outcomes of {figures.rounds} out of {tally.rounds} rounds"
            )
        results = deal_tests(tally, game, shoe)
        results += main_tests(figures, self.exact)
        results += frequency_tests(tally, game, self.exact)
        for one in terms.values():
            results += bet_tests(tally, one)
        tests = family(results, self.limits.family)
        wagers = [self._main(figures, tests)]
        wagers += [self._bet(tally, bet, terms[bet.id], tests) for bet in game.side_bets]
        asked = rounds_asked(tally)
        return RunVerification(seed, tally.rounds, tally.hands, tuple(wagers), tests, asked)

    def _main(self, figures: MainFigures, tests: Sequence[FamilyTest]) -> WagerVerification:
        """Give the main game its verdicts."""
        published = self.game.published_for(MAIN)
        base = "total" if published is None else published.base
        returns = {"total": figures.rtp_total, "initial": figures.rtp_initial}
        simulated = returns.pop(base)
        error = simulated.standard_error
        known = figures.rounds >= LEAST_ROUNDS and error > 0
        tolerance, needed = self.limits.main, LEAST_ROUNDS
        if known:
            needed = max(needed, rounds_needed(error * math.sqrt(figures.rounds), tolerance))
        half = simulated.half_width(LEVEL) if known else math.inf
        return WagerVerification(
            MAIN,
            "Blackjack",
            None if published is None else published.rtp,
            base,
            self.exact.rtp(base),
            simulated,
            {name: OtherBase(self.exact.rtp(name), one) for name, one in returns.items()},
            *main_verdict(self.game, self.chart, self.exact),
            *_simulated_verdict(half, tolerance, figures.rounds, needed, tests),
        )

    def _bet(
        self, tally: TallyLike, bet: SideBet, terms: BetTerms, tests: Sequence[FamilyTest]
    ) -> WagerVerification:
        """Give a side bet its verdicts."""
        game = self.game
        published = game.published_for(bet.id)
        exact = terms.rtp
        if published is None:
            verdict = PublishedVerdict.NOT_PUBLISHED, "no figure is printed"
        else:
            elsewhere = [] if published.prints(exact) else other_readings(game, bet, published)
            verdict = printed_verdict(exact, published, deviations(game, bet.id), elsewhere)
            if bet.inferred:
                verdict = verdict[0], f"{verdict[1]}; the paytable is inferred from the figure"
        value = return_estimate(tally.side_bets[bet.id], terms.pays, terms.stakes).value
        simulated = Estimate(value, bet_error(tally, terms))
        tolerance = self.limits.side_bet
        needed = max(rounds_needed(bet_sd(tally, terms), tolerance), rounds_for_rarest(terms))
        half = simulated.half_width(LEVEL)
        return WagerVerification(
            bet.id,
            bet.title,
            None if published is None else published.rtp,
            "stake",
            exact,
            simulated,
            {},
            *verdict,
            *_simulated_verdict(half, tolerance, tally.rounds, needed, tests),
        )


def family(results: Sequence[TestResult], level: float) -> tuple[FamilyTest, ...]:
    """Judge all tests that the run is long enough for together (Holm)."""
    adjusted = iter(holm([one.p_value for one in results if one.p_value is not None]))
    tests = []
    for one in results:
        p = None if one.p_value is None else next(adjusted)
        tests.append(FamilyTest(one, p, p is not None and p <= level))
    return tuple(tests)


def _failures(tests: Iterable[FamilyTest]) -> str:
    return ", ".join(
        f"{test.result.name} (p = {test.adjusted:.2g})" for test in tests if test.failed
    )


def _simulated_verdict(
    half_width: float,
    tolerance: float,
    rounds: int,
    needed: int,
    tests: Sequence[FamilyTest],
) -> tuple[SimulatedVerdict, str]:
    """Judge a wager whose exact value is known."""
    if failed := _failures(tests):
        return SimulatedVerdict.FAIL, f"failed at the family's level: {failed}"
    said = f"99 % half-width {100 * half_width:.4f} points, tolerance {100 * tolerance:g}"
    if rounds < needed:
        return SimulatedVerdict.INCONCLUSIVE, f"{said}: needs {needed:,} rounds"
    return SimulatedVerdict.PASS, said
