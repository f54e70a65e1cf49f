"""Blocks of a run: they add up to it however it is played, stopped, kept and continued."""

import dataclasses
import hashlib
import json
import threading

import numpy as np
import pytest
from played import a_run

from rtpsim.errors import InputError
from rtpsim.games import load_game
from rtpsim.runs import blocks as module
from rtpsim.runs.blocks import BlockTally, block_ranges
from rtpsim.runs.checkpoint import Checkpoint
from rtpsim.runs.play import Threads, play
from rtpsim.simulation import run, simulate
from rtpsim.strategy import default_chart

pytestmark = pytest.mark.usefixtures("small_chunks")


@pytest.fixture
def _few_blocks(monkeypatch):
    monkeypatch.setattr(module, "block_ranges", lambda chunks: block_ranges(chunks, 4))


def summed(blocks, part):
    """Add a part of all blocks up, in the plainest way."""
    total = {}
    for block in blocks:
        for key, count in block.parts[part].items():
            total[key] = total.get(key, 0) + count
    return total


@pytest.mark.parametrize("chunks", [1, 2, 255, 256, 257, 1000, 3815, 38147])
@pytest.mark.parametrize("first", [0, 17])
def test_ranges_cover_every_chunk_once(chunks, first):
    asked = range(first, first + chunks)
    ranges = block_ranges(asked)
    assert [chunk for one in ranges for chunk in one] == list(asked)
    assert len(ranges) <= 256
    assert len(ranges[0]) == 1  # a plot on a logarithmic axis begins early
    assert max(map(len, ranges)) <= chunks // 192 + 1


@pytest.mark.usefixtures("_few_blocks")
@pytest.mark.parametrize("hands", [1, 3])
@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("piece", [1, 3, 32])
def test_blocks_add_up_to_the_run(hands, workers, piece):
    some = a_run(9_500, hands=hands)
    played = play(some, engine=Threads(workers, piece), in_blocks=True)
    whole = simulate(some.game, some.chart, rounds=9_500, seed=some.seed, hands=hands)
    assert [block.chunks for block in played.blocks] == [1, 2, 3, 4]
    assert [block.first_chunk for block in played.blocks] == [0, 1, 3, 6]
    assert [block.rounds for block in played.blocks] == [1000, 2000, 3000, 3500]
    assert summed(played.blocks, "outcomes") == whole.outcomes == played.tally.outcomes
    assert summed(played.blocks, "insurance") == whole.insurance
    for bet, tally in whole.side_bets.items():
        assert summed(played.blocks, f"side bet {bet}") == tally
    assert played.tally.labels == whole.labels
    assert np.array_equal(played.tally.initial, whole.initial)


def test_insured_rounds_are_told_apart():
    game = load_game("blackjack-surrender")
    chart = default_chart(game)
    insuring = dataclasses.replace(chart, rows={**chart.rows, "insurance": ("N",) * 9 + ("Y",)})
    for hands in (1, 2):
        some = a_run(3_000, game=game, chart=insuring, hands=hands)
        whole = simulate(game, insuring, rounds=3_000, seed=some.seed, hands=hands)
        assert summed(play(some, in_blocks=True).blocks, "insurance") == whole.insurance
        assert len(whole.insurance) > 2


def test_the_hash_is_of_every_count_in_the_documented_order():
    some = a_run(1_000, side_bets=("empire-pairs",))
    counts = run.run_plan(some.plan())
    written = b""
    for array in (counts.labels, counts.initial, counts.totals, counts.insurance, counts.bets):
        written += len(array).to_bytes(8, "little")
        written += b"".join(int(count).to_bytes(8, "little") for count in array)
    (block,) = play(some, in_blocks=True).blocks
    assert block.sha256 == hashlib.sha256(written).hexdigest()


def test_nobody_asked():
    assert play(a_run(1_000)).blocks is None


@pytest.mark.usefixtures("_few_blocks")
class TestStopped:
    """A run of ten chunks, stopped after four of them: within the third of its four blocks."""

    def play(self, path, *, stop_after=None, resume=False, in_blocks=True, said=None):
        stop = threading.Event()

        def progress(rounds):
            if stop_after is not None and rounds >= stop_after:
                stop.set()

        say = [].append if said is None else said.append
        checkpoint = Checkpoint(path, resume=resume, every=0, say=say)
        return play(
            a_run(9_500),
            engine=Threads(1, 1),
            checkpoint=checkpoint,
            in_blocks=in_blocks,
            progress=progress,
            stop=stop,
        )

    def test_the_last_block_is_cut_short(self, tmp_path):
        played = self.play(tmp_path / "run.ckpt", stop_after=4_000)
        assert [block.chunks for block in played.blocks] == [1, 2, 1]
        assert [block.rounds for block in played.blocks] == [1000, 2000, 1000]
        some = a_run(4_000)
        whole = simulate(some.game, some.chart, rounds=4_000, seed=some.seed)
        assert summed(played.blocks, "outcomes") == whole.outcomes == played.tally.outcomes

    @pytest.mark.parametrize("stops", [(4_000,), (1_000,), (2_000, 5_000, 6_000), (9_500,)])
    def test_a_run_that_goes_on_has_the_blocks_of_one_never_stopped(self, tmp_path, stops):
        path = tmp_path / "run.ckpt"
        for number, rounds in enumerate(stops):
            self.play(path, stop_after=rounds, resume=number > 0)
        assert self.play(path, resume=True).blocks == play(a_run(9_500), in_blocks=True).blocks

    def test_blocks_that_were_kept_are_kept_on(self, tmp_path):
        path = tmp_path / "run.ckpt"
        self.play(path, stop_after=1_000)
        self.play(path, stop_after=4_000, resume=True, in_blocks=False)
        assert self.play(path, resume=True).blocks == play(a_run(9_500), in_blocks=True).blocks

    def test_what_was_kept_without_blocks_cannot_have_them(self, tmp_path):
        path = tmp_path / "run.ckpt"
        self.play(path, stop_after=4_000, in_blocks=False)
        with pytest.raises(InputError, match=r"run\.ckpt: kept by a command that needs no blocks"):
            self.play(path, resume=True)
        assert self.play(path, resume=True, in_blocks=False).tally.rounds == 9_500

    def test_other_blocks_are_damage(self, tmp_path, monkeypatch):
        path = tmp_path / "run.ckpt"
        self.play(path, stop_after=4_000)
        monkeypatch.setattr(module, "block_ranges", lambda chunks: block_ranges(chunks, 3))
        with pytest.raises(InputError, match="damaged: its blocks are not those of the run"):
            self.play(path, resume=True)


class TestJson:
    @pytest.fixture
    def block(self):
        return play(a_run(1_000, hands=2), in_blocks=True).blocks[0]

    def test_round_trip(self, block):
        assert BlockTally.from_dict(json.loads(json.dumps(block.to_dict()))) == block

    @pytest.mark.parametrize(
        "change",
        [
            lambda d: d.pop("sha256"),
            lambda d: d["outcomes"].pop(),
            lambda d: d["outcomes"][0].__setitem__(1, -4),
            lambda d: d["outcomes"][0].__setitem__(1, 4.0),
            lambda d: d["insurance"][0].__setitem__(1, 7),
            lambda d: d.update(rounds=999),
            lambda d: d.update(side_bets=[]),
        ],
    )
    def test_damage_is_refused(self, block, change):
        document = block.to_dict()
        change(document)
        with pytest.raises((ValueError, KeyError, TypeError, AttributeError)):
            BlockTally.from_dict(document)
