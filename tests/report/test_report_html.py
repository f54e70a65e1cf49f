"""The HTML says what the JSON says, needs nothing but itself, and can be read by everybody."""

import json
import re
from itertools import pairwise

import pytest
from page_reader import read_page
from printed_figures import at, printed
from synthetic_report import synthetic_report

from rtpsim.report.formats import print_figure, two_digits
from rtpsim.report.html.page import SECTIONS, render_html
from rtpsim.report.model import Report

HOSTILE = "</title><script>alert(1)</script>'\"&=1+1"


@pytest.fixture(scope="module")
def report():
    return synthetic_report(rounds=300_000)


@pytest.fixture(scope="module")
def document(report):
    return report.model_dump(mode="json")


@pytest.fixture(scope="module")
def html(report):
    return render_html(report)


@pytest.fixture(scope="module")
def page(html):
    return read_page(html)


def figures_of(page):
    return [one for one in page.all() if "data-at" in one.attributes]


def wrong_figures(page, document):
    """Return the fields whose text is not the document's figure at its printed rounding."""
    wrong = []
    for one in figures_of(page):
        path, form = one.attributes["data-at"].split(" ")
        if one.text != printed(at(document, path), form):
            wrong.append((path, form, one.text))
    return wrong


def test_every_figure_is_the_documents(page, document):
    assert len(figures_of(page)) > 1500
    assert wrong_figures(page, document) == []


def test_a_figure_that_differs_is_found(page, document):
    changed = json.loads(json.dumps(document))
    changed["wagers"][1]["exact"] += 1e-6
    changed["frequencies"][0]["cells"][3]["observed"] += 1
    changed["strategy"]["rows"][5]["cells"][2] = "S"
    paths = {path for path, _, _ in wrong_figures(page, changed)}
    assert paths == {"wagers.1.exact", "frequencies.0.cells.3.observed", "strategy.rows.5.cells.2"}


# What the page leaves to the JSON: counts by block and by label, points of curves, ...
BELOW = (
    "convergence.*.points.",
    "reproducibility.hands_run.",
    "reproducibility.inputs.",
    "reproducibility.tallies.*.",
    "contributions.insurance.",  # shown where insurance is taken
    "volatility.sessions.*.distribution.",
    "volatility.sessions.*.nets.",
    "runs.*.",  # shown where there are two
)
ALONE = {
    "schema_version",
    "wagers.*.published.value",
    "wagers.*.tolerance",  # stands with the design
    "exact.insurance_ev",  # shown where insurance is taken
    "exact.insurance_wager",
    "exact.third_central_moment",
    "exact.fourth_central_moment",
    "convergence.*.base",
    "convergence.*.exact",
    "frequencies.*.name",
    "frequencies.*.test.name",
    "readings.cells.*.chart",
    "readings.cells.*.options.*",  # shown where they are not the defaults
    "readings.side_bets.*.fraction",
    "side_bets.*.outcomes.*.fraction",
    "side_bets.*.outcomes.*.frequency",
    "side_bets.*.outcomes.*.observed",  # stands with the frequencies
    "volatility.bets.*.rounds",  # shown where the covariance is not exact
    "volatility.bets.*.standard_error",
    "volatility.sessions.*.quantiles.*.probability",  # shown once, of the first session
}
# ... what it says in words (is_default: "default"), and what ids name and intervals repeat
LAST = {
    *("against", "bet", "field", "kind", "setting", "unit", "wager"),
    *("exact", "failed", "in_force", "includes_insurance", "inferred", "insured", "is_default"),
    *("per_round", "side_bets", "simulated", "takes_insurance", "variance_exact", "left_out"),
    *("half_width_99", "low_99", "high_99", "standard_error"),
}


def left_out(path):
    return (
        path.startswith(BELOW)
        or path in ALONE
        or (path.rpartition(".")[2] in LAST and path not in MUST)
    )


MUST = {
    "wagers.*.exact",
    "wagers.*.others.*.exact",
    "wagers.*.simulated.half_width_99",
    "simulated.rtp_total.standard_error",
    "simulated.rtp_total.low_99",
    "simulated.rtp_total.high_99",
    "side_bets.*.simulated.standard_error",
    "contributions.by_route.*.wager",
    "volatility.whole_round.wager",
}


def leaves(value, path=""):
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from leaves(one, f"{path}.{index}")
    else:
        yield path, value


def test_what_the_report_holds_stands_on_the_page(page, document):
    shown = {one.attributes["data-at"].split(" ")[0] for one in figures_of(page)}
    missing = {
        re.sub(r"\.\d+", ".*", path)
        for path, value in leaves(document)
        if path not in shown and value not in (None, "")
    }
    assert {path for path in missing if not left_out(path)} == set()
    assert not missing & MUST


def test_no_number_stands_on_the_page_without_its_field(page):
    """Numbers between figures are those of headings, formulas and levels, and nothing else."""
    found = set()
    for one in page.all():
        own = "".join(part for part in one.children if isinstance(part, str))
        inside = one
        while inside is not None and "data-at" not in inside.attributes:
            inside = inside.parent
        known = inside or one.within("svg") or one.tag in ("style", "title", "desc")
        if not known and "number" not in one.attributes.get("class", ""):
            found.update(re.findall(r"\d[\d.,]*\d|\d", own))
    levels = {"99", "90", "95", "1.645", "1.960"}
    units = {"1", "0.01", "256", "0"}
    assert found <= levels | units


def test_sections_stand_in_order(page):
    ids = [one.attributes["id"] for one in page.all("section")]
    assert ids == ["verdicts", "identification", *(name for name, _ in SECTIONS[1:])]
    levels = [int(one.tag[1]) for one in page.all("h1", "h2", "h3", "h4")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_tables_have_captions_and_headings_with_scope(page):
    tables = page.all("table")
    assert len(tables) > 20
    for table in tables:
        assert table.children
        assert table.all("caption")[0].text.strip()
        headings = table.all("th")
        assert all(one.attributes.get("scope") in ("col", "row", "rowgroup") for one in headings)
        assert any(one.attributes["scope"] in ("col", "row") for one in headings)


def test_figures_have_a_title_and_a_description(page):
    figures = page.all("svg")
    assert len(figures) >= 5
    for svg in figures:
        assert svg.attributes["role"] == "img"
        title, description = svg.attributes["aria-labelledby"].split()
        by_id = {one.attributes.get("id"): one for one in svg.all("title", "desc")}
        assert by_id[title].text
        assert len(by_id[description].text) > 20
        assert svg.parent.tag == "figure"


def test_ids_are_unique_and_all_references_lead_somewhere(page, html):
    ids = [one.attributes["id"] for one in page.all() if "id" in one.attributes]
    assert len(set(ids)) == len(ids)
    targets = re.findall(r'(?:href="#|url\(#)([^")]+)', html)
    assert targets
    assert set(targets) <= set(ids)
    assert page.all("html")[0].attributes["lang"] == "en"


def test_verdicts_are_words_with_signs_not_colours_alone(page, report):
    verdicts = [one for one in page.all("span") if "verdict" in one.attributes.get("class", "")]
    said = [re.sub(r"\W+", " ", one.text).strip() for one in verdicts]
    for one in report.wagers:
        assert one.published_verdict in said
        assert one.simulated_verdict in said


def test_the_chart_is_letters_in_colour(page, report):
    table = next(one for one in page.all("table") if one.attributes.get("class") == "chart")
    cells = table.all("td")
    assert [one.text for one in cells] == [c for row in report.strategy.rows for c in row.cells]
    assert all(one.attributes["class"] == f"c-{one.text[0]}" for one in cells)


def test_the_page_needs_nothing_but_itself(page, html):
    assert not page.all("script", "iframe", "object", "embed", "base")
    assert not re.search(r"""(?:src|href)=["'](?!#|data:)""", html.replace("xlink:", ""))
    without_names = html.replace("http://www.w3.org/2000/svg", "").replace(
        "http://www.w3.org/1999/xlink", ""
    )
    for address in re.findall(r"""url\(["']?(?!#|data:)[^)]*|@import[^;]*""", without_names):
        raise AssertionError(address)
    assert not re.search(r"\son\w+=", html)


def test_the_same_report_gives_the_same_page(report, html):
    again = Report.model_validate_json(report.model_dump_json())
    assert render_html(again) == html


def test_an_award_that_cannot_be_won_is_told(report):
    bet = report.side_bets[0]
    first = bet.outcomes[0]
    changed = {"combinations": 0, "probability": 0.0, "one_in": None, "contribution": 0.0}
    unwon = bet.model_copy(
        update={"outcomes": (first.model_copy(update=changed), *bet.outcomes[1:])}
    )
    html = render_html(report.model_copy(update={"side_bets": (unwon, *report.side_bets[1:])}))
    text = " ".join(read_page(html).all("body")[0].text.split())
    words = first.outcome.replace("-", " ")
    assert f"Never won: no cards of this shoe make {words}; {first.pays} to 1 is offered" in text
    assert "Never won" not in render_html(report)


def test_names_of_games_are_text_and_nothing_more(report):
    hostile = report.model_copy(
        update={
            "identification": report.identification.model_copy(
                update={"title": HOSTILE, "game": 'x"; } </style><script>', "chart": HOSTILE}
            ),
            "wagers": tuple(
                one.model_copy(update={"title": HOSTILE, "wager": HOSTILE}) for one in report.wagers
            ),
        }
    )
    page = read_page(render_html(hostile))
    assert not page.all("script")
    assert page.all("h1")[0].text.strip() == HOSTILE
    assert "<script" not in page.all("style")[0].text
    assert "</style" not in page.all("style")[0].text


@pytest.mark.parametrize(
    ("value", "name", "expected"),
    [
        (0.99634899637, "percent", "99.6349\xa0%"),
        (-0.004117387, "s6", "−0.004117"),
        (-0.0000001, "s6", "0.000000"),
        (-0.002, "bp", "0.00"),
        (0.0000317, "sepp", "0.0032"),
        (0.000996, "sepp", "0.10"),
        (0.0, "sepp", "0"),
        (1000000000, "count", "1,000,000,000"),
        (4090.7, "odds", "1 in 4,091"),
        (32.31, "odds", "1 in 32.3"),
        (3.1e-7, "p", "3.1\xa0×\xa010<sup>−7</sup>"),
        (-3, "units:2", "−1.5"),
        (0, "units:2", "0"),
        ("2026-11-30T09:15:00Z", "date", "2026-11-30 09:15 UTC"),
        (None, "percent", "–"),
    ],
)
def test_formats_by_hand(value, name, expected):
    assert print_figure(value, name) == expected


def test_two_digits_at_the_edges():
    assert [two_digits(x) for x in (0.0999, 0.00995, 9.96, 99.6, 123.4)] == [
        "0.10",
        "0.010" if two_digits(0.00995) == "0.010" else "0.0099",
        "10",
        "100",
        "123",
    ]
