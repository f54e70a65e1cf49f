"""Run: a simulation as chunks on threads, the same integers however many there are."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtpsim.cards import Shoe
from rtpsim.errors import InputError, RtpsimError, ShoeExhaustedError, suggestion
from rtpsim.program.compiler import Program, compile_program
from rtpsim.program.composition import player_of
from rtpsim.simulation import kernel
from rtpsim.simulation.bets import Bets, make_bets, offsets_of
from rtpsim.simulation.buffers import (
    Counts,
    Queue,
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

    import numpy as np
    from numpy.typing import NDArray

    from rtpsim.games import Game
    from rtpsim.program.composition import Strategy
    from rtpsim.sidebets import SideBet


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
        return make_counts(self.program, self.hands, self.bet_tables)

    def ordered(self, counts: Counts) -> Counts:
        """Return the kernel's counts as `rtpsim.simulation.tally.make_tally` reads them."""
        return ordered(counts, self.bets, self.hands)


def make_plan(
    game: Game,
    strategy: Strategy,
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
        player_of(strategy, game.rules),
        insurance=game.insurance,
        even_money=game.even_money,
    )
    bets = _chosen_bets(game, side_bets)
    stream_of(seed, game.sha256, 0)  # refuses a bad seed before anything runs
    return Plan(
        program,
        make_tables(program, shoe, hands),
        bets,
        make_bets(bets, hands),
        offsets_of(bets, hands),
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
    strategy: Strategy,
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
    plan = make_plan(game, strategy, rounds=rounds, seed=seed, hands=hands, side_bets=side_bets)
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
    total = plan.new_counts()

    def add(block: Block) -> None:
        add_counts(total, block.counts)

    whole = [range(plan.chunks)]
    run_blocks(plan, whole, add, workers=workers, progress=progress, stop=stop)
    return plan.ordered(total)


@dataclass(frozen=True)
class Block:
    """Neighbouring chunks of a run that have been played.

    Attributes
    ----------
    chunks
        Numbers of the chunks; fewer than were asked for if the run was stopped.
    counts
        The sum of their counts, in the kernel's own order (`ordered` puts them in that of
        `rtpsim.simulation.tally.make_tally`).
    """

    chunks: range
    counts: Counts


def run_blocks(
    plan: Plan,
    blocks: Sequence[range],
    done: Callable[[Block], None],
    *,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> None:
    """Play blocks of a plan's chunks on threads and hand on each block's counts.

    Parameters
    ----------
    plan
        What is played.
    blocks
        Chunk numbers of each block, in rising order, none of them empty; chunks between two blocks
        are not played.
    done
        Called once for each block of which a chunk was played, in the order of the blocks, from
        any thread, one at a time. Whatever has been handed on is all there is up to its last chunk.
    workers, progress, stop
        As for `simulate`.

    Raises
    ------
    ShoeExhaustedError
        If a round needs more cards than the shoe holds.
    """
    chunks = sum(len(block) for block in blocks)
    threads = _worker_count(workers, chunks)
    shared = _Chunks(plan, blocks, done, stop or threading.Event(), progress)
    with ThreadPoolExecutor(threads) as pool:
        for future in [pool.submit(_work, plan, shared) for _ in range(threads)]:
            future.result()
    shared.hand_on()


def add_counts(total: Counts, counts: Counts) -> None:
    """Add counts of the same plan to a sum, in place."""
    for sums, numbers in zip(total, counts, strict=True):
        sums += numbers


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
        self,
        plan: Plan,
        blocks: Sequence[range],
        done: Callable[[Block], None],
        stop: threading.Event,
        progress: Callable[[int], None] | None,
    ) -> None:
        self.plan = plan
        self.blocks = blocks
        self.done = done
        self.stop = stop
        self.progress = progress
        self._lock = threading.Lock()
        self._next = ((number, chunk) for number, block in enumerate(blocks) for chunk in block)
        self._rounds = 0
        self._sums: dict[int, tuple[int, Counts]] = {}  # block -> chunks counted, their counts
        self._handed_on = 0

    def take(self) -> tuple[int, int] | None:
        """Return the next chunk to play and its block, or None when there is none."""
        with self._lock:
            return None if self.stop.is_set() else next(self._next, None)

    def played(self, rounds: int) -> None:
        """Note that so many rounds have been played."""
        with self._lock:
            self._rounds += rounds
            played = self._rounds
        if self.progress is not None:
            self.progress(played)

    def add(self, block: int, chunks: int, counts: Counts) -> None:
        """Add a thread's counts of some chunks of a block; hand on the blocks that are whole."""
        with self._lock:
            before, total = self._sums.setdefault(block, (0, self.plan.new_counts()))
            add_counts(total, counts)
            self._sums[block] = before + chunks, total
            self._hand_on_whole()

    def _hand_on_whole(self) -> None:
        while self._handed_on < len(self.blocks):
            chunks = self.blocks[self._handed_on]
            counted, counts = self._sums.get(self._handed_on, (0, None))
            if counts is None or counted < len(chunks):
                return
            self.done(Block(chunks, counts))
            del self._sums[self._handed_on]
            self._handed_on += 1

    def hand_on(self) -> None:
        """Hand on the block that a stop cut short, once no thread plays any more."""
        for block, (counted, counts) in sorted(self._sums.items()):
            self.done(Block(self.blocks[block][:counted], counts))
        self._sums.clear()


def _work(plan: Plan, shared: _Chunks) -> None:
    """Play chunks until there are no more; one thread's share."""
    counts = plan.new_counts()
    queue = make_queue(plan.hands)
    slots = make_slots(plan.hands)
    current, since = 0, 0
    try:
        while (taken := shared.take()) is not None:
            block, chunk = taken
            if block != current and since:
                shared.add(current, since, counts)
                counts, since = plan.new_counts(), 0
            rounds = plan.chunk_rounds(chunk)
            play_chunk(plan, rounds, chunk, queue, slots, counts, None)
            shared.played(rounds)
            current, since = block, since + 1
        if since:
            shared.add(current, since, counts)
    except BaseException:
        shared.stop.set()  # the other threads need not go on
        raise


def play_chunk(
    plan: Plan,
    rounds: int,
    chunk: int,
    queue: Queue,
    slots: NDArray[np.uint64] | None,
    counts: Counts,
    record: Record | None,
) -> None:
    """Play one chunk, by the kernel for one hand or that for several."""
    tables, bets, stream = plan.tables, plan.bet_tables, stream_of(plan.seed, plan.game_hash, chunk)
    if slots is None:
        outcome = kernel.play_one_hand(rounds, tables, bets, stream, queue, counts, record)
    else:
        outcome = kernel.play_hands(
            rounds, plan.hands, tables, bets, stream, queue, slots, counts, record
        )
    if outcome == kernel.EXHAUSTED:
        raise ShoeExhaustedError("a round needed more cards than the shoe holds")
    if outcome == kernel.OVERFLOW:
        raise RtpsimError("a round used more cards of one rank than the kernel can count")


def record_rounds(plan: Plan, chunk: int = 0) -> tuple[Record, Counts]:
    """Play a plan of one chunk and keep every round's cards, for the comparison with the referee.

    Parameters
    ----------
    plan
        What is played.
    chunk
        Number of the chunk whose stream is read.

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
    queue, slots = make_queue(plan.hands), make_slots(plan.hands)
    play_chunk(plan, plan.rounds, chunk, queue, slots, counts, record)
    if record.length.max() > record.drawn.shape[1]:
        raise RtpsimError(f"a round drew more than {record.drawn.shape[1]} cards")
    return record, plan.ordered(counts)
