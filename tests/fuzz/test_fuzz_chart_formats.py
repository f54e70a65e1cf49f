"""Charts as JSON, Markdown and plain text, with faults in them: as for CSV."""

import json
import random
import re
from functools import partial

import pytest
from fuzzing import TIMES, check
from mutations import bytes_changed, tree_changed
from outcomes import Outcomes

from rtpsim.strategy import read_chart
from rtpsim.strategy.files import parse_bytes
from rtpsim.strategy.formats import write_as
from rtpsim.strategy.notation import FILLED_IN

CHARTS = [read_chart(name) for name in ("ordinary", "power-blackjack")]
read = partial(parse_bytes, source="mine.chart", name="mine")


def classes(cell):
    """Return a list of cards written out: ``2-5`` as ``2345``."""
    return re.sub(r"([2-9])-([2-9])", lambda m: "23456789"[int(m[1]) - 2 : int(m[2]) - 1], cell)


@pytest.mark.parametrize("times", TIMES)
def test_json_of_other_keys_and_values(times):
    def misread(content, chart):
        tree = json.loads(content)
        if not set(tree) <= {"name", "provenance", "columns", "rows"}:
            return f"keys {set(tree)}"
        for label in {**tree["rows"], **chart.rows}:
            given, found = tree["rows"].get(label), chart.rows.get(label)
            if given is None and label in FILLED_IN:
                continue
            if given != list(found) and [*map(classes, given)] != [*map(classes, found)]:
                return f"{label}: {given} became {found}"
        return None

    trees = [json.loads(write_as(chart, "json")) for chart in CHARTS]
    rng, outcomes = random.Random(times), Outcomes()
    for number in range(650 * times):
        # most of a chart are its rows
        tree = tree_changed(rng, trees[number % 2])
        if number % 3:
            tree = {**trees[number % 2], "rows": tree_changed(rng, trees[number % 2]["rows"])}
        outcomes.feed(read, json.dumps(tree).encode(), "mine.chart")
    check(outcomes, misread, enough=500)


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("kind", ["json", "markdown", "text"])
def test_damaged_bytes(kind, times):
    files = [write_as(chart, kind).encode() for chart in CHARTS]

    def misread(content, chart):
        """No row that can still be read in the file is lost."""
        whole = CHARTS[0] if len(chart.rows) < 50 else CHARTS[1]
        text = " ".join(re.sub(r"#.*", "", content.decode()).split())
        lost = [label for label in whole.rows if label not in chart.rows and f"{label} " in text]
        return f"lost {lost}" if lost else None

    rng, outcomes = random.Random(times), Outcomes()
    for number in range(200 * times):
        outcomes.feed(read, bytes_changed(rng, files[number % 2]), "mine.chart")
    check(outcomes, misread, enough=100)
