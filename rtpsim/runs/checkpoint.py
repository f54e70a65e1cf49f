"""Checkpoints: the tally of a run on disk, saved as it grows and taken up again."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtpsim.errors import InputError
from rtpsim.files import previous_of, remove_parts, write_whole
from rtpsim.runs.parcel import Parcel, pack, unpack

if TYPE_CHECKING:
    from collections.abc import Callable

    from rtpsim.runs.blocks import BlocksSoFar
    from rtpsim.simulation.buffers import Counts

EVERY_S = 60.0
"""Seconds between two savings."""

MOST_BYTES = 1 << 30
"""A checkpoint is some ten thousand bytes; what is longer than this is something else."""


def set_aside(path: Path) -> Path:
    """Return where a file that could not be used is kept for a look at it."""
    return path.with_name(path.name + ".refused")


def refuse_existing(path: Path) -> None:
    """Refuse to begin a checkpoint where there is one already.

    Raises
    ------
    InputError
        If the file or the one before it exists.
    """
    for one in (path, previous_of(path)):
        if one.exists():
            raise InputError(
                f"checkpoint {one}: exists already; --resume goes on with the run that it keeps, "
                "another name or its removal begins anew"
            )


class Checkpoint:
    """The file that keeps a run's tally: total counts of the chunks from its first one on.

    The file before it is kept beside it (`rtpsim.files.PREVIOUS`) and stands in where the file
    itself is missing or damaged.

    Parameters
    ----------
    path
        Where it is.
    resume
        Whether a run that is kept there goes on.
    every
        Seconds between two savings.
    say
        Is told, in one line, of what a person should know but what stops nothing.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        resume: bool = False,
        every: float = EVERY_S,
        say: Callable[[str], object] = lambda text: None,
    ) -> None:
        given = Path(path)
        self.path = given.resolve() if given.is_symlink() else given
        self.resume = resume
        self.every = every
        self.say = say
        self._identity: dict[str, Any] = {}
        self._previous_is_better = False  # the file itself could not be used, the one before could
        self._written_at = time.monotonic()  # the clock on the wall may jump
        self._failing = False
        self._kept_up_to = -1

    def open(
        self, identity: dict[str, Any], like: Counts, blocks: BlocksSoFar | None = None
    ) -> Parcel | None:
        """Take up the run that is kept, or begin to keep one.

        Parameters
        ----------
        identity
            Of the run that is to be kept (`rtpsim.runs.run.identity`).
        like
            Zeroed counts of that run.
        blocks
            The same in blocks, where the run is to be kept in blocks.

        Returns
        -------
        Parcel or None
            What has been played already; None where the run starts at its beginning.

        Raises
        ------
        InputError
            If a file is there and nothing should be resumed; if none can be used, or it was kept
            without blocks that are wanted; or if none can be written.
        """
        self._identity = identity
        remove_parts(self.path)
        if self.resume:
            parcel = self._find(like)
        else:
            refuse_existing(self.path)
            parcel = None
        first, end = identity["chunks"]
        if parcel is not None and blocks is not None and parcel.blocks is None:
            raise InputError(
                f"checkpoint {self.path}: kept by a command that needs no blocks; a report's run "
                "begins anew, in another file"
            )
        begun = parcel or Parcel(identity, range(first, first), like, blocks)
        if begun.chunks.stop < end:  # what cannot be kept is said before it is played
            self._write_or_refuse(begun)
        return parcel

    @property
    def due(self) -> bool:
        """Whether it is time to save."""
        return time.monotonic() - self._written_at >= self.every

    def save(self, chunks: range, counts: Counts, blocks: BlocksSoFar | None = None) -> None:
        """Save now; a file that cannot be written is told of, and the run goes on without it."""
        if chunks.stop == self._kept_up_to:
            return
        try:
            self._write(Parcel(self._identity, chunks, counts, blocks))
        except OSError as error:
            if not self._failing:
                self.say(
                    f"checkpoint {self.path}: cannot be written ({error.strerror or error}); "
                    "the one before stays"
                )
            self._failing = True
        else:
            if self._failing:
                self.say(f"checkpoint {self.path}: can be written again")
            self._failing = False
        self._written_at = time.monotonic()

    @property
    def failing(self) -> bool:
        """Whether the last saving failed."""
        return self._failing

    def _write(self, parcel: Parcel) -> None:
        content = pack(parcel)
        if self._previous_is_better and self.path.exists():
            self.path.replace(set_aside(self.path))
        write_whole(self.path, lambda part: part.write_bytes(content), keep_previous=True)
        self._previous_is_better = False
        self._kept_up_to = parcel.chunks.stop

    def _write_or_refuse(self, parcel: Parcel) -> None:
        try:
            self._write(parcel)
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"checkpoint {self.path}: cannot be written ({reason})") from None

    def _find(self, like: Counts) -> Parcel | None:
        """Return the newest good parcel; None where nothing has been kept."""
        faults: list[str] = []
        for path in (self.path, previous_of(self.path)):
            try:
                parcel = self._read(path, like)
            except FileNotFoundError:
                continue
            except InputError as error:
                faults.append(str(error))
                if faults[0].removeprefix(str(self.path)) == faults[-1].removeprefix(str(path)):
                    del faults[1:]  # what is wrong with both is said once
                continue
            if path != self.path:
                self._previous_is_better = True
                reason = faults[0] if faults else f"{self.path}: there is no such file"
                self.say(f"checkpoint {reason}; the one before it, {path.name}, is used")
            return parcel
        if faults:
            raise InputError("checkpoint " + "\n".join(faults))
        self.say(f"checkpoint {self.path}: there is none yet; playing from the beginning")
        return None

    def _read(self, path: Path, like: Counts) -> Parcel:
        try:
            with path.open("rb") as file:
                content = file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
        parcel = unpack(content, str(path), like, self._identity)
        first, end = self._identity["chunks"]
        if parcel.chunks.start != first or parcel.chunks.stop > end:
            raise InputError(f"{path}: damaged: its chunks are not of this run")
        return parcel
