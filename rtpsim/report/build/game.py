"""Building a report: game under test (2), strategy assumed (3), readings table (5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.verification.conclusions import conclusions
from rtpsim.errors import InputError
from rtpsim.exact.figures import exact_figures
from rtpsim.games import MAIN
from rtpsim.verification.readings import BASES, CHARTS, cells, main_readings, paytables, side_bet_readings
from rtpsim.report.build.citations import CITATIONS
from rtpsim.report.build.flow import round_flow
from rtpsim.report.model import (
    ChartRow,
    GameUnderTest,
    Letter,
    OpenPoint,
    OpenPointOption,
    OtherPaytable,
    PaytableAlternatives,
    ReadingCell,
    ReadingsTable,
    SideBetReading,
    StrategyAssumed,
    StrategyFigure,
)
from rtpsim.strategy import COLUMNS, ROWS
from rtpsim.games.wording import rules_in_words

if TYPE_CHECKING:
    from rtpsim.exact.figures import ExactFigures
    from rtpsim.games import Game
    from rtpsim.verification.readings import Cell
    from rtpsim.strategy import Chart

MOST_PAYTABLES = 6
"""Alternative paytables of a bet that a report shows."""

READ_BY: tuple[str, ...] = CHARTS
"""The ways to play that every reading is valued by."""

OPTIMAL = {
    "optimal-td": "the best chart by totals",
    "optimal-2c": "the best chart by totals with exceptions for two cards",
    "optimal-cd": "the best play by the cards of the hand",
}

_MEANINGS = {
    "H": "hit",
    "S": "stand",
    "Dh": "double, else hit",
    "Ds": "double, else stand",
    "P": "split",
    "Ph": "split if doubling after it is allowed, else hit",
    "Pd": "split if doubling after it is allowed, else double",
    "Rh": "surrender, else hit",
    "Rs": "surrender, else stand",
    "Rp": "surrender, else split",
    "Y": "yes",
    "N": "no",
    "-": "replace no card",
}
_EXTRAS = {
    "two-card": "exceptions for two cards",
    "power split": "power splits",
    "power double": "power doubles",
    "replace": "cards to replace",
}


def game_under_test(game: Game) -> GameUnderTest:
    """Return the game in words."""
    chosen = game.chosen
    points = tuple(
        OpenPoint(
            reading=reading.id,
            title=reading.title,
            reason=reading.reason,
            options=tuple(
                OpenPointOption(
                    option=name,
                    is_default=name == reading.default,
                    in_force=name == chosen[reading.id],
                )
                for name in reading.options
            ),
        )
        for reading in game.readings
    )
    return GameUnderTest(
        rule_lines=tuple(rules_in_words(game.rules)),
        round_flow=tuple(round_flow(game)),
        max_hands=game.max_hands,
        insurance=game.insurance,
        even_money=game.even_money,
        open_points=points,
        source=None if game.source is None else str(game.source),
        notes=game.notes,
    )


def strategy_assumed(
    game: Game, chart: Chart, exact: ExactFigures, *, keep: bool = True
) -> StrategyAssumed:
    """Return the chart, and what it returns beside the best play of several classes."""
    letters = {cell for row in chart.rows.values() for cell in row}
    return StrategyAssumed(
        name=chart.name,
        strategy_class=_class_of(chart),
        provenance=chart.provenance,
        columns=tuple(COLUMNS),
        rows=tuple(
            ChartRow(hand=label, kind=ROWS[label].kind, cells=tuple(row))
            for label, row in chart.rows.items()
        ),
        legend=tuple(
            Letter(letter=letter, meaning=meaning)
            for letter, meaning in _MEANINGS.items()
            if letter in letters
        ),
        takes_insurance=any(
            "Y" in row for label, row in chart.rows.items() if ROWS[label].kind == "insurance"
        ),
        alternatives=tuple(
            found
            for name in OPTIMAL
            if (found := _alternative(game, name, exact, keep=keep)) is not None
        ),
        citations=CITATIONS,
    )


def _class_of(chart: Chart) -> str:
    """Say what the chart tells apart."""
    kinds = {ROWS[label].kind for label in chart.rows}
    extras = [words for kind, words in _EXTRAS.items() if kind in kinds]
    if any(ROWS[label].at_least > 2 for label in chart.rows):
        extras.append("exceptions by number of cards")
    said = "chart by totals (total-dependent), with pairs"
    return f"{said}, {' and '.join(extras)}" if extras else said


def _alternative(
    game: Game, name: str, exact: ExactFigures, *, keep: bool
) -> StrategyFigure | None:
    """Return what a best way to play returns; None where it is out of reach."""
    try:
        figures = exact_figures(game, name, moments=False, keep=keep)
    except InputError:
        return None
    document = figures.document
    model = document["split_model"]
    return StrategyFigure(
        name=figures.strategy,
        strategy_class=OPTIMAL[name] + ("" if model == "chart" else f", split model {model}"),
        ev=document["ev"],
        rtp_total=figures.rtp("total"),
        rtp_initial=figures.rtp("initial"),
        ev_gain=document["ev"] - exact.document["ev"],
        rtp_total_gain=figures.rtp("total") - exact.rtp("total"),
    )


def readings_table(game: Game, *, keep: bool = True) -> ReadingsTable | None:
    """Return every reading by every chart, or None where there is nothing to compare with."""
    if not (game.readings or game.published or game.quoted):
        return None
    found = cells(game, READ_BY, keep=keep)
    published = game.published_for(MAIN)
    titles = {bet.id: bet.title for bet in game.side_bets}
    return ReadingsTable(
        readings=tuple(reading.id for reading in main_readings(game)),
        declared_base=None if published is None else published.base,
        cells=tuple(_cell(game, cell) for cell in found),
        side_bets=tuple(
            SideBetReading(
                bet=row["bet"],
                title=titles[row["bet"]],
                reading=row["reading"],
                option=row["option"],
                is_default=row["default"],
                rtp=row["rtp"],
                fraction=row["fraction"],
                published=row["published"],
                prints=row["prints"],
            )
            for row in side_bet_readings(game)
        ),
        paytables=tuple(_alternatives(row, titles[row["bet"]]) for row in paytables(game)),
        conclusions=tuple(conclusions(game, found)),
    )


def _cell(game: Game, cell: Cell) -> ReadingCell:
    """Return a cell of the table."""
    defaults = {reading.id: reading.default for reading in game.readings}
    chosen = game.chosen
    total, initial = BASES
    return ReadingCell(
        options=tuple(cell.options.values()),
        is_default=all(option == defaults[name] for name, option in cell.options.items()),
        in_force=all(option == chosen[name] for name, option in cell.options.items()),
        chart=cell.chart,
        strategy=cell.strategy,
        insured=cell.insured,
        rtp_total=cell.rtp(total),
        rtp_initial=cell.rtp(initial),
        marks_total=tuple(cell.marks[total]),
        marks_initial=tuple(cell.marks[initial]),
    )


def _alternatives(row: dict[str, object], title: str) -> PaytableAlternatives:
    """Return the paytables of one bet that give its figure."""
    in_force, tables = row["in_force"], row["tables"]
    assert isinstance(in_force, dict)
    assert isinstance(tables, list)
    return PaytableAlternatives(
        bet=str(row["bet"]),
        title=title,
        published=str(row["published"]),
        outcomes=tuple(in_force),
        in_force=tuple(in_force.values()),
        found=len(tables),
        tables=tuple(
            OtherPaytable(pays=tuple(table[outcome] for outcome in in_force))
            for table in tables[:MOST_PAYTABLES]
        ),
    )
