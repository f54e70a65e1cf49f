"""Whole numbers as people write them in Python: ``1000`` and ``1e6`` are, ``"7"`` is not."""

from __future__ import annotations

import operator
from typing import Any

from rtpsim.errors import InputError, shown


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """Return a whole number.

    Parameters
    ----------
    name
        What it is, for the message.
    value
        An integer, numpy's included, or a float without a fraction (``1e6``).
    least, most
        The range allowed.

    Raises
    ------
    InputError
        If it is no whole number, or out of range.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < least or (most is not None and number > most):
        upper = "up" if most is None else f"to {most}"
        raise InputError(f"{name} = {shown(value)}: allowed is a whole number from {least} {upper}")
    return number
