"""Tallies in a report: read back as they were counted, and refused where they contradict."""

import numpy as np
import pytest
from synthetic_report import synthetic_report

from rtpsim.errors import InputError
from rtpsim.games import load_game
from rtpsim.report.audit.replay import replay
from rtpsim.report.tallies import (
    growing_tallies,
    pack_labels,
    pack_run,
    unpack_block,
    unpack_labels,
    whole_tally,
)
from rtpsim.runs.prepared import prepare
from rtpsim.runs.run import Run
from rtpsim.strategy import default_chart


@pytest.fixture(scope="module", params=[("blackjack-surrender", 2), ("power-blackjack", 1)])
def played(request):
    name, hands = request.param
    game = load_game(name)
    run = prepare(Run(game, default_chart(game), 600_000, 9, hands)).play(in_blocks=True)
    return game, run, pack_run(run)


def test_a_run_is_read_back_as_it_was_counted(played):
    _, run, packed = played
    tally = whole_tally(packed)
    assert tally.outcomes == run.result.outcomes
    assert tally.insurance == run.result.insurance
    assert tally.side_bets == run.result.side_bets
    assert tally.labels == run.result.labels
    assert np.array_equal(tally.initial, run.result.initial)
    assert (tally.unit, tally.hands, tally.rounds) == (2, run.result.hands, 600_000)


def test_blocks_can_be_played_again(played):
    game, run, packed = played
    for number, block in enumerate(run.blocks):
        assert unpack_block(packed, number) == block
    assert replay(game, default_chart(game), 9, 600_000, packed.hands, unpack_block(packed, 1)).same


def test_blocks_add_up(played):
    _, run, packed = played
    first, whole = growing_tallies(packed, [1, len(packed.blocks)])
    assert first.outcomes == run.blocks[0].outcomes
    assert whole.outcomes == run.result.outcomes


def test_blocks_that_are_not_contiguous_are_refused(played):
    *_, packed = played
    first, second = packed.blocks[:2]
    twice = second.model_copy(update={"first_chunk": first.first_chunk})
    damaged = packed.model_copy(update={"blocks": (first, twice, *packed.blocks[2:])})
    with pytest.raises(InputError, match=r"blocks\.1: chunks 0 to 0; expected from chunk 1 on"):
        whole_tally(damaged)


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
