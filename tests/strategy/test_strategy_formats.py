"""Charts in other formats: there and back, and shown in HTML."""

import json
from pathlib import Path

import pytest
from tiny_shoes import random_chart

from rtpsim.errors import InputError
from rtpsim.rulestring import parse_rules
from rtpsim.strategy import COLUMNS, parse_chart, read_chart, strategy_names
from rtpsim.strategy.colours import letter_colour
from rtpsim.strategy.formats import FORMATS, by_block, format_of, parse_any, write_as

CHARTS = [read_chart(name) for name in strategy_names()]
CHARTS += [random_chart(seed, parse_rules("1D PD9S PSR C8 SPL3 LS")) for seed in (1, 2, 3)]


@pytest.mark.parametrize("kind", ["csv", "markdown", "json", "text"])
@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_a_chart_comes_back_as_it_was(chart, kind, tmp_path):
    text = write_as(chart, kind)
    assert parse_any(text, name=chart.name) == chart
    path = tmp_path / {"csv": "x.csv", "markdown": "x.md", "json": "x.json", "text": "x.txt"}[kind]
    path.write_text(text, encoding="utf-8")
    assert dict(read_chart(path).rows) == dict(chart.rows)
    assert format_of(path) == kind


def test_json_is_a_table_of_rows():
    content = json.loads(write_as(CHARTS[0], "json"))
    assert content["columns"] == list(COLUMNS)
    assert content["rows"]["hard 16"] == list(CHARTS[0].rows["hard 16"])


def test_html_has_every_letter_in_its_colours():
    chart = read_chart("power-blackjack")
    page = write_as(chart, "html")
    assert page == chart._repr_html_()
    assert page.count("<td") == 11 * len(chart.rows)
    for letter in ("H", "S", "Dh", "P", "Y"):
        background, ink = letter_colour(letter)
        assert f'background:{background};color:{ink}">{letter}<' in page
    for title in by_block(chart):
        assert title in page
    assert "double" in page  # the legend


def test_html_escapes_what_a_chart_is_called():
    chart = parse_chart(write_as(CHARTS[0], "csv"), "<b>mine</b>")
    assert "<b>" not in write_as(chart, "html")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"rows": ', "line 1, column 10"),
        ('{"rows": 5}', "expected the keys"),
        ('{"rows": {"hard 16": "HHHHHHHHHH"}}', "row 'hard 16': expected a list"),
        ('{"rows": {"hard 99": ["H"]}}', "is missing"),
        ('{"rows": {}, "provenance": "x"}', "provenance"),
        ('{"rows": {}, "columns": ["A"]}', "columns"),
        ("| hand | 2 |\n| --- | --- |\n| hard 16 | H |", "line 1"),
    ],
)
def test_what_is_no_chart_is_refused(text, said):
    with pytest.raises(InputError, match=said):
        parse_any(text, "mine")


def test_markdown_faults_name_their_line():
    text = write_as(CHARTS[0], "markdown")
    lines = text.splitlines()
    number = next(n for n, line in enumerate(lines, 1) if line.startswith("| hard 16"))
    lines[number - 1] = lines[number - 1].replace("| S |", "| X |", 1)
    with pytest.raises(InputError, match=f"mine, line {number}, column 2"):
        parse_any("\n".join(lines), "mine")


def test_formats_are_named():
    assert FORMATS == ("csv", "markdown", "json", "text", "html")
    with pytest.raises(InputError, match="did you mean 'markdown'"):
        write_as(CHARTS[0], "markdwon")
    with pytest.raises(InputError, match=r"\.csv"):
        format_of(Path("chart.doc"))
