"""Charts and their costs, drawn: the pictures, and what they must say."""

from functools import cache

import pytest
from test_plots import BASELINE, _closed, difference  # noqa: F401

from rtpsim import plots
from rtpsim.analysis.cost import cost
from rtpsim.games import load_game
from rtpsim.plots import style
from rtpsim.strategy import COLUMNS, read_chart

GAME = load_game("classic-blackjack")
CHART = read_chart("classic-blackjack")


@cache
def costs():
    return cost(GAME)


DRAWN = {
    "chart": lambda ax=None: plots.plot_chart(CHART, ax=ax),
    "chart-worths": lambda ax=None: plots.plot_chart(CHART, GAME, ax=ax),
    "costs": lambda ax=None: plots.plot_costs(costs(), 8, ax=ax),
}


def picture(ax, path):
    with style.house_style():
        ax.figure.savefig(path, dpi=42)  # hundreds of cells: small, or the file is large
    return path


@pytest.mark.parametrize("name", DRAWN)
def test_pictures_are_as_they_were(name, tmp_path):
    actual = picture(DRAWN[name](), tmp_path / f"{name}.png")
    assert difference(actual) is None
    assert (BASELINE / actual.name).stat().st_size < 60_000


def test_a_changed_letter_is_noticed(tmp_path):
    changed = CHART.with_cell("hard 16", 9, "S").with_cell("soft 18", 9, "S")
    rows = {**CHART.rows, **{row: changed.rows[row] for row in ("hard 16", "soft 18")}}
    chart = type(CHART)(CHART.name, rows)
    actual = picture(plots.plot_chart(chart), tmp_path / "chart.png")
    assert difference(actual) is not None


@pytest.mark.parametrize("name", DRAWN)
def test_axes_are_taken_titled_and_returned(name):
    _, ax = style.new_figure()
    assert DRAWN[name](ax) is ax
    assert ax.get_title(loc="left")
    assert ax.get_xlabel()


def test_every_letter_is_written():
    ax = plots.plot_chart(CHART)
    written = [text.get_text() for text in ax.texts]
    rows = [tick.get_text() for tick in ax.get_yticklabels()]
    assert written == [cell for row in rows for cell in CHART.rows[row]]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == list(COLUMNS)
    assert {"hard 5", "hard 20", "soft 13", "pair A"} <= set(rows)


def test_what_stands_below_a_chart_is_what_its_rows_need():
    assert "Y yes" not in plots.plot_chart(CHART).get_xlabel()
    below = plots.plot_chart(read_chart("power-blackjack")).get_xlabel()
    assert all(words in below for words in ("Y yes  N no", "six cards or more", "third cards"))


def test_bars_are_as_long_as_cells_are_dear_and_add_up():
    ax = plots.plot_costs(costs(), 5)
    lengths = [bar.get_width() for bar in ax.patches]
    assert lengths[:5] == pytest.approx([1000 * cell.cost for cell in costs().cells[:5]])
    assert sum(lengths) == pytest.approx(1000 * costs().total)
