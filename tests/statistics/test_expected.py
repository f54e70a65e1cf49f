"""Exact frequencies of the first cards, against every permutation of small shoes and by hand."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from synthetic import deal_chances

from rtpsim.cards import Card, Shoe
from rtpsim.statistics.expected import HANDS, NATURALS, UPS, expected_deals, observed_deals


def test_small_shoe_is_enumerated_card_by_card():
    names = ["A♠", "A♥", "T♠", "K♦", "Q♣", "5♠", "5♦", "9♣"]
    cards = [Card.parse(name) for name in names]
    counts = [0] * 52
    for card in cards:
        counts[card.number] += 1
    ups, hands, naturals = Counter(), Counter(), Counter()
    for deal in permutations(cards, 4):
        first, second, up, hole = ("A23456789T"[card.value_class] for card in deal)
        pair = ",".join(sorted((first, second), key="A23456789T".index))
        player, dealer = {first, second} == {"A", "T"}, {up, hole} == {"A", "T"}
        ups[up] += 1
        hands[pair, up] += 1
        who = {(0, 0): "neither", (1, 0): "player", (0, 1): "dealer", (1, 1): "both"}
        naturals[who[player, dealer]] += 1
    deals = expected_deals(Shoe(tuple(counts)))
    assert deals.total == 8 * 7 * 6 * 5
    assert {key: n for key, n in deals.up.items() if n} == ups
    assert {key: n for key, n in deals.hands.items() if n} == hands
    assert {key: n for key, n in deals.naturals.items() if n} == naturals


def test_naturals_of_one_deck_by_hand():
    deals = expected_deals(Shoe.of_decks(1))
    player = Fraction(deals.naturals["player"] + deals.naturals["both"], deals.total)
    assert player == Fraction(2 * 4 * 16, 52 * 51)
    both = Fraction(deals.naturals["both"], deals.total)
    assert both == Fraction(2 * 4 * 16, 52 * 51) * Fraction(2 * 3 * 15, 50 * 49)
    assert Fraction(deals.up["T"], deals.total) == Fraction(16, 52)


def test_cells_are_all_there_and_observed_alike():
    deals = expected_deals(Shoe.of_decks(8))
    assert len(UPS) == 10
    assert len(HANDS) == 55
    assert len(deals.hands) == 550
    assert tuple(deals.naturals) == NATURALS
    assert sum(deals.hands.values()) == sum(deals.naturals.values()) == 416 * 415 * 414 * 413
    seen = observed_deals(np.ones((10, 10, 10, 10), dtype=np.int64))
    assert list(seen.hands) == list(deals.hands)
    assert seen.hands["A,A", "5"] == 10
    assert seen.hands["A,T", "5"] == 20
    assert seen.naturals == {"neither": 98 * 98, "player": 2 * 98, "dealer": 98 * 2, "both": 4}


def test_another_way_to_the_same_chances():
    chances = deal_chances(Shoe.of_decks(6).by_value)
    deals = expected_deals(Shoe.of_decks(6))
    for index, up in enumerate(UPS):
        assert deals.up[up] / deals.total == pytest.approx(chances[:, :, index].sum())
    assert deals.naturals["both"] / deals.total == pytest.approx(
        sum(chances[a, b, c, d] for a, b in ((0, 9), (9, 0)) for c, d in ((0, 9), (9, 0)))
    )
