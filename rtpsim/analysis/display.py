"""How results show themselves: HTML tables for notebooks, numbers for frames."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def html_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return an HTML table: the first column to the left, the others to the right."""

    def cells(tag: str, texts: Sequence[str]) -> str:
        sides = ["left", *["right"] * (len(texts) - 1)]
        return "".join(
            f'<{tag} style="text-align:{side}">{escape(text)}</{tag}>'
            for side, text in zip(sides, texts, strict=True)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return (
        f'<table><caption style="text-align:left">{escape(title)}</caption>'
        f"<thead><tr>{cells('th', columns)}</tr></thead><tbody>{body}</tbody></table>"
    )


def no_number(value: float | None) -> float:
    """Return a number, NaN for None: what a column of numbers holds where there is none."""
    return math.nan if value is None else value


def percent(value: float | None, decimals: int = 4) -> str:
    """Write a proportion as a percentage; nothing where there is none."""
    return "" if value is None else f"{100 * value:.{decimals}f} %"
