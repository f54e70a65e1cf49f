"""Saving plots: the formats there are, and a file that is written whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.errors import InputError
from rtpsim.files import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

FORMATS = (".png", ".svg", ".pdf")
"""Endings of plot files."""

_DOTS = 200
"""Dots an inch of a ``.png``."""


def check_plot_file(path: Path) -> None:
    """Refuse a file that could not be written, before anything is computed.

    Raises
    ------
    InputError
        If the ending is no format, or there is no such folder.
    """
    if path.suffix not in FORMATS:
        raise InputError(f"{path}: expected a name ending in {', '.join(FORMATS)}")
    if not path.absolute().parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")


def save_plot(ax: Axes, path: Path) -> None:
    """Write the figure of a plot; the same bytes for the same figure.

    Parameters
    ----------
    ax
        What a plot function returned.
    path
        Where to; its ending is one of `FORMATS`.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    from rtpsim.plots.style import house_style, svg_text

    figure = ax.get_figure(root=True)
    assert figure is not None, "plots are drawn into figures"
    name = path.suffix.removeprefix(".")
    undated = {"CreationDate": None} if name == "pdf" else None

    def write(part: Path) -> None:
        if name == "svg":
            part.write_text(svg_text(figure), encoding="utf-8")
            return
        with house_style():
            figure.savefig(part, format=name, dpi=_DOTS, metadata=undated)

    try:
        write_whole(path, write)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from None
