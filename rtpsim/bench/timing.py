"""Timing: tasks that take turns, in CPU time of the thread, and the unit to read the times by."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from rtpsim._jit import kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Name = TypeVar("Name")

_STEPS = 5_000_000


def take_turns(
    tasks: Mapping[Name, Callable[[int], object]],
    turns: int,
    clock: Callable[[], float] = time.thread_time,
) -> dict[Name, list[float]]:
    """Run tasks by turns and return the seconds that each took, turn by turn.

    A busy moment of the machine spoils one turn of all of them and not every turn of one.

    Parameters
    ----------
    tasks
        Each is told the number of the turn. They have to be compiled and warm.
    turns
        How many.
    clock
        Reads seconds: by default CPU time of this thread.
    """
    times: dict[Name, list[float]] = {name: [] for name in tasks}
    for turn in range(turns):
        for name, task in tasks.items():
            began = clock()
            task(turn)
            times[name].append(clock() - began)
    return times


@kernel
def _add(times: int, step: int) -> int:
    """Add and double by turns; compilers find no shortcut, and each step waits for the last."""
    total = step
    for _ in range(times):
        total = (total + step) ^ (total << 1)
    return total


def cycle_ns(turns: int = 9) -> float:
    """Return the time in ns of an addition that waits for the one before, the least of some turns.

    It is about a cycle of the processor, and so a unit that survives a change of machine.
    """
    _add(1, 1)
    times = take_turns({"add": lambda turn: _add(_STEPS, 3 + turn)}, turns)
    return min(times["add"]) / _STEPS / 2 * 1e9
