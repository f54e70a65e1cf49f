"""Whole-composition strategies: a chart spelled out hand by hand plays as the chart does."""

from dataclasses import replace

import pytest

from rtpsim.cards import ACE_CLASS, Shoe
from rtpsim.errors import InputError
from rtpsim.games import Game
from rtpsim.program.compiler import compile_program
from rtpsim.program.composition import CompositionStrategy
from rtpsim.program.graph import Action
from rtpsim.program.player import ChartPlayer
from rtpsim.rulestring import parse_rules
from rtpsim.simulation.run import make_plan, run_plan
from rtpsim.simulation.tables import make_tables
from rtpsim.simulation.tally import make_tally
from rtpsim.strategy import Chart, read_chart

ORDINARY = read_chart("ordinary")


def quick_chart():
    """Stand early, so that few compositions occur; double, split, insure and surrender."""
    rows = {f"hard {total}": ("H" if total < 12 else "S",) * 10 for total in range(4, 22)}
    rows |= {f"soft {total}": ("H" if total < 15 else "S",) * 10 for total in range(12, 22)}
    rows |= {f"pair {card}": ("P",) * 10 for card in "A23456789T"}
    rows |= {"hard 11": ("Dh",) * 10, "soft 16": ("Ds",) * 10, "pair 5": ("Dh",) * 10}
    rows |= {"hard 16": ("Rs",) * 10, "9,6": ("H",) * 10, "hard 13 4+": ("H",) * 10}
    rows |= {"insurance": ("N",) * 9 + ("Y",), "insurance T,5": ("N",) * 10}
    return Chart("quick", rows)


POWERS = {
    **{f"power double hard {total}": ("Y",) * 10 for total in (9, 10, 11)},
    **{f"replace hard {total}": ("A2-6",) * 9 + ("-",) for total in (9, 10, 11)},
    "power split T,6": ("Y", "N") * 5,
}


class SpeltOut(ChartPlayer):
    """A chart's player who forgets nothing of a hand and notes every decision."""

    def __init__(self, chart, rules):
        super().__init__(chart, rules)
        self.actions = {}
        self.replaced = set()

    def action(self, spot, up, legal):
        origin = None if spot.origin is None else (min(spot.origin.card, 9), spot.origin.splits)
        action = super().action(spot, up, legal)
        assert self.actions.setdefault((spot.hand.composition, origin, up), action) == action
        return action

    def replaces(self, hand, up, card):
        replaced = super().replaces(hand, up, card)
        if replaced:
            self.replaced.add((hand.composition, up, card))
        return replaced

    def canonical(self, waiting):
        return waiting


def spelt_out(chart, rules):
    """Return a chart as a strategy by whole compositions."""
    player = SpeltOut(chart, rules)
    classes = compile_program(rules, player).classes
    pairs = [(one, other) for one in range(classes) for other in range(one, classes)]
    insured = frozenset(pair for pair in pairs if player.insures(*pair))
    return CompositionStrategy(player.actions, insured, frozenset(player.replaced))


def tallies(rules, chart, rounds):
    """Play a chart, and the chart spelt out, from the same random words."""
    game = Game.from_rules(parse_rules(rules))
    plan = make_plan(game, chart, rounds=rounds, seed=8, hands=1, side_bets=None)
    program = compile_program(game.rules, spelt_out(chart, game.rules))
    tables = make_tables(program, Shoe.of_decks(game.rules.decks))
    for one in (plan, replace(plan, program=program, tables=tables)):
        yield one.program, make_tally(one.program, run_plan(one), 1, (), one.offsets)


def compare(rules, chart, rounds=100_000):
    (merged, by_chart), (spelt, by_composition) = tallies(rules, chart, rounds)
    assert by_composition.labels == by_chart.labels
    assert by_composition.outcomes == by_chart.outcomes
    assert by_composition.insurance == by_chart.insurance
    assert any(label.route == "split" for label in by_chart.labels)
    assert spelt.first_event > merged.first_event  # or nothing was spelt out


@pytest.mark.parametrize("rules", ["6D SPL1 LS", "2D SPL3 RSA HSA NDAS ENHC", "1D SPR SPL2 ES OBO"])
def test_chart_spelt_out(rules):
    compare(rules, quick_chart())


def test_power_moves_spelt_out():
    chart = quick_chart()
    compare("6D SPL1 ENHC P22 PD9 PS", Chart("powers", {**chart.rows, **POWERS}))


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["8D SPL1 LS", "6D SPL3 RSA HSA C7 LS"])
def test_ordinary_chart_spelt_out(rules):
    compare(rules, ORDINARY, 1_000_000)


def test_compositions_of_one_total_can_differ():
    """T,6 stands and 9,7 hits against a ten: what no chart of totals can say."""
    rules = parse_rules("8D SPL0 ND")
    strategy = spelt_out(quick_chart(), rules)
    actions = dict(strategy.actions)
    for up in range(10):
        actions[(5, 9), None, up] = Action.STAND
        actions[(6, 8), None, up] = Action.HIT
        for third in range(5):
            hand = tuple(sorted((6, 8, third)))
            actions[hand, None, up] = Action.STAND
    program = compile_program(rules, CompositionStrategy(actions))
    context = program.start_context[5, 9, 8]
    events = {
        cards: int(program.start[0][(*cards, 8, 3)]) for cards in [(5, 9), (9, 5), (6, 8), (8, 6)]
    }
    assert events[5, 9] == events[9, 5] >= program.first_event
    finished = program.join[context, events[5, 9] - program.first_event]
    assert program.finished[finished].route == "stand"
    assert program.finished[finished].results[0].total == 16
    assert 9 <= events[6, 8] == events[8, 6] < program.first_event


class TestRefusals:
    RULES = parse_rules("8D SPL0")

    def test_no_action(self):
        with pytest.raises(InputError, match="no action; allowed are stand, hit, double"):
            compile_program(self.RULES, CompositionStrategy({}))

    def test_an_action_that_is_not_allowed(self):
        actions = dict(spelt_out(quick_chart(), self.RULES).actions)
        actions[(7, 7), None, ACE_CLASS] = Action.SPLIT
        with pytest.raises(InputError, match="8,8 v A: split; allowed are stand, hit, double"):
            compile_program(self.RULES, CompositionStrategy(actions))
