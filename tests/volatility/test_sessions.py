"""Sessions: against plain convolution, the binomial law, formulas of the trade and play itself."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom, norm

from rtpsim.errors import InputError
from rtpsim.exact.figures import ExactFigures, exact_figures
from rtpsim.games import load_game
from rtpsim.strategy import default_chart
from rtpsim.volatility.sessions import (
    NetLaw,
    net_law,
    risk_of_ruin,
    ruin_to_frame,
    session,
    sessions,
)

COIN = NetLaw(2, -2, np.array([0.6, 0.0, 0.0, 0.0, 0.4]))  # lose or win one wager


@pytest.fixture(scope="module")
def law():
    game = load_game("signature-surrender")
    return net_law(exact_figures(game, default_chart(game)))


class TestLaw:
    def test_is_the_exact_one(self, law):
        # exact figures of this game, made apart from this project: tests/reference
        assert law.mean == pytest.approx(-0.004117387070, abs=1e-12)
        assert not law.fitted
        assert law.unit == 2
        assert law.chances.sum() == pytest.approx(1, abs=1e-15)
        assert (law.lowest, len(law.chances)) == (-8, 17)  # two hands, doubled

    def test_a_simulated_one_is_fitted(self):
        rows = [(-4, 0.06), (-2, 0.45), (0, 0.08), (2, 0.33), (3, 0.02), (4, 0.06)]
        document = {
            "strategy": "made up",
            "unit": "1/2",
            "main": {"net": -0.01, "wager": 1.1},
            "variance": 1.31,
            "outcomes": [{"net": net, "wager": 2, "probability": p} for net, p in rows],
            "simulated": {"rounds": 10},
        }
        found = net_law(ExactFigures(document, {}))
        assert found.fitted
        assert found.mean == pytest.approx(-0.01, abs=1e-12)
        assert found.variance == pytest.approx(1.31, abs=1e-12)
        # the tilt is the exponential of a parabola: third differences of the logarithm vanish
        kept = [(net / 2, math.log(found.chances[net + 4] / p)) for net, p in rows]
        tilt = np.polyfit(*zip(*kept, strict=True), 2)
        assert [np.polyval(tilt, x) for x, _ in kept] == pytest.approx([y for _, y in kept])

    def test_none_is_known(self):
        with pytest.raises(InputError, match="with moments"):
            net_law(ExactFigures({"strategy": "x", "outcomes": None}, {}))


class TestSession:
    @pytest.mark.parametrize("rounds", [1, 2, 10, 99])
    def test_a_coin_is_binomial(self, rounds):
        found = session(COIN, rounds)
        for won in range(rounds + 1):
            expected = binom.cdf(won, rounds, 0.4)
            assert found.not_above(2 * won - rounds) == pytest.approx(expected, abs=1e-13)
        ahead = 1 - binom.cdf(rounds // 2, rounds, 0.4)
        assert found.ahead == pytest.approx(ahead, abs=1e-13)
        assert found.ahead + found.even + found.behind == pytest.approx(1, abs=1e-14)
        for p, net in found.quantiles.items():
            assert net == 2 * binom.ppf(p, rounds, 0.4) - rounds

    @pytest.mark.parametrize("rounds", [2, 100, 1000])
    def test_against_adding_rounds_one_by_one(self, law, rounds):
        slow = law.chances
        for _ in range(rounds - 1):
            slow = np.convolve(slow, law.chances)
        nets = (rounds * law.lowest + np.arange(len(slow))) / 2
        found = session(law, rounds)
        assert found.error < 1e-12
        place = np.searchsorted(nets, found.nets[0])
        inside = slow[place : place + len(found.chances)]
        assert inside.sum() == pytest.approx(1, abs=1e-13)
        assert np.abs(inside - found.chances).max() < 1e-14
        assert found.ahead == pytest.approx(slow[nets > 0].sum(), abs=1e-12)

    @pytest.mark.parametrize("rounds", [100, 1_000, 10_000, 1_000_000])
    def test_mean_and_sd_are_kept_and_nothing_is_negative(self, law, rounds):
        found = session(law, rounds)
        assert found.chances.min() >= 0
        assert found.chances.sum() == pytest.approx(1, abs=1e-14)
        mean = found.nets @ found.chances
        sd = math.sqrt((found.nets - mean) ** 2 @ found.chances)
        assert mean == pytest.approx(rounds * law.mean, rel=1e-9)
        assert found.mean == pytest.approx(rounds * law.mean, rel=1e-14)
        assert sd == pytest.approx(found.sd, rel=1e-9)

    def test_long_sessions_are_nearly_normal(self, law):
        found = session(law, 10_000)
        for p, net in found.quantiles.items():
            assert abs(net - (found.mean + norm.ppf(p) * found.sd)) < 1
        assert found.ahead == pytest.approx(norm.sf((0.25 - found.mean) / found.sd), abs=1e-3)

    def test_points_for_a_figure(self, law):
        found = session(law, 1000)
        nets, sums = found.points(50)
        assert len(nets) <= 50
        assert nets == sorted(nets)
        assert sums[0] < 1e-5
        assert sums[-1] > 1 - 1e-5
        for net, below in zip(nets, sums, strict=True):
            assert below == pytest.approx(found.not_above(net), abs=1e-12)
        few, sums = session(COIN, 1).points()
        assert few == [-1.0, -0.5, 0.0, 0.5, 1.0]
        assert sums == pytest.approx([0.6] * 4 + [1.0])

    def test_tables(self, law):
        found = sessions(law)
        assert [one.rounds for one in found] == [100, 1_000, 10_000]
        document = found[0].to_dict()
        assert [row["probability"] for row in document["quantiles"]] == [
            0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99,
        ]  # fmt: skip
        frame = found[0].to_frame()
        assert frame["not_above"].iloc[-1] == pytest.approx(1)

    @pytest.mark.parametrize("rounds", [0, -3, 10**7])
    def test_lengths_not_allowed(self, law, rounds):
        with pytest.raises(InputError, match="allowed are 1 to 1000000"):
            session(law, rounds)


def slow_ruin(nets, bankroll, rounds):
    """Follow every bankroll forwards, in fractions; ruined is who has less than 1 left."""
    left, ruined = {Fraction(bankroll): Fraction(1)}, Fraction(0)
    for _ in range(rounds):
        after = {}
        for money, chance in left.items():
            for net, p in nets.items():
                if money + net < 1:
                    ruined += chance * p
                else:
                    after[money + net] = after.get(money + net, 0) + chance * p
        left = after
    return ruined


class TestRuin:
    def test_against_following_every_bankroll_in_fractions(self):
        nets = {
            Fraction(-2): Fraction(1, 10),
            Fraction(-1): Fraction(4, 10),
            Fraction(-1, 2): Fraction(1, 20),
            Fraction(3, 2): Fraction(1, 4),
            Fraction(2): Fraction(1, 5),
        }
        chances = np.zeros(9)
        for net, p in nets.items():
            chances[int(2 * net) + 4] = p
        found = risk_of_ruin(NetLaw(2, -4, chances), bankrolls=(1, 2, 5), rounds=(1, 3, 12))
        assert [(one.bankroll, one.rounds) for one in found] == [
            (b, n) for b in (1, 2, 5) for n in (1, 3, 12)
        ]
        for one in found:
            expected = slow_ruin(nets, one.bankroll, one.rounds)
            assert one.probability == pytest.approx(float(expected), abs=1e-14)

    def test_a_coin_played_for_ever(self):
        # a gambler who wins 1 with p = 0.55 is ever ruined with (q / p)^b (W. Feller, An
        # Introduction to Probability Theory I, XIV.2); here ruin is less than 1, so b is the
        # bankroll itself
        law = NetLaw(1, -1, np.array([0.45, 0.0, 0.55]))
        for one in risk_of_ruin(law, bankrolls=(1, 3, 10), rounds=(5_000,)):
            assert one.probability == pytest.approx((0.45 / 0.55) ** one.bankroll, rel=1e-9)

    def test_a_house_edge_ruins_in_the_end(self):
        law = NetLaw(1, -1, np.array([0.55, 0.0, 0.45]))
        (one,) = risk_of_ruin(law, bankrolls=(3,), rounds=(5_000,))
        assert one.probability == pytest.approx(1, abs=1e-9)

    def test_near_the_formula_of_brownian_motion(self, law):
        # first passage of Brownian motion with drift (D. Cox and H. Miller, The Theory of
        # Stochastic Processes, 5.7); rounds overshoot, hence near only
        mean, sd = law.mean, math.sqrt(law.variance)
        for one in risk_of_ruin(law, bankrolls=(50, 100), rounds=(1_000, 10_000)):
            b, n = one.bankroll - 0.5, one.rounds
            expected = norm.cdf((-b - mean * n) / (sd * math.sqrt(n))) + math.exp(
                -2 * mean * b / sd**2
            ) * norm.cdf((-b + mean * n) / (sd * math.sqrt(n)))
            assert one.probability == pytest.approx(expected, rel=0.05)

    def test_against_playing(self, law):
        rng = np.random.default_rng(8)
        money = np.full(20_000, 20.0)
        alive = np.ones(20_000, dtype=bool)
        for _ in range(500):
            net = rng.choice(law.nets, p=law.chances, size=len(money))
            money[alive] += net[alive]
            alive &= money >= 1
        (one,) = risk_of_ruin(law, bankrolls=(20,), rounds=(500,))
        error = math.sqrt(one.probability * (1 - one.probability) / 20_000)
        assert abs((1 - alive.mean()) - one.probability) < 4 * error

    def test_what_is_not_allowed(self, law):
        with pytest.raises(InputError, match="bankroll 0"):
            risk_of_ruin(law, bankrolls=(5, 0), rounds=(10,))
        with pytest.raises(InputError, match="rounds 0"):
            risk_of_ruin(law, bankrolls=(5,), rounds=(0,))

    def test_table(self, law):
        frame = ruin_to_frame(risk_of_ruin(law, bankrolls=(10, 20), rounds=(100, 200)))
        assert list(frame.columns) == ["bankroll", "rounds", "probability"]
        # longer play is riskier, a larger bankroll safer
        assert frame["probability"].tolist()[1] > frame["probability"].tolist()[0]
        assert frame["probability"].tolist()[0] > frame["probability"].tolist()[2]
