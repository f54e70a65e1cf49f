"""Labels: what a terminal of the Program says about an initial hand and how it ended."""

from __future__ import annotations

from typing import NamedTuple

from rtpsim.cards import VALUE_CLASSES


class Label(NamedTuple):
    """How an initial hand went.

    Attributes
    ----------
    up
        Up card, as value class.
    route
        `rtpsim.program.events.Ending`, or ``split`` / ``power-split``.
    player_final
        The player's total, ``bust``, or the totals of a split's hands (``16`` stands for 16 and
        less there; ``x2`` for a doubled hand).
    dealer_final
        `rtpsim.program.settlement.Final`.
    insured
        Whether insurance was taken.
    net, wager
        Main game, whole numbers of 1 / `Rules.unit` initial wagers.
    """

    up: int
    route: str
    player_final: str
    dealer_final: str
    insured: bool
    net: int
    wager: int

    def __str__(self) -> str:
        insured = ", insured" if self.insured else ""
        return (
            f"v {VALUE_CLASSES[self.up]}: {self.route} {self.player_final} "
            f"against {self.dealer_final}{insured}"
        )
