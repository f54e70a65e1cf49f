"""Published against exact against simulated: how a game's wagers are judged."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rtpsim.cards import Shoe
from rtpsim.errors import InputError
from rtpsim.expected import expected_deals, observed_deals
from rtpsim.games import MAIN
from rtpsim.published import deviations, interim_verdict, other_readings, printed_verdict
from rtpsim.results import BetTerms
from rtpsim.significance import (
    LEAST_EXPECTED,
    TestResult,
    bet_chi_squared,
    chi_squared,
    holm,
    z_test,
)
from rtpsim.statistics import (
    Estimate,
    MainFigures,
    main_figures,
    return_estimate,
    round_variance,
    rounds_needed,
)
from rtpsim.verdicts import (
    LEVEL,
    FamilyTest,
    GameVerification,
    PublishedVerdict,
    RunVerification,
    SimulatedVerdict,
    WagerVerification,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rtpsim.games import Game
    from rtpsim.results import TallyLike
    from rtpsim.sidebets import SideBet
    from rtpsim.strategy import Chart

LEAST_ROUNDS = 10_000
"""Fewer rounds do not tell the spread of a main game's results well enough to judge by it."""

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


@dataclass(frozen=True)
class ExactMain:
    """Exact value of a main game under a chart, per hand.

    Attributes
    ----------
    ev, mean_wager
        Expected net result and expected total wager of one hand, in initial wagers.
    """

    ev: Fraction | float
    mean_wager: Fraction | float

    def rtp(self, base: str) -> Fraction | float:
        """Return the return on the ``total`` or the ``initial`` wager."""
        return 1 + (self.ev / self.mean_wager if base == "total" else self.ev)


def verify(
    tally: TallyLike,
    game: Game,
    chart: Chart,
    *,
    seed: int,
    exact: ExactMain | None = None,
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
        Exact value of the main game, if there is one; without it the main game is judged by the
        interim rule of `PublishedVerdict.CONSISTENT`.
    limits
        Tolerances and the family's level, if not the usual ones.
    rerun
        Plays so many rounds with such a seed: called once, with ten times the rounds and the
        next seed, if the run fails. That run is then reported too and decides.

    Raises
    ------
    InputError
        If the tally lacks a side bet, the initial cards, or some of its rounds.
    """
    limits = limits or Limits()
    runs = [_judge(tally, game, seed, exact, limits)]
    if runs[0].failed and rerun is not None:
        second = rerun(SECOND_RUN_FACTOR * tally.rounds, seed + 1)
        runs.append(_judge(second, game, seed + 1, exact, limits))
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


def _judge(
    tally: TallyLike, game: Game, seed: int, exact: ExactMain | None, limits: Limits
) -> RunVerification:
    """Run the tests of the game's family, then give each wager its verdicts."""
    shoe = Shoe.of_decks(game.rules.decks)
    terms = {bet.id: BetTerms.of(bet, shoe, tally.hands) for bet in game.side_bets}
    for bet in terms:
        if bet not in tally.side_bets:
            raise InputError(
                f"{game.id}: side bet '{bet}' was not played in this run; verify a run with all"
            )
    figures = main_figures(tally.outcomes, tally.unit, tally.hands)
    if figures.rounds != tally.rounds:
        raise InputError(f"{game.id}: outcomes of {figures.rounds} out of {tally.rounds} rounds")
    results = _deal_tests(tally, game, shoe)
    for one in terms.values():
        results += _bet_tests(tally, one)
    if exact is not None:
        results += _main_tests(figures, exact)
    tests = _family(results, limits.family)
    wagers = [_main_wager(figures, game, exact, tests, limits)]
    wagers += [_bet_wager(tally, game, bet, terms[bet.id], tests, limits) for bet in game.side_bets]
    return RunVerification(seed, tally.rounds, tally.hands, tuple(wagers), tests)


def _deal_tests(tally: TallyLike, game: Game, shoe: Shoe) -> list[TestResult]:
    """Test the first hand's cards and the dealer's against the shoe."""
    if tally.initial is None:
        raise InputError(
            f"{game.id}: this result holds no initial cards; verify a run, or a result saved whole"
        )
    seen, ways = observed_deals(tally.initial), expected_deals(shoe)
    if seen.total != tally.rounds:
        raise InputError(f"{game.id}: initial cards of {seen.total} out of {tally.rounds} rounds")
    parts = (
        ("up cards", seen.up, ways.up),
        ("initial hands by up card", seen.hands, ways.hands),
        ("naturals", seen.naturals, ways.naturals),
    )
    return [
        chi_squared(
            name,
            list(observed.values()),
            [Fraction(count, ways.total) for count in expected.values()],
        )
        for name, observed, expected in parts
    ]


def _bet_tests(tally: TallyLike, bet: BetTerms) -> list[TestResult]:
    """Test the frequencies and the return of a side bet."""
    seen = tally.side_bets[bet.id]
    chances = bet.probabilities
    frequencies = bet_chi_squared(
        f"{bet.title}: frequencies", seen, chances, bet.stakes, wager=bet.id
    )
    name = f"{bet.title}: return"
    if tally.rounds < _rounds_for_rarest(bet):
        return [frequencies, TestResult(name, math.nan, None, None, bet.id)]
    error = _bet_error(tally, bet)
    excess = return_estimate(seen, bet.pays, bet.stakes).value - float(bet.rtp)
    return [frequencies, z_test(name, excess, error, bet.id)]


def _rounds_for_rarest(bet: BetTerms) -> int:
    """Return after how many rounds the rarest outcome is expected often enough for a normal z."""
    rarest = min((p for p in bet.probabilities.values() if p), default=Fraction(1))
    return math.ceil(LEAST_EXPECTED / (bet.stakes * rarest))


def _bet_sd(tally: TallyLike, bet: BetTerms) -> float:
    """Return the standard deviation of one round's return per unit staked."""
    variance = round_variance(tally.side_bets[bet.id], bet.probabilities, bet.pays, bet.stakes)
    return math.sqrt(variance) / bet.stakes


def _bet_error(tally: TallyLike, bet: BetTerms) -> float:
    """Return the standard error of a side bet's return, from the exact variance."""
    # a short run that missed the rare outcomes would find itself far too precise
    return _bet_sd(tally, bet) / math.sqrt(tally.rounds)


def _main_tests(figures: MainFigures, exact: ExactMain) -> list[TestResult]:
    """Test EV and mean wager of the main game."""
    return [
        z_test(name, estimate.value - figures.hands * float(value), estimate.standard_error, MAIN)
        for name, estimate, value in (
            ("main game: EV", figures.ev, exact.ev),
            ("main game: mean wager", figures.mean_wager, exact.mean_wager),
        )
    ]


def _family(results: Sequence[TestResult], level: float) -> tuple[FamilyTest, ...]:
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


def _main_wager(
    figures: MainFigures,
    game: Game,
    exact: ExactMain | None,
    tests: Sequence[FamilyTest],
    limits: Limits,
) -> WagerVerification:
    """Give the main game its verdicts."""
    published = game.published_for(MAIN)
    returns = {"total": figures.rtp_total, "initial": figures.rtp_initial}
    base = "total" if published is None else published.base
    simulated = returns.pop(base)
    value = None if exact is None else exact.rtp(base)
    if published is None:
        verdict = PublishedVerdict.NOT_PUBLISHED, "no figure is printed"
    elif value is None:
        verdict = interim_verdict(simulated, published, figures.rounds)
    else:
        verdict = printed_verdict(value, published, deviations(game, MAIN), [])
    if value is None:
        failed = _failures(test for test in tests if test.result.wager is None)
        judged = SimulatedVerdict.NOT_YET_JUDGED, "no exact value yet to judge it by"
        if failed:
            judged = SimulatedVerdict.FAIL, f"the deal is not that of the shoe: {failed}"
    else:
        error = simulated.standard_error
        known = figures.rounds >= LEAST_ROUNDS and error > 0
        needed = LEAST_ROUNDS
        if known:
            needed = max(needed, rounds_needed(error * math.sqrt(figures.rounds), limits.main))
        half = simulated.half_width(LEVEL) if known else math.inf
        judged = _simulated_verdict(half, limits.main, figures.rounds, needed, tests)
    return WagerVerification(
        MAIN,
        "Blackjack",
        None if published is None else published.rtp,
        base,
        value,
        simulated,
        returns,
        *verdict,
        *judged,
    )


def _bet_wager(
    tally: TallyLike,
    game: Game,
    bet: SideBet,
    terms: BetTerms,
    tests: Sequence[FamilyTest],
    limits: Limits,
) -> WagerVerification:
    """Give a side bet its verdicts."""
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
    simulated = Estimate(value, _bet_error(tally, terms))
    needed = max(rounds_needed(_bet_sd(tally, terms), limits.side_bet), _rounds_for_rarest(terms))
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
        *_simulated_verdict(half, limits.side_bet, tally.rounds, needed, tests),
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
