"""The house style: the colours, the typeface and the manners of every figure."""

from __future__ import annotations

import io
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import matplotlib as mpl
from cycler import cycler
from matplotlib import font_manager
from matplotlib.ticker import FuncFormatter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FONTS: Final = Path(__file__).parent / "fonts"
"""The typefaces that come with the package (see ``ORIGIN.md`` there)."""

WIDTH: Final = 5.6
"""Width of a figure in inches: in print as it is, on a telephone still legible."""

INK: Final = "#1b2026"
MUTED: Final = "#5a636d"
GRID: Final = "#dcdfe3"
BLUE: Final = "#1f5a96"
ORANGE: Final = "#b9540f"
GREEN: Final = "#1b7557"
PURPLE: Final = "#84376c"
BAND: Final = "#c9daec"
PAPER: Final = "#ffffff"

LINES: Final = (BLUE, ORANGE, GREEN, PURPLE, INK, MUTED)
"""Colours of lines, in order; lightness and hue differ, and markers and labels differ as well."""
MARKERS: Final = ("o", "s", "^", "D", "v", "P")
"""Markers of lines, in order."""

DARK: Final = {
    INK: "#e8e8e4",
    MUTED: "#a3abb4",
    GRID: "#363b41",
    BLUE: "#7fb2e6",
    ORANGE: "#ee9a5c",
    GREEN: "#6cc5a2",
    PURPLE: "#d795c0",
    BAND: "#2a4058",
    PAPER: "#16181b",
}
"""What each colour becomes on a dark page: every colour of a figure is a key."""

_SUPERSCRIPTS: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@cache
def _rc() -> dict[Any, Any]:
    """Return the settings of matplotlib, and tell it of the typeface."""
    for file in sorted(FONTS.glob("*.ttf")):
        font_manager.fontManager.addfont(file)
    return {
        "font.family": ["Rtpsim Sans", "DejaVu Sans"],
        "font.size": 9.0,
        "text.color": INK,
        "axes.titlesize": 10.0,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.titlepad": 8.0,
        "axes.labelsize": 9.0,
        "axes.labelcolor": MUTED,
        "axes.edgecolor": MUTED,
        "axes.facecolor": "none",
        "axes.linewidth": 0.7,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "axes.unicode_minus": True,
        "axes.prop_cycle": cycler(color=LINES),
        "xtick.color": MUTED,
        "ytick.color": MUTED,
        "xtick.labelsize": 8.5,
        "ytick.labelsize": 8.5,
        "xtick.major.width": 0.7,
        "ytick.major.width": 0.7,
        "xtick.minor.visible": False,
        "ytick.minor.visible": False,
        "grid.color": GRID,
        "grid.linewidth": 0.6,
        "lines.linewidth": 1.3,
        "lines.markersize": 4.0,
        "patch.linewidth": 0.0,
        "legend.frameon": False,
        "legend.fontsize": 8.5,
        "figure.facecolor": PAPER,
        "figure.dpi": 110.0,
        "figure.figsize": (WIDTH, 3.0),
        "figure.constrained_layout.use": True,
        "savefig.facecolor": PAPER,
        "svg.fonttype": "none",  # text stays text: it can be selected, searched and read aloud
        "svg.hashsalt": "rtpsim",
        "pdf.fonttype": 42,
    }


@contextmanager
def house_style() -> Iterator[None]:
    """Draw in the house style: a context in which matplotlib's settings are those of rtpsim."""
    with mpl.rc_context(_rc()):
        yield


@contextmanager
def drawing(ax: Axes | None, height: float = 3.0, width: float = WIDTH) -> Iterator[Axes]:
    """Draw into axes in the house style; every plot function is written inside this context.

    Parameters
    ----------
    ax
        Axes to draw into; None makes a figure (of pyplot, so that notebooks show it).
    height, width
        Size of that figure in inches.

    Yields
    ------
    Axes
        What to draw into.
    """
    if ax is None:
        from matplotlib import pyplot as plt

        # Has the backend chosen now: that of notebooks switches matplotlib to show what is drawn,
        # and the context below would switch it back, so that the first plot were the last.
        plt.draw_if_interactive()  # type: ignore[no-untyped-call]
    with house_style():
        if ax is None:
            _, ax = plt.subplots(figsize=(width, height))
        yield ax


def new_figure(height: float = 3.0, width: float = WIDTH) -> tuple[Figure, Axes]:
    """Return a figure of the house, with one pair of axes, that pyplot does not know of."""
    from matplotlib.figure import Figure

    with house_style():
        figure = Figure(figsize=(width, height), layout="constrained")
        return figure, figure.add_subplot()


def svg_text(figure: Figure, salt: str = "rtpsim") -> str:
    """Return a figure as SVG: the same text for the same figure, without a date.

    Parameters
    ----------
    figure
        What to write.
    salt
        What the ids in the text are derived from: two figures of one page need two salts.
    """
    text = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    with mpl.rc_context({**_rc(), "svg.hashsalt": salt}):
        figure.savefig(text, format="svg", metadata=nothing, transparent=True)
    return text.getvalue()


def minus(text: str) -> str:
    """Write a true minus sign for a hyphen."""
    return text.replace("-", "−")


def number_ticks(pattern: str = "{:g}") -> FuncFormatter:
    """Return a formatter of ticks: ``pattern`` with a true minus sign, and a zero without sign."""

    def write(value: float, _: int | None = None) -> str:
        return minus(pattern.format(value)) if value else pattern.replace("+", "").format(0.0)

    return FuncFormatter(write)


def power_ticks() -> FuncFormatter:
    """Return a formatter for an axis of powers of ten: 10⁶."""

    def write(value: float, _: int | None = None) -> str:
        if value <= 0:
            return ""
        exponent = len(f"{round(value):d}") - 1
        if not 0.99 < value / 10**exponent < 1.01:
            return ""
        if exponent < 4:
            return f"{round(value):,}"
        return "10" + str(exponent).translate(_SUPERSCRIPTS)

    return FuncFormatter(write)


def no_frame(ax: Axes, *sides: str) -> None:
    """Take the named sides of the axes' frame away, with their ticks' marks."""
    for side in sides:
        ax.spines[side].set_visible(False)
    if "left" in sides:
        ax.tick_params(axis="y", length=0)
    if "bottom" in sides:
        ax.tick_params(axis="x", length=0)
