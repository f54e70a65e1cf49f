"""Many rule sets valued: a pure function of one rule set, mapped here or by anybody's executor."""

from __future__ import annotations

import signal
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, get_context, resource_tracker
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from rtpsim.analysis.values import values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rtpsim.analysis.values import Strategies, Value
    from rtpsim.games import Game

    Values: TypeAlias = tuple[Value, ...]
    Mapper: TypeAlias = Callable[[Callable[["Task"], Values], Sequence["Task"]], Iterable[Values]]
    """Applies a function to tasks and hands its results on in their order: `map`,
    ``executor.map``, or for Dask ``lambda f, tasks: client.gather(client.map(f, tasks))``."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class Task:
    """One rule set to be valued; it can be pickled.

    Attributes
    ----------
    game
        The game under its rules.
    strategies
        What to value it by.
    keep
        Whether figures are kept on disk, and taken from there. They are the same either way.
    """

    game: Game
    strategies: Strategies
    keep: bool = True


def run_task(task: Task) -> Values:
    """Return the values of a task's game, a `Value` for each strategy: a pure function."""
    return values_of(task.game, task.strategies, keep=task.keep)


def run_tasks(
    tasks: Sequence[Task],
    *,
    workers: int = 1,
    mapper: Mapper | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Values]:
    """Value rule sets, in order; the figures are the same however they are shared out.

    Parameters
    ----------
    tasks
        The rule sets.
    workers
        Processes. More than one pays from some twenty rule sets on: a process takes two seconds
        to start. As with every pool of processes, a script that asks for several has to keep what
        it does under ``if __name__ == "__main__"``.
    mapper
        Shares the tasks out, in place of processes of this machine.
    progress
        Called with the number of rule sets valued, and of all.
    """
    if mapper is not None:
        return _collected(mapper(run_task, tasks), len(tasks), progress)
    if workers <= 1 or len(tasks) <= 1:
        return _collected(map(run_task, tasks), len(tasks), progress)
    with shared_out(run_task, tasks, workers) as results:
        return _collected(results, len(tasks), progress)


@contextmanager
def shared_out(
    function: Callable[[Any], Result], tasks: Sequence[Any], workers: int
) -> Iterator[Iterator[Result]]:
    """Have processes of this machine apply a function; leaving by an error ends them at once.

    Ctrl-C reaches every process of a terminal, but is this one's business: the others are started
    deaf to it, or each would print a traceback of its own.
    """
    # spawned, not forked: threads of this process would be lost halfway through what they do
    others = set(active_children())
    pool = ProcessPoolExecutor(min(workers, len(tasks)), get_context("spawn"))
    try:
        with _held_interrupts():
            results = pool.map(function, tasks)  # starts the processes
        yield results
    except BaseException:
        for process in set(active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _held_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back: processes started meanwhile never hear of it, this one does afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # its start would lift the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _collected(
    results: Iterable[Values], count: int, progress: Callable[[int, int], None] | None
) -> list[Values]:
    """Collect results, and say how many there are by now."""
    found = []
    for values in results:
        found.append(values)
        if progress is not None:
            progress(len(found), count)
    return found
