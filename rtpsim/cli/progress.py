"""Long commands: the progress bar, and a clean stop on Ctrl-C and SIGTERM."""

from __future__ import annotations

import signal
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rtpsim.cli.output import INTERRUPTED, TERMINATED, is_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType


PATIENCE_S = 5.0
"""For so long a second Ctrl-C changes nothing; then something hangs, and it aborts."""


class Terminated(KeyboardInterrupt):
    """SIGTERM, where it ends a command like Ctrl-C."""


class Stopping:
    """What Ctrl-C and SIGTERM do to a long command.

    While rounds are played the first of them sets `event`, which the library looks at between
    chunks, so that what was played by then is whole; the next ones, from nervous fingers, lose
    nothing. At other times they end the command.

    Attributes
    ----------
    event
        Set when the playing should stop.
    """

    def __init__(self) -> None:
        self.event = threading.Event()
        self._playing = False
        self._signal = signal.SIGINT
        self._since = 0.0

    @property
    def status(self) -> int:
        """Exit status of the stopped command, as shells have it: 128 + the signal's number."""
        return status_of(self.error())

    def error(self) -> KeyboardInterrupt:
        """Return the error that ends the command where nothing can be reported."""
        return Terminated() if self._signal == signal.SIGTERM else KeyboardInterrupt()

    @contextmanager
    def playing(self) -> Iterator[threading.Event]:
        """Within, a signal stops the playing; hands out the event."""
        self._playing = True
        try:
            yield self.event
        finally:
            self._playing = False

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Take a signal."""
        if self.event.is_set():
            if time.monotonic() - self._since > PATIENCE_S:
                raise self.error()
            return
        self._signal = signal.Signals(number)
        self._since = time.monotonic()
        self.event.set()
        if not self._playing:
            raise self.error()


def status_of(error: BaseException | None) -> int:
    """Return the exit status of a command that was ended by Ctrl-C or SIGTERM."""
    return TERMINATED if isinstance(error, Terminated) else INTERRUPTED


@contextmanager
def stop_on_signals() -> Iterator[Stopping]:
    """Within, Ctrl-C and SIGTERM are taken by the `Stopping` that is handed out."""
    stopping = Stopping()
    previous = {
        number: signal.signal(number, stopping.handle) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield stopping
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


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


def speed(rounds: float, seconds: float) -> str:
    """Write rounds per second in three digits."""
    value = rounds / seconds if seconds > 0 else 0.0
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit} rounds/s"
    return f"{value:.0f} rounds/s"
