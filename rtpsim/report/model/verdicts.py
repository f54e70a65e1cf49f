"""Parts of a report: identification (0) and verdicts (1)."""

from __future__ import annotations

from rtpsim.report.model.parts import Base, Estimated, Part, Stoppable


class Setting(Part):
    """Which option of a reading is in force."""

    reading: str
    """Id of the reading."""

    option: str
    """The option in force; ``other`` where the rules are none of its options."""

    is_default: bool
    """Whether it is the default."""


class Identification(Stoppable):
    """What was tested, by what, when."""

    game: str
    """The game's id."""

    title: str
    """The game's name."""

    rule_string: str
    """The rules in force, in one line."""

    settings: tuple[Setting, ...]
    """The options in force of the game's readings."""

    chart: str
    """The chart's name."""

    game_file_sha256: str
    """Of the embedded game as a whole: rules, bets, readings, figures in print, notes."""

    game_sha256: str
    """Of what results depend on: rules, offers, side bets (`rtpsim.games.Game.sha256`)."""

    chart_sha256: str
    """Of the chart's header and rows (`rtpsim.strategy.Chart.sha256`)."""

    rtpsim_version: str
    """Version of the program."""

    made: str
    """When the report was made: date and time in UTC, ISO 8601 (``2026-11-30T09:15:00Z``)."""

    seed: int
    """Seed of the deciding run."""

    rounds: int
    """Rounds of the deciding run."""

    hands: int
    """Hands a round."""

    scope: str
    """What the report is, and is not, in a sentence or two."""


class PublishedRange(Part):
    """A figure in print, as a number, with the ratios that print as it."""

    figure: str
    """The percentage, exactly as printed: ``99.63``."""

    value: float
    """The same as a ratio."""

    low: float
    """From this ratio up (inclusive) a return prints as the figure."""

    high: float
    """Up to this ratio (exclusive)."""

    rounding: str
    """``nearest`` or ``down``."""

    source: str
    """Where it is printed."""


class OtherBaseFigure(Part):
    """A return on another base than the declared one; it has no verdict."""

    base: Base
    """What it is a return on."""

    exact: float
    """Exact return."""

    simulated: Estimated
    """Return of the run."""


class WagerJudged(Part):
    """A wager with its two verdicts: what the first screen shows of it."""

    wager: str
    """``main`` or the side bet's id."""

    title: str
    """Name for people."""

    base: Base
    """What the returns of this row are a return on."""

    published: PublishedRange | None
    """The figure in print; None where nothing is printed."""

    exact: float
    """Exact return on `base`."""

    exact_fraction: str | None
    """The same as a fraction (``401/415``), where it is known as one."""

    simulated: Estimated
    """Return of the run on `base`, with the interval that the verdict goes by."""

    others: tuple[OtherBaseFigure, ...]
    """Returns on other bases, without a verdict."""

    published_verdict: str
    """REPRODUCED, REPRODUCED UNDER A READING, NOT REPRODUCED or NOT PUBLISHED."""

    published_reason: str
    """Why."""

    simulated_verdict: str
    """PASS, INCONCLUSIVE or FAIL."""

    simulated_reason: str
    """Why."""

    tolerance: float
    """Largest half-width of the 99 % interval that can pass, as a ratio (0.0001)."""


class RunJudged(Part):
    """A run with the verdicts that it gave."""

    seed: int
    """Its seed."""

    rounds: int
    """Its rounds."""

    hands: int
    """Hands a round."""

    decides: bool
    """Whether it is the one that decides."""

    simulated_verdicts: tuple[str, ...]
    """Simulated verdict of each wager, in the order of `Report.wagers`."""

    estimates: tuple[Estimated, ...]
    """Return of each wager on its base, in the same order."""

    failed_tests: tuple[str, ...]
    """Names of the tests that failed."""
