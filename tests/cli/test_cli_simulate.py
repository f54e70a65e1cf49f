"""``rtpsim simulate``: options, output, saving, stopping."""

import json
import signal

import pytest

from rtpsim.results import SimulationResult

GAME = "signature-surrender"
ROUNDS = ("--rounds", "300_000", "--seed", "3")
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


def without_provenance(result):
    return {key: value for key, value in result.items() if key != "provenance"}


def test_json_has_the_agreed_keys_and_nothing_that_varies(call_json):
    status, result = call_json("simulate", GAME, *ROUNDS, "--workers", "1")
    assert status == 0
    assert list(result) == KEYS
    assert (result["rounds"], result["seed"], result["unit"]) == (300_000, 3, "1/2")
    assert sum(outcome["count"] for outcome in result["outcomes"]) == 300_000
    _, again = call_json("simulate", GAME, *ROUNDS, "--workers", "2")
    assert without_provenance(again) == without_provenance(result)
    assert again["provenance"]["workers"] == 2
    assert again["provenance"]["command"].startswith(f"rtpsim simulate {GAME} --rounds")


def test_side_bets_leave_the_main_game_alone(call_json):
    _, with_all = call_json("simulate", GAME, *ROUNDS)
    _, with_none = call_json("simulate", GAME, *ROUNDS, "--side-bets", "none")
    _, with_one = call_json("simulate", GAME, *ROUNDS, "--side-bets", "empire-pairs")
    assert with_all["outcomes"] == with_none["outcomes"] == with_one["outcomes"]

    def bets(result):
        return [bet["bet"] for bet in result["bets"] if bet["bet"] != "insurance"]

    assert bets(with_all) == ["empire-poker", "empire-pairs"]
    assert bets(with_none) == []
    assert bets(with_one) == ["empire-pairs"]


def test_tables_show_the_figures_of_the_json(call, call_json, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    status, out, err = call("simulate", GAME, *ROUNDS)
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 60
    _, result = call_json("simulate", GAME, *ROUNDS)
    figures = result["figures"]
    for name in ("rtp_total", "rtp_initial", "house_edge", "element_of_risk", "hit_frequency"):
        assert f"{100 * figures[name]:.4f} %" in out
    for bet in result["bets"][:2]:
        assert f"returns {100 * bet['rtp']:.4f} %" in out.replace("\n ", "")
        for outcome in bet["outcomes"]:
            assert f"{outcome['count']:,}" in out


def test_rules_can_be_changed_and_hands_added(call_json):
    _, result = call_json(
        "simulate",
        GAME,
        *ROUNDS,
        "--set",
        "natural_pays=6:5",
        "--hands",
        "2",
        "--side-bets",
        "none",
    )
    assert result["rules"].split()[-2] == "6:5"
    assert (result["unit"], result["hands"]) == ("1/10", 2)
    # 6:5 instead of 3:2 costs about 0.3 x 4.75 %: Griffin, The Theory of Blackjack
    assert 0.97 < result["figures"]["rtp_initial"] < 0.99


def test_a_rule_string_is_a_game(call_json):
    _, result = call_json("simulate", "8D S17 DOA DAS SPL1 LS", *ROUNDS)
    assert result["rules"] == "8D S17 DOA DAS SPL1 SPV NRSA NHSA NDSA LS 3:2 PEEK"


@pytest.mark.parametrize("suffix", [".json", ".parquet"])
def test_saved_results_load_back(call, tmp_path, suffix):
    path = tmp_path / f"run{suffix}"
    status, out, _ = call("simulate", GAME, *ROUNDS, "--json", "--save", str(path))
    assert status == 0
    loaded = SimulationResult.load(path)
    assert without_provenance(loaded.to_dict()) == without_provenance(json.loads(out))


def test_ctrl_c_reports_what_was_played(call, interrupted, tmp_path):
    path = tmp_path / "part.json"
    before = signal.getsignal(signal.SIGINT)
    options = ("--workers", "1", "--rounds", "1e13")
    status, out, err = call("simulate", GAME, *options, "--json", "--save", str(path))
    assert status == 130
    assert signal.getsignal(signal.SIGINT) is before
    result = json.loads(out)
    played = result["rounds"]
    assert 0 < played < 10**13
    assert result["provenance"]["rounds_asked"] == 10**13
    assert sum(outcome["count"] for outcome in result["outcomes"]) == played
    assert err == f"rtpsim: stopped after {played:,} of 10,000,000,000,000 rounds\n"
    assert SimulationResult.load(path).rounds == played
    # what was played is what a run of so many rounds plays
    interrupted.undo()
    _, out, _ = call("simulate", GAME, "--rounds", str(played), "--json")
    assert without_provenance(json.loads(out)) == without_provenance(result)


def test_ctrl_c_in_tables(call, interrupted):
    status, out, err = call("simulate", GAME, "--workers", "1", "--rounds", "1e13")
    assert status == 130
    assert "of 10,000,000,000,000 (stopped)" in out.replace("\n", " ")
    assert err.startswith("rtpsim: stopped after")
