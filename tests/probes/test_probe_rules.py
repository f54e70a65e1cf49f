"""Every token of the rule string misread by the compiler: the referee plays otherwise."""

import random
from dataclasses import replace

import pytest
from every_edge import compiled, visit
from kernel_rounds import disagreements
from rule_probes import BY_DEALING, MISREAD, PROBED, WITH_NUMBERS, every_token

from rtpsim.cards import Shoe
from rtpsim.games import Game
from rtpsim.rules import Rules
from rtpsim.rulestring import parse_rules
from rtpsim.simulation.run import make_plan
from rtpsim.simulation.tables import make_tables


def differences(token, rules):
    """Play by tables compiled of some rules, before a referee who knows better."""
    right, _, chart = PROBED[token]
    game = Game.from_rules(parse_rules(right)).model_copy(update={"insurance": True})
    program = compiled(game.model_copy(update={"rules": parse_rules(rules)}), chart)
    if token in BY_DEALING:
        plan = make_plan(game, chart, rounds=2000, seed=1, hands=1, side_bets=())
        tables = make_tables(program, Shoe.of_decks(game.rules.decks))
        plan = replace(plan, program=program, tables=tables)
        return disagreements(game, chart, 2000, plan=plan)
    return visit(game, chart, random.Random(1), deals=300, joins=300, program=program)


slow = [pytest.param(token, marks=pytest.mark.slow) for token in WITH_NUMBERS]


@pytest.mark.parametrize("token", [*MISREAD, *slow])
def test_a_misread_token_is_noticed(token):
    assert differences(token, PROBED[token][1]) != []


@pytest.mark.parametrize("token", ["SPR", "SPT2", "PEEK", "C5X", "PD9S", "INSP"])
def test_the_right_one_is_not(token):
    assert differences(token, MISREAD[token][0]) == []


def test_another_number_of_decks_is_noticed():
    """Decks are no matter of tables but of the shoe: a referee's shoe holds what it should."""
    assert Shoe.of_decks(8).size == 416
    assert Shoe.of_decks(8).by_value == (32,) * 9 + (128,)


def test_every_token_has_a_probe():
    assert set(PROBED) == every_token()
    read, misread = zip(*(_rules_of(token) for token in PROBED), strict=True)
    fields = {
        name
        for one, other in zip(read, misread, strict=True)
        for name in Rules.model_fields
        if getattr(one, name) != getattr(other, name)
    }
    assert fields | {"decks"} == set(Rules.model_fields)


@pytest.mark.parametrize("token", PROBED)
def test_a_probe_misreads_its_own_token_and_nothing_else(token):
    right, wrong, _ = PROBED[token]
    assert token in str(parse_rules(right)).split()
    kept = [word for word in right.split() if word != token]
    more = [word for word in wrong.split() if word not in kept]
    assert len(more) <= 1
    assert token not in more
    assert parse_rules(right) != parse_rules(wrong)


def _rules_of(token):
    right, wrong, _ = PROBED[token]
    return parse_rules(right), parse_rules(wrong)
