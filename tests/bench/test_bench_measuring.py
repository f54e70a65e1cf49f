"""Measuring: turns, what is counted, what is made of it."""

import itertools

import pytest

from rtpsim.bench import measure, rounds_in_all
from rtpsim.bench.machine import Machine
from rtpsim.bench.measuring import TURNS, cases_of
from rtpsim.bench.result import Case
from rtpsim.bench.timing import cycle_ns, take_turns
from rtpsim.errors import InputError, RtpsimError
from rtpsim.simulation.streams import CHUNK_ROUNDS


def test_tasks_take_turns_and_are_timed_apart():
    log = []
    seconds = itertools.accumulate(range(100))  # every reading one second further than the last
    times = take_turns({"a": log.append, "b": lambda turn: log.append(-turn)}, 3, seconds.__next__)
    assert log == [0, 0, 1, -1, 2, -2]
    assert times == {"a": [1, 5, 9], "b": [3, 7, 11]}


def test_a_cycle_is_that_of_a_processor():
    assert 0.1 < cycle_ns(3) < 5  # 10 GHz to 200 MHz


def test_the_machine_is_named():
    machine = Machine.here()
    assert machine.cores >= 1
    assert machine.compiled_for
    assert set(machine.versions) == {"python", "rtpsim", "numba", "llvmlite", "numpy"}
    assert machine.processor in str(machine)


def test_cases_of_a_game():
    # signature-surrender has two side bets and takes up to three hands and more
    assert cases_of("signature-surrender") == [
        Case("signature-surrender"),
        Case("signature-surrender", side_bets=True),
        Case("signature-surrender", hands=3),
        Case("signature-surrender", by_composition=True),
    ]


@pytest.fixture(scope="module")
def found():
    told = []
    bench = measure(["6D LS", "6D LS"], rounds=1, starts=False, progress=told.append)
    assert told[-1] == rounds_in_all(["6D LS"], 1)
    assert told == sorted(told)
    return bench


def test_a_game_given_twice_is_measured_once(found):
    assert [speed.case for speed in found.speeds] == cases_of("6D LS")


def test_rounds_are_rounded_up_to_whole_chunks(found):
    assert [speed.rounds for speed in found.speeds] == [TURNS * CHUNK_ROUNDS] * 3


def test_figures_hang_together(found):
    numbers = found.to_dict()
    one, three, composed = numbers["speeds"]
    assert 0 < one["ns"] <= one["ns_median"]
    assert one["ns"] < one["plain_ns"]
    assert one["times_plain"] == one["plain_ns"] / one["ns"]
    assert one["cycles"] == one["ns"] / numbers["cycle_ns"]
    assert one["rounds_per_s"] * one["ns"] == pytest.approx(1e9)
    assert three["plain_ns"] is three["times_plain"] is None
    assert three["ns"] > 1.5 * one["ns"]
    assert composed["states"] > 5 * one["states"] > 500
    assert one["table_kib"] > 50
    (phases,) = numbers["phases"]
    assert phases["case"] == {
        "game": "6D LS",
        "hands": 1,
        "side_bets": False,
        "by_composition": False,
    }
    # wall time there, CPU time here; both the least of many
    assert 0.5 * one["ns"] < sum(phases["ns"].values()) < 3 * one["ns"]
    assert numbers["first_start"] is None


def test_rounds_that_were_not_counted_are_no_speed(monkeypatch):
    from rtpsim.bench import measuring

    real = measuring.play_chunk

    def lazy(plan, rounds, *others):
        real(plan, rounds - 1, *others)

    monkeypatch.setattr(measuring, "play_chunk", lazy)
    with pytest.raises(RtpsimError, match=r"6D LS: \d+ of \d+ rounds were counted"):
        measure(["6D LS"], rounds=1, starts=False)


def test_an_unknown_game_is_refused_before_anything_is_played():
    with pytest.raises(InputError, match="nosuch"):
        measure(["6D LS", "nosuch"], rounds=1, starts=False)


@pytest.mark.slow
def test_a_first_start_compiles_and_a_later_one_does_not():
    bench = measure(["6D LS"], rounds=1)
    assert bench.first_start.cpu_s > 2 * bench.later_start.cpu_s > 0
