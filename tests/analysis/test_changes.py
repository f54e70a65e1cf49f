"""Comparisons of two games: figures, changed cells of the best chart, there and back."""

import time

import pytest

from rtpsim.analysis.changes import changed_cells, compare
from rtpsim.errors import InputError
from rtpsim.exact import exact
from rtpsim.exact.result import solved
from rtpsim.games import load_game
from rtpsim.strategy import read_chart

SMALL = "1D SPL0"


@pytest.fixture(scope="module")
def hits_soft_17():
    return compare("6D LS", "6D H17 LS")


def test_hitting_soft_17_changes_the_cells_that_books_print(hits_soft_17):
    # Wizard of Odds, "4 to 8 decks, dealer hits soft 17": what differs from the chart for S17
    assert [tuple(cell) for cell in hits_soft_17.cells] == [
        ("hard 11", "A", "H", "Dh"),
        ("hard 15", "A", "H", "Rh"),
        ("hard 17", "A", "S", "Rs"),
        ("soft 18", "2", "S", "Ds"),
        ("soft 19", "6", "S", "Ds"),
        ("pair 8", "A", "P", "Rh"),  # what else is never asked: it cannot be split again
    ]


def test_figures_are_those_of_the_exact_engine(hits_soft_17):
    assert [row.strategy for row in hits_soft_17.rows] == ["optimal-cd", "optimal-td", "default"]
    for row in hits_soft_17.rows:
        for value, game in ((row.old, "6D LS"), (row.new, "6D H17 LS")):
            found = exact(game, row.strategy, moments=False)
            assert value.ev == pytest.approx(found.ev, abs=1e-15)
            assert value.rtp_total == pytest.approx(found.rtp_total, abs=1e-15)
        assert row.difference_bp == pytest.approx(1e4 * (row.old.ev - row.new.ev))


def test_a_game_beside_itself_differs_in_nothing():
    found = compare(SMALL, SMALL)
    assert [row.difference_bp for row in found.rows] == [0.0] * 3
    assert found.cells == ()


def test_the_other_way_round_is_the_other_sign():
    there, back = compare("1D SPL0", "2D SPL0"), compare("2D SPL0", "1D SPL0")
    assert [-row.difference_bp for row in there.rows] == [row.difference_bp for row in back.rows]
    assert [(c.row, c.up, c.new, c.old) for c in there.cells] == [tuple(c) for c in back.cells]
    assert there.cells


def test_rows_of_one_chart_only_are_compared_with_what_is_played_otherwise():
    plain, charlie = (solved(load_game(rules), "optimal-td") for rules in (SMALL, f"{SMALL} C5"))
    cells = changed_cells(plain, charlie)
    counted = [cell for cell in cells if cell.row == "hard 15 4+"]
    assert counted
    for cell in counted:
        assert cell.old == plain.cell("hard 15", "A23456789T".index(cell.up))
        assert cell.new == charlie.cell("hard 15 4+", "A23456789T".index(cell.up))
    # a cell that the chart says again in other words is no change
    assert all(cell.old != cell.new for cell in cells)


def test_one_changed_cell_is_the_one_that_is_found():
    chart = read_chart("ordinary")
    assert changed_cells(chart, chart) == ()
    [cell] = changed_cells(chart, chart.with_cell("hard 16", 9, "Rs"))
    assert tuple(cell) == ("hard 16", "T", "Rh", "Rs")


def test_charts_that_fit_one_game_only_say_so():
    found = compare("6D", "6D PD9", ["default"], cells=False)
    assert found.cells is None
    [row] = found.rows
    assert row.difference_bp is None
    assert row.new.house_edge is None
    assert "power double" in found.to_frame()["problem"].item()
    assert found.to_frame()["new_house_edge"].isna().item()


def test_frames_and_displays(hits_soft_17):
    frame = hits_soft_17.to_frame()
    expected = 1e4 * (frame["new_house_edge"] - frame["old_house_edge"])
    assert frame["difference_bp"].tolist() == pytest.approx(expected.tolist())
    assert hits_soft_17.cells_frame().shape == (6, 4)
    assert "6 cells of optimal-td change" in repr(hits_soft_17)
    page = hits_soft_17._repr_html_()
    assert page.count("<tr>") == 1 + 3 + 1 + 6
    assert "Dh" in page
    document = hits_soft_17.to_dict()
    assert len(document["changed_cells"]) == 6


def test_misspelt_games_are_told():
    with pytest.raises(InputError, match="did you mean 'classic-blackjack'"):
        compare("classic-blackjak", SMALL)


@pytest.mark.slow
def test_one_change_is_solved_and_compared_while_somebody_waits():
    base = solved(load_game("6D"), "optimal-td")
    times = []
    for rules in ("6D NDAS", "6D LSXA", "6D 6:5", "5D", "4D DOAN"):
        begun = time.process_time()
        changed_cells(base, solved(load_game(rules), "optimal-td"))
        times.append(time.process_time() - begun)
    # 0.15 to 0.2 s on a core of its own: twice that for machines that are busy
    assert sorted(times)[2] < 0.4
