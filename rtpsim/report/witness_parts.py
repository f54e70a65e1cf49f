"""Parts of a report: randomness and witnesses (13), reproducibility (14), glossary (15)."""

from __future__ import annotations

from rtpsim.report.parts import Part
from rtpsim.report.run_parts import HandsRun, RunTallies


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

    wager: float
    """Mean total wager."""

    net_standard_error: float
    """Of `net`."""

    z: float
    """Of `net` against the exact value."""

    p_value: float
    """Of that z, two-sided."""

    sha256: str
    """Of the run's stored tally."""

    version: str
    """Version of rtpsim that made it."""

    text: str
    """What it shows, in a sentence."""


class TinyShoe(Part):
    """A shoe of a few cards, of which the referee plays every order."""

    cards: str
    """The shoe: ``2 2 3 ... T T``."""

    orders: int
    """Orders of cards that were played."""

    referee_ev: str
    """Expected net by the referee, as a fraction."""

    exact_ev: float
    """The exact engine's."""

    difference: float
    """The exact engine's less the referee's."""


class Witnesses(Part):
    """What says the same independently."""

    referee: RefereeRun | None
    """None where no such run is stored."""

    tiny_shoe: TinyShoe | None
    """None where the game cannot be played from a tiny shoe."""


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
    """What the verdicts are given by (`rtpsim.verification.Limits`)."""


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
