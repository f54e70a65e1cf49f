"""Extremes: known by hand, played by the referee, and never passed by rounds played."""

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest

from rtpsim.cards import Shoe
from rtpsim.exact.figures import ExactFigures, exact_figures
from rtpsim.games import Game, load_game
from rtpsim.outcomes.extremes import extremes, to_frame
from rtpsim.outcomes.rounding import rounding_effects
from rtpsim.outcomes.rounding import to_frame as rounding_to_frame
from rtpsim.outcomes.ways import Ways
from rtpsim.program.compiler import compile_program
from rtpsim.program.player import ChartPlayer
from rtpsim.reference import parse_cards, play_round
from rtpsim.rulestring import parse_rules
from rtpsim.simulation.run import make_plan, record_rounds
from rtpsim.strategy import Chart, default_chart, read_chart
from rtpsim.volatility.covariances import returns_of

NOTHING = ExactFigures({"outcomes": []}, {})
NAMES = ("signature-surrender", "power-blackjack", "blackjack-surrender", "classic-blackjack")


def program_of(game, chart):
    player = ChartPlayer(chart, game.rules)
    return compile_program(game.rules, player, insurance=game.insurance, even_money=game.even_money)


def main_of(found, hands=1):
    return {one.what: one for one in found if not one.side_bets and one.hands == hands}


@pytest.mark.parametrize(
    ("rules", "win", "loss"),
    [
        ("6D ND SPL0 PEEK", 1.5, -1),  # a natural
        ("6D ND SPL0 6:5 PEEK", 1.2, -1),
        ("6D D11 SPL0 PEEK", 2, -2),
        ("6D DOA NDAS SPL1 PEEK", 2, -2),
        ("6D DOA DAS SPL1 PEEK", 4, -4),
        ("6D DOA DAS SPL2 PEEK", 6, -6),
        pytest.param("6D DOA DAS SPL3 PEEK", 8, -8, marks=pytest.mark.slow),
        pytest.param("6D DOA DAS SPT2 PEEK", 8, -8, marks=pytest.mark.slow),
        ("6D D11 NDAS SPL3 ENHC", 4, -4),
    ],
)
def test_by_hand(rules, win, loss):
    game = Game.from_rules(parse_rules(rules)).model_copy(update={"max_hands": 1})
    found = extremes(game, read_chart("ordinary"), NOTHING)
    assert [(one.what, one.net) for one in found] == [("largest win", win), ("largest loss", loss)]


def test_what_a_chart_never_does_is_not_counted():
    game = Game.from_rules(parse_rules("6D DOA DAS SPL3 PEEK"))
    ordinary = read_chart("ordinary")
    never = {row: ("S",) * 10 for row in ordinary.rows if row.startswith("pair")}
    chart = Chart("never", {**ordinary.rows, **never})
    assert main_of(extremes(game, chart, NOTHING))["largest win"].net == 2


@pytest.mark.parametrize(
    "name",
    [
        "signature-surrender",
        pytest.param("power-blackjack", marks=pytest.mark.slow),
        "blackjack-surrender",
        "classic-blackjack",
    ],
)
def test_the_referee_agrees_on_every_round_shown(name):
    game = load_game(name)
    chart = default_chart(game)
    for one in extremes(game, chart, exact_figures(game, chart)):
        source = parse_cards(one.cards)
        assert source.hands == one.hands
        result = play_round(game, chart, source, hands=one.hands, side_bets=one.side_bets)
        assert source.unused == ()
        net = Fraction(result.net, game.rules.unit)
        if one.side_bets:
            seat = {**result.side_bets, **result.seats[0].side_bets}
            pays = {bet.id: bet.pays for bet in game.side_bets}
            assert len(seat) == len(game.side_bets)
            net += sum(pays[bet].get(outcome, -1) for bet, outcome in seat.items())
        assert float(net) == one.net


@pytest.mark.slow
def test_cards_that_one_deck_lacks():
    # split three times there would be eight cards of one rank, or more, for two hands: one deck
    # has four of them, so the bound stands and no round is shown
    game = Game.from_rules(parse_rules("1D DOA DAS SPL3 PEEK")).model_copy(update={"max_hands": 2})
    found = main_of(extremes(game, read_chart("ordinary"), NOTHING), hands=2)
    assert found["largest win"].net == 16
    assert found["largest win"].cards == ""
    single = main_of(extremes(game, read_chart("ordinary"), NOTHING))["largest win"]
    if single.cards:
        counts = Shoe.of_decks(1).by_value
        words = single.cards.replace("|", "").split()
        assert all(words.count(card) <= counts["A23456789T".index(card)] for card in words)


@pytest.mark.parametrize("name", ["signature-surrender", "classic-blackjack"])
def test_no_round_played_goes_beyond(name):
    game = load_game(name)
    chart = default_chart(game)
    program = program_of(game, chart)
    bounds = [Ways(program, sign).nets * sign for sign in (1, -1)]
    plan = make_plan(game, chart, rounds=2**18, seed=6, hands=1, side_bets=())
    record, _ = record_rounds(plan)
    final, context = record.results.T
    nets = plan.program.settlement[context, final, 0]
    up, hole, first, second = record.dealt.T // 4
    deal = [np.minimum(card, program.classes - 1) for card in (first, second)]
    deal += [np.minimum(card, 9) for card in (up, hole)]
    most, least = (bound[tuple(deal)] for bound in bounds)
    assert (nets <= most).all()
    assert (nets >= least).all()
    # and the bounds are not just wide: most rounds of a stiff hand end at one of them
    assert (nets == most).mean() > 0.2
    assert (nets == least).mean() > 0.2


def test_probabilities_against_rounds_played():
    game = load_game("signature-surrender")
    chart = default_chart(game)
    found = {
        (one.what, one.side_bets): one
        for one in extremes(game, chart, exact_figures(game, chart))
        if one.hands == 1
    }
    plan = make_plan(game, chart, rounds=2**18, seed=3, hands=1, side_bets=())
    rounds, seen = 0, dict.fromkeys(found, 0)
    for seed in range(4):
        record, _ = record_rounds(dataclasses.replace(plan, seed=seed))
        final, context = record.results.T
        nets = plan.program.settlement[context, final, 0] / 2
        up, _, first, second = record.dealt.T
        bets = returns_of(game.side_bet("empire-poker"))[first, second, up] - 1
        bets += returns_of(game.side_bet("empire-pairs"))[first, second] - 1
        rounds += len(nets)
        for key, one in found.items():
            seen[key] += int((nets + bets * key[1] == one.net).sum())
    for key, one in found.items():
        expected = rounds * one.probability
        assert one.one_in == pytest.approx(1 / one.probability)
        assert abs(seen[key] - expected) < 4 * math.sqrt(expected) + 1
    assert seen["largest loss", True] > 30_000
    assert seen["largest win", False] > 300


def test_a_fault_in_a_payment_is_seen():
    game = load_game("signature-surrender")
    program = program_of(game, default_chart(game))
    settlement = program.settlement.copy()
    settlement[settlement == 8] = 10
    faulty = dataclasses.replace(program, settlement=settlement)
    assert Ways(program, 1).nets.max() == 8
    assert Ways(faulty, 1).nets.max() == 10


def test_table():
    game = load_game("classic-blackjack")
    chart = default_chart(game)
    frame = to_frame(extremes(game, chart, exact_figures(game, chart)))
    assert frame["net"].tolist() == [2, -2]


class TestRounding:
    def test_natural_and_surrender(self):
        game = load_game("signature-surrender")
        found = rounding_effects(game, exact_figures(game, default_chart(game)))
        effects = {(one.what, one.stake): one for one in found}
        assert set(effects) == {
            (what, stake) for what in ("natural", "surrender") for stake in (1, 3, 5, 25)
        }
        # eight decks: a natural, and the dealer none: ace and ten in 32 and 128 of 416 cards,
        # the same out of what is left
        player = 2 * 32 * 128 / (416 * 415)
        dealer = 2 * 31 * 127 / (414 * 413)
        natural = effects["natural", 5]
        assert natural.probability == pytest.approx(player * (1 - dealer), abs=1e-12)
        assert natural.lost_coins == 0.5
        assert natural.ev_change == pytest.approx(-natural.probability * 0.5 / 5)
        # what rounding costs at one coin is what 1 to 1 costs: half a wager a natural
        assert effects["natural", 1].ev_change == pytest.approx(-natural.probability / 2)

    def test_one_coin_pays_naturals_evenly(self):
        game = load_game("blackjack-surrender")
        chart = default_chart(game)
        evenly = game.with_settings({"natural_pays": 1})
        worse = exact_figures(evenly, chart, moments=False)
        exact = exact_figures(game, chart)
        effect = next(one for one in rounding_effects(game, exact) if one.what == "natural")
        assert effect.stake == 1
        assert effect.ev_change == pytest.approx(worse.main_net - exact.main_net, abs=1e-12)

    @pytest.mark.parametrize("name", NAMES)
    def test_from_means_by_hand_as_from_the_distribution(self, name):
        game = load_game(name)
        exact = exact_figures(game, default_chart(game))
        document = {**exact.document, "simulated": {"rounds": 1}}
        simulated = ExactFigures(document, exact.frequencies)
        for one, other in zip(
            rounding_effects(game, exact), rounding_effects(game, simulated), strict=True
        ):
            assert one.probability == pytest.approx(other.probability, abs=1e-12)
            assert other.exact

    def test_other_odds(self):
        game = Game.from_rules(parse_rules("6D 6:5 PEEK"))
        exact = exact_figures(game, read_chart("ordinary"), moments=False)
        found = rounding_effects(game, exact, stakes=(1, 2, 5, 6, 9))
        assert [(one.stake, one.lost_coins) for one in found] == [
            (1, 0.2), (2, 0.4), (6, 0.2), (9, 0.8),
        ]  # fmt: skip
        whole = Game.from_rules(parse_rules("6D 2:1 PEEK"))
        figures = exact_figures(whole, read_chart("ordinary"), moments=False)
        assert rounding_effects(whole, figures) == []

    def test_insurance_is_smaller_and_so_loses_less(self):
        game = Game.from_rules(parse_rules("6D PEEK"))
        ordinary = read_chart("ordinary")
        insuring = Chart("insuring", {**ordinary.rows, "insurance": ("N",) * 9 + ("Y",)})
        exact = exact_figures(game, insuring, moments=False)
        found = rounding_effects(game, exact, stakes=(1, 3))
        one, three = (effect for effect in found if effect.what == "insurance")
        assert one.probability == pytest.approx(1 / 13)
        # with one coin there is no half to insure with; with three, a third of the cover is gone
        assert one.ev_change == pytest.approx(-exact.insurance[0])
        assert three.ev_change == pytest.approx(-exact.insurance[0] / 3)
        assert one.ev_change > 0

    def test_table(self):
        game = load_game("classic-blackjack")
        frame = rounding_to_frame(rounding_effects(game, exact_figures(game, default_chart(game))))
        assert frame["what"].unique().tolist() == ["natural"]
