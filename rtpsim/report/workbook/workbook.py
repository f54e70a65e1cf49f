"""The report as a PAR-sheet workbook: real numbers, and formulas for the arithmetic of returns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rtpsim.report.formats import BASES
from rtpsim.report.workbook.book import Book
from rtpsim.report.workbook.main_game import main_game, tolerances
from rtpsim.report.workbook.run import blocks, frequencies

if TYPE_CHECKING:
    from pathlib import Path

    from rtpsim.report.model import Report, SideBetTable
    from rtpsim.report.workbook.book import Sheet


def write_workbook(report: Report, path: Path) -> dict[str, str]:
    """Write a report as a workbook (XLSX).

    Returns, edges, contributions, variances, standard deviations and volatility indices are
    formulas; every formula carries the value that the report's JSON has.

    Parameters
    ----------
    report
        The report.
    path
        The file to write: the same bytes for the same report.

    Returns
    -------
    dict
        Where each formula stands (``'Main game'!B4``) -> the path of its figure in the report's
        JSON (``exact.rtp_total``), empty where the JSON has no such figure.
    """
    identity = report.identification
    book = Book(path, identity.made, identity.title)
    summary = book.sheet("Summary", (34, 16, 16, 16, 16, 28, 20, 40))
    exact = {"main": main_game(book, report)}
    names = _sheet_names(report)
    for index, bet in enumerate(report.side_bets):
        exact[bet.bet] = _side_bet(book, bet, index, names[index])
    _summary(summary, report, exact)
    tolerances(book, report)
    if report.readings is not None:
        _readings(book, report)
    _chart(book, report)
    frequencies(book, report)
    blocks(book, report)
    book.workbook.close()
    return book.places


def _sheet_names(report: Report) -> list[str]:
    """Return a name for the sheet of each side bet: as a sheet may be called, and each its own."""
    names = []
    for number, bet in enumerate(report.side_bets, start=1):
        plain = re.sub(r"[^\w +.-]", " ", bet.title).strip()
        names.append(f"Bet {number} {plain}"[:31].strip())
    return names


def _summary(sheet: Sheet, report: Report, exact: dict[str, str]) -> None:
    """Write what was evaluated and the verdicts; exact returns point to where they are computed."""
    identity = report.identification
    asked = identity.rounds_asked
    sheet.title(identity.title, "PAR sheet by rtpsim; formulas can be followed cell by cell")
    pairs = (
        ("Game", identity.game),
        ("Rules", identity.rule_string),
        ("Chart", identity.chart),
        ("Game, SHA-256", identity.game_file_sha256),
        ("Chart, SHA-256", identity.chart_sha256),
        ("Report, SHA-256", report.sha256),
        ("Made (UTC)", identity.made),
        ("Program", f"rtpsim {identity.rtpsim_version}"),
    )
    for name, value in pairs:
        sheet.line(name, value)
    for name, number in (
        ("Rounds of the deciding run", identity.rounds),
        *([("of so many asked for (stopped)", asked)] if asked else []),
        ("Seed", identity.seed),
        ("Hands a round", identity.hands),
    ):
        sheet.line(name, number, styles=("text", "count"))
    sheet.section("Verdicts")
    sheet.heading(
        *("Wager", "Published", "Exact", "Simulated", "± at 99 %", "Published figure is"),
        *("Simulation says", "The return is"),
        words=(0, 5, 6, 7),
    )
    for index, one in enumerate(report.wagers):
        sheet.put(0, one.title)
        sheet.put(1, None if one.published is None else one.published.value, "percent")
        sheet.formula(2, exact[one.wager], one.exact, f"wagers.{index}.exact", "strong")
        sheet.put(3, one.simulated.value, "percent")
        sheet.put(4, one.simulated.half_width_99, "percent")
        sheet.line_rest(5, one.published_verdict, one.simulated_verdict, BASES[one.base])
    sheet.section("Scope")
    sheet.paragraph(identity.scope)


def _side_bet(book: Book, bet: SideBetTable, index: int, name: str) -> str:
    """Write a side bet's arithmetic; return the address of its return."""
    sheet = book.sheet(name, (30, 16, 16, 14, 10, 18, 18))
    at = f"side_bets.{index}"
    inferred = "paytable inferred from the published figure" if bet.inferred else "as published"
    sheet.title(bet.title, f"Paytable: {inferred}; cards: {', '.join(bet.cards)}")
    sheet.put(0, "All combinations")
    sheet.put(1, bet.combinations, "count")
    total = sheet.address(1, absolute=True)
    sheet.row += 2
    sheet.heading(
        *("Outcome", "Combinations", "Probability", "Odds", "Pays to 1", "Contribution"),
        "(Pays + 1)² p",
    )
    first = sheet.row
    for number, one in enumerate(bet.outcomes):
        here = f"{at}.outcomes.{number}"
        sheet.put(0, one.outcome)
        sheet.put(1, one.combinations, "count")
        combinations, chance, pays = (sheet.address(column) for column in (1, 2, 4))
        sheet.formula(
            2, f"{combinations}/{total}", one.probability, f"{here}.probability", "percent"
        )
        if one.one_in is not None:
            sheet.formula(3, f"1/{chance}", one.one_in, f"{here}.one_in", "odds")
        else:
            sheet.put(3, "never")
        sheet.put(4, one.pays, "int")
        sheet.formula(
            5, f"{chance}*({pays}+1)", one.contribution, f"{here}.contribution", "percent"
        )
        sheet.formula(
            6, f"{chance}*({pays}+1)^2", one.probability * (one.pays + 1) ** 2, "", "ratio"
        )
        sheet.row += 1
    last = sheet.row - 1
    sheet.section("On its stake")
    sheet.put(0, "Return (rtp)")
    rtp = sheet.formula(1, f"SUM({sheet.range(5, first, last)})", bet.rtp, f"{at}.rtp", "strong")
    local = sheet.address(1, absolute=True)
    sheet.row += 1
    sheet.put(0, "House edge")
    sheet.formula(1, f"1-{local}", bet.house_edge, f"{at}.house_edge", "percent")
    sheet.row += 1
    sheet.put(0, "Hit frequency")
    hits = f"SUM({sheet.range(2, first, last)})"
    sheet.formula(1, hits, bet.hit_frequency, f"{at}.hit_frequency", "percent")
    sheet.row += 1
    sheet.put(0, "Variance of what a stake returns")
    squares = f"SUM({sheet.range(6, first, last)})-{local}^2"
    sheet.formula(1, squares, bet.variance, f"{at}.variance", "ratio")
    sheet.row += 1
    sheet.put(0, "Standard deviation")
    above = sheet.address(1, sheet.row - 1)
    sheet.formula(1, f"SQRT({above})", bet.sd, f"{at}.sd", "ratio")
    sheet.row += 1
    return rtp


def _readings(book: Book, report: Report) -> None:
    """Write every reading by every chart; house edge and element of risk are formulas."""
    table = report.readings
    assert table is not None
    many = len(table.readings)
    sheet = book.sheet("Readings", (*(20,) * many, 24, 16, 16, 16, 16, 24, 24))
    sheet.title("Readings of the main game by every chart")
    sheet.heading(
        *table.readings,
        *("Strategy", "rtp_total", "rtp_initial", "House edge", "Element of risk"),
        *("On the total prints as", "On the initial prints as"),
        words=(*range(many + 1), many + 5, many + 6),
    )
    sheet.stay()
    for one in table.cells:
        for column, option in enumerate((*one.options, one.strategy)):
            sheet.put(column, option)
        sheet.put(many + 1, one.rtp_total, "percent")
        sheet.put(many + 2, one.rtp_initial, "percent")
        total, initial = sheet.address(many + 1), sheet.address(many + 2)
        sheet.formula(many + 3, f"1-{initial}", 1.0 - one.rtp_initial, "", "percent")
        sheet.formula(many + 4, f"1-{total}", 1.0 - one.rtp_total, "", "percent")
        sheet.line_rest(many + 5, ", ".join(one.marks_total), ", ".join(one.marks_initial))
    sheet.section("What follows")
    for sentence in table.conclusions:
        sheet.paragraph(sentence)


def _chart(book: Book, report: Report) -> None:
    """Write the whole chart, in colour and letters."""
    strategy = report.strategy
    sheet = book.sheet("Chart", (22, *(6,) * len(strategy.columns)))
    sheet.title(f"Chart {strategy.name}", strategy.strategy_class)
    sheet.line("Hand", *strategy.columns, styles=("head", "head-middle"))
    sheet.stay()
    for row in strategy.rows:
        sheet.put(0, row.hand)
        for column, letter in enumerate(row.cells, start=1):
            sheet.put(column, letter, f"chart:{letter}")
        sheet.row += 1
    sheet.section("Letters")
    for one in strategy.legend:
        sheet.put(0, one.meaning)
        sheet.put(1, one.letter, f"chart:{one.letter}")
        sheet.row += 1
