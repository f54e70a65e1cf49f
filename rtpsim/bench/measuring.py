"""Measuring: cases are played by turns, and what each took is put into a `Bench`."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rtpsim.bench.machine import Machine
from rtpsim.bench.result import Bench, Case, Phases, Speed, Start, Threads
from rtpsim.bench.timing import cycle_ns, take_turns
from rtpsim.cards import Shoe
from rtpsim.errors import RtpsimError
from rtpsim.exact.compositions import composition_strategy
from rtpsim.games import game_names, load_game
from rtpsim.simulation import STREAM_VERSION, available_cores, plain
from rtpsim.simulation.buffers import make_queue, make_slots
from rtpsim.simulation.clock import START, Phase, new_clock
from rtpsim.simulation.run import make_plan, play_chunk, run_plan
from rtpsim.simulation.streams import CHUNK_ROUNDS
from rtpsim.strategy import default_chart

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from rtpsim.simulation.run import Plan

DEFAULT_GAMES = (*game_names(), "6D SPL3 LS")
"""What is measured where nobody says."""

DEFAULT_ROUNDS = 3 * 10**7

TURNS = 9
HANDS = 3
"""How many hands a round are measured beside one."""
SEED = 1
_PHASE_CHUNKS = 24
_PLAIN_SHARE = 8
"""The plain kernel plays one of so many rounds."""


def cases_of(game: str) -> list[Case]:
    """Return what is measured of a game: itself, with side bets, several hands, by composition."""
    loaded = load_game(game)
    cases = [Case(game)]
    if loaded.side_bets:
        cases.append(Case(game, side_bets=True))
    if loaded.max_hands >= HANDS:
        cases.append(Case(game, hands=HANDS))
    if not loaded.rules.insurance_peek:
        cases.append(Case(game, by_composition=True))
    return cases


def measure(
    games: Sequence[str] = DEFAULT_GAMES,
    rounds: int = DEFAULT_ROUNDS,
    *,
    starts: bool = True,
    progress: Callable[[int], None] | None = None,
) -> Bench:
    """Measure how fast rounds are played.

    Parameters
    ----------
    games
        Names of the catalogue, game files or rule strings.
    rounds
        Rounds of each case, all turns together; rounded up to whole chunks.
    starts
        Whether to measure the start of a process too: one compiles all anew.
    progress
        Called with the rounds played so far, `rounds_in_all` at the end.

    Raises
    ------
    InputError
        If there is no such game.
    """
    games = tuple(dict.fromkeys(games))
    chunks = _chunks(rounds)
    benches = [_Player(case, chunks) for game in games for case in cases_of(game)]
    rivals = {
        bench.case.game: _PlainPlayer(bench.plan, _plain_chunks(chunks))
        for bench in benches
        if bench.case == Case(bench.case.game)
    }
    tasks: dict[Case | str, Callable[[int], int]] = {
        **{bench.case: bench.play for bench in benches},
        **{game: rival.play for game, rival in rivals.items()},
    }
    times = take_turns(_watched(tasks, progress), TURNS)
    for bench in benches:
        bench.check()
    starting = _starts() if starts else (None, None)
    return Bench(
        machine=Machine.here(),
        stream=STREAM_VERSION,
        turns=TURNS,
        cycle_ns=cycle_ns(),
        speeds=tuple(
            _speed(bench, times[bench.case], rivals[bench.case.game], times[bench.case.game])
            for bench in benches
        ),
        phases=tuple(
            _phases(Case(game, side_bets=bool(load_game(game).side_bets))) for game in games
        ),
        threads=_threads(Case(games[0]), chunks) if available_cores() > 1 else None,
        first_start=starting[0],
        later_start=starting[1],
    )


def rounds_in_all(games: Sequence[str], rounds: int) -> int:
    """Return how many rounds `measure` plays by turns, those of the plain kernel among them."""
    chunks, games = _chunks(rounds), tuple(dict.fromkeys(games))
    cases = sum(len(cases_of(game)) for game in games)
    return TURNS * CHUNK_ROUNDS * (chunks * cases + _plain_chunks(chunks) * len(games))


def _chunks(rounds: int) -> int:
    """Return the chunks of a turn."""
    return -(-rounds // (TURNS * CHUNK_ROUNDS))


def _plain_chunks(chunks: int) -> int:
    """Return the same of the plain kernel."""
    return max(1, chunks // _PLAIN_SHARE)


def _watched(
    tasks: dict[Case | str, Callable[[int], int]], progress: Callable[[int], None] | None
) -> dict[Case | str, Callable[[int], object]]:
    """Return tasks that tell of the rounds they have played; each is played once before."""
    for task in tasks.values():
        task(0)  # compiled, and warm
    played = 0

    def play(name: Case | str, turn: int) -> None:
        nonlocal played
        played += tasks[name](turn)
        if progress is not None:
            progress(played)

    return {name: partial(play, name) for name in tasks}


def make_case(case: Case, chunks: int) -> Plan:
    """Return the plan of so many chunks of a case."""
    game = load_game(case.game)
    return make_plan(
        game,
        composition_strategy(game, "CDZ-") if case.by_composition else default_chart(game),
        rounds=chunks * CHUNK_ROUNDS,
        seed=SEED,
        hands=case.hands,
        side_bets=None if case.side_bets else (),
    )


class _Player:
    """Plays a case: some chunks a turn."""

    def __init__(self, case: Case, chunks: int) -> None:
        self.case = case
        self.chunks = chunks
        self.plan = make_case(case, TURNS * chunks)
        self.queue, self.slots = make_queue(case.hands), make_slots(case.hands)
        self.counts = self.plan.new_counts()
        self.rounds = 0

    def play(self, turn: int) -> int:
        """Play the chunks of a turn; return how many rounds they have."""
        for chunk in range(turn * self.chunks, (turn + 1) * self.chunks):
            play_chunk(self.plan, CHUNK_ROUNDS, chunk, self.queue, self.slots, self.counts, None)
        rounds = self.chunks * CHUNK_ROUNDS
        self.rounds += rounds
        return rounds

    def check(self) -> None:
        """Make sure that every round has been counted: skipping some would be no speed."""
        counted = int(self.counts.labels.sum())
        if counted != self.rounds:
            raise RtpsimError(f"{self.case}: {counted} of {self.rounds} rounds were counted")


class _PlainPlayer:
    """Plays the main game of a case by the plain kernel."""

    def __init__(self, plan: Plan, chunks: int) -> None:
        self.rounds = chunks * CHUNK_ROUNDS
        self.tables = plain.plain_tables(plan.program)
        self.shoe = plain.plain_shoe(plan.program, Shoe.of_decks(plan.program.rules.decks))
        self.random = plain.plain_random(SEED)
        self.labels = plain.plain_labels(plan.program)

    def play(self, turn: int) -> int:
        """Play the rounds of a turn, which goes on where the last one ended; return how many."""
        plain.play_rounds(self.rounds, self.tables, self.shoe, self.random, self.labels)
        return self.rounds


def _speed(
    bench: _Player, times: list[float], rival: _PlainPlayer, rival_times: list[float]
) -> Speed:
    """Return what the turns of a case say."""
    case, each = bench.case, bench.chunks * CHUNK_ROUNDS / 1e9
    comparable = case == Case(case.game)
    tables = [table for table in bench.plan.tables if isinstance(table, np.ndarray)]
    return Speed(
        case=case,
        rounds=TURNS * bench.chunks * CHUNK_ROUNDS,
        ns=min(times) / each,
        ns_median=statistics.median(times) / each,
        plain_ns=min(rival_times) / rival.rounds * 1e9 if comparable else None,
        states=bench.plan.program.first_event,
        table_kib=sum(table.nbytes for table in tables) / 1024,
    )


def _phases(case: Case) -> Phases:
    """Play a case with a clock in the kernel, and return the least that each phase took."""
    plan = make_case(case, _PHASE_CHUNKS)
    clock = new_clock()
    queue, slots, counts = make_queue(case.hands, clock), make_slots(case.hands), plan.new_counts()
    ticks: list[NDArray[np.int64]] = []
    tick_ns: list[float] = []
    play_chunk(plan, CHUNK_ROUNDS, 0, queue, slots, counts, None)  # compiled, and warm
    for chunk in range(_PHASE_CHUNKS):
        clock[:] = 0
        began = time.perf_counter()
        play_chunk(plan, CHUNK_ROUNDS, chunk, queue, slots, counts, None)
        wall = time.perf_counter() - began
        ticks.append(clock[START + 1 :].copy())
        tick_ns.append(wall * 1e9 / max(1, int(ticks[-1].sum())))
    least = np.min(ticks, axis=0) * statistics.median(tick_ns) / CHUNK_ROUNDS
    return Phases(case, {phase.name.lower(): float(least[phase - 1]) for phase in Phase})


def _threads(case: Case, chunks: int) -> Threads:
    """Play a case by one thread and by two, by turns."""
    plan = make_case(case, 2 * chunks)
    times = take_turns(
        {1: lambda _: run_plan(plan, workers=1), 2: lambda _: run_plan(plan, workers=2)},
        TURNS,
        time.perf_counter,
    )
    return Threads(case, *(plan.rounds / min(times[workers]) for workers in (1, 2)))


_START = """
import time
began = time.perf_counter()
from rtpsim.games import load_game
from rtpsim.simulation import simulate
from rtpsim.strategy import default_chart
game = load_game("signature-surrender")
simulate(game, default_chart(game), rounds=1000, workers=1)
print(time.perf_counter() - began, time.process_time())
"""


def _starts() -> tuple[Start, Start]:
    """Return what a process takes that has to compile, and what a later one, the least of three."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        environment.pop("NUMBA_CACHE_DIR", None)
        found = []
        for _ in range(4):
            done = subprocess.run(
                [sys.executable, "-c", _START],
                env=environment,
                check=True,
                capture_output=True,
                text=True,
            )
            found.append(Start(*map(float, done.stdout.split())))
    return found[0], min(found[1:], key=lambda start: start.cpu_s)
