"""What a run counts, and the terms of the side bets that it counts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from rtpsim.sidebets import exact_counts

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from rtpsim.cards import Shoe
    from rtpsim.program.labels import Label
    from rtpsim.sidebets import SideBet


class TallyLike(Protocol):
    """What is counted in a run: a `Tally`, or a `SimulationResult` that holds it."""

    @property
    def unit(self) -> int:
        """Net results and wagers are integers in 1/unit initial wagers."""

    @property
    def hands(self) -> int:
        """Hands a round."""

    @property
    def rounds(self) -> int:
        """Rounds played."""

    @property
    def outcomes(self) -> Mapping[tuple[int, int], int]:
        """(net, wager) of the round's main game -> rounds."""

    @property
    def insurance(self) -> Mapping[tuple[int, int], int]:
        """(net, wager) of the round's insurance -> rounds."""

    @property
    def labels(self) -> Mapping[Label, int] | None:
        """How the first hand ended -> rounds."""

    @property
    def initial(self) -> NDArray[np.int64] | None:
        """Rounds by value class of the first hand's two cards, up card, dealer's second card."""

    @property
    def side_bets(self) -> Mapping[str, Mapping[tuple[str, ...], int]]:
        """Bet -> winning outcomes of the round -> rounds."""


@dataclass(frozen=True)
class BetTerms:
    """What a side bet paid in a run, and its exact chances.

    Attributes
    ----------
    id, title
        Name in results, and for people.
    stakes
        Stakes of one a round: one per hand, or one where all hands share a result.
    pays
        Winning outcome -> what it pays "to one".
    counts, total
        Winning outcome -> number of combinations of cards, out of `total`.
    """

    id: str
    title: str
    stakes: int
    pays: Mapping[str, int]
    counts: Mapping[str, int]
    total: int

    @classmethod
    def of(cls, bet: SideBet, shoe: Shoe, hands: int) -> BetTerms:
        """Return a game's side bet as it stands for so many hands a round."""
        exact = exact_counts(bet, shoe)
        stakes = 1 if bet.per_round else hands
        return cls(bet.id, bet.title, stakes, dict(bet.pays), dict(exact.counts), exact.total)

    @property
    def probabilities(self) -> dict[str, Fraction]:
        """Exact probability of each winning outcome of one stake."""
        return {name: Fraction(count, self.total) for name, count in self.counts.items()}

    @property
    def rtp(self) -> Fraction:
        """Exact return: the sum of ``p (pays + 1)``."""
        chances = self.probabilities
        return sum((p * (self.pays[name] + 1) for name, p in chances.items()), Fraction(0))
