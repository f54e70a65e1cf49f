"""The referee on the rule table, token by token, each by rounds settled by hand.

The tokens of power moves and of the insurance check stand in `test_reference_powers`.

``paid`` is (net, wager) in initial wagers. Cards are hands | up card and dealer's second card |
later cards, every one of which has to be used; the default chart (see `referee`) hits below 17
and below soft 18, stands from there, splits nothing.
"""

from fractions import Fraction

import pytest
from referee import chart, game, insurance, paid, play, routes

from rtpsim.cards import Shoe
from rtpsim.reference import referee_run

HALF = Fraction(1, 2)

SPLIT_EIGHTS = {"pair 8": "P"} | {f"hard {total}": "S" for total in range(5, 22)}
SPLIT_ACES = {"pair A": "P"}
SURRENDERS = {"hard 16": "Rh", "hard 15": "Rs", "pair 8": "Rp"}


def wager(rules, cards, letters):
    return paid(play(rules, cards, letters))[1]


class TestDealer:
    def test_decks_are_the_shoe(self):
        one_deck = game("ENHC").with_settings({"decks": 1})
        runs = [
            referee_run(one_deck, chart(), 200, seed=1, shoe=shoe)
            for shoe in (None, Shoe.of_decks(1), Shoe.of_decks(2))
        ]
        assert runs[0] == runs[1] != runs[2]

    def test_s17_stands_on_soft_17_and_h17_hits_it(self):
        assert paid(play("S17", "T 8 | 6 A")) == (1, 1)  # 18 against soft 17
        assert paid(play("H17", "T 8 | 6 A | 4")) == (-1, 1)  # 6 A 4 = 21
        assert paid(play("H17", "T 8 | 6 A | T")) == (1, 1)  # 6 A T = hard 17, stands
        assert paid(play("H17", "T 8 | 7 A")) == (0, 1)  # soft 18 stands
        assert play("H17", "T 8 | T 7").dealer_final == "17"  # hard 17 stands

    def test_the_dealer_draws_to_16(self):
        result = play("S17", "T 8 | T 6 | 5")
        assert paid(result) == (-1, 1)
        assert result.dealer_final == "21"
        result = play("S17", "T 8 | T 6 | T")
        assert paid(result) == (1, 1)
        assert result.dealer_final == "bust"
        assert play("S17", "T 8 | T 6 | 6").dealer_final == "bust"  # 22 is bust as any other


class TestDouble:
    @pytest.mark.parametrize(
        ("token", "doubled"),
        [
            ("DOA", range(5, 19)),
            ("D8", (8, 9, 10, 11)),
            ("D9", (9, 10, 11)),
            ("D10", (10, 11)),
            ("D11", (11,)),
            ("ND", ()),
        ],
    )
    def test_hard_totals(self, token, doubled):
        letters = {f"hard {total}": "Ds" for total in range(4, 19)}
        hands = {5: "2 3", 6: "2 4", 7: "3 4", 8: "3 5", 9: "4 5", 10: "4 6", 11: "5 6",
                 12: "T 2", 17: "T 7", 18: "T 8"}  # fmt: skip
        for total, cards in hands.items():
            if total in doubled:
                # one card and no second one, whatever the total
                assert wager(token, f"{cards} | T 7 | 2", letters) == 2
            else:
                assert wager(token, f"{cards} | T 7", letters) == 1

    def test_a_double_wins_and_loses_twice(self):
        letters = {"hard 11": "Dh"}
        assert paid(play("DOA", "6 5 | T 7 | 9", letters)) == (2, 2)
        assert paid(play("DOA", "6 5 | T 7 | 2", letters)) == (-2, 2)  # one card only
        assert paid(play("DOA", "6 5 | T 7 | 6", letters)) == (0, 2)
        result = play("DOA", "T 2 | T 7 | J", {"hard 12": "Dh"})
        assert paid(result) == (-2, 2)
        assert routes(result) == [("double", 22)]
        assert result.dealer_final == "none"

    def test_else_parts(self):
        assert routes(play("ND", "6 5 | T 7 | 2 6", {"hard 11": "Dh"})) == [("stand", 19)]
        assert routes(play("ND", "6 5 | T 7", {"hard 11": "Ds"})) == [("stand", 11)]

    @pytest.mark.parametrize("token", ["D9", "D9S", "DOA", "D10S", "D8S"])
    def test_soft_totals_count_ten_less_with_s(self, token):
        letters = {f"soft {total}": "Ds" for total in range(12, 21)}
        allowed = {"D9": (), "D9S": (19, 20), "D10S": (20,), "D8S": (18, 19, 20),
                   "DOA": range(13, 21)}  # fmt: skip
        for total in range(13, 21):
            doubled = total in allowed[token]
            cards = f"A {total - 11} | T 7 | {'2' if doubled else ''}"
            assert wager(token, cards, letters) == (2 if doubled else 1)

    def test_an_initial_ace_that_counts_one_makes_a_hard_total(self):
        # A 2 6 = soft 19; A 2 6 T = hard 19; only with N may three cards be doubled at all
        letters = {"soft 19": "Ds", "soft 13": "H"}
        assert wager("D9S", "A 2 | T 7 | 6", letters) == 1
        assert wager("D9SN", "A 2 | T 7 | 6 T", letters) == 2
        assert wager("D9N", "A 2 | T 7 | 6", letters) == 1

    def test_n_doubles_any_number_of_cards(self):
        letters = {"hard 9": "Dh"}
        assert paid(play("D9N", "2 3 | T 7 | 4 T", letters)) == (2, 2)  # 2 3 4, doubled to 19
        assert paid(play("D9", "2 3 | T 7 | 4 T", letters)) == (1, 1)  # 2 3 4, hit to 19

    def test_after_a_split(self):
        letters = {"pair 8": "P", "hard 11": "Dh"}
        # 8 3 doubled: 19 and 20 against 17
        assert paid(play("DAS", "8 8 | T 7 | 3 8 3 9", letters)) == (4, 4)
        assert paid(play("NDAS", "8 8 | T 7 | 3 8 3 9", letters)) == (2, 2)


class TestSplit:
    def finals(self, rules, cards, letters):
        return [total for _, total in routes(play(rules, cards, letters))]

    def test_how_often(self):
        assert self.finals("SPL0", "8 8 | T 7", SPLIT_EIGHTS) == [16]
        assert self.finals("SPL1", "8 8 | T 7 | 8 2", SPLIT_EIGHTS) == [16, 10]
        # the first hand pairs and is split again; no third split
        assert self.finals("SPL2", "8 8 | T 7 | 8 8 2 3", SPLIT_EIGHTS) == [16, 10, 11]
        # and a third split of the hand that goes on; 8 2, 8 3, 8 4, 8 8
        assert self.finals("SPL3", "8 8 | T 7 | 8 8 2 3 4 8", SPLIT_EIGHTS) == [10, 11, 12, 16]
        # each hand of the split once more: the first is 8 8 and 8 2, the second 8 3 and 8 8
        assert self.finals("SPT2", "8 8 | T 7 | 8 8 2 8 3 8", SPLIT_EIGHTS) == [16, 10, 11, 16]
        assert self.finals("SPT2", "8 8 | T 7 | 8 8 2 3", SPLIT_EIGHTS) == [16, 10, 11]

    def test_by_value_and_by_rank_after_a_split(self):
        letters = {"pair T": "P"}
        assert self.finals("SPL2 SPV", "J J | T 7 | K 9 8 7", letters) == [19, 18, 17]
        assert self.finals("SPL2 SPR", "J J | T 7 | K 9", letters) == [20, 19]

    def test_split_aces_receive_one_card_or_play_on(self):
        assert self.finals("NHSA", "A A | T 7 | 5 9", SPLIT_ACES) == [16, 20]
        assert self.finals("HSA", "A A | T 7 | 5 4 9", SPLIT_ACES) == [20, 20]

    def test_split_aces_that_pair(self):
        assert self.finals("SPL2 NRSA", "A A | T 7 | A 9", SPLIT_ACES) == [12, 20]
        assert self.finals("SPL2 RSA", "A A | T 7 | A 9 8 7", SPLIT_ACES) == [20, 19, 18]
        assert self.finals("SPL2 RSA", "A A | T 7 | A A 9 8", SPLIT_ACES) == [12, 20, 19]
        # the chart splits aces against a seven only: here there is a second thought on the pair
        once = {"pair A": "P", "soft 12": "H"}
        assert self.finals("SPL2 NRSA HSA", "A A | T 7 | A 9 7", once) == [21, 18]

    def test_split_aces_stand_unless_the_chart_splits_them_again(self):
        # the two-card exception splits the initial aces; after a split the pair row says hit, but
        # split aces receive no further card
        letters = {"A,A": "P", "pair A": "H"}
        assert self.finals("SPL2 RSA NHSA", "A A | T 7 | A 9", letters) == [12, 20]

    def test_split_aces_doubled(self):
        letters = SPLIT_ACES | {"soft 16": "Dh"}
        assert wager("HSA DSA", "A A | T 7 | 5 2 9", letters) == 3
        assert wager("HSA NDSA", "A A | T 7 | 5 2 9", letters) == 2
        assert wager("HSA DSA D9", "A A | T 7 | 5 2 9", letters) == 2

    def test_other_pairs_are_not_split_aces(self):
        letters = {"pair 8": "P", "soft 19": "Ds"}
        assert wager("NHSA NDSA", "8 8 | T 7 | A 2 9", letters) == 3


class TestSurrender:
    @pytest.mark.parametrize("token", ["LS", "LSXA", "ES", "ES10"])
    def test_half_comes_back(self, token):
        for up in ("9 8", "T 8", "2 T"):
            result = play(token, f"T 6 | {up}", SURRENDERS)
            assert paid(result) == (-HALF, 1)
            assert routes(result) == [("surrender", 16)]
            assert result.dealer_final == "none"

    def test_where_it_is_not_offered_the_else_part_holds(self):
        assert routes(play("NS", "T 6 | T 7 | 2", SURRENDERS)) == [("stand", 18)]
        assert routes(play("NS", "T 5 | T 7", SURRENDERS)) == [("stand", 15)]
        assert routes(play("NS", "8 8 | T 7 | 9 T", SURRENDERS)) == [("stand", 17), ("stand", 18)]

    def test_against_an_ace(self):
        assert paid(play("LS", "T 6 | A 8", SURRENDERS)) == (-HALF, 1)
        assert paid(play("ES", "T 6 | A 8", SURRENDERS)) == (-HALF, 1)
        for token in ("LSXA", "ES10"):
            result = play(token, "T 6 | A 8 | 4", SURRENDERS)
            assert routes(result) == [("stand", 20)]

    def test_a_dealer_natural_comes_before_late_and_after_early_surrender(self):
        for dealer in ("A T", "T A"):
            assert paid(play("LS PEEK", f"T 6 | {dealer}", SURRENDERS)) == (-1, 1)
            assert paid(play("ES PEEK", f"T 6 | {dealer}", SURRENDERS)) == (-HALF, 1)
        assert paid(play("ES10 PEEK", "T 6 | T A", SURRENDERS)) == (-HALF, 1)
        assert paid(play("ES10 PEEK", "T 6 | A T", SURRENDERS)) == (-1, 1)

    @pytest.mark.parametrize("rules", ["LS ENHC", "LS OBO", "LS PEEKA"])
    def test_late_surrender_without_a_peek_loses_all_to_a_natural(self, rules):
        assert paid(play(rules, "T 6 | T A", SURRENDERS)) == (-1, 1)
        result = play(rules, "T 6 | T 9", SURRENDERS)
        assert paid(result) == (-HALF, 1)
        assert result.dealer_final == "none"

    @pytest.mark.parametrize("hole_card", ["ENHC", "OBO"])
    def test_early_surrender_without_a_hole_card(self, hole_card):
        result = play(f"ES {hole_card}", "T 6 / T 9 | T | A", SURRENDERS)
        assert paid(result.seats[0]) == (-HALF, 1)
        assert paid(result.seats[1]) == (-1, 1)

    def test_an_early_surrender_asks_for_no_dealer_card(self):
        result = play("ES ENHC", "T 6 | T", SURRENDERS)
        assert (result.dealer_final, len(result.dealer)) == ("none", 1)

    def test_an_early_surrendered_hand_takes_no_insurance(self):
        letters = SURRENDERS | {"insurance": "Y"}
        result = play("ES PEEK", "T 6 / T 9 | A K", letters)
        assert paid(result) == (-HALF - 1, 2)
        assert insurance(result) == (1, HALF)

    def test_only_the_initial_two_cards(self):
        # T 2 hit to 16 is hit again; a split hand of 16 too
        assert routes(play("LS", "T 2 | T 7 | 4 3", SURRENDERS)) == [("stand", 19)]
        letters = {"hard 16": "Rh", "pair 8": "P"}
        result = play("LS", "8 8 | T 7 | 8 3 T", letters)
        assert routes(result) == [("stand", 19), ("stand", 18)]


class TestCharlie:
    # a hand of small cards: 2 2 2 3 + 4 = 13 in five cards
    LOW = "2 2 | T 9 | 2 3 4"

    def test_so_many_cards_win_at_once(self):
        result = play("C5", self.LOW)
        assert paid(result) == (1, 1)
        assert routes(result) == [("charlie", 13)]
        assert result.dealer_final == "none"
        # six are needed: T makes 23
        assert paid(play("C6", f"{self.LOW} T")) == (-1, 1)
        assert routes(play("C6", f"{self.LOW} 5")) == [("charlie", 18)]

    def test_a_bust_hand_is_no_charlie(self):
        assert routes(play("C5", "2 2 | T 9 | 2 9 T")) == [("bust", 25)]

    def test_it_loses_to_a_dealer_natural_only(self):
        assert paid(play("C5 ENHC", "2 2 | T | 2 3 4 A")) == (-1, 1)
        assert paid(play("C5 OBO", "2 2 | T | 2 3 4 A")) == (-1, 1)
        result = play("C5 ENHC", "2 2 | T | 2 3 4 9")  # one dealer card settles it
        assert paid(result) == (1, 1)
        assert result.dealer_final == "none"
        assert paid(play("C5 P22", "2 2 / T 9 | T 6 | 2 3 4 6").seats[0]) == (1, 1)

    def test_after_a_split(self):
        cards = "2 2 | T 9 | 2 2 2 2 T {}"
        letters = {"pair 2": "P"}
        # 2 2 2 2 2 = 10 is a Charlie; 2 T = 12 goes on to 18
        assert routes(play("C5", cards.format("6"), letters)) == [("charlie", 10), ("stand", 18)]
        # without it the 10 is hit: 20; the next hand is 2 T 7
        split = play("C5X", cards.format("T 7"), letters)
        assert routes(split) == [("stand", 20), ("stand", 19)]
        assert routes(play("C5X", self.LOW)) == [("charlie", 13)]

    def test_of_21_with_t(self):
        cards = "2 3 | T {} | 4 5 7 {}"  # five cards make 21
        for token in ("C5", "C5T"):
            assert paid(play(token, cards.format("9", ""))) == (1, 1)
        assert paid(play("C5", cards.format("6", ""))) == (1, 1)
        result = play("C5T", cards.format("6", "5"))  # the dealer plays it out: T 6 5 = 21
        assert paid(result) == (0, 1)
        assert result.dealer_final == "21"
        assert paid(play("C5T", cards.format("6", "6"))) == (1, 1)
        assert paid(play("C5T P22", cards.format("6", "6"))) == (1, 1)  # and beats a 22
        assert play("C5T", "2 3 | T 6 | 4 5 6").dealer_final == "none"  # a Charlie of 20
        result = play("C5T", "2 3 / T 9 | T 6 | 4 5 6 5")  # which beats a 21 that the 19 asks for
        assert [paid(seat) for seat in result.seats] == [(1, 1), (-1, 1)]

    def test_reached_by_a_double(self):
        letters = {"hard 10": "Dh"}
        result = play("C5 DOAN", "2 2 | T 9 | 2 4 3", letters)  # 2 2 2 4 doubled, then 3: 13
        assert routes(result) == [("charlie", 13)]
        assert paid(result) == (2, 2)


class TestLimits:
    def test_a_hand_of_so_many_cards_stands(self):
        # A 2 A 2 A 2 A 2: soft totals until 2 2 2 ... = 12 in eight cards
        cards = "A 2 | T 7 | A 2 A 2 A 2"
        letters = {f"soft {total}": "H" for total in range(12, 22)}
        result = play("MAX8", cards, letters)
        assert routes(result) == [("stand", 12)]
        assert paid(result) == (-1, 1)
        assert routes(play("MAX9", cards + " 9", letters)) == [("stand", 21)]

    def test_a_hand_of_21_stands_unless_it_may_be_hit(self):
        letters = {"hard 21": "H", "soft 21": "H", "hard 20": "H"}
        assert routes(play("", "5 6 | T 7 | T", letters)) == [("stand", 21)]
        assert routes(play("H21", "5 6 | T 7 | T T", letters)) == [("bust", 31)]
        assert routes(play("H21", "5 6 | T 7 | T")) == [("stand", 21)]  # the chart stands
        # soft 21 with three cards, hit: 2 8 A T = 21 again, hard, and hit once more
        assert routes(play("H21", "2 8 | T 7 | A T 5", letters)) == [("bust", 26)]
        assert paid(play("H21", "A T | T 7", letters)) == (Fraction(3, 2), 1)

    def test_hitting_21_can_reach_a_charlie(self):
        # 2 4 A 4 is a soft 21 of four cards; with 5 it is 16
        letters = {"soft 21": "H"}
        assert routes(play("H21 C5", "2 4 | T 7 | A 4 5", letters)) == [("charlie", 16)]
        assert routes(play("C5", "2 4 | T 7 | A 4", letters)) == [("stand", 21)]


class TestPush22:
    TWENTY_TWO = "| T 6 | {}6"  # the dealer's T 6 6

    def test_what_is_alive_pushes(self):
        cards = "T 9 " + self.TWENTY_TWO.format("")
        result = play("P22", cards)
        assert paid(result) == (0, 1)
        assert result.dealer_final == "22"
        assert paid(play("", cards)) == (1, 1)
        assert paid(play("P22", "6 5 " + self.TWENTY_TWO.format("9 "), {"hard 11": "Dh"})) == (0, 2)

    def test_other_busts_and_other_hands_do_not(self):
        assert paid(play("P22", "T 9 | T 6 | 7")) == (1, 1)  # 23
        result = play("P22", "T 6 / T 9 | T 6 | K 6")  # 26 is bust before
        assert [paid(seat) for seat in result.seats] == [(-1, 1), (0, 1)]

    def test_a_natural_wins_or_pushes(self):
        cards = "A K / T 9 " + self.TWENTY_TWO.format("")
        assert paid(play("P22", cards).seats[0]) == (Fraction(3, 2), 1)
        assert paid(play("P22N", cards).seats[0]) == (0, 1)
        # alone it makes the dealer play only where it can push
        assert play("P22", "A K | T 6").dealer_final == "none"
        assert play("P22N", "A K | T 6 | 6").dealer_final == "22"
        assert paid(play("P22N", "A K | T 6 | 7")) == (Fraction(3, 2), 1)
        assert paid(play("P22N ENHC", "A K | T A")) == (0, 1)
