"""What holds of every exact result, whatever the numbers are."""

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_shoes import mean_insurance, mean_net, random_chart, shoe

from rtpsim.cards import Shoe
from rtpsim.exact.dealer import dealer_outcomes, dealer_trees
from rtpsim.exact.evaluate import evaluate
from rtpsim.exact.policies import ChartPolicy, OptimalPolicy
from rtpsim.rulestring import parse_rules
from rtpsim.strategy import read_chart

LOPSIDED = "Ax9 2x3 4x5 5x9 6x7 8x4 9x6 Tx12 Jx5 Kx2"
BASE = "1D H17 D9 NDAS SPL1 NS 6:5 ENHC"
BETTER = {
    "DOA": "D9",
    "D9S": "D9",
    "D9N": "D9",
    "D8": "D9",
    "DAS": "NDAS",
    "HSA": "",
    "LS": "NS",
    "ES": "NS",
    "ES10": "NS",
    "3:2": "6:5",
    "OBO": "ENHC",
    "INSP": "",
    "C5": "",
    "C7": "",
    "H21": "",
    "PD9": "",
    "PS": "",
}
"""What only adds an option or raises a payment: the token, and the one it replaces in BASE."""


def changed(rules, token, replaced):
    words = [word for word in rules.split() if word != replaced]
    return parse_rules(" ".join([*words, token]))


@cache
def optimal(rules, cards):
    """Return the net of optimal play, insurance included: with INSP it is worth its price."""
    openings = evaluate(rules, OptimalPolicy(), cards)
    return mean_net(openings) + mean_insurance(openings)


@pytest.mark.parametrize("cards", [Shoe.of_decks(1), shoe(LOPSIDED)], ids=["deck", "lopsided"])
@pytest.mark.parametrize("rules", ["6D SPL3 RSA LS", "1D SPR PS PD9 ENHC P22", "2D OBO ES C5"])
def test_probabilities_of_openings_sum_to_one(rules, cards):
    openings = evaluate(parse_rules(rules), OptimalPolicy(), cards)
    assert sum(o.probability for o in openings) == pytest.approx(1, abs=1e-13)
    assert all(o.probability > 0 for o in openings)
    assert len({(o.first, o.second, o.up, o.pair) for o in openings}) == len(openings)


@settings(max_examples=15, deadline=None)
@given(
    counts=st.lists(st.integers(0, 12), min_size=10, max_size=10).filter(lambda c: sum(c) > 30),
    up=st.integers(0, 9),
    soft17=st.sampled_from(["stand", "hit"]),
)
def test_dealer_outcomes_sum_to_one(counts, up, soft17):
    left = np.array(counts, dtype=np.float64)[:, np.newaxis]
    # not with so many aces and twos gone high that the dealer could run out of cards
    found = dealer_outcomes(dealer_trees(soft17)[up], left)
    assert found.sum() == pytest.approx(1, abs=1e-12)
    assert found.min() >= 0


@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("rules", ["1D H17 DAS SPL1 LS PEEK", "1D S17 SPT2 ENHC PD9 PS C6"])
def test_no_chart_is_better_than_optimal_play(rules, seed):
    rules, cards = parse_rules(rules), shoe(LOPSIDED)
    chart = ChartPolicy(random_chart(seed, rules), rules)
    assert mean_net(evaluate(rules, chart, cards)) < optimal(rules, cards)


@pytest.mark.parametrize("seed", range(1, 4))
def test_no_chart_is_better_than_optimal_play_in_any_hand(seed):
    rules, cards = parse_rules("2D S17 DOA DAS SPL1 LS PEEK"), Shoe.of_decks(2)
    chart = ChartPolicy(random_chart(seed, rules), rules)
    best = evaluate(rules, OptimalPolicy(), cards)
    for played, solved in zip(evaluate(rules, chart, cards), best, strict=True):
        assert (played.first, played.second, played.up) == (
            solved.first, solved.second, solved.up,
        )  # fmt: skip
        assert played.worth.net <= solved.worth.net + 1e-13


@pytest.mark.parametrize("rules", ["8D S17 DOA DAS SPL1 LS PEEK", "1D S17 D9 NDAS SPL1 ENHC"])
def test_composition_is_worth_knowing(rules):
    rules = parse_rules(rules)
    cards = Shoe.of_decks(rules.decks)
    chart = mean_net(evaluate(rules, ChartPolicy(read_chart("ordinary"), rules), cards))
    assert 0 < optimal(rules, cards) - chart < 0.01


@pytest.mark.parametrize("cards", [Shoe.of_decks(1), shoe(LOPSIDED)], ids=["deck", "lopsided"])
@pytest.mark.parametrize("token", BETTER)
def test_an_option_or_a_payment_more_never_costs(token, cards):
    before = optimal(parse_rules(BASE), cards)
    assert optimal(changed(BASE, token, BETTER[token]), cards) >= before - 1e-13


@pytest.mark.parametrize("token", ["NS", "2:1", "PEEK", "SPL0", "ND"])
def test_what_only_takes_or_gives_is_seen_to_do_so(token):
    """So that the test above could fail: some of these are worth less, some more."""
    base = {"NS": "NS", "2:1": "6:5", "PEEK": "ENHC", "SPL0": "SPL1", "ND": "D9"}[token]
    sign = {"NS": 0, "2:1": 1, "PEEK": 1, "SPL0": -1, "ND": -1}[token]
    gain = optimal(changed(BASE, token, base), Shoe.of_decks(1)) - optimal(
        parse_rules(BASE), Shoe.of_decks(1)
    )
    assert np.sign(gain) == sign


@pytest.mark.parametrize("rules", ["8D S17 DOA DAS SPL1 LS PEEK", "1D SPR HSA ENHC"])
def test_any_shoe_is_a_shoe(rules):
    """Only the cards of each value count, suits and, unless pairs are by rank, ranks do not."""
    rules = parse_rules(rules)
    decks = Shoe.of_decks(rules.decks)
    one_suit = [0] * 52
    one_suit[::4] = (4 * rules.decks,) * 13
    written = Shoe(tuple(one_suit))
    assert evaluate(rules, OptimalPolicy(), written) == evaluate(rules, OptimalPolicy(), decks)


def test_ranks_of_tens_matter_where_pairs_are_by_rank():
    one_rank = shoe("Ax4 2x4 3x4 4x4 5x4 6x4 7x4 8x4 9x4 Tx16")
    for rules, alike in (("1D SPV HSA ENHC", True), ("1D SPR HSA ENHC", False)):
        rules = parse_rules(rules)
        splits_tens = ChartPolicy(random_chart(0, rules), rules)
        found, by_deck = (
            mean_net(evaluate(rules, splits_tens, cards)) for cards in (one_rank, Shoe.of_decks(1))
        )
        assert (found == pytest.approx(by_deck, abs=1e-13)) == alike


def test_one_card_more_makes_another_shoe():
    rules = parse_rules("1D LS")
    more = list(Shoe.of_decks(1).counts)
    more[0] += 1
    assert optimal(rules, Shoe(tuple(more))) > optimal(rules, Shoe.of_decks(1)) + 1e-4


@pytest.mark.parametrize("policy", ["optimal", "chart"])
def test_results_repeat_to_the_last_bit(policy):
    rules = parse_rules("6D SPL3 RSA LS PEEK")

    def found():
        chosen = OptimalPolicy() if policy == "optimal" else _random_policy(rules)
        return evaluate(rules, chosen, Shoe.of_decks(6))

    assert found() == found()


def _random_policy(rules):
    return ChartPolicy(random_chart(random.Random(5).randrange(100), rules), rules)
