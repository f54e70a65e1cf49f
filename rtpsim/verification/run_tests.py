"""The tests of a run against exact values: a game's family, before it is judged together."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from rtpsim.errors import InputError
from rtpsim.exact.frequencies import DEALER_FINALS, label_frequencies
from rtpsim.games import MAIN
from rtpsim.statistics import MainFigures, return_estimate, round_variance
from rtpsim.statistics.expected import expected_deals, observed_deals
from rtpsim.statistics.significance import (
    LEAST_EXPECTED,
    SAME,
    TestResult,
    bet_chi_squared,
    chi_squared,
    z_test,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rtpsim.cards import Shoe
    from rtpsim.exact.figures import ExactFigures
    from rtpsim.games import Game
    from rtpsim.results import BetTerms, TallyLike

LEAST_ROUNDS = 10_000
"""Fewer rounds do not tell the spread of a main game's results well enough to judge by it."""

LARGEST_WAGER = 16
"""No hand wagers more: four split hands, each doubled, come to 8."""

EV, MEAN_WAGER, VARIANCE = "EV", "mean wager", "variance"


def deal_tests(tally: TallyLike, game: Game, shoe: Shoe) -> list[TestResult]:
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


def main_tests(figures: MainFigures, exact: ExactFigures) -> list[TestResult]:
    """Test EV, mean wager and, with one hand a round, variance of the main game.

    Parameters
    ----------
    figures
        What the run returned.
    exact
        Exact values of one hand; the mean of a round is that of one hand times the hands, as
        each hand by itself is dealt and played alike.
    """
    rounds, hands = figures.rounds, figures.hands
    single = hands == 1
    ev_error = figures.ev.standard_error
    if single and exact.variance is not None:
        ev_error = math.sqrt(exact.variance / rounds)
    tests = [
        (EV, figures.ev.value - hands * exact.main_net, ev_error),
        (
            MEAN_WAGER,
            figures.mean_wager.value - hands * exact.main_wager,
            _wager_error(figures, exact),
        ),
    ]
    if single and exact.variance is not None:
        tests.append(
            (VARIANCE, figures.variance.value - exact.variance, _variance_error(figures, exact))
        )
    # before the tails have been seen the results are not normal enough
    enough = rounds >= LEAST_ROUNDS
    return [
        z_test(f"main game: {name}", excess, error if enough else math.nan, MAIN)
        for name, excess, error in tests
    ]


def _wager_error(figures: MainFigures, exact: ExactFigures) -> float:
    """Return the standard error of the mean wager: the run's own, unless it cannot tell.

    A hand wagers 1 at the least. Where it wagers 1 in the mean, it never wagers more, and the
    error is 0. Where a run saw no wager but one although there are others, its own error of 0 says
    nothing; the variance of a wager from 1 to L is (L - 1)(mean - 1) at the most.
    """
    more = exact.main_wager - 1
    if more <= SAME:
        return 0.0
    if figures.mean_wager.standard_error > 0:
        return figures.mean_wager.standard_error
    return figures.hands * math.sqrt((LARGEST_WAGER - 1) * more / figures.rounds)


def _variance_error(figures: MainFigures, exact: ExactFigures) -> float:
    """Return the standard error of the sample variance, from the exact moments if known.

    ``sqrt((m4 - s^4 (n - 3) / (n - 1)) / n)``: Cho and Cho, Stat. Probab. Lett. 78 (2008).
    """
    rounds = figures.rounds
    if exact.variance is None or exact.fourth is None or rounds < 2:
        return figures.variance.standard_error
    spread = exact.fourth - exact.variance**2 * (rounds - 3) / (rounds - 1)
    return math.sqrt(spread / rounds)


def frequency_tests(tally: TallyLike, game: Game, exact: ExactFigures) -> list[TestResult]:
    """Test how the first hand of each round went, in every table that is known exactly."""
    # with several hands the dealer also plays on for the others
    names = [name for name in exact.frequencies if tally.hands == 1 or name != DEALER_FINALS]
    if not names:
        return []
    if tally.labels is None:
        raise InputError(
            f"{game.id}: this result does not say how its rounds went; verify a run, or a result "
            "saved whole"
        )
    if (counted := sum(tally.labels.values())) != tally.rounds:
        raise InputError(f"{game.id}: labels of {counted} out of {tally.rounds} rounds")
    seen = label_frequencies(tally.labels, game.rules, names)
    return [_frequency_test(name, seen[name], exact.frequencies[name]) for name in names]


def _frequency_test(name: str, seen: Mapping[str, int], exact: Mapping[str, float]) -> TestResult:
    """Test one table; a cell that was seen and cannot be fails outright."""
    cells = list(dict.fromkeys([*exact, *seen]))
    chances = [Fraction(exact.get(cell, 0.0)) for cell in cells]
    total = sum(chances)  # 1 but for the last digits of floating point
    return chi_squared(
        f"main game: {name}",
        [seen.get(cell, 0) for cell in cells],
        [chance / total for chance in chances],
        MAIN,
    )


def bet_tests(tally: TallyLike, bet: BetTerms) -> list[TestResult]:
    """Test the frequencies and the return of a side bet."""
    seen = tally.side_bets[bet.id]
    chances = bet.probabilities
    frequencies = bet_chi_squared(
        f"{bet.title}: frequencies", seen, chances, bet.stakes, wager=bet.id
    )
    name = f"{bet.title}: return"
    if tally.rounds < rounds_for_rarest(bet):
        return [frequencies, TestResult(name, math.nan, None, None, bet.id)]
    excess = return_estimate(seen, bet.pays, bet.stakes).value - float(bet.rtp)
    return [frequencies, z_test(name, excess, bet_error(tally, bet), bet.id)]


def rounds_for_rarest(bet: BetTerms) -> int:
    """Return after how many rounds the rarest outcome is expected often enough for a normal z."""
    rarest = min((p for p in bet.probabilities.values() if p), default=Fraction(1))
    return math.ceil(LEAST_EXPECTED / (bet.stakes * rarest))


def bet_sd(tally: TallyLike, bet: BetTerms) -> float:
    """Return the standard deviation of one round's return per unit staked."""
    variance = round_variance(tally.side_bets[bet.id], bet.probabilities, bet.pays, bet.stakes)
    return math.sqrt(variance) / bet.stakes


def bet_error(tally: TallyLike, bet: BetTerms) -> float:
    """Return the standard error of a side bet's return, from the exact variance."""
    # a short run that missed the rare outcomes would find itself far too precise
    return bet_sd(tally, bet) / math.sqrt(tally.rounds)
