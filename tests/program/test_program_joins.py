"""Joins against a twin that explores contexts one by one and settles each by itself."""

import numpy as np
import pytest

from rtpsim.games import Game, load_game
from rtpsim.program import contexts as ctx
from rtpsim.program.compiler import compile_program
from rtpsim.program.events import Ending, Result, Split
from rtpsim.program.joins import Joins, settlement_table
from rtpsim.program.player import ChartPlayer
from rtpsim.program.settlement import FINALS, NEEDS, dealer_need, settle
from rtpsim.rulestring import parse_rules
from rtpsim.strategy import default_chart, read_chart

ENDINGS_OF_SPLIT_HANDS = (Ending.STAND, Ending.BUST, Ending.DOUBLE, Ending.CHARLIE)


def compiled(what):
    """Return a game's compiler's joins, by way of its Program."""
    if what == "power-blackjack":
        game, chart = load_game(what), default_chart(load_game(what))
    else:
        game, chart = Game.from_rules(parse_rules(what)), read_chart("ordinary")
    seen = []
    original = Joins.__post_init__

    def remember(joins):
        original(joins)
        seen.append(joins)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Joins, "__post_init__", remember)
        program = compile_program(game.rules, ChartPlayer(chart, game.rules))
    (joins,) = seen
    return joins, program


def explore(rules, events, insured):
    """Return every context that can occur with what each event makes of it, literally."""
    found = {}
    waiting = [ctx.fresh(insured=False), *([ctx.fresh(insured=True)] if insured else [])]
    while waiting:
        context = waiting.pop()
        if context in found:
            continue
        found[context] = {}
        if context.finished:
            continue
        for number, event in enumerate(events):
            if context.splits:
                if isinstance(event, Split):
                    if not ctx.may_split_again(rules, context):
                        continue
                    if event.card != context.current.card:
                        continue
                elif not isinstance(event, Result) or event.ending not in ENDINGS_OF_SPLIT_HANDS:
                    continue
            found[context][number] = ctx.advance(rules, context, event)
            waiting.append(found[context][number])
    return found


@pytest.mark.parametrize(
    "what",
    [
        "8D SPL0",
        "1D SPL1 ENHC",
        "2D SPL2 SPR LS OBO 6:5 C6T",
        "6D SPL2 RSA HSA INSP ENHC P22",
        pytest.param("6D SPT2 RSA HSA INSP ENHC P22", marks=pytest.mark.slow),
        pytest.param("8D SPL3 RSA ES OBO", marks=pytest.mark.slow),
        pytest.param("power-blackjack", marks=pytest.mark.slow),
    ],
)
class TestJoins:
    def test_every_context_and_where_each_event_leads(self, what):
        joins, program = compiled(what)
        expected = explore(joins.rules, joins.events, joins.insured)
        assert set(joins.contexts) == set(expected)
        assert len(joins.contexts) == len(expected)
        for context, row in zip(joins.contexts, joins.join, strict=True):
            leads = {
                number: joins.contexts[new] for number, new in enumerate(row.tolist()) if new >= 0
            }
            assert leads == expected[context], context
        np.testing.assert_array_equal(program.join, joins.join)

    def test_finished_contexts_come_first(self, what):
        joins, program = compiled(what)
        order = [context.finished for context in joins.contexts]
        assert order == sorted(order, reverse=True)
        assert program.finished == joins.finished == tuple(joins.contexts[: sum(order)])

    def test_what_finished_contexts_pay(self, what):
        joins, program = compiled(what)
        table, needs = settlement_table(joins.rules, joins.finished)
        np.testing.assert_array_equal(program.settlement, table)
        for number, context in enumerate(joins.finished):
            results, insured = context.results, context.insured
            need = dealer_need(joins.rules, results, insured=insured)
            assert NEEDS[needs[number]] is need, context
            assert set(program.resume[number].tolist()) == {NEEDS.index(need)}
            for code, final in enumerate(FINALS):
                if need == "final hand" and final == "none":
                    expected = (0, 0, 0, 0)  # the dealer plays out
                else:
                    expected = settle(joins.rules, results, insured=insured, final=final)
                assert tuple(table[number, code]) == expected, (context, final)
