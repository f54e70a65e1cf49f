"""The clock in the kernel: it changes nothing, misses nothing, and knows which phase it is."""

import numba
import pytest

from rtpsim.games import load_game
from rtpsim.simulation import clock
from rtpsim.simulation.buffers import make_queue, make_slots
from rtpsim.simulation.clock import Phase
from rtpsim.simulation.run import make_plan, play_chunk
from rtpsim.simulation.streams import CHUNK_ROUNDS
from rtpsim.strategy import default_chart


@numba.njit
def read(times):
    clock.lap(times, clock.START)


def play(hands, side_bets, times):
    """Play a chunk of signature-surrender; return the counts and the ticks it took in all."""
    game = load_game("signature-surrender")
    plan = make_plan(
        game, default_chart(game), rounds=CHUNK_ROUNDS, seed=2, hands=hands, side_bets=side_bets
    )
    queue, slots, counts = make_queue(hands, times), make_slots(hands), plan.new_counts()
    ticks = []
    for _ in range(2):
        if times is not None:
            read(times)
            ticks.append(int(times[0]))
        play_chunk(plan, CHUNK_ROUNDS, 0, queue, slots, counts, None)
    return counts, ticks


@pytest.mark.parametrize("hands", [1, 3])
def test_nothing_else_changes(hands):
    with_clock, _ = play(hands, None, clock.new_clock())
    without, _ = play(hands, None, None)
    for one, other in zip(with_clock, without, strict=True):
        assert (one == other).all()


def test_every_tick_is_in_a_phase():
    """From one reading to the next: all but the way into the kernel; the best of some attempts."""
    missing = []
    for _ in range(5):
        times = clock.new_clock()
        _, (first, _) = play(1, None, times)
        missing.append(1 - times[1:].sum() / (times[0] - first))
        assert (times[1:] > 0).all()
    assert 0 <= min(missing) < 0.1


def test_phases_are_told_apart():
    """The side bets' phase takes time where they are played; a reading costs next to nothing."""
    shares = {}
    for bets in ((), None):
        times = clock.new_clock()
        play(1, bets, times)
        shares[bets] = times[Phase.BETS] / times[1:].sum()
    assert shares[()] < 0.02 < 0.05 < shares[None]
