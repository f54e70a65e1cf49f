"""Checkpoints: a run stopped anywhere goes on to the same integers; damage is told of."""

import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import played
import pytest
from played import a_run, fingerprint

from rtpsim.errors import InputError
from rtpsim.games import load_game
from rtpsim.runs.checkpoint import Checkpoint
from rtpsim.runs.play import Threads, pieces_of, play
from rtpsim.runs.shards import Shard
from rtpsim.simulation import simulate
from rtpsim.strategy import default_chart

pytestmark = pytest.mark.usefixtures("small_chunks")

ROUNDS = 20_345


def whole(rounds=ROUNDS, **changes):
    """Return the fingerprint of the run as the library has always played it."""
    run = a_run(rounds, **changes)
    return fingerprint(
        simulate(run.game, run.chart, rounds=rounds, seed=run.seed, hands=run.hands, workers=1)
    )


class Kept:
    """A run with a checkpoint, and what the checkpoint said."""

    def __init__(self, path, run=None, workers=1):
        self.path = path
        self.run = run or a_run(ROUNDS)
        self.engine = Threads(workers, piece_chunks=1)
        self.said = []

    def play(self, stop_after=None, resume=False, every=0):
        stop = threading.Event()

        def progress(rounds):
            if stop_after is not None and rounds >= stop_after:
                stop.set()

        checkpoint = Checkpoint(self.path, resume=resume, every=every, say=self.said.append)
        return play(
            self.run, engine=self.engine, checkpoint=checkpoint, progress=progress, stop=stop
        )


@pytest.fixture
def kept(tmp_path):
    return Kept(tmp_path / "run.ckpt")


def test_blocks_are_played_in_pieces():
    assert pieces_of([range(5, 12)], 3) == [range(5, 8), range(8, 11), range(11, 12)]
    blocks = [range(1), range(1, 5), range(5, 7)]
    assert pieces_of(blocks, 3) == [range(1), range(1, 4), range(4, 5), range(5, 7)]
    assert pieces_of(blocks, 9) == blocks


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("hands", [1, 3])
def test_stopped_twice_gives_the_same_integers(tmp_path, workers, hands):
    kept = Kept(tmp_path / "run.ckpt", a_run(ROUNDS, hands=hands), workers)
    first = kept.play(stop_after=4000)
    assert not first.complete
    assert 4 <= len(first.chunks) < 21
    assert first.tally.rounds == 1000 * len(first.chunks)
    second = kept.play(stop_after=first.tally.rounds + 5000, resume=True)
    assert second.resumed_rounds == first.tally.rounds < second.tally.rounds < ROUNDS
    last = kept.play(resume=True)
    assert last.complete
    assert fingerprint(last.tally) == whole(hands=hands)
    assert kept.said == []
    again = kept.play(resume=True)
    assert fingerprint(again.tally) == fingerprint(last.tally)
    assert again.resumed_rounds == ROUNDS


def test_progress_counts_what_was_resumed(kept):
    kept.play(stop_after=4000)
    told = []
    checkpoint = Checkpoint(kept.path, resume=True)
    play(kept.run, engine=kept.engine, checkpoint=checkpoint, progress=told.append)
    assert told[0] == 5000
    assert told[-1] == ROUNDS


def test_nothing_kept_yet_begins_and_says_so(kept):
    assert fingerprint(kept.play(resume=True).tally) == whole()
    assert kept.said == [f"checkpoint {kept.path}: there is none yet; playing from the beginning"]


def test_a_kept_run_is_not_overwritten_by_mistake(kept):
    kept.play(stop_after=4000)
    before = kept.path.read_bytes()
    with pytest.raises(InputError, match="exists already; --resume goes on"):
        kept.play()
    kept.path.replace(f"{kept.path}.1")
    with pytest.raises(InputError, match=r"run\.ckpt\.1: exists already"):
        kept.play()
    assert Path(f"{kept.path}.1").read_bytes() == before


DAMAGE = {
    "truncated": (lambda path, content: path.write_bytes(content[: len(content) // 2]), "damaged"),
    "emptied": (lambda path, content: path.write_bytes(b""), "damaged"),
    "a flipped bit": (
        lambda path, content: path.write_bytes(
            content[:900] + bytes([content[900] ^ 4]) + content[901:]
        ),
        "damaged: its checksum",
    ),
    "of another version": (
        lambda path, content: path.write_bytes(content.replace(b"counts 1", b"counts 7", 1)),
        "format version '7'",
    ),
    "gone": (lambda path, content: path.unlink(), "there is no such file"),
}


@pytest.mark.parametrize(("damage", "reason"), DAMAGE.values(), ids=DAMAGE)
def test_the_one_before_stands_in_for_a_damaged_one(kept, damage, reason):
    kept.play(stop_after=8000)
    damage(kept.path, kept.path.read_bytes())
    last = kept.play(resume=True)
    assert fingerprint(last.tally) == whole()
    assert last.resumed_rounds == 7000  # saved after every chunk, the last two kept
    (said,) = kept.said
    assert f"{kept.path}: {reason}" in said
    assert said.endswith("the one before it, run.ckpt.1, is used")
    refused = kept.path.with_name("run.ckpt.refused")
    assert refused.exists() == (reason != "there is no such file")


def test_damage_to_both_is_refused_by_name_and_nothing_is_touched(kept):
    kept.play(stop_after=4000)
    previous = Path(f"{kept.path}.1")
    kept.path.write_bytes(b"rtpsim counts 1\nnonsense")
    previous.write_bytes(b"")
    with pytest.raises(InputError, match=r"run\.ckpt: damaged.*\n.*run\.ckpt\.1: damaged"):
        kept.play(resume=True)
    assert kept.path.read_bytes() == b"rtpsim counts 1\nnonsense"
    assert sorted(entry.name for entry in kept.path.parent.iterdir()) == [
        "run.ckpt",
        "run.ckpt.1",
    ]


def test_another_run_s_checkpoint_is_refused_and_kept(kept):
    kept.play(stop_after=4000)
    for changes, reason in (({"seed": 6}, "seed is 5, not 6"), ({"hands": 2}, "")):
        with pytest.raises(InputError, match=rf"run\.ckpt: .*{reason}"):
            Kept(kept.path, a_run(ROUNDS, **changes)).play(resume=True)
    with pytest.raises(InputError) as refused:
        Kept(kept.path, a_run(30_000)).play(resume=True)
    reason = f"checkpoint {kept.path}: of another run: it has 20,345 rounds, not 30,000"
    assert str(refused.value) == reason  # the same of both files is said once
    other = load_game("classic-blackjack")  # its counts have another shape, which is beside it
    with pytest.raises(InputError, match=r"of another run: its rules are 8D S17 .*, not 1D S17"):
        Kept(kept.path, a_run(ROUNDS, game=other, chart=default_chart(other))).play(resume=True)
    share = a_run(ROUNDS, shard=Shard(2, 2))
    with pytest.raises(InputError, match="of another run: its chunks are 0 to 20, not 10 to 20"):
        Kept(kept.path, share).play(resume=True)
    assert fingerprint(kept.play(resume=True).tally) == whole()


def test_a_link_s_own_previous_file_is_found(kept, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    kept.path.symlink_to(folder / "real.ckpt")
    kept.play(stop_after=4000)
    assert sorted(entry.name for entry in folder.iterdir()) == ["real.ckpt", "real.ckpt.1"]
    (folder / "real.ckpt").write_bytes(b"")
    assert fingerprint(kept.play(resume=True).tally) == whole()


def test_a_disk_that_fills_up_costs_no_round(kept, monkeypatch):
    """The disk is full for a while; the run goes on, and what is kept stays good."""
    fsync, calls = os.fsync, iter(range(10**6))

    def full_for_a_while(descriptor):
        if 10 <= next(calls) < 20:
            raise OSError(28, "No space left on device")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", full_for_a_while)
    assert fingerprint(kept.play().tally) == whole()
    assert [said.split(": ")[1] for said in kept.said] == [
        "cannot be written (No space left on device); the one before stays",
        "can be written again",
    ]
    assert kept.play(resume=True).resumed_rounds == ROUNDS


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_played(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        Kept(tmp_path / "no" / "folder.ckpt").play()


def test_a_jumping_clock_changes_nothing(kept, monkeypatch):
    """The clock on the wall goes back a day at every look."""
    now = [time.time()]

    def jumping():
        now[0] -= 24 * 3600
        return now[0]

    monkeypatch.setattr(time, "time", jumping)
    saved = []
    save = Checkpoint.save
    monkeypatch.setattr(
        Checkpoint, "save", lambda self, *what: (saved.append(what[0]), save(self, *what))
    )
    assert fingerprint(kept.play(every=0).tally) == whole()
    assert len(saved) == 22  # once a chunk, and at the end
    saved.clear()
    kept.path = kept.path.with_name("other.ckpt")
    kept.play(every=1000)
    assert len(saved) == 1


# -- processes that are really killed ----------------------------------------------------------


def program(path, rounds, *resume):
    return [sys.executable, played.__file__, str(path), str(rounds), *resume]


def killed_and_resumed(path, rounds, moments, pick):
    """Kill the run at some moments, shares of its rounds; return what it prints in the end."""
    for number, moment in enumerate(moments):
        resume = ["resume"] if number else []
        command = program(path, rounds, *resume)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                if int(line) >= moment * rounds:
                    break
            time.sleep(pick.uniform(0, 0.02))  # at any point of playing and saving a chunk
            process.kill()
        assert process.returncode == -9
    done = subprocess.run(
        program(path, rounds, "resume"), capture_output=True, text=True, check=True, timeout=300
    )
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("#")] == []
    return lines[-1].split()


def uninterrupted(path, rounds):
    done = subprocess.run(
        program(path, rounds), capture_output=True, text=True, check=True, timeout=300
    )
    return done.stdout.splitlines()[-1].split()[0]


def test_killed_at_two_moments_of_chance(tmp_path):
    rounds, pick = 12_000_000, random.Random(1)
    moments = sorted(pick.uniform(0.05, 0.6) for _ in range(2))
    found, resumed = killed_and_resumed(tmp_path / "run.ckpt", rounds, moments, pick)
    assert found == uninterrupted(tmp_path / "other.ckpt", rounds)
    assert moments[1] / 2 < int(resumed) / rounds < 1
    assert sorted(entry.name for entry in tmp_path.glob("run*")) == ["run.ckpt", "run.ckpt.1"]


@pytest.mark.slow
def test_twenty_runs_killed_and_resumed(tmp_path):
    rounds, pick = 30_000_000, random.Random(2)
    expected = uninterrupted(tmp_path / "whole.ckpt", rounds)
    for number in range(20):
        path = tmp_path / f"{number}.ckpt"
        moment = pick.uniform(0, 0.7)
        found, resumed = killed_and_resumed(path, rounds, [moment], pick)
        assert found == expected
        assert int(resumed) < rounds
