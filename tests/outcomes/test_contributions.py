"""Contributions: they add up to the figures, and are what rounds of the referee come from."""

import dataclasses
import math
from collections import Counter

import pytest

from rtpsim.errors import InputError
from rtpsim.exact.figures import exact_figures
from rtpsim.games import Game, load_game
from rtpsim.outcomes.contributions import exact_contributions, source_of, tally_contributions
from rtpsim.program.labels import Label
from rtpsim.reference import referee_run
from rtpsim.rulestring import parse_rules
from rtpsim.simulation import simulate
from rtpsim.strategy import Chart, default_chart, read_chart

NAMES = ("signature-surrender", "power-blackjack", "blackjack-surrender", "classic-blackjack")


@pytest.fixture(scope="module", params=NAMES)
def game(request):
    return load_game(request.param)


@pytest.fixture(scope="module")
def found(game):
    return exact_contributions(game, default_chart(game))


class TestExact:
    def test_sums_are_the_figures(self, game, found):
        exact = exact_figures(game, default_chart(game))
        assert found.exact
        for table in (found.by_source, found.by_up_card, found.by_both.values()):
            assert sum(one.probability for one in table) == pytest.approx(1, abs=1e-12)
            assert sum(one.ev for one in table) == pytest.approx(exact.main_net, abs=1e-12)
            assert sum(one.wager for one in table) == pytest.approx(exact.main_wager, abs=1e-12)
        assert found.ev == pytest.approx(exact.main_net, abs=1e-12)

    def test_up_cards_are_those_of_the_exact_result(self, game, found):
        exact = exact_figures(game, default_chart(game))
        for one, row in zip(found.by_up_card, exact.document["by_up_card"], strict=True):
            assert one.source == row["up"]
            assert one.probability == pytest.approx(row["probability"], abs=1e-12)
            assert one.ev == pytest.approx(row["probability"] * row["ev"], abs=1e-12)

    def test_agrees_with_rounds_played(self, game, found):
        tally = simulate(game, default_chart(game), rounds=4_000_000, seed=11, side_bets=())
        counted = tally_contributions(tally)
        assert not counted.exact
        assert counted.rounds == 4_000_000
        seen = counted.by_both
        assert set(seen) <= set(found.by_both)
        total = 0.0
        for key, one in found.by_both.items():
            p = one.probability
            got = seen[key].probability if key in seen else 0.0
            assert abs(got - p) < 5 * math.sqrt(p / 4e6) + 1e-6, key
            # a result strays from its mean by eight wagers at most, and hardly by two
            ev = seen[key].ev if key in seen else 0.0
            assert abs(ev - one.ev) < 5 * 2.2 * math.sqrt(p / 4e6) + 1e-6, key
            total += ev
        assert total == pytest.approx(counted.ev)
        net = sum(x * n for (x, _), n in tally.outcomes.items()) / tally.unit / 4e6
        assert counted.ev == pytest.approx(net, abs=1e-12)


def test_naturals_by_hand():
    # six decks: ace and ten out of 24 and 96 of 312 cards; against neither ace nor ten it wins
    # 3 to 2 for certain
    game = Game.from_rules(parse_rules("6D PEEK"))
    found = exact_contributions(game, read_chart("ordinary"))
    player = 2 * 24 * 96 / (312 * 311)
    dealer = 2 * 23 * 95 / (310 * 309)
    natural = {one.source: one for one in found.by_source}["natural"]
    assert natural.probability == pytest.approx(player, abs=1e-14)
    assert natural.ev == pytest.approx(1.5 * player * (1 - dealer), abs=1e-14)
    fives = found.by_both["5", "natural"]
    assert fives.ev == pytest.approx(1.5 * fives.probability, abs=1e-14)
    early = {one.source: one for one in found.by_source}["dealer-natural"]
    assert early.ev == -early.wager == pytest.approx(-early.probability)
    both = player * dealer
    assert early.probability == pytest.approx(player - both, abs=1e-14)


def test_splits_that_are_out_of_the_distributions_reach():
    # split up to three times, with a peek: sums hold, and rounds played agree
    game = Game.from_rules(parse_rules("6D S17 DAS SPL3 RSA PEEK"))
    chart = read_chart("ordinary")
    found = exact_contributions(game, chart)
    exact = exact_figures(game, chart, moments=False)
    assert found.ev == pytest.approx(exact.main_net, abs=1e-12)
    assert found.wager == pytest.approx(exact.main_wager, abs=1e-12)
    split = found.by_both["A", "split"]
    counted = tally_contributions(simulate(game, chart, rounds=4_000_000, seed=2)).by_both
    assert abs(counted["A", "split"].probability - split.probability) < 5 * math.sqrt(
        split.probability / 4e6
    )
    assert abs(counted["A", "split"].ev - split.ev) < 12 * math.sqrt(split.probability / 4e6)


def test_against_the_referee():
    # the referee's routes are its own: what they count is compared, rounds by up card and route
    game = load_game("blackjack-surrender")
    chart = default_chart(game)
    found = exact_contributions(game, chart)
    rounds = 20_000
    run = referee_run(game, chart, rounds, seed=3, side_bets=False)
    routes = Counter()
    for (_, route), count in run.routes.items():
        routes[route] += count
    for source in ("natural", "surrender", "split"):
        p = sum(one.probability for one in found.by_source if one.source == source)
        assert abs(routes[source] - rounds * p) < 4 * math.sqrt(rounds * p)


def test_insurance_is_apart():
    game = Game.from_rules(parse_rules("6D PEEK"))
    ordinary = read_chart("ordinary")
    insuring = Chart("insuring", {**ordinary.rows, "insurance": ("N",) * 9 + ("Y",)})
    plain, insured = exact_contributions(game, ordinary), exact_contributions(game, insuring)
    assert plain.insurance.probability == plain.insurance.ev == 0
    assert insured.ev == pytest.approx(plain.ev, abs=1e-14)
    assert insured.insurance.probability == pytest.approx(1 / 13)
    assert insured.insurance.wager == pytest.approx(0.5 / 13)
    assert insured.insurance.ev == pytest.approx(0.5 / 13 * (3 * 96 / 311 - 1))
    counted = tally_contributions(simulate(game, insuring, rounds=1_000_000)).insurance
    assert counted.probability == pytest.approx(1 / 13, abs=0.001)
    assert counted.ev == pytest.approx(insured.insurance.ev, abs=0.001)


def test_a_doubled_bust_is_a_double():
    label = Label(3, "bust", "bust", "none", False, -4, 4)
    assert source_of(label, 2) == "double"
    assert source_of(label._replace(net=-2, wager=2), 2) == "bust"
    assert source_of(label._replace(route="split"), 2) == "split"
    assert source_of(label._replace(route="charlie", wager=4), 2) == "double"


def test_a_result_without_labels():
    game = load_game("classic-blackjack")
    tally = simulate(game, default_chart(game), rounds=10)
    with pytest.raises(InputError, match="how its rounds went"):
        tally_contributions(dataclasses.replace(tally, labels={}))


def test_tables(found):
    frame = found.to_frame()
    assert frame["ev"].sum() == pytest.approx(found.ev, abs=1e-12)
    document = found.to_dict()
    assert sum(one["ev"] for one in document["by_source"]) == pytest.approx(found.ev, abs=1e-12)
