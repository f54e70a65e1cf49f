"""Bad input on the command line: exit status 2, two lines on stderr, nothing written."""

import os
import random
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from fuzzing import TIMES
from mutations import JUNK, words_changed
from outcomes import unclear

from rtpsim.cli.main import run

GAME = resources.files("rtpsim.games").joinpath("signature-surrender.toml").read_text("utf-8")

COMMANDS = [
    ["show", "classic-blackjack"],
    ["simulate", "classic-blackjack", "--rounds", "10", "--seed", "1", "--hands", "1"],
    ["simulate", "8D", "--rounds", "10", "--set", "soft17=hit", "--strategy", "ordinary"],
    ["simulate", "8D", "--rounds", "10", "--shard", "1/1", "--json"],
    ["trace", "classic-blackjack", "--cards", "T 6 | 9 7 | 5"],
    ["trace", "classic-blackjack", "--seed", "1", "--rounds", "1"],
    ["merge", "a.json", "b.json"],
    ["audit", "report.json"],
    ["hand", "8D", "T 6", "9"],
    ["strategy", "show", "ordinary"],
    ["paytable", "show", "signature-surrender", "empire-poker", "--pay", "flush=6"],
]


def refused(capsys, arguments):
    """Run a command that must not be understood; return what it says."""
    status = run(arguments)
    out, err = capsys.readouterr()
    assert (status, out) == (2, ""), (arguments, status, out[:200], err)
    assert err.startswith("rtpsim: ")
    assert unclear(err.removeprefix("rtpsim: "), "") is None, (arguments, err)
    return err


@pytest.mark.parametrize("times", TIMES)
def test_words_of_a_command_changed(times, capsys, tmp_path, monkeypatch):
    """Whatever a command line becomes: understood, or refused in two lines; never a fault."""
    monkeypatch.chdir(tmp_path)
    junk = [*(str(value) for value in JUNK), "--set", "--json", "-h", "x=y", "--seed", "8D", "1e3"]
    rng = random.Random(times)
    statuses = []
    for _ in range(150 * times):
        command, *words = rng.choice(COMMANDS)
        words = [word for word in words_changed(rng, words, junk) if word not in ("-h", "--help")]
        arguments = [command, *words]
        status = run(arguments)
        out, err = capsys.readouterr()
        statuses.append(status)
        assert status in (0, 1, 2), (arguments, err)
        if status == 2:
            assert out == "", (arguments, out)
            fault = unclear(err.removeprefix("rtpsim: "), "", " ".join(arguments))
            assert fault is None, (arguments, fault)
    assert statuses.count(2) > 80 * times
    assert list(tmp_path.iterdir()) == []


FILES = {
    "unknown.toml": (GAME.replace("max_hands", "max_hnds"), "did you mean 'max_hands'"),
    "escape.toml": (GAME.replace('"ordinary"', '"../x.csv"'), "outside the game file's folder"),
    "nul.toml": (GAME + "\0", "nul.toml: line "),
    "control.toml": (GAME.replace("max_hands", '"\x1b[31m"'), "control.toml: "),
    "script.csv": ("<script>alert(1)</script>\n", "script.csv, line 1, column 1"),
    "control.csv": (
        "hand\x1b[31m,2\n",
        "script.csv, line 1, column 5".replace("script", "control"),
    ),
    "empty.json": ("", "empty.json: line 1, column 1"),
    "foreign.json": ("{}", "foreign.json: "),
    "empty.parquet": ("", "empty.parquet: damaged"),
}


@pytest.mark.parametrize("name", FILES)
def test_files(name, capsys, tmp_path):
    path = tmp_path / name
    path.write_bytes(FILES[name][0].encode())
    commands = {
        ".toml": [["show", str(path)], ["simulate", str(path), "--rounds", "10"]],
        ".csv": [
            ["simulate", "8D", "--strategy", str(path), "--rounds", "10"],
            ["trace", "8D", "--strategy", str(path)],
        ],
        ".json": [["merge", str(path), str(path)]],
        ".parquet": [["merge", str(path), str(path)]],
    }
    for arguments in commands[path.suffix]:
        assert FILES[name][1] in refused(capsys, arguments)
    assert [one.name for one in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate", "8D", "--rounds", "1e99"],
        ["simulate", "8D", "--rounds", "-1"],
        ["simulate", "8D", "--rounds", "nan"],
        ["simulate", "8D", "--seed", "-1"],
        ["simulate", "8D", "--hands", "99999999999999999999"],
        ["simulate", "8D", "--workers", "1e9"],
        ["simulate", "8D", "--set", "decks=1000000000"],
        ["simulate", "1000000000D", "--rounds", "1"],
        ["simulate", "8D", "--rounds", "10", "--save", "/nowhere/at/all/x.json"],
        ["simulate", "8D", "--rounds", "10", "--save", "x.exe"],
        ["paytable", "find", "signature-surrender", "empire-poker", "--target", "1e999999999"],
        ["sweep", "8D", "--vary", "decks=1e99"],
        ["audit", "nowhere.json"],
    ],
    ids=" ".join,
)
def test_numbers_and_places(arguments, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused(capsys, arguments)
    assert list(tmp_path.iterdir()) == []


def test_the_installed_command_does_the_same(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(GAME.replace("max_hands", "max_hnds"), encoding="utf-8")
    home = Path(__file__).parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "rtpsim", "show", str(path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(home)},
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) <= 2
    assert "did you mean 'max_hands'" in done.stderr
