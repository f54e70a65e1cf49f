"""How a simulated return closes in on the exact one as rounds are played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rtpsim.plots.style import BAND, BLUE, GRID, INK, ORANGE, drawing, number_ticks, power_ticks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

_SEEN = 3.5
"""The axis reaches so many of the half-widths at the first tenth of the points."""


def plot_convergence(
    rounds: ArrayLike,
    estimates: ArrayLike,
    half_widths: ArrayLike,
    exact: float | None = None,
    *,
    quantity: str = "Return on the total amount wagered",
    level: float = 0.99,
    ax: Axes | None = None,
) -> Axes:
    """Plot an estimate and its interval against the number of rounds.

    Parameters
    ----------
    rounds
        Rounds played so far, ascending, shape (n,).
    estimates
        The return after so many rounds, a ratio (0.9963), shape (n,).
    half_widths
        Half-widths of its interval, in the same unit, shape (n,).
    exact
        The exact return, a ratio; drawn as a line.
    quantity
        What is estimated, with its base: the label of the vertical axis.
    level
        Confidence level of the interval.
    ax
        Axes to draw into.

    Returns
    -------
    Axes
        The axes.
    """
    n = np.asarray(rounds, dtype=float)
    value = 100 * np.asarray(estimates, dtype=float)
    half = 100 * np.asarray(half_widths, dtype=float)
    with drawing(ax, height=2.9) as ax:
        ax.set_xscale("log")
        ax.fill_between(n, value - half, value + half, color=BAND, linewidth=0, zorder=1)
        ax.plot(n, value, color=BLUE, zorder=3)
        ax.plot(n[-1:], value[-1:], color=BLUE, marker="o", zorder=4)
        _set_limits(ax, value, half, None if exact is None else 100 * exact)
        if exact is not None:
            ax.axhline(100 * exact, color=ORANGE, linestyle=(0, (5, 2)), linewidth=1.1, zorder=2)
            _label(ax, n, 100 * exact, f"exact {100 * exact:.4f} %", above=value[-1] < 100 * exact)
        ax.grid(axis="y", color=GRID)
        ax.xaxis.set_major_formatter(power_ticks())
        ax.xaxis.set_minor_formatter(power_ticks())
        ax.yaxis.set_major_formatter(number_ticks("{:.2f}"))
        ax.set_title("Convergence of the simulation")
        ax.set_xlabel("Rounds played (logarithmic)")
        ax.set_ylabel(f"{quantity} (%)")
        _key(ax, f"line: estimate; band: {100 * level:g} % interval")
    return ax


def _key(ax: Axes, text: str) -> None:
    """Write in the corner what the marks are."""
    corner = ax.transAxes
    ax.text(0.99, 0.97, text, transform=corner, ha="right", va="top", color=INK, fontsize=8.5)


def _set_limits(ax: Axes, value: np.ndarray, half: np.ndarray, exact: float | None) -> None:
    """Show all but the wild beginning; keep the exact value in sight."""
    early = half[min(len(half) - 1, len(half) // 10)]
    middle = value[-1] if exact is None else exact
    reach = max(_SEEN * early, 1.4 * abs(value[-1] - middle), 1.4 * half[-1])
    if np.isfinite(reach) and reach > 0:
        ax.set_ylim(middle - reach, middle + reach)


def _label(ax: Axes, n: Sequence[float] | np.ndarray, y: float, text: str, above: bool) -> None:
    """Write next to the end of a horizontal line what it is."""
    ax.annotate(
        text,
        (n[-1], y),
        xytext=(0, 14 if above else -14),
        textcoords="offset points",
        ha="right",
        va="center",
        color=ORANGE,
        fontsize=8.5,
    )
