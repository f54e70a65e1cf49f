"""Blocks played again: the same to the last bit, or what differs is told."""

import dataclasses

import pytest

from rtpsim.errors import InputError
from rtpsim.games import load_game
from rtpsim.report.audit.replay import replay
from rtpsim.runs import blocks as module
from rtpsim.runs.blocks import block_ranges
from rtpsim.runs.play import play
from rtpsim.runs.run import Run
from rtpsim.simulation import run
from rtpsim.strategy import default_chart

GAME = load_game("signature-surrender")
CHART = default_chart(GAME)


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch):
    monkeypatch.setattr(run, "CHUNK_ROUNDS", 1000)
    monkeypatch.setattr(module, "block_ranges", lambda chunks: block_ranges(chunks, 4))


class TestReplay:
    @pytest.fixture(params=[1, 2])
    def hands(self, request):
        return request.param

    @pytest.fixture
    def blocks(self, hands):
        return play(Run(GAME, CHART, 9_500, 7, hands), in_blocks=True).blocks

    def test_every_block_comes_out_the_same(self, blocks, hands):
        for block in blocks:
            again = replay(GAME, CHART, 7, 9_500, hands, block)
            assert again.same
            assert again.block == block

    def test_one_round_moved_is_found(self, blocks, hands):
        block = blocks[1]
        (one, n), (other, m), *rest = block.outcomes.items()
        moved = dataclasses.replace(block, outcomes={one: n - 1, other: m + 1, **dict(rest)})
        found = replay(GAME, CHART, 7, 9_500, hands, moved).differences
        assert len(found) == 2
        assert f"outcomes {one}: {n - 1} rounds; played again: {n}" in found[0]

    def test_a_side_bet_a_hash_another_seed_and_another_length_are_found(self, blocks, hands):
        last = blocks[-1]
        bets = {**last.side_bets, "empire-pairs": {(): last.rounds}}
        changed = dataclasses.replace(last, side_bets=bets)
        found = replay(GAME, CHART, 7, 9_500, hands, changed).differences
        assert any("side bet empire-pairs" in line for line in found)
        changed = dataclasses.replace(last, sha256="0" * 64)
        assert "sha256" in replay(GAME, CHART, 7, 9_500, hands, changed).differences[0]
        assert not replay(GAME, CHART, 8, 9_500, hands, last).same
        assert "3500 rounds" in replay(GAME, CHART, 7, 9_600, hands, last).differences[0]

    def test_a_changed_chart_letter_is_found(self, blocks, hands):
        rows = {**CHART.rows, "hard 16": ("S",) * 10}
        other = dataclasses.replace(CHART, rows=rows)
        assert not replay(GAME, other, 7, 9_500, hands, blocks[0]).same

    def test_chunks_that_the_run_has_not(self, blocks, hands):
        for change in ({"first_chunk": 7}, {"first_chunk": -1}, {"chunks": 0}):
            with pytest.raises(InputError, match="has 0 to 9"):
                replay(GAME, CHART, 7, 9_500, hands, dataclasses.replace(blocks[-1], **change))
