"""Rules and charts drawn at random, together holding every value of every rule."""

from fractions import Fraction

from rtpsim.cards import VALUE_CLASSES
from rtpsim.errors import InputError
from rtpsim.games import Game
from rtpsim.rules import Rules
from rtpsim.strategy import Chart, check_chart
from rtpsim.strategy.notation import COLUMNS, REQUIRED, ROWS

VALUES = {
    "decks": [1, 2, 6, 8, 1000],
    "soft17": ["stand", "hit"],
    "double": ["any", "8-11", "9-11", "10-11", "11", "none"],
    "double_soft": [False, True],
    "double_any_cards": [False, True],
    "double_after_split": [True, False],
    "splits": [0, 1, 2, 3, "tree"],
    "split_by": ["value", "rank"],
    "resplit_aces": [False, True],
    "hit_split_aces": [False, True],
    "double_split_aces": [False, True],
    "surrender": ["none", "late", "late-not-ace", "early", "early-ten"],
    "natural_pays": [Fraction(3, 2), Fraction(6, 5), Fraction(1), Fraction(2), Fraction(7, 5)],
    "hole_card": ["peek", "peek-ace", "peek-ten", "obo", "enhc"],
    "charlie": [None, 5, 6, 7, 8, 9, 10, 11],
    "charlie_after_split": [True, False],
    "charlie_21_pushes": [False, True],
    "max_cards": [None, 8, 9, 12, 21],
    "hit_21": [False, True],
    "push_22": ["none", "push", "push-naturals"],
    "power_double": ["none", "9-11", "9-11-soft", "10-11"],
    "power_split": ["none", "once", "resplit"],
    "insurance_peek": [False, True],
}
"""Every value of the rule table's tokens; of numbers some, with the smallest and the largest."""

EVERY_VALUE = {(name, value) for name, values in VALUES.items() for value in values}


def random_rules(rng, **fixed):
    """Draw rules that hold together, those in `fixed` given."""
    for _ in range(10_000):
        fields = {name: rng.choice(values) for name, values in VALUES.items()} | fixed
        # which otherwise contradict most of what else is drawn
        if fields["charlie"] is None and not {"charlie_21_pushes", "charlie_after_split"} & {
            *fixed
        }:
            fields |= {"charlie_21_pushes": False, "charlie_after_split": True}
        try:
            return Rules(**fields)
        except InputError:
            continue
    raise AssertionError(f"no rules hold together with {fixed}")


def rule_sets(rng):
    """Draw rules until every value of the table was there."""
    missing = set(EVERY_VALUE)
    while missing:
        name, value = min(missing, key=str)
        rules = random_rules(rng, **{name: value})
        missing -= {(field, getattr(rules, field)) for field in VALUES}
        yield rules


def random_chart(rng, rules):
    """Draw a chart that fits the rules: any letters, with rows of every kind."""
    rows = {}
    for label, row in ROWS.items():
        if label in REQUIRED or rng.random() < _share(label, row, rules):
            rows[label] = tuple(_cell(rng, row, up) for up in COLUMNS)
    chart = Chart("random", rows)
    check_chart(chart, rules)
    return chart


def _share(label, row, rules):
    """Return how often such a row is drawn."""
    if row.kind in ("power double", "replace"):
        return 1 if rules.power_double != "none" else 0
    if row.kind == "power split":
        return 0.8 if rules.power_split != "none" else 0
    if row.at_least > 2:
        # rows for many cards only where hands of many cards are special: they cost states
        return 0.15 if row.at_least <= max(5, rules.charlie or 0) else 0
    return 0.9 if label == "insurance" else 0.15


def _cell(rng, row, up):
    if row.kind == "replace":
        return "".join(card for card in VALUE_CLASSES if rng.random() < 0.5) or "-"
    if row.kind == "insurance":
        return rng.choice("YN") if up == "A" else "N"
    if row.kind == "pair" and rng.random() < 0.5:
        return "P"
    return rng.choice(row.allowed)


def random_game(rng, rules):
    """Return a game of these rules, with or without insurance and even money."""
    offers = {"insurance": True, "even_money": rng.random() < 0.5}
    return Game.from_rules(rules).model_copy(update=offers)
