"""Every estimator and interval, defined once, from integer tallies."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from scipy.special import ndtri

from rtpsim.display import MAIN_FIGURES, html_table, main_figure, percent_within
from rtpsim.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

Outcomes = Mapping[tuple[int, int], int]
"""(net, wager) of a whole round, integers in 1/unit initial wagers -> number of rounds."""

BetRounds = Mapping[tuple[str, ...], int]
"""Winning outcomes of one side bet in a round, one entry per winning hand -> number of rounds."""

LEVELS = (0.95, 0.99)
"""Confidence levels that are reported."""

VOLATILITY_LEVELS = {90: 1.645, 95: 1.960}
"""The z that the trade multiplies the standard deviation by for its volatility index."""


def normal_quantile(level: float) -> float:
    """Return z with P(-z < Z < z) = `level` for a standard normal Z: 0.95 -> 1.95996."""
    return float(ndtri((1 + level) / 2))


@dataclass(frozen=True)
class Estimate:
    """A figure estimated from a run.

    Attributes
    ----------
    value
        The estimate.
    standard_error
        Its standard error, in the same unit; NaN where one round says nothing about it.
    """

    value: float
    standard_error: float

    def half_width(self, level: float) -> float:
        """Return half the length of the normal confidence interval at `level` (0.99 for 99 %)."""
        return normal_quantile(level) * self.standard_error

    def interval(self, level: float) -> tuple[float, float]:
        """Return the normal confidence interval at `level`, lower bound first."""
        half = self.half_width(level)
        return self.value - half, self.value + half

    def shifted(self, factor: float, offset: float) -> Estimate:
        """Return the estimate of ``factor * value + offset``."""
        return Estimate(factor * self.value + offset, abs(factor) * self.standard_error)


def _root(square: Fraction) -> float:
    return math.sqrt(float(square))


def total_rounds(tally: Mapping[tuple[int, int], int] | BetRounds) -> int:
    """Return the number of rounds of a tally, refusing one that holds none.

    Raises
    ------
    InputError
        If nothing was played.
    """
    rounds = sum(int(count) for count in tally.values())
    if rounds <= 0:
        raise InputError("no round was played: there is nothing to estimate from")
    return rounds


def sample_variance(counts: Mapping[int, int]) -> Fraction | None:
    """Return the unbiased sample variance of integers, exactly; None for fewer than two.

    ``s^2 = (n sum x^2 - (sum x)^2) / (n (n - 1))`` in whole numbers, so that nothing cancels
    however many observations there are.

    Parameters
    ----------
    counts
        value -> how often it was observed.
    """
    n = sum(int(count) for count in counts.values())
    if n < 2:
        return None
    total = sum(int(value) * int(count) for value, count in counts.items())
    squares = sum(int(value) ** 2 * int(count) for value, count in counts.items())
    return Fraction(n * squares - total**2, n * (n - 1))


def mean_estimate(counts: Mapping[int, int], unit: int = 1) -> Estimate:
    """Estimate the mean of independent observations ``value / unit``; s.e. is ``s / sqrt(n)``."""
    n = sum(int(count) for count in counts.values())
    total = sum(int(value) * int(count) for value, count in counts.items())
    variance = sample_variance(counts)
    error = math.nan if variance is None else _root(variance / n) / unit
    return Estimate(float(Fraction(total, n * unit)), error)


def variance_estimate(counts: Mapping[int, int], unit: int = 1) -> Estimate:
    """Estimate the variance of observations ``value / unit``.

    Its own standard error is ``sqrt((m4 - s^4 (n - 3) / (n - 1)) / n)`` with the fourth central
    moment m4 (Mood, Graybill and Boes, Introduction to the Theory of Statistics, VI.2.3).
    """
    n = sum(int(count) for count in counts.values())
    variance = sample_variance(counts)
    if variance is None:
        return Estimate(math.nan, math.nan)
    total = sum(int(value) * int(count) for value, count in counts.items())
    fourth = sum(int(count) * (n * int(value) - total) ** 4 for value, count in counts.items())
    spread = (Fraction(fourth, n**5) - variance**2 * Fraction(n - 3, n - 1)) / n
    error = _root(spread) / unit**2 if spread > 0 else math.nan
    return Estimate(float(variance) / unit**2, error)


def covariance_estimate(counts: Mapping[tuple[int, int], int], units: tuple[int, int]) -> Estimate:
    """Estimate the covariance of two figures observed together, ``value / unit`` each.

    The estimate is the unbiased one, in whole numbers; its standard error is
    ``sqrt((m22 - m11^2) / n)`` with the central product moments m22 and m11 (Kendall and Stuart,
    The Advanced Theory of Statistics I, 10.24, to the leading order in n).

    Parameters
    ----------
    counts
        (first value, second value) -> how often they were observed together.
    units
        Unit of either value.
    """
    n = total_rounds(counts)
    if n < 2:
        return Estimate(math.nan, math.nan)
    first = sum(x * int(count) for (x, _), count in counts.items())
    second = sum(y * int(count) for (_, y), count in counts.items())
    product = sum(x * y * int(count) for (x, y), count in counts.items())
    covariance = Fraction(n * product - first * second, n * (n - 1))
    squares = sum(
        int(count) * ((n * x - first) * (n * y - second)) ** 2 for (x, y), count in counts.items()
    )
    spread = (Fraction(squares, n**5) - covariance**2) / n
    scale = units[0] * units[1]
    error = _root(spread) / scale if spread > 0 else math.nan
    return Estimate(float(covariance) / scale, error)


def ratio_estimate(outcomes: Outcomes) -> Estimate:
    """Estimate ``E[net] / E[wager]`` as ``sum net / sum wager``.

    The standard error is that of ``sum(net - q wager) / sum wager`` with q the estimate itself
    (delta method: Cochran, Sampling Techniques, 2.11), with n - 1 in the denominator. NaN where
    nothing was wagered.
    """
    n = total_rounds(outcomes)
    net = sum(int(x) * int(count) for (x, _), count in outcomes.items())
    wager = sum(int(w) * int(count) for (_, w), count in outcomes.items())
    if wager == 0:
        return Estimate(math.nan, math.nan)
    if n < 2:
        return Estimate(net / wager, math.nan)
    residual = sum(
        int(count) * (int(x) * wager - net * int(w)) ** 2 for (x, w), count in outcomes.items()
    )
    return Estimate(net / wager, _root(Fraction(n * residual, (n - 1) * wager**4)))


@dataclass(frozen=True, repr=False)
class MainFigures:
    """What the main game returned, without insurance and side bets.

    Attributes
    ----------
    rounds
        Rounds played, the observations everything below is computed from.
    hands
        Hands a round (K); initial wager of a round: K.
    rtp_initial
        Return per initial wager: ``1 + E[net] / K``.
    rtp_total
        Return per unit wagered, doubles and splits included: ``1 + E[net] / E[wager]``.
    ev
        Expected net result of a *round*, in initial wagers of one hand.
    house_edge
        ``1 - rtp_initial``.
    element_of_risk
        ``1 - rtp_total``.
    mean_wager
        Expected total wager of a round, in initial wagers of one hand.
    variance, sd
        Of the round's net result, in (squared) initial wagers of one hand.
    hit_frequency
        P(net > 0) of a round.
    """

    rounds: int
    hands: int
    rtp_initial: Estimate
    rtp_total: Estimate
    ev: Estimate
    house_edge: Estimate
    element_of_risk: Estimate
    mean_wager: Estimate
    variance: Estimate
    sd: Estimate
    hit_frequency: Estimate

    @property
    def estimates(self) -> dict[str, Estimate]:
        """The figures by name."""
        return {name: value for name, value in vars(self).items() if isinstance(value, Estimate)}

    def __repr__(self) -> str:
        return f"<MainFigures: {self.rounds:,} rounds: rtp_total {percent_within(self.rtp_total)}>"

    def _repr_html_(self) -> str:
        return self.html(f"{self.rounds:,} rounds")

    def html(self, title: str) -> str:
        """Return the figures as an HTML table, each with the half-width of its 99 % interval."""
        rows = []
        for name in MAIN_FIGURES:
            one = self.estimates[name]
            words, value = main_figure(name, one.value, 6, in_percent=4)
            half = main_figure(name, one.half_width(0.99), 6, in_percent=4)[1]
            rows.append((words, value, half))
        return html_table(title, ["main game, simulated", "estimate", "± (99 %)"], rows)

    def to_frame(self) -> pd.DataFrame:
        """Return the figures as a tidy table.

        Returns
        -------
        DataFrame
            ``figure`` (name), ``value``, ``standard_error``, ``low_99``, ``high_99`` (99 %
            interval): returns and frequencies as ratios, nets and wagers of a round in initial
            wagers of one hand.
        """
        import pandas as pd

        rows = [
            (name, one.value, one.standard_error, *one.interval(0.99))
            for name, one in self.estimates.items()
        ]
        columns = ["figure", "value", "standard_error", "low_99", "high_99"]
        return pd.DataFrame(rows, columns=columns)

    def volatility_index(self, level: int) -> float:
        """Return the trade's volatility index, ``z sd``, at `level` 90 or 95 per cent."""
        return VOLATILITY_LEVELS[level] * self.sd.value

    def to_dict(self) -> dict[str, object]:
        """Return plain numbers for JSON; what cannot be estimated is None."""
        document: dict[str, object] = {
            name: finite(estimate.value) for name, estimate in self.estimates.items()
        }
        for percent in VOLATILITY_LEVELS:
            document[f"volatility_index_{percent}"] = finite(self.volatility_index(percent))
        document["standard_errors"] = {
            name: finite(estimate.standard_error) for name, estimate in self.estimates.items()
        }
        for level in LEVELS:
            document[f"intervals_{round(100 * level)}"] = {
                name: [finite(bound) for bound in estimate.interval(level)]
                for name, estimate in self.estimates.items()
            }
        return document


def finite(number: float) -> float | None:
    """Return the number, or None where it is NaN or infinite (JSON knows neither)."""
    return number if math.isfinite(number) else None


def main_figures(outcomes: Outcomes, unit: int, hands: int = 1) -> MainFigures:
    """Compute every figure of the main game.

    Parameters
    ----------
    outcomes
        (net, wager) of whole rounds -> rounds.
    unit
        Results are integers in 1/`unit` initial wagers.
    hands
        Hands a round.

    Raises
    ------
    InputError
        If nothing was played.
    """
    rounds = total_rounds(outcomes)
    nets: Counter[int] = Counter()
    wagers: Counter[int] = Counter()
    for (net, wager), count in outcomes.items():
        nets[int(net)] += int(count)
        wagers[int(wager)] += int(count)
    hits = sum(count for net, count in nets.items() if net > 0)
    ev = mean_estimate(nets, unit)
    edge = ratio_estimate(outcomes)
    variance = variance_estimate(nets, unit)
    sd = math.sqrt(variance.value)
    sd_error = variance.standard_error / (2 * sd) if sd > 0 else math.nan
    return MainFigures(
        rounds=rounds,
        hands=hands,
        rtp_initial=ev.shifted(1 / hands, 1),
        rtp_total=edge.shifted(1, 1),
        ev=ev,
        house_edge=ev.shifted(-1 / hands, 0),
        element_of_risk=edge.shifted(-1, 0),
        mean_wager=mean_estimate(wagers, unit),
        variance=variance,
        sd=Estimate(sd, sd_error),
        hit_frequency=mean_estimate({1: hits, 0: rounds - hits}),
    )


def returned_by_round(tally: BetRounds, pays: Mapping[str, int]) -> Counter[int]:
    """Return how often a side bet returned how much in a round: the stake and what it pays."""
    returned: Counter[int] = Counter()
    for outcomes, count in tally.items():
        returned[sum(pays[outcome] + 1 for outcome in outcomes)] += int(count)
    return returned


def return_estimate(tally: BetRounds, pays: Mapping[str, int], stakes: int = 1) -> Estimate:
    """Estimate a side bet's return to player: what came back over what was staked.

    Parameters
    ----------
    tally
        Winning outcomes of a round -> rounds.
    pays
        What each outcome pays "to one".
    stakes
        Stakes of one a round (one per hand). The round, not the hand, is the observation.
    """
    total_rounds(tally)
    return mean_estimate(returned_by_round(tally, pays), stakes)


def outcome_counts(tally: BetRounds) -> Counter[str]:
    """Return how often each winning outcome of a side bet came up, over all hands."""
    counts: Counter[str] = Counter()
    for outcomes, rounds in tally.items():
        for outcome in outcomes:
            counts[outcome] += int(rounds)
    return counts


def stake_variance(probabilities: Mapping[str, Fraction], pays: Mapping[str, int]) -> Fraction:
    """Return the exact variance of what one stake of one returns."""
    mean = sum((p * (pays[outcome] + 1) for outcome, p in probabilities.items()), Fraction(0))
    square = sum((p * (pays[o] + 1) ** 2 for o, p in probabilities.items()), Fraction(0))
    return square - mean**2


def round_variance(
    tally: BetRounds,
    probabilities: Mapping[str, Fraction],
    pays: Mapping[str, int],
    stakes: int,
) -> float:
    """Return the variance of what a side bet returns in a round.

    One stake: exact. More: the hands share the up card and the shoe, so the exact variance of
    each is taken and their covariance estimated from the run (never below 0).
    """
    exact = float(stakes * stake_variance(probabilities, pays))
    spread = sample_variance(returned_by_round(tally, pays))
    if stakes == 1 or spread is None:
        return exact
    hands = stakes * total_rounds(tally)
    seen = {o: Fraction(count, hands) for o, count in outcome_counts(tally).items()}
    covariance = float(spread - stakes * stake_variance(seen, pays))
    return exact + max(covariance, 0.0)


def rounds_needed(standard_deviation: float, half_width: float, level: float = 0.99) -> int:
    """Return the rounds after which an interval's half-width is at most `half_width`.

    ``n = (z sigma / half_width)^2``, rounded up; `standard_deviation` is that of one round.
    """
    return math.ceil((normal_quantile(level) * standard_deviation / half_width) ** 2)
