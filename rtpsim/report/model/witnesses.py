"""Parts of a report: randomness and witnesses (13), reproducibility (14), glossary (15)."""

from __future__ import annotations

from rtpsim.report.model.parts import Part
from rtpsim.report.model.run import FamilyMember, HandsRun, RunTallies


class RandomnessTest(Part):
    """A test of the deal stream."""

    name: str
    """What was tested."""

    statistic: float | None
    """Chi-squared with `df`, or z."""

    df: int | None
    """Degrees of freedom."""

    p_value: float | None
    """Of the test by itself."""

    p_adjusted: float | None
    """By Holm's method over these tests."""

    failed: bool
    """Whether the adjusted value is at most `Randomness.level`."""


class Randomness(Part):
    """Tests of the cards as they are dealt, in a pass of their own over the deal stream."""

    seed: int
    """Its seed: that of the deciding run."""

    first_chunk: int
    """Number of the first chunk that was dealt: one that no run reaches."""

    rounds: int
    """Deals tested."""

    cards: int
    """Cards of each deal that were looked at."""

    recorded: int
    """Rounds of which the cards as played were tested, those drawn after the deal among them."""

    level: float
    """Chance that any test fails although everything is right: they are judged together."""

    tests: tuple[RandomnessTest, ...]
    """Positions in the shoe, cards, ranks, suits, correlations within and between deals ..."""


class RefereeRun(Part):
    """A run dealt by the referee: an engine that shares no code with compiler and kernel."""

    rounds: int
    """How many."""

    seed: int
    """Its seed."""

    hands: int
    """Hands a round."""

    net: float
    """Mean net of the main game, in initial wagers."""

    net_standard_error: float
    """Of `net`."""

    wager: float
    """Mean total wager."""

    tests: tuple[FamilyMember, ...]
    """Of main game and side bets against exact values, judged together (Holm)."""

    sha256: str
    """Of the stored document."""

    referee_sha256: str
    """Of the referee's text that played it: the same as that of this program."""

    version: str
    """Version of rtpsim that made it."""


class TinyShoe(Part):
    """A shoe of a few cards, of which the referee played every sequence."""

    cards: str
    """Ranks, and how many cards of each: ``5x8 6x6 Tx9``."""

    outcomes: int
    """How many different results of a round there are."""

    referee_net: str
    """Expected net of the main game by the referee, in initial wagers: an exact fraction."""

    referee_wager: str
    """Expected total wager by the referee: an exact fraction."""

    exact_net: float
    """Expected net by the exact engine."""

    exact_wager: float
    """Expected total wager by the exact engine."""

    difference: float
    """The larger difference of net and of wager."""


class Witnesses(Part):
    """What says the same independently of compiler, kernel and exact engine."""

    text: str
    """Which run of the referee is quoted, or why none is."""

    referee: RefereeRun | None
    """None where no such run is stored for this game and chart."""

    tiny_shoes: tuple[TinyShoe, ...]
    """Enumerated with that run."""


class Version(Part):
    """The version of something that the report was made with."""

    name: str
    """``python``, ``numpy`` ..."""

    version: str
    """Its version."""


class Inputs(Part):
    """All that a report is made from: what `rtpsim audit` starts with."""

    game_json: str
    """The game as JSON text, as `rtpsim.games.Game` reads it; the rules as a rule string."""

    chart_name: str
    """The chart's name."""

    chart_csv: str
    """The chart as a chart file."""

    own_chart_name: str
    """Name of the game's own chart, by which a published figure is judged."""

    own_chart_csv: str
    """The game's own chart as a chart file."""

    limits: dict[str, float]
    """What the verdicts are given by (`rtpsim.verification.judging.Limits`)."""


class Reproducibility(Part):
    """How to get the same again."""

    command: str
    """The exact command."""

    audit: str
    """The command that checks this report."""

    machine: str
    """What it ran on."""

    versions: tuple[Version, ...]
    """Of what it was made with."""

    code_sha256: str
    """Of the program's own text."""

    started: str
    """When the deciding run began: UTC, ISO 8601."""

    duration_s: float | None
    """How long it took, in seconds."""

    workers: int | None
    """Threads."""

    inputs: Inputs
    """Game, chart and limits."""

    tallies: tuple[RunTallies, ...]
    """What each of `Report.runs` counted."""

    hands_run: HandsRun | None
    """The run of several hands behind `Volatility.hands`."""

    float_tolerance: float
    """Relative difference up to which a recomputed figure counts as equal; counts must be equal."""


class GlossaryEntry(Part):
    """A figure of the report, explained."""

    term: str
    """Its name in the report."""

    meaning: str
    """In a sentence."""

    formula: str
    """Its formula, in plain text; empty where it has none."""

    unit: str
    """``ratio``, ``initial wagers`` ..."""

    source: str
    """Where the formula is from; empty for plain arithmetic."""
