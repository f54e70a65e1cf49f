"""Published, exact and simulated returns with their intervals on one line a wager."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtpsim.games.printed import printed_range
from rtpsim.plots.style import (
    BLUE,
    GRID,
    INK,
    MUTED,
    ORANGE,
    PURPLE,
    drawing,
    no_frame,
    number_ticks,
)
from rtpsim.verification.verdicts import LEVEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from rtpsim.games import Game
    from rtpsim.verification.verdicts import GameVerification


@dataclass(frozen=True)
class VerdictLine:
    """What one line of the picture shows of a wager; returns are ratios (0.9963).

    Attributes
    ----------
    title
        Name of the wager.
    exact, simulated, half_width
        Exact and simulated return on one base, and the half-width of the simulated one's interval.
    published
        The returns that print as the published figure: from, to; None where nothing is published.
    printed
        The published figure as printed, in percent.
    """

    title: str
    exact: float
    simulated: float | None
    half_width: float | None
    published: tuple[float, float] | None = None
    printed: str | None = None


def verdict_lines(judged: GameVerification, game: Game) -> list[VerdictLine]:
    """Return what the picture shows of a game that was judged, wager by wager.

    Parameters
    ----------
    judged
        What `rtpsim.verify` returned.
    game
        The game that it judged.
    """
    lines = []
    for one in judged.wagers:
        figure = game.published_for(one.wager)
        edges = None if figure is None else printed_range(figure.rtp, figure.rounding)
        lines.append(
            VerdictLine(
                one.title,
                float(one.exact),
                one.simulated.value,
                one.simulated.half_width(LEVEL),
                None if edges is None else (float(edges[0]), float(edges[1])),
                one.published,
            )
        )
    return lines


def plot_verdicts(
    lines: Sequence[VerdictLine],
    *,
    level: float = 0.99,
    ax: Axes | None = None,
) -> Axes:
    """Plot published, exact and simulated returns as differences from the exact one.

    Parameters
    ----------
    lines
        One for each wager, from the top. The published figure is drawn as the bar of the returns
        that print so, the exact one as a diamond, the simulated one as a point with its interval.
    level
        Confidence level of the intervals.
    ax
        Axes to draw into; the horizontal one is in percentage points.

    Returns
    -------
    Axes
        The axes.
    """
    with drawing(ax, height=1.05 + 0.46 * max(len(lines), 1)) as ax:
        ax.axvline(0.0, color=GRID, linewidth=1.0, zorder=0)
        for place, line in enumerate(lines):
            _draw(ax, place, line)
        _set_limits(ax, lines)
        ax.set_yticks(range(len(lines)), [line.title for line in lines])
        ax.tick_params(axis="y", labelcolor=INK)
        ax.set_ylim(max(len(lines), 1) - 0.45, -0.75)
        ax.locator_params(axis="x", nbins=7)
        ax.xaxis.set_major_formatter(number_ticks("{:+g}"))
        no_frame(ax, "left")
        ax.set_title("Published, exact and simulated", pad=22.0)
        ax.set_xlabel("Difference from the exact return (percentage points)")
        _legend(ax, lines, level)
    return ax


def _draw(ax: Axes, place: int, line: VerdictLine) -> None:
    if line.published is not None:
        low, high = (100 * (edge - line.exact) for edge in line.published)
        ax.barh(place, high - low, left=low, height=0.46, color=ORANGE, alpha=0.28, zorder=1)
        for edge in (low, high):
            ax.vlines(edge, place - 0.23, place + 0.23, color=ORANGE, linewidth=1.0, zorder=1)
    if line.simulated is not None and line.half_width is not None:
        ax.errorbar(
            100 * (line.simulated - line.exact),
            place + 0.1,
            xerr=100 * line.half_width,
            color=BLUE,
            marker="o",
            capsize=3.0,
            linewidth=1.4,
            zorder=3,
        )
    ax.plot(0.0, place - 0.1, marker="D", color=PURPLE, markersize=4.5, linestyle="none", zorder=4)


def _set_limits(ax: Axes, lines: Sequence[VerdictLine]) -> None:
    """Make the axis symmetrical about the exact value."""
    reach = 0.01
    for line in lines:
        if line.published is not None:
            reach = max(reach, *(100 * abs(edge - line.exact) for edge in line.published))
        if line.simulated is not None and line.half_width is not None:
            reach = max(reach, 100 * (abs(line.simulated - line.exact) + line.half_width))
    ax.set_xlim(-1.12 * reach, 1.12 * reach)


def _legend(ax: Axes, lines: Sequence[VerdictLine], level: float) -> None:
    """Say beneath the title what the marks are, with the marks themselves."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    marks: list[Line2D | Patch] = []
    if any(line.published is not None for line in lines):
        marks.append(
            Patch(
                facecolor=(*_rgb(ORANGE), 0.28),
                edgecolor=ORANGE,
                lw=1.0,
                label="prints as published",
            )
        )
    marks.append(Line2D([], [], color=PURPLE, marker="D", linestyle="none", label="exact"))
    if any(line.simulated is not None for line in lines):
        marks.append(
            Line2D([], [], color=BLUE, marker="o", label=f"simulated, {100 * level:g} % interval")
        )
    ax.legend(
        handles=marks,
        loc="lower left",
        bbox_to_anchor=(-0.01, 0.97),
        ncols=3,
        borderaxespad=0.0,
        columnspacing=1.4,
        handlelength=1.6,
        labelcolor=MUTED,
    )


def _rgb(colour: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    return to_rgb(colour)
