"""Paytables of side bets: what one returns, how it varies, and which ones return a target."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from rtpsim.cards import Shoe
from rtpsim.display import html_table, percent
from rtpsim.errors import InputError, shown
from rtpsim.games.paytables import PAYOUTS_IN_USE, paytables_within
from rtpsim.sidebets import LOSE, SideBet, exact_counts, exact_rtp

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

DEFAULT_TOLERANCE = Fraction(5, 10**5)
"""Half a hundredth of a percentage point: what prints alike with two decimals."""


@dataclass(frozen=True)
class PaytableLine:
    """One outcome of a side bet.

    Attributes
    ----------
    outcome
        Its name; ``lose`` for all that pays nothing.
    pays
        Profit per unit staked; -1 where the stake is lost.
    count
        How many combinations of cards give it.
    probability
        The same, as a part of all combinations.
    """

    outcome: str
    pays: int
    count: int
    probability: Fraction


@dataclass(frozen=True)
class Paytable:
    """What a side bet pays from so many decks, exactly.

    Attributes
    ----------
    bet
        The bet, with its paytable.
    decks
        Decks in the shoe.
    lines
        The outcomes, the most special first, ``lose`` last.
    """

    bet: SideBet
    decks: int
    lines: tuple[PaytableLine, ...]

    @property
    def rtp(self) -> Fraction:
        """Return per unit staked."""
        return 1 + self._mean(1)

    @property
    def hit_frequency(self) -> Fraction:
        """Probability of an outcome that pays."""
        return 1 - self.lines[-1].probability

    @property
    def variance(self) -> Fraction:
        """Variance of the net result of one bet, in squared stakes."""
        return self._mean(2) - self._mean(1) ** 2

    @property
    def sd(self) -> float:
        """Standard deviation of the net result of one bet, in stakes."""
        return math.sqrt(self.variance)

    def _mean(self, power: int) -> Fraction:
        return sum((line.probability * line.pays**power for line in self.lines), Fraction(0))

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each outcome: pays (to one), count, probability, share of the RTP."""
        import pandas as pd

        return pd.DataFrame(
            {
                "outcome": [line.outcome for line in self.lines],
                "pays": [line.pays for line in self.lines],
                "count": [line.count for line in self.lines],
                "probability": [float(line.probability) for line in self.lines],
                "returned": [float(line.probability * (line.pays + 1)) for line in self.lines],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values; exact values as fractions in text, too."""
        return {
            "bet": self.bet.id,
            "title": self.bet.title,
            "decks": self.decks,
            "rtp": float(self.rtp),
            "rtp_fraction": str(self.rtp),
            "hit_frequency": float(self.hit_frequency),
            "hit_frequency_fraction": str(self.hit_frequency),
            "variance": float(self.variance),
            "variance_fraction": str(self.variance),
            "sd": self.sd,
            "outcomes": [
                {
                    "outcome": line.outcome,
                    "pays": line.pays,
                    "count": line.count,
                    "probability": float(line.probability),
                    "fraction": str(line.probability),
                }
                for line in self.lines
            ],
        }

    @property
    def summary(self) -> str:
        """Return, hit frequency and standard deviation in one line."""
        return (
            f"{self.bet.title}, {self.decks} decks: returns {percent(float(self.rtp))}, "
            f"pays {percent(float(self.hit_frequency))} of the time, sd {self.sd:.4f} stakes"
        )

    def __repr__(self) -> str:
        lines = [f"{line.outcome} {line.pays}: {line.probability}" for line in self.lines]
        return "\n".join([self.summary, *lines])

    def _repr_html_(self) -> str:
        rows = [
            (line.outcome, str(line.pays), str(line.probability), f"{float(line.probability):.8f}")
            for line in self.lines
        ]
        columns = ("outcome", "pays to 1", "probability as a fraction", "probability")
        return html_table(self.summary, columns, rows)


@dataclass(frozen=True)
class PaytableSearch:
    """The whole-number paytables under which a bet returns about a target.

    Attributes
    ----------
    bet, decks
        What was searched.
    target, tolerance
        The return per unit staked that is wanted, and by how much it may be missed.
    found
        How many paytables there are.
    tables
        The first of them, those most like the bet's own first.
    """

    bet: SideBet
    decks: int
    target: Fraction
    tolerance: Fraction
    found: int
    tables: tuple[Paytable, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each paytable: a column for each outcome's payout, rtp, sd ..."""
        import pandas as pd

        return pd.DataFrame([self._row(table) for table in self.tables])

    def _row(self, table: Paytable) -> dict[str, Any]:
        return {
            **table.bet.pays,
            "rtp": float(table.rtp),
            "hit_frequency": float(table.hit_frequency),
            "sd": table.sd,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "bet": self.bet.id,
            "decks": self.decks,
            "target": float(self.target),
            "tolerance": float(self.tolerance),
            "found": self.found,
            "tables": [
                {"pays": dict(table.bet.pays), "rtp_fraction": str(table.rtp)}
                | {
                    key: value
                    for key, value in self._row(table).items()
                    if key not in table.bet.pays
                }
                for table in self.tables
            ],
        }

    @property
    def summary(self) -> str:
        """How many there are, in one line."""
        return (
            f"{self.bet.title}, {self.decks} decks: {self.found:,} whole-number paytables return "
            f"{percent(float(self.target))} ± {100 * float(self.tolerance):g}"
        )

    def __repr__(self) -> str:
        lines = [
            f"{' / '.join(map(str, table.bet.pays.values()))}: {percent(float(table.rtp))}"
            for table in self.tables
        ]
        return "\n".join([self.summary, *lines])

    def _repr_html_(self) -> str:
        rows = [
            (
                " / ".join(map(str, table.bet.pays.values())),
                percent(float(table.rtp)),
                f"{table.sd:.4f}",
            )
            for table in self.tables
        ]
        return html_table(self.summary, (" / ".join(self.bet.pays), "returns", "sd (stakes)"), rows)


def paytable(bet: SideBet, decks: int, pays: Mapping[str, int] | None = None) -> Paytable:
    """Return what a side bet pays from so many decks: exact fractions throughout.

    Parameters
    ----------
    bet
        The bet, as `Game.side_bet` has it.
    decks
        Decks in the shoe.
    pays
        Outcome -> profit per unit staked, in place of the bet's own; an outcome that is left out
        keeps what it pays.

    Raises
    ------
    InputError
        For an outcome or a payout that cannot be, or too few cards.

    Examples
    --------
    >>> from rtpsim.games import load_game
    >>> bet = load_game("signature-surrender").side_bet("empire-pairs")
    >>> str(paytable(bet, 8).rtp)
    '401/415'
    >>> float(paytable(bet, 8, {"perfect": 25}).rtp) < 0.9
    True
    """
    changed = with_pays(bet, pays or {})
    exact = exact_counts(changed, Shoe.of_decks(decks))
    lines = [
        PaytableLine(name, changed.pays[name], exact.counts[name], probability)
        for name, probability in exact.items()
    ]
    lost = exact.total - sum(exact.counts.values())
    lines.append(PaytableLine(LOSE, -1, lost, Fraction(lost, exact.total)))
    found = Paytable(changed, decks, tuple(lines))
    assert found.rtp == exact_rtp(changed, Shoe.of_decks(decks)), "one return"
    return found


def with_pays(bet: SideBet, pays: Mapping[str, int]) -> SideBet:
    """Return a bet with other payouts; outcomes left out keep theirs.

    Raises
    ------
    InputError
        For an outcome or a payout that cannot be.
    """
    if not pays:
        return bet
    from rtpsim.games.faults import explain

    try:
        return SideBet.model_validate({**bet.model_dump(), "pays": {**bet.pays, **pays}})
    except ValidationError as error:
        raise InputError(f"{bet.title}: {explain(error, {'': SideBet})}") from None


def paytables_near(
    bet: SideBet,
    decks: int,
    target: str | Fraction | float,
    tolerance: str | Fraction | float = DEFAULT_TOLERANCE,
    *,
    payouts: Sequence[int] = PAYOUTS_IN_USE,
    limit: int = 20,
) -> PaytableSearch:
    """Return the whole-number paytables under which a bet returns about a target.

    Every table is tried whose payouts are out of `payouts` and fall from each outcome to the
    next, less special one.

    Parameters
    ----------
    bet, decks
        The bet, and the decks it is dealt from.
    target, tolerance
        Return per unit staked that is wanted (0.9538), and by how much it may be missed, both
        limits included. Text and fractions are exact.
    payouts
        The payouts "to one" to try for every outcome.
    limit
        How many tables to return: those most like the bet's own come first (by the sum of the
        absolute logarithms of the ratios of payouts).

    Raises
    ------
    InputError
        If there are too many payouts to try or tables to list, or a number cannot be.
    """
    wanted, missed = _ratio("target", target), _ratio("tolerance", tolerance)
    if missed < 0 or limit < 1:
        raise InputError(
            "tolerance and limit: allowed are a ratio from 0 up and a number from 1 up"
        )
    shoe = Shoe.of_decks(decks)
    total = exact_counts(bet, shoe).total
    beyond = wanted + missed + Fraction(1, 2 * total)  # the upper limit itself is still allowed
    tables = paytables_within(bet, shoe, wanted - missed, beyond, payouts=payouts)
    shown_tables = tuple(paytable(bet, decks, pays) for pays in tables[:limit])
    return PaytableSearch(bet, decks, wanted, missed, len(tables), shown_tables)


def _ratio(what: str, value: str | Fraction | float) -> Fraction:
    try:
        return Fraction(value)
    except (ValueError, OverflowError, ZeroDivisionError, TypeError):
        raise InputError(f"{what} {shown(value)}: expected a ratio such as 0.9538") from None
