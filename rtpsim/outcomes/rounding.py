"""Rounding: what is lost where a payment of half a coin is rounded down to whole coins."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rtpsim.exact.frequencies import DECISIONS
from rtpsim.program.events import Ending

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd

    from rtpsim.exact.figures import ExactFigures
    from rtpsim.games import Game

STAKES = (1, 3, 5, 25)
"""Initial wagers for which the effect is reported, in coins: odd ones, which lose half a coin."""

NATURAL, SURRENDER, INSURANCE = "natural", "surrender", "insurance"


@dataclass(frozen=True)
class RoundingEffect:
    """What rounding one kind of payment down to whole coins does to the return.

    Attributes
    ----------
    what
        ``natural``, ``surrender`` or ``insurance``.
    stake
        The initial wager, in coins.
    lost_coins
        By how much a payment falls short each time, in coins. For insurance: by how much the
        insurance wager falls short of half the initial one.
    probability
        How often it happens in a round.
    ev_change
        Change of the expected net of a round, in initial wagers; added to `rtp_initial` as it is.
        Not above 0, but for insurance, which costs less where less is wagered on it.
    exact
        Whether the probability is exact, and not from a simulated distribution.
    """

    what: str
    stake: int
    lost_coins: float
    probability: float
    ev_change: float
    exact: bool

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def rounding_effects(
    game: Game, exact: ExactFigures, stakes: Sequence[int] = STAKES
) -> list[RoundingEffect]:
    """Return what rounding down does: natural, surrender, insurance, for each stake where it does.

    A natural pays ``floor(stake x odds)`` coins, a surrender gives back ``floor(stake / 2)``, and
    insurance is ``floor(stake / 2)`` coins; each is the exact probability of being paid times
    what is lost, over the stake. All other payments are whole.

    Parameters
    ----------
    game, exact
        The game, and exact figures of its main game.
    stakes
        Initial wagers in coins.
    """
    odds = game.rules.natural_pays
    insurance_net, insurance_wager = exact.insurance
    natural, surrendered, known = _chances(game, exact)
    found = []
    for stake in stakes:
        half = Fraction(stake, 2) - stake // 2
        for what, lost, chance in (
            (NATURAL, stake * odds - math.floor(stake * odds), natural),
            (SURRENDER, half, surrendered),
            (INSURANCE, half, 2.0 * insurance_wager),
        ):
            if lost and chance > 0.0:
                change = -float(lost) * chance / stake
                if what == INSURANCE:
                    change = -insurance_net * float(2 * lost / stake)
                found.append(RoundingEffect(what, stake, float(lost), chance, change, known))
    return found


def to_frame(found: Iterable[RoundingEffect]) -> pd.DataFrame:
    """Return effects as a table, one a row."""
    import pandas as pd

    return pd.DataFrame([one.to_dict() for one in found])


def _chances(game: Game, exact: ExactFigures) -> tuple[float, float, bool]:
    """Return the probabilities of a natural that is paid and of a surrender; whether exact.

    Where the distribution of the round is exact they are two of its cells, which nothing else can
    fall into: odds in half coins are a natural's, half a wager lost is a surrender. Else they
    follow from the exact means by initial hand: naturals are paid or pushed, but for those that
    took even money; a surrender nets -1/2, or -1 where the dealer has a natural that counts.
    """
    document, unit = exact.document, game.rules.unit
    odds = game.rules.natural_pays
    known = document["outcomes"] and not document.get("simulated")
    if known or document["includes_insurance"]:
        cells = {
            (row["net"], row["wager"]): row["probability"] for row in document["outcomes"] or ()
        }
        natural = cells.get((int(odds * unit), unit), 0.0)
        return natural, cells.get((-unit // 2, unit), 0.0), bool(known)
    hands = [(hand["action"], hand["probability"], hand["ev"]) for hand in document["by_hand"]]
    even = exact.frequencies.get(DECISIONS, {}).get(f"A {Ending.EVEN_MONEY}", 0.0)
    naturals = sum(p * net for action, p, net in hands if action is None) - even
    surrendered = sum(2.0 * p * (1.0 + net) for action, p, net in hands if action == SURRENDER)
    return max(naturals, 0.0) / float(odds), surrendered, True
