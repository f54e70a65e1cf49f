"""Comparing a report with one computed anew: which figure differs, by its path."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtpsim.report.build.identity import FLOAT_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterator

_ABSOLUTE = 1e-15
"""Differences up to this are what is left of numbers that cancel."""

_TRANSFORMED = "volatility.sessions"
_TRANSFORM_ERROR = 1e-13
"""Probabilities of sessions are found by a Fourier transform, which is exact to so much."""

_LONGEST = 60
"""Characters of a value that a message shows."""


@dataclass(frozen=True)
class Difference:
    """A value that is not what it should be.

    Attributes
    ----------
    path
        Where it stands: ``exact.by_up_card.3.ev``.
    printed, expected
        What the report says, and what was computed.
    """

    path: str
    printed: Any
    expected: Any

    def __str__(self) -> str:
        return f"{self.path}: {_shown(self.printed)} in print, {_shown(self.expected)} expected"


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


MISSING = _Missing()
"""Stands for a value that is not there."""


def differences(printed: Any, expected: Any, path: str = "") -> Iterator[Difference]:
    """Yield every difference between two plain documents, in the order of the expected one.

    Floats are equal within `FLOAT_TOLERANCE`, relative; everything else has to be the same.
    """
    if isinstance(expected, dict) and isinstance(printed, dict):
        for name in [*expected, *(name for name in printed if name not in expected)]:
            place = f"{path}.{name}" if path else str(name)
            yield from differences(printed.get(name, MISSING), expected.get(name, MISSING), place)
    elif isinstance(expected, list) and isinstance(printed, list):
        for index in range(max(len(printed), len(expected))):
            one, other = (
                values[index] if index < len(values) else MISSING for values in (printed, expected)
            )
            yield from differences(one, other, f"{path}.{index}")
    elif not _same(printed, expected, path):
        yield Difference(path, printed, expected)


def _same(printed: Any, expected: Any, path: str) -> bool:
    if type(printed) is not type(expected):
        return False
    if isinstance(expected, float):
        absolute = _TRANSFORM_ERROR if path.startswith(_TRANSFORMED) else _ABSOLUTE
        return math.isclose(printed, expected, rel_tol=FLOAT_TOLERANCE, abs_tol=absolute)
    return bool(printed == expected)


def _shown(value: Any) -> str:
    """Write a value for a message, cut where it is long."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
