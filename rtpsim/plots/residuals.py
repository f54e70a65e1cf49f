"""Standardised residuals: how far counts lie from what is expected, table by table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rtpsim.plots.style import BLUE, GRID, MUTED, ORANGE, drawing, minus, no_frame, number_ticks
from rtpsim.statistics import normal_quantile
from rtpsim.verification.verdicts import LEVEL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

_FAR = normal_quantile(LEVEL)
"""Beyond this 1 in 100 residuals lies by chance (two-sided, normal)."""


def plot_residuals(
    residuals: Mapping[str, Mapping[str, float] | Sequence[float]],
    *,
    ax: Axes | None = None,
) -> Axes:
    """Plot standardised residuals, one row of marks for each table of frequencies.

    Parameters
    ----------
    residuals
        Name of the table -> cell -> (observed - expected) / standard deviation, no unit; or the
        residuals alone. The largest of each table is named where the cells are.
    ax
        Axes to draw into.

    Returns
    -------
    Axes
        The axes.
    """
    names = list(residuals)
    with drawing(ax, height=1.05 + 0.44 * max(len(names), 1)) as ax:
        reach = 4.0
        labels = list(names)
        for place, name in enumerate(names):
            cells = residuals[name]
            values = np.array(list(cells.values() if hasattr(cells, "values") else cells), float)
            if not len(values):
                continue
            _row(ax, place, values)
            most = int(np.argmax(np.abs(values)))
            reach = max(reach, 1.1 * abs(values[most]))
            cell = f" ({list(cells)[most]})" if hasattr(cells, "values") else ""
            labels[place] += minus(f"\n{len(values)} cells, largest {values[most]:+.2f}{cell}")
        ax.axvline(0.0, color=MUTED, linewidth=0.7, zorder=1)
        for edge in (-_FAR, _FAR):
            ax.axvline(edge, color=MUTED, linewidth=0.7, linestyle=(0, (4, 3)), zorder=1)
        ax.grid(axis="x", color=GRID)
        ax.set_xlim(-reach, reach)
        ax.set_ylim(max(len(names), 1) - 0.5, -0.6)
        ax.set_yticks(range(len(names)), labels)
        ax.xaxis.set_major_formatter(number_ticks("{:+g}"))
        no_frame(ax, "left")
        ax.set_title("Residuals of the frequencies")
        # two lines: long names at the left leave the axis little room
        ax.set_xlabel("Standardised residual (no unit)\ndashed: 1 in 100 outside")
    return ax


def _row(ax: Axes, place: int, values: np.ndarray) -> None:
    """Draw one table: a thin mark for each cell, a thick one with a cap where it is far out."""
    far = np.abs(values) > _FAR
    for marks, colour, width in ((values[~far], BLUE, 0.9), (values[far], ORANGE, 2.0)):
        # one path with gaps: hundreds of marks would else be hundreds of elements of an SVG
        x = np.repeat(marks, 3)
        y = np.tile([place - 0.22, place + 0.22, np.nan], len(marks))
        ax.plot(x, y, color=colour, linewidth=width, zorder=2, solid_capstyle="butt")
    ax.plot(values[far], np.full(far.sum(), place + 0.22), "v", color=ORANGE, zorder=3)
