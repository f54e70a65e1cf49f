"""The referee on power moves, the insurance check and the rows of a chart, settled by hand.

``paid`` is (net, wager) in initial wagers; cards and the default chart are as in
`test_reference_rules`.
"""

from fractions import Fraction

import pytest
from referee import game, insurance, paid, play, routes

from rtpsim.errors import InputError
from rtpsim.reference import parse_cards, play_round

HALF = Fraction(1, 2)

POWER_DOUBLES = {
    "hard 9": "H", "hard 10": "Dh", "hard 11": "Dh",
    "power double hard 9": "N", "power double hard 10": "Y", "power double hard 11": "Y",
    "replace hard 10": "-", "replace hard 11": "A2-7",
}  # fmt: skip
POWER_SPLITS = {f"power split {cards}": "Y" for cards in ("T,5", "T,6", "9,6", "9,7", "8,7", "8,8")}
INSURED = {"insurance": "Y", "hard 11": "Dh", "hard 16": "Rh"}


def wager(rules, cards, letters):
    return paid(play(rules, cards, letters))[1]


class TestPowerDouble:
    def test_the_third_card_is_kept_or_replaced_once(self):
        result = play("PD9", "6 5 | T 7 | 8", POWER_DOUBLES)  # 19, kept
        assert paid(result) == (2, 2)
        assert routes(result) == [("power-double", 19)]
        for discarded in "A257":
            result = play("PD9", f"6 5 | T 7 | {discarded} 2", POWER_DOUBLES)  # 13 stays
            assert paid(result) == (-2, 2)
            assert len(result.seats[0].hands[0].cards) == 3
        result = play("PD9", "6 4 | T 7 | 2", POWER_DOUBLES)  # ten keeps everything
        assert routes(result) == [("power-double", 12)]

    def test_its_rows_alone_decide_on_the_initial_cards(self):
        letters = POWER_DOUBLES | {"power double hard 11": "N"}
        assert paid(play("PD9", "6 5 | T 7 | 8", letters)) == (1, 1)  # Dh: hit
        stand = letters | {"hard 11": "Ds"}
        assert routes(play("PD9", "6 5 | T 7", stand)) == [("stand", 11)]
        # a double on 11 in the two-card row is an ordinary one, which there is not
        exception = letters | {"6,5": "Dh", "hard 11": "S"}
        assert paid(play("PD9", "6 5 | T 7 | 8", exception)) == (1, 1)

    def test_which_totals(self):
        nine = POWER_DOUBLES | {"power double hard 9": "Y", "replace hard 9": "-"}
        assert routes(play("PD9", "5 4 | T 7 | 2", nine)) == [("power-double", 11)]
        # with PD10 nine is doubled as ever, and no card is replaced
        letters = nine | {"hard 9": "Dh", "replace hard 9": "A2-T"}
        assert routes(play("PD10", "5 4 | T 7 | 2", letters)) == [("double", 11)]
        assert routes(play("PD10", "6 4 | T 7 | 2", letters)) == [("power-double", 12)]
        soft = POWER_DOUBLES | {"power double soft 19": "Y", "replace soft 19": "2-9",
                               "power double soft 20": "N", "soft 19": "Ds",
                               "soft 20": "Ds"}  # fmt: skip
        assert routes(play("PD9S", "A 8 | T 7 | 5 A", soft)) == [("power-double", 20)]
        assert routes(play("PD9S", "A 9 | T 7", soft)) == [("stand", 20)]  # N: no double at all
        assert routes(play("PD9", "A 8 | T 7 | 5", soft)) == [("double", 14)]

    def test_after_a_split_and_with_more_cards_the_ordinary_double_holds(self):
        letters = POWER_DOUBLES | {"pair 8": "P"}
        result = play("PD9", "8 8 | T 7 | 3 2 9", letters)  # 8 3 + 2 is not replaced
        assert routes(result) == [("double", 13), ("stand", 17)]
        result = play("PD9 DOAN", "2 3 | T 7 | 6 2", letters)
        assert routes(result) == [("double", 13)]

    def test_it_does_not_depend_on_the_ordinary_double(self):
        assert wager("PD9 ND", "6 5 | T 7 | 8", POWER_DOUBLES) == 2

    def test_a_dealer_natural_takes_both_wagers(self):
        assert paid(play("PD9 ENHC", "6 5 | T A | 8", POWER_DOUBLES)) == (-2, 2)
        assert paid(play("PD9 OBO", "6 5 | T A | 8", POWER_DOUBLES)) == (-1, 2)


class TestPowerSplit:
    def test_fifteen_and_sixteen_without_an_ace(self):
        stand = POWER_SPLITS | {f"hard {total}": "S" for total in range(5, 22)}
        for cards in ("T 5", "6 T", "9 6", "7 9", "8 7", "8 8"):
            first, second = (10 if card == "T" else int(card) for card in cards.split())
            result = play("PS", f"{cards} | T 7 | 2 3", stand)
            assert routes(result) == [("stand", first + 2), ("stand", second + 3)]
        result = play("PS", "T 6 | T 7 | 9 8 5", POWER_SPLITS)  # T 9 = 19; 6 8 5 = 19
        assert routes(result) == [("stand", 19), ("stand", 19)]
        assert paid(result) == (2, 2)
        assert result.seats[0].route == "power-split"
        # soft 16 and hard 14 have none, nor has 16 in three cards
        assert play("PS", "A 5 | T 7 | 3", POWER_SPLITS).seats[0].route == "stand"
        assert play("PS", "T 2 | T 7 | 4 5", POWER_SPLITS).seats[0].route == "stand"

    def test_the_first_card_dealt_is_played_first(self):
        result = play("PS", "6 T | T 7 | 8 5 9", POWER_SPLITS)  # 6 8 5 = 19; T 9 = 19
        assert [len(hand.cards) for hand in result.seats[0].hands] == [3, 2]

    def test_no_further_split_but_doubles(self):
        letters = POWER_SPLITS | {"pair 8": "P", "pair 9": "P", "hard 11": "Dh"}
        # 9 7 against T: 9 9 stays together though pairs may be split three times
        result = play("PS SPL3", "9 7 | T 7 | 9 4 9", letters)  # 9 9 = 18; 7 4 doubled: 20
        assert routes(result) == [("stand", 18), ("double", 20)]
        assert wager("PS SPL3 NDAS", "9 7 | T 7 | 9 4 9", letters) == 2
        assert routes(play("PS SPL0", "9 7 | T 7 | T T", letters)) == [("stand", 19), ("stand", 17)]

    def test_psr_splits_a_pair_again_while_splits_remain(self):
        letters = POWER_SPLITS | {"pair 9": "P", "pair 7": "P"}
        # 9 9 is split again, and 7 7 only with a third split
        assert routes(play("PSR SPL2", "9 7 | T 7 | 9 8 T 7 4", letters)) == [
            ("stand", 17), ("stand", 19), ("stand", 18)]  # fmt: skip
        for token in ("SPL3", "SPT2"):
            assert routes(play(f"PSR {token}", "9 7 | T 7 | 9 8 T 7 T A", letters)) == [
                ("stand", 17), ("stand", 19), ("stand", 17), ("stand", 18)]  # fmt: skip

    def test_eights_choose_between_the_two_splits(self):
        letters = {"power split 8,8": "N", "pair 8": "P"}
        result = play("PS SPT2", "8 8 | T 7 | 8 9 T T", letters)
        assert result.seats[0].route == "split"
        assert [total for _, total in routes(result)] == [17, 18, 18]
        letters["power split 8,8"] = "Y"
        letters["hard 16"] = "S"
        result = play("PS SPT2", "8 8 | T 7 | 8 9", letters)
        assert result.seats[0].route == "power-split"
        assert [total for _, total in routes(result)] == [16, 17]


class TestInsurancePeek:
    @pytest.mark.parametrize("hole_card", ["ENHC", "OBO", "PEEKT"])
    def test_a_natural_ends_the_round_at_once(self, hole_card):
        result = play(f"INSP {hole_card}", "6 5 / A K | A K", INSURED | {"insurance A,T": "N"})
        assert [paid(seat) for seat in result.seats] == [(-1, 1), (0, 1)]
        assert insurance(result) == (1, HALF)

    def test_without_a_natural_the_hand_plays_on_in_safety(self):
        result = play("INSP ENHC", "6 5 | A 7 | 9", INSURED)
        assert paid(result) == (2, 2)
        assert insurance(result) == (-HALF, HALF)
        assert paid(play("INSP ENHC LS", "T 6 | A 7", INSURED)) == (-HALF, 1)

    def test_one_insured_hand_is_enough_for_the_table(self):
        letters = INSURED | {"insurance": "N", "insurance T,9": "Y"}
        result = play("INSP ENHC", "6 5 / T 9 | A K", letters)
        assert paid(result) == (-2, 2)  # the eleven was never doubled
        assert insurance(result) == (1, HALF)

    def test_uninsured_the_dealer_waits(self):
        letters = INSURED | {"insurance": "N"}
        assert paid(play("INSP ENHC", "6 5 | A K | 9", letters)) == (-2, 2)


class TestChartRows:
    def test_rows_for_many_cards(self):
        letters = {"hard 15": "H", "hard 15 4+": "S", "hard 15 6+": "H"}
        assert routes(play("", "T 2 | T 7 | 3 2", letters)) == [("stand", 17)]  # three cards: hit
        assert routes(play("", "6 2 | T 7 | 4 3", letters)) == [("stand", 15)]  # four: stand
        assert routes(play("", "4 2 | T 7 | 2 2 5", letters)) == [("stand", 15)]  # five too
        assert routes(play("", "2 2 | T 7 | 2 2 2 5 6", letters)) == [("stand", 21)]  # six: hit

    def test_two_card_rows_hold_before_a_split_only(self):
        letters = {"T,2": "S", "pair T": "P"}
        assert routes(play("", "2 T | T 7", letters)) == [("stand", 12)]
        assert routes(play("", "T T | T 7 | 2 7 8", letters)) == [("stand", 19), ("stand", 18)]
        assert routes(play("", "7 5 | T 7 | 9", letters)) == [("stand", 21)]

    def test_a_split_that_is_not_allowed_follows_the_total(self):
        letters = {"pair T": "P", "T,T": "P", "hard 20": "H"}
        assert routes(play("SPR", "J K | T 7 | A", letters)) == [("stand", 21)]

    def test_splits_that_hang_on_doubling_after_a_split(self):
        letters = {"hard 14": "S", "pair 4": "Ph"}
        assert routes(play("DAS", "4 4 | T 7 | T T", letters)) == [("stand", 14)] * 2
        assert routes(play("NDAS", "4 4 | T 7 | 9", letters)) == [("stand", 17)]
        letters["pair 4"] = "Pd"
        assert routes(play("DAS", "4 4 | T 7 | T T", letters)) == [("stand", 14)] * 2
        assert routes(play("NDAS", "4 4 | T 7 | 9", letters)) == [("double", 17)]
        assert routes(play("NDAS ND", "4 4 | T 7 | 9", letters)) == [("stand", 17)]

    def test_only_the_else_part_of_a_surrender_in_three_cards(self):
        assert routes(play("LS", "2 3 | T 7 | T 4", {"hard 15": "Rh"})) == [("stand", 19)]

    def test_columns(self):
        letters = {"hard 12": "S S S S S S S S H S"}  # 2 ... 9, then ten, then ace
        assert routes(play("PEEK", "T 2 | T 7 | 9", letters)) == [("stand", 21)]
        assert routes(play("PEEK", "T 2 | A 7", letters)) == [("stand", 12)]
        assert routes(play("PEEK", "T 2 | 9 8", letters)) == [("stand", 12)]

    def test_a_split_of_a_total_is_refused(self):
        class Unchecked:
            name = "unchecked"

            def cell(self, row, up):
                return "P" if row == "hard 16" else None

        with pytest.raises(InputError, match="only pairs can be split"):
            play_round(game("PEEK"), Unchecked(), parse_cards("T 6 | 9 8"))
