"""Percentages as they are printed: which values print as a given figure."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Literal

from rtpsim.errors import InputError, shown

Rounding = Literal["nearest", "down"]
"""``nearest``: half a last digit and more goes up; ``down``: further digits are cut off."""

_FIGURE = re.compile(r"[0-9]{1,4}(?:\.([0-9]{1,9}))?")


def decimals_of(figure: str) -> int:
    """Return how many decimals a figure is printed with.

    Raises
    ------
    InputError
        If it is no figure such as ``99.63``.
    """
    match = _FIGURE.fullmatch(figure)
    if match is None:
        raise InputError(f"figure {shown(figure)}: expected a percentage as printed, such as 99.63")
    return len(match[1] or "")


def print_percentage(value: Fraction | float, decimals: int, rounding: Rounding = "nearest") -> str:
    """Return a ratio (0.9963, not below 0) as a percentage with so many decimals (``99.63``)."""
    last_digits = Fraction(value) * 100 * 10**decimals
    whole = math.floor(last_digits + (Fraction(1, 2) if rounding == "nearest" else 0))
    digits = f"{whole:0{decimals + 1}d}"
    return f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits


def prints_as(value: Fraction | float, figure: str, rounding: Rounding = "nearest") -> bool:
    """Say whether a ratio, printed with the figure's decimals, is that figure."""
    low, high = printed_range(figure, rounding)
    return low <= value < high


def printed_range(figure: str, rounding: Rounding = "nearest") -> tuple[Fraction, Fraction]:
    """Return the ratios that print as a figure: from the first, up to but without the second.

    Raises
    ------
    InputError
        If it is no figure such as ``99.63``.
    """
    digit = Fraction(1, 100 * 10 ** decimals_of(figure))
    low = Fraction(figure) / 100 - (digit / 2 if rounding == "nearest" else 0)
    return low, low + digit
