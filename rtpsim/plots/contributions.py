"""Where the return comes from: what each way for a hand to go adds to a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.plots.style import BLUE, INK, MUTED, ORANGE, drawing, minus, no_frame, number_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rtpsim.outcomes.contributions import Contributions


def plot_contributions(parts: Contributions, *, ax: Axes | None = None) -> Axes:
    """Plot what each source adds to the result of a thousand rounds, and their sum.

    Parameters
    ----------
    parts
        Where the return comes from (`rtpsim.outcomes.contributions.exact_contributions`).
    ax
        Axes to draw into; the horizontal one is in initial wagers.

    Returns
    -------
    Axes
        The axes. The names say how often each comes; losses are hatched and point to the left.
    """
    ordered = sorted(parts.by_source, key=lambda one: -one.ev)
    names = [
        f"{one.source.replace('-', ' ')} ({100 * one.probability:.1f} % of rounds)"
        for one in ordered
    ]
    values = [1000 * one.ev for one in ordered]
    with drawing(ax, height=0.28 * (len(names) + 1) + 1.0) as ax:
        for place, value in enumerate([*values, 1000 * parts.ev]):
            _bar(ax, place, value, total=place == len(values))
        ax.set_yticks(range(len(names) + 1), [*names, "all together"])
        ax.tick_params(axis="y", labelcolor=INK)
        ax.axhline(len(names) - 0.5, color=MUTED, linewidth=0.5)
        ax.axvline(0.0, color=MUTED, linewidth=0.7)
        ax.invert_yaxis()
        ax.margins(x=0.14)
        no_frame(ax, "left")
        ax.xaxis.set_major_formatter(number_ticks("{:+g}"))
        ax.set_title("Where the result comes from")
        ax.set_xlabel("Net result of 1,000 rounds (initial wagers)")
    return ax


def _bar(ax: Axes, place: int, value: float, *, total: bool) -> None:
    lost = value < 0
    colour = INK if total else ORANGE if lost else BLUE
    hatch = "////" if lost and not total else None
    ax.barh(place, value, height=0.66, color=colour, hatch=hatch, edgecolor="white", linewidth=0.0)
    ax.annotate(
        minus(f"{value:+.1f}"),
        (value, place),
        xytext=(-4 if lost else 4, 0),
        textcoords="offset points",
        ha="right" if lost else "left",
        va="center",
        fontsize=8.0,
        color=INK,
    )
