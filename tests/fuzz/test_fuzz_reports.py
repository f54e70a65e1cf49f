"""Reports with faults in them: refused by name, or audited and not confirmed; never a traceback."""

import json
import random
from unittest.mock import patch

import pytest
from fuzzing import TIMES, check
from mutations import at, bytes_changed, differences, tree_changed
from outcomes import Outcomes, unclear
from synthetic_report import synthetic_report

from rtpsim.report.audit import audit as module
from rtpsim.report.audit.audit import audit
from rtpsim.report.canonical import canonical, own_hash, to_json


@pytest.fixture(scope="module")
def content():
    return to_json(synthetic_report("signature-surrender", rounds=2_000_000)).encode()


@pytest.fixture
def read(tmp_path):
    """Audit bytes, but for playing and computing again: that takes a second for each."""
    path = tmp_path / "report.json"

    def nothing(*arguments, **options):
        return module.Check("left out")

    def read(content):
        path.write_bytes(content)
        with (
            patch.object(module, "_replays", nothing),
            patch.object(module, "_figures", nothing),
            patch.object(module, "compare_renderings", lambda report, source: ([], [])),
        ):
            return audit(path)

    return read


@pytest.mark.parametrize("times", TIMES)
def test_damaged_bytes(content, read, times):
    def misread(changed, found):
        if json.loads(changed) == json.loads(content):  # a blank more
            return None
        if (fault := unclear(found.faults[0] if found.faults else "nothing", "")) is not None:
            return fault
        return (
            None if any("sha256" in fault for fault in found.faults) else "the hash does not show"
        )

    rng, outcomes = random.Random(times), Outcomes()
    for _ in range(80 * times):
        outcomes.feed(read, bytes_changed(rng, content), "report.json")
    check(outcomes, misread, enough=50 * times)


@pytest.mark.parametrize("times", TIMES)
def test_other_keys_and_values_with_a_hash_that_fits(content, read, times):
    """What is accepted here is compared, value by value, with what is computed anew."""
    tree = json.loads(content)
    rng, outcomes = random.Random(times), Outcomes()
    while outcomes.refused < 25 * times:
        part = rng.choice(["reproducibility", "reproducibility", *tree])
        document = dict(tree)
        if isinstance(tree[part], dict):
            document[part] = tree_changed(rng, tree[part])
        else:
            document = tree_changed(rng, {part: tree[part], "game": tree["game"]})
            document = {**tree, **document}
        try:
            if rng.random() < 0.9:
                document["sha256"] = own_hash(document)
            text = canonical(document)
        except ValueError:  # no JSON knows NaN, no UTF-8 half a character
            text = json.dumps(document)
        outcomes.feed(read, text.encode(errors="surrogatepass"))
    # nothing is lost: the model holds every value of the document
    check(outcomes, lambda given, found: lost(json.loads(given)), enough=25 * times)


def lost(document):
    """Return a value that the model of a report does not hold as it stands in the document."""
    from rtpsim.report.canonical import read_report

    back = json.loads(to_json(read_report(document, "report.json")))
    place = next(differences(document, back), None)
    return None if place is None else f"{place}: {at(back, place)!r}"
