"""A clock inside the kernel: how long each of its phases takes, read from the processor's counter.

Loops of a microsecond cannot be timed from outside. Where no time is wanted, `lap` is compiled for
None and comes to nothing.
"""

from __future__ import annotations

import platform
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from rtpsim._jit import loop

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Clock = NDArray[np.int64] | None

_X86 = platform.machine().lower() in ("x86_64", "amd64", "i686", "x86")
_COUNTER = "llvm.readcyclecounter" if _X86 else "llvm.readsteadycounter"
"""Others than x86 refuse the first to programs; x86 has nothing behind the second."""


class Phase(IntEnum):
    """What the kernel does to a block of rounds, as the clock tells it apart."""

    WORDS = 1
    DEAL = 2
    NUMBER = 3
    BETS = 4
    INITIAL = 5
    SEAT = 6
    STEP = 7
    EVENTS = 8
    APART = 9
    LABELS = 10


START = 0
WORDS, DEAL, NUMBER, BETS, INITIAL, SEAT, STEP, EVENTS, APART, LABELS = map(int, Phase)


def new_clock() -> NDArray[np.int64]:
    """Return a clock: when it was read last, then the time of each `Phase`, in ticks; int64."""
    return np.zeros(1 + len(Phase), dtype=np.int64)


@intrinsic
def _ticks(typing_context: Any) -> Any:
    """Return the processor's counter."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = ir.IntType(64)
        read = builder.module.declare_intrinsic(_COUNTER, (), ir.FunctionType(number, []))
        return builder.call(read, [])

    return types.int64(), generate


@loop
def lap(clock: Clock, phase: int) -> None:
    """Add the time since the last lap to a phase; the phase `START`: begin to count."""
    if clock is not None:
        now: int = _ticks()  # type: ignore[call-arg]
        clock[phase] += now - clock[0]
        clock[0] = now
