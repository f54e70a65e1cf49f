"""Covariances: exact ones against enumeration card by card, and against rounds played."""

import dataclasses
import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from rtpsim import covariances
from rtpsim.cards import Card, Shoe
from rtpsim.covariances import (
    _main_covariance,
    _recorded_covariance,
    hands_covariance,
    side_bet_covariance,
    wager_covariances,
)
from rtpsim.errors import InputError
from rtpsim.figures import ExactFigures, exact_figures
from rtpsim.games import Game, load_game
from rtpsim.rulestring import parse_rules
from rtpsim.sidebets import classify
from rtpsim.simulation import simulate
from rtpsim.statistics import covariance_estimate
from rtpsim.strategy import default_chart, read_chart

SIGNATURE = load_game("signature-surrender")
SURRENDER = load_game("blackjack-surrender")
PAIR = SURRENDER.side_bet("players-pair")
DEALER = SURRENDER.side_bet("dealers-pair")
THREE = SURRENDER.side_bet("21+3")
ROLES = ("player1", "player2", "up", "hole")


def small_shoe(*cards, copies=2):
    counts = [0] * 52
    for card in cards:
        counts[Card.parse(card).number] += copies
    return Shoe(tuple(counts))


SHOE = small_shoe("AC", "2C", "3C", "3D", "TC", "JH", "QC", "KC")


def deals(shoe):
    """Every ordered deal of four cards, each copy by itself."""
    cards = [Card.from_number(n) for n, copies in enumerate(shoe.counts) for _ in range(copies)]
    for deal in itertools.permutations(cards, 4):
        yield dict(zip(ROLES, deal, strict=True))


def returned(bet, deal):
    outcome = classify(bet, [deal[role] for role in bet.cards])
    return bet.pays[outcome] + 1 if outcome in bet.pays else 0


@pytest.mark.parametrize(
    ("one", "other"), [(THREE, PAIR), (THREE, DEALER), (PAIR, DEALER), (PAIR, PAIR)]
)
def test_side_bets_against_every_deal_of_a_small_shoe(one, other):
    shoe = small_shoe("AC", "2C", "3C", "3D", "KC")
    count = first = second = product = 0
    for deal in deals(shoe):
        x, y = returned(one, deal), returned(other, deal)
        count, first, second, product = count + 1, first + x, second + y, product + x * y
    expected = Fraction(product, count) - Fraction(first, count) * Fraction(second, count)
    assert expected != 0
    assert side_bet_covariance(one, other, shoe) == expected


def test_a_large_shoe_does_not_overflow():
    # many decks: cards are nearly drawn with replacement, and the pair's chance does not depend
    # on the dealer's
    assert abs(side_bet_covariance(PAIR, DEALER, Shoe.of_decks(1000))) < 1e-5


@pytest.mark.parametrize("bet", [THREE, PAIR])
def test_main_game_against_every_deal_of_a_small_shoe(bet):
    # a main game that nobody plays: its mean, given the cards' values, is a number of its own
    def net(first, second, up):
        return math.sin(1 + first * second + 3 * up) + 0.3 * (first == second)

    chances, count, first, second, product = Counter(), 0, 0.0, 0.0, 0.0
    for deal in deals(SHOE):
        values = [deal[role].value_class for role in ROLES[:3]]
        low, high = sorted(values[:2])
        chances[low, high, values[2]] += 1
        x, y = net(low, high, values[2]), returned(bet, deal)
        count, first, second, product = count + 1, first + x, second + y, product + x * y
    names = "A23456789T"
    hands = [
        {
            "cards": names[low] + names[high],
            "up": names[up],
            "probability": n / count * share,
            "action": "stand",
            "ev": net(low, high, up),
        }
        for (low, high, up), n in chances.items()
        for share in ((0.25, 0.75) if low == high == 9 else (1.0,))  # pairs by rank, and not
    ]
    exact = ExactFigures({"by_hand": hands}, {})
    expected = product / count - first / count * second / count
    assert abs(expected) > 1e-3
    assert _main_covariance(bet, SHOE, exact) == pytest.approx(expected, abs=1e-12)


def test_exact_covariances_agree_with_rounds_played(monkeypatch):
    monkeypatch.setattr(covariances, "_RECORDS", 4)
    chart = default_chart(SIGNATURE)
    found = wager_covariances(SIGNATURE, chart, exact_figures(SIGNATURE, chart))
    assert [(one.first, one.second) for one in found] == [
        ("main", "empire-poker"),
        ("main", "empire-pairs"),
        ("empire-poker", "empire-pairs"),
    ]
    assert all(one.exact and one.covariance.standard_error == 0 for one in found)
    for one in found[:2]:
        estimate, rounds = _recorded_covariance(SIGNATURE, chart, SIGNATURE.side_bet(one.second))
        assert rounds == 4 * 2**18
        assert estimate.standard_error < 0.007
        assert abs(estimate.value - one.covariance.value) < 3.5 * estimate.standard_error


def test_what_is_out_of_exact_reach_is_marked(monkeypatch):
    monkeypatch.setattr(covariances, "_RECORDS", 1)
    # by rank, tens split: which ten is seen tells whether the hand is split
    rules = parse_rules("2D S17 SPR SPL1 PEEK")
    game = Game.from_rules(rules).model_copy(update={"side_bets": (PAIR,)})
    ordinary = read_chart("ordinary")
    splits_tens = dataclasses.replace(
        ordinary, name="tens", rows={**ordinary.rows, "pair T": ("P",) * 10}
    )
    for chart, exact in ((ordinary, True), (splits_tens, False)):
        (found,) = wager_covariances(game, chart, exact_figures(game, chart))
        assert found.exact is exact
        assert (found.rounds == 0) is exact
        assert (found.covariance.standard_error == 0) is exact


class TestEstimate:
    def test_against_the_formula_by_hand(self):
        # (0, 0), (2, 1), (4, 5) halves and ones: x = 0, 1, 2; y = 0, 1, 5; means 1 and 2;
        # a hundred of each: sum of products of deviations 100 (2 + 0 + 3); squared 100 (4 + 0 + 9)
        found = covariance_estimate({(0, 0): 100, (2, 1): 100, (4, 5): 100}, (2, 1))
        assert found.value == pytest.approx(500 / 299)
        assert found.standard_error == pytest.approx(
            math.sqrt((1300 / 300 - (500 / 299) ** 2) / 300)
        )

    def test_standard_error_covers_the_truth(self):
        rng = np.random.default_rng(1)
        inside = 0
        for _ in range(400):
            x = rng.integers(0, 4, 500)
            y = x * rng.integers(0, 3, 500)
            cells = Counter(zip(x.tolist(), y.tolist(), strict=True))
            found = covariance_estimate(cells, (1, 2))
            # Cov(x, x z) / 2 with independent z: E z Var x / 2 = 1.25 / 2
            inside += abs(found.value - 0.625) < 1.96 * found.standard_error
        assert 0.92 < inside / 400 < 0.98

    def test_one_observation_says_nothing(self):
        assert math.isnan(covariance_estimate({(1, 1): 1}, (1, 1)).value)


class TestHands:
    @pytest.fixture(scope="class")
    @staticmethod
    def exact():
        return exact_figures(SIGNATURE, default_chart(SIGNATURE))

    @pytest.fixture(scope="class")
    @staticmethod
    def tally():
        return simulate(
            SIGNATURE, default_chart(SIGNATURE), rounds=2_000_000, hands=3, side_bets=()
        )

    def test_is_about_a_half_as_books_say(self, tally, exact):
        # P. Griffin, The Theory of Blackjack (ch. 9), and S. Wong, Professional Blackjack: hands
        # of one round have a covariance of about 0.5; surrender makes it a little less
        found = hands_covariance(tally, exact.variance)
        assert 0.42 < found.covariance.value < 0.52
        assert found.covariance.standard_error < 0.002
        # Var(3) = 3 var + 6 cov
        whole = 3 * exact.variance + 6 * found.covariance.value
        assert found.round_variance.value == pytest.approx(whole)
        assert found.correlation == pytest.approx(found.covariance.value / exact.variance)

    def test_variance_of_a_hand_from_the_run_itself(self, tally, exact):
        known, unknown = hands_covariance(tally, exact.variance), hands_covariance(tally, None)
        assert unknown.hand_variance.value == pytest.approx(exact.variance, abs=0.005)
        assert unknown.covariance.value == pytest.approx(known.covariance.value, abs=0.005)
        assert unknown.covariance.standard_error > known.covariance.standard_error

    def test_two_hands_have_the_same_covariance_as_three(self, tally, exact):
        two = simulate(
            SIGNATURE, default_chart(SIGNATURE), rounds=2_000_000, hands=2, seed=9, side_bets=()
        )
        one, other = (hands_covariance(t, exact.variance).covariance for t in (tally, two))
        error = math.hypot(one.standard_error, other.standard_error)
        # nearly: the third hand's cards are gone too
        assert abs(one.value - other.value) < 4 * error

    def test_one_hand_has_none(self, exact):
        single = simulate(SIGNATURE, default_chart(SIGNATURE), rounds=10)
        with pytest.raises(InputError, match="two hands"):
            hands_covariance(single, exact.variance)
