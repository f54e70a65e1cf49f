"""How results show themselves: HTML tables for notebooks, numbers for frames."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rtpsim.statistics import Estimate


def html_table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    colour: Callable[[str], tuple[str, str]] | None = None,
) -> str:
    """Return an HTML table: the first column to the left, the others to the right.

    Parameters
    ----------
    title
        Stands above it.
    columns, rows
        Texts.
    colour
        Returns background and foreground of a cell behind the first by its text; such cells are
        centred.
    """

    def cell(tag: str, text: str, first: bool) -> str:
        style = f"text-align:{'left' if first else 'right'}"
        if colour is not None and not first:
            style = "text-align:center"
            if tag == "td":
                background, foreground = colour(text)
                style += f";background:{background};color:{foreground}"
        return f'<{tag} style="{style}">{escape(text)}</{tag}>'

    def line(tag: str, texts: Sequence[str]) -> str:
        cells = (cell(tag, text, not number) for number, text in enumerate(texts))
        return f"<tr>{''.join(cells)}</tr>"

    body = "".join(line("td", row) for row in rows)
    return (
        f'<table><caption style="text-align:left">{escape(title)}</caption>'
        f"<thead>{line('th', columns)}</thead><tbody>{body}</tbody></table>"
    )


def no_number(value: float | None) -> float:
    """Return a number, NaN for None: what a column of numbers holds where there is none."""
    return math.nan if value is None else value


def percent(value: float | None, decimals: int = 4) -> str:
    """Write a proportion as a percentage; nothing where there is none."""
    return "" if value is None else f"{100 * value:.{decimals}f} %"


def signed(difference: float | None) -> str:
    """Write a difference in basis points; nothing where there is none."""
    return "" if difference is None else f"{difference:+.2f}"


def percent_within(estimate: Estimate) -> str:
    """Write an estimated proportion with the half-width of its 99 % interval."""
    return f"{percent(estimate.value)} ± {100 * estimate.half_width(0.99):.4f} (99 %)"
