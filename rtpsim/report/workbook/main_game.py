"""Sheets of the workbook on the main game: its distribution, its returns, its tolerances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.report.formats import BASES
from rtpsim.statistics import VOLATILITY_LEVELS

if TYPE_CHECKING:
    from rtpsim.report.model import Report
    from rtpsim.report.workbook.book import Book, Sheet


def main_game(book: Book, report: Report) -> str:
    """Write the main game; return the address of its return on the declared base.

    Where the joint distribution of net and wager is exact, everything follows from it. Where it is
    out of exact reach, net and wager follow from the up cards and the variance is a number.
    """
    exact = report.exact
    sheet = book.sheet("Main game", (48, 16, 16, 18, 18))
    sheet.title("Main game, one hand a round", exact.note)
    top = sheet.row
    sheet.row += _FIGURES + 1
    ups = _up_cards(sheet, report)
    known = bool(exact.outcomes) and "outcomes" not in exact.simulated_figures
    results = _outcomes(sheet, report) if exact.outcomes else None
    sheet.row = top
    source = results if known and results is not None else ups
    return _figures(sheet, report, source, known)


_FIGURES = 12
"""Rows of the figures above the tables."""


def _up_cards(sheet: Sheet, report: Report) -> tuple[str, str, str]:
    """Write the table by up card; return the ranges of net, wager and probability."""
    sheet.section("By up card")
    sheet.heading("Up card", "Probability", "Net of a round", "Mean wager", "Contribution to net")
    first = sheet.row
    for one in report.exact.by_up_card:
        sheet.put(0, one.up)
        sheet.put(1, one.probability, "percent")
        sheet.put(2, one.ev, "signed")
        sheet.put(3, one.mean_wager, "ratio")
        product = f"{sheet.address(1)}*{sheet.address(2)}"
        sheet.formula(4, product, one.probability * one.ev, "", "signed")
        sheet.row += 1
    return _columns(sheet, (2, 3, 1), first)


def _outcomes(sheet: Sheet, report: Report) -> tuple[str, str, str]:
    """Write the distribution; return the ranges of net, wager and probability."""
    exact = report.exact
    simulated = exact.simulated_rounds if "outcomes" in exact.simulated_figures else None
    of = f" (simulated, {simulated:,} rounds)" if simulated else ""
    sheet.section(f"Result of a round, in initial wagers{of}")
    sheet.heading("", "Probability", "Net", "Wager", "Probability x net")
    first = sheet.row
    for one in exact.outcomes:
        net, wager = one.net / exact.unit, one.wager / exact.unit
        sheet.put(1, one.probability, "small" if one.probability < 1e-6 else "percent")
        sheet.put(2, net, "money")
        sheet.put(3, wager, "money")
        product = f"{sheet.address(1)}*{sheet.address(2)}"
        sheet.formula(4, product, one.probability * net, "", "signed")
        sheet.row += 1
    return _columns(sheet, (2, 3, 1), first)


def _columns(sheet: Sheet, columns: tuple[int, int, int], first: int) -> tuple[str, str, str]:
    net, wager, chance = (sheet.range(column, first, sheet.row - 1) for column in columns)
    return net, wager, chance


def _figures(sheet: Sheet, report: Report, source: tuple[str, str, str], known: bool) -> str:
    """Write the main game's figures as formulas; return the address of its return."""
    exact, volatility = report.exact, report.volatility
    nets, wagers, chances = source
    where = "the results of a round" if known else "the up cards"
    # the distribution never holds the insurance bet; the up cards do where the figures do
    insured = exact.includes_insurance and known

    def line(name: str, formula: str, value: float | None, path: str, style: str) -> str:
        sheet.put(0, name)
        address = sheet.formula(1, formula, value, path, style)
        sheet.row += 1
        return address.rpartition("!")[2]

    extra = (f"+{exact.insurance_ev!r}", f"+{exact.insurance_wager!r}") if insured else ("", "")
    net = line(
        f"Expected net of a round (EV), from {where}",
        f"SUMPRODUCT({chances},{nets}){extra[0]}",
        *(exact.ev, "exact.ev", "signed"),
    )
    wager = line(
        f"Mean wager of a round, from {where}",
        f"SUMPRODUCT({chances},{wagers}){extra[1]}",
        *(exact.mean_wager, "exact.mean_wager", "ratio"),
    )
    total = line(
        "rtp_total: on the total amount wagered",
        *(f"1+{net}/{wager}", exact.rtp_total, "exact.rtp_total", "strong"),
    )
    initial = line(
        "rtp_initial: on the initial bets",
        *(f"1+{net}", exact.rtp_initial, "exact.rtp_initial", "strong"),
    )
    line("House edge", f"1-{initial}", exact.house_edge, "exact.house_edge", "percent")
    risk = exact.element_of_risk
    line("Element of risk", f"1-{total}", risk, "exact.element_of_risk", "percent")
    if exact.variance is not None:
        mean = f"SUMPRODUCT({chances},{nets})"
        if known:
            squares = f"SUMPRODUCT({chances},({nets}-{mean})^2)"
            variance = line(
                "Variance of a round", squares, exact.variance, "exact.variance", "ratio"
            )
        else:
            sheet.put(0, "Variance of a round (exact, not from this sheet)")
            sheet.put(1, exact.variance, "ratio")
            variance = sheet.address(1, absolute=True)
            sheet.row += 1
        sd = line("Standard deviation", f"SQRT({variance})", exact.sd, "exact.sd", "ratio")
        for level, z in VOLATILITY_LEVELS.items():
            value = getattr(volatility, f"volatility_index_{level}")
            path = f"volatility.volatility_index_{level}"
            line(f"Volatility index at {level} %: {z} sd", f"{z}*{sd}", value, path, "ratio")
    if known:
        won = f"SUMPRODUCT({chances}*({nets}>0))"
        line("Hit frequency", won, exact.hit_frequency, "exact.hit_frequency", "percent")
    chosen = {"total": total, "initial": initial}[report.main.base]
    return f"{sheet.name}!{chosen}"


def tolerances(book: Book, report: Report) -> None:
    """Write the tolerances of every wager: VI / sqrt(n) as formulas."""
    sheet = book.sheet("Tolerances", (34, 18, 18, 18, 18))
    sheet.title("Tolerances: where a return is expected after n rounds", "VI / sqrt(n)")
    for index, table in enumerate(report.volatility.tolerances):
        at = f"volatility.tolerances.{index}"
        sheet.section(f"{table.title}, {BASES[table.base]}")
        sheet.line("Exact return", table.rtp, styles=("text", "percent"))
        rtp = sheet.address(1, sheet.row - 1, absolute=True)
        sheet.line("Standard deviation of a round's return", table.sd, styles=("text", "ratio"))
        sd = sheet.address(1, sheet.row - 1, absolute=True)
        vi = {}
        for level, z in VOLATILITY_LEVELS.items():
            value = getattr(table, f"volatility_index_{level}")
            sheet.put(0, f"Volatility index at {level} %")
            sheet.formula(1, f"{z}*{sd}", value, f"{at}.volatility_index_{level}", "ratio")
            vi[level] = sheet.address(1, absolute=True)
            sheet.row += 1
        sheet.heading("Rounds (n)", "± at 90 %", "± at 95 %", "From (95 %)", "To (95 %)")
        for number, row in enumerate(table.rows):
            here, n = f"{at}.rows.{number}", sheet.address(0)
            sheet.put(0, row.rounds, "count")
            for column, level in ((1, 90), (2, 95)):
                half = getattr(row, f"half_width_{level}")
                path = f"{here}.half_width_{level}"
                sheet.formula(column, f"{vi[level]}/SQRT({n})", half, path, "percent")
            half_95 = sheet.address(2)
            sheet.formula(3, f"{rtp}-{half_95}", row.low_95, f"{here}.low_95", "percent")
            sheet.formula(4, f"{rtp}+{half_95}", row.high_95, f"{here}.high_95", "percent")
            sheet.row += 1
