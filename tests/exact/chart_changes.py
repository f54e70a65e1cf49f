"""Charts changed cell by cell, and what a column of a chart nets by the evaluator."""

from functools import cache

import numpy as np

from rtpsim.cards import ACE_CLASS, VALUE_CLASSES
from rtpsim.exact.evaluate import Table
from rtpsim.exact.model import model_of
from rtpsim.exact.policies import ChartPolicy
from rtpsim.exact.upcard import UpCard
from rtpsim.exact.worldvalues import dealer_table
from rtpsim.strategy import COLUMNS, ROWS, Chart, card_classes
from rtpsim.strategy.notation import format_classes


@cache
def dealt(rules, shoe, up):
    """Return a shoe by value, and the dealer's outcomes."""
    counts = np.array(shoe.by_value, dtype=np.int64)
    return counts, dealer_table(model_of(rules), counts, up)


def column_net(rules, chart, shoe, up, *, insurance=True, even_money=False):
    """Return the net of all rounds with an up card, insurance included, by the evaluator."""
    counts, outcomes = dealt(rules, shoe, up)
    policy, model = ChartPolicy(chart, rules), model_of(rules)
    card = UpCard(model, counts, up, policy, outcomes)
    known = None
    if rules.insurance_peek and up == ACE_CLASS and insurance:
        known = UpCard(model, counts, up, policy, outcomes, natural_known=True)
    found = Table(card, known, shoe, insurance, even_money).openings()
    return sum(opening.probability * (opening.worth.net + opening.insurance) for opening in found)


def changed(chart, cells):
    """Return a chart with other cells: (row, up) to letter. Pairs follow their totals."""
    rows = {label: list(row) for label, row in chart.rows.items()}
    for (label, up), letter in cells.items():
        column = COLUMNS.index(VALUE_CLASSES[up])
        for pair, row in ROWS.items():
            mine = row.kind == "pair" and label == f"{'soft' if row.soft else 'hard'} {row.total}"
            if mine and rows[pair][column] == rows[label][column]:
                rows[pair][column] = letter
        rows[label][column] = letter
    return Chart(chart.name, {label: tuple(row) for label, row in rows.items()})


def other_letters(chart, rules, label, up):
    """Return what else may stand in a cell and mean something."""
    row, now = ROWS[label], chart.cell(label, up)
    if row.kind == "pair":
        total = chart.cell(f"{'soft' if row.soft else 'hard'} {row.total}", up)
        letters = {"P", total} if rules.splits != 0 else {total}
    elif row.kind == "replace":
        classes = card_classes(now)
        letters = {format_classes(frozenset(classes ^ {card})) for card in range(10)}
    elif row.kind == "insurance":
        letters = {"Y", "N"} if up == ACE_CLASS else {"N"}
    elif row.kind in ("hard", "soft"):
        letters = {"S", "H", "Ds", "Dh"} | (set() if rules.surrender == "none" else {"Rs", "Rh"})
    else:
        letters = set(row.allowed)
    return sorted(letters - {now})


def single_changes(chart, rules):
    """Return every change of one cell: (row, up), letter."""
    return [
        ((label, up), letter)
        for label in chart.rows
        for up in range(len(VALUE_CLASSES))
        for letter in other_letters(chart, rules, label, up)
    ]
