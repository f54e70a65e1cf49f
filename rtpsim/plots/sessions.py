"""What a session of many rounds comes to: quantiles, and the whole distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rtpsim.plots.style import BAND, BLUE, GRID, INK, MUTED, drawing, minus, no_frame, number_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike


def plot_sessions(
    quantiles: Mapping[int, Mapping[float, float]],
    *,
    ax: Axes | None = None,
) -> Axes:
    """Plot quantiles of a session's net result, one bar for each length of session.

    Parameters
    ----------
    quantiles
        Rounds of the session -> probability -> net result in initial wagers that the session
        falls below with that probability. The outermost two make the thin line, the next two the
        bar; 0.5 is the mark.
    ax
        Axes to draw into; the horizontal one is in initial wagers.

    Returns
    -------
    Axes
        The axes.
    """
    lengths = list(quantiles)
    with drawing(ax, height=1.2 + 0.5 * max(len(lengths), 1)) as ax:
        ax.axvline(0.0, color=MUTED, linewidth=0.7, zorder=0)
        for place, rounds in enumerate(lengths):
            _session(ax, place, dict(sorted(quantiles[rounds].items())))
        ax.grid(axis="x", color=GRID)
        ax.set_yticks(range(len(lengths)), [f"{rounds:,} rounds" for rounds in lengths])
        ax.set_ylim(max(len(lengths), 1) - 0.5, -0.6)
        ax.margins(x=0.1)
        ax.xaxis.set_major_formatter(number_ticks("{:+,g}"))
        no_frame(ax, "left")
        ax.set_title("What a session comes to", pad=20.0)
        ax.text(0.0, 1.03, _marks(quantiles), transform=ax.transAxes, color=MUTED, fontsize=8.5)
        ax.set_xlabel("Net result of the session (initial wagers)")
    return ax


def _pairs(probabilities: list[float]) -> list[tuple[float, float]]:
    """Return the quantiles that belong together, the outermost first."""
    below = [p for p in probabilities if p < 0.5]
    above = [p for p in reversed(probabilities) if p > 0.5]
    return list(zip(below, above, strict=False))


def _session(ax: Axes, place: int, of: dict[float, float]) -> None:
    pairs = _pairs(list(of))
    for index, (low, high) in enumerate(pairs):
        if index == 0:
            ax.hlines(place, of[low], of[high], color=BLUE, linewidth=1.2, zorder=2)
            for p, side in ((low, "right"), (high, "left")):
                ax.annotate(
                    minus(f"{of[p]:+,.0f}"),
                    (of[p], place),
                    xytext=(-3 if side == "right" else 3, 0),
                    textcoords="offset points",
                    ha=side,
                    va="center",
                    fontsize=8.0,
                    color=INK,
                )
        else:
            height, colour = (0.3, BAND) if index == 1 else (0.46, BLUE)
            left, width = of[low], of[high] - of[low]
            ax.barh(place, width, left=left, height=height, color=colour, zorder=1 + index)
    if 0.5 in of:
        ax.plot(of[0.5], place, marker="D", color=INK, markersize=4.5, zorder=6)


def _marks(quantiles: Mapping[int, Mapping[float, float]]) -> str:
    """Say what the marks are: which quantiles."""
    if not quantiles:
        return ""
    pairs = _pairs(sorted(next(iter(quantiles.values()))))
    names = ("line", "bar", "inner bar")
    said = [
        f"{name}: {100 * low:g} to {100 * high:g} %"
        for name, (low, high) in zip(names, pairs, strict=False)
    ]
    return ", ".join([*said, "diamond: median"])


def plot_session_distribution(
    net: ArrayLike,
    probability: ArrayLike,
    *,
    rounds: int,
    ax: Axes | None = None,
) -> Axes:
    """Plot the distribution of a session's net result.

    Parameters
    ----------
    net
        Net results in initial wagers, ascending, shape (n,).
    probability
        Their probabilities, shape (n,).
    rounds
        How many rounds the session has, for the title.
    ax
        Axes to draw into.

    Returns
    -------
    Axes
        The axes.
    """
    x, p = np.asarray(net, dtype=float), np.asarray(probability, dtype=float)
    with drawing(ax, height=2.6) as ax:
        cumulative = np.cumsum(p)
        seen = (cumulative > 1e-4) & (cumulative < 1 - 1e-4)
        x, p = x[seen], p[seen]
        ax.fill_between(x, p, step="mid", color=BAND, linewidth=0)
        ax.step(x, p, where="mid", color=BLUE, linewidth=0.9)
        ax.axvline(0.0, color=MUTED, linewidth=0.7)
        ax.set_ylim(bottom=0.0)
        ax.xaxis.set_major_formatter(number_ticks("{:+,g}"))
        ax.set_title(f"A session of {rounds:,} rounds")
        ax.set_xlabel("Net result of the session (initial wagers)")
        ax.set_ylabel("Probability")
    return ax
