"""Effects of single rule changes: against published tables, hand computation and each other."""

import itertools
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from rtpsim.analysis.effects import CHANGES, effects
from rtpsim.analysis.values import value_of
from rtpsim.errors import InputError
from rtpsim.exact import exact
from rtpsim.games import load_game
from rtpsim.rules import Rules, written

PUBLISHED = tomllib.loads(
    (Path(__file__).parents[1] / "reference" / "rule_effects.toml").read_text(encoding="utf-8")
)
UNIT_BP = 1.0  # 0.01 % as printed
SMALL = "1D SPL0"


@pytest.fixture(scope="module")
def published():
    fields = {setting.partition("=")[0] for setting in PUBLISHED["effects"]}
    # the best play by composition: 0.2 basis points from charts by totals, and sooner found
    found = effects(PUBLISHED["rules"], ["optimal-cd"], fields=fields)
    return found, {row.setting: row.differences_bp[0] for row in found.valued}


@pytest.mark.parametrize(("setting", "printed"), PUBLISHED["effects"].items())
def test_effects_are_what_tables_print(published, setting, printed):
    _, differences = published
    assert differences[setting] == pytest.approx(-100 * printed, abs=UNIT_BP)


def test_the_base_is_the_tables_base(published):
    found, _ = published
    assert found.base[0].house_edge == pytest.approx(PUBLISHED["house_edge"] / 100, abs=5e-5)


@pytest.mark.parametrize(("token", "printed"), PUBLISHED["charlie"].items())
def test_charlies_that_do_not_count_after_a_split(token, printed):
    base, changed = (
        value_of(load_game(rules), "optimal-td")
        for rules in (PUBLISHED["rules"], f"{PUBLISHED['rules']} {token}")
    )
    gain = 100 * (base.house_edge - changed.house_edge)
    assert gain == pytest.approx(printed, abs=0.005)


@pytest.mark.parametrize("tokens", ["C5 H21", "C6 H21"])
def test_charlies_to_which_a_21_is_hit(tokens):
    table = PUBLISHED["recomputed"]
    base, changed = (
        value_of(load_game(f"{table['rules']} {more}"), "optimal-cd") for more in ("", tokens)
    )
    gain = 100 * (base.house_edge - changed.house_edge)
    assert gain == pytest.approx(float(table[tokens]), abs=0.0005)


def test_what_a_natural_pays_is_paid_as_often_as_naturals_come():
    found = effects("6D", ["default"], fields=["natural_pays"])
    aces, tens, cards = 24, 96, 312
    natural = Fraction(2 * aces * tens, cards * (cards - 1))
    matched = Fraction(2 * (aces - 1) * (tens - 1), (cards - 2) * (cards - 3))
    for row in found.rows:
        less = (Fraction(3, 2) - row.new) * natural * (1 - matched)
        assert row.differences_bp[0] == pytest.approx(1e4 * float(less), abs=1e-9)


def test_every_value_of_every_rule_has_an_effect_or_a_reason():
    assert set(CHANGES) == set(Rules.model_fields)
    found = effects(SMALL, ["default"])
    tried = {(row.field, row.new) for row in found.rows}
    base = load_game(SMALL).rules
    expected = {
        (name, value)
        for name, values in CHANGES.items()
        for value, _ in values
        if value != getattr(base, name)
    }
    assert tried == expected
    for row in found.rows:
        assert bool(row.skipped) != bool(row.values)
        if row.skipped:
            with pytest.raises(InputError, match=r"rules: "):
                base.replace(**{row.field: row.new})
        else:
            assert row.rules == str(base.replace(**{row.field: row.new}))


def test_values_are_those_of_the_exact_engine():
    found = effects(SMALL, ["optimal-cd", "default"], fields=["soft17"])
    [row] = found.rows
    for strategy, before, after, difference in zip(
        found.strategies, found.base, row.values, row.differences_bp, strict=True
    ):
        edges = [
            -exact(load_game(rules), strategy, moments=False).ev for rules in (SMALL, row.rules)
        ]
        assert [before.house_edge, after.house_edge] == pytest.approx(edges, abs=1e-15)
        assert difference == pytest.approx(1e4 * (edges[1] - edges[0]), abs=1e-9)


def test_a_chart_that_cannot_play_a_rule_says_so_and_the_others_are_valued():
    found = effects(SMALL, ["default", "optimal-td"], fields=["power_double"])
    for row in found.rows:
        assert not row.skipped
        unplayed, played = row.values
        assert "power double" in unplayed.problem
        assert (unplayed.house_edge, row.differences_bp[0]) == (None, None)
        assert played.problem == ""
        assert row.differences_bp[1] < 0


def test_the_frame_is_tidy():
    found = effects(SMALL, ["default", "optimal-td"], fields=["soft17", "double_soft"])
    frame = found.to_frame()
    assert list(frame["field"]) == ["soft17", "soft17", "double_soft"]
    assert list(frame["strategy"]) == ["default", "optimal-td", ""]
    assert frame["difference_bp"].tolist()[:2] == list(found.rows[0].differences_bp)
    assert frame["house_edge"].isna().tolist() == [False, False, True]
    assert frame["skipped"].str.len().gt(0).tolist() == [False, False, True]


def test_any_executor_finds_the_same():
    here = effects(SMALL, ["default"], fields=["decks"])
    there = effects(SMALL, ["default"], fields=["decks"], mapper=backwards, keep=False)
    assert there == here


def backwards(function, tasks):
    """Run the last task first, as a scheduler might."""
    return list(reversed([function(task) for task in reversed(tasks)]))


def test_progress_counts_to_the_end():
    seen = []
    effects(
        SMALL, ["default"], fields=["soft17", "natural_pays"], progress=lambda *n: seen.append(n)
    )
    assert seen == [(n, 5) for n in range(1, 6)]


def test_texts_of_values_are_read_back():
    for name, values in CHANGES.items():
        for value, _ in values:
            text = written(value)
            others = {"decks": 1, "double": "9-11", "splits": 3, "hit_split_aces": True}
            others |= {"hole_card": "obo", "charlie": 7}
            others = {} if name in ("double_any_cards", "hole_card") else others
            assert getattr(Rules(**{"decks": 1, **others, name: text}), name) == value


def test_displays_show_every_effect():
    found = effects(SMALL, ["default"], fields=["soft17", "double_soft"])
    assert repr(found).startswith("<Effects of 1 changes of 1D")
    page = found._repr_html_()
    assert page.count("<tr>") == 2
    assert "soft17=hit" in page
    assert f"{found.rows[0].differences_bp[0]:+.2f}" in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("6D",), "unknown rule 'soft_17'.*did you mean 'soft17'"),
        (("6E",), "6E"),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(InputError, match=message):
        effects(*arguments, fields=["soft_17"])


def test_strategies_are_checked_first():
    for strategies, message in (
        (["optimal-tx"], "did you mean 'optimal-t"),
        ([], "none is given"),
        (["default", "default"], "twice"),
    ):
        with pytest.raises(InputError, match=message):
            effects(SMALL, strategies)


def test_more_decks_favour_the_house():
    found = effects("8D SPL0", ["optimal-cd"], fields=["decks"])
    steps = [row.differences_bp[0] for row in found.rows]
    assert all(fewer < more for fewer, more in itertools.pairwise([*steps, 0.0]))
