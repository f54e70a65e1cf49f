"""The house edge against a rule that is varied."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rtpsim.games.wording import RULE_NAMES
from rtpsim.plots.style import GRID, LINES, MARKERS, MUTED, drawing, no_frame, number_ticks
from rtpsim.rules import written

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

FIGURE: Final = re.compile(r"( on the .*)? *\([^()]*\)$")
"""What an axis' label says of a figure besides its name: its base, and its unit in brackets."""

_GAP = 10.0
"""Points between two labels of lines, so that they can be read."""


def plot_sweep(
    frame: pd.DataFrame,
    x: str | None = None,
    line: str | None = None,
    *,
    value: str = "house_edge",
    label: str = "House edge on the initial wager (%)",
    title: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Plot a figure against a varied rule, with one line for each value of a second rule.

    Parameters
    ----------
    frame
        One row for each combination: columns named by the rules, and one with the figure.
    x
        Column along the axis; if not given, the first.
    line
        Column of which each value has a line of its own; if not given, the second one that has
        several values and is not the figure, if there is one.
    value
        Column of the figure, a ratio (0.0041): drawn in percent.
    label
        What the figure is, with its base and unit; stands along the axis.
    title
        Stands above; if not given, what the figure is, and what it is plotted by.
    ax
        Axes to draw into.

    Returns
    -------
    Axes
        The axes. Lines differ by marker and have their names written beside them, besides colour.
    """
    x = x or str(frame.columns[0])
    line = line or _second(frame, x, value)
    places = list(dict.fromkeys(frame[x].tolist()))
    with drawing(ax, height=3.1) as ax:
        ends = []
        groups = [(None, frame)] if line is None else list(frame.groupby(line, sort=False))
        for index, (name, part) in enumerate(groups):
            heights = (100 * part[value]).tolist()
            at = [places.index(one) for one in part[x].tolist()]
            colour, marker = LINES[index % len(LINES)], MARKERS[index % len(MARKERS)]
            ax.plot(at, heights, color=colour, marker=marker, markersize=5.0)
            if name is not None:
                ends.append((heights[-1], at[-1], _text(name), colour))
        ax.set_xticks(range(len(places)), [_text(place) for place in places])
        ax.margins(x=0.04, y=0.1)
        ax.grid(axis="y", color=GRID)
        if _crosses_zero(ax):
            ax.axhline(0.0, color=MUTED, linewidth=0.7)
        ax.yaxis.set_major_formatter(number_ticks("{:.2f}"))
        no_frame(ax, "left")
        ax.set_xlabel(_words(x, begin=True))
        ax.set_ylabel(label)
        by = " and ".join(_words(one) for one in (x, line) if one)
        ax.set_title(f"{FIGURE.sub('', label)} by {by}" if title is None else title)
        _label_ends(ax, ends)
    return ax


def _second(frame: pd.DataFrame, x: str, value: str) -> str | None:
    """Return the column after `x` that is varied too, if any."""
    for column in frame.columns:
        if column in (x, value):
            continue
        if not frame.duplicated(subset=[x, column]).any() and len(set(frame[column])) > 1:
            return str(column) if frame.duplicated(subset=[x]).any() else None
    return None


def _crosses_zero(ax: Axes) -> bool:
    low, high = ax.get_ylim()
    return low < 0.0 < high


def _words(name: str, begin: bool = False) -> str:
    """Return what a column is called, as it begins a line or stands within one."""
    words = RULE_NAMES.get(name, name.replace("_", " ").replace("-", " "))
    return words[:1].upper() + words[1:] if begin else words


def _text(value: Any) -> str:
    """Return a value as people write it."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    return written(value)


def _label_ends(ax: Axes, ends: list[tuple[float, int, str, str]]) -> None:
    """Write the lines' names at their right ends, apart from each other."""
    if not ends:
        return
    low, high = ax.get_ylim()
    points = 72.0 * ax.get_window_extent().height / ax.figure.dpi
    gap = _GAP / max(points, 1.0) * (high - low)
    height = -float("inf")
    for end, at, name, colour in sorted(ends):
        height = max(end, height + gap)
        ax.annotate(
            name,
            (at, end),
            xytext=(8.0, (height - end) / (high - low) * points),
            textcoords="offset points",
            va="center",
            color=colour,
            annotation_clip=False,
        )
