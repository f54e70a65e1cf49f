"""The errors that rtpsim raises on purpose; the command line prints them without a traceback."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class RtpsimError(Exception):
    """Something a person can put right; its text is one or two lines written for them.

    Parameters
    ----------
    message
        The text. It may quote a stranger's file: what would steer a terminal is written as an
        escape.
    """

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


class InputError(RtpsimError, ValueError):
    """Input that cannot be understood or contradicts itself (exit status 2)."""


class ContradictionError(InputError):
    """Rules that are allowed each by itself, but cannot hold together."""


class ShoeExhaustedError(RtpsimError):
    """A round needed more cards than the shoe holds."""


class ClusterError(RtpsimError):
    """A cluster that cannot go on with a run; what was played by then is good."""


def visible(text: str) -> str:
    """Return a text with escapes for what would steer a terminal; line ends stay."""
    return "".join(
        character
        if character.isprintable() or character == "\n"
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def shown(value: object, limit: int = 60) -> str:
    """Return a value as a message can show it: as Python writes it, on one line, cut if long."""
    # a string is cut before it is written out: it may be as long as the file it comes from
    try:
        text = repr(value[: limit + 1] if isinstance(value, str) else value)
    except ValueError:  # Python declines to write out whole numbers of thousands of digits
        text = "a number of thousands of digits"
    return text if len(text) <= limit else f"{text[:limit]}..."


def suggestion(given: str, allowed: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` for the closest allowed word, or an empty string."""
    # the comparison takes time that grows with the square of the length
    close = difflib.get_close_matches(given[:100], list(allowed), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
