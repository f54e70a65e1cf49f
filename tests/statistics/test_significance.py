"""Tests of hypotheses: textbook values, and how often they reject what is right."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from rtpsim.statistics.significance import bet_chi_squared, chi_squared, holm, pool_cells, z_test


def test_mendel_s_peas():
    # Mendel 1866: 315 round yellow, 101 wrinkled yellow, 108 round green, 32 wrinkled green
    # against 9:3:3:1; chi-squared 0.470, 3 degrees of freedom, p 0.925
    ratio = [Fraction(part, 16) for part in (9, 3, 3, 1)]
    test = chi_squared("peas", [315, 101, 108, 32], ratio)
    assert test.statistic == pytest.approx(0.470, abs=5e-4)
    assert test.df == 3
    assert test.p_value == pytest.approx(0.925, abs=5e-4)


def test_pearson_as_scipy_computes_it():
    observed = [43, 52, 54, 40, 61]
    test = chi_squared("five", observed, [Fraction(1, 5)] * 5)
    other = stats.chisquare(observed)
    assert test.statistic == pytest.approx(other.statistic)
    assert test.p_value == pytest.approx(other.pvalue)


def test_small_cells_are_pooled():
    assert pool_cells([Fraction(100), Fraction(3), Fraction(50), Fraction(4)]) == [[0], [2], [1, 3]]
    # 3 alone is still below 5: the smallest of the others joins it
    assert pool_cells([Fraction(100), Fraction(3), Fraction(50)]) == [[0], [1, 2]]
    assert pool_cells([Fraction(9), Fraction(0), Fraction(5)]) == [[0], [2]]
    assert pool_cells([Fraction(2), Fraction(1)]) == [[0, 1]]


def test_pooling_in_a_case_worked_by_hand():
    # 100 rounds; expected 90, 4, 3, 3, pooled 90, 10; observed 80, 20: 100/90 + 100/10
    chances = [Fraction(90, 100), Fraction(4, 100), Fraction(3, 100), Fraction(3, 100)]
    test = chi_squared("pooled", [80, 10, 10, 0], chances)
    assert test.statistic == pytest.approx(100 / 90 + 10)
    assert test.df == 1


def test_what_cannot_happen_fails_and_what_is_too_short_is_not_tested():
    certain = [Fraction(1, 2), Fraction(1, 2), Fraction(0)]
    assert chi_squared("x", [500, 500, 1], certain).p_value == 0
    assert chi_squared("x", [2, 2, 0], certain).p_value is None
    assert bet_chi_squared("x", {("a",): 1, (): 9}, {"a": Fraction(0)}, 1).p_value == 0
    assert bet_chi_squared("x", {("a", "a"): 1, (): 9}, {"a": Fraction(0)}, 2).p_value == 0
    assert z_test("z", 1.0, math.nan, None).p_value is None


def test_chances_that_do_not_sum_to_one_are_refused():
    with pytest.raises(ValueError, match="summing to 1"):
        chi_squared("x", [1, 2], [Fraction(1, 2), Fraction(1, 3)])


def test_long_runs_are_tested_exactly():
    # 1e12 rounds, expected 5e11 each, 2e6 off: chi-squared 2 (2e6)^2 / 5e11 = 16
    half = 5 * 10**11
    test = chi_squared("long", [half + 2_000_000, half - 2_000_000], [Fraction(1, 2)] * 2)
    assert test.statistic == 16.0


def test_z_of_the_tables():
    assert z_test("z", 1.959964, 1.0, None).p_value == pytest.approx(0.05, abs=1e-6)
    assert z_test("z", -2.575829, 1.0, None).p_value == pytest.approx(0.01, abs=1e-6)


def test_what_cannot_vary_is_compared_as_numbers_are():
    assert z_test("z", 1e-13, 0.0, None).p_value == 1
    right = z_test("z", 0.0, 0.0, None)
    assert (right.statistic, right.p_value) == (0.0, 1.0)
    for difference in (0.5, -1e-6):
        wrong = z_test("z", difference, 0.0, None)
        assert (abs(wrong.statistic), wrong.p_value) == (math.inf, 0.0)
        assert (wrong.statistic > 0) is (difference > 0)


def test_holm_as_other_programs_adjust():
    # R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") is 0.03 0.06 0.06 0.02
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_one_stake_gives_pearson_s_statistic_either_way():
    # the general form d' S^-1 d with the multinomial's own covariance is Pearson's sum
    chances = {"a": Fraction(1, 10), "b": Fraction(1, 5)}
    tally = {("a",): 120, ("b",): 170, (): 710}
    p = np.array([0.1, 0.2])
    covariance = np.diag(p) - np.outer(p, p)
    excess = np.array([120, 170]) / 1000 - p
    wald = 1000 * excess @ np.linalg.inv(covariance) @ excess
    assert bet_chi_squared("bet", tally, chances, 1).statistic == pytest.approx(wald)


def test_independent_hands_give_nearly_the_statistic_of_as_many_rounds():
    rng = np.random.default_rng(5)
    chances = {"a": Fraction(1, 10), "b": Fraction(1, 5)}
    hands = rng.choice(["a", "b", ""], p=[0.1, 0.2, 0.7], size=(100_000, 2))
    tally = Counter(tuple(sorted(word for word in pair if word)) for pair in hands.tolist())
    singles = Counter((word,) if word else () for word in hands.ravel().tolist())
    together = bet_chi_squared("bet", tally, chances, 2)
    apart = bet_chi_squared("bet", singles, chances, 1)
    assert together.df == apart.df == 2
    assert together.statistic == pytest.approx(apart.statistic, rel=0.05)


def _four_hands(rng, rounds):
    """Deal a card to each of four hands and an up card out of six decks; name the outcomes.

    ``low`` and ``high`` sums with the shared up card: hands of a round go together.
    """
    cards = rng.integers(0, 312, size=(2 * rounds, 5))
    distinct = [len(set(row)) == 5 for row in cards.tolist()]
    values = np.minimum(cards[distinct][:rounds] % 13, 9) + 1
    sums = values[:, :4] + values[:, 4:]
    names = np.where(sums <= 8, 1, np.where(sums >= 18, 2, 0))
    keys, counts = np.unique(np.sort(names, axis=1), axis=0, return_counts=True)
    words = ("", "low", "high")
    tally = Counter()
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        tally[tuple(sorted(words[code] for code in key if code))] += count
    return tally


def _chances_of_sums():
    """Enumerate two cards of six decks by value for the outcomes of `_four_hands`."""
    copies = dict.fromkeys(range(1, 10), 24) | {10: 96}
    ways = Counter()
    for a in copies:
        for b in copies:
            name = "low" if a + b <= 8 else "high" if a + b >= 18 else ""
            ways[name] += copies[a] * (copies[b] - (b == a))
    return {name: Fraction(ways[name], 312 * 311) for name in ("low", "high")}


def test_hands_that_share_cards_are_not_taken_for_independent():
    rng = np.random.default_rng(11)
    chances = _chances_of_sums()
    runs, ours, naive = 400, 0, 0
    for _ in range(runs):
        tally = _four_hands(rng, 600)
        ours += bet_chi_squared("bet", tally, chances, 4).p_value <= 0.05
        counts = Counter(word for key, n in tally.items() for word in key for _ in range(n))
        observed = [counts["low"], counts["high"], 2400 - counts.total()]
        exact = [*chances.values(), 1 - sum(chances.values())]
        naive += chi_squared("naive", observed, exact).p_value <= 0.05
    # 5 % of 400: 20, standard deviation 4.4; the naive test rejects far more often
    assert ours == pytest.approx(20, abs=15)
    assert naive > 50


def test_a_result_of_more_hands_than_were_played_is_refused():
    with pytest.raises(ValueError, match="no result of 1 stake"):
        bet_chi_squared("bet", {("a", "a"): 1}, {"a": Fraction(1, 2)}, 1)
    with pytest.raises(ValueError, match="no result"):
        bet_chi_squared("bet", {("b",): 1}, {"a": Fraction(1, 2)}, 1)
