"""What a user meets when something around the program is not as it should be."""

import os
import pickle
import subprocess
import sys

import pytest

from rtpsim.cli import main as cli_main
from rtpsim.files import user_cache


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_played(call, tmp_path):
    folder = tmp_path / "gone"
    status, out, err = call("simulate", "8D", "--rounds", "1000", "--save", f"{folder}/x.json")
    assert (status, out) == (2, "")
    assert "there is no folder" in err
    if os.path.isdir("/proc"):
        status, out, err = call("simulate", "8D", "--rounds", "1000", "--save", "/proc/x.json")
        assert (status, out) == (2, "")
        assert "/proc" in err


def test_what_was_played_is_shown_though_it_cannot_be_kept(call, tmp_path, monkeypatch):
    from rtpsim.results import SimulationResult

    def full(self, path):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(SimulationResult, "save", full)
    status, out, err = call("simulate", "8D", "--rounds", "1000", "--save", f"{tmp_path}/x.json")
    assert status == 2
    assert "rtp_total" in out
    assert "No space left on device" in err


def test_damaged_compiled_code_is_removed(call, monkeypatch, tmp_path):
    from rtpsim import _jit

    kept = tmp_path / "kept"
    kept.mkdir()
    monkeypatch.setattr(_jit, "cache_directory", lambda: kept)

    def damaged(*_, **__):
        raise pickle.UnpicklingError("pickle data was truncated")

    monkeypatch.setattr(cli_main.cli, "main", damaged)
    status, _, err = call("simulate", "8D")
    assert status == 70
    assert str(kept) in err
    assert not kept.exists()


def test_without_a_command_the_help_is_printed_as_it_is(call):
    status, out, err = call()
    assert (status, out) == (2, "")
    assert err.startswith("Usage: rtpsim [OPTIONS] COMMAND [ARGS]...\n\n  Find out")


def test_a_number_of_decks_alone_is_a_rule_string(call):
    status, out, _ = call("show", "8D")
    assert status == 0
    assert "8D S17 DOA DAS SPL1 SPV NRSA NHSA NDSA NS 3:2 PEEK" in out


@pytest.mark.parametrize("option", [("--split-model", "CDZ-"), ("--resplits", "best")])
def test_options_of_the_best_play_are_for_the_best_play(call, option):
    status, out, err = call("exact", "8D", *option)
    assert (status, out) == (2, "")
    assert "optimal-cd alone" in err


def test_a_relative_cache_directory_does_not_count(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_cache() == tmp_path / ".cache" / "rtpsim"


def test_no_folder_is_left_behind_where_compiled_code_cannot_be_kept(tmp_path):
    """A file stands where the cache directory should be made."""
    (tmp_path / "home").write_text("")
    code = "from rtpsim._jit import cache_directory; print(cache_directory())"
    found = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.startswith(f"{tmp_path}/rtpsim-")
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_a_traced_hand_counts_its_wager_in_the_unit_of_the_round(call_json):
    _, rounds = call_json("trace", "power-blackjack", "--cards", "6 3 | 6 | T 9 T T")
    played = rounds[0] if isinstance(rounds, list) else rounds
    (hand,) = played["hands"]
    assert sum(final["wager"] for final in hand["final_hands"]) == hand["wager"] == 4
