"""Tables against referee on rounds laid out along every edge, for rules and charts of all kinds."""

import random

import pytest
from every_edge import visit
from kernel_rounds import disagreements
from random_games import EVERY_VALUE, VALUES, random_chart, random_game, rule_sets

from rtpsim.games import game_names, load_game
from rtpsim.simulation.run import make_plan
from rtpsim.strategy import default_chart

FEW_SPLITS = (0, 1)


def random_pair(number, rules):
    """Return the numbered rules' random game and chart, and the generator for more."""
    rng = random.Random(number)
    game = random_game(rng, rules)
    return game, random_chart(rng, rules), rng


SETS = list(enumerate(rule_sets(random.Random(2))))


def test_every_value_of_the_rule_table_is_there():
    seen = {(name, getattr(rules, name)) for _, rules in SETS for name in VALUES}
    assert seen == EVERY_VALUE


@pytest.mark.parametrize("name", game_names())
def test_edges_of_the_games(name):
    game = load_game(name)
    joins = None if game.rules.splits in FEW_SPLITS else 2000
    assert visit(game, default_chart(game), random.Random(1), joins=joins) == []


@pytest.mark.parametrize(("number", "rules"), SETS, ids=str)
def test_random_rules(number, rules):
    """Along the edges; and dealt by the kernel, where a check or a need of one hand is for all."""
    game, chart, rng = random_pair(number, rules)
    hands = rng.randrange(1, 3 if rules.decks == 1 else 7)
    plan = make_plan(game, chart, rounds=600 // hands, seed=number, hands=hands, side_bets=None)
    assert disagreements(game, chart, 600 // hands, hands=hands, plan=plan) == []
    assert visit(game, chart, rng, deals=500, joins=300, program=plan.program) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_edges_of_more_random_rules(seed):
    for number, rules in enumerate(rule_sets(random.Random(f"more {seed}"))):
        game, chart, rng = random_pair(f"{seed} {number}", rules)
        few = rules.splits in FEW_SPLITS
        assert visit(game, chart, rng, joins=None if few else 20_000) == []
        hands = rng.randrange(1, 3 if rules.decks == 1 else 7)
        assert disagreements(game, chart, 2000, seed=seed, hands=hands) == []


@pytest.mark.slow
def test_every_edge_of_power_blackjack():
    game = load_game("power-blackjack")
    assert visit(game, default_chart(game), random.Random(1)) == []
