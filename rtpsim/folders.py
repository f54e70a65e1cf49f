"""Folders: where rtpsim keeps what it can find again."""

from __future__ import annotations

import os
from pathlib import Path


def user_cache() -> Path:
    """Return rtpsim's folder in the user's cache directory; a relative one does not count.

    XDG Base Directory Specification, "all paths set in these environment variables must be
    absolute".
    """
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".cache") / "rtpsim"
