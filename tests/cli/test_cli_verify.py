"""``rtpsim verify``: verdicts, sentences, exit status."""

import pytest

GAME = "signature-surrender"
ROUNDS = ("--rounds", "500_000")


def test_json_is_a_list_of_games_with_wagers(call_json):
    status, games = call_json("verify", GAME, "classic-blackjack", *ROUNDS)
    # half a million rounds are too few for the side bets' tolerance of 0.05 points
    assert status == 3
    assert [game["game"] for game in games] == [GAME, "classic-blackjack"]
    wagers = {wager["wager"]: wager for wager in games[0]["wagers"]}
    assert {name: wager["published"] for name, wager in wagers.items()} == {
        "main": "99.63",
        "empire-poker": "96.82",
        "empire-pairs": "96.63",
    }
    assert {wager["published_verdict"] for wager in wagers.values()} == {"REPRODUCED"}
    assert {wager["simulated_verdict"] for wager in wagers.values()} == {"INCONCLUSIVE"}
    assert wagers["main"]["exact"] == pytest.approx(0.996348996, abs=1e-9)
    tests = {test["test"]: test for test in games[0]["runs"][0]["tests"]}
    for name in ("EV", "mean wager", "variance", "net results", "player finals"):
        assert tests[f"main game: {name}"]["p_adjusted"] > 0.01
    (main,) = games[1]["wagers"]
    assert (main["published"], main["published_verdict"]) == (None, "NOT PUBLISHED")


def test_nothing_published_is_said(call):
    status, out, err = call("verify", "classic-blackjack", *ROUNDS)
    assert (status, err) == (3, "")
    assert "NOT PUBLISHED" in out
    assert "INCONCLUSIVE" in out


def test_the_clock_leaves_the_exact_value_to_the_cache(call_json, tmp_path, monkeypatch):
    monkeypatch.setattr("rtpsim.exact.figures.cache_folder", lambda: tmp_path)
    call_json("verify", "classic-blackjack", "--rounds", "1000", "--no-cache")
    assert list(tmp_path.iterdir()) == []
    call_json("verify", "classic-blackjack", "--rounds", "1000")
    (kept,) = tmp_path.iterdir()
    written = kept.stat().st_mtime_ns
    call_json("verify", "classic-blackjack", "--rounds", "1000")
    assert kept.stat().st_mtime_ns == written


def test_tables_and_sentences_in_a_narrow_window(call, call_json, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    status, out, _ = call("verify", GAME, *ROUNDS)
    assert status == 3
    assert max(map(len, out.splitlines())) <= 60
    _, (game,) = call_json("verify", GAME, *ROUNDS)
    text = " ".join(out.split())
    for wager in game["wagers"]:
        assert f"{wager['published']} %" in text
        assert f"{100 * wager['simulated']:.4f}" in text
        assert f"± {100 * wager['half_width_99']:.4f}" in text
        assert f"{wager['title']}, {wager['published_verdict']}: " in text
        assert f"{wager['title']}, {wager['simulated_verdict']}: " in text
        assert f"{100 * wager['exact']:.4f}" in text
    assert "none fails" in text


def test_a_wrong_paytable_fails(call, tmp_path):
    game = tmp_path / "wrong.toml"
    game.write_text(
        """
title = "Wrong"
rules = "8D S17 DOA DAS SPL1 SPV NRSA NHSA NDSA LS 3:2 PEEK"
chart = "ordinary"

[[side_bets]]
id = "pairs"
title = "Pairs"
kind = "pair"
cards = ["player1", "player2"]
pays = { perfect = 25, coloured = 10, mixed = 5 }

[[published]]
wager = "pairs"
rtp = "96.63"
base = "stake"
source = "the table with 30 to 1"
""",
        encoding="utf-8",
    )
    status, out, _ = call("verify", str(game), *ROUNDS)
    assert status == 1
    assert "NOT REPRODUCED" in out


def test_other_rules_do_not_reproduce_the_figure(call_json):
    # H17 costs 0.22 points and no surrender 0.08: Wizard of Odds, rule variations
    _, (game,) = call_json(
        "verify", GAME, "--rounds", "1e4", "--set", "soft17=hit", "--set", "surrender=none"
    )
    assert game["wagers"][0]["published_verdict"] == "NOT REPRODUCED"


def test_all_games_are_the_default(call_json):
    _, games = call_json("verify", "--rounds", "2000")
    assert [game["game"] for game in games] == [
        "blackjack-surrender",
        "classic-blackjack",
        "power-blackjack",
        "signature-surrender",
    ]


def test_a_misspelt_last_game_costs_no_time(call):
    status, out, err = call("verify", GAME, "clasic-blackjack", "--rounds", "1e15")
    assert (status, out) == (2, "")
    assert "did you mean 'classic-blackjack'" in err


def test_ctrl_c_judges_what_was_played(call, interrupted):
    status, out, err = call(
        "verify", GAME, "classic-blackjack", "--workers", "1", "--rounds", "1e13"
    )
    assert status == 130
    assert "INCONCLUSIVE" in out
    assert "rtpsim: stopped after" in err
    assert "rtpsim: not played: classic-blackjack" in err


@pytest.mark.slow
def test_a_billion_rounds_reproduce_the_published_figures(call_json):
    status, games = call_json("verify", "--rounds", "1e9")
    assert status == 0
    verdicts = {
        (game["game"], wager["wager"]): (wager["published_verdict"], wager["simulated_verdict"])
        for game in games
        for wager in game["wagers"]
    }
    assert verdicts == {
        (GAME, "main"): ("REPRODUCED", "PASS"),
        (GAME, "empire-poker"): ("REPRODUCED", "PASS"),
        (GAME, "empire-pairs"): ("REPRODUCED", "PASS"),
        ("blackjack-surrender", "main"): ("REPRODUCED", "PASS"),
        ("blackjack-surrender", "21+3"): ("REPRODUCED", "PASS"),
        ("blackjack-surrender", "players-pair"): ("REPRODUCED", "PASS"),
        ("blackjack-surrender", "dealers-pair"): ("REPRODUCED", "PASS"),
        ("classic-blackjack", "main"): ("NOT PUBLISHED", "PASS"),
        ("power-blackjack", "main"): ("NOT PUBLISHED", "PASS"),
    }
