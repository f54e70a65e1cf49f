"""Whole numbers: what is one, and what is said of what is none."""

import numpy as np
import pytest

import rtpsim
from rtpsim.errors import InputError
from rtpsim.wholes import whole


@pytest.mark.parametrize("value", [7, 7.0, np.int32(7), np.float64(7.0)])
def test_whole_numbers_in_every_form(value):
    found = whole("rounds", value, 1, 7)
    assert found == 7
    assert type(found) is int


@pytest.mark.parametrize("value", ["7", 7.5, True, None, 0, -1, 8, float("inf"), float("nan")])
def test_what_is_none_is_named(value):
    with pytest.raises(InputError, match=r"^rounds = .*: allowed is a whole number from 1 to 7$"):
        whole("rounds", value, 1, 7)


@pytest.mark.parametrize(
    "wrong", [{"rounds": "1e6"}, {"seed": 0.5}, {"hands": "2"}, {"workers": 0}, {"workers": 1.5}]
)
def test_runs_refuse_what_is_none(wrong):
    with pytest.raises(InputError, match=f"^{next(iter(wrong))} = "):
        rtpsim.simulate("1D SPL0", **({"rounds": 10} | wrong))


def test_runs_take_what_python_writes_as_floats():
    run = rtpsim.simulate("signature-surrender", rounds=1e3, seed=2.0, side_bets="empire-pairs")
    again = rtpsim.simulate("signature-surrender", rounds=1000, seed=2)
    assert run.outcomes == again.outcomes
    assert list(run.side_bets) == ["empire-pairs"]
