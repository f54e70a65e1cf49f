"""What the dearest cells of a chart cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.plots.style import BLUE, INK, drawing, no_frame, number_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rtpsim.analysis.cost import ChartCost


def plot_costs(cost: ChartCost, cells: int = 12, *, ax: Axes | None = None) -> Axes:
    """Plot the dearest cells of a chart, and what all the others cost together.

    Parameters
    ----------
    cost
        What the cells cost (`rtpsim.analysis.cost.cost`).
    cells
        How many of them have a bar of their own.
    ax
        Axes to draw into.

    Returns
    -------
    Axes
        The axes.
    """
    dearest = [cell for cell in cost.cells[:cells] if cell.cost > 0.0]
    names = [f"{cell.row} v {cell.up}: {cell.letter}" for cell in dearest]
    values = [1000 * cell.cost for cell in dearest]
    rest = len(cost.cells) - len(dearest)
    if rest:
        names.append(f"{rest} other cells")
        values.append(1000 * cost.total - sum(values))
    with drawing(ax, height=0.24 * len(names) + 1.0) as ax:
        places = range(len(names))
        bars = ax.barh(places, values, color=BLUE, height=0.7)
        if rest:
            bars[-1].set(facecolor="none", edgecolor=BLUE, linewidth=1.0)
        for place, value in zip(places, values, strict=True):
            ax.annotate(
                f"{value:.4f}",
                (max(value, 0.0), place),
                xytext=(3, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
                color=INK,
            )
        ax.set_yticks(places, names)
        ax.invert_yaxis()
        ax.margins(x=0.14)
        no_frame(ax, "left")
        ax.xaxis.set_major_formatter(number_ticks())
        ax.set_xlabel("Cost against the best play in 1,000 rounds (initial wagers)")
        where = "" if cost.game == cost.chart else f" in {cost.game}"
        ax.set_title(f"What {cost.chart} costs{where}: {1000 * cost.total:.4f} in all")
    return ax
