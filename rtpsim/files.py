"""Files: written whole or not at all, whatever happens to the process; and where they are kept."""

from __future__ import annotations

import contextlib
import errno
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PREVIOUS = ".1"
"""What is added to a file's name for the one before it, where that is kept."""


def write_whole(
    path: str | Path, write: Callable[[Path], object], *, keep_previous: bool = False
) -> None:
    """Have a file written beside its place and moved there in one step.

    Whoever opens `path` finds the old content or the new one, never a part of either; after a
    crash of the machine too, since file and folder have reached the disk before this returns.

    Parameters
    ----------
    path
        Where the file shall stand. A link is followed; a device or a pipe is written directly.
    write
        Writes the content to the path that it is given.
    keep_previous
        Whether the old file stays, with `PREVIOUS` added to its name.

    Raises
    ------
    OSError
        If the file cannot be written; the old one is then untouched.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        write(target)
        return
    part = target.with_name(f".{target.name}.{os.getpid()}-{threading.get_ident():x}.part")
    try:
        write(part)
        with part.open("rb+") as written:
            os.fsync(written.fileno())  # or a crash could leave an empty file under the name
        if keep_previous and target.exists():
            _keep(target, part.with_suffix(".kept.part"))
        part.replace(target)
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
    _sync_folder(target.parent)


def _keep(target: Path, link: Path) -> None:
    """Keep a file under its previous name too; at no moment is there none under its own."""
    try:
        os.link(target, link)
    except OSError:  # a file system without links: between two renamings only the previous one is
        target.replace(previous_of(target))
        return
    try:
        link.replace(previous_of(target))
    finally:
        with contextlib.suppress(OSError):
            link.unlink()  # still there where both were the same file


def previous_of(path: Path) -> Path:
    """Return where the file before this one is kept."""
    return path.with_name(path.name + PREVIOUS)


def remove_parts(path: Path) -> None:
    """Remove what processes that were killed while writing a file have left beside it."""
    target = Path(os.path.realpath(path))
    for part in target.parent.glob(f".{_literal(target.name)}.*.part"):
        with contextlib.suppress(OSError):
            part.unlink()


def _literal(name: str) -> str:
    """Return a name so that `Path.glob` takes every character for itself."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in name)


def _sync_folder(folder: Path) -> None:
    """Make a file's name last through a crash; some file systems and Windows cannot."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def user_cache() -> Path:
    """Return rtpsim's folder in the user's cache directory; a relative one does not count.

    XDG Base Directory Specification, "all paths set in these environment variables must be
    absolute".
    """
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".cache") / "rtpsim"
