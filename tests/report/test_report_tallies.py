"""Tallies in a report: read back as they were counted, and refused where they contradict."""

import numpy as np
import pytest
from synthetic_report import synthetic_report

from rtpsim.errors import InputError
from rtpsim.games import load_game
from rtpsim.report.blocks import replay, simulate_blocks
from rtpsim.report.tallies import (
    growing_tallies,
    pack_labels,
    pack_run,
    unpack_block,
    unpack_labels,
    whole_tally,
)
from rtpsim.strategy import default_chart


@pytest.fixture(scope="module", params=[("blackjack-surrender", 2), ("power-blackjack", 1)])
def played(request):
    name, hands = request.param
    game = load_game(name)
    run = simulate_blocks(game, default_chart(game), rounds=600_000, seed=9, hands=hands)
    return game, run, pack_run(9, run)


def test_a_run_is_read_back_as_it_was_counted(played):
    _, run, packed = played
    tally = whole_tally(packed)
    assert tally.outcomes == run.tally.outcomes
    assert tally.insurance == run.tally.insurance
    assert tally.side_bets == run.tally.side_bets
    assert tally.labels == run.tally.labels
    assert np.array_equal(tally.initial, run.tally.initial)
    assert (tally.unit, tally.hands, tally.rounds) == (2, run.tally.hands, 600_000)


def test_blocks_can_be_played_again(played):
    game, run, packed = played
    for number, block in enumerate(run.blocks.blocks):
        assert unpack_block(packed, number) == block
    assert replay(game, default_chart(game), 9, 600_000, packed.hands, unpack_block(packed, 1)).same


def test_blocks_add_up(played):
    _, run, packed = played
    first, whole = growing_tallies(packed, [1, len(packed.blocks)])
    assert first.outcomes == run.blocks.blocks[0].outcomes
    assert whole.outcomes == run.tally.outcomes


def test_labels_take_little_room():
    report = synthetic_report("signature-surrender")
    labels = report.reproducibility.tallies[0].labels
    counted = unpack_labels(labels)
    assert pack_labels(counted) == labels
    assert len(labels.model_dump_json()) < 12 * len(counted) + 20_000


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        (((0, 0, (0,), (1, 2)),), "does not go together"),
        (((0, 9, (0,), (1,)),), "does not go together"),
        (((0, 0, (99_999,), (1,)),), "does not go together"),
        (((0, 0, (0,), (-1,)),), "below 0"),
        (((0, -1, (0,), (1,)),), "below 0"),
    ],
)
def test_damaged_labels_are_refused(groups, said):
    labels = synthetic_report("signature-surrender").reproducibility.tallies[0].labels
    damaged = labels.model_copy(update={"groups": groups, "kinds": labels.kinds[:9]})
    with pytest.raises(InputError, match=said):
        unpack_labels(damaged)
