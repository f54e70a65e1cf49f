"""The workbook's formulas come to the figures of the JSON, and names in it are never formulas."""

import re
import zipfile
from xml.etree import ElementTree as ET

import office
import pytest
from printed_figures import at
from synthetic_report import synthetic_report

from rtpsim.report.workbook.workbook import write_workbook

NAMES = ("=1+1", "+1", "@SUM(A1)", "-1", "{=1}", "http://x.y/", "</t>")


@pytest.fixture(scope="module")
def report():
    return synthetic_report(rounds=300_000)


@pytest.fixture(scope="module")
def written(report, tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "x.xlsx"
    return path, write_workbook(report, path)


def carried(path):
    """Return formula and value of each formula cell, by place, as the file has them."""
    space = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
    found = {}
    with zipfile.ZipFile(path) as archive:
        book = ET.fromstring(archive.read("xl/workbook.xml"))
        for number, sheet in enumerate(book.iterfind("m:sheets/m:sheet", space), start=1):
            cells = ET.fromstring(archive.read(f"xl/worksheets/sheet{number}.xml"))
            name = sheet.get("name").replace("'", "''")
            for cell in cells.iterfind(".//m:c", space):
                formula = cell.find("m:f", space)
                if formula is not None:
                    value = cell.find("m:v", space)
                    assert cell.get("t") in (None, "n")  # a number, no text
                    found[f"'{name}'!{cell.get('r')}"] = (formula.text, value.text)
    return found


def test_formulas_carry_the_values_of_the_json(written, report):
    path, places = written
    document = report.model_dump(mode="json")
    cells = carried(path)
    assert set(cells) == set(places)
    for place, field in places.items():
        if field:
            assert float(cells[place][1]) == at(document, field)


def test_the_arithmetic_is_all_formulas(written):
    fields = set(written[1].values())
    main = ("ev", "mean_wager", "rtp_total", "rtp_initial", "house_edge", "element_of_risk")
    assert {f"exact.{name}" for name in (*main, "variance", "sd", "hit_frequency")} <= fields
    assert {f"volatility.volatility_index_{level}" for level in (90, 95)} <= fields
    assert {f"side_bets.1.{name}" for name in ("rtp", "house_edge", "variance", "sd")} <= fields
    assert {f"side_bets.0.outcomes.{n}.contribution" for n in range(5)} <= fields
    assert {f"wagers.{n}.exact" for n in range(3)} <= fields


@pytest.mark.parametrize(
    "game",
    ["signature-surrender", pytest.param("power-blackjack", marks=pytest.mark.slow)],
)
@pytest.mark.office
@pytest.mark.skipif(office.PROGRAM is None, reason="LibreOffice (soffice) is not installed")
def test_formulas_recalculate_to_the_values_of_the_json(game, tmp_path):
    report = synthetic_report(game, rounds=300_000)
    document = report.model_dump(mode="json")
    places = write_workbook(report, tmp_path / "full.xlsx")
    values = carried(tmp_path / "full.xlsx")
    office.without_values(tmp_path / "full.xlsx", tmp_path / "bare.xlsx")
    sheets = office.recalculated(tmp_path / "bare.xlsx", tmp_path)
    for place, field in places.items():
        computed = office.number_at(sheets, place)
        expected = at(document, field) if field else float(values[place][1])
        assert computed == pytest.approx(expected, rel=1e-9, abs=1e-12), (place, field)


@pytest.mark.office
@pytest.mark.skipif(office.PROGRAM is None, reason="LibreOffice (soffice) is not installed")
def test_a_changed_input_changes_what_follows_from_it(written, report, tmp_path):
    path, places = written
    pays = report.side_bets[1].outcomes[0].pays
    by_field = {field: place for place, field in places.items()}
    cell = re.sub(r".*!F", "E", by_field["side_bets.1.outcomes.0.contribution"])
    office.without_values(path, tmp_path / "bare.xlsx")
    office.change(
        tmp_path / "bare.xlsx",
        tmp_path / "other.xlsx",
        r"xl/worksheets/sheet4\.xml",
        rf'(<c r="{cell}"[^>]*><v>){pays}<',
        rf"\g<1>{pays + 1}<",
    )
    sheets = office.recalculated(tmp_path / "other.xlsx", tmp_path)
    rtp = office.number_at(sheets, by_field["side_bets.1.rtp"])
    expected = report.side_bets[1].rtp + report.side_bets[1].outcomes[0].probability
    assert rtp == pytest.approx(expected, rel=1e-12)


def test_the_same_report_gives_the_same_bytes(report, written, tmp_path):
    write_workbook(report, tmp_path / "again.xlsx")
    assert (tmp_path / "again.xlsx").read_bytes() == written[0].read_bytes()


def test_names_are_text_whatever_they_begin_with(report, written, tmp_path):
    bets = tuple(
        bet.model_copy(update={"title": name, "cards": (name,)})
        for bet, name in zip(report.side_bets, NAMES[4:6], strict=True)
    )
    identity = report.identification.model_copy(
        update={
            "title": NAMES[0],
            "game": NAMES[1],
            "chart": NAMES[2],
            "scope": NAMES[3],
            "rule_string": NAMES[6],
        }
    )
    hostile = report.model_copy(
        update={
            "identification": identity,
            "side_bets": bets,
            "wagers": tuple(w.model_copy(update={"title": NAMES[0]}) for w in report.wagers),
        }
    )
    places = write_workbook(hostile, tmp_path / "x.xlsx")
    cells = carried(tmp_path / "x.xlsx")
    assert set(cells) == set(places)  # no formula but those that are meant
    with zipfile.ZipFile(tmp_path / "x.xlsx") as archive:
        strings = archive.read("xl/sharedStrings.xml").decode()
        assert not [name for name in archive.namelist() if "rels" in name and "sheet" in name]
    for name in NAMES[:6]:
        assert f">{name}<" in strings
    assert "&lt;/t&gt;" in strings
