"""Run: a simulation as chunks on threads, the same integers however many there are."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rtpsim.cards import Shoe
from rtpsim.errors import InputError, RtpsimError, ShoeExhaustedError, suggestion
from rtpsim.program.compiler import Program, compile_program
from rtpsim.program.player import ChartPlayer
from rtpsim.simulation import kernel
from rtpsim.simulation.bets import Bets, make_bets
from rtpsim.simulation.buffers import (
    Counts,
    Record,
    make_counts,
    make_queue,
    make_record,
    make_slots,
    ordered,
)
from rtpsim.simulation.streams import CHUNK_ROUNDS, MAX_CHUNKS, stream_of
from rtpsim.simulation.tables import MAX_HANDS, Tables, make_tables
from rtpsim.simulation.tally import Tally, make_tally

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rtpsim.games import Game
    from rtpsim.sidebets import SideBet
    from rtpsim.strategy import Chart


@dataclass(frozen=True)
class Plan:
    """A simulation ready to run: tables, bets and the key of its streams."""

    program: Program
    tables: Tables
    bets: tuple[SideBet, ...]
    bet_tables: Bets
    offsets: list[int]
    game_hash: str
    seed: int
    hands: int
    rounds: int

    @property
    def chunks(self) -> int:
        """Number of chunks the rounds are cut into."""
        return -(-self.rounds // CHUNK_ROUNDS)

    def chunk_rounds(self, chunk: int) -> int:
        """Return the number of rounds in a chunk."""
        return min(CHUNK_ROUNDS, self.rounds - chunk * CHUNK_ROUNDS)

    def new_counts(self) -> Counts:
        """Return zeroed counts."""
        return make_counts(self.program, self.hands, self.offsets)


def make_plan(
    game: Game,
    chart: Chart,
    *,
    rounds: int,
    seed: int,
    hands: int,
    side_bets: Sequence[str] | None,
    shoe: Shoe | None = None,
) -> Plan:
    """Check what is asked and compile it.

    Raises
    ------
    InputError
        If the number of rounds, hands or workers, the seed or a side bet is not allowed.
    """
    if not 1 <= rounds <= MAX_CHUNKS * CHUNK_ROUNDS:
        raise InputError(f"rounds {rounds}: allowed are 1 to {MAX_CHUNKS * CHUNK_ROUNDS}")
    if not 1 <= hands <= min(game.max_hands, MAX_HANDS):
        most = min(game.max_hands, MAX_HANDS)
        raise InputError(f"hands {hands}: {game.id} allows 1 to {most} a round")
    shoe = shoe or Shoe.of_decks(game.rules.decks)
    if shoe.size < 2 + 2 * hands:
        raise ShoeExhaustedError(f"a shoe of {shoe.size} cards cannot deal {hands} hands")
    program = compile_program(
        game.rules,
        ChartPlayer(chart, game.rules),
        insurance=game.insurance,
        even_money=game.even_money,
    )
    bets = _chosen_bets(game, side_bets)
    bet_tables, offsets = make_bets(bets, hands)
    stream_of(seed, game.sha256, 0)  # refuses a bad seed before anything runs
    return Plan(
        program,
        make_tables(program, shoe, hands),
        bets,
        bet_tables,
        offsets,
        game.sha256,
        seed,
        hands,
        rounds,
    )


def _chosen_bets(game: Game, chosen: Sequence[str] | None) -> tuple[SideBet, ...]:
    if chosen is None:
        return tuple(game.side_bets)
    known = {bet.id: bet for bet in game.side_bets}
    for name in chosen:
        if name not in known:
            allowed = ", ".join(known) or "none"
            raise InputError(f"side bet '{name}': {game.id} has {allowed}{suggestion(name, known)}")
    return tuple(bet for bet in game.side_bets if bet.id in chosen)


def simulate(
    game: Game,
    chart: Chart,
    *,
    rounds: int,
    seed: int = 1,
    hands: int = 1,
    workers: int | None = None,
    side_bets: Sequence[str] | None = None,
    progress: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> Tally:
    """Play a number of rounds and count what happens.

    The result is a function of game, chart, seed, rounds, hands and
    `rtpsim.simulation.streams.STREAM_VERSION` alone.

    Parameters
    ----------
    game, chart
        What is played, and how.
    rounds
        Rounds to deal; every one is played to its end.
    seed
        0 to 2**64 - 1.
    hands
        Hands a round against one dealer.
    workers
        Threads; by default one a core.
    side_bets
        Ids of the side bets to count; all of the game's by default.
    progress
        Called with the number of rounds played so far, after each chunk, from any thread.
    stop
        Once set, no further chunk begins: the tally is that of the chunks before.

    Raises
    ------
    InputError
        If something asked is not allowed.
    ShoeExhaustedError
        If a round needs more cards than the shoe holds.
    """
    plan = make_plan(game, chart, rounds=rounds, seed=seed, hands=hands, side_bets=side_bets)
    counts = run_plan(plan, workers=workers, progress=progress, stop=stop)
    return make_tally(plan.program, counts, hands, plan.bets, plan.offsets)


def run_plan(
    plan: Plan,
    *,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> Counts:
    """Play a plan's chunks on threads and return the sum of their counts."""
    threads = _worker_count(workers, plan.chunks)
    shared = _Chunks(plan, stop or threading.Event(), progress)
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(_work, plan, shared) for _ in range(threads)]
        parts = [future.result() for future in futures]
    total = Counts(*(np.sum(arrays, axis=0) for arrays in zip(*parts, strict=True)))
    return ordered(total, plan.program, plan.offsets)


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _worker_count(workers: int | None, chunks: int) -> int:
    if workers is not None and workers < 1:
        raise InputError(f"workers {workers}: allowed is a whole number from 1 up")
    wanted = workers or available_cores()
    return max(1, min(wanted, chunks))


class _Chunks:
    """Hands out chunk numbers in order, so that what was played is always a prefix."""

    def __init__(
        self, plan: Plan, stop: threading.Event, progress: Callable[[int], None] | None
    ) -> None:
        self.plan = plan
        self.stop = stop
        self.progress = progress
        self._lock = threading.Lock()
        self._next = 0
        self._rounds = 0

    def take(self) -> int | None:
        """Return the next chunk to play, or None when there is none."""
        with self._lock:
            if self.stop.is_set() or self._next >= self.plan.chunks:
                return None
            self._next += 1
            return self._next - 1

    def done(self, rounds: int) -> None:
        """Note that so many rounds have been played."""
        with self._lock:
            self._rounds += rounds
            played = self._rounds
        if self.progress is not None:
            self.progress(played)


def _work(plan: Plan, shared: _Chunks) -> Counts:
    """Play chunks until there are no more; one thread's share."""
    counts = plan.new_counts()
    queue = make_queue(plan.hands)
    slots = make_slots(plan.hands)
    try:
        while (chunk := shared.take()) is not None:
            rounds = plan.chunk_rounds(chunk)
            stream = stream_of(plan.seed, plan.game_hash, chunk)
            outcome = kernel.play_chunk(
                rounds, plan.hands, plan.tables, plan.bet_tables, stream, queue, slots, counts, None
            )
            _check(outcome)
            shared.done(rounds)
    except BaseException:
        shared.stop.set()  # the other threads need not go on
        raise
    return counts


def _check(outcome: int) -> None:
    if outcome == kernel.EXHAUSTED:
        raise ShoeExhaustedError("a round needed more cards than the shoe holds")
    if outcome == kernel.OVERFLOW:
        raise RtpsimError("a round used more cards of one rank than the kernel can count")


def record_rounds(plan: Plan) -> tuple[Record, Counts]:
    """Play a plan of one chunk and keep every round's cards, for the comparison with the referee.

    Raises
    ------
    InputError
        If the plan has more than one chunk.
    RtpsimError
        If a round drew more cards than a record has room for.
    """
    if plan.chunks != 1:
        raise InputError(f"rounds {plan.rounds}: a record holds up to {CHUNK_ROUNDS}")
    record = make_record(plan.rounds, plan.hands)
    counts = plan.new_counts()
    outcome = kernel.play_chunk(
        plan.rounds,
        plan.hands,
        plan.tables,
        plan.bet_tables,
        stream_of(plan.seed, plan.game_hash, 0),
        make_queue(plan.hands),
        make_slots(plan.hands),
        counts,
        record,
    )
    _check(outcome)
    if record.length.max() > record.drawn.shape[1]:
        raise RtpsimError(f"a round drew more than {record.drawn.shape[1]} cards")
    return record, ordered(counts, plan.program, plan.offsets)
