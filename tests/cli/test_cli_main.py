"""The command line as a whole: help, errors, exit statuses, closed pipes."""

import os
import re
import shlex
import subprocess
import sys
import time

import pytest

from rtpsim.cli.main import cli

HEAVY = ("numpy", "numba", "pandas", "scipy", "pydantic", "pyarrow", "rich")
PROGRAM = [sys.executable, "-m", "rtpsim"]


@pytest.mark.parametrize("command", ["", *cli.commands])
def test_help_everywhere_with_an_example(call, command):
    for option in ("-h", "--help"):
        status, out, err = call(*command.split(), option)
        assert (status, err) == (0, "")
        assert "Example" in out
        assert f"rtpsim {command}" in out.split("Example")[1]


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom rtpsim.cli.main import run\nrun(['exact', '-h'])\n"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr.strip() == "[]"


@pytest.mark.slow  # a clock on a busy machine proves little; what counts is tested above
def test_help_answers_within_three_tenths_of_a_second():
    def seconds():
        began = time.perf_counter()
        subprocess.run([*PROGRAM, "-h"], capture_output=True, check=True, timeout=60)
        return time.perf_counter() - began

    assert min(seconds() for _ in range(5)) < 0.3


def test_version(call):
    status, out, _ = call("--version")
    assert status == 0
    assert re.fullmatch(r"rtpsim \d+\.\d+\.\d+\n", out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulat"], "No such command 'simulat'"),
        (["simulate"], "Missing argument 'GAME'"),
        (["games", "--no"], "No such option"),
        (["simulate", "classic-blackjack", "--rounds", "1.5"], "expected a whole number"),
        (["simulate", "classic-blackjack", "--set", "soft17"], "expected NAME=VALUE"),
        (["simulate", "classic-blackjak"], "did you mean 'classic-blackjack'"),
        (["simulate", "classic-blackjack", "--set", "soft18=hit"], "did you mean 'soft17'"),
        (["simulate", "classic-blackjack", "--set", "soft17=maybe"], "'stand' or 'hit'"),
        (
            ["show", "classic-blackjack", "--set", "decks=1", "--set", "decks=2"],
            "given twice, as '1' and '2'",
        ),
        (["simulate", "classic-blackjack", "--hands", "2"], "allows 1 a round"),
        (["simulate", "classic-blackjack", "--side-bets", "lucky"], "unknown side bet"),
        (["simulate", "classic-blackjack", "--strategy", "nowhere.csv"], "no such file"),
        (["simulate", "classic-blackjack", "--save", "run.txt"], ".json or .parquet"),
        (["simulate", "classic-blackjack", "--save", "nowhere/run.json"], "there is no folder"),
        (["simulate", "0D S17"], "decks = 0"),
        (["simulate", "6D RSA SPL1"], "resplit_aces"),
        (["show", "nowhere.toml"], "nowhere.toml"),
        (["trace", "classic-blackjack", "--cards", "T♠ 6♦"], "up card"),
        (["trace", "classic-blackjack", "--cards", "T 6 | 9"], "cards given ran out"),
        (["trace", "classic-blackjack", "--cards", "T 6 | 9", "--seed", "0"], "--seed"),
        (["trace", "classic-blackjack", "--rounds", "1e9"], "expected a whole number from 1"),
    ],
)
def test_errors_are_a_line_or_two_on_stderr(call, arguments, message):
    status, out, err = call(*arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.startswith("rtpsim: ")
    assert 1 <= len(err.splitlines()) <= 2


def test_a_fault_of_our_own_is_no_traceback(call, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("nothing left")

    monkeypatch.setattr("rtpsim.cli.options.open_game", fail)
    monkeypatch.delenv("RTPSIM_DEBUG", raising=False)
    status, out, err = call("show", "classic-blackjack")
    assert (status, out) == (70, "")
    assert "ZeroDivisionError: nothing left" in err
    assert len(err.splitlines()) == 2
    monkeypatch.setenv("RTPSIM_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        call("show", "classic-blackjack")


@pytest.mark.parametrize(
    "arguments",
    [["games"], ["show", "power-blackjack"], ["trace", "power-blackjack", "--rounds", "50"]],
)
def test_a_closed_pipe_is_quiet(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*PROGRAM, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=120
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_without_a_standard_output_it_says_so():
    closed = "exec >&-; exec " + shlex.join([sys.executable, "-m", "rtpsim", "games"])
    done = subprocess.run(["sh", "-c", closed], stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "rtpsim: there is no standard output to write to\n"


def test_a_terminal_without_suits_shows_question_marks():
    done = subprocess.run(
        [*PROGRAM, "trace", "classic-blackjack", "--cards", "T♠ 9♦ | 6♣ A♥"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"},
        timeout=60,
    )
    assert done.returncode == 0
    assert b"?" in done.stdout
