"""Play: a run on this machine or on others, kept in a checkpoint, stopped and continued."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rtpsim.errors import InputError
from rtpsim.runs.blocks import BlockTally, Ledger
from rtpsim.runs.run import identity
from rtpsim.simulation.run import Block, Plan, add_counts, run_blocks
from rtpsim.simulation.tally import Tally, make_tally

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rtpsim.runs.checkpoint import Checkpoint
    from rtpsim.runs.run import Run

PIECE_CHUNKS = 32
"""Chunks between two moments at which a checkpoint can be saved: about a second of one core."""

MOST_PIECES = 100_000
"""Pieces of a run; those of a very long one are longer."""


class Engine(Protocol):
    """Where chunks are played: threads of this machine, or a cluster."""

    @property
    def workers(self) -> int | None:
        """Threads that play; None for one a core."""

    @property
    def address(self) -> str:
        """Of the cluster's scheduler; empty for threads of this machine."""

    def get_ready(self, run: Run) -> None:
        """Do what counts neither as time nor as speed."""

    def play(
        self,
        run: Run,
        plan: Plan,
        blocks: Sequence[range],
        done: Callable[[Block], None],
        *,
        progress: Callable[[int], None] | None,
        stop: threading.Event,
    ) -> None:
        """Play neighbouring blocks of chunks and hand on their counts in order.

        As `rtpsim.simulation.run.run_blocks`, but that a block may be handed on in pieces.
        """


@dataclass(frozen=True)
class Threads:
    """Threads of this machine.

    Attributes
    ----------
    workers
        How many; one a core by default.
    piece_chunks
        Chunks handed on together.
    """

    workers: int | None = None
    piece_chunks: int = PIECE_CHUNKS

    address = ""

    def get_ready(self, run: Run) -> None:
        """Compile what the run needs."""
        from rtpsim.simulation.warm import warm_up

        warm_up(several=run.hands > 1)

    def play(
        self,
        run: Run,
        plan: Plan,
        blocks: Sequence[range],
        done: Callable[[Block], None],
        *,
        progress: Callable[[int], None] | None,
        stop: threading.Event,
    ) -> None:
        """Play blocks of chunks and hand on their counts in order, piece by piece."""
        size = max(self.piece_chunks, -(-sum(map(len, blocks)) // MOST_PIECES))
        run_blocks(
            plan,
            pieces_of(blocks, size),
            done,
            workers=self.workers,
            progress=progress,
            stop=stop,
        )


def pieces_of(blocks: Sequence[range], size: int) -> list[range]:
    """Cut blocks of chunks into pieces of a size, the last one of each with what is left."""
    return [block[place : place + size] for block in blocks for place in range(0, len(block), size)]


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
    blocks
        What was played, in blocks, the last one perhaps cut short; None where nobody asked.
    """

    tally: Tally
    chunks: range
    asked: range
    resumed_rounds: int = 0
    blocks: tuple[BlockTally, ...] | None = None

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
    in_blocks: bool = False,
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
    in_blocks
        Whether the tallies of blocks are wanted too (`rtpsim.runs.blocks`).
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
    book = _Book(run, plan, checkpoint, in_blocks=in_blocks)
    before = rounds_of(plan, book.played)

    def tell(rounds: int) -> None:
        if progress is not None:
            progress(before + rounds)

    if left := book.left:
        try:
            (engine or Threads()).play(
                run, plan, left, book.add, progress=tell, stop=stop or threading.Event()
            )
        finally:
            book.save()
    counts = plan.ordered(book.total)
    tally = make_tally(plan.program, counts, plan.hands, plan.bets, plan.offsets)
    blocks = None if book.ledger is None else book.ledger.blocks()
    return Played(tally, book.played, book.asked, before, blocks)


class _Book:
    """What has been counted of a run so far, in all and by block, and where it is kept.

    Attributes
    ----------
    asked, played
        All chunks of the run, and those played so far.
    total
        The sum of their counts.
    ledger
        The blocks; None where they are not wanted and were not kept before.
    """

    def __init__(
        self, run: Run, plan: Plan, checkpoint: Checkpoint | None, *, in_blocks: bool
    ) -> None:
        self.asked = run.chunks(plan)
        self.played = range(self.asked.start, self.asked.start)
        self.total = plan.new_counts()
        self.ledger = Ledger(plan, self.asked) if in_blocks else None
        self._checkpoint = checkpoint
        if checkpoint is None:
            return
        begun = None if self.ledger is None else self.ledger.so_far
        kept = checkpoint.open(identity(run, plan), plan.new_counts(), begun)
        if kept is None:
            return
        add_counts(self.total, kept.counts)
        self.played = kept.chunks
        if kept.blocks is not None:
            try:
                self.ledger = Ledger(plan, self.asked, kept.blocks, self.played.stop)
            except ValueError as error:
                raise InputError(f"checkpoint {checkpoint.path}: damaged: {error}") from None

    @property
    def left(self) -> list[range]:
        """What is still to be played, by block."""
        if self.ledger is not None:
            return self.ledger.left
        rest = range(self.played.stop, self.asked.stop)
        return [rest] if rest else []

    def add(self, block: Block) -> None:
        """Add the counts of the next chunks."""
        add_counts(self.total, block.counts)
        self.played = range(self.asked.start, block.chunks.stop)
        if self.ledger is not None:
            self.ledger.add(block)
        if self._checkpoint is not None and self._checkpoint.due:
            self.save()

    def save(self) -> None:
        """Keep what there is, if it is kept anywhere."""
        if self._checkpoint is not None:
            blocks = None if self.ledger is None else self.ledger.so_far
            self._checkpoint.save(self.played, self.total, blocks)


def rounds_of(plan: Plan, chunks: range) -> int:
    """Return how many rounds some neighbouring chunks have."""
    if not chunks:
        return 0
    return len(chunks[:-1]) * plan.chunk_rounds(0) + plan.chunk_rounds(chunks[-1])
