"""Exact results against ten million simulated rounds of the kernel."""

import pytest
from scipy import stats

from rtpsim.exact import exact
from rtpsim.games import load_game
from rtpsim.simulation import simulate
from rtpsim.strategy import default_chart

ROUNDS = 10_000_000
SEEDS = {"signature-surrender": 3, "blackjack-surrender": 4, "classic-blackjack": 5}
"""Games in which no hand of a split is split again, so that all labels have exact chances."""


def pooled(observed, chances, rounds):
    """Return observed and expected counts; cells where fewer than 5 are expected are one."""
    cells, rest = [], [0, 0.0]
    for key, chance in chances.items():
        if rounds * chance >= 5:
            cells.append((observed.get(key, 0), rounds * chance))
        else:
            rest = [rest[0] + observed.get(key, 0), rest[1] + rounds * chance]
    if rest[1] > 0:
        cells.append(tuple(rest))
    return cells


def p_value(observed, chances, rounds):
    cells = pooled(observed, chances, rounds)
    statistic = sum((count - expected) ** 2 / expected for count, expected in cells)
    return float(stats.chi2.sf(statistic, len(cells) - 1)), len(cells)


@pytest.fixture(scope="module", params=SEEDS)
def run(request):
    game = load_game(request.param)
    found = exact(game, "default")
    tally = simulate(game, default_chart(game), rounds=ROUNDS, seed=SEEDS[request.param])
    return found, tally


def test_labels_are_as_frequent_as_exact(run):
    found, tally = run
    assert set(tally.labels) <= set(found.moments.labels)
    p, cells = p_value(tally.labels, found.moments.labels, ROUNDS)
    assert cells > 200
    assert p > 1e-3


def test_outcomes_are_as_frequent_as_exact(run):
    found, tally = run
    assert set(tally.outcomes) <= set(found.moments.outcomes)
    assert p_value(tally.outcomes, found.moments.outcomes, ROUNDS)[0] > 1e-3


def test_mean_and_variance_are_near_the_exact_ones(run):
    found, tally = run
    nets = {}
    for (net, _), count in tally.outcomes.items():
        nets[net / tally.unit] = nets.get(net / tally.unit, 0) + count
    mean = sum(net * count for net, count in nets.items()) / ROUNDS
    variance = sum((net - mean) ** 2 * count for net, count in nets.items()) / ROUNDS
    assert abs(mean - found.ev) < 3.3 * (found.variance / ROUNDS) ** 0.5
    error = ((found.moments.fourth - found.variance**2) / ROUNDS) ** 0.5
    assert abs(variance - found.variance) < 3.3 * error


def test_a_label_a_tenth_too_rare_is_noticed(run):
    found, tally = run
    label = max(tally.labels, key=tally.labels.get)
    wrong = dict(tally.labels)
    moved = wrong[label] // 10
    wrong[label] -= moved
    other = sorted(wrong, key=wrong.get)[-2]
    wrong[other] += moved
    assert p_value(wrong, found.moments.labels, ROUNDS)[0] < 1e-6
