"""Estimators against naive computations from expanded lists of rounds, and against books."""

import math
import statistics as naive
from dataclasses import fields
from fractions import Fraction

import numpy as np
import pytest
from synthetic import MAIN_GAME, draw

from rtpsim.errors import InputError
from rtpsim.statistics import (
    Estimate,
    main_figures,
    mean_estimate,
    normal_quantile,
    outcome_counts,
    ratio_estimate,
    return_estimate,
    round_variance,
    rounds_needed,
    sample_variance,
    stake_variance,
    variance_estimate,
)

TALLY = {(-2, 2): 41, (-4, 4): 7, (-1, 2): 5, (0, 2): 9, (2, 2): 33, (3, 2): 6, (4, 4): 8}


def expanded(tally):
    """Return one (net, wager) per round."""
    return [key for key, count in tally.items() for _ in range(count)]


def test_figures_are_those_of_the_list_of_rounds():
    rounds = expanded(TALLY)
    nets = [net / 2 for net, _ in rounds]
    wagers = [wager / 2 for _, wager in rounds]
    figures = main_figures(TALLY, unit=2)

    assert figures.rounds == len(rounds) == 109
    others = {field.name for field in fields(figures)} - set(figures.estimates)
    assert others == {"rounds", "hands"}
    assert figures.ev.value == pytest.approx(naive.fmean(nets), rel=1e-13)
    assert figures.mean_wager.value == pytest.approx(naive.fmean(wagers), rel=1e-13)
    assert figures.variance.value == pytest.approx(naive.variance(nets), rel=1e-13)
    assert figures.sd.value == pytest.approx(naive.stdev(nets), rel=1e-13)
    assert figures.ev.standard_error == pytest.approx(naive.stdev(nets) / math.sqrt(109))
    assert figures.mean_wager.standard_error == pytest.approx(naive.stdev(wagers) / math.sqrt(109))
    hits = [float(net > 0) for net in nets]
    assert figures.hit_frequency.value == pytest.approx((33 + 6 + 8) / 109)
    assert figures.hit_frequency.standard_error == pytest.approx(naive.stdev(hits) / math.sqrt(109))
    returned = sum(net + wager for net, wager in zip(nets, wagers, strict=True))
    assert figures.rtp_total.value == pytest.approx(returned / sum(wagers), rel=1e-13)
    assert figures.rtp_initial.value == pytest.approx(1 + sum(nets) / len(nets), rel=1e-13)
    assert figures.house_edge.value == pytest.approx(1 - figures.rtp_initial.value)
    assert figures.element_of_risk.value == pytest.approx(1 - figures.rtp_total.value)


def test_error_of_the_ratio_is_that_of_the_residuals():
    # sum(R - r W) / sum W, the residuals taken as plain observations
    returned = [(net + wager) / 2 for net, wager in expanded(TALLY)]
    wagers = [wager / 2 for _, wager in expanded(TALLY)]
    r = sum(returned) / sum(wagers)
    residuals = [back - r * wager for back, wager in zip(returned, wagers, strict=True)]
    error = naive.stdev(residuals) / math.sqrt(len(wagers)) / naive.fmean(wagers)
    figures = main_figures(TALLY, 2)
    assert figures.rtp_total.standard_error == pytest.approx(error, rel=1e-12)
    assert figures.element_of_risk.standard_error == pytest.approx(error, rel=1e-12)


def test_error_of_the_ratio_in_a_case_worked_by_hand():
    # three rounds, net -1, 0, 2 on wagers 1, 1, 2: q = 1/4, residuals -5/4, -1/4, 3/2;
    # s^2 = (25 + 1 + 36) / 16 / 2 = 31/16; s.e. = sqrt(31/16) / sqrt(3) / (4/3)
    ratio = ratio_estimate({(-1, 1): 1, (0, 1): 1, (2, 2): 1})
    assert ratio.value == 0.25
    assert ratio.standard_error == pytest.approx(math.sqrt(31 / 16 / 3) * 3 / 4, rel=1e-14)


def test_equal_wagers_make_the_ratio_a_mean():
    tally = {(-2, 2): 10, (2, 2): 7, (3, 2): 1}
    ratio, mean = ratio_estimate(tally), mean_estimate({-2: 10, 2: 7, 3: 1}, unit=2)
    assert ratio.value == pytest.approx(mean.value)
    assert ratio.standard_error == pytest.approx(mean.standard_error)


def test_several_hands_share_a_round():
    # two hands: a round's net of +1 and -2 on 2 initial wagers
    figures = main_figures({(2, 4): 3, (-4, 4): 1}, unit=2, hands=2)
    assert figures.hands == 2
    assert figures.ev.value == pytest.approx((3 * 1 - 2) / 4)
    # four observations, whatever the hands: s^2 = (3 * 1 + 4 - 4 / 16) / 3 = 2.25
    assert figures.ev.standard_error == pytest.approx(1.5 / 2)
    assert figures.rtp_initial.value == pytest.approx(1 + 0.25 / 2)
    assert figures.rtp_initial.standard_error == pytest.approx(figures.ev.standard_error / 2)
    assert figures.house_edge.value == pytest.approx(-0.125)
    assert figures.house_edge.standard_error == pytest.approx(figures.ev.standard_error / 2)
    assert figures.rtp_total.value == pytest.approx(1 + 1 / 8)
    assert figures.mean_wager.value == 2


@pytest.mark.parametrize("count", [10**12, 10**15])
def test_long_runs_lose_nothing(count):
    # one round more lost than won: floats of 1e24 and more would drown it
    counts = {-2: count + 1, 2: count}
    n = 2 * count + 1
    assert mean_estimate(counts, unit=2).value == float(Fraction(-1, n))
    assert sample_variance(counts) == Fraction(4 * n * n - 4, n * (n - 1))


def test_numpy_integers_do_not_overflow():
    big = np.int64(4 * 10**12)
    counts = {np.int64(-2000): big, np.int64(2000): big}
    assert variance_estimate(counts).value == pytest.approx(4e6)
    assert ratio_estimate({(np.int64(1), np.int64(2)): big}).value == 0.5


def test_variance_and_its_error():
    values = [-1.0, -1.0, 0.0, 1.0, 1.0, 1.5, 2.0, -2.0]
    counts = {-2: 2, 0: 1, 2: 2, 3: 1, 4: 1, -4: 1}
    n, mean, s2 = len(values), naive.fmean(values), naive.variance(values)
    fourth = sum((x - mean) ** 4 for x in values) / n
    expected = math.sqrt((fourth - s2**2 * (n - 3) / (n - 1)) / n)
    estimate = variance_estimate(counts, unit=2)
    assert estimate.value == pytest.approx(s2)
    assert estimate.standard_error == pytest.approx(expected)
    # the error of a root: d sqrt(v) / d v = 1 / (2 sqrt(v))
    figures = main_figures({(x, 2): n for x, n in counts.items()}, unit=2)
    assert figures.variance.standard_error == pytest.approx(expected)
    sd = figures.sd
    assert sd.standard_error == pytest.approx(expected / (2 * math.sqrt(s2)))


def test_quantiles_are_those_of_the_tables():
    assert normal_quantile(0.95) == pytest.approx(1.959964, abs=5e-7)
    assert normal_quantile(0.99) == pytest.approx(2.575829, abs=5e-7)
    low, high = Estimate(10.0, 2.0).interval(0.95)
    assert (low, high) == pytest.approx((6.080072, 13.919928), abs=1e-6)


def test_volatility_index_uses_the_trade_s_z():
    figures = main_figures(TALLY, 2)
    assert figures.volatility_index(90) == pytest.approx(1.645 * figures.sd.value)
    assert figures.volatility_index(95) == pytest.approx(1.960 * figures.sd.value)


def test_one_round_has_no_error_bar_and_none_has_no_figures():
    figures = main_figures({(3, 2): 1}, 2)
    assert figures.rtp_total.value == 2.5
    assert math.isnan(figures.rtp_total.standard_error)
    document = figures.to_dict()
    assert document["standard_errors"]["rtp_total"] is None
    assert document["intervals_99"]["ev"] == [None, None]
    with pytest.raises(InputError, match="no round was played"):
        main_figures({}, 2)


@pytest.mark.parametrize("name", ["rtp_total", "rtp_initial", "mean_wager", "hit_frequency"])
def test_intervals_cover_the_truth_as_often_as_they_say(name):
    chances = {key: p / sum(MAIN_GAME.values()) for key, p in MAIN_GAME.items()}
    ev = sum(p * net / 2 for (net, _), p in chances.items())
    wager = sum(p * w / 2 for (_, w), p in chances.items())
    hit = sum(p for (net, _), p in chances.items() if net > 0)
    truth = {
        "rtp_total": 1 + ev / wager,
        "rtp_initial": 1 + ev,
        "mean_wager": wager,
        "hit_frequency": hit,
    }[name]
    rng = np.random.default_rng(20)
    covered = {0.95: 0, 0.99: 0}
    runs = 1000
    for _ in range(runs):
        estimate = main_figures(draw(rng, 3000, chances), 2).estimates[name]
        for level in covered:
            low, high = estimate.interval(level)
            covered[level] += low <= truth <= high
    # binomial, 3.3 standard deviations either way
    assert covered[0.95] / runs == pytest.approx(0.95, abs=0.023)
    assert covered[0.99] / runs == pytest.approx(0.99, abs=0.0104)


PAYS = {"perfect": 25, "coloured": 12, "mixed": 6}
PAIR_CHANCES = {
    "perfect": Fraction(5, 311),
    "coloured": Fraction(6, 311),
    "mixed": Fraction(12, 311),
}


def test_side_bet_return_is_that_of_the_list_of_rounds():
    tally = {(): 80, ("mixed",): 6, ("mixed", "perfect"): 2, ("coloured",): 3}
    rounds = [sum(PAYS[o] + 1 for o in key) / 2 for key, n in tally.items() for _ in range(n)]
    estimate = return_estimate(tally, PAYS, stakes=2)
    assert estimate.value == pytest.approx(naive.fmean(rounds))
    assert estimate.standard_error == pytest.approx(naive.stdev(rounds) / math.sqrt(91))
    assert outcome_counts(tally) == {"mixed": 8, "perfect": 2, "coloured": 3}


def test_exact_variance_of_a_stake_from_the_definition():
    values = [(26, 5), (13, 6), (7, 12), (0, 311 - 23)]
    mean = Fraction(sum(value * n for value, n in values), 311)
    assert mean == Fraction(292, 311)  # prints as 93.89 %
    variance = sum(Fraction(n, 311) * (value - mean) ** 2 for value, n in values)
    assert stake_variance(PAIR_CHANCES, PAYS) == variance


def test_variance_of_a_round_of_several_hands_has_their_covariance():
    # both hands always share their luck: the round's variance is four times that of one
    n = 311_000
    together = {(o, o): int(p * n) for o, p in PAIR_CHANCES.items()}
    together[()] = n - sum(together.values())
    one = float(stake_variance(PAIR_CHANCES, PAYS))
    assert round_variance(together, PAIR_CHANCES, PAYS, 2) == pytest.approx(4 * one, rel=1e-4)
    assert round_variance(together, PAIR_CHANCES, PAYS, 1) == one


def test_rounds_needed_by_hand():
    # sd 1.15, half-width 0.0001 at 99 %: (2.5758293 * 11500)^2 = 877,453,998.9...
    needed = rounds_needed(1.15, 0.0001)
    assert needed == pytest.approx(8.7746e8, rel=1e-4)
    assert normal_quantile(0.99) * 1.15 / math.sqrt(needed) <= 0.0001
    assert normal_quantile(0.99) * 1.15 / math.sqrt(needed - 1) > 0.0001
