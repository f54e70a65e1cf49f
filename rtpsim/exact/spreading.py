"""Spreading probability forwards over a world: where its hands end, against which dealer final."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim._jit import array_kernel
from rtpsim.exact.dealer import NATURAL, NONE
from rtpsim.exact.lattice import CLASSES
from rtpsim.exact.model import DECISION, DOUBLE, FORCED_CHARLIE, FORCED_STAND, HIT, STAND
from rtpsim.exact.worlds import Deal, Table, chance_alive, next_cards

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Ends(NamedTuple):
    """Probability of each end of a world's hands, by the dealer's outcome (last axis, 9), float64.

    A dealer natural is left out where it ends the round before play. A bust hand's outcome is
    only known as natural or not (codes 8 and 0).

    Attributes
    ----------
    stand, double
        By best total, shape (22, 9).
    charlie
        By wager - 1 and best total, shape (2, 22, 9).
    bust
        By wager - 1, shape (2, 9).
    """

    stand: NDArray[np.float64]
    double: NDArray[np.float64]
    charlie: NDArray[np.float64]
    bust: NDArray[np.float64]


def no_ends() -> Ends:
    """Return zeroed ends."""
    return Ends(np.zeros((22, 9)), np.zeros((22, 9)), np.zeros((2, 22, 9)), np.zeros((2, 9)))


@array_kernel
def spread_world(
    hands: NDArray[np.int64],
    removal_of: NDArray[np.int64],
    table: Table,
    deal: Deal,
    action: NDArray[np.int64],
    reach: NDArray[np.float64],
    chosen: NDArray[np.float64],
    ends: Ends,
) -> None:
    """Follow every hand of a world to its end, from those with fewest points up.

    Parameters
    ----------
    hands, removal_of, table, deal
        As in `rtpsim.exact.worlds.value_world`.
    action
        The action of every hand.
    reach
        Probability that a hand is met and plays by ``action``; shape (hands,). Begins with the
        hands that start the world and is filled in.
    chosen
        Probability that a hand takes an action whatever ``action`` says, shape (hands, 3).
    ends
        What is added to.
    """
    draw = np.zeros(CLASSES)
    for place in range(hands.size):
        hand = hands[place]
        if reach[hand] == 0.0 and chosen[hand].sum() == 0.0:
            continue
        outcome = deal.outcomes[:, removal_of[hand]]
        best = table.best[hand]
        kind = table.kind[hand]
        by_action = chosen[hand].copy()
        if kind == FORCED_STAND:
            _add(ends.stand[best], reach[hand], outcome, deal)
        elif kind == FORCED_CHARLIE:
            _add(ends.charlie[0, best], reach[hand], outcome, deal)
        else:
            by_action[action[hand] if kind == DECISION else HIT] += reach[hand]
        _add(ends.stand[best], by_action[STAND], outcome, deal)
        if by_action[HIT] == 0.0 and by_action[DOUBLE] == 0.0:
            continue
        if not next_cards(hand, table, deal, draw):
            continue
        for card in range(CLASSES):
            if draw[card] > 0.0:
                hit, doubled = by_action[HIT] * draw[card], by_action[DOUBLE] * draw[card]
                child = table.following[hand, card]
                if child >= 0:
                    reach[child] += hit
                    _end_doubled(child, removal_of, table, deal, doubled, ends)
                else:
                    alive = chance_alive(hand, card, table, deal)
                    _add_bust(ends.bust[0], hit, alive, deal)
                    _add_bust(ends.bust[1], doubled, alive, deal)


@array_kernel
def _add(
    total: NDArray[np.float64], chance: float, outcome: NDArray[np.float64], deal: Deal
) -> None:
    """Add a hand's chance by the dealer's outcomes."""
    for final in range(1, NATURAL):
        total[final] += chance * outcome[final]
    if not deal.ends_early:
        total[NATURAL] += chance * outcome[NATURAL]


@array_kernel
def _add_bust(total: NDArray[np.float64], chance: float, alive: float, deal: Deal) -> None:
    """Add a bust hand's chance: with and without a dealer natural."""
    total[NONE] += chance * alive
    if not deal.ends_early:
        total[NATURAL] += chance * (1.0 - alive)


@array_kernel
def _end_doubled(
    child: int,
    removal_of: NDArray[np.int64],
    table: Table,
    deal: Deal,
    chance: float,
    ends: Ends,
) -> None:
    """Add the chance of a doubled hand."""
    outcome = deal.outcomes[:, removal_of[child]]
    best = table.best[child]
    if table.charlie_counts and table.size[child] == table.charlie_cards:
        _add(ends.charlie[1, best], chance, outcome, deal)
    else:
        _add(ends.double[best], chance, outcome, deal)
