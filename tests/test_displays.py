"""How results show themselves: short on one line, as a table in a notebook, as a tidy frame."""

import re

import pytest

import rtpsim
from rtpsim.display import MAIN_FIGURES, html_table
from rtpsim.outcomes.contributions import exact_contributions
from rtpsim.statistics import MainFigures
from rtpsim.strategy.colours import letter_colour

SMALL = "1D SPL0"


@pytest.fixture(scope="module")
def exact():
    return rtpsim.exact(SMALL, moments=False)


@pytest.fixture(scope="module")
def run():
    return rtpsim.simulate(SMALL, rounds=100_000)


@pytest.fixture(scope="module")
def judged():
    return rtpsim.verify("signature-surrender", rounds=50_000)


def rows_of(page):
    """Return the texts of a page's table rows, heads first."""
    lines = re.findall(r"<tr>(.*?)</tr>", page)
    return [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", line) for line in lines]


def test_exact_results(exact):
    assert f"house edge {-100 * exact.ev:.6f} %" in repr(exact)
    assert len(repr(exact)) < 250
    shown = dict(rows_of(exact._repr_html_())[1:])
    assert shown["house edge, 1 - rtp_initial"] == f"{-100 * exact.ev:.9f} %"
    assert shown["element of risk, 1 - rtp_total"] == f"{-100 * exact.ev / exact.mean_wager:.9f} %"
    frame = exact.to_frame()
    assert frame["probability"].sum() == pytest.approx(1.0)
    assert (frame["probability"] * frame["ev"]).sum() == pytest.approx(exact.ev, abs=1e-12)
    assert (frame["probability"] * frame["wager"]).sum() == pytest.approx(exact.mean_wager)


def test_hands():
    found = rtpsim.hand(SMALL, "T,6", "T")
    assert repr(found).startswith("<HandValues: T,6 against T: ")
    head, *rows = rows_of(found._repr_html_())
    assert head == ["action", "expected net", "cost of the mistake"]
    assert [row[0] for row in rows] == [one.action for one in found.actions]
    assert [float(row[1]) for row in rows] == pytest.approx(
        [a.ev for a in found.actions], abs=1e-10
    )


def test_runs(run):
    assert "100,000 rounds, seed 1" in repr(run)
    assert len(repr(run)) < 250
    frame = run.to_frame().set_index("figure")
    ev = sum(net * n for (net, _), n in run.outcomes.items()) / run.unit / run.rounds
    assert frame.loc["ev", "value"] == pytest.approx(ev)
    half = frame["high_99"] - frame["value"]
    # 2.5758: the normal distribution's 99.5 % point
    assert half.tolist() == pytest.approx((2.5758 * frame["standard_error"]).tolist(), rel=1e-4)
    names = [name for name, kind in MainFigures.__annotations__.items() if kind == "Estimate"]
    assert list(frame.index) == names
    assert set(MAIN_FIGURES) == set(names)
    page = run._repr_html_()
    assert f"{run.game}, ordinary: {run.rules}; 100,000 rounds, seed 1<" in page
    shown = {what: (value, half) for what, value, half in rows_of(page)[1:]}
    assert shown["expected net of a round (initial wagers)"][0] == f"{ev:.6f}"
    assert shown["house edge, 1 - rtp_initial"][0] == f"{-100 * ev:.4f} %"
    assert shown["house edge, 1 - rtp_initial"][1] == f"{100 * half['ev']:.4f} %"


def test_verifications(judged):
    frame = judged.to_frame().set_index("wager")
    assert frame.loc["main", "published"] == "99.63"
    assert frame.loc["main", "published_verdict"] == "REPRODUCED"
    assert len(frame) == 3
    assert repr(judged).startswith("<GameVerification: signature-surrender, 50,000 rounds: ")
    _, main, *_ = rows_of(judged._repr_html_())
    assert main[:4] == ["Blackjack", "total", "99.63 %", "99.6349 %"]


def test_charts_are_coloured_by_their_letters():
    chart = rtpsim.read_chart("ordinary")
    assert "ordinary" in repr(chart)
    assert len(repr(chart)) < 100
    frame = chart.to_frame()
    assert len(frame) == 10 * len(chart.rows)
    [letter] = frame.query("row == 'hard 16' and up == 'T'")["letter"]
    assert letter == "Rh"
    page = chart._repr_html_()
    assert rows_of(page)[0] == ["Hard", *"23456789TA"]
    background, foreground = letter_colour("Rh")
    assert re.search(rf"background:{background};color:{foreground}[^>]*>Rh<", page)


def test_games():
    game = rtpsim.load_game("signature-surrender")
    assert repr(game) == f"<Game 'signature-surrender': {game.rules}>"
    shown = dict(rows_of(game._repr_html_())[1:])
    assert shown["natural_pays"] == "3:2"
    assert shown["reading surrender-vs-ace"] == "allowed"
    assert shown["published for main game"] == "99.63 % on the total"
    assert shown["published for Empire Pairs"] == "96.63 % on the stake"
    assert shown["side bet Empire Pairs"] == "perfect 30, coloured 10, mixed 5 to 1"


def test_a_game_of_rules_alone_is_called_as_its_rules_are():
    changed = rtpsim.load_game("6D").replace(decks=8)
    assert changed == rtpsim.load_game("8D")
    assert rtpsim.load_game("power-blackjack").replace(decks=8).id == "power-blackjack"


def test_texts_are_not_markup():
    page = html_table("<b>", ["<i>", "&"], [["<script>", "1"]])
    assert "<b>" not in page
    assert "&lt;script&gt;" in page


def test_contributions():
    found = exact_contributions(rtpsim.load_game("6D"), rtpsim.read_chart("ordinary"))
    rows = rows_of(found._repr_html_())
    split = rows.index(["up card", "share of rounds", "net each", "net of 1,000 rounds"])
    for part in (rows[1:split], rows[split + 1 :]):
        *each, total = part
        assert total[0] == "all together"
        assert sum(float(row[3]) for row in each) == pytest.approx(float(total[3]), abs=0.006)
        assert sum(float(row[1][:-2]) for row in each) == pytest.approx(100.0, abs=0.001)
    up = {row[0]: row for row in rows[split + 1 :]}
    assert up["T"][1] == f"{100 * 96 / 312:.4f} %"
    assert f"{1000 * found.ev:+.3f}" in repr(found)
    assert "natural: 4.7489 % of rounds" in repr(found)  # 2 x 24 x 96 / (312 x 311)
