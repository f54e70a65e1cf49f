"""The referee on the small cases that every blackjack player can settle by hand.

Every expected value is derived in the test from the cards and the rules; ``paid`` is (net, wager)
in initial wagers. Cards are written as hands | up card and dealer's second card | later cards.
"""

from fractions import Fraction

import pytest
from referee import chart, game, insurance, paid, play, routes

from rtpsim.cards import Card
from rtpsim.errors import InputError, ShoeExhaustedError
from rtpsim.reference import ScriptedSource, SuitlessCard, parse_cards, play_round
from rtpsim.reference.hands import Hand

HALF = Fraction(1, 2)


def hand_of(ranks):
    return Hand([SuitlessCard("A23456789TJQK".index(rank), 3) for rank in ranks])


class TestTotals:
    @pytest.mark.parametrize(
        ("ranks", "words"),
        [
            ("A5A", "soft 17"),  # 11 + 5 + 1
            ("A5AT", "hard 17"),  # 1 + 5 + 1 + 10
            ("92A7A", "hard 20"),  # 9 + 2 + 1 + 7 + 1
            ("AA", "soft 12"),
            ("AT", "soft 21"),
            ("JQK", "hard 30"),
            ("A" * 21, "hard 21"),
            ("A" * 11, "soft 21"),  # 11 + 10 * 1
        ],
    )
    def test_an_ace_counts_eleven_as_long_as_it_can(self, ranks, words):
        assert hand_of(ranks).words == words


class TestNaturals:
    def test_natural_pays_three_to_two(self):
        result = play("PEEK", "A K | 9 8")
        assert paid(result) == (Fraction(3, 2), 1)
        # nobody depends on the dealer, who therefore does not play
        assert result.dealer_final == "none"
        assert routes(result) == [("natural", 21)]

    def test_six_to_five_makes_tenths(self):
        result = play("6:5 PEEK", "A K | 9 8")
        assert result.unit == 10
        assert (result.net, result.wager) == (12, 10)

    def test_even_natural(self):
        assert paid(play("1:1 PEEK", "K A | 9 8")) == (1, 1)

    def test_natural_against_natural_pushes_and_ends_the_round_before_any_double(self):
        result = play("PEEK", "A K / 6 5 | A T", {"hard 11": "Dh"})
        assert paid(result.seats[0]) == (0, 1)
        # the eleven would be doubled, but the round is over: one wager is lost, no card drawn
        assert paid(result.seats[1]) == (-1, 1)
        assert [seat.route for seat in result.seats] == ["natural", "dealer-natural"]
        assert result.dealer_final == "natural"

    def test_natural_beats_a_drawn_21(self):
        # no hole card: the second hand makes the dealer play, who gets 5 and 5: 21
        result = play("ENHC", "A K / T 9 | A | 5 5")
        assert paid(result.seats[0]) == (Fraction(3, 2), 1)
        assert paid(result.seats[1]) == (-1, 1)

    def test_21_in_three_cards_loses_to_a_dealer_natural(self):
        assert paid(play("ENHC", "7 7 | A | 7 K")) == (-1, 1)

    def test_21_in_three_cards_pushes_with_a_dealer_21_in_three(self):
        assert paid(play("PEEK", "7 7 | 6 5 | 7 K")) == (0, 1)

    @pytest.mark.parametrize("dealer", ["A", "T"])
    @pytest.mark.parametrize("rules", ["OBO", "ENHC"])
    def test_without_a_hole_card_a_natural_waits_for_one_dealer_card(self, rules, dealer):
        natural = {"A": "K", "T": "A"}[dealer]
        assert paid(play(rules, f"A K | {dealer} {natural}")) == (0, 1)
        other = play(rules, f"A K | {dealer} | 6")  # 17 or 16, and no further card
        assert paid(other) == (Fraction(3, 2), 1)
        assert other.dealer_final == "none"


class TestSplits:
    def test_ace_and_ten_after_a_split_is_21_and_no_natural(self):
        split = {"pair A": "P"}
        # 21 and 21 against 9 + 8 = 17: one wager each
        assert paid(play("PEEK", "A A | 9 8 | K Q", split)) == (2, 2)
        # against 9 + 5 + 7 = 21 both push
        assert paid(play("PEEK", "A A | 9 5 | K Q 7", split)) == (0, 2)

    def test_jack_and_king_are_a_pair_by_value_and_not_by_rank(self):
        split = {"pair T": "P"}
        by_value = play("SPV", "J K | 6 T | 9 8 9", split)  # 19 and 18 against 6 + T + 9 = 25
        assert paid(by_value) == (2, 2)
        assert routes(by_value) == [("stand", 19), ("stand", 18)]
        by_rank = play("SPR", "J K | 6 T | 9", split)
        assert paid(by_rank) == (1, 1)
        assert routes(by_rank) == [("stand", 20)]  # plays as hard 20
        assert routes(play("SPR", "K K | 6 T | 9 8 9", split)) == [("stand", 19), ("stand", 18)]

    def test_two_aces_that_may_not_be_split_play_as_soft_12(self):
        letters = {"pair A": "P", "soft 12": "S", "hard 12": "H"}
        result = play("SPL0", "A A | T 7", letters)
        assert routes(result) == [("stand", 12)]
        assert paid(result) == (-1, 1)

    def test_one_bust_and_one_push_lose_one_wager(self):
        # 8,8 split: 8 T stands with 18, 8 5 is hit: 8 5 9 = 22; the dealer has T 8 = 18
        result = play("PEEK", "8 8 | T 8 | T 5 9", {"pair 8": "P"})
        assert routes(result) == [("stand", 18), ("bust", 22)]
        assert paid(result) == (-1, 2)

    def test_no_dealer_card_is_needed_when_all_hands_are_bust(self):
        result = play("ENHC", "8 8 | T | 6 T 5 9", {"pair 8": "P"})
        assert paid(result) == (-2, 2)
        assert result.dealer_final == "none"


class TestDealerNatural:
    @pytest.mark.parametrize("dealer", ["A T", "T A"])
    @pytest.mark.parametrize(
        ("rules", "net", "wager", "later"),
        # with no hole card the eleven is doubled before the natural shows (11 + 9 = 20)
        [("ENHC", -2, 2, "9"), ("PEEK", -1, 1, ""), ("OBO", -1, 2, "9")],
    )
    def test_a_doubled_eleven(self, dealer, rules, net, wager, later):
        result = play(rules, f"6 5 | {dealer} | {later}", {"hard 11": "Dh"})
        assert paid(result) == (net, wager)
        assert result.dealer_final == "natural"

    @pytest.mark.parametrize(
        ("rules", "under_ace", "under_ten"), [("PEEKA", 1, 2), ("PEEKT", 2, 1)]
    )
    def test_a_peek_under_one_card_only(self, rules, under_ace, under_ten):
        for dealer, lost in (("A T", under_ace), ("T A", under_ten)):
            later = "9" if lost == 2 else ""
            result = play(rules, f"6 5 | {dealer} | {later}", {"hard 11": "Dh"})
            assert paid(result) == (-lost, lost)

    def test_a_split_with_one_bust_hand_under_original_bets_only(self):
        # 8 5 9 = 22 is bust, 8 T stands with 18; the dealer turns an ace under the ten
        letters = {"pair 8": "P"}
        result = play("OBO", "8 8 | T | 5 9 T A", letters)
        assert paid(result) == (-1, 2)
        assert paid(play("ENHC", "8 8 | T | 5 9 T A", letters)) == (-2, 2)

    def test_under_original_bets_only_even_a_bust_double_nets_one(self):
        # T 2 doubled receives K: 22; with all bets lost the dealer needs no second card
        result = play("OBO", "T 2 | A | K T", {"hard 12": "Dh"})
        assert routes(result) == [("double", 22)]
        assert paid(result) == (-1, 2)
        assert paid(play("ENHC", "T 2 | A | K", {"hard 12": "Dh"})) == (-2, 2)

    def test_no_second_dealer_card_under_a_low_card_when_all_are_bust(self):
        result = play("OBO", "T 2 | 6 | K")
        assert paid(result) == (-1, 1)
        assert len(result.dealer) == 1


class TestInsurance:
    def test_against_a_dealer_natural_nothing_is_lost_in_all(self):
        result = play("PEEK", "T 9 | A K", {"insurance": "Y"})
        assert paid(result) == (-1, 1)
        assert insurance(result) == (1, HALF)

    def test_without_one_half_is_lost_and_the_hand_is_played(self):
        result = play("PEEK", "T 9 | A 7", {"insurance": "Y"})  # 19 against soft 18
        assert paid(result) == (1, 1)
        assert insurance(result) == (-HALF, HALF)

    def test_only_under_an_ace_and_only_where_offered(self):
        letters = {"insurance": " ".join("Y" * 10)}
        assert insurance(play("PEEK", "T 9 | T 7", letters)) == (0, 0)
        assert insurance(play("PEEK", "T 9 | A 7", letters, insurance=False)) == (0, 0)

    def test_a_surrendered_hand_is_settled_for_both(self):
        letters = {"hard 16": "Rh", "insurance": "Y"}
        result = play("LS PEEK", "T 6 | A 7", letters)
        assert paid(result) == (-HALF, 1)
        assert insurance(result) == (-HALF, HALF)
        # no peek: the natural takes the whole wager after all, and insurance makes it up
        late = play("LS ENHC", "T 6 | A | K", letters)
        assert paid(late) == (-1, 1)
        assert insurance(late) == (1, HALF)

    def test_a_bust_hand_waits_for_its_insurance(self):
        letters = {"insurance": "Y"}
        result = play("ENHC", "T 6 | A | K 6", letters)
        assert paid(result) == (-1, 1)
        assert insurance(result) == (-HALF, HALF)
        assert result.dealer_final == "none"  # A 6: no natural, and nothing else matters
        result = play("ENHC", "T 6 | A | K J", letters)
        assert insurance(result) == (1, HALF)
        assert result.dealer_final == "natural"
        assert play("ENHC", "T 6 | A | K").dealer_final == "none"  # uninsured: no second card

    def test_an_exception_for_two_cards_goes_before_the_general_row(self):
        letters = {"insurance": "Y", "insurance 9,2": "N"}
        assert insurance(play("PEEK", "2 9 | A 7 | T", letters)) == (0, 0)
        assert insurance(play("PEEK", "2 8 | A 7 | T", letters)) == (-HALF, HALF)

    def test_a_natural_can_be_insured_where_there_is_no_even_money(self):
        letters = {"insurance A,T": "Y"}
        result = play("PEEK", "K A | A 7", letters)
        assert paid(result) == (Fraction(3, 2), 1)
        assert insurance(result) == (-HALF, HALF)

    @pytest.mark.parametrize("second", ["K", "7"])
    def test_even_money_is_one_whatever_the_dealer_has(self, second):
        result = play("PEEK", f"A K | A {second}", {"insurance": "Y"}, even_money=True)
        assert paid(result) == (1, 1)
        assert insurance(result) == (0, 0)
        assert result.seats[0].route == "even-money"

    def test_even_money_declined_is_a_natural(self):
        letters = {"insurance": "Y", "insurance A,T": "N"}
        assert paid(play("PEEK", "A K | A K", letters, even_money=True)) == (0, 1)
        assert paid(play("PEEK", "A K | A 7", letters, even_money=True)) == (Fraction(3, 2), 1)


class TestSeveralHands:
    def test_cards_are_dealt_round_the_table(self):
        class InOrder(ScriptedSource):
            def __init__(self):
                self.cards = [Card(rank, 0) for rank in (9, 8, 5, 8, 7, 9, 1)]
                super().__init__([], self.cards[0])

            def draw(self):
                return self.cards.pop(0)

            def player_card(self, seat, nth):
                return self.draw()

            up_card = dealer_card = draw

        # T to hand 1, 9 to hand 2, the dealer's 6, 9 to hand 1, 8 to hand 2, the hole card T,
        # then the dealer draws 2: 18 against 19 and 17
        result = play_round(game("PEEK"), chart(), InOrder(), hands=2)
        assert [paid(seat) for seat in result.seats] == [(1, 1), (-1, 1)]
        assert [card.rank for card in result.dealer] == [5, 9, 1]

    def test_each_hand_is_settled_by_itself_against_one_dealer(self):
        # 16 hits K and is bust; 20 wins, 18 pushes against T 8
        result = play("PEEK", "T 6 / T K / 9 9 | T 8 | K")
        assert [paid(seat) for seat in result.seats] == [(-1, 1), (1, 1), (0, 1)]
        assert paid(result) == (0, 3)

    def test_more_hands_than_the_game_allows_are_refused(self):
        with pytest.raises(InputError, match="hands = 8"):
            play_round(game("PEEK"), chart(), parse_cards("T 9 | 9 8"), hands=8)


class TestCardsRunOut:
    def test_later_cards(self):
        with pytest.raises(ShoeExhaustedError, match="more than 1 later cards"):
            play("PEEK", "T 2 | 9 8 | 2")

    def test_initial_cards(self):
        with pytest.raises(ShoeExhaustedError, match="none for hand 2"):
            play_round(game("PEEK"), chart(), parse_cards("T 9 | 9 8"), hands=2)


class TestSecondCard:
    def test_in_a_game_with_a_hole_card_it_is_the_first_of_the_later_cards(self):
        # the 5 goes under the 9 before the hand hits 2 and stands with 18; the dealer draws T
        result = play("PEEK", "T 6 | 9 | 5 2 T")
        assert routes(result) == [("stand", 18)]
        assert [str(card) for card in result.dealer] == ["9", "5", "T"]

    def test_without_a_hole_card_it_comes_when_the_dealer_takes_it(self):
        result = play("ENHC", "T 6 | 9 | 5 2 T")
        assert routes(result) == [("stand", 21)]
        assert [str(card) for card in result.dealer] == ["9", "2", "T"]

    def test_given_beside_the_up_card_it_never_comes_from_the_later_cards(self):
        result = play("ENHC", "T 6 | 9 2 | 5 T")
        assert [str(card) for card in result.dealer] == ["9", "2", "T"]
