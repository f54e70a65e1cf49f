"""Every token of the rule string misread by the compiler: the referee plays otherwise."""

import random
import re
from dataclasses import replace

import pytest
from every_edge import compiled, visit
from kernel_rounds import disagreements
from rule_probes import BY_DEALING, MISREAD

from rtpsim.cards import Shoe
from rtpsim.games import Game
from rtpsim.rulestring import _FIXED, parse_rules
from rtpsim.simulation.run import make_plan
from rtpsim.simulation.tables import make_tables


def differences(token, rules):
    """Play by tables compiled of some rules, before a referee who knows better."""
    right, _, chart = MISREAD[token]
    game = Game.from_rules(parse_rules(right)).model_copy(update={"insurance": True})
    program = compiled(game.model_copy(update={"rules": parse_rules(rules)}), chart)
    if token in BY_DEALING:
        plan = make_plan(game, chart, rounds=2000, seed=1, hands=1, side_bets=())
        tables = make_tables(program, Shoe.of_decks(game.rules.decks))
        plan = replace(plan, program=program, tables=tables)
        return disagreements(game, chart, 2000, plan=plan)
    return visit(game, chart, random.Random(1), deals=300, joins=300, program=program)


@pytest.mark.parametrize("token", MISREAD)
def test_a_misread_token_is_noticed(token):
    assert differences(token, MISREAD[token][1]) != []


@pytest.mark.parametrize("token", ["SPR", "SPT2", "PEEK", "C5X", "PD9S", "INSP"])
def test_the_right_one_is_not(token):
    assert differences(token, MISREAD[token][0]) == []


def test_another_number_of_decks_is_noticed():
    """Decks are no matter of tables but of the shoe: a referee's shoe holds what it should."""
    assert Shoe.of_decks(8).size == 416
    assert Shoe.of_decks(8).by_value == (32,) * 9 + (128,)


def test_every_token_has_a_probe():
    families = {re.sub(r"^C\d+$", "C", re.sub(r"^MAX\d+$", "MAX", token)) for token in MISREAD}
    assert set(_FIXED) <= families
    assert {"DOA", "D8", "D9", "D10", "D11", "ND", "D9S", "D9N", "C", "MAX"} <= families
    assert {f"C{n}" for n in range(5, 12)} <= set(MISREAD)
