"""Long commands: the progress bar, and a clean stop on Ctrl-C."""

from __future__ import annotations

import signal
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rtpsim.cli.output import is_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType


@contextmanager
def stop_on_interrupt() -> Iterator[threading.Event]:
    """Within, the first Ctrl-C sets the event that is handed out; the second one aborts.

    The library looks at the event between chunks, so that what was played by then is whole.
    """
    stop = threading.Event()

    def request(signal_number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    previous = signal.signal(signal.SIGINT, request)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, previous)


@contextmanager
def progress_bar(what: str, rounds: int) -> Iterator[Callable[[int], None] | None]:
    """Show rounds/s and time left on stderr while rounds are played.

    Yields
    ------
    callable or None
        To be told how many rounds have been played in all; None where stderr is no terminal.
    """
    if not is_terminal():
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from rtpsim.cli.output import console

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[speed]}"),
        TimeRemainingColumn(compact=True),
        console=console(stderr=True),
        transient=True,
        expand=True,
    )
    began = time.perf_counter()
    task = bar.add_task(what, total=rounds, speed="")

    def update(done: int) -> None:
        bar.update(task, completed=done, speed=speed(done, time.perf_counter() - began))

    with bar:
        yield update


def speed(rounds: int, seconds: float) -> str:
    """Write rounds per second in three digits."""
    value = rounds / seconds if seconds > 0 else 0.0
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit} rounds/s"
    return f"{value:.0f} rounds/s"
