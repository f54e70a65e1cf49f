"""Absurd sizes, and paths that lead elsewhere: refused soon, with little memory."""

import io
import json
import os
import time
import tracemalloc
import zipfile

import pytest

from rtpsim.errors import InputError
from rtpsim.games import load_game
from rtpsim.program.compositionfiles import read_composition
from rtpsim.report.canonical import read_document
from rtpsim.results.files import load_result
from rtpsim.runs.parcel import unpack
from rtpsim.sealed import seal
from rtpsim.strategy import default_chart, read_chart
from rtpsim.strategy.files import strategies_dir

GIGABYTE = 1 << 30
MOST_BYTES = 100_000_000
MOST_SECONDS = 5

READERS = {
    "game.toml": load_game,
    "chart.csv": read_chart,
    "run.json": load_result,
    "run.parquet": load_result,
    "report.json": read_document,
    "play.csv": read_composition,
    "play.parquet": read_composition,
}


def refused(read, path):
    """Have a file refused; return the message, and fail if that takes much time or memory."""
    tracemalloc.start()
    begun = time.process_time()
    try:
        with pytest.raises(InputError) as caught:
            read(path)
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
        assert time.process_time() - begun < MOST_SECONDS
    finally:
        tracemalloc.stop()
    return str(caught.value)


@pytest.mark.parametrize("name", READERS)
def test_a_gigabyte(tmp_path, name):
    path = tmp_path / name
    with path.open("wb") as file:  # sparse: it takes no room on the disk
        file.truncate(GIGABYTE)
    assert any(word in refused(READERS[name], path) for word in ("larger than", "more than"))


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    "content",
    [
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b"x = " + b"[" * 200_000,
        b"[a]\n" + b"[[a.b]]\n" * 5000 + b"x = {",
        b"x = " + b"9" * 200_000,
        b'{"provenance": {"format_version": 2}, "stream_version": ' + b"9" * 200_000 + b"}",
        b'{"schema_version": ' + b"9" * 4000 + b"}",
        b"hand" + b",2" * 200_000,
        b'"' * 200_001,
        b"\n" * 200_000,
        b"hard 16 " * 20_000,
    ],
    ids=range(11),
)
def test_deep_and_long_things(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    message = refused(READERS[name], path)
    assert path.name in message
    assert len(message) < 700


def test_a_small_parquet_file_of_very_many_rows(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "run.parquet"
    column = pa.DictionaryArray.from_arrays(pa.array([0]).take(pa.array([0] * 20_000_000)), ["x"])
    pq.write_table(pa.table({"table": column}), path)
    assert path.stat().st_size < 1_000_000
    path.write_bytes(seal(path.read_bytes()))
    assert "values" in refused(load_result, path)


def test_a_small_archive_of_a_very_large_member():
    import hashlib

    from played import a_run

    from rtpsim.simulation.run import run_plan

    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run.json", bytes(200_000_000))
    content = body.getvalue()
    assert len(content) < 1_000_000
    content = b"\n".join(
        [b"rtpsim counts 1", hashlib.sha256(content).hexdigest().encode(), content]
    )
    counts = run_plan(a_run(60).plan(), workers=1)
    assert "too large" in refused(lambda _: unpack(content, "x", counts), None)


@pytest.mark.parametrize(
    "text", ["1000000000D", "0D", "1001D", "8D C1000000000", "8D MAX99999999", "8D 1000000001:1"]
)
def test_absurd_rules(text):
    assert len(refused(load_game, text)) < 300


SECRET = (strategies_dir() / "ordinary.csv").read_text("utf-8")
"""A chart, which could be read if it were looked for."""


@pytest.mark.parametrize(
    "chart",
    [
        "../secret.csv",
        "../../etc/passwd",
        "/etc/passwd",
        "{absolute}",
        "a/../../secret.csv",
        "./../secret.csv",
        "link.csv",
        "folder/secret.csv",
        "loop.csv",
        "a\0.csv",
        "..",
        ".",
        "",
        "~/secret.csv",
        "file:///etc/passwd",
        "\\\\host\\share\\x.csv",
        "con.csv",
        "x" * 5000 + ".csv",
        "pipe.csv",
    ],
)
def test_no_chart_outside_the_folder_of_the_game(tmp_path, chart):
    secret = tmp_path / "secret.csv"
    secret.write_text(SECRET, encoding="utf-8")
    home = tmp_path / "home"
    home.mkdir()
    (home / "link.csv").symlink_to(secret)
    (home / "folder").symlink_to(tmp_path)
    (home / "loop.csv").symlink_to(home / "loop.csv")
    os.mkfifo(home / "pipe.csv")
    game = home / "game.toml"
    given = json.dumps(chart.replace("{absolute}", str(secret)))
    game.write_text(f'title = "Mine"\nrules = "8D"\nchart = {given}\n', encoding="utf-8")
    message = refused(lambda path: default_chart(load_game(path)), game)
    assert "root:" not in message
    assert len(message) < 1000


def test_a_file_that_is_no_chart_is_not_quoted_at_length(tmp_path):
    """Whoever names a file as chart learns no more of it than a few characters."""
    (tmp_path / "secret.txt").write_text("password: " + "x" * 10_000, encoding="utf-8")
    chart = tmp_path / "mine.csv"
    chart.symlink_to(tmp_path / "secret.txt")
    assert len(refused(read_chart, chart)) < 400


@pytest.mark.parametrize("name", READERS)
def test_places_that_are_no_files(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    refused(READERS[name], folder)
    refused(READERS[name], tmp_path / f"a\0{name}")
    refused(READERS[name], tmp_path / ("x" * 5000 + name))
    refused(READERS[name], tmp_path / "nowhere" / name)
    loop = tmp_path / f"loop-{name}"
    loop.symlink_to(loop)
    refused(READERS[name], loop)
