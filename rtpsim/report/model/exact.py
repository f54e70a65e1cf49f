"""Parts of a report: exact results (4), extremes (10), contributions (11), rule effects (12)."""

from __future__ import annotations

from rtpsim.report.model.parts import Estimated, Part


class UpCard(Part):
    """Exact figures of the main game given an up card."""

    up: str
    """``A``, ``2`` ... ``9``, ``T``."""

    probability: float
    """Of this up card."""

    ev: float
    """Expected net of a round with it, in initial wagers."""

    mean_wager: float
    """Expected total wager of a round with it."""


class Outcome(Part):
    """A result of a round of the main game."""

    net: int
    """Whole number of 1 / `ExactMain.unit` initial wagers."""

    wager: int
    """Total wager, in the same unit."""

    probability: float
    """Exact, or simulated where `ExactMain.simulated_rounds` says so."""


class ExactMain(Part):
    """Exact figures of the main game, one hand a round.

    `ev`, `mean_wager` and the returns include the insurance bet where `includes_insurance` is
    true, and only there; variance and distribution never do.
    """

    note: str
    """What is exact, and under which split model."""

    split_model: str
    """``chart``, ``CDP`` or ``CDZ-``."""

    unit: int
    """`Outcome.net` and `Outcome.wager` are whole numbers of 1 / unit initial wagers."""

    ev: float
    """Expected net of a round, in initial wagers."""

    mean_wager: float
    """Expected total wager of a round, in initial wagers."""

    rtp_initial: float
    """Return on the initial wager: 1 + ev."""

    rtp_total: float
    """Return on the total amount wagered: 1 + ev / mean_wager."""

    house_edge: float
    """1 - rtp_initial."""

    element_of_risk: float
    """1 - rtp_total."""

    includes_insurance: bool
    """Whether the figures above include the insurance bet."""

    insurance_ev: float
    """Expected net of the insurance bet, per initial wager; 0 where the chart never takes it."""

    insurance_wager: float
    """Expected insurance wager, per initial wager."""

    variance: float | None
    """Of a round's net, in squared initial wagers."""

    sd: float | None
    """Standard deviation of a round's net, in initial wagers."""

    third_central_moment: float | None
    """Of a round's net."""

    fourth_central_moment: float | None
    """Of a round's net."""

    hit_frequency: float | None
    """Probability of a net above 0."""

    by_up_card: tuple[UpCard, ...]
    """Given each up card, the ace first."""

    outcomes: tuple[Outcome, ...]
    """The distribution of a round's result; empty where it is not known."""

    simulated_figures: tuple[str, ...]
    """Fields above that are out of exact reach and taken from a simulation instead; `outcomes`,
    `third_central_moment`, `fourth_central_moment`, `hit_frequency` or none."""

    simulated_rounds: int | None
    """Rounds of that simulation."""


class SideBetOutcome(Part):
    """A winning outcome of a side bet."""

    outcome: str
    """Its name: ``straight-flush``."""

    pays: int
    """Profit per unit staked ("to one")."""

    combinations: int
    """Combinations of cards that make it, out of `SideBetTable.combinations`."""

    probability: float
    """Of one stake."""

    fraction: str
    """The same as a fraction."""

    one_in: float | None
    """N of the odds ``1 in N``; None if it never happens."""

    contribution: float
    """To the return: probability (pays + 1)."""

    observed: int
    """Stakes of the deciding run that won it."""

    frequency: float
    """The same per stake."""


class SideBetTable(Part):
    """A side bet: its paytable, exact chances, and what the deciding run saw of it."""

    bet: str
    """Its id."""

    title: str
    """Its name."""

    kind: str
    """``three-card`` or ``pair``."""

    cards: tuple[str, ...]
    """The cards it looks at, in words."""

    ace_in_straights: str | None
    """``high-low``, ``high`` or ``low``; None for a bet without straights."""

    per_round: bool
    """Whether all hands of a round share one result."""

    inferred: bool
    """The paytable is not in the published rules, but inferred from the published figure."""

    combinations: int
    """All combinations of cards."""

    outcomes: tuple[SideBetOutcome, ...]
    """The most special first."""

    rtp: float
    """Exact return on the stake: the sum of the contributions."""

    rtp_fraction: str
    """The same as a fraction."""

    house_edge: float
    """1 - rtp."""

    variance: float
    """Of what one stake of one returns."""

    sd: float
    """Its square root."""

    hit_frequency: float
    """Probability of any win."""

    simulated: Estimated
    """Return of the deciding run on the stake, with the standard error of the run's own spread."""


class Extreme(Part):
    """The largest win or loss of a round, derived from the rules and the chart, not observed."""

    what: str
    """``largest win`` or ``largest loss``."""

    side_bets: bool
    """Whether one unit on every side bet is counted too."""

    hands: int
    """Hands a round that it is derived for."""

    net: float
    """In initial wagers of one hand."""

    probability: float | None
    """Of exactly this net in a round; None where it is out of exact reach."""

    one_in: float | None
    """N of the odds ``1 in N``."""

    cards: str
    """A round in which it happens, as ``rtpsim trace --cards`` takes it; empty where the shoe
    holds no such round, and `net` is a bound that is not reached."""


class RoundingEffect(Part):
    """What rounding one kind of payment down to whole coins does to the return."""

    what: str
    """``natural``, ``surrender`` or ``insurance``."""

    stake_coins: int
    """The initial wager, in coins."""

    lost_coins: float
    """By how much each payment (for insurance: the wager on it) falls short, in coins."""

    probability: float
    """How often it happens in a round."""

    rtp_initial_change: float
    """Change of the return on the initial wager."""

    exact: bool
    """Whether the probability is exact, and not from a simulated distribution."""


class Extremes(Part):
    """The largest win and loss of a round, and rounding to a coin."""

    rows: tuple[Extreme, ...]
    """Of one hand, of as many hands as the game allows, and of one hand with all side bets."""

    rounding: tuple[RoundingEffect, ...]
    """Effects of rounding; empty where every payment is whole."""


class Contribution(Part):
    """What one way for a hand to go contributes to the result."""

    source: str
    """``natural``, ``double``, ``split``, ``surrender`` ..., ``insurance``, or an up card."""

    probability: float
    """Of such a round."""

    ev: float
    """Contribution to the expected net of a round, in initial wagers; they add up to `total_ev`."""

    wager: float
    """Contribution to the mean total wager."""


class CrossContribution(Part):
    """What one way for a hand to go against one up card contributes."""

    up: str
    """The up card."""

    source: str
    """As in `Contributions.by_route`."""

    probability: float
    """Of such a round."""

    ev: float
    """Contribution to the expected net of a round, in initial wagers."""

    wager: float
    """Contribution to the mean total wager."""


class Contributions(Part):
    """Where the return of the main game comes from, exactly, one hand a round."""

    by_route: tuple[Contribution, ...]
    """By how the hand went; a doubled hand counts as ``double`` even if it is bust."""

    by_up_card: tuple[Contribution, ...]
    """By up card, the ace first."""

    by_both: tuple[CrossContribution, ...]
    """By up card and how the hand went."""

    insurance: Contribution
    """What insurance contributes; no part of the tables above."""

    total_ev: float
    """Expected net of a round without insurance: the sum of each table."""

    total_wager: float
    """Mean total wager without insurance."""


class RuleEffect(Part):
    """A single rule change and what it is worth."""

    change: str
    """In words: ``dealer hits soft 17``."""

    field: str
    """The field of the rules that is changed."""

    setting: str
    """The change as the command line writes it: ``soft17=hit``."""

    rule_string: str
    """The rules after the change."""

    house_edge: float
    """Exact house edge after the change, played by `RuleEffects.strategy`."""

    house_edge_change_bp: float
    """Change of the house edge in basis points (0.01 %); above 0 favours the house."""


class RuleEffects(Part):
    """What single rule changes are worth, exactly, by play that is adapted to each."""

    strategy: str
    """How the game is played before and after the change: ``optimal-cd (CDP)``."""

    house_edge: float
    """Of the game as it is, by that strategy."""

    rows: tuple[RuleEffect, ...]
    """The largest effect first."""

    left_out: int
    """Changes that contradict the game's other rules and were left out."""
