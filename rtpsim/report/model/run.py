"""Parts of a report: design (6), simulated figures (7), frequencies (8), tallies (14)."""

from __future__ import annotations

from rtpsim.report.model.parts import Base, Estimated, Part, Stoppable


class WagerPlan(Part):
    """How many rounds a wager needs."""

    wager: str
    """``main`` or the side bet's id."""

    title: str
    """Its name."""

    base: Base
    """Base of the return."""

    tolerance: float
    """Largest half-width of the 99 % interval that can pass."""

    sd_per_round: float | None
    """Standard deviation of one round's return on `base`, that the plan goes by."""

    planned_half_width_99: float | None
    """Half-width that the rounds played were expected to give."""

    rounds_needed: int | None
    """Rounds after which the half-width is at most the tolerance; None where `sd_per_round` is."""


class SimulationDesign(Part):
    """How the simulation was planned."""

    generator: str
    """The random generator, with its source."""

    streams: str
    """How rounds are given their random numbers."""

    stream_version: str
    """Version of the stream layout."""

    chunk_rounds: int
    """Rounds in a chunk, each with a stream of its own."""

    chunks: int
    """Chunks of the deciding run."""

    shuffling: str
    """How often the cards are shuffled."""

    rounds: int
    """Rounds of the deciding run."""

    rounds_rule: str
    """What the rounds follow from; empty for a number that was given beforehand."""

    hands: int
    """Hands a round."""

    family_level: float
    """Chance that the family of tests fails although everything is right."""

    wagers: tuple[WagerPlan, ...]
    """The plan for each wager."""


class FamilyMember(Part):
    """A test of the run against exact values, with its place in the family."""

    name: str
    """What was tested."""

    wager: str | None
    """The wager that it is about; None for the deal, which all wagers share."""

    statistic: float | None
    """z, or chi-squared where `df` is given; None where the run is too short."""

    df: int | None
    """Degrees of freedom of chi-squared."""

    p_value: float | None
    """Of the test by itself."""

    p_adjusted: float | None
    """By Holm's method over the family."""

    failed: bool
    """Whether the adjusted value is at most the family's level."""


class MainEstimates(Part):
    """The main game's figures of the deciding run, without insurance and side bets."""

    rtp_total: Estimated
    """Return on the total amount wagered."""

    rtp_initial: Estimated
    """Return on the initial wagers."""

    house_edge: Estimated
    """1 - rtp_initial."""

    element_of_risk: Estimated
    """1 - rtp_total."""

    ev: Estimated
    """Expected net of a round."""

    mean_wager: Estimated
    """Expected total wager of a round."""

    variance: Estimated
    """Of a round's net."""

    sd: Estimated
    """Of a round's net."""

    hit_frequency: Estimated
    """Probability of a net above 0."""

    rounds_insured: int
    """Rounds in which insurance was taken."""

    insurance_rtp: Estimated | None
    """Return of insurance on what was insured; None where it was never taken."""

    tests: tuple[FamilyMember, ...]
    """The family of tests: of the deal, the main game and the side bets."""


class ConvergencePoint(Part):
    """The estimate after so many rounds."""

    rounds: int
    """Rounds from the first block on."""

    value: float
    """Return estimated from them."""

    half_width_99: float | None
    """Half-width of its 99 % interval."""


class Convergence(Part):
    """The estimate of a wager's return as rounds add up, block by block."""

    wager: str
    """``main`` or the side bet's id."""

    title: str
    """Its name."""

    base: Base
    """Base of the return."""

    exact: float
    """Exact return on `base`."""

    points: tuple[ConvergencePoint, ...]
    """Rising numbers of rounds, the whole run last."""


class FrequencyCell(Part):
    """One cell of a table of frequencies."""

    cell: str
    """What happened."""

    probability: float
    """Its exact probability."""

    expected: float
    """How often that is expected in the run."""

    observed: int
    """How often it came up."""

    residual: float | None
    """Standardised: (observed - expected) / sqrt(n p (1 - p)); None where nothing is expected, or
    observations are not independent."""


class FrequencyTable(Part):
    """How often what happened in the deciding run, against exact chances."""

    name: str
    """The same as the name of its test in the family, where it has one."""

    title: str
    """For people."""

    wager: str | None
    """The wager that it is about; None for the deal."""

    observations: int
    """How many were classified."""

    cells: tuple[FrequencyCell, ...]
    """All cells; small ones are pooled for the test only."""

    test: FamilyMember | None
    """Its chi-squared test; None where there is none."""


class LabelCounts(Part):
    """How the first hands of a run ended: thousands of counts, in little room."""

    kinds: tuple[tuple[str, str, bool, int, int], ...]
    """How a hand can go: route, dealer's final, whether insured, net and wager in 1 / unit initial
    wagers."""

    player_finals: tuple[str, ...]
    """The player's finals."""

    groups: tuple[tuple[int, int, tuple[int, ...], tuple[int, ...]], ...]
    """Up card as value class (0 the ace), place in `kinds`, places in `player_finals`, and as many
    numbers of rounds."""


class BetCells(Part):
    """What the columns of a side bet's counts stand for."""

    bet: str
    """Its id."""

    outcomes: tuple[tuple[str, ...], ...]
    """Winning outcomes of a round, one entry per winning hand (empty: all lost)."""


class BlockCounts(Part):
    """What a block of neighbouring chunks counted."""

    first_chunk: int
    """Number of its first chunk."""

    chunks: int
    """How many chunks it has."""

    rounds: int
    """How many rounds."""

    outcomes: tuple[int, ...]
    """Rounds by `RunTallies.outcome_cells`."""

    insurance: tuple[int, ...]
    """Rounds by `RunTallies.insurance_cells`."""

    side_bets: tuple[tuple[int, ...], ...]
    """For each of `RunTallies.bet_cells`, rounds by its outcomes."""

    counts_sha256: str
    """SHA-256 of the block's complete counts (`rtpsim.runs.blocks`)."""


class RunTallies(Stoppable):
    """All that a run counted: in full for the run as a whole, in short for each block."""

    seed: int
    """Its seed."""

    rounds: int
    """Its rounds."""

    hands: int
    """Hands a round."""

    unit: int
    """Net and wager are whole numbers of 1 / unit initial wagers."""

    stream_version: str
    """Version of the stream layout."""

    outcome_cells: tuple[tuple[int, int], ...]
    """(net, wager) of a round of the main game, without insurance."""

    insurance_cells: tuple[tuple[int, int], ...]
    """(net, wager) of a round's insurance."""

    bet_cells: tuple[BetCells, ...]
    """The side bets played."""

    blocks: tuple[BlockCounts, ...]
    """Contiguous, in order, up to 256."""

    initial: tuple[int, ...]
    """Rounds of the whole run by value class of the first hand's two cards, up card and dealer's
    second card; 10 x 10 x 10 x 10, flat."""

    labels: LabelCounts
    """How the first hands of the whole run ended."""


class HandsRun(Part):
    """A run of several hands a round, for the covariance between them."""

    seed: int
    """Its seed."""

    rounds: int
    """Its rounds."""

    hands: int
    """Hands a round."""

    outcomes: tuple[tuple[int, int, int], ...]
    """(net, wager, rounds) of whole rounds, in 1 / unit initial wagers."""
