"""The stopping rule: rounds by hand, and runs that keep what it promises."""

import math
from dataclasses import replace

import pytest

from rtpsim import simulation
from rtpsim.errors import InputError
from rtpsim.exact.figures import ExactFigures, exact_figures
from rtpsim.games import Game, load_game
from rtpsim.rulestring import parse_rules
from rtpsim.runs import stopping
from rtpsim.runs.stopping import choose_length
from rtpsim.simulation import simulate
from rtpsim.statistics import main_figures
from rtpsim.strategy import default_chart

GAME = load_game("signature-surrender")
CHART = default_chart(GAME)
CHUNK = 1 << 18
Z = 2.5758293035489004
"""99.5 % quantile of the standard normal distribution (Abramowitz and Stegun, table 26.5)."""


def figures(outcomes):
    """Return exact figures of a game whose rounds end in such ways: (net, wager) -> chance."""
    mean, wager = (sum(way[i] * p for way, p in outcomes.items()) for i in (0, 1))
    rows = [{"net": x, "wager": w, "probability": p} for (x, w), p in outcomes.items()]
    return ExactFigures(
        {
            "strategy": "made up",
            "unit": "1/1",
            "main": {"net": mean, "wager": wager},
            "variance": sum((x - mean) ** 2 * p for (x, _), p in outcomes.items()),
            "fourth_central_moment": sum((x - mean) ** 4 * p for (x, _), p in outcomes.items()),
            "outcomes": rows,
        },
        {},
    )


def length(outcomes, half_width, base="total"):
    published = [replace_base(one, base) for one in GAME.published]
    game = GAME.model_copy(update={"published": published})
    return choose_length(game, CHART, half_width, exact=figures(outcomes))


def replace_base(published, base):
    return published.model_copy(update={"base": base}) if published.wager == "main" else published


def test_even_odds_by_hand():
    # s = 1 and a kurtosis of 1: the observed variance is always the true one
    found = length({(1, 1): 0.5, (-1, 1): 0.5}, 0.0001)
    assert found.rounds == math.ceil((Z / 0.0001) ** 2 / CHUNK) * CHUNK == 2532 * CHUNK
    assert (found.base, found.sd, found.source) == ("total", 1.0, "exact variance")
    assert str(found) == (
        "half-width 0.01 points at 99 % on the total wagered: 663,748,608 rounds (exact variance)"
    )


def test_long_odds_take_a_reserve_by_hand():
    # variance 9, fourth moment 0.9 + 0.1 x 9^4 = 657, kurtosis 657 / 81
    needed = (Z * 3 / 0.0001) ** 2
    reserve = 1 + 3 * math.sqrt((657 / 81 - 1) / needed)
    found = length({(9, 1): 0.1, (-1, 1): 0.9}, 0.0001)
    assert found.rounds == math.ceil(needed * reserve / CHUNK) * CHUNK
    assert found.rounds > math.ceil(needed / CHUNK) * CHUNK


def test_the_base_is_that_of_the_published_figure():
    # net +2 or -2 on 2, +1 or -1 on 1: per unit wagered the spread is smaller
    outcomes = {(2, 2): 0.25, (-2, 2): 0.25, (1, 1): 0.25, (-1, 1): 0.25}
    total, initial = (length(outcomes, 0.001, base) for base in ("total", "initial"))
    assert initial.sd == pytest.approx(math.sqrt(2.5))
    assert total.sd == pytest.approx(math.sqrt(2.5) / 1.5)
    assert (total.base, initial.base) == ("total", "initial")
    assert "on the initial bet" in str(initial)


@pytest.mark.parametrize("hands", [1, 3])
def test_the_run_shows_no_wider_interval(hands):
    half_width = 0.0005
    exact = exact_figures(GAME, CHART) if hands == 1 else None
    found = choose_length(GAME, CHART, half_width, hands=hands, exact=exact)
    assert ("pilot" in found.source) == (hands > 1)
    tally = simulate(GAME, CHART, rounds=found.rounds, seed=3, hands=hands, side_bets=())
    shown = main_figures(tally.outcomes, tally.unit, hands).rtp_total.half_width(0.99)
    assert 0.99 * half_width < shown <= half_width


def test_a_pilot_finds_what_is_exact():
    exact = choose_length(GAME, CHART, 0.0001, exact=exact_figures(GAME, CHART))
    pilot = choose_length(GAME, CHART, 0.0001)
    # the spread's standard error: half of sqrt((k - 1) / 2^22), k about 3
    assert pilot.sd == pytest.approx(exact.sd, rel=4 * 0.5 * math.sqrt(2 / 2**22))
    assert pilot.source == "a pilot run of 4,194,304 rounds"


def test_a_pilot_has_a_seed_of_its_own(monkeypatch):
    seeds = []

    def noted(*_, seed, **how):
        seeds.append(seed)
        return simulate(*_, seed=seed, **{**how, "rounds": 10_000})

    monkeypatch.setattr(simulation, "simulate", noted)
    for seed in (1, stopping.PILOT_SEED):
        choose_length(GAME, CHART, 0.001, seed=seed)
        assert seeds[-1] != seed
    assert len(set(seeds)) == 2


def test_a_game_without_a_known_variance_takes_a_pilot():
    game = Game.from_rules(parse_rules("8D"))
    unknown = replace(figures({(1, 1): 0.5, (-1, 1): 0.5}))
    found = choose_length(
        game,
        default_chart(game),
        0.01,
        exact=ExactFigures({**unknown.document, "variance": None}, {}),
    )
    assert "pilot" in found.source


@pytest.mark.parametrize("half_width", [0.0, -1.0, math.nan, math.inf])
def test_half_widths_that_are_none(half_width):
    with pytest.raises(InputError, match="expected a number above 0"):
        choose_length(GAME, CHART, half_width)


def test_more_rounds_than_a_run_can_have():
    with pytest.raises(InputError, match=r"it takes 6\.6e\+18 rounds, and a run has 1125899906"):
        length({(1, 1): 0.5, (-1, 1): 0.5}, 1e-9)
