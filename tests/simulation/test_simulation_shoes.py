"""Shoes that are no whole decks: against the referee's enumeration, and running out of cards."""

import time

import numpy as np
import pytest
from scipy import stats

from rtpsim.cards import Shoe
from rtpsim.errors import RtpsimError, ShoeExhaustedError
from rtpsim.games import Game
from rtpsim.reference import enumerate_rounds
from rtpsim.rulestring import parse_rules
from rtpsim.simulation.run import make_plan, run_plan
from rtpsim.simulation.tally import make_tally
from rtpsim.strategy import read_chart

RANKS = "A23456789TJQK"
CHART = read_chart("ordinary")


def shoe_of(**copies):
    """Return the shoe of so many cards of each rank, spread over the suits: ``T=3, _5=2``."""
    counts = [0] * 52
    for rank, number in copies.items():
        for copy in range(number):
            counts[4 * RANKS.index(rank.strip("_")) + copy % 4] += 1
    return Shoe(tuple(counts))


def plan_of(rules, shoe, rounds, *, hands=1, chart=CHART, seed=4):
    game = Game.from_rules(parse_rules(f"8D {rules}"))
    return game, make_plan(
        game, chart, rounds=rounds, seed=seed, hands=hands, side_bets=None, shoe=shoe
    )


def tally_of(plan):
    return make_tally(plan.program, run_plan(plan), plan.hands, plan.bets, plan.offsets)


INSURE = CHART.with_cell("insurance", 0, "Y")
SMALL = {
    "tens and fives": ("LS PEEK", shoe_of(T=6, _5=6, A=2), 1, CHART),
    "lopsided": ("H17 PEEK", shoe_of(A=1, _6=9, T=2), 1, CHART),
    "eights split": ("SPL3 ENHC", shoe_of(_8=5, T=10, A=1), 1, CHART),
    "aces split by rank": ("SPL2 SPR RSA HSA OBO", shoe_of(A=4, K=4, J=4, _9=4), 1, CHART),
    "two hands": ("PEEK", shoe_of(T=6, _6=5, A=3), 2, INSURE),
    "insured, checked": ("ENHC INSP 6:5", shoe_of(A=4, T=5, _7=3), 2, INSURE),
}


@pytest.mark.parametrize(("rules", "shoe", "hands", "chart"), SMALL.values(), ids=SMALL)
def test_frequencies_are_those_of_all_rounds(rules, shoe, hands, chart):
    """Net and wager of the whole round against the exact chances of every sequence of cards."""
    rounds = 400_000
    game, plan = plan_of(rules, shoe, rounds, hands=hands, chart=chart)
    exact = {"outcomes": {}, "insurance": {}}
    for outcome, chance in enumerate_rounds(game, chart, shoe, hands).items():
        for name, key in (
            ("outcomes", outcome[:2]),
            ("insurance", outcome[2:]),
        ):
            exact[name][key] = exact[name].get(key, 0) + chance
    tally = tally_of(plan)
    for name, chances in exact.items():
        counts = getattr(tally, name)
        assert set(counts) <= set(chances), "an outcome that the referee knows nothing of"
        assert sum(chances.values()) == 1
        assert agrees([counts.get(key, 0) for key in chances], list(chances.values()), rounds)


def agrees(counts, chances, rounds):
    """Chi-squared at one in ten thousand, cells of fewer than five expected pooled."""
    expected = np.array([float(chance) for chance in chances]) * rounds
    counts = np.array(counts)
    rare = expected < 5
    counts = np.append(counts[~rare], counts[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    counts, expected = counts[expected > 0], expected[expected > 0]
    if len(counts) == 1:
        return counts[0] == rounds
    statistic = ((counts - expected) ** 2 / expected).sum()
    return stats.chi2.sf(statistic, len(counts) - 1) > 1e-4


def test_the_chi_squared_can_fail():
    """A shoe with one ten more is told apart."""
    game, plan = plan_of("PEEK", shoe_of(T=7, _5=6, A=2), 400_000)
    outcomes = {}
    for outcome, chance in enumerate_rounds(game, CHART, shoe_of(T=6, _5=6, A=2)).items():
        outcomes[outcome[:2]] = outcomes.get(outcome[:2], 0) + chance
    counts = tally_of(plan).outcomes
    assert not agrees([counts.get(key, 0) for key in outcomes], list(outcomes.values()), 400_000)


class TestRunningOut:
    """A round that needs more cards than there are is an error, found at once."""

    @pytest.mark.parametrize(
        ("rules", "shoe", "rounds"),
        [
            ("SPV", shoe_of(_2=4), 1),
            ("SPV", shoe_of(_2=9, A=1), 3000),
            ("SPR", shoe_of(_2=6), 1),
            ("SPR", shoe_of(J=1, _3=7), 3000),
        ],
        ids=["10 classes", "10 classes, full queue", "13 classes", "13 classes, full queue"],
    )
    def test_too_few_cards(self, rules, shoe, rounds):
        _, plan = plan_of(rules, shoe, rounds)
        begun = time.monotonic()
        with pytest.raises(ShoeExhaustedError, match="more cards than the shoe holds"):
            run_plan(plan, workers=1)
        assert time.monotonic() - begun < 60  # a second or so by itself, and not for ever

    def test_rare_rounds_that_run_out(self):
        """Most rounds finish; one of many thousands needs an eleventh card of ten."""
        shoe = shoe_of(A=3, _2=3, T=20)
        chart = CHART.with_cell("hard 17", 9, "H")
        _, plan = plan_of("PEEK SPL3", shoe, 20_000, chart=chart)
        assert tally_of(plan).rounds == 20_000
        _, plan = plan_of("PEEK SPL3", shoe_of(A=2, _2=4, _3=4), 20_000)
        with pytest.raises(ShoeExhaustedError):
            run_plan(plan, workers=1)

    def test_exactly_enough_cards(self):
        """Four tens deal a round of two twenties to the last card."""
        _, plan = plan_of("PEEK", shoe_of(T=4), 5000)
        assert tally_of(plan).outcomes == {(0, 2): 5000}

    def test_more_of_a_rank_than_can_be_counted(self):
        """A round of 64 and more aces is refused, never miscounted."""
        chart = CHART
        for row in CHART.rows:
            if row.startswith(("hard", "soft")):
                for up in range(10):
                    chart = chart.with_cell(row, up, "H")
        _, plan = plan_of("SPL0 H21 ND", shoe_of(A=400), 100, hands=6, chart=chart)
        with pytest.raises(RtpsimError, match="more cards of one rank"):
            run_plan(plan, workers=1)
