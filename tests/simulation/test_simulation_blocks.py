"""Blocks of a run: handed on whole, in order, and adding up to the run."""

import threading

import numpy as np
import pytest

from rtpsim.games import load_game
from rtpsim.simulation import run
from rtpsim.simulation.run import add_counts, make_plan, run_blocks, run_plan
from rtpsim.strategy import default_chart

GAME = load_game("signature-surrender")
CHART = default_chart(GAME)
ROUNDS = 12_345


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch):
    monkeypatch.setattr(run, "CHUNK_ROUNDS", 1000)


def plan(rounds=ROUNDS):
    return make_plan(GAME, CHART, rounds=rounds, seed=3, hands=1, side_bets=None)


def played(blocks, **how):
    found = []
    run_blocks(plan(), blocks, found.append, **how)
    return found


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_blocks_come_in_order_and_add_up_to_the_run(workers):
    blocks = [range(1), range(1, 6), range(6, 9), range(9, 13)]
    found = played(blocks, workers=workers)
    assert [block.chunks for block in found] == blocks
    assert [int(block.counts.labels.sum()) for block in found] == [1000, 5000, 3000, 3345]
    total = plan().new_counts()
    for block in found:
        add_counts(total, block.counts)
    one = plan()
    assert same(one.ordered(total), run_plan(one, workers=1))


def test_a_block_does_not_depend_on_the_others():
    alone = played([range(6, 9)])
    among = played([range(6), range(6, 9), range(9, 11)], workers=2)
    assert same(alone[0].counts, among[1].counts)
    assert not same(alone[0].counts, played([range(5, 8)])[0].counts)


def test_a_stopped_run_hands_on_the_chunks_before():
    stop = threading.Event()

    def progress(rounds):
        if rounds >= 7000:
            stop.set()

    found = played([range(4), range(4, 13)], workers=1, progress=progress, stop=stop)
    assert [block.chunks for block in found] == [range(4), range(4, 7)]
    whole = played([range(4, 7)])
    assert same(found[1].counts, whole[0].counts)
