"""Rules: validation, contradictions, units."""

import ast
import inspect
import textwrap
from fractions import Fraction
from itertools import pairwise

import pytest

from rtpsim.errors import InputError
from rtpsim.rules import Rules


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        ("decks", 0, "1 to 1000"),
        ("decks", 1001, "1 to 1000"),
        ("decks", 10**9, "1 to 1000"),
        pytest.param("decks", 10**5000, "1 to 1000", id="decks of 5000 digits"),
        ("decks", "9" * 5000, "1 to 1000"),
        ("decks", True, "1 to 1000"),
        ("decks", 1.5, "1 to 1000"),
        ("decks", float("nan"), "1 to 1000"),
        ("decks", None, "1 to 1000"),
        ("soft17", "Hit", "'stand' or 'hit'"),
        ("double", "8", "'8-11'"),
        ("double_soft", 2, "true or false"),
        ("double_after_split", "perhaps", "true or false"),
        ("splits", 4, "0, 1, 2, 3 or 'tree'"),
        ("splits", True, "0, 1, 2, 3 or 'tree'"),
        ("splits", False, "0, 1, 2, 3 or 'tree'"),
        ("split_by", "suit", "'value' or 'rank'"),
        ("surrender", "yes", "'late-not-ace'"),
        ("natural_pays", True, "odds"),
        ("natural_pays", "1:0", "odds"),
        ("natural_pays", "1e999999999", "odds"),
        ("natural_pays", float("inf"), "odds"),
        ("natural_pays", float("nan"), "odds"),
        pytest.param("natural_pays", 10**5000, "odds", id="odds of 5000 digits"),
        ("natural_pays", "3:2:1", "odds"),
        ("hole_card", "hole", "'peek-ace'"),
        ("charlie", 4, "5 to 11"),
        ("charlie", 12, "5 to 11"),
        ("charlie", True, "5 to 11"),
        ("max_cards", 7, "8 to 21"),
        ("max_cards", True, "8 to 21"),
        ("push_22", True, "'push-naturals'"),
        ("power_double", "9", "'9-11-soft'"),
        ("power_split", True, "'resplit'"),
    ],
)
def test_a_value_that_is_not_allowed_is_named_with_what_is(field, value, allowed):
    with pytest.raises(InputError) as refusal:
        Rules(**{"decks": 6, field: value})
    message = str(refusal.value)
    assert message.startswith(f"rules: {field} = ")
    assert allowed in message
    assert len(message) < 250
    assert "\n" not in message


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"insurance_peek": True}, ["insurance_peek = True", "'peek'", "'enhc'"]),
        ({"insurance_peek": True, "hole_card": "peek-ace"}, ["insurance_peek", "'peek-ace'"]),
        ({"resplit_aces": True, "splits": 1}, ["resplit_aces = True", "splits = 1", "'tree'"]),
        ({"resplit_aces": True, "splits": 0}, ["resplit_aces = True", "splits = 0"]),
        ({"double_split_aces": True}, ["double_split_aces = True", "hit_split_aces = True"]),
        (
            {"double_split_aces": True, "hit_split_aces": True, "double_after_split": False},
            ["double_split_aces = True", "double_after_split = True"],
        ),
        ({"double_soft": True}, ["double_soft = True", "'any'", "'9-11'"]),
        ({"double_soft": True, "double": "none"}, ["double_soft = True", "'none'"]),
        ({"double_any_cards": True, "double": "none"}, ["double_any_cards", "'none'"]),
        ({"charlie_21_pushes": True}, ["charlie_21_pushes", "charlie = 5 to 11"]),
        ({"charlie_after_split": False}, ["charlie_after_split", "charlie = 5 to 11"]),
        ({"charlie": 8, "max_cards": 8}, ["max_cards = 8", "charlie = 8"]),
        ({"natural_pays": "-1:2"}, ["natural_pays = -1/2", "less than nothing"]),
        ({"natural_pays": "1001:1"}, ["natural_pays = 1001", "1000:1"]),
        ({"natural_pays": "1:101"}, ["natural_pays = 1/101", "100"]),
        ({"power_split": "resplit", "splits": 1}, ["power_split = 'resplit'", "splits = 1"]),
    ],
)
def test_contradictions_are_refused_with_field_value_and_remedy(fields, named):
    with pytest.raises(InputError) as refusal:
        Rules(decks=6, **fields)
    for words in named:
        assert words in str(refusal.value)


@pytest.mark.parametrize(
    "fields",
    [
        {"insurance_peek": True, "hole_card": "peek-ten"},
        {"insurance_peek": True, "hole_card": "obo"},
        {"resplit_aces": True, "splits": 2},
        {"resplit_aces": True, "splits": "tree"},
        {"double_split_aces": True, "hit_split_aces": True},
        {"double_soft": True, "double": "11"},
        {"charlie": 7, "charlie_after_split": False, "charlie_21_pushes": True, "max_cards": 8},
        {"natural_pays": "0:1"},
        {"power_split": "resplit", "splits": 2},
        {"power_split": "once", "splits": 0},
    ],
)
def test_what_can_hold_together_is_accepted(fields):
    rules = Rules(decks=1, **fields)
    for name, value in fields.items():
        assert getattr(rules, name) == (Fraction(0) if name == "natural_pays" else value)


def test_an_unknown_field_is_named_with_a_suggestion():
    with pytest.raises(InputError, match=r"unknown field 'deks'; did you mean 'decks'\?"):
        Rules(deks=6)


def test_the_number_of_decks_cannot_be_left_out():
    with pytest.raises(InputError, match="decks is missing"):
        Rules()


@pytest.mark.parametrize("written", ["6:5", "6/5", "1.2", 1.2, Fraction(6, 5), " 12 : 10 "])
def test_odds_are_read_as_written(written):
    assert Rules(decks=6, natural_pays=written).natural_pays == Fraction(6, 5)


@pytest.mark.parametrize(
    ("pays", "unit"), [("3:2", 2), ("6:5", 10), ("1:1", 2), ("2:1", 2), ("7:5", 10), ("4:3", 6)]
)
def test_results_are_whole_numbers_of_the_unit(pays, unit):
    """lcm(2, denominator): a natural's pay and half a bet are both whole."""
    assert Rules(decks=6, natural_pays=pays).unit == unit


@pytest.mark.parametrize(
    ("fields", "most"),
    [
        ({"splits": 0}, 0),
        ({"splits": 1}, 1),
        ({"splits": 3}, 3),
        ({"splits": "tree"}, 3),
        ({"splits": 0, "power_split": "once"}, 1),
        ({"splits": "tree", "power_split": "once"}, 3),
        ({"splits": 2, "power_split": "resplit"}, 2),
    ],
)
def test_most_splits_of_one_initial_hand(fields, most):
    assert Rules(decks=6, **fields).max_splits == most


def test_text_values_work_as_the_command_line_gives_them():
    rules = Rules(decks="6", splits="2", charlie="none", max_cards="9", resplit_aces="true")
    assert rules == Rules(decks=6, splits=2, charlie=None, max_cards=9, resplit_aces=True)


def test_rules_are_values():
    rules = Rules(decks=6, natural_pays="6:5")
    assert rules.replace(decks=8).replace(decks=6) == rules
    assert hash(rules.replace()) == hash(rules)
    assert rules.replace(decks=8) != rules
    with pytest.raises(ValueError, match="frozen"):
        rules.decks = 8


def test_every_rule_says_what_it_means_and_whom_it_favours():
    """Each field is followed by its docstring, and that names who gains by it."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(Rules)))
    body = tree.body[0].body
    docs = {
        field.target.id: ast.literal_eval(text.value)
        for field, text in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr)
    }
    assert docs.keys() == Rules.model_fields.keys()
    assert [name for name, text in docs.items() if "favour" not in text.lower()] == []
