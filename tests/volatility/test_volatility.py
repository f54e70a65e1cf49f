"""Volatility: against published figures, rounds played, and arithmetic done by hand."""

import math

import pytest

from rtpsim.cards import Shoe
from rtpsim.errors import InputError
from rtpsim.exact.figures import ExactFigures, exact_figures
from rtpsim.games import Game, load_game
from rtpsim.rulestring import parse_rules
from rtpsim.sidebets import exact_counts
from rtpsim.simulation import run, simulate
from rtpsim.simulation.tally import make_tally
from rtpsim.statistics import main_figures
from rtpsim.strategy import default_chart, read_chart
from rtpsim.volatility.covariances import wager_covariances
from rtpsim.volatility.indices import (
    tolerance_table,
    tolerances,
    tolerances_to_frame,
    volatility,
    whole_round,
)

SIGNATURE = load_game("signature-surrender")
CHART = default_chart(SIGNATURE)


@pytest.fixture(scope="module")
def exact():
    return exact_figures(SIGNATURE, CHART)


def of_outcomes(cells, **more):
    """Return figures of a main game with these outcomes in halves."""
    net = sum(x / 2 * p for (x, _), p in cells.items())
    wager = sum(w / 2 * p for (_, w), p in cells.items())
    document = {
        "strategy": "made up",
        "unit": "1/2",
        "main": {"net": net, "wager": wager},
        "insurance": {"net": 0.0, "wager": 0.0},
        "variance": sum((x / 2 - net) ** 2 * p for (x, _), p in cells.items()),
        "outcomes": [{"net": x, "wager": w, "probability": p} for (x, w), p in cells.items()],
    }
    return ExactFigures({**document, **more}, {})


def test_by_hand():
    # half lose 1, a quarter win 1, a quarter win or lose 2 on a wager of 2 (3 to 1)
    cells = {(-2, 2): 0.5, (2, 2): 0.25, (4, 4): 0.1875, (-4, 4): 0.0625}
    found = volatility(of_outcomes(cells))
    # E x = 0, E x^2 = 0.75 + 1, E w = 1.25: q = 0
    assert found.variance == pytest.approx(1.75)
    assert found.sd_initial == pytest.approx(math.sqrt(1.75))
    assert found.sd_total == pytest.approx(math.sqrt(1.75) / 1.25)
    assert not found.simulated
    assert found.index(90) == pytest.approx(1.645 * math.sqrt(1.75))
    assert found.index(95, "total") == pytest.approx(1.96 * math.sqrt(1.75) / 1.25)
    assert list(found.to_frame()["volatility_index_90"]) == [
        pytest.approx(found.index(90)),
        pytest.approx(found.index(90, "total")),
    ]


def test_the_wager_counts_where_the_return_is_far_from_one():
    # win 1 of 1, or lose 3 of 3, evenly: q = -1 / 2; net - q wager is 1.5 or -1.5
    found = volatility(of_outcomes({(2, 2): 0.5, (-6, 6): 0.5}))
    assert found.sd_initial == pytest.approx(2)
    assert found.sd_total == pytest.approx(1.5 / 2)


def test_published_standard_deviation():
    # "the standard deviation of one hand is about 1.15": S. Wong, Professional Blackjack; the
    # Wizard of Odds gives 1.14 to 1.16 for shoes where doubling after a split is allowed
    game = Game.from_rules(parse_rules("6D S17 DOA DAS SPL1 NRSA NHSA NS 3:2 PEEK"))
    found = volatility(exact_figures(game, read_chart("ordinary")))
    assert found.sd_initial == pytest.approx(1.15, abs=0.01)
    assert not found.simulated


def test_against_rounds_played(exact):
    tally = simulate(SIGNATURE, CHART, rounds=4_000_000, side_bets=())
    figures = main_figures(tally.outcomes, tally.unit)
    found = volatility(exact)
    assert abs(found.sd_initial - figures.sd.value) < 4 * figures.sd.standard_error
    # the ratio's standard error is that of one round over the root of their number
    assert found.sd_total / 2000 == pytest.approx(figures.rtp_total.standard_error, rel=0.003)


def test_without_a_distribution():
    for lacking in ({"variance": None}, {"outcomes": None}):
        with pytest.raises(InputError, match="with moments"):
            volatility(of_outcomes({(2, 2): 1.0}, **lacking))


class TestTolerances:
    def test_by_hand(self):
        rows = tolerance_table("main", "initial", 0.99, 1.1)
        assert [row.rounds for row in rows] == [10**k for k in range(3, 10)]
        assert rows[3].half_widths[95] == pytest.approx(1.96 * 1.1 / 1000)
        assert rows[3].range(90) == (
            pytest.approx(0.99 - 0.0018095),
            pytest.approx(0.99 + 0.0018095),
        )

    def test_of_a_game(self, exact):
        rows = tolerances(SIGNATURE, exact)
        assert len(rows) == 4 * 7
        table = tolerances_to_frame(rows).set_index(["wager", "base", "rounds"])
        assert table.loc[("main", "total", 10**9), "rtp"] == pytest.approx(0.99634899637)
        # Empire Pairs by its printed odds: 7, 8 and 16 out of 415 pay 30, 10 and 5
        mean = (7 * 31 + 8 * 11 + 16 * 6) / 415
        square = (7 * 31**2 + 8 * 11**2 + 16 * 6**2) / 415
        sd = math.sqrt(square - mean**2)
        row = table.loc[("empire-pairs", "stake", 10**6)]
        assert row["rtp"] == pytest.approx(mean)
        assert row["half_width_90"] == pytest.approx(1.645 * sd / 1000)
        assert row["high_95"] - row["low_95"] == pytest.approx(2 * 1.96 * sd / 1000)

    def test_runs_stay_inside_as_often_as_said(self, exact, monkeypatch):
        monkeypatch.setattr(run, "CHUNK_ROUNDS", 1000)
        found = tolerances(SIGNATURE, exact)
        rows = {row.base: row for row in found if row.rounds == 1000 and row.wager == "main"}
        plan = run.make_plan(SIGNATURE, CHART, rounds=10**6, seed=2, hands=1, side_bets=())
        returns = []

        def note(block):
            counts = plan.ordered(block.counts)
            tally = make_tally(plan.program, counts, 1, (), [0])
            returns.append(main_figures(tally.outcomes, tally.unit))

        run.run_blocks(plan, [range(chunk, chunk + 1) for chunk in range(300)], note)
        for base, row in rows.items():
            seen = [getattr(figures, f"rtp_{base}").value for figures in returns]
            for level in (90, 95):
                low, high = row.range(level)
                inside = sum(low < value < high for value in seen)
                assert abs(inside - 3 * level) < 4 * math.sqrt(3 * level * (1 - level / 100))


def variance_of(bet):
    """Return the variance of what a stake of one returns, from the chances of its outcomes."""
    counts = exact_counts(bet, Shoe.of_decks(SIGNATURE.rules.decks))
    returns = [(bet.pays[name] + 1, chance) for name, chance in counts.items()]
    mean = sum(back * chance for back, chance in returns)
    lost = 1 - sum(counts.values())
    return float(sum((back - mean) ** 2 * chance for back, chance in returns) + mean**2 * lost)


class TestWholeRound:
    def test_against_rounds_played(self, exact):
        from rtpsim.simulation.run import make_plan, record_rounds
        from rtpsim.volatility.covariances import returns_of

        pairs = wager_covariances(SIGNATURE, CHART, exact)
        found = whole_round(SIGNATURE, exact, pairs)
        # the variance of a sum is that of all its covariances
        between = {frozenset((pair.first, pair.second)): pair.covariance.value for pair in pairs}
        between[frozenset(["main"])] = exact.variance
        between |= {frozenset([bet.id]): variance_of(bet) for bet in SIGNATURE.side_bets}
        wagers = ["main", *(bet.id for bet in SIGNATURE.side_bets)]
        added = sum(between[frozenset((one, other))] for one in wagers for other in wagers)
        assert found.variance == pytest.approx(added, rel=1e-12)
        assert found.sd == pytest.approx(math.sqrt(added), rel=1e-12)
        assert found.exact
        assert found.standard_error == 0
        assert found.main_with_insurance is None
        assert found.net == pytest.approx(-0.00411738707 - (1 - 9241 / 9545) - (1 - 401 / 415))
        assert found.wager == pytest.approx(2 + 1.12774116007)
        plan = make_plan(SIGNATURE, CHART, rounds=2**18, seed=4, hands=1, side_bets=())
        record, _ = record_rounds(plan)
        final, context = record.results.T
        nets = plan.program.settlement[context, final, 0] / 2
        up, _, first, second = record.dealt.T
        poker, pairs = map(SIGNATURE.side_bet, ("empire-poker", "empire-pairs"))
        whole = nets + returns_of(poker)[first, second, up] - 1 + returns_of(pairs)[first, second]
        whole = whole - 1
        error = math.sqrt(((whole - whole.mean()) ** 2).var() / len(whole))
        assert abs(whole.var() - found.variance) < 4 * error
        # by themselves the variances would be some 6 less
        assert 4 * error < 6

    def test_insurance(self):
        game = Game.from_rules(parse_rules("6D S17 PEEK"))
        chart = read_chart("ordinary")
        insuring = type(chart)("insuring", {**chart.rows, "insurance": ("N",) * 9 + ("Y",)})
        exact = exact_figures(game, insuring)
        found = whole_round(game, exact, [])
        # half a bet on every ace but for naturals: loses 1 - 3 x 96/311 of it, or nearly
        net, wager = exact.insurance
        assert wager == pytest.approx(0.5 / 13)
        assert net == pytest.approx(0.5 / 13 * (3 * 96 / 311 - 1))
        expected = 1 + (exact.main_net + net) / (exact.main_wager + wager)
        assert found.main_with_insurance == found.rtp == pytest.approx(expected)
        assert found.variance is None
