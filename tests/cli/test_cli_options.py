"""Numbers and settings as people type them."""

import click
import pytest

from rtpsim.cli.options import MOST_ROUNDS, setting, whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        ("1e9", 1_000_000_000),
        ("1_000_000_000", 1_000_000_000),
        ("1E+6", 1_000_000),
        ("1.5e6", 1_500_000),
        ("2.50e1", 25),
        ("1000000.0", 1_000_000),
        ("1e15", 10**15),
        # beyond what a float holds exactly
        ("999999999999999", 999_999_999_999_999),
    ],
)
def test_numbers_are_exact(text, number):
    assert whole_number(1, MOST_ROUNDS)(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "-1",
        "1.5",
        "1e-3",
        "2e15",
        "1e400",
        "1e999999999",
        "inf",
        "nan",
        "",
        "ten",
        "1e",
        "0x10",
    ],
)
def test_other_numbers_are_refused(text):
    with pytest.raises(click.BadParameter, match=r"expected a whole number from 1 to 1e15"):
        whole_number(1, MOST_ROUNDS)(text)


def test_settings_are_name_and_value():
    assert setting("soft17=hit") == ("soft17", "hit")
    assert setting(" natural_pays = 6:5 ") == ("natural_pays", "6:5")


@pytest.mark.parametrize("text", ["soft17", "=hit", "soft17=", "="])
def test_half_a_setting_is_refused(text):
    with pytest.raises(click.BadParameter, match="expected NAME=VALUE"):
        setting(text)
