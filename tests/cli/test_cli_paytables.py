"""``rtpsim paytable``: side bets explored."""

import pytest


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")


def test_all_bets_of_a_game_are_shown(call):
    status, out, err = call("paytable", "show", "signature-surrender")
    assert (status, err) == (0, "")
    assert "401/415 = 96.6265 %" in out
    assert "9241/9545 = 96.8151 %" in out
    assert max(map(len, out.splitlines())) <= 60


def test_a_bet_with_other_pays_and_decks(call_json):
    arguments = ("signature-surrender", "empire-pairs", "--decks", "6", "--pay", "perfect=25")
    status, (found,) = call_json("paytable", "show", *arguments)
    assert status == 0
    # of 311 cards 5 are the same card, 6 the other of its colour, 12 of the other colour
    assert found["rtp_fraction"] == f"{(5 * 26 + 6 * 11 + 12 * 6)}/311"
    assert found["hit_frequency_fraction"] == "23/311"


def test_tables_that_return_a_target_are_found(call, call_json):
    arguments = ("paytable", "find", "blackjack-surrender", "players-pair", "--target", "93.89")
    _, found = call_json(*arguments)
    assert found["tables"][0]["pays"] == {"perfect": 25, "coloured": 12, "mixed": 6}
    assert all(abs(table["rtp"] - 0.9389) <= 0.00005 + 1e-12 for table in found["tables"])
    status, out, _ = call(*arguments, "--tolerance", "1", "--limit", "2")
    assert status == 0
    assert "more (--limit)" in out
    assert max(map(len, out.splitlines())) <= 60


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "6D H17"), "no side bets"),
        (("show", "blackjack-surrender", "21+4"), "did you mean"),
        (("show", "blackjack-surrender", "--pay", "trips=3"), "name the bet"),
        (("show", "blackjack-surrender", "21+3", "--pay", "trips"), "OUTCOME=N"),
        (("find", "blackjack-surrender", "21+3", "--target", "much"), "percentage"),
        (("find", "blackjack-surrender", "21+3", "--target", "95", "--payouts", "9-1"), "payouts"),
        (("find", "blackjack-surrender", "21+3"), "--target"),
    ],
)
def test_mistakes_are_named(call, arguments, said):
    status, out, err = call("paytable", *arguments)
    assert (status, out) == (2, "")
    assert said in err
