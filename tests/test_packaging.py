"""A wheel holds everything that is needed, and works from any directory."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GAMES = {path.name for path in (ROOT / "rtpsim" / "games").glob("*.toml")}
CHARTS = {path.name for path in (ROOT / "strategies").glob("*.csv")}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel with the installed backend: nothing is downloaded."""
    folder = tmp_path_factory.mktemp("wheel")
    code = f"import hatchling.build; print(hatchling.build.build_wheel({str(folder)!r}))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


def test_there_are_four_games():
    assert len(GAMES) == 4


def test_the_wheel_holds_games_and_charts(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"rtpsim/games/{name}" for name in GAMES} <= names
    assert {f"rtpsim/strategies/{name}" for name in CHARTS} <= names
    assert "rtpsim/py.typed" in names
    assert not [name for name in names if name.startswith(("tests", "strategies"))]
    assert [name for name in names if name.endswith("licenses/LICENSE")]


def test_the_source_distribution_holds_what_its_tests_run(tmp_path):
    code = f"import hatchling.build; print(hatchling.build.build_sdist({str(tmp_path)!r}))"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    for folder in ("notebooks", "docs", "strategies", "tests", "rtpsim/report/html/templates"):
        there = {str(path.relative_to(ROOT)) for path in (ROOT / folder).glob("*.*")}
        there = {name for name in there if not name.endswith(".pyc")}
        assert there
        assert there <= names


def test_it_works_from_another_directory(wheel, tmp_path):
    site = tmp_path / "site"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--target", site, wheel], check=True, timeout=120)
    code = (
        "import rtpsim, sys\nfrom rtpsim.cli.main import run\n"
        "print(rtpsim.__file__)\nsys.exit(run(['show', 'power-blackjack']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(site))
    assert "Chart power-blackjack" in done.stdout
