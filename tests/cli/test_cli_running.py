"""Long runs from the command line: kept, stopped by every signal, continued, out of space."""

import io
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
from rich.console import Console

from rtpsim.cli.progress import Stopping, Terminated, progress_bar

GAME = "signature-surrender"
LONG = ("--workers", "1", "--rounds", "1e13")
SHORT = ("--workers", "1", "--rounds", "2e6")


def figures(out):
    document = json.loads(out)
    document.pop("provenance")
    return document


@pytest.fixture
def signals(monkeypatch):
    """Send this process signals as soon as so many rounds have been counted."""

    def send(*numbers, after=1):
        left = list(numbers)

        def press(done):
            while left and done >= after:
                os.kill(os.getpid(), left.pop(0))

        @contextmanager
        def progress_bar(what, rounds):
            yield press

        monkeypatch.setattr("rtpsim.cli.running.progress_bar", progress_bar)

    return send


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["Ctrl-C", "SIGTERM"]
)
def test_a_stopped_run_goes_on_to_the_same_figures(call, signals, tmp_path, number, status):
    keep = ("--checkpoint", str(tmp_path / "run.ckpt"))
    signals(number, after=500_000)
    found, out, err = call("simulate", GAME, *SHORT, *keep, "--json")
    assert found == status
    played = json.loads(out)["rounds"]
    assert 500_000 <= played < 2_000_000
    assert err == (
        f"rtpsim: stopped after {played:,} of 2,000,000 rounds; --resume goes on from {keep[1]}\n"
    )
    found, out, err = call("simulate", GAME, *SHORT, *keep, "--resume", "--json")
    assert (found, err) == (0, "")
    assert json.loads(out)["provenance"]["resumed_rounds"] == played
    _, whole, _ = call("simulate", GAME, *SHORT, "--json")
    assert figures(out) == figures(whole)
    _, out, _ = call("simulate", GAME, *SHORT, *keep, "--resume")
    said = (
        "2,000,000 rounds, 2,000,000 of them from the checkpoint, 1 hand a round, seed 1; nothing"
    )
    assert f"{said} was left" in " ".join(out.split())


def test_nervous_fingers_lose_nothing(call, signals):
    signals(signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGINT)
    status, out, err = call("verify", GAME, "classic-blackjack", *LONG, "--json")
    assert status == 130
    (game,) = json.loads(out)
    (run,) = game["runs"]
    assert run["rounds_asked"] == 10**13
    assert 0 < run["rounds"] < 10**13
    assert "rtpsim: not played: classic-blackjack" in err


def test_what_hangs_can_be_aborted(monkeypatch):
    stopping = Stopping()
    with stopping.playing() as stop:
        stopping.handle(signal.SIGTERM, None)
        stopping.handle(signal.SIGINT, None)
    assert stop.is_set()
    assert stopping.status == 143
    monkeypatch.setattr("rtpsim.cli.progress.PATIENCE_S", -1.0)
    with pytest.raises(Terminated):
        stopping.handle(signal.SIGINT, None)


def test_verify_is_stopped_before_it_plays(call, monkeypatch):
    def press(*_, **__):
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr("rtpsim.exact.figures.exact_figures", press)
    status, out, err = call("verify", GAME, "--json", *LONG)
    assert status == 143
    assert json.loads(out) == []
    assert err == (
        "rtpsim: stopped after 0 of 10,000,000,000,000 rounds\n"
        "rtpsim: not played: signature-surrender\n"
    )


def test_verify_keeps_each_game_in_a_file_of_its_own(call, signals, tmp_path):
    keep = ("--checkpoint", str(tmp_path / "kept"))
    run = ("verify", "classic-blackjack", GAME, *SHORT, "--json")
    signals(signal.SIGINT, after=500_000)
    status, _, err = call(*run, *keep)
    assert status == 130
    assert f"--resume goes on from {keep[1]}" in err
    names = {path.name for path in (tmp_path / "kept").iterdir()}
    assert names == {"classic-blackjack.ckpt", "classic-blackjack.ckpt.1"}
    status, out, err = call(*run, *keep)
    assert (status, out) == (2, "")
    assert "exists already" in err
    status, out, err = call(*run, *keep, "--resume")
    assert status == 3
    assert err == (
        f"rtpsim: checkpoint {tmp_path / 'kept' / GAME}.ckpt: there is none yet; "
        "playing from the beginning\n"
    )
    assert json.loads(out) == json.loads(call(*run)[1])


def test_a_second_run_is_kept_too(call, tmp_path):
    """A first run that fails is played again, ten times as long, and kept in another file."""
    game = tmp_path / "mine.toml"
    game.write_text(
        """
title = "Mine"
rules = "8D"
chart = "ordinary"
insurance = true
even_money = true
""",
        encoding="utf-8",
    )
    from rtpsim.verification import judging

    keep = ("--checkpoint", str(tmp_path / "kept"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "family", _first_fails())
        status, out, _ = call("verify", str(game), "--rounds", "1e5", *keep, "--json")
    assert status in (1, 3)
    assert [run["rounds"] for run in json.loads(out)[0]["runs"]] == [100_000, 1_000_000]
    names = {path.name for path in (tmp_path / "kept").iterdir()}
    assert {"mine.ckpt", "mine.second.ckpt"} <= names
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "family", _first_fails())
        again, resumed, err = call(
            "verify", str(game), "--rounds", "1e5", *keep, "--json", "--resume"
        )
    assert (again, json.loads(resumed), err) == (status, json.loads(out), "")


def _first_fails():
    """Return a judge of families of tests that fails the first run."""
    from dataclasses import replace

    from rtpsim.verification.judging import family

    calls = iter(range(100))

    def judge(results, level):
        tests = family(results, level)
        return (replace(tests[0], failed=True), *tests[1:]) if next(calls) == 0 else tests

    return judge


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--resume",), "--resume: says nothing without --checkpoint"),
        (("--checkpoint-every", "5"), "--checkpoint-every: says nothing without"),
        (("--checkpoint", "x", "--checkpoint-every", "-1"), "-1"),
        (("--checkpoint", "no/x.ckpt"), "no/x.ckpt: cannot be written"),
        (("--checkpoint", "/"), "is a directory"),
        (("--checkpoint", ""), "'--checkpoint': the name is empty"),
        (("--scheduler", "tcp://127.0.0.1:9"), "--workers: the cluster of --scheduler"),
    ],
)
def test_options_that_do_not_go_together(call, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = call("simulate", GAME, *SHORT, *options)
    assert (status, out) == (2, "")
    assert message in err
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_checkpoint_is_refused_by_name(call, tmp_path):
    path = tmp_path / "run.ckpt"
    path.write_bytes(b"nonsense")
    status, out, err = call("simulate", GAME, *SHORT, "--checkpoint", str(path), "--resume")
    assert (status, out) == (2, "")
    assert err == f"rtpsim: checkpoint {path}: damaged, or not a checkpoint of rtpsim\n"


# -- disks that are really full or locked ------------------------------------------------------


def simulate(*options, **how):
    return subprocess.run(
        [sys.executable, "-m", "rtpsim", "simulate", GAME, *SHORT, "--json", *options],
        capture_output=True,
        text=True,
        timeout=120,
        **how,
    )


@pytest.fixture
def small_disk(tmp_path):
    """Return a folder on a disk of 64 kB of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk(small_disk, tmp_path):
    path = small_disk / "run.ckpt"
    (small_disk / "ballast").write_bytes(bytes(56 * 1024))
    keep = ("--checkpoint", str(path), "--checkpoint-every", "0")
    done = simulate(*keep)
    # zeroed counts find room, a tally does not: the run is played to its end all the same
    assert done.returncode == 0
    assert f"checkpoint {path}: cannot be written (No space left on device)" in done.stderr
    (small_disk / "ballast").unlink()
    again = simulate(*keep, "--resume")
    assert (again.returncode, again.stderr) == (0, "")
    assert figures(again.stdout) == figures(done.stdout)
    assert sorted(entry.name for entry in small_disk.iterdir()) == ["run.ckpt", "run.ckpt.1"]


def test_a_locked_disk(small_disk, call):
    """Nothing is played whose results could not be kept."""
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for command, *option in (
        ("simulate", "--checkpoint", "run.ckpt"),
        ("simulate", "--save", "result.json"),
        ("verify", "--checkpoint", "runs"),
        ("verify", "--report", "reports"),
    ):
        option[1] = f"{small_disk}/{option[1]}"
        status, out, err = call(command, GAME, *SHORT, *option)
        assert (status, out) == (2, "")
        assert "Read-only file system" in err
        assert str(small_disk) in err
        assert len(err.splitlines()) == 1


def test_files_that_may_not_grow(tmp_path):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    path = tmp_path / "run.ckpt"
    done = simulate("--checkpoint", str(path), preexec_fn=limit)
    assert done.returncode == 0
    assert "cannot be written (File too large)" in done.stderr
    assert figures(simulate("--checkpoint", str(path), "--resume").stdout) == figures(done.stdout)


# -- clocks that are set back ------------------------------------------------------------------


def test_a_clock_that_is_set_back_does_not_reach_the_progress_bar(monkeypatch):
    """Speed and time left come from a clock that nobody sets."""
    shown, now = io.StringIO(), [time.time()]

    def set_back():
        now[0] -= 24 * 3600
        return now[0]

    def console(stderr):
        return Console(file=shown, force_terminal=True, color_system=None, width=100)

    monkeypatch.setattr(time, "time", set_back)
    monkeypatch.setattr("rtpsim.cli.progress.is_terminal", lambda: True)
    monkeypatch.setattr("rtpsim.cli.output.console", console)
    with progress_bar("a game", 1000) as tell:
        for done in (250, 500):
            time.sleep(0.2)
            tell(done)
    last = shown.getvalue().rpartition("a game")[2]
    percentage, speed, left = re.search(r"(\d+) % ([\d.]+ k?) ?rounds/s (\S+)", last).groups()
    assert percentage == "50"
    assert 0.5 < float(speed.replace("k", "")) * (1000 if "k" in speed else 1) < 1250
    assert re.fullmatch(r"00:\d\d", left)


# -- rounds that follow from a half-width ------------------------------------------------------


@pytest.mark.parametrize("hands", ["1", "2"])
def test_a_half_width_chooses_the_rounds(call, hands):
    run = ("simulate", GAME, "--until-half-width", "0.1", "--hands", hands)
    status, out, err = call(*run, "--json")
    assert status == 0
    result = json.loads(out)
    rule = result["provenance"]["stopping_rule"]
    assert err == f"rtpsim: {GAME}: {rule}\n"
    assert f"half-width 0.1 points at 99 % on the total wagered: {result['rounds']:,}" in rule
    low, high = result["figures"]["intervals_99"]["rtp_total"]
    assert 0.00095 < (high - low) / 2 <= 0.001
    _, given, _ = call(
        "simulate", GAME, "--rounds", str(result["rounds"]), "--hands", hands, "--json"
    )
    assert figures(given) == figures(out)


def test_verify_chooses_the_rounds_of_each_game(call):
    status, out, err = call(
        "verify", GAME, "power-blackjack", "--until-half-width", "0.2", "--json"
    )
    assert status == 3
    games = json.loads(out)
    rounds = [game["runs"][0]["rounds"] for game in games]
    assert rounds[0] != rounds[1]
    for game, number, line in zip(games, rounds, err.splitlines(), strict=True):
        assert line.startswith(f"rtpsim: {game['game']}: half-width 0.2 points")
        assert f" {number:,} rounds" in line
        assert game["runs"][0]["wagers"][0]["half_width_99"] <= 0.002


@pytest.mark.parametrize("command", ["simulate", "verify"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--until-half-width", "0.1", "--rounds", "1e6"), "give no --rounds too"),
        (("--until-half-width", "0"), "0"),
        (("--until-half-width", "nan"), "nan"),
        (("--until-half-width", "much"), "much"),
        (("--until-half-width", "1e-12"), "rounds, and a run has"),
    ],
)
def test_half_widths_that_cannot_be(call, command, options, message):
    status, out, err = call(command, "classic-blackjack", *options)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") <= 2
