"""The report: one model of all that a certificate says, of which every rendering is a view.

A figure that appears in several places of a rendering is one field here. Sections are numbered as
in the rendered report.
"""

from __future__ import annotations

from rtpsim.report.model.exact import (
    Contribution,
    Contributions,
    CrossContribution,
    ExactMain,
    Extreme,
    Extremes,
    Outcome,
    RoundingEffect,
    RuleEffect,
    RuleEffects,
    SideBetOutcome,
    SideBetTable,
    UpCard,
)
from rtpsim.report.model.game import (
    ChartRow,
    Citation,
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
from rtpsim.report.model.parts import Base, Estimated, Part
from rtpsim.report.model.run import (
    BetCells,
    BlockCounts,
    Convergence,
    ConvergencePoint,
    FamilyMember,
    FrequencyCell,
    FrequencyTable,
    HandsRun,
    LabelCounts,
    MainEstimates,
    RunTallies,
    SimulationDesign,
    WagerPlan,
)
from rtpsim.report.model.verdicts import (
    Identification,
    OtherBaseFigure,
    PublishedRange,
    RunJudged,
    Setting,
    WagerJudged,
)
from rtpsim.report.model.volatility import (
    BetCovariance,
    HandsCovariance,
    Quantile,
    Ruin,
    Session,
    ToleranceRow,
    ToleranceTable,
    Volatility,
    WholeRound,
)
from rtpsim.report.model.witnesses import (
    GlossaryEntry,
    Inputs,
    Randomness,
    RandomnessTest,
    RefereeRun,
    Reproducibility,
    TinyShoe,
    Version,
    Witnesses,
)

SCHEMA = "rtpsim.report/1"
"""Name and version of the JSON document."""


class Report(Part):
    """A certificate of one game by one chart."""

    schema_version: str
    """`SCHEMA`."""

    sha256: str
    """SHA-256 of the canonical form of everything else (`rtpsim.report.canonical`)."""

    identification: Identification
    """0. What was tested, by what, when."""

    wagers: tuple[WagerJudged, ...]
    """1. One row for each wager, the main game first, as the deciding run has it."""

    runs: tuple[RunJudged, ...]
    """1. Every run, in order: two where the first one failed; the last decides."""

    exit_status: int
    """1. Of ``rtpsim verify``: 1 for any FAIL or NOT REPRODUCED, else 3 for any INCONCLUSIVE,
    else 0."""

    game: GameUnderTest
    """2. The rules in words, readings, round flow."""

    strategy: StrategyAssumed
    """3. The chart, and what it costs against the best play."""

    exact: ExactMain
    """4. Exact figures of the main game."""

    side_bets: tuple[SideBetTable, ...]
    """2, 4 and 8. Side bets: paytables, exact chances, and how often each outcome came up."""

    readings: ReadingsTable | None
    """5. Every reading by every chart; None for a game without readings and printed figures."""

    design: SimulationDesign
    """6. How the simulation was planned."""

    simulated: MainEstimates
    """7. The main game's figures of the deciding run."""

    convergence: tuple[Convergence, ...]
    """7. The estimate of each wager as rounds add up."""

    frequencies: tuple[FrequencyTable, ...]
    """8. How often what happened, against exact chances."""

    volatility: Volatility
    """9. How far results spread."""

    extremes: Extremes
    """10. The largest win and loss, and the effect of rounding to a coin."""

    contributions: Contributions
    """11. Where the return comes from."""

    effects: RuleEffects
    """12. What single rule changes are worth."""

    randomness: Randomness
    """13. Tests of the deal stream, in a pass of their own."""

    witnesses: Witnesses
    """13. The run dealt by the referee, and the enumeration of tiny shoes."""

    reproducibility: Reproducibility
    """14. Command, versions, inputs, tallies."""

    glossary: tuple[GlossaryEntry, ...]
    """15. Every figure with its formula and the source of it."""

    @property
    def main(self) -> WagerJudged:
        """The main game's row."""
        return self.wagers[0]


__all__ = [
    "SCHEMA",
    "Base",
    "BetCells",
    "BetCovariance",
    "BlockCounts",
    "ChartRow",
    "Citation",
    "Contribution",
    "Contributions",
    "Convergence",
    "ConvergencePoint",
    "CrossContribution",
    "Estimated",
    "ExactMain",
    "Extreme",
    "Extremes",
    "FamilyMember",
    "FrequencyCell",
    "FrequencyTable",
    "GameUnderTest",
    "GlossaryEntry",
    "HandsCovariance",
    "HandsRun",
    "Identification",
    "Inputs",
    "LabelCounts",
    "Letter",
    "MainEstimates",
    "OpenPoint",
    "OpenPointOption",
    "OtherBaseFigure",
    "OtherPaytable",
    "Outcome",
    "Part",
    "PaytableAlternatives",
    "PublishedRange",
    "Quantile",
    "Randomness",
    "RandomnessTest",
    "ReadingCell",
    "ReadingsTable",
    "RefereeRun",
    "Report",
    "Reproducibility",
    "RoundingEffect",
    "Ruin",
    "RuleEffect",
    "RuleEffects",
    "RunJudged",
    "RunTallies",
    "Session",
    "Setting",
    "SideBetOutcome",
    "SideBetReading",
    "SideBetTable",
    "SimulationDesign",
    "StrategyAssumed",
    "StrategyFigure",
    "TinyShoe",
    "ToleranceRow",
    "ToleranceTable",
    "UpCard",
    "Version",
    "Volatility",
    "WagerJudged",
    "WagerPlan",
    "WholeRound",
    "Witnesses",
]
