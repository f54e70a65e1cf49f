"""Time the exact engine, warm, in CPU seconds of one thread.

    pytest benchmarks/exact.py [--benchmark-json FILE] [--benchmark-compare ...]

The options are those of pytest-benchmark; ``make test`` does not come here.
"""

from __future__ import annotations

import resource
import time
from typing import TYPE_CHECKING

import pytest

from rtpsim.cards import Shoe
from rtpsim.exact.distribution import distribution
from rtpsim.exact.evaluate import evaluation
from rtpsim.exact.policies import ChartPolicy, OptimalPolicy
from rtpsim.exact.solver import solve
from rtpsim.games import load_game
from rtpsim.rulestring import parse_rules
from rtpsim.strategy import read_chart

if TYPE_CHECKING:
    from collections.abc import Callable

    from rtpsim.rules import Rules

EIGHT_DECKS = parse_rules("8D LS")
RESPLITS = parse_rules("6D SPL3 LS")


def best(rules: Rules, *, spread: bool = False) -> None:
    """Find the best play by composition, and the distribution of its results."""
    found = evaluation(rules, OptimalPolicy(), Shoe.of_decks(rules.decks))
    if spread:
        distribution(found)


def chart() -> None:
    """Evaluate a chart, its letters read anew."""
    policy = ChartPolicy(read_chart("ordinary"), EIGHT_DECKS)
    evaluation(EIGHT_DECKS, policy, Shoe.of_decks(EIGHT_DECKS.decks))


TASKS: dict[str, Callable[[], object]] = {
    "optimal-cd, 8 decks": lambda: best(EIGHT_DECKS),
    "optimal-cd, 8 decks, distribution": lambda: best(EIGHT_DECKS, spread=True),
    "a chart, 8 decks": chart,
    "optimal-td, 8 decks": lambda: solve(EIGHT_DECKS),
    "optimal-td, power-blackjack": lambda: solve(load_game("power-blackjack")),
    "optimal-cd, resplits to four": lambda: best(RESPLITS),
}


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_exact(task, benchmark) -> None:
    """Time a task; the most memory that the process has held goes with it."""
    benchmark.pedantic(task, rounds=7, warmup_rounds=1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    benchmark.extra_info["peak_MiB"] = peak // 1024
