"""Sweeps: every combination, those that contradict themselves, tables, executors."""

from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest

from rtpsim.analysis.sweep import MOST, sweep
from rtpsim.analysis.tasks import Task, run_task
from rtpsim.analysis.values import chosen
from rtpsim.errors import InputError
from rtpsim.exact import exact
from rtpsim.games import load_game

SMALL = "1D SPL0"
GRID = {"decks": [1, 2], "soft17": ["stand", "hit"]}


@pytest.fixture(scope="module")
def small():
    return sweep(SMALL, GRID, ["default", "optimal-td"])


def test_every_combination_is_valued_as_the_exact_engine_values_it(small):
    assert [tuple(row.settings.values()) for row in small.rows] == [
        (1, "stand"),
        (1, "hit"),
        (2, "stand"),
        (2, "hit"),
    ]
    for row in small.rows:
        for value, strategy in zip(row.values, ["default", "optimal-td"], strict=True):
            found = exact(load_game(SMALL).replace(**row.settings), strategy, moments=False)
            assert value.ev == pytest.approx(found.ev, abs=1e-15)
            assert row.rules == str(found.game.rules)


def test_the_frame_is_tidy_and_the_csv_is_the_frame(small, tmp_path):
    frame = small.to_frame()
    assert len(frame) == 8
    assert frame["decks"].tolist() == [1, 1, 1, 1, 2, 2, 2, 2]
    assert frame["house_edge"].tolist() == [-value.ev for row in small.rows for value in row.values]
    assert (frame["house_edge"] + frame["rtp_initial"]).tolist() == pytest.approx([1.0] * 8)
    path = tmp_path / "table.csv"
    small.to_csv(path)
    read = pd.read_csv(path, keep_default_na=False)
    assert list(read.columns) == list(frame.columns)
    assert read["house_edge"].tolist() == pytest.approx(frame["house_edge"].tolist(), abs=1e-15)
    with pytest.raises(InputError, match="cannot be written"):
        small.to_csv(tmp_path / "no" / "table.csv")


def test_the_frame_of_one_strategy_is_what_a_plot_takes(small):
    frame = small.to_frame("optimal-td")
    assert set(frame["strategy"]) == {"optimal-td"}
    assert len(frame) == 4
    with pytest.raises(InputError, match="the sweep has default, optimal-td"):
        small.to_frame("optimal-2c")


def test_contradictions_are_rows_and_not_the_end():
    grid = {"splits": [0, 3], "resplit_aces": [False, True]}
    found = sweep("8D", grid, ["default"], keep=True)
    assert [bool(row.problem) for row in found.rows] == [False, True, False, False]
    assert "no hand may be split again" in found.problems[0].problem
    frame = found.to_frame()
    assert frame["house_edge"].isna().tolist() == [False, True, False, False]
    assert len(found.to_frame("default")) == 3
    assert "1 of 4 combinations" in repr(found)
    assert found._repr_html_().count("<tr>") == 5
    document = found.to_dict()
    assert document["varied"] == grid
    assert document["rows"][1]["values"] == []


def test_a_chart_that_does_not_fit_is_a_problem_of_that_strategy():
    found = sweep(SMALL, {"power_double": ["none", "9-11"]}, ["default", "optimal-td"])
    assert [[bool(value.problem) for value in row.values] for row in found.rows] == [
        [False, False],
        [True, False],
    ]
    assert found.to_frame()["problem"].str.contains("power double").tolist() == [
        False,
        False,
        True,
        False,
    ]


def test_readings_are_varied_too():
    found = sweep("signature-surrender", {"surrender-vs-ace": ["allowed", "not"]}, ["default"])
    # 99.6349 and 99.6305 % of the total wagered: the readings of the game's published figure
    assert [100 * row.values[0].rtp_total for row in found.rows] == pytest.approx(
        [99.6349, 99.6304], abs=6e-5
    )


def test_any_executor_finds_the_same(small):
    tasks = [Task(load_game("1D SPL0"), chosen(["default"]), keep=False)]
    assert run_task(tasks[0]) == small.rows[0].values[:1]
    with ThreadPoolExecutor(2) as pool:
        assert sweep(SMALL, GRID, ["default", "optimal-td"], mapper=pool.map).rows == small.rows


@pytest.mark.slow
def test_several_processes_find_the_same(small):
    assert sweep(SMALL, GRID, ["default", "optimal-td"], workers=2).rows == small.rows


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({}, "nothing is varied"),
        ({"decks": []}, "decks has no values"),
        ({"decks": [1, "1"]}, "decks = 1 is there twice"),
        ({"deck": [1, 2]}, "did you mean 'decks'"),
        ({"soft17": ["stand", "sit"]}, "allowed is 'stand' or 'hit'"),
        ({"decks": range(1, MOST + 2)}, f"{MOST + 1} combinations"),
    ],
)
def test_slips_are_told_before_anything_is_valued(grid, message):
    with pytest.raises(InputError, match=message):
        sweep(SMALL, grid, ["default"])
