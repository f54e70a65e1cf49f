"""What each single change of a rule does to the house edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rtpsim.plots.style import BLUE, INK, MUTED, ORANGE, drawing, minus, no_frame, number_ticks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike


def plot_effects(
    changes: Sequence[str],
    effects: ArrayLike,
    *,
    base: str = "",
    ordered: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Plot the effect of rule changes on the house edge as horizontal bars.

    Parameters
    ----------
    changes
        What is changed, in words, shape (n,).
    effects
        Change of the house edge (a ratio of the initial wager: 0.0022), shape (n,); drawn in basis
        points (0.01 %). Above 0 it favours the house.
    base
        The rules that are changed, for the title.
    ordered
        Whether to order by effect; otherwise as given, from the top.
    ax
        Axes to draw into.

    Returns
    -------
    Axes
        The axes. Bars for the house are hatched and point to the right; values stand beside them.
    """
    points = 1e4 * np.asarray(effects, dtype=float)
    order = np.argsort(-points, kind="stable") if ordered else np.arange(len(points))
    with drawing(ax, height=1.0 + 0.21 * max(len(points), 1)) as ax:
        for place, index in enumerate(order):
            _bar(ax, place, float(points[index]))
        low, high = float(np.min(points, initial=0.0)), float(np.max(points, initial=0.0))
        room = 0.22 * max(1.0, high - low)  # for the figures beside the bars
        ax.set_xlim(low - (room if low < 0 else 0.1 * room), high + room)
        ax.set_ylim(len(points) - 0.4, -0.6)
        ax.set_yticks(range(len(order)), [changes[index] for index in order])
        ax.tick_params(axis="y", labelcolor=INK)
        ax.axvline(0.0, color=MUTED, linewidth=0.7)
        ax.xaxis.set_major_formatter(number_ticks("{:+g}"))
        no_frame(ax, "left")
        ax.set_title(f"Effect of single rule changes{f' on {base}' if base else ''}")
        ax.set_xlabel("Change of the house edge (basis points)")
        ax.text(
            0.99,
            0.02,
            "hatched, +: for the house\nplain, −: for the player",
            transform=ax.transAxes,
            ha="right",
            va="bottom",
            color=MUTED,
            fontsize=8.0,
        )
    return ax


def _bar(ax: Axes, place: int, value: float) -> None:
    house = value > 0
    ax.barh(
        place,
        value,
        height=0.66,
        color=ORANGE if house else BLUE,
        hatch="////" if house else None,
        edgecolor="white",
        linewidth=0.0,
    )
    ax.annotate(
        minus(f"{value:+.1f}") if abs(value) >= 0.05 else "0.0",
        (value, place),
        xytext=(4 if value >= 0 else -4, 0),
        textcoords="offset points",
        ha="left" if value >= 0 else "right",
        va="center",
        fontsize=8.0,
        color=INK,
    )
