"""``rtpsim strategy``: charts shown, compared, valued, ranked, drawn and converted."""

import re
import shlex
from itertools import pairwise

import pytest

from rtpsim.cli.paytables import paytable_command
from rtpsim.cli.strategy import strategy_command
from rtpsim.exact import exact
from rtpsim.games import load_game
from rtpsim.strategy import format_chart, parse_chart, read_chart

CHART = read_chart("classic-blackjack")


@pytest.fixture(autouse=True)
def narrow(monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.chdir(tmp_path)


def test_a_chart_is_shown_in_letters_that_can_be_read_back(call):
    status, out, err = call("strategy", "show", "classic-blackjack")
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 60
    table = out[out.index("Hard ") : out.index("H hit")]
    assert parse_chart(table, name="classic-blackjack").sha256 == CHART.sha256


def test_colours_add_nothing_to_the_letters(call, monkeypatch):
    _, plain, _ = call("strategy", "show", "power-blackjack")
    monkeypatch.setenv("FORCE_COLOR", "1")
    _, coloured, _ = call("strategy", "show", "power-blackjack")
    assert "\x1b[" in coloured
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()


def test_a_game_a_rule_string_and_a_solved_chart_are_shown(call, call_json):
    assert call("strategy", "show", "6D H17 DAS")[1].startswith("ordinary\n")
    status, found = call_json("strategy", "show", "optimal-td", "--game", "classic-blackjack")
    assert status == 0
    assert found["name"] == "optimal-td"
    assert found["rows"]["hard 16"] == list(CHART.rows["hard 16"])


def test_differences_are_valued_in_the_game_named(call, call_json):
    _, found = call_json("strategy", "diff", "classic-blackjack", "optimal-td")
    assert [(cell["row"], cell["up"], cell["a"], cell["b"]) for cell in found["cells"]] == [
        ("soft 19", "6", "Ds", "S")  # doubling soft 19 is not allowed here: nothing changes
    ]
    assert found["cells"][0]["gain"] == 0.0
    changed = CHART.with_cell("hard 16", 9, "S")
    with open("mine.json", "w", encoding="utf-8") as file:
        from rtpsim.strategy.formats import write_as

        file.write(write_as(changed, "json"))
    status, out, _ = call("strategy", "diff", "classic-blackjack", "mine.json")
    assert status == 0
    game = load_game("classic-blackjack")
    gain = exact(game, changed, moments=False).ev - exact(game, CHART, moments=False).ev
    assert re.search(rf"hard 16 v T +H +S +\d+ +{re.escape(f'{1000 * gain:+.4f}')}", out)
    assert max(map(len, out.splitlines())) <= 60


def test_equal_charts_play_alike(call):
    assert (
        call("strategy", "diff", "ordinary", "ordinary")[1] == "ordinary and ordinary play alike.\n"
    )


def test_differences_need_no_game(call):
    status, out, _ = call("strategy", "diff", "ordinary", "blackjack-surrender-td", "--limit", "2")
    assert status == 0
    assert "gain" not in out
    assert "more (--limit)" in out


def test_costs_add_up_and_are_cut_where_asked(call, call_json):
    _, found = call_json("strategy", "cost", "classic-blackjack")
    assert found["total"] == pytest.approx(found["ev_optimal_cd"] - found["ev_chart"], abs=1e-12)
    assert sum(cell["cost"] for cell in found["cells"]) == pytest.approx(found["total"], abs=1e-15)
    status, out, _ = call("strategy", "cost", "classic-blackjack", "--limit", "3")
    assert status == 0
    assert "hard 16 v T" in out
    assert f"{1000 * found['total']:.4f}" in out
    assert max(map(len, out.splitlines())) <= 60


def test_habits_are_ranked_best_first(call, call_json):
    _, found = call_json("strategy", "rank", "classic-blackjack")
    returns = [habit["rtp_initial"] for habit in found["habits"]]
    assert all(one >= other for one, other in pairwise(returns))
    status, out, _ = call("strategy", "rank", "classic-blackjack")
    assert status == 0
    assert "mimic the dealer" in out
    assert max(map(len, out.splitlines())) <= 60


@pytest.mark.parametrize("name", ["chart.png", "chart.svg", "chart.pdf"])
def test_charts_are_drawn_into_files(call, name, tmp_path):
    assert call("strategy", "plot", "ordinary", "-o", name) == (0, "", "")
    begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[name[-3:]]
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_costs_are_drawn_in_a_game(call, tmp_path):
    arguments = ("strategy", "plot", "classic-blackjack", "--costs", "-o", "costs.svg")
    assert call(*arguments)[0] == 0
    assert "hard 16 v T: H" in (tmp_path / "costs.svg").read_text(encoding="utf-8")


def test_charts_are_converted(call, tmp_path):
    _, out, _ = call("strategy", "convert", "ordinary", "--to", "markdown")
    assert "| hard 16 |" in out
    assert call("strategy", "convert", "ordinary", "-o", "x.json")[0] == 0
    assert read_chart(tmp_path / "x.json").sha256 == read_chart("ordinary").sha256
    assert call("strategy", "convert", "x.json")[1].splitlines()[-1].startswith("insurance")


def examples():
    """Return the examples of all commands of the two groups."""
    for group in (strategy_command, paytable_command):
        for command in (group, *group.commands.values()):
            yield from re.findall("^  rtpsim (.*)$", command.epilog, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("example", list(examples()))
def test_examples_run(call, example, tmp_path):
    (tmp_path / "mine.csv").write_text(format_chart(read_chart("power-blackjack")), "utf-8")
    status, out, err = call(*shlex.split(example))
    assert (status, err) == (0, "")
    assert out or len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "nothing"), "no such file"),
        (("show", "optimal-td"), "--game"),
        (("cost", "ordinary"), "--game"),
        (("cost", "optimal-cd", "--game", "classic-blackjack"), "no chart"),
        (("diff", "ordinary", "power-blackjack", "--game", "classic-blackjack"), "power split"),
        (("plot", "ordinary", "-o", "x.gif"), ".png, .svg or .pdf"),
        (("plot", "ordinary", "-o", "none/x.png"), "no folder"),
        (("plot", "ordinary", "--costs", "-o", "x.png"), "--game"),
        (("convert", "ordinary", "-o", "x.doc"), "ends in"),
        (("show", "ordinary", "--set", "soft17=hit"), "--set"),
    ],
)
def test_mistakes_are_named(call, arguments, said):
    status, out, err = call("strategy", *arguments)
    assert (status, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) <= 2
