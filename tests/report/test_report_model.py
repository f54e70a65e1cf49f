"""The report model: read back as it was written, and refused when anything is amiss."""

import json

import pytest
from synthetic_report import synthetic_report

from rtpsim.errors import InputError
from rtpsim.report.canonical import own_hash, read_report, to_json
from rtpsim.report.model import Report


@pytest.fixture(scope="module")
def report():
    return synthetic_report(rounds=300_000)


def test_a_report_is_read_back_as_it_was_written(report):
    again = read_report(json.loads(to_json(report)), "x.json")
    assert again == report
    assert to_json(again) == to_json(report)


def test_a_report_carries_the_hash_of_the_rest(report):
    document = json.loads(to_json(report))
    assert document["sha256"] == own_hash(document)
    document["identification"]["seed"] += 1
    assert document["sha256"] != own_hash(document)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda d: d.pop("glossary"), "glossary"),
        (lambda d: d["exact"].update(extra=1), "exact.extra"),
        (lambda d: d["exact"].update(ev="0.1"), "exact.ev"),
        (lambda d: d["wagers"][0]["simulated"].pop("value"), "wagers.0.simulated.value"),
    ],
)
def test_a_damaged_report_is_refused_by_its_place(report, change, place):
    document = json.loads(to_json(report))
    change(document)
    with pytest.raises(InputError, match=f"x.json: damaged: {place}"):
        read_report(document, "x.json")


def test_every_field_says_what_it_is():
    schema = Report.model_json_schema()
    for model in [schema, *schema["$defs"].values()]:
        for name, field in model["properties"].items():
            described = "description" in field or "$ref" in field
            assert described, f"{model['title']}.{name} has no docstring"
