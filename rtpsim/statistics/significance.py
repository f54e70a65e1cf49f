"""Tests of observed counts and means against exact values, and their joint judgement."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import chdtrc, ndtr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rtpsim.statistics import BetRounds

LEAST_EXPECTED = 5
"""Cells that expect fewer observations are pooled (Cochran's rule)."""

SAME = 1e-9
"""Numbers that differ by no more are the same, but for the last digits of floating point."""


@dataclass(frozen=True)
class TestResult:
    """One test of a run against exact values.

    Attributes
    ----------
    name
        What was tested, for people.
    statistic
        z, or chi-squared; NaN where the run is too short for the test.
    df
        Degrees of freedom of chi-squared; None for a z.
    p_value
        Probability of a statistic at least as extreme if everything is right; None where the
        run is too short for the test.
    wager
        The wager that the test is about; None for the deal, which all wagers share.
    """

    __test__ = False  # pytest would otherwise take the class for a test

    name: str
    statistic: float
    df: int | None
    p_value: float | None
    wager: str | None = None


def z_test(name: str, difference: float, standard_error: float, wager: str | None) -> TestResult:
    """Test that a difference is 0, given its standard error (two-sided, normal).

    What cannot vary (a standard error of 0) is compared as a number is: it stands (p = 1), or it
    fails outright (p = 0).

    Parameters
    ----------
    standard_error
        Of the difference; NaN where the run is too short to be judged by it.
    """
    if math.isnan(standard_error):
        return TestResult(name, math.nan, None, None, wager)
    if standard_error == 0:
        same = abs(difference) <= SAME
        z = 0.0 if same else math.copysign(math.inf, difference)
        return TestResult(name, z, None, float(same), wager)
    z = difference / standard_error
    return TestResult(name, z, None, float(2 * ndtr(-abs(z))), wager)


def pool_cells(expected: Sequence[Fraction]) -> list[list[int]]:
    """Group cells so that every group expects at least 5: the small ones together.

    Where the small cells together still expect less than 5, the smallest of the others joins
    them. Cells that expect nothing at all are left out.
    """
    possible = [index for index, value in enumerate(expected) if value > 0]
    small = [index for index in possible if expected[index] < LEAST_EXPECTED]
    large = sorted(set(possible) - set(small), key=lambda index: expected[index])
    if small and large and sum(expected[index] for index in small) < LEAST_EXPECTED:
        small.append(large.pop(0))
    groups = [[index] for index in sorted(large)]
    return [*groups, small] if small else groups


def chi_squared(
    name: str,
    observed: Sequence[int],
    probabilities: Sequence[Fraction],
    wager: str | None = None,
) -> TestResult:
    """Pearson's chi-squared test of counts against known probabilities.

    Cells are pooled by `pool_cells`; degrees of freedom are the remaining cells less one. A
    count in a cell of probability 0 fails outright (p = 0).

    Parameters
    ----------
    observed
        Independent observations in each cell.
    probabilities
        Of each cell, exact, summing to 1.
    """
    if sum(probabilities) != 1 or len(observed) != len(probabilities):
        raise ValueError(f"{name}: needs one probability per cell, summing to 1")
    n = sum(int(count) for count in observed)
    if any(count and not p for count, p in zip(observed, probabilities, strict=True)):
        return TestResult(name, math.inf, None, 0.0, wager)
    groups = pool_cells([n * p for p in probabilities])
    if len(groups) < 2:
        return TestResult(name, math.nan, None, None, wager)
    statistic = 0.0
    for group in groups:
        expected = n * sum((probabilities[index] for index in group), Fraction(0))
        excess = sum(int(observed[index]) for index in group) - expected
        statistic += float(excess**2 / expected)
    df = len(groups) - 1
    return TestResult(name, statistic, df, float(chdtrc(df, statistic)), wager)


def bet_chi_squared(
    name: str,
    tally: BetRounds,
    probabilities: Mapping[str, Fraction],
    stakes: int,
    wager: str | None = None,
) -> TestResult:
    """Test the frequencies of a side bet's outcomes, over all hands of the rounds.

    With one stake a round this is `chi_squared`. With more, hands of one round are not
    independent (they share the up card and the shoe): the statistic is ``d' S^-1 d`` with d the
    counts less their expectation and S their covariance, exact within a hand and estimated from
    the run between hands (Wald's test; rounds are the independent observations).

    Parameters
    ----------
    tally
        Winning outcomes of a round -> rounds.
    probabilities
        Exact probability of each winning outcome for one hand.
    stakes
        Hands a round.
    """
    order = list(probabilities)
    chances = [*probabilities.values(), 1 - sum(probabilities.values(), Fraction(0))]
    vectors: Counter[tuple[int, ...]] = Counter()
    for outcomes, count in tally.items():
        wins = [outcomes.count(outcome) for outcome in order]
        if sum(wins) != len(outcomes) or len(outcomes) > stakes:
            raise ValueError(f"{name}: {outcomes!r} is no result of {stakes} stake(s)")
        vectors[(*wins, stakes - len(outcomes))] += int(count)
    totals = [sum(v[i] * count for v, count in vectors.items()) for i in range(len(chances))]
    if stakes == 1:
        return chi_squared(name, totals, chances, wager)
    if any(count and not p for count, p in zip(totals, chances, strict=True)):
        return TestResult(name, math.inf, None, 0.0, wager)
    rounds = sum(vectors.values())
    groups = pool_cells([rounds * stakes * p for p in chances])
    if len(groups) < 2:
        return TestResult(name, math.nan, None, None, wager)
    return _wald(name, vectors, (groups, chances), stakes, wager)


def _wald(
    name: str,
    vectors: Mapping[tuple[int, ...], int],
    expectation: tuple[list[list[int]], list[Fraction]],
    stakes: int,
    wager: str | None,
) -> TestResult:
    """Wald's test for `bet_chi_squared`; the last group is left out, the others imply it."""
    groups, chances = expectation
    rounds = sum(vectors.values())
    kept = groups[:-1]
    p = np.array([float(sum(chances[i] for i in group)) for group in kept])
    counts = np.array([[sum(v[i] for i in group) for group in kept] for v in vectors], dtype=float)
    weights = np.array(list(vectors.values()), dtype=float) / rounds
    mean = weights @ counts
    pairs = (counts * weights[:, None]).T @ counts - np.diag(mean)
    between = pairs - (stakes - 1) / stakes * np.outer(mean, mean)
    covariance = stakes * (np.diag(p) - np.outer(p, p)) + between
    excess = mean - stakes * p
    try:
        np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:  # too few rounds to know how the hands go together
        return TestResult(name, math.nan, None, None, wager)
    statistic = rounds * float(excess @ np.linalg.solve(covariance, excess))
    df = len(kept)
    return TestResult(name, statistic, df, float(chdtrc(df, statistic)), wager)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for their number by Holm's step-down method.

    Rejecting where the adjusted value is at most alpha keeps the chance of any false rejection
    below alpha, whatever the dependence (Holm, Scand. J. Statist. 6, 1979, 65-70).
    """
    adjusted = [0.0] * len(p_values)
    running = 0.0
    for step, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        running = max(running, min(1.0, (len(p_values) - step) * p_values[index]))
        adjusted[index] = running
    return adjusted
