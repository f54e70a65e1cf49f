"""Settlement tables: every entry against the referee's settlement, and some worked by hand."""

import random

import pytest
from random_games import random_chart, random_game, rule_sets

from rtpsim.games import Game, load_game
from rtpsim.program.compiler import compile_program
from rtpsim.program.events import Ending, Result
from rtpsim.program.player import ChartPlayer
from rtpsim.program.settlement import FINALS, Final, Need, dealer_need, settle
from rtpsim.reference.hands import Dealer, Hand, Seat
from rtpsim.reference.narration import Silence
from rtpsim.reference.settlement import settle_seat
from rtpsim.rulestring import parse_rules
from rtpsim.strategy import default_chart

STAND_20 = Result(Ending.STAND, 20, 1)
BUST = Result(Ending.BUST, 22, 1)


def by_referee(rules, context, final):
    """Settle a context's hands as the referee does."""
    hands = []
    for result in context.results:
        hand = Hand()
        hand.total, hand.wager, hand.route = result.total, result.wager, str(result.ending)
        hands.append(hand)
    endings = {result.ending for result in context.results}
    seat = Seat(1, None, Ending.NATURAL in endings, hands)
    seat.early_surrender = Ending.EARLY_SURRENDER in endings
    seat.even_money = Ending.EVEN_MONEY in endings
    seat.insured = context.insured
    total = int(final) if final.isdecimal() else 0
    told = "bust" if final == "22" and rules.push_22 == "none" else str(final)
    dealer = Dealer([], total, told, Ending.DEALER_NATURAL in endings)
    result = settle_seat(rules, rules.unit, seat, dealer, Silence())
    return [result.net, result.wager, result.insurance_net, result.insurance_wager]


def differences(game, chart):
    """Compare every entry of the settlement table that can be asked for."""
    rules = game.rules
    program = compile_program(
        rules,
        ChartPlayer(chart, rules),
        insurance=game.insurance,
        even_money=game.even_money,
    )
    compared = 0
    for context, row in zip(program.finished, program.settlement.tolist(), strict=True):
        need = dealer_need(rules, context.results, insured=context.insured)
        ended_by_natural = context.route == "dealer-natural"
        for final, entry in zip(FINALS, row, strict=True):
            if final is Final.NONE and need is Need.FINAL:
                continue  # the dealer has played out
            if ended_by_natural and final is not Final.NATURAL:
                continue  # the dealer has it
            compared += 1
            expected = by_referee(rules, context, final)
            if entry != expected:
                yield f"{rules}: {context} v {final}: {entry}; the referee: {expected}"
    assert compared > 100


@pytest.mark.parametrize(
    "name", ["signature-surrender", "power-blackjack", "blackjack-surrender", "classic-blackjack"]
)
def test_every_entry_of_the_games(name):
    game = load_game(name)
    assert list(differences(game, default_chart(game))) == []


def with_one_split(rules):
    """Return the rules with fewer hands to settle; each is settled as before."""
    power_split = "none" if rules.power_split == "none" else "once"
    return rules.replace(splits=1, resplit_aces=False, power_split=power_split)


RULE_SETS = [with_one_split(rules) for rules in rule_sets(random.Random(5))]


@pytest.mark.parametrize(("number", "rules"), list(enumerate(RULE_SETS)), ids=str)
def test_every_entry_under_every_token(number, rules):
    rng = random.Random(number)
    game = random_game(rng, rules)
    assert list(differences(game, random_chart(rng, rules))) == []


# Rules, the initial hand's results, insured, the dealer's final, net in initial wagers.
BY_HAND = [
    ("8D", [STAND_20], False, "19", 1),
    ("8D", [STAND_20], False, "20", 0),
    ("8D", [STAND_20], False, "21", -1),
    ("8D", [STAND_20], False, "22", 1),
    ("8D P22", [STAND_20], False, "22", 0),
    ("8D", [Result(Ending.NATURAL, 21, 1)], False, "21", 1.5),
    ("8D 6:5", [Result(Ending.NATURAL, 21, 1)], False, "20", 1.2),
    ("8D P22", [Result(Ending.NATURAL, 21, 1)], False, "22", 1.5),
    ("8D P22N", [Result(Ending.NATURAL, 21, 1)], False, "22", 0),
    ("8D", [Result(Ending.NATURAL, 21, 1)], False, "natural", 0),
    ("8D", [Result(Ending.EVEN_MONEY, 21, 1)], False, "natural", 1),
    ("8D ENHC", [Result(Ending.DOUBLE, 21, 2)], False, "natural", -2),
    ("8D OBO", [Result(Ending.DOUBLE, 21, 2)], False, "natural", -1),
    ("8D OBO", [BUST, STAND_20], False, "natural", -1),
    ("8D ENHC", [BUST, STAND_20], False, "natural", -2),
    ("8D", [BUST, STAND_20], False, "20", -1),
    ("8D LS", [Result(Ending.SURRENDER, 16, 1)], False, "none", -0.5),
    ("8D LS ENHC", [Result(Ending.SURRENDER, 16, 1)], False, "natural", -1),
    ("8D ES ENHC", [Result(Ending.EARLY_SURRENDER, 16, 1)], False, "natural", -0.5),
    ("8D ES OBO", [Result(Ending.EARLY_SURRENDER, 16, 1)], False, "natural", -0.5),
    ("8D C7", [Result(Ending.CHARLIE, 21, 1)], False, "21", 1),
    ("8D C7T", [Result(Ending.CHARLIE, 21, 1)], False, "21", 0),
    ("8D C7T P22", [Result(Ending.CHARLIE, 20, 1)], False, "22", 1),
    ("8D C7 ENHC", [Result(Ending.CHARLIE, 20, 1)], False, "natural", -1),
    ("8D", [Result(Ending.DEALER_NATURAL, 0, 1)], True, "natural", -1),
]


@pytest.mark.parametrize(("rules", "results", "insured", "final", "net"), BY_HAND)
def test_by_hand(rules, results, insured, final, net):
    rules = parse_rules(rules)
    settled = settle(rules, tuple(results), insured=insured, final=Final(final))
    assert settled.net / rules.unit == net
    assert settled.wager / rules.unit == sum(result.wager for result in results)


@pytest.mark.parametrize(
    ("insured", "final", "net", "wager"),
    [
        (True, "natural", 1, 0.5),
        (True, "20", -0.5, 0.5),
        (False, "natural", 0, 0),
    ],
)
def test_insurance_by_hand(insured, final, net, wager):
    game = Game.from_rules(parse_rules("8D 6:5"))
    unit = game.rules.unit
    settled = settle(game.rules, (STAND_20,), insured=insured, final=Final(final))
    assert (settled.insurance_net / unit, settled.insurance_wager / unit) == (net, wager)


@pytest.mark.parametrize(
    ("rules", "results", "insured", "need"),
    [
        ("8D", [STAND_20], False, Need.FINAL),
        ("8D", [BUST], False, Need.NOTHING),
        ("8D", [BUST, STAND_20], False, Need.FINAL),
        ("8D", [BUST], True, Need.NATURAL),
        ("8D OBO", [BUST], False, Need.NATURAL),
        ("8D ENHC", [BUST, BUST], False, Need.NOTHING),
        ("8D", [Result(Ending.NATURAL, 21, 1)], False, Need.NATURAL),
        ("8D P22", [Result(Ending.NATURAL, 21, 1)], False, Need.NATURAL),
        ("8D P22N", [Result(Ending.NATURAL, 21, 1)], False, Need.FINAL),
        ("8D C7", [Result(Ending.CHARLIE, 21, 1)], False, Need.NATURAL),
        ("8D C7T", [Result(Ending.CHARLIE, 21, 1)], False, Need.FINAL),
        ("8D C7T", [Result(Ending.CHARLIE, 20, 1)], False, Need.NATURAL),
        ("8D LS", [Result(Ending.SURRENDER, 16, 1)], False, Need.NATURAL),
        ("8D ES", [Result(Ending.EARLY_SURRENDER, 16, 1)], False, Need.NOTHING),
    ],
)
def test_how_far_the_dealer_plays(rules, results, insured, need):
    assert dealer_need(parse_rules(rules), tuple(results), insured=insured) is need
