"""Side bets as the kernel classifies them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.sidebets import outcome_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.sidebets import SideBet


class Bets(NamedTuple):
    """The side bets, as the kernel classifies them.

    Attributes
    ----------
    outcomes
        Outcome codes by card numbers, all bets one after the other, uint8.
    first_outcome, makers
        By bet: where its outcomes begin, how many hands make it; int64.
    rows
        By bet, hand and card: row of ``Queue.positions``, int64, shape (bets, hands, 3).
    scales
        By bet and card: column of ``Tables.numbers``, int64, shape (bets, 3). A bet on two cards
        multiplies the third by 0.
    weights
        By bet and outcome: what the outcome adds to a round's key, uint32, shape (bets, 256).
    cells
        Number of keys that the counts of each bet have room for.
    """

    outcomes: NDArray[np.uint8]
    first_outcome: NDArray[np.int64]
    makers: NDArray[np.int64]
    rows: NDArray[np.int64]
    scales: NDArray[np.int64]
    weights: NDArray[np.uint32]
    cells: int


_DEALER_ROWS = {"up": 1, "hole": 2}
_HAND_ROWS = {"player1": 3, "player2": 4}
_SCALES = {2: (1, 0, 3), 3: (2, 1, 0)}


def make_bets(bets: tuple[SideBet, ...], hands: int) -> tuple[Bets, list[int]]:
    """Lay out side bets for the kernel; also return where the counts of each begin and end.

    A round's key is that of a number with a digit for each outcome, which says how many hands saw
    it.
    """
    tables, first_outcome, ends = [np.zeros(0, dtype=np.uint8)], [], [0]
    rows = np.ones((len(bets), hands, 3), dtype=np.int64)
    scales = np.zeros((len(bets), 3), dtype=np.int64)
    weights = np.zeros((len(bets), 256), dtype=np.uint32)
    makers = [1 if bet.per_round else hands for bet in bets]
    for number, bet in enumerate(bets):
        base = makers[number] + 1
        first_outcome.append(sum(table.size for table in tables))
        tables.append(outcome_table(bet).ravel())
        ends.append(ends[-1] + base ** len(bet.outcomes))
        weights[number, 1 : 1 + len(bet.outcomes)] = [
            base**code for code in range(len(bet.outcomes))
        ]
        scales[number] = _SCALES[len(bet.cards)]
        for hand in range(makers[number]):
            rows[number, hand, : len(bet.cards)] = [
                _DEALER_ROWS[card] if card in _DEALER_ROWS else _HAND_ROWS[card] + 2 * hand
                for card in bet.cards
            ]
    laid_out = Bets(
        np.concatenate(tables),
        np.array(first_outcome, dtype=np.int64),
        np.array(makers, dtype=np.int64),
        rows,
        scales,
        weights,
        max(np.diff(ends).tolist(), default=0),
    )
    return laid_out, ends
