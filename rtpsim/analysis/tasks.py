"""Many rule sets valued: a pure function of one rule set, mapped here or by anybody's executor."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING, TypeAlias

from rtpsim.analysis.values import values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rtpsim.analysis.values import Strategies, Value
    from rtpsim.games import Game

    Values: TypeAlias = tuple[Value, ...]
    Mapper: TypeAlias = Callable[[Callable[["Task"], Values], Sequence["Task"]], Iterable[Values]]
    """Applies a function to tasks and hands its results on in their order: `map`,
    ``executor.map``, or for Dask ``lambda f, tasks: client.gather(client.map(f, tasks))``."""


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
    # spawned, not forked: threads of this process would be lost halfway through what they do
    with ProcessPoolExecutor(min(workers, len(tasks)), get_context("spawn")) as pool:
        return _collected(pool.map(run_task, tasks), len(tasks), progress)


def _collected(
    results: Iterable[Values] | Iterator[Values],
    count: int,
    progress: Callable[[int, int], None] | None,
) -> list[Values]:
    """Collect results, and say how many there are by now."""
    found = []
    for values in results:
        found.append(values)
        if progress is not None:
            progress(len(found), count)
    return found
