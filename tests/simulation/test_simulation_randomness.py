"""Tests of the cards: their law is right, and each catches the fault it is there for."""

import dataclasses
import threading

import numpy as np
import pytest

from rtpsim.cards import Shoe
from rtpsim.errors import InputError
from rtpsim.games import load_game
from rtpsim.simulation import randomness, run
from rtpsim.simulation.dealt import DealCounts, PlayedCounts
from rtpsim.simulation.randomness import FIRST_CHUNK, check_randomness, dealt_positions
from rtpsim.simulation.run import make_plan, record_rounds
from rtpsim.strategy import default_chart

GAME = load_game("blackjack-surrender")
CHART = default_chart(GAME)


def plan(hands=1, rounds=1000):
    return make_plan(GAME, CHART, rounds=rounds, seed=1, hands=hands, side_bets=())


def deal_counts(decks, hands):
    return DealCounts(Shoe.of_decks(decks), np.arange(52 * decks) % 52, hands)


def drawn(rng, rounds, position, cards=4):
    """Deal by drawing positions until all of a round differ."""
    deals = np.empty((0, cards), dtype=np.uint16)
    while len(deals) < rounds:
        more = np.stack([position(rng, rounds) for _ in range(cards)], axis=1)
        distinct = (np.diff(np.sort(more, axis=1), axis=1) > 0).all(axis=1)
        deals = np.concatenate([deals, more[distinct].astype(np.uint16)])
    return deals[:rounds]


def even(rng, rounds):
    return rng.integers(0, 312, rounds)


def failures(deals, hands=1):
    """Judge deals as a pass does."""
    counts = deal_counts(6, hands)
    for part in np.array_split(deals, 3):
        counts.add(part)
    return randomness.judge(counts.tests(), plan(hands), counts, 0, 0.01).failures


class TestPass:
    @pytest.mark.interpreted
    @pytest.mark.parametrize(("hands", "cards"), [(1, 8), (2, 6)])
    def test_deals_are_those_that_the_kernel_plays(self, hands, cards):
        # the first block of a chunk: nothing has been drawn yet that would shift the stream
        one = plan(hands, rounds=2048)
        record, _ = record_rounds(one, 5)
        positions = dealt_positions(one, 2048, 5)
        assert positions.shape == (2048, cards)
        assert (positions % 52)[:800, : 2 + 2 * hands].tolist() == record.dealt[:800].tolist()
        # and those drawn ahead are the next that a hand, or the dealer, takes
        if hands == 1:
            values = np.minimum(positions % 52 // 4, 9)
            drew = np.flatnonzero(record.length[:800] > 0)
            assert len(drew) > 400
            next_ones = np.stack([values[drew, 4], record.drawn[drew, 0]])
            assert (next_ones[0] == next_ones[1]).mean() > 0.95  # but for splits, drawn apart

    def test_a_pass_of_the_simulation_itself(self):
        seen = []
        found = check_randomness(GAME, CHART, rounds=600_000, progress=seen.append)
        assert seen == [2**18, 2**19, 600_000]
        assert found.failures == []
        assert (found.rounds, found.cards, found.first_chunk) == (600_000, 8, 2**31)
        assert found.recorded == 2 * 2**18
        names = [test.name for test in found.tests]
        assert len(set(names)) == len(names) == 164
        assert [test.name for test in found.tests if test.p_value is None] == []
        frame = found.to_frame()
        assert frame["failed"].sum() == 0
        assert (frame["p_adjusted"] >= frame["p_value"]).all()

    def test_the_same_every_time_and_another_by_seed(self):
        def statistics(seed):
            found = check_randomness(GAME, CHART, rounds=5_000, seed=seed)
            return [test.statistic for test in found.tests]

        assert statistics(1) == pytest.approx(statistics(1), nan_ok=True)
        assert statistics(1) != statistics(2)

    def test_several_hands(self):
        found = check_randomness(GAME, CHART, rounds=50_000, hands=2)
        assert found.cards == 6
        assert found.failures == []
        assert any("hand 2 second" in test.name for test in found.tests)

    def test_stop(self):
        stop = threading.Event()
        found = check_randomness(
            GAME, CHART, rounds=10**6, progress=lambda rounds: stop.set(), stop=stop
        )
        assert found.rounds == 2**18
        assert found.recorded == 0
        with pytest.raises(InputError, match="before a card"):
            check_randomness(GAME, CHART, rounds=10**6, stop=stop)

    def test_more_than_there_are(self):
        with pytest.raises(InputError, match="allowed are"):
            check_randomness(GAME, CHART, rounds=(FIRST_CHUNK + 1) * 2**18)


class TestLaw:
    """Of right cards, statistics are distributed as they are said to be."""

    @pytest.mark.parametrize(
        ("decks", "times"), [(1, 30), pytest.param(6, 100, marks=pytest.mark.slow)]
    )
    def test_statistics_have_their_means(self, decks, times):
        # chi-squared has the mean df and the variance 2 df, z the mean 0 and the variance 1
        rng = np.random.default_rng(decks)
        found = []
        for _ in range(times):
            counts = deal_counts(decks, 1)
            counts.add(drawn(rng, 2_500, lambda r, n: r.integers(0, 52 * decks, n)))
            found.append(counts.tests())
        for same in zip(*found, strict=True):
            values = np.array([test.statistic for test in same])
            df = same[0].df
            if same[0].name == "a card dealt twice":
                assert (values == 0).all()
            elif df is None:
                assert abs(values.mean()) < 4.5 / np.sqrt(times), same[0].name
                assert abs(values.var() - 1) < 5 * np.sqrt(2 / times), same[0].name
            else:
                assert abs(values.mean() - df) < 4.5 * np.sqrt(2 * df / times), same[0].name

    def test_counts_over_all_cards_of_a_deal(self):
        # twelve cards of one deck: taken for independent, they would be 40 / 51 of what is said
        rng = np.random.default_rng(2)
        found = []
        for _ in range(200):
            counts = deal_counts(1, 5)
            counts.add(np.argsort(rng.random((500, 52)), axis=1)[:, :12].astype(np.uint16))
            found.append([test.statistic for test in counts._totals()])
        rank, suit = np.mean(found, axis=0)
        assert abs(rank - 12) < 4.5 * np.sqrt(24 / 200) < 12 * 11 / 51
        assert abs(suit - 3) < 4.5 * np.sqrt(6 / 200)

    def test_cards_drawn_later(self):
        # a player who draws while he has less than 17 by a count of his own: whether a card is
        # drawn depends on those before
        rng = np.random.default_rng(7)
        values = np.minimum(np.arange(52) // 4, 9) + 1
        found = []
        for _ in range(60):
            counts = PlayedCounts(Shoe.of_decks(1), 1, 10)
            order = np.argsort(rng.random((3_000, 52)), axis=1)
            counts.add(*play(order, values))
            found.append([test.statistic for test in counts.tests()])
        cards, draws = np.split(np.array(found), [4], axis=1)
        assert (abs(cards.mean(axis=0) - 51) < 4.5 * np.sqrt(102 / 60)).all()
        known = ~np.isnan(draws).any(axis=0)
        assert known.sum() >= 3
        assert (abs(draws[:, known].mean(axis=0) - 9) < 4.5 * np.sqrt(18 / 60)).all()


def play(order, values, skipped=None):
    """Draw from shuffled decks while there are less than 17 points, a class perhaps left out."""
    rounds = len(order)
    dealt, drawn = order[:, :4], np.zeros((rounds, 20), dtype=np.uint8)
    total, place, length = values[dealt[:, 2:]].sum(axis=1), 4, np.zeros(rounds, dtype=np.int64)
    for _ in range(8):
        going = total < 17
        card = values[order[:, place]]
        if skipped is not None:  # the first time the class comes up it is passed over
            passed = (card == skipped) & (np.arange(rounds) % 5 == 0)
            card = np.where(passed, values[order[:, place + 20]], card)
        drawn[going, length[going]] = card[going] - 1
        length[going] += 1
        total = total + np.where(going, card, 0)
        place += 1
    return dealt.astype(np.uint8), drawn, length


class TestPlantedFaults:
    def test_none(self):
        assert failures(drawn(np.random.default_rng(1), 200_000, even)) == []

    def test_a_biased_bounded_draw(self):
        # multiply and shift, with 12 bits and without rejection: 4096 is no multiple of 312
        def biased(rng, rounds):
            return rng.integers(0, 4096, rounds) * 312 >> 12

        found = failures(drawn(np.random.default_rng(2), 400_000, biased))
        assert {name for name in found if name.startswith("position in the shoe")} == {
            f"position in the shoe: {place}"
            for place in ("up card", "dealer's second", "player's first", "player's second")
        }

    def test_a_shuffle_off_by_one(self):
        # exchanged with one of the cards behind, never left where it is (Sattolo's cycle): no
        # card is dealt from its own place
        def sattolo(rng, rounds):
            shoe = np.tile(np.arange(312, dtype=np.uint16), (rounds, 1))
            rows = np.arange(rounds)
            for place in range(4):
                other = rng.integers(place + 1, 312, rounds)
                shoe[rows, place], shoe[rows, other] = shoe[rows, other], shoe[rows, place]
            return shoe[:, :4]

        found = failures(sattolo(np.random.default_rng(3), 100_000))
        assert "position in the shoe: up card" in found

    def test_a_shoe_without_its_last_card(self):
        found = failures(
            drawn(np.random.default_rng(4), 100_000, lambda rng, n: rng.integers(0, 311, n))
        )
        assert "position in the shoe: up card" in found

    def test_a_card_dealt_twice(self):
        deals = drawn(np.random.default_rng(5), 20_000, even)
        deals[17, 3] = deals[17, 0]
        assert failures(deals) == ["a card dealt twice"]

    def test_cards_put_back(self):
        # drawn with replacement, one deck's worth of difference in six: pairs come too often
        deals = np.random.default_rng(6).integers(0, 312, (100_000, 4)).astype(np.uint16)
        assert "a card dealt twice" in failures(deals)

    def test_a_serially_correlated_stream(self):
        # one round in fifty has the up card of the round before
        rng = np.random.default_rng(8)
        deals = drawn(rng, 200_000, even)
        for i in np.flatnonzero(rng.random(200_000) < 0.02):
            if i and deals[i - 1, 0] not in deals[i, 1:]:
                deals[i, 0] = deals[i - 1, 0]
        found = failures(deals)
        assert "serial correlation: up card, 1 round apart" in found
        assert "ranks: up card of successive rounds" in found
        assert not any(name.startswith(("card:", "position")) for name in found)

    def test_a_correlation_within_the_round(self):
        # the player's cards come from one half of the shoe, one round in fifty
        rng = np.random.default_rng(9)
        deals = drawn(rng, 200_000, even)
        deals[::50, 2:] %= 156
        distinct = (np.diff(np.sort(deals, axis=1), axis=1) > 0).all(axis=1)
        found = failures(deals[distinct])
        assert "correlation: player's first with player's second" in found

    def test_suits_that_go_together(self):
        # the second card's suit is the first's, one round in thirty
        rng = np.random.default_rng(10)
        deals = drawn(rng, 200_000, even).astype(np.int64)
        deals[::30, 3] += deals[::30, 2] % 4 - deals[::30, 3] % 4
        distinct = (np.diff(np.sort(deals, axis=1), axis=1) > 0).all(axis=1)
        assert "suits: player's first with player's second" in failures(
            deals[distinct].astype(np.uint16)
        )

    def test_cards_drawn_later_from_the_wrong_shoe(self):
        rng = np.random.default_rng(11)
        values = np.minimum(np.arange(52) // 4, 9) + 1
        for skipped, fails in ((None, False), (5, True)):
            counts = PlayedCounts(Shoe.of_decks(1), 1, 10)
            order = np.argsort(rng.random((60_000, 52)), axis=1)
            counts.add(*play(order, values, skipped))
            first = next(test for test in counts.tests() if test.name == "value: draw 1")
            assert (first.p_value < 1e-6) is fails

    def test_a_shoe_laid_out_wrongly_in_the_kernel(self, monkeypatch):
        # every card is taken for the one below it: there is a card too many, and one is missing
        right = run.make_plan

        def shifted(*args, **how):
            one = right(*args, **how)
            numbers = np.concatenate([one.tables.numbers[:1], one.tables.numbers[:-1]])
            faulty = one.tables._replace(decks_only=False, numbers=numbers)
            return dataclasses.replace(one, tables=faulty)

        monkeypatch.setattr(randomness, "make_plan", shifted)
        found = check_randomness(GAME, CHART, rounds=300_000)
        assert {name for name in found.failures if name.startswith("card as played")}
        assert not any(name.startswith("position") for name in found.failures)

    def test_a_faulty_pass_fails_as_a_whole(self, monkeypatch):
        rng = np.random.default_rng(12)
        monkeypatch.setattr(
            randomness,
            "dealt_positions",
            lambda plan, rounds, chunk: drawn(
                rng, rounds, lambda r, n: r.integers(0, 310, n), cards=8
            ),
        )
        found = check_randomness(GAME, CHART, rounds=20_000)
        assert "position in the shoe: up card" in found.failures
        assert [row["failed"] for row in found.to_dict()["tests"]].count(True) >= 4


def test_a_record_can_be_of_any_chunk():
    one = plan()
    first, other = (record_rounds(one, chunk)[0].dealt for chunk in (0, 1))
    assert not np.array_equal(first, other)
    assert np.array_equal(first, record_rounds(one)[0].dealt)
    assert run.CHUNK_ROUNDS == 2**18
