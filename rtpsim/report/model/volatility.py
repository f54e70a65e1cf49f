"""Parts of a report: volatility, the whole round, tolerances and sessions (9)."""

from __future__ import annotations

from rtpsim.report.model.parts import Base, Estimated, Part


class HandsCovariance(Part):
    """How the hands of one round go together, from a run with several."""

    hands: int
    """Hands a round."""

    rounds: int
    """Rounds of the run."""

    round_variance: Estimated
    """Variance of the whole round's net, in squared initial wagers of one hand."""

    covariance: Estimated
    """Between the nets of two hands of a round."""

    correlation: float | None
    """The covariance over the variance of one hand."""


class BetCovariance(Part):
    """How a side bet goes with another wager of the same hand, one unit staked on either."""

    bet: str
    """Id of the side bet."""

    title: str
    """Its name."""

    against: str
    """The other wager: ``main``, or another side bet's id."""

    against_title: str
    """Its name."""

    covariance: float
    """Between the nets of the two."""

    standard_error: float
    """Of the covariance; 0 where it is exact."""

    correlation: float | None
    """The same as a correlation."""

    exact: bool
    """Whether it was computed from exact probabilities."""

    rounds: int
    """Recorded rounds that it was estimated from; 0 if exact."""


class WholeRound(Part):
    """One hand with a stake of one on every side bet: what the round as a whole returns."""

    wager: float
    """Mean amount wagered, in initial wagers."""

    net: float
    """Expected net."""

    rtp: float
    """1 + net / wager."""

    rtp_with_insurance: float | None
    """The main game with its insurance bet: 1 + net / wager of both; None where never insured."""

    variance: float | None
    """Of the whole round's net; None where a part of it is not known."""

    sd: float | None
    """Its square root."""

    variance_exact: bool
    """Whether every part of the variance is exact."""


class ToleranceRow(Part):
    """The range in which a return is expected after so many rounds."""

    rounds: int
    """n."""

    half_width_90: float
    """VI at 90 % / sqrt(n)."""

    half_width_95: float
    """VI at 95 % / sqrt(n)."""

    low_95: float
    """Exact return less `half_width_95`."""

    high_95: float
    """Exact return and `half_width_95`."""


class ToleranceTable(Part):
    """Tolerances of a wager's return: also the table by which an operator watches a live game."""

    wager: str
    """``main`` or the side bet's id."""

    title: str
    """Its name."""

    base: Base
    """Base of the return."""

    rtp: float
    """Exact return."""

    sd: float
    """Standard deviation of one round's return on that base."""

    volatility_index_90: float
    """1.645 sd."""

    volatility_index_95: float
    """1.960 sd."""

    rows: tuple[ToleranceRow, ...]
    """n = 10^3 ... 10^9."""


class Quantile(Part):
    """A quantile of a session's net result."""

    probability: float
    """The chance of a result not above it."""

    net: float
    """In initial wagers."""


class Session(Part):
    """The result of a session of so many rounds of the main game, one hand each."""

    rounds: int
    """How many."""

    mean: float
    """Expected net."""

    sd: float
    """Standard deviation of the net."""

    chance_of_profit: float
    """Probability of a net above 0."""

    chance_of_loss: float
    """Probability of a net below 0."""

    quantiles: tuple[Quantile, ...]
    """1, 5, 25, 50, 75, 95 and 99 %."""

    nets: tuple[float, ...]
    """Points of the net at which `distribution` is given, rising, for the figure."""

    distribution: tuple[float, ...]
    """Probability of a result not above each of `nets`."""


class Ruin(Part):
    """The risk of losing a bankroll within so many rounds, with one initial wager a round."""

    bankroll: int
    """In initial wagers."""

    rounds: int
    """Rounds that are played unless the bankroll is lost before."""

    probability: float
    """Of ever having less than one initial wager left."""


class Volatility(Part):
    """How far results spread."""

    variance: float | None
    """Of a round's net, in squared initial wagers, one hand."""

    sd_initial: float | None
    """Standard deviation of a round's net per initial wager."""

    sd_total: float | None
    """The same per unit wagered: that of (net - (rtp_total - 1) wager) / mean wager."""

    volatility_index_90: float | None
    """1.645 sd_initial."""

    volatility_index_95: float | None
    """1.960 sd_initial."""

    simulated: bool
    """Whether the distribution behind it is simulated, being out of exact reach."""

    hands: tuple[HandsCovariance, ...]
    """Covariance between hands of one round; empty for a game of one hand."""

    bets: tuple[BetCovariance, ...]
    """Covariance between main game and side bets."""

    whole_round: WholeRound
    """All wagers of one hand together."""

    tolerances: tuple[ToleranceTable, ...]
    """Of the main game on both bases and of each side bet."""

    sessions: tuple[Session, ...]
    """Of 100, 1,000 and 10,000 rounds."""

    ruin: tuple[Ruin, ...]
    """The risk of ruin, by bankroll and rounds."""
