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


SEVERAL = [one for one in READINGS if load_game(one[0]).max_hands > 1]
EACH = [(*one, False) for one in READINGS] + [(*one, True) for one in SEVERAL]


def called(value):
    if isinstance(value, bool):
        return "most hands" if value else "one hand"
    return value if isinstance(value, str) else "as it is" if value is None else "=".join(value)


def compare(name, reading, several, rounds, seed):
    plain = load_game(name)
    game = plain.with_settings(dict([reading] if reading else []))
    hands = min(game.max_hands, MAX_HANDS) if several else 1
    # where a reading concerns the main game alone, the side bets need not be judged once more
    bets = () if reading and game.side_bets == plain.side_bets else None
    chart = default_chart(game)
    assert disagreements(game, chart, rounds, seed=seed, hands=hands, side_bets=bets) == []


def test_readings_are_all_there():
    counted = {name: sum(other == name for other, _ in READINGS) for name in game_names()}
    assert counted == {
        "signature-surrender": 4,
        "power-blackjack": 6,
        "blackjack-surrender": 6,
        "classic-blackjack": 5,
    }


@pytest.mark.parametrize(("name", "reading", "several"), EACH, ids=called)
def test_same_rounds(name, reading, several):
    compare(name, reading, several, 1000 if several and reading else 10_000, seed=2)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading", "several"), EACH, ids=called)
def test_same_rounds_long(name, reading, several):
    compare(name, reading, several, 100_000, seed=3)
