"""Shards and their merging: the run in one piece, and nothing that is not all of it."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
from played import GAME, a_run

from rtpsim.errors import InputError
from rtpsim.provenance import Provenance
from rtpsim.results import SimulationResult
from rtpsim.results.chunks import Chunks
from rtpsim.runs.merge import merge
from rtpsim.runs.play import Threads, play
from rtpsim.runs.shards import Shard

ROUNDS = 20_345
"""21 chunks of a thousand rounds, the last one short."""


@pytest.fixture(autouse=True)
def _small_chunks(small_chunks):
    pass


def result_of(shard=None, **changes):
    run = a_run(ROUNDS, shard=shard, **changes)
    played = play(run, engine=Threads(1))
    provenance = Provenance.collect(
        run.game,
        run.chart,
        started=f"2020-01-0{shard.number if shard else 1}",
        duration_s=2.0,
        rounds=played.tally.rounds,
        rounds_asked=run.rounds,
        shard=str(shard or ""),
    )
    chunks = Chunks(played.chunks.start, played.chunks.stop, 1000)
    return SimulationResult.from_tally(GAME, run.chart, run.seed, played.tally, provenance, chunks)


def shards(of, **changes):
    return [(f"{k}.parquet", result_of(Shard(k, of), **changes)) for k in range(1, of + 1)]


@pytest.fixture(scope="module")
def four():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rtpsim.simulation.run.CHUNK_ROUNDS", 1000)
        return shards(4)


def plain(result):
    return json.dumps({**result.to_dict(detail=True), "provenance": None})


@pytest.mark.parametrize(("chunks", "of"), [(21, 4), (21, 21), (21, 1), (5, 3), (10**9, 7)])
def test_shards_are_all_of_the_run_in_equal_shares(chunks, of):
    shares = [Shard(k, of).chunks(chunks) for k in range(1, of + 1)]
    assert shares[0].start == 0
    assert shares[-1].stop == chunks
    assert all(a.stop == b.start for a, b in itertools.pairwise(shares))
    assert max(map(len, shares)) - min(map(len, shares)) <= 1
    for k, share in enumerate(shares, 1):
        assert Shard.of_chunk(share[0], chunks, of) == Shard(k, of)
        assert Shard.of_chunk(share[-1], chunks, of) == Shard(k, of)


@pytest.mark.parametrize(
    "text", ["", "3", "0/4", "5/4", "-1/4", "1/0", "1 of 4", "1/2/3", "1.0/2", "٣/٤"]
)
def test_other_shards_are_refused(text):
    with pytest.raises(InputError, match="expected K/N with K from 1 to N"):
        Shard.parse(text)


def test_more_shards_than_chunks_are_refused():
    assert str(Shard.parse(" 3/16 ")) == "3/16"
    with pytest.raises(InputError, match="the run has 21 chunks, too few for 22 shares"):
        a_run(ROUNDS, shard=Shard(1, 22)).chunks(a_run(ROUNDS).plan())


@pytest.mark.parametrize("hands", [1, 3])
def test_merged_shards_are_the_run_in_one_piece(hands):
    parts = shards(3, hands=hands)
    merged = merge(parts[::-1], "rtpsim merge")
    whole = result_of(hands=hands)
    assert plain(merged) == plain(whole)
    assert merged.provenance.duration_s == 6.0
    assert merged.provenance.rounds_per_s == pytest.approx(ROUNDS / 6)
    assert merged.provenance.started == "2020-01-01"
    assert merged.provenance.command == "rtpsim merge"
    assert merged.provenance.shard == ""
    one = parts[0][1]
    assert one.initial.sum() == one.rounds  # what was merged is left as it was


def test_files_on_disk_merge_to_the_same_file(four, tmp_path):
    for suffix in (".parquet", ".json"):
        files = []
        for name, result in four:
            path = tmp_path / (name + suffix)
            result.save(path)
            files.append((name, SimulationResult.load(path)))
        assert plain(merge(files)) == plain(result_of())


@pytest.mark.parametrize(
    ("left_out", "message"),
    [
        ([1], r"run of 21 chunks is not whole; missing: chunks 0 to 4 \(shard 1/4\)"),
        ([2, 3], r"missing: chunks 5 to 14 \(shards 2/4 to 3/4\)"),
        ([1, 4], r"missing: chunks 0 to 4 \(shard 1/4\), chunks 15 to 20 \(shard 4/4\)"),
    ],
)
def test_missing_shards_are_named(four, left_out, message):
    kept = [one for number, one in enumerate(four, 1) if number not in left_out]
    with pytest.raises(InputError, match=message):
        merge(kept)


def test_a_stopped_shard_is_not_whole(four):
    last = four[3][1]
    chunks = replace(last.chunks, end=18)
    tally = play(replace(a_run(18_000), shard=None), engine=Threads(1)).tally
    short = SimulationResult.from_tally(
        GAME, a_run(1).chart, 5, tally, last.provenance, replace(chunks, first=0)
    )
    with pytest.raises(InputError, match=r"missing: chunks 18 to 20 \(shard 4/4\)"):
        merge([("short", short)])


def test_doubled_shards_are_named(four):
    message = r"2\.parquet and copy both hold chunks 5 to 9 \(shard 2/4\)"
    with pytest.raises(InputError, match=message):
        merge([*four, ("copy", four[1][1])])
    other = result_of(Shard(2, 3))
    with pytest.raises(InputError, match=r"hold chunks 7 to 9 \(shard 2/4 and shard 2/3\)"):
        merge([*four, ("other", other)])


def test_shards_of_other_runs_are_named(four):
    with pytest.raises(InputError, match=r"^b: of another run than 1\.parquet: its seed is 6"):
        merge([*four[:3], ("b", result_of(Shard(4, 4), seed=6))])
    other = result_of(Shard(4, 4))
    for origin, reason in (
        ({"rounds_asked": 30_000}, "it has 30,000 rounds, not "),
        ({"strategy_sha256": "0" * 64}, "the hash of its strategy is 000000000000, not "),
        ({"game_sha256": "0" * 64}, "the hash of its game is 000000000000, not "),
    ):
        changed = replace(other, provenance=replace(other.provenance, **origin))
        with pytest.raises(InputError, match=f"^b: of another run .*{reason}"):
            merge([*four[:3], ("b", changed)])
    with pytest.raises(InputError, match=r"^b: of another run .*of the random streams is 0"):
        merge([*four[:3], ("b", replace(other, stream_version="0"))])
    versions = {**other.provenance.versions, "rtpsim": "9"}
    changed = replace(other, provenance=replace(other.provenance, versions=versions))
    with pytest.raises(InputError, match="version of rtpsim is 9"):
        merge([*four[:3], ("b", changed)])


def test_results_that_do_not_say_enough_are_named(four):
    one = four[0][1]
    with pytest.raises(InputError, match=r"^a: it does not say which part"):
        merge([("a", replace(one, chunks=None))])
    with pytest.raises(InputError, match=r"^a: how its hands ended is left out"):
        merge([("a", SimulationResult.from_json(one.to_json()))])
    with pytest.raises(InputError, match="no result is given"):
        merge([])


def test_a_wrong_merge_would_be_noticed(four):
    """The comparison with the whole run sees a single round in another place."""
    merged = merge(four)
    initial = merged.initial.copy()
    cell = tuple(next(one for one in np.argwhere(initial) if one[0] != one[3]))
    initial[cell] -= 1
    initial[cell[::-1]] += 1
    assert plain(replace(merged, initial=initial)) != plain(merged)
