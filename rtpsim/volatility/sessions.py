"""Sessions: what many rounds in a row come to, and the risk of losing a bankroll on the way."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rtpsim.errors import InputError, RtpsimError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from rtpsim.exact.figures import ExactFigures

SESSION_ROUNDS = (100, 1_000, 10_000)
"""Rounds of the sessions reported."""

QUANTILES = (0.01, 0.05, 0.25, 0.50, 0.75, 0.95, 0.99)
"""Probabilities of the quantiles reported."""

BANKROLLS = (20, 50, 100, 200, 500)
"""Bankrolls for which the risk of ruin is reported, in initial wagers."""

MAX_ROUNDS = 1_000_000
"""The longest session."""

_TAIL = 1e-16
"""Probability that may be left out at the ends of a distribution."""

_FIT_STEPS = 50


@dataclass(frozen=True)
class NetLaw:
    """The distribution of a round's net result: one hand, main game without insurance.

    Attributes
    ----------
    unit
        `lowest` and the steps of `chances` are whole numbers of 1 / unit initial wagers.
    lowest
        The net that the first of `chances` is of.
    chances
        Probability of each net from there on; float64, they sum to 1.
    fitted
        Whether it is a simulated distribution, fitted to the exact mean and variance.
    """

    unit: int
    lowest: int
    chances: NDArray[np.float64]
    fitted: bool = False

    @property
    def nets(self) -> NDArray[np.float64]:
        """Net results, in initial wagers."""
        steps: NDArray[np.float64] = (self.lowest + np.arange(len(self.chances))) / self.unit
        return steps

    @property
    def mean(self) -> float:
        """Mean net of a round, in initial wagers."""
        return float(self.nets @ self.chances)

    @property
    def variance(self) -> float:
        """Variance of the net of a round, in squared initial wagers."""
        return float((self.nets - self.mean) ** 2 @ self.chances)


def net_law(exact: ExactFigures) -> NetLaw:
    """Return the distribution of a round's net.

    Where it is out of exact reach and was simulated, its mean and variance, which are known
    exactly, would miss by the simulation's error. It is then tilted: every probability multiplied
    by ``exp(a x + b x^2)``, with a and b such that both are met. Among all distributions that do,
    that is the one nearest to the simulated one (least relative entropy: I. Csiszar, Ann. Probab.
    3, 1975, 146-158).

    Raises
    ------
    InputError
        If the figures hold no distribution.
    """
    rows = exact.document["outcomes"]
    if not rows:
        raise InputError(
            f"{exact.strategy}: the distribution of a round is not known; ask for a chart, with "
            "moments"
        )
    unit = int(exact.document["unit"].removeprefix("1/"))
    lowest = min(row["net"] for row in rows)
    chances = np.zeros(max(row["net"] for row in rows) - lowest + 1)
    for row in rows:
        chances[row["net"] - lowest] += row["probability"]
    law = NetLaw(unit, lowest, chances / chances.sum())
    if exact.document.get("simulated") and exact.variance is not None:
        return _fit(law, exact.main_net, exact.variance)
    return law


def _fit(law: NetLaw, mean: float, variance: float) -> NetLaw:
    """Tilt a distribution to a mean and a variance: Newton's method for the two multipliers."""
    nets = law.nets
    powers = np.stack([nets, nets**2])
    wanted = np.array([mean, variance + mean**2])
    factors = np.zeros(2)
    for _ in range(_FIT_STEPS):
        weights = law.chances * np.exp(factors @ powers)
        weights /= weights.sum()
        got = powers @ weights
        if np.abs(got - wanted).max() < 1e-14:
            return NetLaw(law.unit, law.lowest, weights, fitted=True)
        spread = (powers * weights) @ powers.T - np.outer(got, got)
        factors += np.linalg.solve(spread, wanted - got)
    if np.abs(got - wanted).max() < 1e-11:  # as near as floating point comes
        return NetLaw(law.unit, law.lowest, weights, fitted=True)
    raise RtpsimError("the simulated distribution cannot be fitted to the exact mean and variance")


@dataclass(frozen=True, eq=False)
class Session:
    """The distribution of the net result of so many rounds in a row.

    Attributes
    ----------
    rounds
        How many.
    mean, sd
        Expected net and its standard deviation, in initial wagers.
    nets
        Every net result within reach, rising, in initial wagers.
    chances
        Probability of each; none is below 0 and they sum to 1.
    error
        Bound on how far any probability computed from `chances` may be off.
    quantiles
        Probability -> the smallest net that is not exceeded with it, in initial wagers.
    ahead, even, behind
        Probability of a net above, of and below 0.
    """

    rounds: int
    mean: float
    sd: float
    nets: NDArray[np.float64]
    chances: NDArray[np.float64]
    error: float
    quantiles: dict[float, float]
    ahead: float
    even: float
    behind: float

    def not_above(self, net: float) -> float:
        """Return the probability of a net not above so many initial wagers."""
        return float(self.chances[: np.searchsorted(self.nets, net, side="right")].sum())

    def points(self, most: int = 201) -> tuple[list[float], list[float]]:
        """Return some nets, evenly spaced over all but a millionth, and `not_above` of each."""
        sums = np.cumsum(self.chances)
        first, last = np.searchsorted(sums, [5e-7, 1 - 5e-7])
        last = min(int(last), len(sums) - 1)
        chosen = np.unique(np.linspace(first, last, most).round().astype(np.int64))
        return self.nets[chosen].tolist(), np.minimum(sums[chosen], 1.0).tolist()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: all but the distribution itself."""
        return {
            "rounds": self.rounds,
            "mean": self.mean,
            "sd": self.sd,
            "error": self.error,
            "quantiles": [{"probability": p, "net": net} for p, net in self.quantiles.items()],
            "ahead": self.ahead,
            "even": self.even,
            "behind": self.behind,
        }

    def to_frame(self) -> pd.DataFrame:
        """Return the distribution: a row for each net, with its probability and their sum."""
        import pandas as pd

        return pd.DataFrame(
            {
                "net": self.nets,
                "probability": self.chances,
                "not_above": np.minimum(np.cumsum(self.chances), 1.0),
            }
        )


def session(law: NetLaw, rounds: int, quantiles: Sequence[float] = QUANTILES) -> Session:
    """Return the distribution of the net of so many rounds, by convolution.

    The transform of the round's distribution is raised to the power of the rounds. It is taken
    over a window around the mean; Bernstein's inequality bounds what lies outside (S. Boucheron,
    G. Lugosi and P. Massart, Concentration Inequalities, 2.10). Rounding leaves noise of some
    1e-17 in every cell; what it puts below 0 is set to 0.

    Parameters
    ----------
    law
        Distribution of one round's net.
    rounds
        1 to `MAX_ROUNDS`.
    quantiles
        Probabilities of the quantiles to be found.

    Raises
    ------
    InputError
        If the number of rounds is not allowed.
    """
    _check_rounds(rounds)
    first, size = _window(law, rounds)
    noisy = _power(law, rounds, first, size)
    chances = np.maximum(noisy, 0.0)
    left_out = _TAIL if size < rounds * (len(law.chances) - 1) + 1 else 0.0
    error = float(np.abs(chances - noisy).sum() + abs(chances.sum() - 1.0)) + left_out
    chances /= chances.sum()
    nets = (first + np.arange(size)) / law.unit
    sums = np.cumsum(chances)
    ahead, behind = float(chances[nets > 0].sum()), float(chances[nets < 0].sum())
    places = {p: min(int(np.searchsorted(sums, p)), size - 1) for p in quantiles}
    return Session(
        rounds=rounds,
        mean=rounds * law.mean,
        sd=math.sqrt(rounds * law.variance),
        nets=nets,
        chances=chances,
        error=error,
        quantiles={p: float(nets[place]) for p, place in places.items()},
        ahead=ahead,
        even=float(chances[nets == 0].sum()),
        behind=behind,
    )


def sessions(law: NetLaw, rounds: Iterable[int] = SESSION_ROUNDS) -> list[Session]:
    """Return the sessions that reports show."""
    return [session(law, number) for number in rounds]


def _check_rounds(rounds: int) -> None:
    if not 1 <= rounds <= MAX_ROUNDS:
        raise InputError(f"rounds {rounds}: allowed are 1 to {MAX_ROUNDS}")


def _reach(law: NetLaw, rounds: int) -> float:
    """Return how far from its mean the sum of so many rounds strays but for `_TAIL`.

    Bernstein: ``P(|S - mean| >= t) <= 2 exp(-t^2 / (2 (n var + M t / 3)))`` where no round strays
    farther than M from its mean; solved for t. In units.
    """
    unit, most = law.unit, float(np.abs(law.nets - law.mean).max()) * law.unit
    variance = rounds * law.variance * unit**2
    log = math.log(2.0 / _TAIL)
    half = log * most / 3.0
    return half + math.sqrt(half**2 + 2.0 * log * variance)


def _window(law: NetLaw, rounds: int) -> tuple[int, int]:
    """Return the first net and the number of nets, in units, that a session is followed over."""
    lowest, highest = rounds * law.lowest, rounds * (law.lowest + len(law.chances) - 1)
    reach, mean = _reach(law, rounds), rounds * law.mean * law.unit
    first = max(lowest, math.floor(mean - reach))
    last = min(highest, math.ceil(mean + reach))
    return first, last - first + 1


def _power(law: NetLaw, rounds: int, first: int, size: int) -> NDArray[np.float64]:
    """Return the distribution of the sum of so many rounds over a window, noise included."""
    from scipy.fft import irfft, next_fast_len, rfft

    length = next_fast_len(max(size, len(law.chances)), real=True)
    spectrum = rfft(law.chances, length)
    # place the window's first net at 0: a shift, whole turns left out before they cost digits
    turns = (np.arange(len(spectrum)) * ((rounds * law.lowest - first) % length)) % length
    spectrum = spectrum**rounds * np.exp(-2j * np.pi * turns / length)
    noisy: NDArray[np.float64] = irfft(spectrum, length)[:size]
    return noisy


@dataclass(frozen=True)
class Ruin:
    """The risk of losing a bankroll within so many rounds of flat bets.

    Attributes
    ----------
    bankroll
        In initial wagers.
    rounds
        Rounds that are played unless the bankroll is lost before.
    probability
        Of ever having less than one initial wager left: no further bet can be made.
    """

    bankroll: int
    rounds: int
    probability: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def risk_of_ruin(
    law: NetLaw,
    bankrolls: Sequence[int] = BANKROLLS,
    rounds: Sequence[int] = SESSION_ROUNDS,
) -> list[Ruin]:
    """Return the risk of ruin of a player who always bets one initial wager.

    The chain of bankrolls, absorbed where no further bet can be made, is followed backwards: the
    chance of ruin within n + 1 rounds is the mean, over the results of one, of that within n.
    Money for doubles and splits is taken to be found, so that a last round may cost more than is
    left. A bankroll above the largest by so much that it cannot be lost but for a probability of
    1e-16 counts as safe. With a house edge the risk of a player who never stops is 1.

    Parameters
    ----------
    law
        Distribution of one round's net.
    bankrolls
        In initial wagers, from 1 up.
    rounds
        Lengths of play.

    Raises
    ------
    InputError
        If a bankroll or a number of rounds is not allowed.
    """
    for number in rounds:
        _check_rounds(number)
    if min(bankrolls) < 1:
        raise InputError(f"bankroll {min(bankrolls)}: allowed is a whole number from 1 up")
    longest, unit = max(rounds), law.unit
    drift = max(0.0, law.mean) * longest
    top = max(bankrolls) * unit + math.ceil(_reach(law, longest) + drift * unit)
    lost, won = -law.lowest, law.lowest + len(law.chances) - 1
    # chance of ruin by what is left, from (unit - lost) to (top + won): 1 below one wager
    below, above = max(lost, 0), max(won, 0)
    chance = np.zeros(below + (top - unit + 1) + above)
    chance[:below] = 1.0
    playing = slice(below, below + top - unit + 1)
    found = {}
    for number in range(1, longest + 1):
        reached = np.correlate(chance, law.chances, mode="valid")
        start = below + law.lowest
        chance[playing] = reached[start : start + top - unit + 1]
        if number in rounds:
            found[number] = chance[playing].copy()
    return [
        Ruin(bankroll, number, float(min(1.0, found[number][(bankroll - 1) * unit])))
        for bankroll in bankrolls
        for number in rounds
    ]


def ruin_to_frame(found: Iterable[Ruin]) -> pd.DataFrame:
    """Return risks of ruin as a table: a row for each bankroll and number of rounds."""
    import pandas as pd

    return pd.DataFrame([one.to_dict() for one in found])
