"""Covariances: of the hands of a round, of the main game and side bets, of side bets."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from rtpsim.cards import CARDS_IN_DECK, TEN_CLASS, VALUE_CLASSES, Shoe
from rtpsim.errors import InputError
from rtpsim.games import MAIN
from rtpsim.sidebets import ROLES, deal_ways, exact_rtp, outcome_table
from rtpsim.statistics import (
    Estimate,
    covariance_estimate,
    main_figures,
    stake_variance,
    variance_estimate,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rtpsim.exact.figures import ExactFigures
    from rtpsim.games import Game
    from rtpsim.results import TallyLike
    from rtpsim.sidebets import SideBet
    from rtpsim.strategy import Chart

SEEN: tuple[str, ...] = ("player1", "player2", "up")
"""The cards given which the main game's mean is known for every deal."""

_CLASSES = len(VALUE_CLASSES)
_VALUE_CLASS = np.minimum(np.arange(CARDS_IN_DECK) // 4, TEN_CLASS)
_RECORDS = 16
_SEED = 30_000_001
"""Recorded chunks, and the seed of the first, behind a covariance that is not exact."""


@dataclass(frozen=True)
class HandsCovariance:
    """How the hands of one round go together, from a run with several.

    Attributes
    ----------
    hands, rounds
        Hands a round, and rounds of the run.
    hand_variance
        Variance of one hand's net, in squared initial wagers: exact (standard error 0) where it
        is known, else of the run's first hands.
    round_variance
        Variance of the whole round's net.
    covariance
        Between the nets of two hands of a round, on the average over the pairs of hands:
        ``(round_variance - K hand_variance) / (K (K - 1))`` with K hands.
    correlation
        ``covariance / hand_variance``.
    """

    hands: int
    rounds: int
    hand_variance: Estimate
    round_variance: Estimate
    covariance: Estimate
    correlation: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; each estimate as its value and standard error."""
        return asdict(self)


def hands_covariance(tally: TallyLike, variance: float | None) -> HandsCovariance:
    """Return how the hands of one round go together.

    Follows from ``Var(round of K) = K var + K (K - 1) cov``, the variance of a sum of K equally
    distributed results. Where the variance of a hand is estimated too, its error is added to that
    of the round as if both pulled the same way, which can only make the standard error too large.

    Parameters
    ----------
    tally
        A run with at least two hands a round.
    variance
        Exact variance of one hand's net; None to take that of the run's first hands.

    Raises
    ------
    InputError
        If the run has one hand a round, or does not hold what is needed.
    """
    hands = tally.hands
    if hands < 2:
        raise InputError("covariance between hands: needs a run with two hands a round or more")
    whole = main_figures(tally.outcomes, tally.unit, hands).variance
    if variance is not None:
        single = Estimate(variance, 0.0)
    elif tally.labels is None:
        raise InputError("covariance between hands: this result does not say how its rounds went")
    else:
        nets: Counter[int] = Counter()
        for label, count in tally.labels.items():
            nets[label.net] += count
        single = variance_estimate(nets, tally.unit)
    pairs = hands * (hands - 1)
    error = (whole.standard_error + hands * single.standard_error) / pairs
    covariance = Estimate((whole.value - hands * single.value) / pairs, error)
    correlation = covariance.value / single.value if single.value > 0 else math.nan
    return HandsCovariance(hands, int(tally.rounds), single, whole, covariance, correlation)


@dataclass(frozen=True)
class WagerCovariance:
    """How the nets of two wagers of one hand go together, one unit staked on either.

    Attributes
    ----------
    first, second
        ``main`` or ids of side bets.
    covariance
        Of the nets; its standard error is 0 where it is exact.
    correlation
        The same over the product of the standard deviations; None where one of these is not
        known or 0.
    exact
        Whether it was computed from exact probabilities, and not from recorded rounds.
    rounds
        The recorded rounds it was estimated from; 0 if exact.
    """

    first: str
    second: str
    covariance: Estimate
    correlation: float | None
    exact: bool
    rounds: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def wager_covariances(game: Game, chart: Chart, exact: ExactFigures) -> list[WagerCovariance]:
    """Return the covariances of the main game with each side bet, then of the side bets.

    A side bet looks at cards of the deal. Given their values the main game's result does not
    depend on their suits and ranks, nor does what the bet returns on how the hand is played, so
    ``E[main x bet]`` is the sum over the values of the deal's cards of their probability times
    the mean of either (the law of total expectation). The main game's means are exact for every
    initial hand against every up card and, for bets that look at it, every second card of the
    dealer's (`rtpsim.exact.holes`). What is left to recorded rounds is a chart that splits tens
    where only equal ranks are a pair, and insurance that has the dealer look.

    Parameters
    ----------
    game, chart
        What is played, and how.
    exact
        Exact figures of the main game by that chart.
    """
    shoe = Shoe.of_decks(game.rules.decks)
    variances = {MAIN: exact.variance}
    variances |= {bet.id: float(_bet_variance(bet, shoe)) for bet in game.side_bets}
    found = []
    for bet in game.side_bets:
        known = _exact_covariance(game, chart, bet, shoe, exact)
        if known is not None:
            value, rounds = Estimate(known, 0.0), 0
        else:
            value, rounds = _recorded_covariance(game, chart, bet)
        found.append(_named(MAIN, bet.id, value, rounds, variances))
    for one, other in combinations(game.side_bets, 2):
        value = Estimate(float(side_bet_covariance(one, other, shoe)), 0.0)
        found.append(_named(one.id, other.id, value, 0, variances))
    return found


def _named(
    first: str,
    second: str,
    covariance: Estimate,
    rounds: int,
    variances: Mapping[str, float | None],
) -> WagerCovariance:
    one, other = variances[first], variances[second]
    correlation = None
    if one and other:
        correlation = covariance.value / math.sqrt(one * other)
    return WagerCovariance(first, second, covariance, correlation, rounds == 0, rounds)


def _bet_variance(bet: SideBet, shoe: Shoe) -> Fraction:
    """Return the exact variance of one stake's return."""
    from rtpsim.results import BetTerms

    return stake_variance(BetTerms.of(bet, shoe, 1).probabilities, bet.pays)


def returns_of(bet: SideBet) -> NDArray[np.int64]:
    """Return what a stake of one comes back as, by card numbers in the order of ``bet.cards``."""
    returned = np.array([0, *(pays + 1 for pays in bet.pays.values())], dtype=np.int64)
    table: NDArray[np.int64] = returned[outcome_table(bet)]
    return table


# -- side bets --------------------------------------------------------------------------------


def side_bet_covariance(one: SideBet, other: SideBet, shoe: Shoe) -> Fraction:
    """Return the covariance of what two side bets return on one deal, exactly.

    All deals of the cards that either looks at are enumerated, those of the first card one by one.
    """
    roles = [role for role in ROLES if role in (*one.cards, *other.cards)]
    first, *rest = roles
    total = math.perm(shoe.size, len(roles))
    product = 0
    for card, copies in enumerate(shoe.counts):
        if copies == 0:
            continue
        left = [count - (number == card) for number, count in enumerate(shoe.counts)]
        ways = deal_ways(left, len(rest))
        both = _over(one, rest, first, card) * _over(other, rest, first, card)
        product += copies * _dot(ways, np.broadcast_to(both, ways.shape))
    return Fraction(product, total) - exact_rtp(one, shoe) * exact_rtp(other, shoe)


def _over(bet: SideBet, rest: list[Any], first: str, card: int) -> NDArray[np.int64]:
    """Return what a bet returns over the cards of ``rest``, the card of ``first`` being given."""
    table = returns_of(bet)
    looked_at = [role for role in bet.cards if role != first]
    if first in bet.cards:
        table = np.take(table, card, axis=bet.cards.index(first))
    shape = [CARDS_IN_DECK if role in looked_at else 1 for role in rest]
    return table.reshape(shape)


def _dot(ways: NDArray[Any], values: NDArray[np.int64]) -> int:
    """Return the sum of ways times values, exactly."""
    # rows one by one: their sums fit 64 bits where the total might not
    rows = zip(ways.reshape(CARDS_IN_DECK, -1), values.reshape(CARDS_IN_DECK, -1), strict=True)
    return sum(int((way * value).sum()) for way, value in rows)


# -- main game and side bet -------------------------------------------------------------------


def _exact_covariance(
    game: Game, chart: Chart, bet: SideBet, shoe: Shoe, exact: ExactFigures
) -> float | None:
    """Return the covariance of main game and side bet; None where it is out of exact reach."""
    if exact.document["includes_insurance"] or _splits_tens_by_rank(game, exact):
        return None
    if set(bet.cards) <= set(SEEN):
        return main_covariance(bet, shoe, *_seen_means(exact))
    if game.rules.insurance_peek:
        return None
    from rtpsim.exact.holes import means_by_deal

    found = means_by_deal(game, chart)
    return main_covariance(bet, shoe, found.chances, found.nets)


def _splits_tens_by_rank(game: Game, exact: ExactFigures) -> bool:
    """Whether the ranks of cards worth ten matter to how a hand is played."""
    ten = VALUE_CLASSES[TEN_CLASS]
    return game.rules.split_by == "rank" and any(
        ten in hand["cards"]
        for hand in exact.document["by_hand"]
        if hand["action"] in ("split", "power split")
    )


def main_covariance(
    bet: SideBet, shoe: Shoe, chances: NDArray[np.float64], nets: NDArray[np.float64]
) -> float:
    """Return the covariance of the main game's net with what a side bet returns.

    Parameters
    ----------
    bet, shoe
        The bet, and the shoe that it is dealt from.
    chances, nets
        Probability of a deal and mean net of the main game given it, by value class of the cards
        of `ROLES` or the first of them; float64, shape (10, ...).
    """
    ways = deal_ways(shoe.counts, len(bet.cards))
    kinds = np.meshgrid(*[_VALUE_CLASS] * len(bet.cards), indexing="ij")
    returned, dealt = (np.zeros((_CLASSES,) * len(bet.cards), dtype=ways.dtype) for _ in range(2))
    np.add.at(returned, tuple(kinds), ways * returns_of(bet))
    np.add.at(dealt, tuple(kinds), ways)
    mean = float(exact_rtp(bet, shoe))
    weighed = dealt.astype(float)
    excess = returned.astype(float) - mean * weighed
    given = np.divide(excess, weighed, out=np.zeros_like(excess), where=weighed > 0)
    # given the values of its own cards, the values of the others say nothing of the bet
    shape = [_CLASSES if role in bet.cards else 1 for role in ROLES[: nets.ndim]]
    return float((chances * nets * given.reshape(shape)).sum())


def _seen_means(exact: ExactFigures) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return chance and mean net by value class of both cards and the up card."""
    chances, nets = (np.zeros((_CLASSES,) * len(SEEN)) for _ in range(2))
    for hand in exact.document["by_hand"]:
        first, second = (VALUE_CLASSES.index(card) for card in hand["cards"])
        up = VALUE_CLASSES.index(hand["up"])
        orders = {(first, second, up), (second, first, up)}
        for cell in orders:
            chances[cell] += hand["probability"] / len(orders)
            nets[cell] += hand["probability"] * hand["ev"] / len(orders)
    return chances, np.divide(nets, chances, out=np.zeros_like(nets), where=chances > 0)


def _recorded_covariance(game: Game, chart: Chart, bet: SideBet) -> tuple[Estimate, int]:
    """Estimate the covariance of main game and side bet from recorded rounds; and their number."""
    from rtpsim.simulation.run import make_plan, record_rounds
    from rtpsim.simulation.streams import CHUNK_ROUNDS

    plan = make_plan(game, chart, rounds=CHUNK_ROUNDS, seed=_SEED, hands=1, side_bets=())
    table = returns_of(bet)
    counts: Counter[tuple[int, int]] = Counter()
    dealt = {"up": 0, "hole": 1, "player1": 2, "player2": 3}
    for number in range(_RECORDS):
        record, _ = record_rounds(replace(plan, seed=_SEED + number))
        final, context = record.results.T
        nets = plan.program.settlement[context, final, 0].astype(np.int64)
        returned = table[tuple(record.dealt[:, dealt[role]] for role in bet.cards)]
        pairs, times = np.unique(np.stack([nets, returned], axis=1), axis=0, return_counts=True)
        for (net, back), count in zip(pairs.tolist(), times.tolist(), strict=True):
            counts[net, back] += count
    return covariance_estimate(counts, (game.rules.unit, 1)), sum(counts.values())
