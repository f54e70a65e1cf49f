"""Play: a run on this machine or on others, kept in a checkpoint, stopped and continued."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, overload

from rtpsim.runs.run import identity
from rtpsim.simulation.run import Block, Plan, add_counts, run_blocks
from rtpsim.simulation.tally import Tally, make_tally

if TYPE_CHECKING:
    from collections.abc import Callable

    from rtpsim.runs.checkpoint import Checkpoint
    from rtpsim.runs.run import Run

BLOCK_CHUNKS = 32
"""Chunks between two moments at which a checkpoint can be saved: about a second of one core."""

MOST_BLOCKS = 100_000
"""Blocks of a run; those of a very long one are longer."""


class Engine(Protocol):
    """Where blocks of chunks are played: threads of this machine, or a cluster."""

    @property
    def workers(self) -> int | None:
        """Threads that play; None for one a core."""

    def play(
        self,
        run: Run,
        plan: Plan,
        chunks: range,
        done: Callable[[Block], None],
        *,
        progress: Callable[[int], None] | None,
        stop: threading.Event,
    ) -> None:
        """Play chunks and hand on their counts in order, as `rtpsim.simulation.run.run_blocks`."""


@dataclass(frozen=True)
class Threads:
    """Threads of this machine.

    Attributes
    ----------
    workers
        How many; one a core by default.
    block_chunks
        Chunks handed on together.
    """

    workers: int | None = None
    block_chunks: int = BLOCK_CHUNKS

    def play(
        self,
        run: Run,
        plan: Plan,
        chunks: range,
        done: Callable[[Block], None],
        *,
        progress: Callable[[int], None] | None,
        stop: threading.Event,
    ) -> None:
        """Play chunks and hand on their counts in order."""
        size = max(self.block_chunks, -(-len(chunks) // MOST_BLOCKS))
        run_blocks(
            plan,
            Blocks(chunks, size),
            done,
            workers=self.workers,
            progress=progress,
            stop=stop,
        )


@dataclass(frozen=True)
class Blocks(Sequence[range]):
    """Chunks in blocks of a size, the last one with what is left, made when they are asked for."""

    chunks: range
    size: int

    def __len__(self) -> int:
        """Return the number of blocks."""
        return -(-len(self.chunks) // self.size)

    @overload
    def __getitem__(self, index: int) -> range: ...
    @overload
    def __getitem__(self, index: slice) -> list[range]: ...
    def __getitem__(self, index: int | slice) -> range | list[range]:
        """Return one block, or some."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self.chunks[index * self.size : (index + 1) * self.size]


@dataclass(frozen=True)
class Played:
    """What was played of a run.

    Attributes
    ----------
    tally
        What it counted.
    chunks
        The chunks that were played, without a gap, from the first one of the run or its share.
    asked
        The chunks that were to be played.
    resumed_rounds
        Rounds that the checkpoint held already.
    """

    tally: Tally
    chunks: range
    asked: range
    resumed_rounds: int = 0

    @property
    def complete(self) -> bool:
        """Whether all that was asked was played."""
        return self.chunks == self.asked


def play(
    run: Run,
    plan: Plan | None = None,
    *,
    engine: Engine | None = None,
    checkpoint: Checkpoint | None = None,
    progress: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> Played:
    """Play a run, or what is left of it.

    Parameters
    ----------
    run, plan
        What is played, and `Run.plan` of it where that has been made.
    engine
        Where; by default on threads of this machine, one a core.
    checkpoint
        Where the tally is kept; what it holds already is not played again.
    progress
        Called with the number of rounds played so far, those of a checkpoint among them.
    stop
        Once set, what has been played without a gap is kept, and is the result.

    Raises
    ------
    InputError
        If something asked is not allowed, or the checkpoint cannot be used.
    ShoeExhaustedError
        If a round needs more cards than the shoe holds.
    """
    plan = plan or run.plan()
    chunks = run.chunks(plan)
    total, end = plan.new_counts(), chunks.start
    if checkpoint is not None:
        kept = checkpoint.open(identity(run, plan), plan.new_counts())
        if kept is not None:
            add_counts(total, kept.counts)
            end = kept.chunks.stop
    before = rounds_of(plan, range(chunks.start, end))

    def done(block: Block) -> None:
        nonlocal end
        add_counts(total, block.counts)
        end = block.chunks.stop
        if checkpoint is not None:
            checkpoint.update(range(chunks.start, end), total)

    def tell(rounds: int) -> None:
        if progress is not None:
            progress(before + rounds)

    left = range(end, chunks.stop)
    if left:
        try:
            (engine or Threads()).play(
                run, plan, left, done, progress=tell, stop=stop or threading.Event()
            )
        finally:
            if checkpoint is not None:
                checkpoint.save(range(chunks.start, end), total)
    counts = plan.ordered(total)
    tally = make_tally(plan.program, counts, plan.hands, plan.bets, plan.offsets)
    return Played(tally, range(chunks.start, end), chunks, before)


def rounds_of(plan: Plan, chunks: range) -> int:
    """Return how many rounds some neighbouring chunks have."""
    if not chunks:
        return 0
    return len(chunks[:-1]) * plan.chunk_rounds(0) + plan.chunk_rounds(chunks[-1])
