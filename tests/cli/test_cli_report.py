"""``rtpsim verify --report`` and ``rtpsim audit``: the files, their audit, and every mishap."""

import io
import json
import os
import re
import shutil
import signal
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import pytest

sys.path.append(str(Path(__file__).parents[1] / "report"))

from synthetic_report import quickly_made

from rtpsim.cli.main import run
from rtpsim.report.canonical import canonical, own_hash
from rtpsim.report.html.pdf import NoPdfError

GAME = "signature-surrender"
SHORT = ("--rounds", "3e5")


@pytest.fixture(autouse=True)
def quick():
    with quickly_made():
        yield


def refuse_pdf(page, path):
    """Be a machine on which nothing makes PDF files."""

    def wait():
        raise NoPdfError("PDF needs WeasyPrint (pip install 'rtpsim[pdf]')")

    return wait


@pytest.fixture
def no_pdf(monkeypatch):
    monkeypatch.setattr("rtpsim.report.files.write_pdf_apart", refuse_pdf)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """Write a report without PDF, once; return its folder, and what was said."""
    folder = tmp_path_factory.mktemp("report")
    said = io.StringIO()
    with (
        quickly_made(),
        patch("rtpsim.report.files.write_pdf_apart", refuse_pdf),
        redirect_stdout(io.StringIO()),
        redirect_stderr(said),
    ):
        assert run(["verify", GAME, *SHORT, "--report", str(folder)]) == 3
    return folder, said.getvalue()


@pytest.fixture
def written(original, tmp_path):
    """Return a folder of one's own with the report's files."""
    return Path(shutil.copytree(original[0], tmp_path / "out"))


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_without_a_library_for_pdf_the_other_files_are_written(original):
    folder, said = original
    assert said == (
        f"rtpsim: {GAME}.pdf is not written: PDF needs WeasyPrint (pip install 'rtpsim[pdf]')\n"
    )
    assert names(folder) == [f"{GAME}.html", f"{GAME}.json", f"{GAME}.xlsx"]


def test_a_report_is_audited(call, written):
    status, out, err = call("audit", str(written / f"{GAME}.json"), "--cache")
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == f"{GAME}, chart ordinary: 300,000 rounds"
    assert out.splitlines()[-1] == "CONFIRMED"
    assert "note: signature-surrender.pdf is not there and was not compared" in out


def test_an_audit_for_machines(call_json, written):
    status, found = call_json("audit", str(written / f"{GAME}.json"), "--cache", "--all")
    assert status == 0
    assert found["passed"]
    assert found["checks"][0]["check"] == "own hash"
    assert "every block" in found["checks"][3]["said"]


@pytest.mark.parametrize("seal", [False, True])
def test_a_changed_figure_is_status_1(call, written, seal):
    path = written / f"{GAME}.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    document["exact"]["rtp_total"] = 0.9964
    if seal:
        document["sha256"] = own_hash(document)
    path.write_text(canonical(document), encoding="utf-8")
    status, out, _ = call("audit", str(path), "--cache")
    assert status == 1
    joined = " ".join(out.split())
    assert "figures: NOT CONFIRMED: exact.rtp_total: 0.9964 in print, 0.9963489" in joined
    assert ("own hash: NOT CONFIRMED" in joined) is not seal
    # the renderings say something else than the changed JSON, too
    assert f"renderings: NOT CONFIRMED: {GAME}.html" in joined
    assert out.splitlines()[-1] == "NOT CONFIRMED"


@pytest.mark.parametrize(
    ("suffix", "old", "new"),
    [("html", b"99.6349", b"99.6394"), ("xlsx", None, None)],
)
def test_a_changed_rendering_is_status_1(call, written, suffix, old, new):
    path = written / f"{GAME}.{suffix}"
    content = path.read_bytes()
    changed = content.replace(old, new, 1) if old else content[:-40]
    assert changed != content
    path.write_bytes(changed)
    status, out, _ = call("audit", str(written / f"{GAME}.json"), "--cache")
    assert status == 1
    assert f"renderings: NOT CONFIRMED: {GAME}.{suffix}" in " ".join(out.split())


@pytest.mark.parametrize("content", ["", "{}", "no report at all", '{"schema_version": "x/2"}'])
def test_what_is_no_report_is_status_2(call, tmp_path, content):
    path = tmp_path / "x.json"
    path.write_text(content)
    status, out, err = call("audit", str(path))
    assert (status, out) == (2, "")
    assert err.startswith(f"rtpsim: {path}: ")


def test_a_cut_report_is_status_2(call, written):
    path = written / f"{GAME}.json"
    path.write_bytes(path.read_bytes()[:-1000])
    status, _, err = call("audit", str(path))
    assert status == 2
    assert "damaged, or not JSON" in err


def test_a_missing_file_is_status_2(call, tmp_path):
    status, _, err = call("audit", str(tmp_path / "none.json"))
    assert status == 2
    assert "cannot be read" in err


# -- before anything is played --------------------------------------------------------------------


@pytest.fixture
def nothing_played(monkeypatch):
    def play(*arguments, **options):
        pytest.fail("something was played")

    monkeypatch.setattr("rtpsim.cli.verify.play_run", play)


@pytest.mark.usefixtures("nothing_played")
def test_a_folder_that_cannot_be_made_is_refused_first(call, tmp_path):
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "out"
    status, _, err = call("verify", GAME, "--report", str(folder))
    assert status == 2
    assert err.startswith(f"rtpsim: --report {folder}: cannot be written (")


@pytest.mark.usefixtures("nothing_played")
def test_the_same_game_twice_is_refused_first(call, tmp_path):
    status, _, err = call("verify", GAME, GAME, "--report", str(tmp_path))
    assert status == 2
    assert f"two games would be written to {GAME}.json" in err


# -- mishaps while it is made ---------------------------------------------------------------------


@pytest.mark.usefixtures("no_pdf")
def test_old_files_stay_if_a_rendering_fails(call, tmp_path, monkeypatch):
    folder = tmp_path / "out"
    folder.mkdir()
    old = folder / f"{GAME}.json"
    old.write_text("old")

    def fail(report, path):
        path.write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rtpsim.report.files.write_workbook", fail)
    status, _, err = call("verify", GAME, *SHORT, "--report", str(folder))
    assert status == 2
    assert "No space left on device" in err
    assert old.read_text() == "old"
    assert names(folder) == [old.name]


@pytest.fixture
def stopped_once(monkeypatch):
    """Have the first run stopped by Ctrl-C as soon as 500,000 rounds have been counted."""
    presses = [signal.SIGINT]

    @contextmanager
    def progress_bar(what, rounds):
        def press(done):
            while presses and done >= 500_000:
                os.kill(os.getpid(), presses.pop())

        yield press

    monkeypatch.setattr("rtpsim.cli.running.progress_bar", progress_bar)


@pytest.mark.usefixtures("no_pdf", "stopped_once")
def test_the_report_of_a_stopped_run_says_so_and_goes_on(call, tmp_path):
    folder, keep = tmp_path / "out", ("--checkpoint", str(tmp_path / "kept"))
    asked = ("--rounds", "2e6", "--workers", "1", "--report", str(folder))
    status, out, err = call("verify", GAME, *asked, *keep)
    assert status == 130
    assert "(stopped)" in out
    assert "of 2,000,000 rounds; --resume goes on" in err
    document = json.loads((folder / f"{GAME}.json").read_text(encoding="utf-8"))
    who, (run,) = document["identification"], document["reproducibility"]["tallies"]
    assert who["rounds_asked"] == run["rounds_asked"] == 2_000_000
    assert 500_000 <= who["rounds"] == run["rounds"] < 2_000_000
    page = (folder / f"{GAME}.html").read_text(encoding="utf-8")
    words = " ".join(re.sub(r"<[^>]*>", "", page).split())
    assert f"stopped after {who['rounds']:,} of the 2,000,000 rounds asked for" in words
    assert f"{who['rounds']:,} of 2,000,000 rounds (stopped), seed 1" in words
    status, out, _ = call("audit", str(folder / f"{GAME}.json"), "--cache", "--all")
    assert (status, out.splitlines()[-1]) == (0, "CONFIRMED")
    # what was asked cannot be left out
    del who["rounds_asked"]
    document["sha256"] = own_hash(document)
    (folder / f"{GAME}.json").write_text(canonical(document), encoding="utf-8")
    status, out, _ = call("audit", str(folder / f"{GAME}.json"), "--cache")
    assert status == 1
    assert "identification.rounds_asked" in out
    # gone on with, it is the report of a run never stopped
    call("verify", GAME, *asked, *keep, "--resume")
    went_on = json.loads((folder / f"{GAME}.json").read_text(encoding="utf-8"))
    call("verify", GAME, *asked)
    whole = json.loads((folder / f"{GAME}.json").read_text(encoding="utf-8"))
    assert "rounds_asked" not in went_on["identification"]
    assert went_on["reproducibility"]["duration_s"] is None
    assert went_on["reproducibility"]["tallies"] == whole["reproducibility"]["tallies"]
    assert went_on["wagers"] == whole["wagers"]


@pytest.mark.usefixtures("no_pdf", "stopped_once")
def test_the_reports_of_games_that_were_finished_are_written(call, tmp_path):
    games = (GAME, "classic-blackjack")
    call("verify", *games, "--rounds", "1e12", "--workers", "1", "--report", str(tmp_path))
    assert names(tmp_path) == [f"{GAME}.html", f"{GAME}.json", f"{GAME}.xlsx"]


@pytest.mark.usefixtures("no_pdf")
def test_a_report_says_what_its_rounds_follow_from(call, tmp_path):
    call("verify", GAME, "--until-half-width", "0.4", "--report", str(tmp_path))
    document = json.loads((tmp_path / f"{GAME}.json").read_text(encoding="utf-8"))
    assert document["design"]["rounds_rule"].startswith("half-width 0.4 points at 99 %")
    assert document["wagers"][0]["simulated"]["half_width_99"] <= 0.004


@pytest.mark.slow
@pytest.mark.usefixtures("no_pdf")
def test_a_rule_string_has_a_report_too(call, tmp_path):
    status, _, _ = call("verify", "6D H17 6:5", *SHORT, "--report", str(tmp_path))
    assert status == 3
    (path,) = tmp_path.glob("*.json")
    assert path.stem == "6D-H17-DOA-DAS-SPL1-SPV-NRSA-NHSA-NDSA-NS-6-5-PEEK"
    status, out, _ = call("audit", str(path), "--cache")
    assert status == 0
    assert "from a file or a rule string" in out


@pytest.mark.slow
def test_a_pdf_is_written_and_audited(call, tmp_path):
    call("verify", GAME, *SHORT, "--report", str(tmp_path))
    pdf = tmp_path / f"{GAME}.pdf"
    assert pdf.read_bytes().startswith(b"%PDF")
    path = str(tmp_path / f"{GAME}.json")
    assert call("audit", path, "--cache")[0] == 0
    pdf.write_bytes(pdf.read_bytes().replace(b"/Title", b"/TITLE", 1) + b"\n")
    status, out, _ = call("audit", path, "--cache")
    assert status == 1
    assert f"{GAME}.pdf: other content than expected" in " ".join(out.split())
