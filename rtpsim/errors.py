"""The errors that rtpsim raises on purpose; the command line prints them without a traceback."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class RtpsimError(Exception):
    """Something a person can put right; its text is one or two lines written for them."""


class InputError(RtpsimError, ValueError):
    """Input that cannot be understood or contradicts itself (exit status 2)."""


class ShoeExhaustedError(RtpsimError):
    """A round needed more cards than the shoe holds."""


def suggestion(given: str, allowed: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` for the closest allowed word, or an empty string."""
    close = difflib.get_close_matches(given, list(allowed), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
