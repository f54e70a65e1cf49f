"""``rtpsim bench``: what it prints."""

import pytest

from rtpsim.bench.result import Start


@pytest.fixture(autouse=True)
def _no_processes(monkeypatch):
    monkeypatch.setattr("rtpsim.bench.measuring._starts", lambda: (Start(6.5, 5.5), Start(1, 0.5)))


def test_tables_fit_a_narrow_terminal(call, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    status, out, err = call("bench", "signature-surrender", "--rounds", "1e6")
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 60
    heads = [line.split()[0] for line in out.splitlines() if line and line[0] != "─"]
    for phase in ("words", "deal", "number", "bets", "seat", "step", "events", "apart", "labels"):
        assert phase in heads
    assert out.splitlines()[-2:] == [
        "first start, compiling    6.50   5.50",
        "later start               1.00   0.50",
    ]


def test_markdown_is_tables_for_a_page(call):
    status, out, _ = call("bench", "6D LS", "--rounds", "1e6", "--markdown")
    assert status == 0
    lines = out.splitlines()
    head = lines.index("| one thread | ns | median | cycles | M/s | x plain |")
    assert lines[head + 1] == "|---|---:|---:|---:|---:|---:|"
    assert lines[head + 2].startswith("| 6D LS | ")
    assert "| first start, compiling | 6.50 | 5.50 |" in lines


def test_json_has_everything(call_json):
    status, found = call_json("bench", "6D LS", "--rounds", "1e6")
    assert status == 0
    assert found["turns"] == 9
    assert [speed["case"]["hands"] for speed in found["speeds"]] == [1, 3, 1]
    assert found["later_start"] == {"wall_s": 1, "cpu_s": 0.5}
    assert {"machine", "stream", "cycle_ns", "phases", "threads"} <= found.keys()


def test_what_cannot_be_is_refused(call):
    status, _, err = call("bench", "nosuch")
    assert (status, err.startswith("rtpsim: game 'nosuch'")) == (2, True)
    status, _, err = call("bench", "--rounds", "10")
    assert status == 2
    assert "1e6" in err or "1000000" in err
    status, _, err = call("bench", "6D LS", "--json", "--markdown")
    assert (status, "--markdown" in err) == (2, True)
