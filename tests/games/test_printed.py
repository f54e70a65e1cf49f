"""Figures as printed."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtpsim.errors import InputError
from rtpsim.games.printed import decimals_of, print_percentage, printed_range, prints_as


@pytest.mark.parametrize(
    ("value", "figure", "rounding", "expected"),
    [
        (Fraction(99_63499, 100_00000), "99.63", "nearest", True),
        (Fraction(99_635, 100_000), "99.63", "nearest", False),
        (Fraction(99_635, 100_000), "99.64", "nearest", True),
        (Fraction(99_625, 100_000), "99.63", "nearest", True),
        (Fraction(99_62499, 100_00000), "99.63", "nearest", False),
        (Fraction(99_639, 100_000), "99.63", "down", True),
        (Fraction(99_63, 10_000), "99.63", "down", True),
        (Fraction(99_64, 10_000), "99.63", "down", False),
        (0.963, "96.30", "nearest", True),
        (1.004, "100", "nearest", True),
    ],
)
def test_a_value_prints_as_a_figure_within_half_a_last_digit(value, figure, rounding, expected):
    assert prints_as(value, figure, rounding) is expected


@pytest.mark.parametrize(
    ("value", "decimals", "rounding", "expected"),
    [
        (Fraction(9241, 9545), 2, "nearest", "96.82"),
        (Fraction(9241, 9545), 0, "nearest", "97"),
        (Fraction(9241, 9545), 2, "down", "96.81"),
        (Fraction(1, 2000), 2, "nearest", "0.05"),
        (Fraction(0), 3, "nearest", "0.000"),
        (Fraction(1), 1, "nearest", "100.0"),
    ],
)
def test_percentages_are_rounded_half_up_or_cut(value, decimals, rounding, expected):
    assert print_percentage(value, decimals, rounding) == expected


@given(
    st.fractions(0, 2, max_denominator=10**6),
    st.integers(0, 4),
    st.sampled_from(["nearest", "down"]),
)
def test_what_is_printed_prints_as_itself(value, decimals, rounding):
    figure = print_percentage(value, decimals, rounding)
    assert decimals_of(figure) == decimals
    assert prints_as(value, figure, rounding)
    low, high = printed_range(figure, rounding)
    assert high - low == Fraction(1, 100 * 10**decimals)
    assert not prints_as(high, figure, rounding)


@pytest.mark.parametrize("text", ["", "99,63", "-1.0", "1e5", ".5", "99.", "99.63 %", "9" * 5000])
def test_what_is_no_figure_is_refused(text):
    with pytest.raises(InputError, match="expected a percentage"):
        printed_range(text)
