"""Every command and example of the README runs, and prints what stands there.

Run as a script, this file writes the present output of the ``console`` examples into the README.
"""

import contextlib
import io
import json
import os
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from rtpsim.cli.main import run
from rtpsim.games import load_game
from rtpsim.strategy import COLUMNS, ROWS, read_chart

README = Path(__file__).parent.parent / "README.md"
DOCS = README.parent / "docs"
CONSOLE = re.compile(r"```console\n\$ (?P<command>[^\n]*)\n(?P<output>.*?)```", re.DOTALL)
SPEED = re.compile(r"[\d.]+ s, [\d.]+ [GMk]? ?rounds/s")
ALLOWED = {"verify": {0, 3}}
CUT = "..."
"""Last line of an output that the README does not show in full."""
SHORT = ("--rounds", "1e5")
"""Added to commands that play a billion rounds."""


def blocks(kind, page=README):
    return re.findall(rf"```{kind}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def examples():
    return [
        (match["command"], match["output"])
        for match in CONSOLE.finditer(README.read_text(encoding="utf-8"))
    ]


def other_commands():
    return [line for block in blocks("sh") for line in block.splitlines()]


def arguments_of(command):
    program, *arguments = shlex.split(command)
    assert program == "rtpsim"
    return arguments


def is_long(command):
    return command.startswith("rtpsim verify") and "--rounds" not in command


def printed_by(command, *more):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = run([*arguments_of(command), *more])
    return status, out.getvalue()


def without_speed(text):
    return SPEED.sub("(speed)", text)


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)


def test_every_command_has_an_example():
    commands = [command.split()[1] for command, _ in examples()]
    assert {
        "games",
        "show",
        "trace",
        "simulate",
        "exact",
        "hand",
        "readings",
        "verify",
    } <= set(commands)


def test_the_two_commands_come_first():
    commands = [line for line in README.read_text(encoding="utf-8").splitlines() if line][1:3]
    assert [line.split("#")[0].split() for line in commands] == [
        ["make", "verify"],
        ["make", "test"],
    ]


@pytest.mark.parametrize(("command", "output"), examples())
def test_examples_print_what_stands_there(command, output):
    if is_long(command):
        status, printed = printed_by(command, *SHORT)
        assert status in ALLOWED["verify"]
        # as many rounds as the README shows take too long here: what they do not change is compared
        shown, seen = output.splitlines(), printed.splitlines()
        assert seen[:3] == shown[:3]
        columns = [line.split() for line in shown if re.search(r"\d\d\.\d\d %\s", line)]
        for line in columns[:3]:
            assert any(line[:4] == other.split()[:4] for other in seen), line
        return
    status, printed = printed_by(command)
    assert status == 0
    shown, seen = without_speed(output).splitlines(), without_speed(printed).splitlines()
    if shown[-1] == CUT:
        shown.pop()
        seen = seen[: len(shown)]
    assert "\n".join(seen).rstrip() == "\n".join(shown).rstrip()


@pytest.mark.parametrize("command", other_commands())
def test_other_commands_run(command):
    status, printed = printed_by(command)
    assert status == 0
    assert printed


@pytest.mark.parametrize("code", blocks("python"))
def test_python_examples_run(code):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "README.md", "exec"), {})
    assert 0.9 < float(out.getvalue().split()[0]) < 1.1


def test_exit_statuses_are_those_of_the_program():
    from rtpsim.cli import main, output

    table = README.read_text(encoding="utf-8").partition("### Exit status")[2]
    statuses = {int(number) for number in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)}
    stops = {output.INTERRUPTED, output.TERMINATED, main.PIPE_CLOSED}
    assert statuses == {0, 1, 3, main.USAGE, main.FAULT} | stops


def test_the_game_file_of_the_docs_is_one(tmp_path):
    (text,) = blocks("toml", DOCS / "game-files.md")
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    game = load_game(path)
    assert set(tomllib.loads(text)) == {
        name for name in type(game).model_fields if name not in ("id", "quoted")
    }
    assert game.with_settings({"soft-17": "stand"}).rules.soft17 == "stand"
    assert game.side_bets[0].pays == {"perfect": 25, "coloured": 12, "mixed": 6}


def test_the_rows_of_the_docs_are_rows_of_the_ordinary_chart():
    (text,) = blocks("csv", DOCS / "charts.md")
    comment, header, *rows = text.splitlines()
    assert comment.startswith("#")
    assert header == "hand," + ",".join(COLUMNS)
    chart = read_chart("ordinary")
    for row in rows:
        label, *cells = row.split(",")
        assert chart.rows[label] == tuple(cells)


def test_further_rows_of_the_docs_are_known():
    page = (DOCS / "charts.md").read_text(encoding="utf-8").partition("Further rows")[2]
    labels = re.findall(
        r'`"?([^`"]+)"?`', "".join(re.findall(r"^\| ([^|]*) \|", page, re.MULTILINE))
    )
    assert len(labels) == 7
    assert set(labels) <= set(ROWS)


def test_the_keys_of_the_docs_are_those_of_the_command():
    page = (DOCS / "exact.md").read_text(encoding="utf-8").partition("## How")[0]
    named = re.findall(r"`([^`]+)`", "".join(re.findall(r"^\| ([^|]*) \|", page, re.MULTILINE)))
    _, printed = printed_by("rtpsim exact classic-blackjack", "--json")
    assert set(named) == set(json.loads(printed))


def write_outputs():
    """Put the present output of every ``console`` example into the README."""
    os.environ["COLUMNS"] = "80"

    def filled(match):
        _, printed = printed_by(match["command"])
        lines = printed.rstrip().splitlines()
        before = match["output"].splitlines()
        if before and before[-1] == CUT:
            lines = [*lines[: len(before) - 1], CUT]
        return "\n".join(["```console", f"$ {match['command']}", *lines, "```"])

    README.write_text(CONSOLE.sub(filled, README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    write_outputs()
