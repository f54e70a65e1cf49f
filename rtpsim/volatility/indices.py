"""Volatility: how far results spread, and the tolerances that follow from it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rtpsim.cards import Shoe
from rtpsim.errors import InputError
from rtpsim.games import MAIN
from rtpsim.results import BetTerms
from rtpsim.statistics import VOLATILITY_LEVELS, stake_variance

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd

    from rtpsim.exact.figures import ExactFigures
    from rtpsim.games import Game
    from rtpsim.volatility.covariances import WagerCovariance

TOLERANCE_ROUNDS = tuple(10**power for power in range(3, 10))
"""Rounds for which tolerances are given."""


@dataclass(frozen=True)
class Volatility:
    """How far a round of the main game spreads: one hand, without insurance.

    Attributes
    ----------
    variance
        Of the net, in squared initial wagers.
    sd_initial
        Standard deviation of the net, per initial wager.
    sd_total
        Per unit wagered: standard deviation of ``(net - q wager) / E[wager]`` with
        ``q = E[net] / E[wager]``, so that ``rtp_total`` has a standard error of
        ``sd_total / sqrt(n)`` after n rounds (the delta method: Cochran, Sampling Techniques,
        2.11).
    simulated
        Whether `sd_total` is partly from a simulated distribution, the exact one being out of
        reach.
    """

    variance: float
    sd_initial: float
    sd_total: float
    simulated: bool

    def index(self, level: int, base: str = "initial") -> float:
        """Return the volatility index ``z sd`` at 90 or 95 per cent, on either base."""
        sd = self.sd_initial if base == "initial" else self.sd_total
        return VOLATILITY_LEVELS[level] * sd

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with the volatility indices on both bases."""
        document = asdict(self)
        for base in ("initial", "total"):
            for level in VOLATILITY_LEVELS:
                document[f"volatility_index_{level}_{base}"] = self.index(level, base)
        return document

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each base: standard deviation and volatility indices."""
        import pandas as pd

        rows = [
            {
                "base": base,
                "sd": sd,
                **{f"volatility_index_{z}": self.index(z, base) for z in VOLATILITY_LEVELS},
            }
            for base, sd in (("initial", self.sd_initial), ("total", self.sd_total))
        ]
        return pd.DataFrame(rows)


def volatility(exact: ExactFigures) -> Volatility:
    """Return how far a round of the main game spreads.

    Raises
    ------
    InputError
        If the figures hold no variance or no distribution.
    """
    if exact.variance is None or not exact.document["outcomes"]:
        raise InputError(
            f"{exact.strategy}: neither variance nor distribution of a round is known; ask for a "
            "chart, with moments"
        )
    q = exact.main_net / exact.main_wager
    square = exact.variance + _wager_part(exact, q)
    return Volatility(
        variance=exact.variance,
        sd_initial=math.sqrt(exact.variance),
        sd_total=math.sqrt(square) / exact.main_wager,
        simulated=bool(exact.document.get("simulated")),
    )


def _wager_part(exact: ExactFigures, q: float) -> float:
    """Return ``Var(net - q wager) - Var(net)``: small, for q is some thousandths."""
    unit = int(exact.document["unit"].removeprefix("1/"))
    cells = [
        (row["net"] / unit, row["wager"] / unit, row["probability"])
        for row in exact.document["outcomes"]
    ]
    total = sum(p for _, _, p in cells)
    net, wager = (sum(cell[i] * cell[2] for cell in cells) / total for i in (0, 1))
    cross = sum((x - net) * (w - wager) * p for x, w, p in cells) / total
    own = sum((w - wager) ** 2 * p for _, w, p in cells) / total
    return float(q * q * own - 2.0 * q * cross)


@dataclass(frozen=True)
class Tolerance:
    """Where a return is to be expected after so many rounds.

    Attributes
    ----------
    wager, base
        ``main`` or a side bet's id; ``initial``, ``total`` or ``stake``.
    rounds
        n.
    rtp
        Exact return.
    half_widths
        Level in per cent -> ``z sd / sqrt(n)``: a volatility index over the root of the rounds.
    """

    wager: str
    base: str
    rounds: int
    rtp: float
    half_widths: dict[int, float]

    def range(self, level: int) -> tuple[float, float]:
        """Return the limits between which the return lies with so many per cent."""
        return self.rtp - self.half_widths[level], self.rtp + self.half_widths[level]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        document: dict[str, Any] = {
            "wager": self.wager,
            "base": self.base,
            "rounds": self.rounds,
            "rtp": self.rtp,
        }
        for level, half in self.half_widths.items():
            low, high = self.range(level)
            document |= {f"half_width_{level}": half, f"low_{level}": low, f"high_{level}": high}
        return document


def tolerance_table(
    wager: str, base: str, rtp: float, sd: float, rounds: Sequence[int] = TOLERANCE_ROUNDS
) -> list[Tolerance]:
    """Return the tolerances of a return, given the standard deviation of one round's."""
    return [
        Tolerance(
            wager,
            base,
            n,
            rtp,
            {level: z * sd / math.sqrt(n) for level, z in VOLATILITY_LEVELS.items()},
        )
        for n in rounds
    ]


def tolerances(game: Game, exact: ExactFigures) -> list[Tolerance]:
    """Return the tolerances of the main game, without insurance, on both bases, and of each bet.

    By these an operator watches a game that is played live: a return outside its range should
    come up once in ten (90 %) or twenty (95 %) looks.

    Raises
    ------
    InputError
        If the figures hold no variance or no distribution.
    """
    spread = volatility(exact)
    net, wager = exact.main_net, exact.main_wager
    found = tolerance_table(MAIN, "total", 1.0 + net / wager, spread.sd_total)
    found += tolerance_table(MAIN, "initial", 1.0 + net, spread.sd_initial)
    for terms in _bets(game):
        sd = math.sqrt(stake_variance(terms.probabilities, terms.pays))
        found += tolerance_table(terms.id, "stake", float(terms.rtp), sd)
    return found


def tolerances_to_frame(found: Iterable[Tolerance]) -> pd.DataFrame:
    """Return tolerances as a table: a row for each wager, base and number of rounds."""
    import pandas as pd

    return pd.DataFrame([one.to_dict() for one in found])


def _bets(game: Game) -> list[BetTerms]:
    shoe = Shoe.of_decks(game.rules.decks)
    return [BetTerms.of(bet, shoe, 1) for bet in game.side_bets]


@dataclass(frozen=True)
class WholeRound:
    """One hand of the main game with its insurance, and one unit on every side bet.

    Attributes
    ----------
    net, wager
        Expected net and amount wagered, in initial wagers; insurance included.
    rtp
        ``1 + net / wager``.
    main_with_insurance
        ``1 + net / wager`` of the main game and its insurance alone; None where the chart never
        insures.
    variance, sd
        Of the net; None where insurance is taken, whose part in it is not known.
    exact
        Whether every part of the variance is exact.
    standard_error
        Of the variance, from the covariances that are estimated; 0 if it is exact.
    """

    net: float
    wager: float
    rtp: float
    main_with_insurance: float | None
    variance: float | None
    sd: float | None
    exact: bool
    standard_error: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def whole_round(
    game: Game, exact: ExactFigures, covariances: Iterable[WagerCovariance]
) -> WholeRound:
    """Return what a round of all wagers returns, and how far it spreads.

    Parameters
    ----------
    game, exact
        The game, and exact figures of its main game.
    covariances
        Of all pairs of wagers (`rtpsim.volatility.covariances.wager_covariances`).
    """
    bets = _bets(game)
    insurance_net, insurance_wager = exact.insurance
    main_net = exact.main_net + insurance_net
    main_wager = exact.main_wager + insurance_wager
    net = main_net + sum(float(terms.rtp) - 1.0 for terms in bets)
    wager = main_wager + len(bets)
    insured = insurance_wager > 0.0
    pairs = list(covariances)
    variance = None
    if exact.variance is not None and not insured:
        own = sum(float(stake_variance(terms.probabilities, terms.pays)) for terms in bets)
        variance = exact.variance + own + 2.0 * sum(pair.covariance.value for pair in pairs)
    return WholeRound(
        net=net,
        wager=wager,
        rtp=1.0 + net / wager,
        main_with_insurance=1.0 + main_net / main_wager if insured else None,
        variance=variance,
        sd=None if variance is None else math.sqrt(variance),
        exact=all(pair.exact for pair in pairs),
        standard_error=2.0 * math.hypot(*(pair.covariance.standard_error for pair in pairs)),
    )
