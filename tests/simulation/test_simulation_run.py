"""Runs: the same integers however they are cut up, stopped or watched; errors; several hands."""

import threading

import numpy as np
import pytest

from rtpsim.cards import Shoe
from rtpsim.errors import InputError, ShoeExhaustedError
from rtpsim.games import Game, load_game
from rtpsim.rulestring import parse_rules
from rtpsim.simulation import run, simulate
from rtpsim.simulation.streams import CHUNK_ROUNDS
from rtpsim.strategy import default_chart, read_chart

GAME = load_game("blackjack-surrender")
CHART = default_chart(GAME)


@pytest.fixture
def small_chunks(monkeypatch):
    """Cut runs into chunks of a thousand rounds."""
    monkeypatch.setattr(run, "CHUNK_ROUNDS", 1000)


def parts(tally):
    """Return everything that a tally holds in a form that compares."""
    return {
        "unit": tally.unit,
        "hands": tally.hands,
        "rounds": tally.rounds,
        "outcomes": dict(tally.outcomes),
        "insurance": dict(tally.insurance),
        "labels": dict(tally.labels),
        "initial": tally.initial.tolist(),
        "side_bets": {bet: dict(counts) for bet, counts in tally.side_bets.items()},
    }


def main_game(tally):
    return {name: what for name, what in parts(tally).items() if name != "side_bets"}


def play(rounds, **changes):
    return simulate(GAME, CHART, **{"rounds": rounds, "seed": 9, "workers": 1} | changes)


def mean_and_variance(tally):
    nets = np.array([net for net, _ in tally.outcomes]) / tally.unit
    counts = np.array(list(tally.outcomes.values()))
    mean = np.average(nets, weights=counts)
    return mean, np.average((nets - mean) ** 2, weights=counts)


class TestCutting:
    @pytest.mark.usefixtures("small_chunks")
    @pytest.mark.parametrize("hands", [1, 3])
    def test_threads_do_not_matter(self, hands):
        one = parts(play(12_345, hands=hands))
        for workers in (2, 3, 16, None):
            assert parts(play(12_345, hands=hands, workers=workers)) == one
        assert one["rounds"] == 12_345

    @pytest.mark.usefixtures("small_chunks")
    @pytest.mark.parametrize("rounds", [999, 1000, 1001, 2000, 2001])
    def test_chunk_boundaries(self, rounds):
        tally = play(rounds, workers=2)
        assert tally.rounds == rounds
        for counts in (tally.outcomes, tally.labels, tally.insurance, *tally.side_bets.values()):
            assert sum(counts.values()) == rounds
        assert tally.initial.sum() == rounds

    @pytest.mark.usefixtures("small_chunks")
    def test_chunks_are_streams_of_their_own(self):
        """A later chunk adds rounds and changes none before; no chunk repeats another."""
        tallies = [play(1000 * chunks) for chunks in (1, 2, 3)]
        totals = [np.array(tally.initial) for tally in tallies]
        second, third = totals[1] - totals[0], totals[2] - totals[1]
        assert (second >= 0).all()
        assert (third >= 0).all()
        assert not np.array_equal(totals[0], second)
        assert not np.array_equal(second, third)

    def test_real_chunks(self):
        rounds = 2 * CHUNK_ROUNDS + 5
        one = play(rounds)
        assert parts(one) == parts(play(rounds, workers=2))
        assert one.rounds == rounds

    def test_seeds_differ(self):
        assert parts(play(5000)) == parts(play(5000))
        assert parts(play(5000)) != parts(play(5000, seed=10))


class TestSideBets:
    @pytest.mark.parametrize("hands", [1, 2, 5])
    def test_side_bets_leave_the_main_game_alone(self, hands):
        everything = play(20_000, hands=hands)
        assert set(everything.side_bets) == {"21+3", "players-pair", "dealers-pair"}
        for chosen in ((), ("dealers-pair",), ("players-pair", "21+3")):
            some = play(20_000, hands=hands, side_bets=chosen)
            assert main_game(some) == main_game(everything)
            assert some.side_bets == {bet: everything.side_bets[bet] for bet in chosen}

    def test_dealers_pair_is_one_for_all_hands(self):
        outcomes = play(20_000, hands=5).side_bets["dealers-pair"]
        assert set(outcomes) == {(), ("perfect",), ("coloured",), ("mixed",)}

    def test_pairs_of_every_hand_count(self):
        outcomes = play(100_000, hands=5).side_bets["players-pair"]
        assert max(len(won) for won in outcomes) >= 2
        assert all(won == tuple(sorted(won)) for won in outcomes)


class TestStopping:
    @pytest.mark.usefixtures("small_chunks")
    @pytest.mark.parametrize("workers", [1, 2])
    def test_what_was_played_is_a_run_of_that_length(self, workers):
        stop = threading.Event()

        def progress(played):
            if played >= 5000:
                stop.set()

        tally = play(100_000, workers=workers, progress=progress, stop=stop)
        assert 5000 <= tally.rounds <= 5000 + 1000 * workers
        assert parts(tally) == parts(play(tally.rounds))

    def test_stopped_before_the_start(self):
        stop = threading.Event()
        stop.set()
        assert play(1000, stop=stop).rounds == 0

    @pytest.mark.usefixtures("small_chunks")
    def test_progress_tells_the_rounds_played(self):
        told = []
        play(3500, progress=told.append)
        assert told == [1000, 2000, 3000, 3500]


class TestSeveralHands:
    """Two hands against one dealer: twice the expectation, and more than twice the variance."""

    def test_two_hands(self):
        rounds = 4 * CHUNK_ROUNDS
        (one, variance), (two, variance_two) = (
            mean_and_variance(play(rounds, hands=hands, side_bets=())) for hands in (1, 2)
        )
        error = np.sqrt((4 * variance + variance_two) / rounds)
        assert abs(two - 2 * one) < 3.5 * error
        assert error < 0.005  # near enough to tell one expectation from two of -0.0038
        # hands share the dealer's cards: their covariance is about 0.48 for usual rules
        # (P. Griffin, "The Theory of Blackjack", on playing several hands)
        covariance = (variance_two - 2 * variance) / 2
        assert 0.4 < covariance < 0.6

    def test_first_hand_s_frequencies_are_those_of_one_hand(self):
        """Labels are the first hand's; the others take no part in how it ends."""
        rounds = CHUNK_ROUNDS
        one, three = (play(rounds, hands=hands, side_bets=()) for hands in (1, 3))
        for route in ("stand", "bust", "double", "split", "surrender", "natural"):
            counts = [
                sum(n for label, n in tally.labels.items() if label.route == route)
                for tally in (one, three)
            ]
            error = np.sqrt(sum(counts))
            assert abs(counts[0] - counts[1]) < 4 * error, route


class TestRefusals:
    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"rounds": 0}, "rounds 0: allowed are 1 to"),
            ({"rounds": 2**60}, "allowed are 1 to"),
            ({"hands": 0}, "hands 0: blackjack-surrender allows 1 to 5"),
            ({"hands": 6}, "hands 6: blackjack-surrender allows 1 to 5"),
            ({"workers": 0}, "workers 0: allowed is a whole number from 1"),
            ({"seed": -1}, "seed -1: allowed"),
            ({"side_bets": ("21+2",)}, "side bet '21\\+2': blackjack-surrender has 21\\+3"),
        ],
    )
    def test_what_is_not_allowed(self, changes, message):
        with pytest.raises(InputError, match=message):
            play(**{"rounds": 100} | changes)

    def test_more_cards_than_a_record_of_one_chunk(self):
        plan = run.make_plan(GAME, CHART, rounds=CHUNK_ROUNDS + 1, seed=1, hands=1, side_bets=None)
        with pytest.raises(InputError, match="a record holds up to"):
            run.record_rounds(plan)

    def test_a_deck_that_cannot_even_deal(self):
        game = Game.from_rules(parse_rules("1D"))
        shoe = Shoe((5,) + (0,) * 51)
        with pytest.raises(ShoeExhaustedError, match="5 cards cannot deal 2 hands"):
            run.make_plan(
                game,
                read_chart("ordinary"),
                rounds=10,
                seed=1,
                hands=2,
                side_bets=None,
                shoe=shoe,
            )
