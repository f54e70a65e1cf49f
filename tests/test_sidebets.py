"""Side bets: classifier, table, exact counts and returns, alternative paytables."""

import math
import time
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from rtpsim.cards import Card, Shoe
from rtpsim.errors import InputError
from rtpsim.games.paytables import alternative_paytables
from rtpsim.sidebets import (
    LOSE,
    SideBet,
    classify,
    exact_counts,
    exact_rtp,
    outcome_table,
)

THREE = ("player1", "player2", "up")


def three_card(*pays, ace="high-low"):
    names = ("suited-trips", "straight-flush", "trips", "straight", "flush")
    return SideBet(
        id="three",
        title="Three",
        kind="three-card",
        cards=THREE,
        ace_in_straights=ace,
        pays=dict(zip(names, pays, strict=True)),
    )


def pair(*pays, cards=("player1", "player2")):
    names = ("perfect", "coloured", "mixed")
    pays = dict(zip(names, pays, strict=True))
    return SideBet(id="pair", title="Pair", kind="pair", cards=cards, pays=pays)


EMPIRE_POKER = three_card(100, 35, 33, 10, 5)
TWENTY_ONE_PLUS_3 = three_card(100, 40, 30, 10, 5)
EMPIRE_PAIRS = pair(30, 10, 5)
PERFECT_PAIRS = pair(25, 12, 6)


def cards(text):
    return [Card.parse(word) for word in text.split()]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("7♠ 7♠ 7♠", "suited-trips"),
        ("7♠ 7♠ 7♥", "trips"),
        ("5♥ 7♥ 6♥", "straight-flush"),
        ("5♥ 7♥ 6♠", "straight"),
        ("J♣ K♥ Q♠", "straight"),
        ("A♣ 2♥ 3♠", "straight"),
        ("A♣ K♥ Q♠", "straight"),
        ("A♦ K♦ Q♦", "straight-flush"),
        ("K♣ A♥ 2♠", "lose"),
        ("K♣ A♣ 2♣", "flush"),
        ("2♣ 9♣ J♣", "flush"),
        ("9♣ T♥ Q♠", "lose"),
        ("7♠ 7♠ 8♠", "flush"),
        ("7♠ 7♥ 8♠", "lose"),
    ],
)
def test_three_cards(text, outcome):
    for order in permutations(cards(text)):
        assert classify(EMPIRE_POKER, order) == outcome


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("K♠ K♠", "perfect"),
        ("K♠ K♣", "coloured"),
        ("K♦ K♥", "coloured"),
        ("K♠ K♥", "mixed"),
        ("K♠ Q♠", "lose"),
    ],
)
def test_two_cards(text, outcome):
    for order in permutations(cards(text)):
        assert classify(EMPIRE_PAIRS, order) == outcome


@pytest.mark.parametrize(
    ("ace", "low_run", "high_run"),
    [
        ("high-low", "straight", "straight"),
        ("high", "lose", "straight"),
        ("low", "straight", "lose"),
    ],
)
def test_the_ace_in_straights_is_a_setting(ace, low_run, high_run):
    bet = three_card(100, 35, 33, 10, 5, ace=ace)
    assert classify(bet, cards("A♣ 2♥ 3♠")) == low_run
    assert classify(bet, cards("A♣ K♥ Q♠")) == high_run
    assert classify(bet, cards("A♣ K♥ 2♠")) == LOSE


def test_an_outcome_that_is_not_paid_counts_as_the_next_that_is():
    bet = SideBet(id="x", title="X", kind="three-card", cards=THREE, pays={"trips": 30, "flush": 5})
    assert classify(bet, cards("7♠ 7♠ 7♠")) == "trips"
    assert classify(bet, cards("5♥ 6♥ 7♥")) == "flush"
    assert classify(bet, cards("5♥ 6♥ 7♠")) == LOSE


def test_the_wrong_number_of_cards_is_refused():
    with pytest.raises(InputError, match="2 cards given, 3 expected"):
        classify(EMPIRE_POKER, cards("7♠ 7♠"))


@pytest.mark.parametrize("ace", ["high-low", "high", "low"])
def test_the_table_says_what_the_classifier_says(ace):
    """All ranks, and suits that are equal, paired in each way, and different."""
    bet = three_card(100, 35, 33, 10, 5, ace=ace)
    table = outcome_table(bet)
    names = (LOSE, *bet.outcomes)
    assert table.shape == (52, 52, 52)
    assert table.dtype == np.uint8
    for suits in ((2, 2, 2), (1, 1, 3), (0, 2, 2), (3, 1, 3), (0, 1, 2)):
        for ranks in product(range(13), repeat=3):
            deal = [Card(rank, suit) for rank, suit in zip(ranks, suits, strict=True)]
            code = table[tuple(card.number for card in deal)]
            assert names[code] == classify(bet, deal)


def test_the_table_of_pairs_says_what_the_classifier_says():
    table = outcome_table(PERFECT_PAIRS)
    names = (LOSE, *PERFECT_PAIRS.outcomes)
    assert table.shape == (52, 52)
    for numbers in product(range(52), repeat=2):
        deal = [Card.from_number(number) for number in numbers]
        assert names[table[numbers]] == classify(PERFECT_PAIRS, deal)


def test_the_table_cannot_be_changed_by_its_users():
    with pytest.raises(ValueError, match="read-only"):
        outcome_table(EMPIRE_POKER)[0, 0, 0] = 1


@pytest.mark.parametrize(
    ("bet", "decks", "counts", "total"),
    [
        (EMPIRE_POKER, 8, (2912, 24576, 61568, 368640, 700928), 11912160),
        (TWENTY_ONE_PLUS_3, 6, (1040, 10368, 25272, 155520, 292896), 5013320),
    ],
)
def test_three_card_counts(bet, decks, counts, total):
    """Counted independently, as combinations: published with the project's specification."""
    exact = exact_counts(bet, Shoe.of_decks(decks))
    assert tuple(exact.counts.values()) == counts
    assert exact.total == total
    assert list(exact) == list(bet.outcomes)
    assert exact["straight"] == Fraction(counts[3], total)


@pytest.mark.parametrize(
    ("bet", "decks", "of_second_cards", "left"),
    [(EMPIRE_PAIRS, 8, (7, 8, 16), 415), (PERFECT_PAIRS, 6, (5, 6, 12), 311)],
)
def test_pair_probabilities(bet, decks, of_second_cards, left):
    """By hand: whatever the first card is, so many of those left make each pair."""
    exact = exact_counts(bet, Shoe.of_decks(decks))
    assert list(exact.values()) == [Fraction(count, left) for count in of_second_cards]


@pytest.mark.parametrize(
    ("bet", "decks", "rtp"),
    [
        (EMPIRE_POKER, 8, Fraction(9241, 9545)),
        (EMPIRE_PAIRS, 8, Fraction(401, 415)),
        (TWENTY_ONE_PLUS_3, 6, Fraction(597707, 626665)),
        (PERFECT_PAIRS, 6, Fraction(292, 311)),
        (pair(25, 12, 6, cards=("up", "hole")), 6, Fraction(292, 311)),
    ],
)
def test_exact_returns(bet, decks, rtp):
    """By hand from the counts above: the sum of count x (pays + 1), over the total."""
    assert exact_rtp(bet, Shoe.of_decks(decks)) == rtp


def best_hand(deal, ace):
    """Name three or two cards by their texts alone, as a dealer would: the twin's classifier."""
    ranks, suits = [card[0] for card in deal], [card[1] for card in deal]
    runs = ["234", "345", "456", "567", "678", "789", "89T", "9TJ", "TJQ", "JQK"]
    runs += {"high-low": ["A23", "QKA"], "high": ["QKA"], "low": ["A23"]}[ace]
    run = any(sorted(ranks) == sorted(each) for each in runs)
    flush = suits.count(suits[0]) == len(deal)
    if ranks.count(ranks[0]) == len(deal):
        if len(deal) == 3:
            return "suited-trips" if flush else "trips"
        red = [suit in "♦♥" for suit in suits]
        return "perfect" if flush else "coloured" if red[0] == red[1] else "mixed"
    if len(deal) == 2:
        return "lose"
    return (
        "straight-flush" if run and flush else "straight" if run else "flush" if flush else "lose"
    )


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(st.integers(0, 51), st.integers(1, 4), min_size=2, max_size=14),
    st.sampled_from(["high-low", "high", "low"]),
)
def test_counts_equal_dealing_every_physical_card(counts, ace):
    """The twin lays out a small shoe card by card and looks at every combination."""
    shoe = Shoe(tuple(counts.get(number, 0) for number in range(52)))
    texts = [
        "A23456789TJQK"[number // 4] + "♣♦♥♠"[number % 4]
        for number, copies in counts.items()
        for _ in range(copies)
    ]
    for bet in (three_card(100, 40, 30, 10, 5, ace=ace), PERFECT_PAIRS):
        size = len(bet.cards)
        if len(texts) < size:
            continue
        hands = [best_hand(hand, ace) for hand in combinations(texts, size)]
        exact = exact_counts(bet, shoe)
        assert exact.counts == {name: hands.count(name) for name in bet.outcomes}
        assert exact.total == len(hands)
        returned = sum(bet.pays.get(hand, -1) + 1 for hand in hands)
        assert exact_rtp(bet, shoe) == Fraction(returned, len(hands))


def test_shoes_too_large_for_64_bits_are_counted_exactly():
    """By hand: suited trips are 52 x C(n, 3) with n copies of each card."""
    copies = 10**8
    exact = exact_counts(EMPIRE_POKER, Shoe((copies,) * 52))
    assert exact.counts["suited-trips"] == 52 * math.comb(copies, 3)
    assert exact.total == math.comb(52 * copies, 3)


def test_a_shoe_with_too_few_cards_is_refused():
    with pytest.raises(InputError, match="needs 3 cards, the shoe holds 2"):
        exact_counts(EMPIRE_POKER, Shoe((1, 1, *(0,) * 50)))


@pytest.mark.parametrize("bet", [EMPIRE_POKER, TWENTY_ONE_PLUS_3, EMPIRE_PAIRS, PERFECT_PAIRS])
def test_swapping_two_rows_of_a_paytable_changes_the_return(bet):
    shoe = Shoe.of_decks(8)
    for one, other in pairwise(bet.outcomes):
        pays = {**bet.pays, one: bet.pays[other], other: bet.pays[one]}
        swapped = bet.model_copy(update={"pays": pays})
        assert exact_rtp(swapped, shoe) != exact_rtp(bet, shoe)


def test_the_order_of_the_file_does_not_matter():
    shuffled = SideBet(
        id="pair",
        title="Pair",
        kind="pair",
        cards=("player2", "player1"),
        pays={"mixed": 6, "perfect": 25, "coloured": 12},
    )
    assert shuffled == PERFECT_PAIRS
    assert hash(shuffled) == hash(PERFECT_PAIRS)
    assert shuffled.outcomes == ("perfect", "coloured", "mixed")


def test_a_bet_on_the_dealers_cards_has_one_result_a_round():
    assert pair(25, 12, 6, cards=("up", "hole")).per_round
    assert not PERFECT_PAIRS.per_round
    assert not EMPIRE_POKER.per_round


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pays": {"flush": 5}}, "unknown outcome 'flush'"),
        ({"pays": {}}, "no outcome"),
        ({"pays": {"perfect": True}}, "perfect = True: allowed is a whole number"),
        ({"pays": {"perfect": 2.5}}, "perfect = 2.5"),
        ({"pays": {"perfect": -1}}, "perfect = -1"),
        ({"pays": {"perfect": 10**9}}, "perfect = 1000000000"),
        ({"cards": ("player1",)}, "looks at 2 different cards"),
        ({"cards": ("up", "up")}, "looks at 2 different cards"),
        ({"cards": THREE}, "looks at 2 different cards"),
        ({"cards": ("player1", "dealer")}, "cards"),
        ({"id": "Pair of mine"}, "id"),
        ({"kind": "poker"}, "kind"),
        ({"ace": "high"}, "ace"),
    ],
)
def test_impossible_bets_are_refused(changes, message):
    with pytest.raises(ValidationError, match=message):
        SideBet.model_validate({**PERFECT_PAIRS.model_dump(), **changes})


def test_alternatives_of_the_pair_bets_are_all_found():
    """The twin tries every falling table; 5, 6 and 12 of 311 second cards are by hand."""
    tables = alternative_paytables(PERFECT_PAIRS, Shoe.of_decks(6), "93.89", payouts=range(1, 41))
    found = {tuple(table.values()) for table in tables}
    expected = {
        (perfect, coloured, mixed)
        for perfect in range(1, 41)
        for coloured in range(1, perfect)
        for mixed in range(1, coloured)
        if round((5 * (perfect + 1) + 6 * (coloured + 1) + 12 * (mixed + 1)) / 3.11, 2) == 93.89
    }
    assert found == expected
    assert tables[0] == {"perfect": 25, "coloured": 12, "mixed": 6}
    assert len(tables) > 1


def test_alternatives_of_three_card_bets_are_all_found():
    """The twin multiplies the counts of the specification out for every falling table."""
    payouts = (3, 4, 5, 6, 9, 10, 11, 20, 30, 33, 35, 40, 50, 100)
    counts = (1040, 10368, 25272, 155520, 292896)
    tables = alternative_paytables(TWENTY_ONE_PLUS_3, Shoe.of_decks(6), "95.38", payouts=payouts)
    expected = {
        table
        for table in combinations(sorted(payouts, reverse=True), 5)
        if 0.95375
        <= sum(count * (pays + 1) for count, pays in zip(counts, table, strict=True)) / 5013320
        < 0.95385
    }
    assert {tuple(table.values()) for table in tables} == expected
    assert (100, 40, 30, 10, 5) in expected


def test_the_usual_payouts_are_tried_in_less_than_a_second():
    begin = time.perf_counter()
    tables = alternative_paytables(EMPIRE_POKER, Shoe.of_decks(8), "96.82")
    assert time.perf_counter() - begin < 1
    assert tables[0] == dict(EMPIRE_POKER.pays)


def test_no_table_is_a_possible_answer():
    assert alternative_paytables(PERFECT_PAIRS, Shoe.of_decks(6), "12.34", payouts=[5, 6, 7]) == []


def test_too_many_payouts_are_refused():
    with pytest.raises(InputError, match="too many tables"):
        alternative_paytables(EMPIRE_POKER, Shoe.of_decks(8), "96.82", payouts=range(1, 1000))
