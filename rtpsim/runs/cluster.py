"""Cluster: a run's chunks as jobs of a Dask cluster; the same integers as on one thread."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from rtpsim.errors import RtpsimError
from rtpsim.runs.crew import Crew, Job
from rtpsim.runs.parcel import Parcel, pack, unpack
from rtpsim.runs.play import rounds_of
from rtpsim.runs.run import Run, difference, identity
from rtpsim.simulation.run import Block, Plan, add_counts, run_blocks

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable, Sequence

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_CHUNKS = 256
"""Chunks of a job, some seconds of one core: little is lost with a worker that dies."""

LEAST_CHUNKS = 4
"""Chunks of the smallest job, a tenth of a second: about ten times what it costs to send it."""

SHARES = 12
"""Parts that what is left for each thread is cut into, so that all threads end together."""

AHEAD = 3
"""Jobs given out for each thread, so that none waits for the next."""

TICK_S = 0.2


@dataclass
class Cluster:
    """The workers behind a scheduler.

    Attributes
    ----------
    address
        Of the scheduler, as ``tcp://host:8786``.
    say
        Is told, in one line, of workers that join, go or are refused.
    workers
        Threads that played, the most at a time.
    """

    address: str
    say: Callable[[str], object] = lambda text: None
    workers: int = 0

    def get_ready(self, run: Run) -> None:
        """Do nothing: workers compile on their own."""

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
        """Play blocks of chunks and hand on their counts in order, job by job.

        Raises
        ------
        RtpsimError
            If the cluster cannot go on (`rtpsim.runs.crew.Crew.finished`).
        """
        known, like = identity(run, plan), plan.new_counts()
        in_order = InOrder(blocks[0].start, done, frozenset(block.start for block in blocks))
        left, ends, rounds = range(blocks[0].start, blocks[-1].stop), deque(blocks), 0
        with Crew(self.address, self.say) as crew:
            while (left or crew.jobs) and not stop.is_set():
                self.workers = max(self.workers, crew.threads)
                while left and crew.jobs < AHEAD * crew.threads:
                    size = job_size(len(left), crew.threads)
                    mine = left[: min(size, ends[0].stop - left.start)]
                    left = left[len(mine) :]
                    if mine.stop == ends[0].stop:
                        ends.popleft()
                    crew.submit(Job(play_chunks, (run, mine), mine))
                found = crew.finished(TICK_S)
                if found is None:
                    continue
                job, content = found
                parcel = unpack(content, f"a worker of {self.address}", like)
                other = difference(parcel.identity, known)
                if other is not None or parcel.chunks != job.tag:
                    reason = other or "its chunks are others"
                    raise RtpsimError(f"a worker of {self.address} played another run: {reason}")
                in_order.add(parcel.chunks, parcel.counts)
                rounds += rounds_of(plan, parcel.chunks)
                if progress is not None:
                    progress(rounds)


def job_size(left: int, threads: int) -> int:
    """Return how many chunks the next job has: smaller ones towards the end."""
    return max(LEAST_CHUNKS, min(MOST_CHUNKS, left // (SHARES * max(threads, 1))))


class InOrder:
    """Hands on blocks of chunks in order, in whatever order they come.

    Those that have to wait are added up with their neighbours: a worker that hangs for long costs
    no memory.

    Parameters
    ----------
    first
        Number of the first chunk.
    done
        Is told of blocks in order.
    starts
        Numbers of chunks that are never added up with those before them.
    """

    def __init__(
        self, first: int, done: Callable[[Block], None], starts: frozenset[int] = frozenset()
    ) -> None:
        self._next = first
        self._done = done
        self._starts = starts
        self._by_start: dict[int, Block] = {}
        self._by_stop: dict[int, Block] = {}

    def add(self, chunks: range, counts: Any) -> None:
        """Take a block; hand on what has no gap before it. Its counts are changed."""
        before = None if chunks.start in self._starts else self._by_stop.pop(chunks.start, None)
        if before is not None:
            add_counts(counts, before.counts)
            del self._by_start[before.chunks.start]
            chunks = range(before.chunks.start, chunks.stop)
        after = None if chunks.stop in self._starts else self._by_start.pop(chunks.stop, None)
        if after is not None:
            add_counts(counts, after.counts)
            del self._by_stop[after.chunks.stop]
            chunks = range(chunks.start, after.chunks.stop)
        block = Block(chunks, counts)
        self._by_start[chunks.start] = self._by_stop[chunks.stop] = block
        while (ready := self._by_start.pop(self._next, None)) is not None:
            del self._by_stop[ready.chunks.stop]
            self._next = ready.chunks.stop
            self._done(ready)

    @property
    def waiting(self) -> int:
        """Number of blocks that wait for one before them."""
        return len(self._by_start)


def play_chunks(run: Run, chunks: range) -> bytes:
    """Play chunks of a run on one thread, on a worker; return them as a parcel."""
    plan = _plan(run)
    blocks: list[Block] = []
    run_blocks(plan, [chunks], blocks.append, workers=1)
    (block,) = blocks
    return pack(Parcel(identity(run, plan), block.chunks, block.counts))


@lru_cache(maxsize=4)
def _plan(run: Run) -> Plan:
    return run.plan()


def cluster_map(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    address: str,
    *,
    say: Callable[[str], object] = lambda text: None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Result]:
    """Apply a function to items on a cluster; the results in the items' order.

    Workers are examined as for a simulation, and items of one that dies are done again.

    Parameters
    ----------
    function
        A pure function of a module; its items and results can be pickled.
    items
        What it is applied to, each as a job of its own.
    address
        Of the scheduler, as ``tcp://host:8786``.
    say
        Is told, in one line, of workers that join, go or are refused.
    progress
        Called with the number of items done, and of all.

    Raises
    ------
    InputError
        If Dask is not installed, or the scheduler or no worker can be used; or what the function
        raises.
    RtpsimError
        If the cluster is lost, or an item fails otherwise.
    """
    given: Sequence[Item] = list(items)
    results: dict[int, Result] = {}
    if not given:
        return []
    with Crew(address, say) as crew:
        for number, item in enumerate(given):
            crew.submit(Job(function, (item,), number))
        while crew.jobs:
            found = crew.finished(TICK_S)
            if found is not None:
                job, result = found
                results[job.tag] = result
                if progress is not None:
                    progress(len(results), len(given))
    return [results[number] for number in range(len(given))]
