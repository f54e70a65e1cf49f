"""Time the exact engine, warm, CPU seconds of one thread: the least of several repetitions.

python benchmarks/exact.py [REPETITIONS]
"""

from __future__ import annotations

import resource
import sys
import time
from typing import TYPE_CHECKING

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
    "optimal-cd, 8 decks, overall EV": lambda: best(EIGHT_DECKS),
    "the same with the distribution of results": lambda: best(EIGHT_DECKS, spread=True),
    "evaluating a chart, 8 decks": chart,
    "optimal-td, 8 decks": lambda: solve(EIGHT_DECKS),
    "optimal-td, Power Blackjack": lambda: solve(load_game("power-blackjack")),
    "optimal-cd with resplits to four, overall EV": lambda: best(RESPLITS),
}


def main() -> None:
    """Print a line a task, and the most memory that was held."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    for name, task in TASKS.items():
        task()  # compiled and warm
        times = []
        for _ in range(repetitions):
            begun = time.process_time()
            task()
            times.append(time.process_time() - begun)
        print(f"{min(times):7.3f} s  {name}", flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{peak:7.0f} MiB at the most")


if __name__ == "__main__":
    main()
