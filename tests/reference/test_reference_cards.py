"""Where the referee's cards come from, and what it tells of a round: sources, side bets, trace."""

from collections import Counter

import numpy as np
import pytest
from referee import chart, play

from rtpsim.cards import Card, Shoe
from rtpsim.errors import InputError, ShoeExhaustedError
from rtpsim.games import load_game
from rtpsim.reference import ShoeSource, parse_cards, play_round
from rtpsim.strategy import read_chart


def shoe_of(**copies):
    """Return the shoe of so many copies of each card, written as ``TS=3``."""
    counts = [0] * 52
    for name, count in copies.items():
        counts[Card.parse(name.strip("_")).number] = count
    return Shoe(tuple(counts))


def generator(seed):
    return np.random.Generator(np.random.PCG64(seed))


class TestShoeSource:
    def test_a_shoe_holds_its_cards_and_no_more(self):
        source = ShoeSource(Shoe.of_decks(2), generator(1))
        for _ in range(2):  # shuffling puts them all back
            source.shuffle()
            dealt = Counter(source.draw() for _ in range(104))
            assert sorted(dealt) == [Card.from_number(number) for number in range(52)]
            assert set(dealt.values()) == {2}
            with pytest.raises(ShoeExhaustedError, match="more than its 104 cards"):
                source.draw()

    def test_every_order_is_equally_likely(self):
        source = ShoeSource(shoe_of(AS=1, KS=1, QS=1), generator(2))
        orders = Counter()
        for _ in range(6000):
            source.shuffle()
            orders["".join(str(source.draw())[0] for _ in range(3))] += 1
        # chi-squared with 5 degrees of freedom exceeds 20.5 once in a thousand
        assert len(orders) == 6
        assert sum((count - 1000) ** 2 / 1000 for count in orders.values()) < 20.5

    def test_words_that_favour_some_cards_are_thrown_away(self):
        class Words:
            def integers(self, low, high, size, dtype):
                # read from the end; of the 2^32 words, 0 is one too many for three cards
                return np.array([1 << 31, 0], dtype=dtype)

        source = ShoeSource(shoe_of(_2S=1, _3S=1, _4S=1), Words())
        assert str(source.draw()) == "3♠"

    def test_the_same_generator_gives_the_same_cards(self):
        sources = [ShoeSource(Shoe.of_decks(6), generator(seed)) for seed in (3, 3, 4)]
        dealt = [[source.draw() for _ in range(20)] for source in sources]
        assert dealt[0] == dealt[1] != dealt[2]


class TestParseCards:
    def test_parts(self):
        source = parse_cards("T♠ 6♦ / 9h 7c | 9♣ 8♥ | 5♣ K♦")
        assert [[str(card) for card in hand] for hand in source.initial] == [
            ["T♠", "6♦"],
            ["9♥", "7♣"],
        ]
        assert (str(source.up), str(source.second)) == ("9♣", "8♥")
        assert [str(card) for card in source.draws] == ["5♣", "K♦"]
        assert source.hands == 2

    def test_suits_tens_and_later_cards_may_be_left_out(self):
        source = parse_cards("10 6;9 7|a")
        assert [[str(card) for card in hand] for hand in source.initial] == [["T", "6"], ["9", "7"]]
        assert (str(source.up), source.second, source.draws) == ("A", None, ())
        assert str(parse_cards("10h 6 | 10♦").initial[0][0]) == "T♥"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("T 6", "expected 'hand | up card | later cards'.*found 1 part$"),
            ("T 6 | 9 | 5 | 4", "found 4 parts"),
            ("T 6 5 | 9", "cards of hand 1 'T 6 5': expected two cards"),
            ("T 6 / 9 | 9", "cards of hand 2 '9': expected two cards"),
            ("T 6 | 9 7 5", "the dealer's cards '9 7 5': expected the up card"),
            ("T 6 | | 5", "the dealer's cards '': expected the up card"),
            ("T 1 | 9", "card '1': expected a rank"),
            ("T 6x | 9", "card '6x': expected a rank"),
        ],
    )
    def test_mistakes_are_named(self, text, message):
        with pytest.raises(InputError, match=message):
            parse_cards(text)


def traced(name, cards, **options):
    source = parse_cards(cards)
    game = load_game(name)
    return play_round(game, read_chart("ordinary"), source, source.hands, trace=True, **options)


class TestSideBets:
    def test_outcomes_by_hand(self):
        # 9♠ 9♠ is a perfect pair, with 9♠ up suited trips; 7♥ 8♥ and 9♠ a straight
        result = traced("signature-surrender", "9♠ 9♠ / 7♥ 8♥ / T♣ 6♠ | 9♠ T♦ | 9♣ 2♣ T♣ T♦ 5♣")
        assert [seat.side_bets for seat in result.seats] == [
            {"empire-poker": "suited-trips", "empire-pairs": "perfect"},
            {"empire-poker": "straight", "empire-pairs": "lose"},
            {"empire-poker": "lose", "empire-pairs": "lose"},
        ]
        assert result.side_bets == {}

    def test_one_result_for_all_hands_also_under_a_dealer_natural(self):
        result = traced("blackjack-surrender", "9♠ 9♥ / T♣ 7♠ | A♠ K♠")
        assert result.side_bets == {"dealers-pair": "lose"}
        assert result.seats[0].side_bets == {"21+3": "lose", "players-pair": "mixed"}
        result = traced("blackjack-surrender", "9♠ 9♥ / T♣ 7♠ | 9♣ 9♠ | T♦ T♥")
        assert result.side_bets == {"dealers-pair": "coloured"}
        assert result.seats[0].side_bets == {"21+3": "trips", "players-pair": "mixed"}

    def test_no_side_bet_placed(self):
        result = traced("blackjack-surrender", "9♠ 9♥ | A♠ K♠", side_bets=False)
        assert result.side_bets == {}
        assert result.seats[0].side_bets == {}

    def test_without_suits_none_is_judged(self):
        result = traced("blackjack-surrender", "9 9 | 7♠ T♠")
        assert result.seats[0].side_bets == {}
        assert result.side_bets == {"dealers-pair": "lose"}
        assert "21+3, hand 1: not judged, as not all suits were given" in result.trace

    def test_a_bet_on_the_dealer_takes_a_second_card_where_there_is_no_hole_card(self):
        game = load_game("blackjack-surrender").with_settings({"hole_card": "enhc"})
        source = parse_cards("T♠ 6♠ | 6♣ | 6♦")
        letters = chart({"hard 16": "Rh"})  # a surrender: the main game needs no dealer card
        result = play_round(game, letters, source)
        assert result.side_bets == {"dealers-pair": "mixed"}
        assert result.dealer_final == "none"


class TestTrace:
    def test_a_round_with_everything(self):
        result = traced("signature-surrender", "8♣ 8♦ / T♠ 6♦ | 9♣ 8♥ | 5♠ T♥ 3♣ 9♦")
        # 8 5 T is bust, 8 3 doubled makes 20 against 17: -1 + 2; the 16 costs half a wager
        assert list(result.trace) == [
            "Hand 1: 8♣ 8♦ (hard 16)",
            "Hand 2: T♠ 6♦ (hard 16)",
            "The dealer shows 9♣ and has a hole card, face down",
            "Hand 1, hard 16 against 9, splits (chart: pair 8, P)",
            "Hand 1.1 receives 5♠: 8♣ 5♠ (hard 13)",
            "Hand 1.1, hard 13 against 9, hits (chart: hard 13, H)",
            "Hand 1.1 receives T♥: 8♣ 5♠ T♥ (hard 23)",
            "Hand 1.1 is bust",
            "Hand 1.2 receives 3♣: 8♦ 3♣ (hard 11)",
            "Hand 1.2, hard 11 against 9, doubles (chart: hard 11, Dh)",
            "Hand 1.2 receives 9♦: 8♦ 3♣ 9♦ (hard 20)",
            "Hand 2, hard 16 against 9, surrenders (chart: hard 16, Rh)",
            "The dealer has 9♣ 8♥: 17",
            "Empire Poker, hand 1 (8♣ 8♦ 9♣): loses",
            "Empire Poker, hand 2 (T♠ 6♦ 9♣): loses",
            "Empire Pairs, hand 1 (8♣ 8♦): mixed pays 5 to 1",
            "Empire Pairs, hand 2 (T♠ 6♦): loses",
            "Hand 1: 23 is bust; 20 wins: net +1, 3 wagered",
            "Hand 2: 16 is surrendered: net -0.5, 1 wagered",
            "Round: net +0.5, 4 wagered",
        ]

    def test_insurance_and_the_look_at_the_second_card(self):
        result = play("PEEK", "T 9 / A K | A T", {"insurance": "Y"}, even_money=True, trace=True)
        assert list(result.trace)[3:] == [
            "Hand 1 is insured for 0.5",
            "Hand 2 takes even money",
            "The dealer looks at the second card: T, a natural: the round ends",
            "Hand 1: 19 falls to the dealer's natural: net -1, 1 wagered",
            "Hand 1: insurance nets +1",
            "Hand 2: 21 takes even money: net +1, 1 wagered",
            "Round: net 0, 2 wagered; insurance nets +1",
        ]

    def test_power_moves_and_charlies(self):
        letters = {"power double hard 11": "Y", "replace hard 11": "A2-7"}
        lines = play("PD9", "6 5 | T 7 | 2 9", letters, trace=True).trace
        assert "Hand 1, hard 11 against T, power doubles (chart: power double hard 11, Y)" in lines
        assert "Hand 1 discards 2 for the next card" in lines
        lines = play("C5", "2 2 | T 9 | 2 3 4", trace=True).trace
        assert "Hand 1 is a Charlie of 5 cards" in lines
        assert "The dealer draws no card: no hand depends on it" in lines
        assert "Hand 1: 13 wins as a Charlie: net +1, 1 wagered" in lines

    def test_amounts_are_in_initial_wagers(self):
        for odds, won in (("3:2", "+1.5"), ("6:5", "+1.2"), ("7:3", "+7/3")):
            lines = play(f"{odds} PEEK", "A K | 9 8", trace=True).trace
            assert f"Hand 1: 21 wins as a natural: net {won}, 1 wagered" in lines

    def test_nothing_is_told_unless_asked_for(self):
        assert play("PEEK", "T 9 | 9 8").trace == ()
