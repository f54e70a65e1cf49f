"""The hand calculator against published and independently computed values, and its refusals."""

import pytest

from rtpsim.errors import InputError
from rtpsim.exact.hand import hand
from rtpsim.games import Game, load_game
from rtpsim.rulestring import parse_rules

# six decks, dealer peeks; values given no dealer natural, from the tables that analysers of
# blackjack by composition agree on (expected net per initial bet)
RULES = "6D S17 DOA DAS SPL1 NRSA NHSA PEEK"
VALUES = [
    ("T,6", "T", {"stand": -0.5409544390, "hit": -0.5346755625}),
    ("A,A", "6", {"split": 0.6823664160}),
    ("8,8", "T", {"split": -0.4831990996}),
    ("T,T", "5", {"stand": 0.6708922968, "split": 0.5100189041}),
    ("A,7", "2", {"stand": 0.1240007596, "double": 0.1209800359}),
    ("T,2", "4", {"stand": -0.2111153057, "hit": -0.2103642580}),
    ("6,5", "A", {"hit": 0.1475956737, "double": 0.1297098783}),
]


def game_of(text):
    return Game.from_rules(parse_rules(text))


@pytest.fixture(scope="module")
def six_decks():
    return game_of(RULES)


@pytest.mark.parametrize(("cards", "up", "expected"), VALUES)
def test_values_in_print(six_decks, cards, up, expected):
    values = hand(six_decks, cards, up)
    found = {one.action: one.ev for one in values.actions}
    for action, ev in expected.items():
        assert found[action] == pytest.approx(ev, abs=1.5e-10)
    assert values.conditioned == (up in "TA")


def test_the_best_comes_first_and_mistakes_have_a_price(six_decks):
    values = hand(six_decks, "T,6", "T")
    assert [one.action for one in values.actions] == ["hit", "stand", "double"]
    assert values.best.cost == 0.0
    assert values.actions[1].cost == pytest.approx(0.5409544390 - 0.5346755625, abs=3e-10)
    frame = values.to_frame()
    assert list(frame.columns) == ["action", "ev", "cost"]
    assert frame["cost"].is_monotonic_increasing


def test_order_of_cards_and_pictures_do_not_matter(six_decks):
    assert hand(six_decks, "6 K", "Q").actions == hand(six_decks, ["T", "6"], "10").actions


def test_three_cards_know_what_is_gone(six_decks):
    # the classic exception: T,4,2 stands against a ten where T,6 hits (Griffin, Theory of
    # Blackjack: 16 of three cards and more stands)
    assert hand(six_decks, "T,4,2", "T").best.action == "stand"
    assert {one.action for one in hand(six_decks, "T,4,2", "T").actions} == {"stand", "hit"}
    assert hand(six_decks, "T,T,A", "T").best.action == "stands by itself"


def test_three_cards_agree_with_the_two_they_come_from(six_decks):
    # hitting 6,5 is the mean over the third card of the best play; the dealer shows 6 (no natural)
    shoe = dict.fromkeys("A23456789", 24) | {"T": 96}
    for rank in "656":
        shoe[rank] -= 1
    total = sum(shoe.values())
    mean = sum(
        count / total * hand(six_decks, f"6,5,{rank}", "6").best.ev for rank, count in shoe.items()
    )
    hit = next(one for one in hand(six_decks, "6,5", "6").actions if one.action == "hit")
    assert hit.ev == pytest.approx(mean, abs=1e-12)


def test_a_split_is_twice_its_hands(six_decks):
    # one split and no resplit: two hands alike, each the mean over its second card
    shoe = dict.fromkeys("A23456789", 24) | {"T": 96}
    for rank in "886":
        shoe[rank] -= 1
    total = sum(shoe.values())
    one_hand = sum(
        count / total * hand(six_decks, f"8,{rank}", "6", split="8").best.ev
        for rank, count in shoe.items()
    )
    split = next(one for one in hand(six_decks, "8,8", "6").actions if one.action == "split")
    assert split.ev == pytest.approx(2 * one_hand, abs=1e-12)


def test_split_aces_receive_one_card(six_decks):
    (only,) = hand(six_decks, "A,3", "6", split="A").actions
    assert only.action == "stands by itself"


def test_without_a_look_a_natural_is_counted_in():
    # no hole card: doubling 6,5 against an ace risks two bets on a dealer natural
    peek = {one.action: one.ev for one in hand(game_of(RULES), "6,5", "A").actions}
    enhc = hand(game_of(RULES.replace("PEEK", "ENHC")), "6,5", "A")
    chance = enhc.natural_chance
    assert chance == pytest.approx(96 / 309)
    assert not enhc.conditioned
    for one in enhc.actions:
        lost = 2 if one.action == "double" else 1
        if one.action != "hit":  # the best play after a hit need not be the same
            expected = (1 - chance) * peek[one.action] - lost * chance
            assert one.ev == pytest.approx(expected, abs=1e-12)


def test_insurance_is_worth_what_the_tens_say(six_decks):
    # 6,5 v A: 96 tens among 309 unseen cards; 2 to 1 on half the bet
    assert hand(six_decks, "6,5", "A").insurance == pytest.approx(1.5 * 96 / 309 - 0.5)
    assert hand(six_decks, "6,5", "T").insurance is None


def test_surrender_is_worth_half(six_decks):
    late = hand(load_game("signature-surrender"), "T,6", "T")
    assert late.conditioned
    assert {one.action: one.ev for one in late.actions}["surrender"] == pytest.approx(-0.5)
    early = hand(game_of("6D ES"), "T,6", "T")
    assert not early.conditioned
    assert {one.action: one.ev for one in early.actions}["surrender"] == -0.5


def test_a_natural_may_take_even_money():
    values = hand(load_game("signature-surrender"), "A,K", "A")
    chance = 127 / 413  # 128 tens and 416 cards, less the three seen
    assert {one.action: one.ev for one in values.actions} == {
        "even money": 1.0,
        "play on": pytest.approx(1.5 * (1 - chance)),
    }
    assert [one.action for one in hand(load_game("signature-surrender"), "A,K", "6").actions] == [
        "play on"
    ]


def test_power_moves_are_valued():
    game = load_game("power-blackjack")
    assert hand(game, "T,6", "6").best.action == "power split"
    assert hand(game, "6,5", "6").best.action == "power double"
    actions = {one.action for one in hand(game, "T,3", "6", split="T,6").actions}
    assert actions == {"stand", "hit", "double"}


def test_pairs_by_rank_only():
    game = load_game("classic-blackjack")
    assert "split" in {one.action for one in hand(game, "J,J", "6").actions}
    assert "split" not in {one.action for one in hand(game, "J,K", "6").actions}


@pytest.mark.parametrize(
    ("cards", "up", "split", "message"),
    [
        ("T", "6", "", "two cards or more"),
        ("T,X", "6", "", "expected a rank"),
        ("T,6", "6,5", "", "expected one rank"),
        ("T,6,6", "6", "", "bust"),
        ("8,3", "6", "9", "begins with it"),
        ("8,3", "6", "8,8,8", "begins with it"),
        ("9,3", "6", "9,5", "do not allow it"),
    ],
)
def test_what_is_no_hand_is_refused(six_decks, cards, up, split, message):
    with pytest.raises(InputError, match=message):
        hand(six_decks, cards, up, split=split)


def test_more_cards_than_the_shoe_holds_are_refused():
    with pytest.raises(InputError, match="does not hold so many 2"):
        hand(load_game("classic-blackjack"), "2,2,2,2", "2")
