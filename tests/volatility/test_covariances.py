"""Covariances: exact ones against enumeration card by card, and against rounds played."""

import dataclasses
import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from rtpsim.cards import Card, Shoe
from rtpsim.errors import InputError
from rtpsim.exact.figures import exact_figures
from rtpsim.games import Game, load_game
from rtpsim.rulestring import parse_rules
from rtpsim.sidebets import classify, exact_counts
from rtpsim.simulation import simulate
from rtpsim.statistics import covariance_estimate
from rtpsim.strategy import default_chart, read_chart
from rtpsim.volatility import covariances
from rtpsim.volatility.covariances import (
    _recorded_covariance,
    _seen_means,
    hands_covariance,
    main_covariance,
    side_bet_covariance,
    wager_covariances,
)

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


@pytest.mark.parametrize(("bet", "seen"), [(THREE, 3), (PAIR, 3), (DEALER, 4), (THREE, 4)])
def test_main_game_against_every_deal_of_a_small_shoe(bet, seen):
    # a main game that nobody plays: its mean, given the cards' values, is a number of its own
    def net(first, second, up, hole=0):
        return math.sin(1 + first * second + 3 * up) + 0.3 * (first == second) + hole % 3

    chances, nets = np.zeros((10,) * seen), np.zeros((10,) * seen)
    count, first, second, product = 0, 0.0, 0.0, 0.0
    for deal in deals(SHOE):
        values = tuple(deal[role].value_class for role in ROLES[:seen])
        x, y = net(*values), returned(bet, deal)
        chances[values] += 1
        nets[values] = x
        count, first, second, product = count + 1, first + x, second + y, product + x * y
    expected = product / count - first / count * second / count
    assert abs(expected) > 1e-3
    found = main_covariance(bet, SHOE, chances / count, nets)
    assert found == pytest.approx(expected, abs=1e-12)


def test_means_by_hand_are_of_either_order():
    chart = default_chart(SIGNATURE)
    exact = exact_figures(SIGNATURE, chart)
    chances, nets = _seen_means(exact)
    assert chances.sum() == pytest.approx(1)
    assert (chances * nets).sum() == pytest.approx(exact.main_net, abs=1e-13)
    assert np.array_equal(nets, nets.transpose(1, 0, 2))
    # two fives of 32 out of 416, and a six
    assert chances[4, 4, 5] == pytest.approx(32 * 31 * 32 / (416 * 415 * 414))
    assert chances[4, 3, 5] == pytest.approx(32 * 32 * 32 / (416 * 415 * 414))


@pytest.mark.parametrize(
    ("game", "bets"),
    [
        (SIGNATURE, ["empire-poker", "empire-pairs"]),
        (SURRENDER, ["21+3", "players-pair", "dealers-pair"]),
    ],
    ids=["signature", "surrender"],
)
def test_exact_covariances_agree_with_rounds_played(game, bets, monkeypatch):
    monkeypatch.setattr(covariances, "_RECORDS", 4)
    chart = default_chart(game)
    found = wager_covariances(game, chart, exact_figures(game, chart))
    with_main = [("main", bet) for bet in bets]
    pairs = list(itertools.combinations(bets, 2))
    assert [(one.first, one.second) for one in found] == with_main + pairs
    assert all(one.exact and one.covariance.standard_error == 0 for one in found)
    for one in found[: len(bets)]:
        estimate, rounds = _recorded_covariance(game, chart, game.side_bet(one.second))
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
    chances = exact_counts(PAIR, Shoe.of_decks(2))
    mean = sum((PAIR.pays[name] + 1) * chance for name, chance in chances.items())
    squares = sum((PAIR.pays[name] + 1) ** 2 * chance for name, chance in chances.items())
    for chart, exact in ((ordinary, True), (splits_tens, False)):
        figures = exact_figures(game, chart)
        (found,) = wager_covariances(game, chart, figures)
        assert (found.first, found.second) == ("main", PAIR.id)
        both = math.sqrt(figures.variance * (squares - mean**2))
        assert found.correlation == pytest.approx(found.covariance.value / both, rel=1e-12)
        if not exact:
            recorded = _recorded_covariance(game, chart, PAIR)
            assert (found.covariance, found.rounds) == recorded
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


def error_of_variance(cells, unit):
    """Return sqrt((m4 - m2^2) / n), nearly, of (net, rounds) written out net by net."""
    nets = np.repeat(*map(np.array, zip(*cells, strict=True))) / unit
    squares = (nets - nets.mean()) ** 2
    return float(squares.std() / math.sqrt(len(nets)))


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
        assert (found.hands, found.rounds) == (3, 2_000_000)
        assert 0.42 < found.covariance.value < 0.52
        assert found.covariance.standard_error < 0.002
        error = error_of_variance([(net, n) for (net, _), n in tally.outcomes.items()], tally.unit)
        assert found.round_variance.standard_error == pytest.approx(error, rel=1e-5)
        assert found.covariance.standard_error == pytest.approx(error / 6, rel=1e-5)
        # Var(3) = 3 var + 6 cov
        whole = 3 * exact.variance + 6 * found.covariance.value
        assert found.round_variance.value == pytest.approx(whole)
        assert found.correlation == pytest.approx(found.covariance.value / exact.variance)

    def test_variance_of_a_hand_from_the_run_itself(self, tally, exact):
        known, unknown = hands_covariance(tally, exact.variance), hands_covariance(tally, None)
        assert unknown.hand_variance.value == pytest.approx(exact.variance, abs=0.005)
        cells = [(label.net, count) for label, count in tally.labels.items()]
        error = error_of_variance(cells, tally.unit)
        assert unknown.hand_variance.standard_error == pytest.approx(error, rel=1e-5)
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
