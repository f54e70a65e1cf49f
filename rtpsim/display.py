"""How results show themselves: HTML tables for notebooks, numbers for frames."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rtpsim.statistics import Estimate

MAIN_FIGURES: Final[Mapping[str, tuple[str, str]]] = {
    "rtp_total": ("return on all that was wagered (rtp_total)", "%"),
    "rtp_initial": ("return on the initial wager (rtp_initial)", "%"),
    "house_edge": ("house edge, 1 - rtp_initial", "%"),
    "element_of_risk": ("element of risk, 1 - rtp_total", "%"),
    "ev": ("expected net of a round (initial wagers)", ""),
    "mean_wager": ("mean wager of a round (initial wagers)", ""),
    "variance": ("variance of the net (initial wagers squared)", ""),
    "sd": ("standard deviation of the net (initial wagers)", ""),
    "hit_frequency": ("rounds that net more than 0 (hit frequency)", "%"),
}
"""Figure of the main game -> what it is, with its base or unit; whether it is shown in percent."""


def main_figure(name: str, value: float, decimals: int, in_percent: int) -> tuple[str, str]:
    """Return what a figure of the main game is, and its value as it is shown.

    Parameters
    ----------
    name, value
        A key of `MAIN_FIGURES`, and the figure.
    decimals, in_percent
        Decimals of a figure in initial wagers, and of one in percent.
    """
    words, unit = MAIN_FIGURES[name]
    return words, f"{100 * value:.{in_percent}f} %" if unit else f"{value:.{decimals}f}"


CAPTION: Final = "text-align:left;width:max-content;max-width:48em"
"""A title is no narrower than it needs, however narrow the table below it."""


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
        Texts; without rows the title stands alone.
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
    head = f"<thead>{line('th', columns)}</thead>" if body else ""
    return (
        f'<table><caption style="{CAPTION}">{escape(title)}</caption>'
        f"{head}<tbody>{body}</tbody></table>"
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
