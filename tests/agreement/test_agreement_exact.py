"""Rounds dealt by the referee alone against exact values."""

import math

import pytest

from rtpsim.games import load_game
from rtpsim.reference import referee_run
from rtpsim.strategy import default_chart

# Ordinary chart, surrender against any card: EV and mean wager, computed exactly by other means
# than this project's, and found again by simulations that share no code with it.
EXACT = {
    "signature-surrender": (-0.004117387, 1.127741160),
    "blackjack-surrender": (-0.003789448, None),
}
# Return on the total wagered, of the same source, gives the other mean wager: EV / (rtp - 1).
RTP_TOTAL = {"blackjack-surrender": 0.99663871}


def z_score(values, counts, exact):
    rounds = sum(counts)
    mean = sum(value * n for value, n in zip(values, counts, strict=True)) / rounds
    squares = sum(n * (value - mean) ** 2 for value, n in zip(values, counts, strict=True))
    return (mean - exact) / math.sqrt(squares / rounds / rounds)


@pytest.mark.slow
@pytest.mark.parametrize("name", EXACT)
def test_a_million_rounds_dealt_by_the_referee(name):
    game = load_game(name)
    tally = referee_run(game, default_chart(game), 1_000_000, seed=1, side_bets=False)
    assert tally.rounds == sum(tally.outcomes.values()) == 1_000_000
    value, wager = EXACT[name]
    wager = wager or value / (RTP_TOTAL[name] - 1)
    counts = tally.outcomes.values()
    assert abs(z_score([net / tally.unit for net, _ in tally.outcomes], counts, value)) <= 3.5
    assert abs(z_score([placed / tally.unit for _, placed in tally.outcomes], counts, wager)) <= 3.5


def test_z_score():
    """Nine heads of sixteen fair throws, in units of the standard error found, sqrt(63) / 64."""
    assert z_score([0, 1], [7, 9], 0.5) == pytest.approx(4 / math.sqrt(63))
