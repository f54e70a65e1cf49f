"""Many rounds by the referee: runs from a shuffled shoe, and the whole tree of a small shoe."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from referee import chart, game

from rtpsim.cards import Card, Shoe
from rtpsim.errors import InputError, ShoeExhaustedError
from rtpsim.games import load_game
from rtpsim.reference import Outcome, enumerate_rounds, referee_run
from rtpsim.strategy import read_chart

STAND = {f"hard {total}": "S" for total in range(4, 22)}
STAND |= {f"soft {total}": "S" for total in range(12, 22)}
STAND |= {f"pair {card}": "S" for card in "23456789TA"}


def small_shoe(**copies):
    """Return the shoe of so many cards of each rank, spread over the suits: ``T=3``."""
    counts = [0] * 52
    for rank, count in copies.items():
        for copy in range(count):
            counts[Card.parse(rank.strip("_") + "CDHS"[copy % 4]).number] += 1
    return Shoe(tuple(counts))


def moments(distribution):
    mean = sum(outcome.net * p for outcome, p in distribution.items())
    return mean, sum((outcome.net - mean) ** 2 * p for outcome, p in distribution.items())


class TestEnumeration:
    def test_three_tens_and_two_nines(self):
        # Of five cards four are dealt and nobody draws. A ten is left (3/5): the player has both
        # nines or both tens once in six each, else 19 pushes with 19. A nine is left (2/5): one
        # side has 19, the other 20.
        found = enumerate_rounds(game("PEEK"), chart(), small_shoe(T=3, _9=2))
        assert found == {
            Outcome(2, 2, 0, 0): Fraction(3, 10),
            Outcome(-2, 2, 0, 0): Fraction(3, 10),
            Outcome(0, 2, 0, 0): Fraction(2, 5),
        }

    def test_one_ace_and_three_tens_insured(self):
        # the ace makes the player's natural (two places of four), or the dealer's: face up, which
        # the player insures, or face down
        found = enumerate_rounds(game("PEEK"), chart({"insurance": "Y"}), small_shoe(A=1, T=3))
        assert found == {
            Outcome(3, 2, 0, 0): Fraction(1, 2),
            Outcome(-2, 2, 2, 1): Fraction(1, 4),
            Outcome(-2, 2, 0, 0): Fraction(1, 4),
        }

    def test_cards_drawn_are_weighted_by_what_is_left(self):
        # every order of seven cards, the player standing on anything, written down once more
        ranks = {"T": 2, "6": 3, "5": 2}
        cards = [
            int(rank.replace("T", "10")) for rank, count in ranks.items() for _ in range(count)
        ]
        nets = Counter()
        for order in permutations(cards):
            player, dealer, later = order[0] + order[2], order[1] + order[3], list(order[4:])
            while dealer < 17:
                dealer += later.pop(0)
            nets[1 if dealer > 21 or player > dealer else -(player < dealer)] += 1
        expected = {
            Outcome(2 * net, 2, 0, 0): Fraction(count, sum(nets.values()))
            for net, count in nets.items()
        }
        shoe = small_shoe(T=2, _6=3, _5=2)
        for rules in ("PEEK", "ENHC", "OBO SPR"):  # when the second card is dealt is all the same
            assert enumerate_rounds(game(rules), chart(STAND), shoe) == expected

    def test_ranks_are_told_apart_where_pairs_go_by_rank(self):
        # T T and K K are split, T K is not: with one wager each the mean wager counts the pairs,
        # 2 of the 6 ways to choose two cards out of T T K K
        letters = chart({"pair T": "P"})
        shoe = small_shoe(T=2, K=2, _9=8)
        by_rank = enumerate_rounds(game("SPR PEEK"), letters, shoe)
        by_value = enumerate_rounds(game("SPV PEEK"), letters, shoe)
        split = [
            sum(p for outcome, p in found.items() if outcome.wager > 2)
            for found in (by_value, by_rank)
        ]
        tens = Fraction(4 * 3, 12 * 11)
        assert split == [tens, tens / 3]

    def test_two_hands_double_the_mean_and_more_than_double_the_variance(self):
        shoe = small_shoe(T=5, _9=2, _8=2, A=1)
        mean, variance = moments(enumerate_rounds(game("PEEK"), chart(STAND), shoe))
        both = enumerate_rounds(game("PEEK"), chart(STAND), shoe, hands=2)
        mean_of_two, variance_of_two = moments(both)
        assert sum(both.values()) == 1
        assert mean_of_two == 2 * mean
        assert variance_of_two > 2 * variance

    def test_a_shoe_that_runs_out(self):
        with pytest.raises(ShoeExhaustedError, match="more than its 4 cards"):
            enumerate_rounds(game("PEEK"), chart(), small_shoe(_2=4))


class TestRuns:
    def test_a_run_is_a_function_of_its_arguments(self):
        bets = load_game("blackjack-surrender")
        ordinary = read_chart("ordinary")
        run = referee_run(bets, ordinary, 500, seed=1, hands=2)
        assert run == referee_run(bets, ordinary, 500, seed=1, hands=2)
        assert run != referee_run(bets, ordinary, 500, seed=2, hands=2)
        without = referee_run(bets, ordinary, 500, seed=1, hands=2, side_bets=False)
        assert without.outcomes == run.outcomes
        assert (without.side_bets, run.side_bets.keys()) == (
            {},
            {"21+3", "players-pair", "dealers-pair"},
        )

    def test_every_count_is_of_all_rounds(self):
        run = referee_run(
            load_game("signature-surrender"), read_chart("ordinary"), 400, seed=3, hands=3
        )
        assert (run.unit, run.hands, run.rounds) == (2, 3, 400)
        counts = [run.outcomes, run.insurance, run.dealer_finals, run.routes]
        for counted in (*counts, *run.side_bets.values()):
            assert sum(counted.values()) == 400
        assert run.insurance == {(0, 0): 400}  # the ordinary chart never insures

    @pytest.mark.parametrize(("rounds", "seed"), [(-1, 1), (10, -1)])
    def test_negative_numbers_are_refused(self, rounds, seed):
        with pytest.raises(InputError, match="from 0 up"):
            referee_run(game("PEEK"), chart(), rounds, seed)

    def test_naturals_come_as_often_as_they_should(self):
        run = referee_run(game("PEEK"), chart(), 20_000, seed=4)
        # six decks: an ace and a ten in either order, 2 * 24 * 96 / (312 * 311) = 0.04749
        p = 2 * 24 * 96 / (312 * 311)
        naturals = sum(count for (_, route), count in run.routes.items() if route == "natural")
        assert abs(naturals - 20_000 * p) < 4 * (20_000 * p * (1 - p)) ** 0.5

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("name", "mean", "wager"),
        [
            # EV and mean total wager, in initial wagers, of this game under the ordinary chart:
            # an exact calculation made apart from this project
            ("signature-surrender", -0.004117387, 1.127741160),
        ],
    )
    def test_a_million_rounds_agree_with_the_exact_values(self, name, mean, wager):
        rounds = 1_000_000
        run = referee_run(load_game(name), read_chart("ordinary"), rounds, seed=5, side_bets=False)
        for place, exact in enumerate((mean, wager)):
            values = {key[place] / run.unit: 0 for key in run.outcomes}
            for key, count in run.outcomes.items():
                values[key[place] / run.unit] += count
            average = sum(value * count for value, count in values.items()) / rounds
            square = sum(value**2 * count for value, count in values.items()) / rounds
            error = ((square - average**2) / rounds) ** 0.5
            assert abs(average - exact) <= 3.5 * error
