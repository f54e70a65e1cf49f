"""Kernel against referee on the same cards: the four games, under every reading."""

import pytest
from kernel_rounds import disagreements

from rtpsim.games import game_names, load_game
from rtpsim.simulation.tables import MAX_HANDS
from rtpsim.strategy import default_chart


def readings():
    """Every game as it is, and with each reading's other options one at a time."""
    for name in game_names():
        yield name, None
        for reading in load_game(name).readings:
            for option in reading.options:
                if option != reading.default:
                    yield name, (reading.id, option)


READINGS = list(readings())


def called(value):
    return value if isinstance(value, str) else "as it is" if value is None else "=".join(value)


def compare(name, reading, rounds, *, several, seed):
    game = load_game(name)
    game = game.with_settings(dict([reading] if reading else []))
    hands = min(game.max_hands, MAX_HANDS) if several else 1
    assert disagreements(game, default_chart(game), rounds, seed=seed, hands=hands) == []


def test_readings_are_all_there():
    counted = {name: sum(other == name for other, _ in READINGS) for name in game_names()}
    assert counted == {
        "signature-surrender": 4,
        "power-blackjack": 6,
        "blackjack-surrender": 6,
        "classic-blackjack": 5,
    }


@pytest.mark.parametrize(("name", "reading"), READINGS, ids=called)
def test_same_rounds(name, reading):
    compare(name, reading, 10_000, several=False, seed=2)


SEVERAL = [one for one in READINGS if load_game(one[0]).max_hands > 1]


@pytest.mark.parametrize(("name", "reading"), SEVERAL, ids=called)
def test_same_rounds_of_several_hands(name, reading):
    compare(name, reading, 3000 if reading else 10_000, several=True, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("several", [False, True], ids=["one hand", "most hands"])
@pytest.mark.parametrize(("name", "reading"), READINGS, ids=called)
def test_same_rounds_long(name, reading, several):
    if several and load_game(name).max_hands == 1:
        several = False  # another hundred thousand rounds of one hand
    compare(name, reading, 100_000, several=several, seed=5 if several else 4)
