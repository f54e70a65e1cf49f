"""What the pages of the docs say of rules, files and commands is what the program knows."""

import json
import re
import tomllib
from typing import get_args

import docs_tables
import pytest
from pages import DOCS, EXAMPLES, fenced, printed_by, text_of

from rtpsim.games import load_game
from rtpsim.rules import Rules, written
from rtpsim.rulestring import _DOUBLES, _FIXED, parse_rules
from rtpsim.strategy import COLUMNS, ROWS, read_chart

ROWS_OF_RULES = docs_tables.rule_rows()


def test_the_game_file_of_the_docs_is_one(tmp_path):
    (text,) = fenced("toml", DOCS / "game-files.md")
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    game = load_game(path)
    assert set(tomllib.loads(text)) == {
        name for name in type(game).model_fields if name not in ("id", "quoted")
    }
    assert game.with_settings({"soft-17": "stand"}).rules.soft17 == "stand"
    assert game.side_bets[0].pays == {"perfect": 25, "coloured": 12, "mixed": 6}


def test_the_rows_of_the_docs_are_rows_of_the_ordinary_chart():
    (text,) = fenced("csv", DOCS / "charts.md")
    comment, header, *rows = text.splitlines()
    assert comment.startswith("#")
    assert header == "hand," + ",".join(COLUMNS)
    chart = read_chart("ordinary")
    for row in rows:
        label, *cells = row.split(",")
        assert chart.rows[label] == tuple(cells)


def test_further_rows_of_the_docs_are_known():
    page = text_of(DOCS / "charts.md").partition("Further rows")[2]
    labels = re.findall(
        r'`"?([^`"]+)"?`', "".join(re.findall(r"^\| ([^|]*) \|", page, re.MULTILINE))
    )
    assert len(labels) == 7
    assert set(labels) <= set(ROWS)


def test_the_keys_of_the_docs_are_those_of_the_command():
    page = text_of(DOCS / "exact.md").partition("## How")[0]
    named = re.findall(r"`([^`]+)`", "".join(re.findall(r"^\| ([^|]*) \|", page, re.MULTILINE)))
    _, printed = printed_by("rtpsim exact classic-blackjack", "--json")
    assert set(named) == set(json.loads(printed))


def test_the_list_of_commands_is_that_of_the_program():
    assert text_of(docs_tables.COMMANDS) == docs_tables.commands_page()


def test_every_field_of_the_rules_is_in_the_reference():
    assert {row.setting.partition("=")[0] for row in ROWS_OF_RULES} == set(Rules.model_fields)


def test_every_value_of_a_rule_is_in_the_reference():
    page = text_of(docs_tables.RULES)
    for name, field in Rules.model_fields.items():
        values = get_args(field.annotation) or ((True, False) if field.annotation is bool else ())
        for value in values:
            if isinstance(value, type):
                continue
            assert f"`{name}={written(value)}`" in page, (name, value)


def test_every_token_of_the_rule_string_is_in_the_reference():
    assert {*_FIXED, *_DOUBLES} <= {row.token for row in ROWS_OF_RULES} | {"DOA"}


@pytest.mark.parametrize("row", ROWS_OF_RULES, ids=lambda row: row.token)
def test_tokens_of_the_reference_set_the_fields_beside_them(row):
    tokens = {"C5X": "8D C5X", "C5T": "8D C5T", "HSA": "8D HSA", "INSP": "8D ENHC INSP"}
    with_others = {"RSA": "8D SPL3 RSA", "DSA": "8D HSA DSA", "PSR": "8D SPL3 PSR"} | tokens
    text = row.token if row.token.endswith("D") and row.token != "ND" else f"8D {row.token}"
    rules = parse_rules(with_others.get(row.token, text))
    field, _, value = row.setting.partition("=")
    assert written(getattr(rules, field)) == value


def test_what_is_marked_base_is_the_base():
    base = parse_rules(docs_tables.BASE)
    for row in ROWS_OF_RULES:
        field, _, value = row.setting.partition("=")
        assert (row.effect == "base") == (written(getattr(base, field)) == value), row.token


def checked(row):
    quick = row.token in {"H17", "6:5", "LS", "C6", "INSP"}
    return pytest.param(row, id=row.token, marks=() if quick else pytest.mark.slow)


@pytest.mark.parametrize("row", [checked(row) for row in ROWS_OF_RULES if row.effect != "base"])
def test_effects_of_the_reference_are_exact(row):
    assert docs_tables.effect(row) == row.effect


def test_the_worked_example_is_the_file_beside_it():
    (text,) = fenced("toml", DOCS / "adding-a-game.md")
    assert text == text_of(EXAMPLES / "corner.toml")


def test_the_worked_example_is_a_game_of_its_own():
    from rtpsim.games import game_names

    game = load_game(EXAMPLES / "corner.toml")
    assert str(game.rules) == "8D H17 DOA DAS SPL3 SPV NRSA NHSA NDSA NS 6:5 PEEK"
    assert game.rules not in {load_game(name).rules for name in game_names()}


def test_the_chart_of_the_worked_example_is_the_best_one():
    _, printed = printed_by('rtpsim solve "8D H17 SPL3 6:5"')
    assert printed.rstrip() == text_of(EXAMPLES / "corner.csv").rstrip()


def test_the_worked_example_is_reproduced():
    # the printed 98.0 % is what others' tables add up to: 0.43 % of house edge at 8D S17 DAS SPL3,
    # 0.22 % for hitting soft 17 (tests/reference/rule_effects.toml), and 0.3 of a natural that wins
    winning = 2 * (32 / 416) * (128 / 415) * (1 - 2 * (31 / 414) * (127 / 413))
    assert round(100 - 0.43 - 0.22 - 100 * 0.3 * winning, 1) == 98.0
    status, printed = printed_by(f"rtpsim verify {EXAMPLES / 'corner.toml'} --rounds 1e6 --json")
    (judged,) = json.loads(printed)["games"] if "games" in printed else [json.loads(printed)]
    assert "REPRODUCED" in json.dumps(judged)
    assert "NOT REPRODUCED" not in json.dumps(judged)
    assert status == 3


def test_sections_of_the_report_are_those_of_the_page():
    from rtpsim.report.html.page import SECTIONS

    named = re.findall(r"^\| \d+ \| ([^|]+) \|", text_of(DOCS / "report.md"), re.MULTILINE)
    assert named == ["Identification", *(heading for _, heading in SECTIONS)]
