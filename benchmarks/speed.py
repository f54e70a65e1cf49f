"""Times the simulation: whole runs, and each loop of the kernel by itself.

Run it as ``python benchmarks/speed.py``; ``--phases`` adds the loops, ``--start`` the start-up. All
times are CPU time of one thread, the smallest of several repetitions that take turns, so that a
busy moment of the machine spoils one repetition of everything and not everything of one thing. They
are given beside the time of one addition that waits for the one before: about one cycle.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from functools import partial

import numba
import numpy as np

from rtpsim.games import Game, load_game
from rtpsim.rulestring import parse_rules
from rtpsim.simulation import count, deal, play, streams
from rtpsim.simulation.buffers import make_queue
from rtpsim.simulation.run import Plan, make_plan, run_plan
from rtpsim.simulation.streams import CHUNK_ROUNDS, stream_of
from rtpsim.simulation.tables import BLOCK
from rtpsim.strategy import default_chart, read_chart

REPETITIONS = 9


@dataclass(frozen=True)
class Run:
    """A whole run to be timed."""

    game: str
    hands: int = 1
    bets: bool = False

    def plan(self, chunks: int) -> Plan:
        """Return the plan of so many chunks."""
        if " " in self.game:
            game, chart = Game.from_rules(parse_rules(self.game)), read_chart("ordinary")
        else:
            game = load_game(self.game)
            chart = default_chart(game)
        bets = None if self.bets else ()
        rounds = chunks * CHUNK_ROUNDS
        return make_plan(game, chart, rounds=rounds, seed=1, hands=self.hands, side_bets=bets)


RUNS = (
    Run("signature-surrender"),
    Run("signature-surrender", bets=True),
    Run("signature-surrender", hands=3),
    Run("blackjack-surrender"),
    Run("blackjack-surrender", bets=True),
    Run("classic-blackjack"),
    Run("power-blackjack"),
    Run("6D SPL3 LS"),
)


@numba.njit
def _add(times: int, step: int) -> int:
    """Add and double by turns; compilers find no shortcut, and each step waits for the last."""
    total = step
    for _ in range(times):
        total = (total + step) ^ (total << 1)
    return total


def cycle() -> float:
    """Return the time of one step that waits for the one before, in ns: about a cycle."""
    _add(1, 1)
    began = time.process_time()
    _add(20_000_000, 3)
    return (time.process_time() - began) / 20_000_000 / 2 * 1e9


def smallest(tasks: dict, repetitions: int = REPETITIONS) -> dict:
    """Run tasks by turns; return the smallest CPU time of each in ns, and the smallest cycle."""
    best = dict.fromkeys([*tasks, "cycle"], float("inf"))
    for task in tasks.values():
        task()
    for _ in range(repetitions):
        best["cycle"] = min(best["cycle"], cycle())
        for name, task in tasks.items():
            began = time.process_time()
            task()
            best[name] = min(best[name], (time.process_time() - began) * 1e9)
    return best


def time_runs(chunks: int) -> None:
    """Print what a round costs in each run."""
    plans = {run: run.plan(chunks) for run in RUNS}
    for plan in plans.values():  # compiled, and warm
        run_plan(replace(plan, rounds=1000), workers=1)
    best = smallest(
        {run: lambda plan=plan: run_plan(plan, workers=1) for run, plan in plans.items()}
    )
    print(f"one cycle: {best['cycle']:.3f} ns\n")
    print(f"{'run':42} {'ns/round':>9} {'cycles':>7} {'M rounds/s':>11} {'tables KiB':>11}")
    for run, plan in plans.items():
        name = f"{run.game}, {run.hands} hand(s){', side bets' if run.bets else ''}"
        ns = best[run] / plan.rounds
        size = sum(table.nbytes for table in plan.tables if isinstance(table, np.ndarray)) / 1024
        print(f"{name:42} {ns:9.2f} {ns / best['cycle']:7.1f} {1e3 / ns:11.1f} {size:11.0f}")


def _alone(function) -> object:
    """Compile a loop so that Python can call it."""
    return numba.njit(error_model="numpy", nogil=True)(function.py_func)


class Block:
    """A block of one hand a round, just dealt and stepped once: every loop can be run on it again.

    The methods take the number of lanes to run over.
    """

    def __init__(self, plan: Plan) -> None:
        self.tables, self.bets = plan.tables, plan.bet_tables
        self.queue, self.counts = make_queue(1), plan.new_counts()
        self.stream = stream_of(plan.seed, plan.game_hash, 0)
        self.size = np.uint16(self.tables.shoe_size)
        self._fill, self._draw = _alone(streams.fill_words), _alone(deal.draw_positions)
        self._accept, self._seat = _alone(deal.accept_deals), _alone(deal.seat_one_hand)
        self._step, self._follow = _alone(play.step), _alone(play.follow_one_hand)
        self._label = _alone(count.count_labels)
        self._look_up, self._keys = _alone(count.look_up_outcomes), _alone(count.count_keys)
        self.words(BLOCK)
        for card in range(4):
            self.draw(BLOCK, card)
        self.accept(BLOCK)
        self.seated = self.seat(BLOCK)
        self.rounds = self.queue.rounds.copy()
        self.proposed = self.queue.positions.copy()
        self._draw(self.seated, 0, self.queue.draws, self.size, self.proposed, 0)
        self.kept, self.happened, self.done = self.step(self.seated)
        _, self.over = self.follow(self.happened)

    def words(self, lanes: int) -> None:
        """Make the random words of a deal."""
        self._fill(self.queue.words, lanes // 2, 0, self.stream.key, self.stream.counter)

    def draw(self, lanes: int, card: int = 0) -> None:
        """Draw the positions of one card."""
        queue = self.queue
        self._draw(lanes, card * BLOCK, queue.draws, self.size, queue.positions, 1 + card)

    def accept(self, lanes: int) -> None:
        """Accept deals of distinct cards."""
        self._accept(lanes, 4, self.size, self.queue.positions)

    def seat(self, lanes: int) -> int:
        """Put deals in play."""
        t, q = self.tables, self.queue
        initial = self.counts.initial
        return self._seat(lanes, 0, q.positions, t.places, t.counters, t.starts, q.rounds, initial)

    def step(self, lanes: int) -> tuple[int, int, int]:
        """Give every round a card, and part them."""
        t, q = self.tables, self.queue
        q.rounds[:] = self.rounds
        first = np.uint64(t.first_event)
        return self._step(lanes, first, self.proposed, t.cards, t.steps, q.rounds, q.events, q.over)

    def follow(self, lanes: int) -> tuple[int, int]:
        """Follow events."""
        t, q = self.tables, self.queue
        numbers = (np.uint64(number) for number in (t.first_event, t.events, t.finished))
        return self._follow(
            lanes, self.kept, self.done, *numbers, t.join, t.onward, q.events, q.rounds, q.over
        )

    def label(self, lanes: int) -> None:
        """Count the labels of finished rounds."""
        self._label(lanes, self.queue.over, self.counts.labels)

    def look_up(self, lanes: int, bet: int) -> None:
        """Look up the outcomes of a side bet."""
        b, q = self.bets, self.queue
        q.keys.fill(0)
        first, weights = np.uint64(b.first_outcome[bet]), b.weights[bet]
        rows, scales, numbers = b.rows[bet, 0], b.scales[bet], self.tables.numbers
        self._look_up(lanes, rows, scales, numbers, b.outcomes, first, weights, q.positions, q.keys)

    def keys(self, lanes: int, bet: int) -> None:
        """Count the outcomes of a side bet."""
        cells, queue = self.bets.cells, self.queue
        self._keys(lanes, bet, cells, queue.positions, queue.keys, self.counts.bets)


def time_phases(run: Run) -> None:
    """Print what each loop costs for one round in its array.

    Each is timed over its block and over nothing: the difference is the loop without the call.
    """
    block = Block(run.plan(1))
    tasks = {
        "words of a deal": (block.words, BLOCK),
        "positions of one card": (block.draw, BLOCK),
        "accept deals": (block.accept, BLOCK),
        "seat": (block.seat, BLOCK),
        "step": (block.step, block.seated),
        "follow, per event": (block.follow, block.happened),
        "count labels": (block.label, block.over),
    }
    for bet in range(block.bets.makers.size):
        tasks[f"side bet {bet}, outcomes"] = (partial(block.look_up, bet=bet), BLOCK)
        tasks[f"side bet {bet}, counts"] = (partial(block.keys, bet=bet), BLOCK)
    best = smallest(
        {
            (name, lanes): lambda task=task, lanes=lanes: [task(lanes) for _ in range(300)]
            for name, (task, most) in tasks.items()
            for lanes in (0, most)
        }
    )
    print(
        f"\nphases of {run.game}: {block.seated} dealt; then {block.happened} events, "
        f"{block.over} over"
    )
    for name, (_, most) in tasks.items():
        ns = (best[name, most] - best[name, 0]) / 300 / most
        print(f"{name:28} {ns:7.2f} ns {ns / best['cycle']:7.2f} cycles")


_START = """
import time
began, cpu = time.perf_counter(), time.process_time()
from rtpsim.games import load_game
from rtpsim.simulation import simulate
from rtpsim.strategy import default_chart
game = load_game("signature-surrender")
simulate(game, default_chart(game), rounds=1000, workers=1)
print(f"{time.perf_counter() - began:.2f} s ({time.process_time() - cpu:.2f} s of CPU time)")
"""


def time_start() -> None:
    """Print how long a process takes from nothing to the first 1000 rounds."""
    with tempfile.TemporaryDirectory() as cache:
        for what in ("first start, compiling", "later start", "later start"):
            environment = {**os.environ, "XDG_CACHE_HOME": cache}
            command = [sys.executable, "-c", _START]
            done = subprocess.run(
                command, env=environment, check=True, capture_output=True, text=True
            )
            print(f"{what:28} {done.stdout.strip()}")


def main() -> None:
    """Read the command line and time what it asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--chunks", type=int, default=16, help="chunks of 2**18 rounds a repetition"
    )
    parser.add_argument("--phases", action="store_true", help="time every loop by itself")
    parser.add_argument("--start", action="store_true", help="time the start of a process")
    options = parser.parse_args()
    time_runs(options.chunks)
    if options.phases:
        time_phases(Run("signature-surrender", bets=True))
    if options.start:
        print()
        time_start()


if __name__ == "__main__":
    main()
