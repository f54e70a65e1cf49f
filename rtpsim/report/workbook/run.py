"""Sheets of the workbook on the deciding run: frequencies of what happened, and its blocks."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rtpsim.report.model import Report
    from rtpsim.report.workbook.book import Book


def frequencies(book: Book, report: Report) -> None:
    """Write every table of frequencies; expected counts and residuals are formulas."""
    sheet = book.sheet("Frequencies", (34, 16, 16, 16, 14))
    sheet.title("Frequencies in the deciding run against exact chances")
    for index, table in enumerate(report.frequencies):
        sheet.section(table.title)
        sheet.line("Observations", table.observations, styles=("text", "count"))
        many = sheet.address(1, sheet.row - 1, absolute=True)
        if table.test is not None:
            sheet.line(
                *("Chi-squared, degrees of freedom, p, p by Holm", table.test.statistic),
                *(table.test.df, table.test.p_value, table.test.p_adjusted),
                styles=("text", "z", "count", "p"),
            )
        sheet.heading("Cell", "Probability", "Expected", "Observed", "Residual")
        for number, one in enumerate(table.cells):
            at = f"frequencies.{index}.cells.{number}"
            sheet.put(0, one.cell)
            sheet.put(1, one.probability, "small" if one.probability < 1e-6 else "percent")
            p, expected, observed = (sheet.address(column) for column in (1, 2, 3))
            sheet.formula(2, f"{many}*{p}", one.expected, f"{at}.expected", "count")
            sheet.put(3, one.observed, "count")
            if one.residual is not None:
                formula = f"({observed}-{expected})/SQRT({expected}*(1-{p}))"
                sheet.formula(4, formula, one.residual, f"{at}.residual", "z")
            sheet.row += 1


def blocks(book: Book, report: Report) -> None:
    """Write the blocks of the deciding run, and how the return on all wagers adds up."""
    tallies = report.reproducibility.tallies[-1]
    sheet = book.sheet("Blocks", (10, 14, 10, 16, 20, 20, 16, 20, 66))
    sheet.title("Blocks of the deciding run", "Main game; net and wager in initial wagers")
    sheet.heading(
        *("Block", "First chunk", "Chunks", "Rounds", "Net", "Wager"),
        *("rtp_total of the block", "rtp_total up to here", "SHA-256 of its counts"),
        words=(8,),
    )
    sheet.stay()
    first = sheet.row
    nets = [_sum(block.outcomes, tallies.outcome_cells, 0) for block in tallies.blocks]
    wagers = [_sum(block.outcomes, tallies.outcome_cells, 1) for block in tallies.blocks]
    so_far = zip(accumulate(nets), accumulate(wagers), strict=True)
    for number, (block, (net_sum, wager_sum)) in enumerate(
        zip(tallies.blocks, so_far, strict=True)
    ):
        net, wager = nets[number], wagers[number]
        sheet.put(0, number + 1, "count")
        sheet.put(1, block.first_chunk, "count")
        sheet.put(2, block.chunks, "count")
        sheet.put(3, block.rounds, "count")
        sheet.put(4, net / tallies.unit, "ratio")
        sheet.put(5, wager / tallies.unit, "ratio")
        own = f"1+{sheet.address(4)}/{sheet.address(5)}"
        sheet.formula(6, own, 1 + net / wager, "", "percent")
        adding = [f"SUM({sheet.range(column, first, sheet.row)})" for column in (4, 5)]
        sheet.formula(7, f"1+{adding[0]}/{adding[1]}", 1 + net_sum / wager_sum, "", "percent")
        sheet.put(8, block.counts_sha256)
        sheet.row += 1


def _sum(counts: tuple[int, ...], cells: tuple[tuple[int, int], ...], which: int) -> int:
    """Add net (0) or wager (1) up over the rounds of a block."""
    return sum(count * cell[which] for count, cell in zip(counts, cells, strict=True))
