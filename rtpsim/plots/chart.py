"""A chart in letters and colours, or over a heat map of what its hands are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm, to_hex
from matplotlib.patches import FancyBboxPatch, Rectangle

from rtpsim.plots.style import BLUE, INK, ORANGE, PAPER, drawing, no_frame, number_ticks
from rtpsim.strategy.colours import letter_colour
from rtpsim.strategy.formats import by_block
from rtpsim.strategy.notation import COLUMNS, ROWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from matplotlib.axes import Axes

    from rtpsim.games import Game
    from rtpsim.strategy import Chart

_ROW: Final = 0.165
"""Height of a row in inches."""
_GAP: Final = 0.45
"""Rows' heights between two blocks."""
_LEFT_OUT: Final = ("hard 21", "soft 21", "soft 12", "hard 4")
"""Rows that nobody decides by: 21 stands, and two aces or twos are pairs."""
_HEAT: Final = LinearSegmentedColormap.from_list("worth", [ORANGE, PAPER, BLUE])
"""Losing hands orange, winning ones blue: told apart by colour-blind eyes, and white between."""


def plot_chart(chart: Chart, game: Game | None = None, *, ax: Axes | None = None) -> Axes:
    """Plot a chart: letters in colours; with a game, over a heat map of what its hands are worth.

    Parameters
    ----------
    chart
        The chart.
    game
        Where it is played: cells are then shaded by the mean net of the hands that they decide
        (`rtpsim.analysis.cost.CellCost.ev`), and the letters keep their colours on small plates.
    ax
        Axes to draw into.

    Returns
    -------
    Axes
        The axes. Letters say all that colours do.

    Raises
    ------
    InputError
        If the chart does not fit the game.
    """
    worths = {} if game is None else _worths(game, chart)
    blocks = {
        title: [row for row in rows if row not in _LEFT_OUT]
        for title, rows in by_block(chart).items()
        if title != "Insurance"
    }
    rows = sum(map(len, blocks.values()))
    height = _ROW * (rows + _GAP * len(blocks) + 1) + 0.9
    with drawing(ax, height=height, width=4.6 if game is None else 5.4) as ax:
        places = _draw_blocks(ax, chart, blocks, worths)
        ax.set_xlim(-0.05, len(COLUMNS) + 0.05)
        ax.set_ylim(max(places.values()) + 0.75, -0.4)
        ax.set_xticks([column + 0.5 for column in range(len(COLUMNS))], list(COLUMNS))
        ax.xaxis.tick_top()
        ax.set_yticks(list(places.values()), list(places))
        ax.tick_params(length=0, labelsize=7.5)
        ax.set_xlabel(_letters(places), fontsize=7.5)
        ax.set_ylabel("Player's hand")
        no_frame(ax, "left", "bottom")
        where = "" if game is None or game.id == chart.name else f" in {game.id}"
        ax.set_title(f"{chart.name}{where}, by the dealer's up card")
        if worths:
            _legend(ax)
    return ax


_NORM: Final = TwoSlopeNorm(0.0, -1.0, 1.0)


def _worths(game: Game, chart: Chart) -> Mapping[tuple[str, str], float]:
    from rtpsim.analysis.cost import cost

    cells = cost(game, chart).cells
    return {(cell.row, cell.up): cell.ev for cell in cells if cell.ev is not None}


def _draw_blocks(
    ax: Axes,
    chart: Chart,
    blocks: Mapping[str, list[str]],
    worths: Mapping[tuple[str, str], float],
) -> dict[str, float]:
    """Draw all cells; return the height of each row's middle."""
    places: dict[str, float] = {}
    at = 0.0
    for labels in blocks.values():
        for label in labels:
            places[label] = at
            for column, (up, cell) in enumerate(zip(COLUMNS, chart.rows[label], strict=True)):
                shade = letter_colour(cell)[0]
                if worths and not label.startswith("replace"):
                    shade = _shade(worths.get((label, up)))
                _draw_cell(ax, (column, at), cell, shade)
            at += 1
        at += _GAP if labels else 0.0
    return places


def _shade(worth: float | None) -> str:
    """Return the colour of what hands are worth; none where no hand is decided."""
    if worth is None:
        return "none"
    return to_hex(_HEAT(_NORM(min(max(worth, -1.0), 1.0))))


def _draw_cell(ax: Axes, corner: tuple[float, float], cell: str, shade: str) -> None:
    """Draw a letter on its plate, before a shade; both are one where they have one colour."""
    left, at = corner
    background, ink = letter_colour(cell)
    ax.add_patch(Rectangle((left + 0.03, at - 0.46), 0.94, 0.92, facecolor=shade, lw=0))
    if shade != background:
        plate = FancyBboxPatch(
            (left + 0.28, at - 0.28),
            0.44,
            0.56,
            boxstyle="round,pad=0,rounding_size=0.12",
            facecolor=background,
            edgecolor=INK,
            lw=0.3,
        )
        ax.add_patch(plate)
    size = 6.5 if len(cell) < 4 else 4.8
    ax.text(left + 0.5, at + 0.02, cell, ha="center", va="center", fontsize=size, color=ink)


def _letters(labels: Iterable[str]) -> str:
    """Return what the letters in some rows, and the rows' names, mean."""
    rows = [ROWS[label] for label in labels]
    said = {
        "Y yes  N no": any(row.allowed == ("Y", "N") for row in rows),
        "6+: on six cards or more": any(row.at_least > 2 for row in rows),
        "replace: the third cards that are": any(row.kind == "replace" for row in rows),
    }
    usual = "H hit  S stand  D double  P split  R surrender; h, s, p, d: else"
    more = "; ".join(text for text, needed in said.items() if needed)
    return f"{usual}\n{more}" if more else usual


def _legend(ax: Axes) -> None:
    """Draw the scale of the heat map."""
    from matplotlib.cm import ScalarMappable

    figure = ax.get_figure()
    assert figure is not None, "axes belong to a figure"
    bar = figure.colorbar(
        ScalarMappable(_NORM, _HEAT), ax=ax, shrink=0.5, aspect=30, format=number_ticks("{:+g}")
    )
    bar.set_label("Mean net of the hands decided (initial wagers); no shade: never met", fontsize=8)
    bar.outline.set_visible(False)
