"""``rtpsim games`` and ``rtpsim show``."""

import pytest

# rule strings and published figures of the games, from their operators' texts
RULES = {
    "signature-surrender": "8D S17 DOA DAS SPL1 SPV NRSA NHSA NDSA LS 3:2 PEEK",
    "power-blackjack": "6D S17 DOA DAS SPT2 SPV NRSA NHSA NDSA NS 3:2 ENHC C8 P22 PD9 PS",
    "blackjack-surrender": "6D S17 DOA DAS SPL1 SPV NRSA NHSA NDSA LS 3:2 PEEK C7",
    "classic-blackjack": "1D S17 D9 NDAS SPL1 SPR NRSA HSA NDSA NS 3:2 ENHC MAX11",
}
PUBLISHED = {
    "signature-surrender": {"main": "99.63", "empire-poker": "96.82", "empire-pairs": "96.63"},
    "power-blackjack": {},
    "blackjack-surrender": {
        "main": "99.66",
        "21+3": "95.38",
        "players-pair": "93.89",
        "dealers-pair": "93.89",
    },
    "classic-blackjack": {},
}


def test_games_lists_rules_and_published_figures(call, call_json):
    _, games = call_json("games")
    assert {game["game"]: game["rules"] for game in games} == RULES
    assert {
        game["game"]: {figure["wager"]: figure["rtp"] for figure in game["published"]}
        for game in games
    } == PUBLISHED
    status, out, _ = call("games")
    assert status == 0
    for game, figures in PUBLISHED.items():
        assert game in out
        assert all(figure in out for figure in figures.values())


@pytest.mark.parametrize("game", RULES)
def test_show_says_everything(call, game):
    status, out, err = call("show", game)
    assert (status, err) == (0, "")
    for heading in ("Rules", "Readings", "Published", "Chart", "hand      ", "pair A"):
        assert heading in out
    assert RULES[game] in out.replace("\n  ", " ")


def test_show_has_exact_side_bets(call, call_json):
    # combinations out of C(416, 3) and C(416, 2): published with the game's verification
    _, game = call_json("show", "signature-surrender")
    poker, pairs = game["side_bets"]
    assert [outcome["count"] for outcome in poker["outcomes"]] == [
        2912,
        24576,
        61568,
        368640,
        700928,
    ]
    assert poker["combinations"] == 11912160
    assert [outcome["pays"] for outcome in poker["outcomes"]] == [100, 35, 33, 10, 5]
    assert round(100 * poker["rtp"], 2) == 96.82
    assert round(100 * pairs["rtp"], 2) == 96.63
    _, out, _ = call("show", "signature-surrender")
    assert "2912 of 11912160" in out
    assert "inferred" not in out.split("Side bets")[1].split("Published")[0]
    _, out, _ = call("show", "blackjack-surrender")
    assert out.count("(inferred paytable)") == 3


def test_show_marks_the_option_that_was_chosen(call, call_json):
    _, out, _ = call("show", "signature-surrender", "--set", "surrender-vs-ace=not")
    assert "allowed [default], not [chosen]" in out
    assert "LSXA" in out
    _, game = call_json("show", "signature-surrender", "--set", "surrender=none")
    chosen = {reading["reading"]: reading["chosen"] for reading in game["readings"]}
    assert chosen == {"surrender-vs-ace": "other", "ace-in-straights": "high-low"}


def test_show_takes_a_rule_string_a_file_and_a_chart(call, call_json, tmp_path):
    _, game = call_json("show", "6D H17 6:5")
    assert game["rules"] == "6D H17 DOA DAS SPL1 SPV NRSA NHSA NDSA NS 6:5 PEEK"
    own = tmp_path / "mine.toml"
    own.write_text('title = "Mine"\nrules = "2D H17"\n', encoding="utf-8")
    _, game = call_json("show", str(own))
    assert (game["game"], game["rules"].split()[0]) == ("mine", "2D")
    chart = tmp_path / "never-double.csv"
    _, out, _ = call("show", "signature-surrender")
    lines = [
        line.split() for line in out.splitlines() if line.startswith(("  hard", "  soft", "  pair"))
    ]
    letters = {"Dh": "H", "Ds": "S"}
    chart.write_text(
        "hand,2,3,4,5,6,7,8,9,T,A\n"
        + "".join(
            f"{kind} {total},{','.join(letters.get(cell, cell) for cell in cells)}\n"
            for kind, total, *cells in lines
        ),
        encoding="utf-8",
    )
    _, game = call_json("show", "signature-surrender", "--strategy", str(chart))
    assert game["strategy"]["name"] == "never-double"
    assert game["strategy"]["rows"]["hard 11"] == ["H"] * 10


@pytest.mark.parametrize("game", RULES)
def test_a_narrow_window_is_enough(call, monkeypatch, game):
    monkeypatch.setenv("COLUMNS", "60")
    for arguments in (["games"], ["show", game], ["trace", game, "--rounds", "3"]):
        _, out, _ = call(*arguments)
        assert max(map(len, out.splitlines())) <= 60
