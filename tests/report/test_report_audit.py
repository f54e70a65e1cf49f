"""The audit: a right report is confirmed, and whatever is changed in one is found and named."""

import json
import random

import pytest
from synthetic_report import quickly_made, synthetic_report

from rtpsim.errors import InputError
from rtpsim.report.audit import audit as module
from rtpsim.report.audit.audit import audit, chosen_blocks
from rtpsim.report.audit.compare import differences
from rtpsim.report.canonical import canonical, own_hash, to_json

TOLD = (
    "identification.made",
    "design.rounds_rule",
    "reproducibility.command",
    "reproducibility.machine",
    "reproducibility.versions",
    "reproducibility.code_sha256",
    "reproducibility.started",
    "reproducibility.duration_s",
    "reproducibility.workers",
)
"""What a report tells of its making, which nothing can confirm."""


@pytest.fixture(scope="module")
def report():
    return synthetic_report("signature-surrender", rounds=2_000_000)


@pytest.fixture(scope="module")
def built(report):
    """Build each report once, however often it is audited."""
    kept = {}

    def build(what, inputs, tallies, circumstances, **options):
        key = (inputs, tuple(tallies), circumstances, tuple(sorted(options.items())))
        text = repr(key)
        if text not in kept:
            kept[text] = original(what, inputs, tallies, circumstances, **options)
        return kept[text]

    original = module.build_report
    return build


@pytest.fixture
def check(tmp_path, report, built, monkeypatch):
    """Write a report's plain values to a file and audit it."""
    monkeypatch.setattr(module, "build_report", built)
    monkeypatch.setattr(module, "compare_renderings", lambda report, source: ([], []))

    def run(document, *, seal=True, every=False):
        if seal:
            document["sha256"] = own_hash(document)
        path = tmp_path / "report.json"
        path.write_text(canonical(document), encoding="utf-8")
        with quickly_made():
            return audit(path, every=every, keep=True)

    return run


@pytest.fixture
def document(report):
    return plain(report)


def plain(report):
    """Return a report as plain values, to be changed."""
    return json.loads(to_json(report))


def test_a_right_report_is_confirmed(check, document):
    found = check(document)
    assert found.faults == []
    assert found.passed
    assert [one.name for one in found.checks] == [
        "own hash",
        "inputs",
        "counts",
        "replay",
        "figures",
        "renderings",
    ]
    assert found.notes == []


def test_every_block_can_be_played_again(check, document):
    found = check(document, every=True)
    assert found.passed
    assert "every block played again, 2,000,000 rounds" in found.checks[3].said


# -- what is changed, and where it must be said ---------------------------------------------------


def one_digit(document):
    document["exact"]["by_up_card"][4]["ev"] += 1e-9


def another_verdict(document):
    document["wagers"][0]["simulated_verdict"] = "PASS"


def a_return(document):
    document["wagers"][1]["simulated"]["value"] += 0.001


def a_reading(document):
    document["readings"]["cells"][0]["marks_total"] = []


def a_word(document):
    document["game"]["rule_lines"][1] = "The dealer hits soft 17."


def an_observed_count(document):
    document["frequencies"][0]["cells"][0]["observed"] += 1


def a_citation(document):
    document["strategy"]["citations"][0]["says"] = "Anything goes."


def the_scope(document):
    document["identification"]["scope"] = "Certified by everybody."


def a_seed_in_print(document):
    document["identification"]["seed"] = 2


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (one_digit, "exact.by_up_card.4.ev"),
        (another_verdict, "wagers.0.simulated_verdict"),
        (a_return, "wagers.1.simulated.value"),
        (a_reading, "readings.cells.0.marks_total.0"),
        (a_word, "game.rule_lines.1"),
        (an_observed_count, "frequencies.0.cells.0.observed"),
        (a_citation, "strategy.citations.0.says"),
        (the_scope, "identification.scope"),
        (a_seed_in_print, "identification.seed"),
    ],
)
@pytest.mark.parametrize("seal", [False, True])
def test_a_changed_figure_is_named(check, document, change, place, seal):
    change(document)
    found = check(document, seal=seal)
    assert not found.passed
    assert found.checks[4].faults[0].startswith(f"{place}: ")
    assert bool(found.checks[0].faults) is not seal


def test_the_message_tells_both_values(check, document):
    expected = document["exact"]["rtp_total"]
    document["exact"]["rtp_total"] = 0.9999
    fault = check(document).faults[0]
    assert fault == f"exact.rtp_total: 0.9999 in print, {expected!r} expected"


def tallies(document):
    return document["reproducibility"]["tallies"][0]


def a_block(document):
    tallies(document)["blocks"][3]["outcomes"][2] += 1


def two_cells_of_a_block(document):
    counts = tallies(document)["blocks"][3]["outcomes"]
    counts[2] += 1
    counts[3] -= 1


def a_label(document):
    tallies(document)["labels"]["groups"][5][3][0] += 1


def two_labels(document):
    groups = tallies(document)["labels"]["groups"]
    groups[0][3][0] += 1
    groups[-1][3][0] -= 1


def an_initial_hand(document):
    tallies(document)["initial"][0] += 1


def a_side_bet(document):
    tallies(document)["blocks"][0]["side_bets"][0][0] += 1


@pytest.mark.parametrize(
    "change", [a_block, two_cells_of_a_block, a_label, two_labels, an_initial_hand, a_side_bet]
)
def test_a_count_that_goes_with_no_other_is_named(check, document, change):
    change(document)
    found = check(document)
    assert found.checks[2].faults[0].startswith("reproducibility.tallies.0: ")


def two_side_bet_cells(document):
    counts = tallies(document)["blocks"][3]["side_bets"][0]
    counts[0] += 1
    counts[1] -= 1


def another_block_hash(document):
    tallies(document)["blocks"][3]["counts_sha256"] = "0" * 64


@pytest.mark.parametrize("change", [two_side_bet_cells, another_block_hash])
def test_counts_that_go_together_are_found_by_playing_all_blocks(check, document, change):
    change(document)
    found = check(document, every=True)
    assert found.checks[3].faults[0].startswith("reproducibility.tallies.0.blocks.3: ")


def test_a_round_moved_in_every_count_at_once_is_found_by_playing_its_block(check, document):
    # what a forger who knows all this would do: block, labels and all figures go together
    run = tallies(document)
    cells = [tuple(cell) for cell in run["outcome_cells"]]
    labels = run["labels"]

    def group(net, up):
        """Return the counts of hands that stood, netting so much against an up card."""
        for of_up, kind, _, counts in labels["groups"]:
            route, _, _, won, wager = labels["kinds"][kind]
            if (of_up, route, won, wager) == (up, "stand", net, 2):
                return counts
        pytest.fail("no such hands")

    for net, more in ((-2, -1), (2, 1)):
        group(net, 4)[0] += more
        run["blocks"][3]["outcomes"][cells.index((net, 2))] += more
    found = check(document, every=True)
    assert not found.checks[2].faults
    assert "blocks.3" in found.checks[3].faults[0]


def another_letter(document):
    inputs = document["reproducibility"]["inputs"]
    inputs["chart_csv"] = inputs["chart_csv"].replace("hard 16,S", "hard 16,H", 1)


def another_letter_and_hash(document):
    from rtpsim.strategy import parse_chart

    another_letter(document)
    inputs = document["reproducibility"]["inputs"]
    chart = parse_chart(inputs["chart_csv"], "x", inputs["chart_name"])
    document["identification"]["chart_sha256"] = chart.sha256


def another_rule(document):
    inputs = document["reproducibility"]["inputs"]
    inputs["game_json"] = inputs["game_json"].replace("8D S17", "8D H17", 1)


def another_paytable(document):
    inputs = document["reproducibility"]["inputs"]
    inputs["game_json"] = inputs["game_json"].replace('"trips":33', '"trips":34', 1)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (another_letter, "identification.chart_sha256"),
        (another_rule, "identification.game_file_sha256"),
        (another_paytable, "identification.game_file_sha256"),
    ],
)
def test_other_inputs_are_told_by_their_hash(check, document, change, place):
    before = canonical(document)
    change(document)
    assert canonical(document) != before
    found = check(document)
    assert found.checks[1].faults[0].startswith(f"{place}: ")


def test_a_letter_changed_with_its_hash_is_found_by_play_and_figures(check, document):
    another_letter_and_hash(document)
    found = check(document)
    assert not found.checks[1].faults
    assert found.checks[3].faults
    assert found.checks[4].faults


def test_another_seed_is_found_by_playing_again(check, document):
    for run in (document["identification"], document["runs"][0], tallies(document)):
        run["seed"] = 2
    found = check(document)
    assert found.checks[3].faults[0].startswith("reproducibility.tallies.0.blocks.")


def test_inputs_that_are_no_game_are_a_fault(check, document):
    document["reproducibility"]["inputs"]["game_json"] = "{}"
    found = check(document)
    assert not found.passed
    assert "inputs" in found.faults[0]


def leaves(document):
    """Return the path of every value of a report."""

    def walk(value, path):
        if isinstance(value, dict):
            for key, part in value.items():
                yield from walk(part, (*path, key))
        elif isinstance(value, list) and value:
            for key, part in enumerate(value):
                yield from walk(part, (*path, key))
        else:
            yield path

    return list(walk(document, ()))


def changed(value):
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value * (1 + 1e-9) + 1e-9
    return f"{value}x" if isinstance(value, str) else "x"


def test_every_single_value_counts(report):
    # of any value of the report, a change is a difference from the report built anew
    right, expected = plain(report), plain(report)
    for path in random.Random(5).sample(leaves(right), 50):
        place = right
        for key in path[:-1]:
            place = place[key]
        before = place[path[-1]]
        place[path[-1]] = changed(before)
        found = list(differences(right, expected))
        place[path[-1]] = before
        assert [one.path for one in found] == [".".join(map(str, path))]


@pytest.mark.slow
def test_any_value_changed_by_itself_is_found(check, report):
    for path in random.Random(6).sample(leaves(plain(report)), 60):
        document = plain(report)
        place = document
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = changed(place[path[-1]])
        name = ".".join(map(str, path))
        if name == "sha256" or name.startswith(TOLD):
            continue
        try:
            assert not check(document, every=True).passed, name
        except InputError:
            continue  # refused as no report at all


def test_blocks_are_chosen_by_the_hash(report):
    run = report.reproducibility.tallies[0]
    first = chosen_blocks(run, report.sha256)
    assert first == chosen_blocks(run, report.sha256)
    assert len(first) == 4
    assert any(chosen_blocks(run, f"{n:064x}") != first for n in range(5))
    assert chosen_blocks(run, report.sha256, every=True) == list(range(len(run.blocks)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "damaged, or not JSON"),
        ("{", "line 1, column 2: damaged, or not JSON"),
        ("[]", "not a report of rtpsim"),
        ('{"game": 1}', "not a report of rtpsim"),
        ('{"schema_version": "rtpsim.report/99"}', "schema_version is 'rtpsim.report/99'"),
        ('{"schema_version": "rtpsim.report/1"}', "damaged: "),
        ('{"schema_version": NaN}', "NaN is not a number"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path, text, said):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(InputError, match=said) as caught:
        audit(path)
    assert str(caught.value).startswith(str(path))


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        audit(tmp_path / "none.json")


def test_another_text_of_the_program_is_a_note(check, document):
    document["reproducibility"]["code_sha256"] = "0" * 64
    found = check(document)
    assert found.passed
    assert "another text of the program" in found.notes[0]


def test_a_game_like_one_of_the_catalogue_is_a_note(check, document):
    inputs = document["reproducibility"]["inputs"]
    inputs["game_json"] = inputs["game_json"].replace("99.63", "99.60", 1)
    assert "the game differs from the catalogue's signature-surrender" in check(document).notes[0]
