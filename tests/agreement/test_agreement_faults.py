"""The comparison with the referee can fail: faults planted in tables, rules and cards show."""

import random
from dataclasses import replace

import numpy as np
import pytest
from every_edge import compiled, visit
from kernel_rounds import disagreements

from rtpsim.cards import Shoe
from rtpsim.games import load_game
from rtpsim.program.settlement import FINALS
from rtpsim.simulation.run import make_plan
from rtpsim.simulation.tables import make_tables
from rtpsim.strategy import default_chart

GAME = load_game("signature-surrender")
CHART = default_chart(GAME)
PROGRAM = compiled(GAME, CHART)


def found_with(program, game=GAME, chart=CHART):
    return visit(game, chart, random.Random(1), deals=500, program=program)


def test_right_tables_pass():
    assert found_with(PROGRAM) == []


def some_edges(number):
    """Return edges of the step table that can be gone along: those of hands of the deal."""
    rng = random.Random(7)
    first_states = sorted({int(e) for e in np.unique(PROGRAM.start[0]) if e < PROGRAM.first_event})
    edges = [(state, card) for state in first_states for card in range(PROGRAM.classes)]
    return rng.sample(edges, number)


@pytest.mark.parametrize(("state", "card"), some_edges(6))
def test_a_wrong_edge_of_the_step_table(state, card):
    step = PROGRAM.step.copy()
    others = [
        entry for entry in np.unique(step[state, : PROGRAM.classes]) if entry != step[state, card]
    ]
    step[state, card] = others[0]
    assert found_with(replace(PROGRAM, step=step)) != []


def test_a_dealer_who_hits_soft_17():
    other = compiled(GAME.with_settings({"soft17": "hit"}), CHART)
    found = found_with(other)
    assert found != []
    assert all("dealer" in line or "cards" in line for line in found)


@pytest.mark.parametrize("column", range(4))
def test_a_wrong_settlement_entry(column):
    settlement = PROGRAM.settlement.copy()
    place = next(
        number
        for number, context in enumerate(PROGRAM.finished)
        if context.route == "stand" and context.results[0].total == 20
    )
    settlement[place, FINALS.index("19"), column] += 1
    assert found_with(replace(PROGRAM, settlement=settlement)) != []


def test_a_wrong_join():
    join = PROGRAM.join.copy()
    standing = [
        number for number, context in enumerate(PROGRAM.finished) if context.route == "stand"
    ]
    wrong = {standing[0]: standing[1], standing[1]: standing[0]}
    join = np.vectorize(lambda context: wrong.get(context, context))(join)
    assert found_with(replace(PROGRAM, join=join)) != []


def test_a_dealer_who_does_not_play_out():
    resume = PROGRAM.resume.copy()
    place = next(n for n, context in enumerate(PROGRAM.finished) if context.route == "double")
    resume[place] = 0
    assert found_with(replace(PROGRAM, resume=resume)) != []


def test_a_letter_of_the_chart_taken_for_another():
    """A sixteen of three cards is hit against a ten, as only one of two cards is surrendered."""
    assert found_with(compiled(GAME, CHART.with_cell("hard 16", 9, "Rs"))) != []


class TestKernel:
    """Faults in what the kernel is given show on rounds that it has dealt."""

    def plan(self, program):
        plan = make_plan(GAME, CHART, rounds=3000, seed=1, hands=1, side_bets=None)
        tables = make_tables(program, Shoe.of_decks(GAME.rules.decks))
        return replace(plan, program=program, tables=tables)

    def test_right_tables_pass(self):
        assert disagreements(GAME, CHART, 3000, plan=self.plan(PROGRAM)) == []

    def test_a_wrong_edge(self):
        step = PROGRAM.step.copy()
        dealer = int(PROGRAM.dealer[9, 5, 2])  # ten and six: a dealer's sixteen
        step[dealer, 4] = FINALS.index("bust")  # is 21 with a five
        plan = self.plan(replace(PROGRAM, step=step))
        assert any(
            "dealer bust; the referee: 21" in line
            for line in disagreements(GAME, CHART, 3000, plan=plan)
        )

    def test_a_wrong_paytable_of_a_side_bet(self):
        other = GAME.with_settings({"ace-in-straights": "high"})
        plan = make_plan(other, CHART, rounds=3000, seed=1, hands=1, side_bets=None)
        found = disagreements(GAME, CHART, 3000, plan=plan)
        assert any("empire-poker" in line for line in found)
