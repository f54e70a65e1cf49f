"""Results: what they say, and that files give back what was put in, or say what is wrong."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from synthetic import SyntheticTally

from rtpsim.errors import InputError
from rtpsim.games import load_game
from rtpsim.program.labels import Label
from rtpsim.provenance import Provenance
from rtpsim.results import SimulationResult
from rtpsim.results.chunks import Chunks
from rtpsim.sealed import seal
from rtpsim.strategy import default_chart

KEYS = [
    "game",
    "rules",
    "strategy",
    "seed",
    "rounds",
    "hands",
    "stream_version",
    "chunks",
    "unit",
    "outcomes",
    "bets",
    "figures",
    "provenance",
]


@pytest.fixture(scope="module")
def game():
    return load_game("signature-surrender")


@pytest.fixture(scope="module")
def result(game):
    initial = np.zeros((10, 10, 10, 10), dtype=np.int64)
    initial[0, 9, 4, 9] = 4
    initial[9, 9, 0, 2] = 6
    tally = SyntheticTally(
        unit=2,
        hands=2,
        rounds=10,
        outcomes={(4, 4): 3, (-4, 4): np.int64(4), (5, 4): 2, (0, 6): 1, (9, 9): 0},
        insurance={(2, 1): 2, (-1, 1): 3},
        side_bets={
            "empire-poker": {(): 8, ("flush",): 1, ("flush", "straight"): 1},
            "empire-pairs": {(): 9, ("mixed", "mixed"): 1},
        },
        labels={
            Label(4, "natural", "natural", "20", False, 3, 2): 4,
            Label(0, "stand", "20", "natural", True, -2, 2): 6,
        },
        initial=initial,
    )
    chart = default_chart(game)
    provenance = Provenance.collect(
        game,
        chart,
        started="2020-01-02T03:04:05+00:00",
        duration_s=0.5,
        rounds=10,
        workers=2,
        rounds_asked=10,
        command="rtpsim simulate",
    )
    return SimulationResult.from_tally(game, chart, 7, tally, provenance, Chunks(0, 1, 16))


def test_json_has_the_keys_and_the_integers(result, game):
    document = json.loads(result.to_json())
    assert list(document) == KEYS
    assert document["game"] == "signature-surrender"
    assert document["rules"] == str(game.rules)
    assert document["seed"] == 7
    assert document["unit"] == "1/2"
    assert document["outcomes"] == [
        {"net": -4, "wager": 4, "count": 4},
        {"net": 0, "wager": 6, "count": 1},
        {"net": 4, "wager": 4, "count": 3},
        {"net": 5, "wager": 4, "count": 2},
    ]
    # 12 - 16 + 10 halves in ten rounds of two hands, on 42 halves wagered
    figures = document["figures"]
    assert figures["ev"] == pytest.approx(0.3)
    assert figures["rtp_initial"] == pytest.approx(1.15)
    assert figures["rtp_total"] == pytest.approx(1 + 6 / 42)
    assert figures["mean_wager"] == pytest.approx(2.1)
    assert figures["hit_frequency"] == pytest.approx(0.5)
    low, high = figures["intervals_95"]["rtp_total"]
    half = 1.959964 * figures["standard_errors"]["rtp_total"]
    assert (high - low) / 2 == pytest.approx(half, rel=1e-6)


def test_side_bets_and_insurance_are_wagers_of_their_own(result):
    poker, pairs, insurance = json.loads(result.to_json())["bets"]
    assert poker["bet"] == "empire-poker"
    assert poker["exact_total"] == 11912160
    flush = next(row for row in poker["outcomes"] if row["outcome"] == "flush")
    assert flush["count"] == 2
    assert flush["frequency"] == pytest.approx(2 / 20)  # of twenty stakes
    assert flush["exact_count"] == 700928
    assert flush["contribution"] == pytest.approx(2 * 6 / 20)
    assert poker["rtp"] == pytest.approx((6 + 6 + 11) / 20)
    assert poker["exact_rtp"] == pytest.approx(0.9682, abs=5e-5)
    assert sum(row["exact_contribution"] for row in poker["outcomes"]) == pytest.approx(
        poker["exact_rtp"]
    )
    assert pairs["rtp"] == pytest.approx(12 / 20)
    assert pairs["exact_fraction"] == "401/415"  # (7 x 31 + 8 x 11 + 16 x 6) / 415
    assert insurance["bet"] == "insurance"
    assert insurance["rounds_insured"] == 5
    assert insurance["rtp"] == pytest.approx(1 + (4 - 3) / 5)
    assert {"net": 0, "wager": 0, "count": 5} in insurance["outcomes"]


def test_no_insurance_has_no_return(result):
    plain = replace(result, insurance={(0, 0): 10})
    insurance = json.loads(plain.to_json())["bets"][-1]
    assert insurance["rtp"] is None
    assert insurance["interval_99"] == [None, None]


def test_only_provenance_differs_between_two_runs_of_the_same_thing(result):
    other = replace(result, provenance=replace(result.provenance, workers=1, duration_s=9.0))
    assert other != result
    one, two = result.to_dict(), other.to_dict()
    assert one.pop("provenance") != two.pop("provenance")
    assert one == two


def test_provenance_says_where_it_comes_from(result, game):
    provenance = result.to_dict()["provenance"]
    assert provenance["game_sha256"] == game.sha256
    assert provenance["rounds_per_s"] == 20
    assert provenance["settings"]["ace-in-straights"] == "high-low"
    assert set(provenance["versions"]) == {"python", "rtpsim", "numpy", "numba", "scipy"}


@pytest.mark.parametrize("suffix", [".json", ".parquet"])
def test_files_give_back_an_equal_result(result, tmp_path, suffix):
    path = tmp_path / f"run{suffix}"
    result.save(path)
    loaded = SimulationResult.load(path)
    assert loaded == result
    assert loaded.labels == result.labels
    assert np.array_equal(loaded.initial, result.initial)
    assert loaded.to_json(detail=True) == result.to_json(detail=True)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_equality_sees_every_part(result):
    initial = result.initial.copy()
    initial[0, 9, 4, 9], initial[0, 9, 4, 8] = 3, 1
    labels = dict.fromkeys(result.labels, 5)
    for change in ({"initial": initial}, {"labels": labels}, {"seed": 8}, {"initial": None}):
        assert replace(result, **change) != result


def test_printed_json_can_be_read_too_without_the_deals(result, tmp_path):
    short = SimulationResult.from_json(result.to_json())
    assert short == replace(result, labels=None, initial=None)
    path = tmp_path / "short.parquet"
    short.save(path)
    assert SimulationResult.load(path) == short


def test_a_single_round_survives_its_missing_error_bars(result):
    one = replace(
        result,
        rounds=1,
        outcomes={(4, 4): 1},
        insurance={(0, 0): 1},
        side_bets={bet: {(): 1} for bet in result.side_bets},
        labels=None,
        initial=None,
    )
    assert math.isnan(one.figures.ev.standard_error)
    assert SimulationResult.from_json(one.to_json()) == one


def test_a_failed_write_leaves_the_old_file_alone(result, tmp_path, monkeypatch):
    path = tmp_path / "run.json"
    result.save(path)
    before = path.read_bytes()

    def half_a_write(self, content):
        with self.open("wb") as file:
            file.write(content[: len(content) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half_a_write)
    with pytest.raises(InputError, match=r"run\.json: cannot be written \(No space left"):
        replace(result, seed=8).save(path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.json"]


def test_files_of_the_first_format_can_be_read(result, tmp_path):
    document = result.to_dict(detail=True)
    document["provenance"]["format_version"] = 1
    for name in ("resumed_rounds", "shard", "scheduler"):
        del document["provenance"][name]
    del document["chunks"]
    path = tmp_path / "old.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert SimulationResult.load(path) == replace(result, chunks=None)


def _edited(document, path, value):
    *parents, last = path
    for key in parents:
        document = document[key]
    document[last] = value


FAULTS = [
    (["rounds"], 11, "outcomes count 10 rounds, but 11 were played"),
    (["rounds"], "10", "rounds: input should be a valid integer"),
    (["hands"], 0, "hands: input should be greater than or equal to 1"),
    (["unit"], "0.5", "unit: "),
    (["game"], None, "game: "),
    (["outcomes", 0, "count"], -4, "outcomes.0.count"),
    (["outcomes", 0, "net"], -3, "figures.* does not follow from the counts"),
    (["figures", "ev"], 0.31, "figures.ev does not follow"),
    (["figures", "intervals_99", "ev", 1], 2.0, "figures.intervals_99.ev.1 does not follow"),
    (["bets", 0, "outcomes", 0, "pays"], 101, "bets.0.exact_fraction does not follow"),
    (["bets", 1, "rounds", 0, "count"], 8, "bet 'empire-pairs' count 9 rounds"),
    (["bets", 2, "bet"], "tips", "stakes_per_round: field required"),
    (["bets"], [], "expected insurance once"),
    (["extra"], 1, "extra: extra inputs are not permitted"),
    (["detail", "initial", 0, 0], 10, "value classes are 0 to 9"),
    (["detail", "initial", 0, 4], 5, "initial count"),
    (["detail", "labels", 0, "route"], None, "detail.labels.0.route: input"),
    (["provenance", "workers"], "two", "workers: "),
    (["provenance", "format_version"], 3, "provenance.format_version is 3; .* reads 1 and 2"),
    (["chunks", "end"], 2, r"10 rounds are not those of chunks 0 to 1"),
    (["chunks", "end"], 0, "chunks 0 to 0, 16 rounds each: none are such"),
    (["chunks", "first"], -1, "none are such"),
    (["chunks", "rounds_each"], 9, "10 rounds are not those of chunks 0 to 0"),
    (["stream_version"], "0-old", "stream_version is '0-old'; this version"),
]


@pytest.mark.parametrize(("place", "value", "message"), FAULTS)
def test_damaged_files_are_refused_by_name_and_fault(result, tmp_path, place, value, message):
    document = result.to_dict(detail=True)
    _edited(document, place, value)
    path = tmp_path / "run.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InputError, match=rf"run\.json: .*{message}") as caught:
        SimulationResult.load(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", KEYS)
def test_a_missing_key_is_noticed(result, key):
    document = result.to_dict()
    del document[key]
    with pytest.raises(InputError, match=r"^here: "):
        SimulationResult.from_json(json.dumps(document), source="here")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1, column 1: damaged, or not JSON"),
        (b'{"game": "x",', "line 1, column 14: damaged, or not JSON"),
        (b"[1, 2]", "not a result of rtpsim"),
        (b'{"name": "something else"}', "not a result of rtpsim"),
        (b"\xff\xfe\x00", "byte 0: not UTF-8"),
        (b"[" * 100_000, "damaged, or not JSON"),
    ],
)
def test_foreign_json_is_refused(tmp_path, content, message):
    path = tmp_path / "foreign.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=rf"foreign\.json: .*{message}"):
        SimulationResult.load(path)


def test_cut_and_foreign_parquet_is_refused(result, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "run.parquet"
    result.save(path)
    content = path.read_bytes()
    for damaged in (b"", b"PAR1", content[:-20], content[: len(content) // 2]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"run\.parquet: damaged, or not a result.* checksum"):
            SimulationResult.load(path)
    foreign = b"PAR1" + bytes(40) + (40).to_bytes(4, "little") + b"PAR1"
    path.write_bytes(seal(foreign))
    with pytest.raises(InputError, match=r"run\.parquet: damaged, or not Parquet"):
        SimulationResult.load(path)
    pq.write_table(pa.table({"a": [1, 2]}), path)
    path.write_bytes(seal(path.read_bytes()))
    with pytest.raises(InputError, match=r"run\.parquet: not a result of rtpsim"):
        SimulationResult.load(path)


def test_parquet_of_changed_counts_is_refused(result, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "run.parquet"
    result.save(path)
    table = pq.read_table(path)
    rows = table.to_pylist()
    rows[0]["count"] += 1
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    path.write_bytes(seal(path.read_bytes()))
    with pytest.raises(InputError, match=r"run\.parquet: damaged: result: outcomes count 11"):
        SimulationResult.load(path)
    rows[0]["table"] = "side_bets"
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    path.write_bytes(seal(path.read_bytes()))
    with pytest.raises(InputError, match=r"run\.parquet: damaged"):
        SimulationResult.load(path)


def test_other_streams_can_be_read_on_purpose(result, tmp_path):
    from rtpsim.results.files import load_result

    path = tmp_path / "old.json"
    old = replace(result, stream_version="0-old")
    old.save(path)
    assert load_result(path, any_stream_version=True) == old


def test_wrong_names_and_places(result, tmp_path):
    with pytest.raises(InputError, match=r"ends in \.json or \.parquet, not '\.csv'"):
        result.save(tmp_path / "run.csv")
    with pytest.raises(InputError, match="cannot be read"):
        SimulationResult.load(tmp_path / "nowhere.json")
    with pytest.raises(InputError, match="cannot be written"):
        result.save(tmp_path / "no" / "folder" / "run.json")


def test_tallies_that_disagree_are_refused(result):
    with pytest.raises(InputError, match="insurance count 9 rounds, but 10 were played"):
        replace(result, insurance={(0, 0): 9})
    with pytest.raises(InputError, match="no round was played"):
        replace(result, rounds=0)
