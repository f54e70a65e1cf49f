"""Formats: how a figure of the report is printed, each way with a name."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Callable

NOTHING = "–"
"""What stands for a figure that does not exist."""

BASES = {
    "total": "on the total amount wagered",
    "initial": "on the initial bets",
    "stake": "on its stake",
}
"""What a return is a return on, in words."""

_BLANK = "\N{NO-BREAK SPACE}"


WORDS = frozenset({"base", "date", "text", "words", "yesno"})
"""Formats that print words, not numbers."""


def minus(text: str) -> str:
    """Write a true minus sign for the hyphen of a number."""
    return text.replace("-", "−")


def two_digits(value: float) -> str:
    """Write a number that is not negative with two significant digits, without an exponent."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    # rounded first: 0.0996 has its two digits one place further to the left (0.10)
    exponent = math.floor(math.log10(float(f"{value:.1e}")))
    return f"{value:.{max(0, 1 - exponent)}f}"


def _power(value: float, digits: int = 2) -> Markup:
    """Write a small number as ``3.1 × 10`` to a power."""
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return Markup("{}{}×{}10<sup>{}</sup>").format(
        minus(mantissa), _BLANK, _BLANK, minus(str(int(exponent)))
    )


def _percent(value: float) -> str:
    return minus(f"{100 * value:.4f}{_BLANK}%")


def _signed(value: float, decimals: int) -> str:
    """Write a number with its sign; what rounds to 0 has none."""
    text = f"{value:+,.{decimals}f}"
    return minus(text) if text.strip("+-0.") else text[1:]


def _points(value: float) -> str:
    return _signed(100 * value, 4)


def _probability(value: float) -> str | Markup:
    """Write a chance in percent; what four decimals cannot show, as a power of ten."""
    return _percent(value) if value == 0 or value >= 1e-5 else _power(value, 3)


def _p_value(value: float) -> str | Markup:
    return f"{value:.3f}" if value >= 0.0005 else _power(value)


def _one_in(value: float) -> str:
    return f"1 in {value:,.0f}" if value >= 100 else f"1 in {value:.1f}"


def _count(value: float) -> str:
    return minus(f"{value:,.0f}")


def _date(value: str) -> str:
    """Write an ISO 8601 moment in UTC for people."""
    day, _, time = value.partition("T")
    return f"{day} {time[:5]} UTC" if time else day


FORMATS: dict[str, Callable[[Any], str | Markup]] = {
    "base": lambda value: BASES[value],
    "bp": lambda value: _signed(value, 2),
    "count": _count,
    "date": _date,
    "int": lambda value: str(value),
    "n2": lambda value: minus(f"{value:,.2f}"),
    "n4": lambda value: minus(f"{value:,.4f}"),
    "n6": lambda value: minus(f"{value:,.6f}"),
    "odds": _one_in,
    "p": _p_value,
    "percent": _percent,
    "points": _points,
    "pp": lambda value: minus(f"{100 * value:.4f}"),
    "printed": lambda value: f"{value}{_BLANK}%",
    "probability": _probability,
    "range": lambda value: minus(f"{100 * value:.6f}"),
    "s1": lambda value: _signed(value, 1),
    "s2": lambda value: _signed(value, 2),
    "s6": lambda value: _signed(value, 6),
    "se": two_digits,
    "sepp": lambda value: two_digits(100 * value),
    "text": escape,
    "share": lambda value: f"{100 * value:g}{_BLANK}%",
    "size": lambda value: f"{len(value):,}",
    "tiny": lambda value: "0" if value == 0 else _power(value),
    "words": lambda value: str(value).replace("-", " ").replace("_", " "),
    "yesno": lambda value: "yes" if value else "no",
}
"""Name -> how it is printed; the names are what ``data-at`` says in the HTML behind the path.

``percent``: a ratio in percent, four decimals; ``points``: the same with its sign, for differences;
``pp``: without the sign ``%``; ``range``: six decimals; ``share``: as many as it has.
``probability``: a chance. ``se``, ``sepp``: two significant digits, as it is and in percentage
points. ``s1`` ``s2`` ``s6``: with a sign and so many decimals; ``n2`` ``n4`` ``n6``: without.
``units:N``: whole numbers of 1 / N, with a sign; ``amount:N``: without.
"""


def print_figure(value: Any, name: str) -> str | Markup:
    """Print a figure of the report in a named format.

    Parameters
    ----------
    value
        As the JSON has it; None prints as a dash.
    name
        A key of `FORMATS`, or ``units:N``, ``amount:N``.
    """
    if value is None:
        return NOTHING
    form, _, unit = name.partition(":")
    if form == "units":
        return minus(f"{value / int(unit):+g}") if value else "0"
    if form == "amount":
        return f"{value / int(unit):g}"
    return FORMATS[form](value)
