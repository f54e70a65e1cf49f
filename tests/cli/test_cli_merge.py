"""``rtpsim simulate --shard`` and ``rtpsim merge``."""

import json

import pytest

RUN = ("simulate", "blackjack-surrender", "--rounds", "1_000_000", "--hands", "2")


@pytest.fixture
def files(call, tmp_path):
    paths = [str(tmp_path / f"{k}.parquet") for k in (1, 2, 3)]
    for k, path in enumerate(paths, 1):
        status, out, err = call(*RUN, "--shard", f"{k}/3", "--save", path)
        assert (status, err) == (0, "")
        assert f"shard {k}/3: chunks " in out
    return paths


def test_merged_shards_print_and_save_the_whole_run(call, files, tmp_path):
    saved = str(tmp_path / "all.json")
    status, out, err = call("merge", *files, "--save", saved, "--json")
    assert (status, err) == (0, "")
    merged = json.loads(out)
    _, out, _ = call(*RUN, "--json")
    whole = json.loads(out)
    assert merged.pop("provenance")["rounds_asked"] == whole.pop("provenance")["rounds_asked"]
    assert merged == whole
    with open(saved, encoding="utf-8") as file:
        assert json.load(file)["figures"] == whole["figures"]
    status, out, _ = call("merge", *files)
    assert status == 0
    assert "1,000,000 rounds, 2 hands a round" in out


@pytest.mark.parametrize(
    ("pick", "message"),
    [
        ([0, 2], "missing: chunks 1 to 1 (shard 2/3)"),
        ([0, 1, 2, 1], "both hold chunks 1 to 1"),
    ],
)
def test_what_is_not_the_run_is_refused(call, files, tmp_path, pick, message):
    saved = tmp_path / "all.json"
    status, out, err = call("merge", *(files[i] for i in pick), "--save", str(saved))
    assert (status, out) == (2, "")
    assert message in err
    assert not saved.exists()


def test_wrong_input_is_named(call, tmp_path):
    status, _, err = call("merge")
    assert status == 2
    assert "FILE" in err
    status, _, err = call("merge", str(tmp_path / "no.parquet"))
    assert status == 2
    assert "no.parquet: cannot be read" in err
    status, _, err = call(*RUN, "--shard", "4/3")
    assert status == 2
    assert "shard '4/3': expected K/N" in err
    status, _, err = call(*RUN, "--shard", "1/9")
    assert status == 2
    assert "shard 1/9: the run has 4 chunks, too few for 9 shares" in err
