"""Means by deal: over the dealer's second card they are the means that are known without it."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from rtpsim.cards import Shoe
from rtpsim.errors import InputError
from rtpsim.exact.evaluate import evaluate
from rtpsim.exact.holes import means_by_deal
from rtpsim.exact.policies import ChartPolicy
from rtpsim.games import Game, load_game
from rtpsim.rulestring import parse_rules
from rtpsim.simulation.run import make_plan, record_rounds
from rtpsim.statistics.expected import expected_deals
from rtpsim.strategy import Chart, default_chart, read_chart


def insuring():
    ordinary = read_chart("ordinary")
    return Chart("insuring", {**ordinary.rows, "insurance": ("N",) * 9 + ("Y",)})


def cases():
    yield load_game("classic-blackjack"), None
    yield load_game("blackjack-surrender"), None
    yield pytest.param(load_game("power-blackjack"), None, marks=pytest.mark.slow)
    for rules in ("2D H17 ES10 SPL0 PEEK", "2D ES SPL0 ENHC", "2D LS SPL1 OBO", "1D SPL0 C6 PEEK"):
        game = Game.from_rules(parse_rules(rules))
        yield game.model_copy(update={"even_money": "PEEK" in rules}), insuring()


@pytest.mark.parametrize(("game", "chart"), list(cases()), ids=lambda one: getattr(one, "id", ""))
def test_average_over_the_second_card(game, chart):
    chart = chart or default_chart(game)
    found = means_by_deal(game, chart)
    openings = evaluate(
        game.rules,
        ChartPolicy(chart, game.rules),
        Shoe.of_decks(game.rules.decks),
        insurance=game.insurance,
        even_money=game.even_money,
    )
    chances, nets, insurance = Counter(), Counter(), Counter()
    for one in openings:
        cell = one.first, one.second, one.up
        chances[cell] += one.probability
        nets[cell] += one.probability * one.worth.net
        insurance[cell] += one.probability * one.insurance
    assert found.chances.sum() == pytest.approx(1, abs=1e-12)
    for (first, second, up), expected in chances.items():
        cells = {(first, second, up), (second, first, up)}
        weights = [found.chances[cell] for cell in cells]
        assert sum(map(np.sum, weights)) == pytest.approx(expected, abs=1e-14)
        for part, sums in ((found.nets, nets), (found.insurance, insurance)):
            got = sum(weight @ part[cell] for weight, cell in zip(weights, cells, strict=True))
            assert got == pytest.approx(sums[first, second, up], abs=1e-13)


def test_chances_are_those_of_the_deal():
    game = load_game("classic-blackjack")
    found = means_by_deal(game, default_chart(game))
    naturals = expected_deals(Shoe.of_decks(1)).naturals
    both = found.chances[0, 9, 0, 9] * 4  # ace first or ten first, on either side
    assert both == pytest.approx(float(Fraction(naturals["both"], 52 * 51 * 50 * 49)), abs=1e-15)


def test_against_rounds_played():
    game = load_game("blackjack-surrender")
    chart = default_chart(game)
    found = means_by_deal(game, chart)
    plan = make_plan(game, chart, rounds=2**18, seed=5, hands=1, side_bets=())
    sums, squares, counts = (np.zeros((10, 10)) for _ in range(3))
    for chunk in range(4):
        record, _ = record_rounds(plan, chunk)
        final, context = record.results.T
        nets = plan.program.settlement[context, final, 0] / 2
        up, hole = np.minimum(record.dealt[:, :2].T // 4, 9)
        np.add.at(sums, (up, hole), nets)
        np.add.at(squares, (up, hole), nets**2)
        np.add.at(counts, (up, hole), 1)
    mean = sums / counts
    error = np.sqrt((squares / counts - mean**2) / counts)
    expected = (found.chances * found.nets).sum(axis=(0, 1)) / found.chances.sum(axis=(0, 1))
    z = (mean - expected) / np.where(error > 0, error, 1e-9)
    assert np.abs(z).max() < 4.5
    assert 0.6 < z.var() < 1.5
    # an ace below a ten is lost to all but naturals; a six below a five is the best there is
    assert expected[9, 0] < -0.9
    assert expected[4, 9] > 0.2


def test_insurance_that_looks():
    game = load_game("classic-blackjack").with_settings({"insurance-peek": "on"})
    with pytest.raises(InputError, match="has the dealer look"):
        means_by_deal(game, default_chart(game))
