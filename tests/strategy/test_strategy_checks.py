"""Chart and rules together, the charts that come with the program, and where they are found."""

import hashlib
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import rtpsim
from rtpsim.errors import InputError
from rtpsim.rulestring import parse_rules
from rtpsim.strategy import (
    Chart,
    check_chart,
    default_chart,
    format_chart,
    parse_chart,
    read_chart,
    strategies_dir,
    strategy_names,
)

ORDINARY = read_chart("ordinary")
POWER = read_chart("power-blackjack")
STRIP = parse_rules("6D LS")
POWER_RULES = parse_rules("6D SPT2 ENHC C8 P22 PD9 PS")


@dataclass
class Game:
    rules: object
    insurance: bool = True
    even_money: bool = False
    title: str = "My Game"
    chart: str = "ordinary"


def with_rows(chart, **rows):
    named = {name.replace("_", " "): cells for name, cells in rows.items()}
    return Chart(chart.name, {**chart.rows, **named}, chart.provenance)


def without(chart, *labels):
    return Chart(chart.name, {k: v for k, v in chart.rows.items() if k not in labels})


def refused(chart, game, *words):
    with pytest.raises(InputError) as caught:
        check_chart(chart, game)
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


NO = ("N",) * 10
ACE_ONLY = (*NO[:9], "Y")


def test_charts_that_go_with_their_rules():
    check_chart(ORDINARY, STRIP)
    check_chart(ORDINARY, Game(STRIP))
    check_chart(ORDINARY, parse_rules("8D NS SPL0 ND"))  # letters with an else are understood
    check_chart(POWER, POWER_RULES)
    check_chart(POWER, POWER_RULES.replace(power_double="9-11-soft", power_split="resplit"))
    check_chart(POWER, POWER_RULES.replace(power_double="10-11"))
    check_chart(with_rows(ORDINARY, insurance=ACE_ONLY), STRIP)
    check_chart(with_rows(ORDINARY, insurance=ACE_ONLY), Game(STRIP, False, True))


def test_insurance_that_is_not_offered():
    insured = with_rows(ORDINARY, insurance=ACE_ONLY)
    refused(insured, Game(STRIP, insurance=False), "'insurance' v A", "My Game offers no insurance")
    naturals = Chart("x", {**ORDINARY.rows, "insurance A,T": ("N", "Y", *NO[2:])})
    refused(naturals, STRIP, "row 'insurance A,T' v 3", "against an ace only")


def test_power_moves_that_the_rules_do_not_have():
    refused(POWER, STRIP, "row 'power split T,5'", "no power split")
    refused(POWER, POWER_RULES.replace(power_split="none"), "no power split")
    refused(POWER, POWER_RULES.replace(power_double="none"), "no power double")
    replacing = Chart("x", {**ORDINARY.rows, "replace hard 9": ("-",) * 10})
    refused(replacing, STRIP, "'replace hard 9'", "no power double")


def test_power_doubles_that_the_chart_does_not_settle():
    refused(ORDINARY, POWER_RULES, "'power double hard 9' is missing")
    refused(
        without(POWER, "power double hard 11"), POWER_RULES, "'power double hard 11' is missing"
    )
    refused(without(POWER, "replace hard 10"), POWER_RULES, "'replace hard 10' is missing")
    short = without(POWER, "power double soft 19")
    check_chart(short, POWER_RULES)
    refused(
        short, POWER_RULES.replace(power_double="9-11-soft"), "'power double soft 19' is missing"
    )
    never = without(with_rows(POWER, power_double_hard_10=NO), "replace hard 10")
    check_chart(never, POWER_RULES)


def test_a_fault_is_placed_in_the_file():
    text = format_chart(ORDINARY).replace("insurance,N,N", "insurance,N,Y")
    line = text.count("\n")
    chart = parse_chart(text, "mine.csv")
    refused(chart, STRIP, f"mine.csv, line {line}, column 3, row 'insurance' v 3: ")
    spaced = parse_chart(text.replace(",", " "), "mine.txt")
    refused(spaced, STRIP, f"mine.txt, line {line}, column 3, row 'insurance' v 3: ")


def test_the_default_chart_is_the_one_that_the_game_names(tmp_path):
    assert default_chart(Game(STRIP)) == ORDINARY
    assert default_chart(Game(POWER_RULES, chart="power-blackjack")) == POWER
    shutil.copy(str(strategies_dir() / "ordinary.csv"), tmp_path / "mine.csv")
    mine = default_chart(Game(STRIP, chart=str(tmp_path / "mine.csv")))
    assert (mine.name, mine.rows) == ("mine", ORDINARY.rows)
    with pytest.raises(InputError, match="no power split"):
        default_chart(Game(STRIP, chart="power-blackjack"))


def test_the_ordinary_chart_is_as_published():
    # hash of the published chart as it was handed down; it stays so for good
    data = (strategies_dir() / "ordinary.csv").read_bytes()
    published = "8df7bcddb8aa94bbf92711155ba5503f7e529d0239841c8fdf8eea8ae2eb1c18"
    assert hashlib.sha256(data).hexdigest() == published
    assert format_chart(ORDINARY).encode() == data


@pytest.mark.parametrize("name", strategy_names())
def test_charts_that_come_with_the_program_cover_every_situation(name):
    chart = read_chart(name)
    rows = [f"hard {total}" for total in range(4, 22)]
    rows += [f"soft {total}" for total in range(12, 22)]
    rows += [f"pair {rank}" for rank in "23456789TA"]
    for row in rows:
        for up in range(10):
            assert chart.cell(row, up) is not None
    assert chart.provenance
    assert format_chart(chart) == (strategies_dir() / f"{name}.csv").read_text(encoding="utf-8")
    # the file writes every row out: nothing is filled in for it
    assert chart.origin is not None
    assert set(chart.origin.places) == set(chart.rows)


def test_the_power_chart_settles_every_power_move():
    hands = ("T,5", "9,6", "T,6", "8,7", "9,7", "8,8")
    assert [row for row in POWER.rows if row.startswith("power split")] == [
        f"power split {hand}" for hand in hands
    ]
    for total in ("hard 9", "hard 10", "hard 11", "soft 19", "soft 20"):
        assert POWER.rows[f"power double {total}"]
        assert POWER.rows[f"replace {total}"]


def test_the_single_deck_chart_plays_as_is_known_without_a_hole_card():
    """Cells that tell such a chart apart.

    The Wizard of Odds' single-deck and European no-hole-card advice: never double 10 or 11 or split
    eights against a ten or an ace; one deck splits 6,6 v 2 and 7,7 v 7.

    Published one-deck charts also stand 7,7 v 10; a chart by totals, whose pairs split or follow
    the total, hits it as any other 14.
    """
    chart = read_chart("classic-blackjack")
    for up in (9, 0):
        assert chart.cell("hard 10", up) == chart.cell("hard 11", up) == "H"
        assert chart.cell("pair 8", up) == "H"
    assert chart.cell("hard 11", 8) == "Dh"
    assert chart.cell("hard 9", 1) == "Dh"
    assert chart.cell("pair 6", 1) == chart.cell("pair 7", 6) == "P"
    assert chart.cell("pair 7", 9) == chart.cell("hard 14", 9) == "H"
    assert chart.cell("soft 18", 0) == "S"


def test_names_come_before_files_only_where_no_path_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("ordinary.csv").write_text(format_chart(POWER), encoding="utf-8")
    assert read_chart("ordinary") == ORDINARY
    assert read_chart("ordinary.csv").rows == POWER.rows
    assert read_chart("./ordinary.csv").rows == POWER.rows
    assert read_chart("power-blackjack.csv") == POWER


def test_an_installed_package_finds_its_charts_anywhere(tmp_path):
    site = tmp_path / "site"
    package = Path(rtpsim.__file__).parent
    shutil.copytree(package, site / "rtpsim", ignore=shutil.ignore_patterns("__pycache__"))
    charts = Path(str(strategies_dir()))
    shutil.copytree(charts, site / "rtpsim" / "strategies", dirs_exist_ok=True)
    code = (
        f"import sys; sys.path.insert(0, {str(site)!r})\n"
        "import rtpsim\nfrom rtpsim.strategy import read_chart, strategy_names\n"
        "print(rtpsim.__file__); print(strategy_names()); print(read_chart('ordinary').sha256)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    where, names, sha256 = done.stdout.splitlines()
    assert where.startswith(str(site))
    assert names == str(strategy_names())
    assert sha256 == ORDINARY.sha256
