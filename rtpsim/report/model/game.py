"""Parts of a report: game under test (2), strategy assumed (3), readings table (5)."""

from __future__ import annotations

from rtpsim.report.model.parts import Base, Part


class OpenPointOption(Part):
    """One way to read an open point."""

    option: str
    """Its name."""

    is_default: bool
    """Whether it is the default."""

    in_force: bool
    """Whether this report is about it."""


class OpenPoint(Part):
    """A point that the rules text leaves open (a reading)."""

    reading: str
    """Its id."""

    title: str
    """The point, for people."""

    reason: str
    """Why the default is the default, with the place in the text."""

    options: tuple[OpenPointOption, ...]
    """The ways to read it."""


class GameUnderTest(Part):
    """The game: rules in words and as a string, open points, round flow.

    Paytables are those of `Report.side_bets`.
    """

    rule_lines: tuple[str, ...]
    """One sentence for each rule, in the order of the rule string."""

    round_flow: tuple[str, ...]
    """The course of a round, step by step, as it is played here."""

    max_hands: int
    """How many hands a round may be played against one dealer."""

    insurance: bool
    """Whether insurance is offered."""

    even_money: bool
    """Whether even money is offered."""

    open_points: tuple[OpenPoint, ...]
    """What the rules text leaves open, and how it is read here."""

    source: str | None
    """Where the rules come from; None for rules given as a rule string."""

    notes: str
    """What else there is to know."""


class ChartRow(Part):
    """A row of the chart."""

    hand: str
    """Label: ``hard 16``, ``soft 18``, ``pair 8``, ``T,2``, ``insurance`` ..."""

    kind: str
    """What it decides: ``hard``, ``soft``, ``pair``, ``two-card``, ``insurance``, ``power split``,
    ``power double`` or ``replace``."""

    cells: tuple[str, ...]
    """The letter for each up card, in the order of `StrategyAssumed.columns`."""


class Letter(Part):
    """What a letter of the chart means."""

    letter: str
    """As in the chart: ``Dh``."""

    meaning: str
    """In words: ``double, else hit``."""


class StrategyFigure(Part):
    """What another way to play the same game returns, exactly."""

    name: str
    """``optimal-cd (CDP)`` ..."""

    strategy_class: str
    """In words, with its split model."""

    ev: float
    """Expected net of a round, in initial wagers."""

    rtp_total: float
    """Return on the total amount wagered."""

    rtp_initial: float
    """Return on the initial wager."""

    ev_gain: float
    """`ev` less that of the chart assumed: what the chart costs against it, in initial wagers."""

    rtp_total_gain: float
    """The same of `rtp_total`."""


class Citation(Part):
    """What a regulation asks for, and where to read it."""

    reference: str
    """The section: ``N.J.A.C. 13:69E-1.28A(g)``."""

    says: str
    """What it says, in this project's words."""

    address: str
    """Where it was read, as text."""

    read_on: str
    """Date on which it was read (``2026-11-30``)."""


class StrategyAssumed(Part):
    """How the player is taken to play."""

    name: str
    """The chart's name."""

    strategy_class: str
    """In words: ``total-dependent chart``, with what it distinguishes beyond totals."""

    provenance: tuple[str, ...]
    """The chart file's own lines on where it comes from."""

    columns: tuple[str, ...]
    """Up cards, in the order of the cells: ``2`` ... ``T``, ``A``."""

    rows: tuple[ChartRow, ...]
    """The whole chart."""

    legend: tuple[Letter, ...]
    """The letters that the chart uses."""

    takes_insurance: bool
    """Whether insurance is taken with any hand."""

    alternatives: tuple[StrategyFigure, ...]
    """The best play of several classes: what this chart costs against each."""

    citations: tuple[Citation, ...]
    """What regulations ask of the strategy behind a return."""


class ReadingCell(Part):
    """The main game under one reading by one chart."""

    options: tuple[str, ...]
    """The option of each of `ReadingsTable.readings`, in that order."""

    is_default: bool
    """Whether all of them are the defaults."""

    in_force: bool
    """Whether all of them are those of this report."""

    chart: str
    """``default``, ``optimal-td`` or ``optimal-cd``."""

    strategy: str
    """Name of the strategy."""

    insured: bool
    """Whether the returns include the insurance bet."""

    rtp_total: float
    """Return on the total amount wagered."""

    rtp_initial: float
    """Return on the initial wager."""

    marks_total: tuple[str, ...]
    """Figures, published or quoted, that `rtp_total` prints as: ``published 99.63``."""

    marks_initial: tuple[str, ...]
    """The same of `rtp_initial`."""


class SideBetReading(Part):
    """A side bet under one option of a reading that bears on it."""

    bet: str
    """Id of the side bet."""

    title: str
    """Its name."""

    reading: str
    """Id of the reading."""

    option: str
    """The option."""

    is_default: bool
    """Whether it is the default."""

    rtp: float
    """Exact return on the stake."""

    fraction: str
    """The same as a fraction."""

    published: str | None
    """The figure in print, in percent."""

    prints: bool
    """Whether the return prints as the figure."""


class OtherPaytable(Part):
    """A whole-number paytable that gives the figure in print."""

    pays: tuple[int, ...]
    """What each of `PaytableAlternatives.outcomes` pays "to one"."""


class PaytableAlternatives(Part):
    """Paytables that give the published figure of a bet whose own paytable is not printed."""

    bet: str
    """Id of the side bet."""

    title: str
    """Its name."""

    published: str
    """The figure in print, in percent."""

    outcomes: tuple[str, ...]
    """Winning outcomes, the most special first."""

    in_force: tuple[int, ...]
    """What they pay here."""

    found: int
    """How many tables were found in all."""

    tables: tuple[OtherPaytable, ...]
    """The nearest to the one in force, it included, the nearest first."""


class ReadingsTable(Part):
    """Every reading of the main game by every chart, and what follows from it."""

    readings: tuple[str, ...]
    """Ids of the readings that bear on the main game."""

    declared_base: Base | None
    """The base that the game's file declares for the published figure; None: nothing published."""

    cells: tuple[ReadingCell, ...]
    """The default readings first."""

    side_bets: tuple[SideBetReading, ...]
    """Side bets under the readings that bear on them."""

    paytables: tuple[PaytableAlternatives, ...]
    """Other paytables that give the figures in print."""

    conclusions: tuple[str, ...]
    """What the published figure is consistent with, and what not, in plain sentences."""
