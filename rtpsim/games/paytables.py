"""Paytables of whole numbers under which a side bet returns a given figure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rtpsim.errors import InputError
from rtpsim.games.printed import Rounding, printed_range
from rtpsim.sidebets import MAX_PAYS, exact_counts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    import numpy.typing as npt

    from rtpsim.cards import Shoe
    from rtpsim.sidebets import SideBet

PAYOUTS_IN_USE = (*range(1, 13), 15, 20, 25, 30, 33, 35, 40, 45, 50, 60, 75, 80, 100, 125, 150)
PAYOUTS_IN_USE += (200, 250, 300, 400, 500, 1000)
"""Payouts "to one" that tables in the trade are made of."""

_MAX_TABLES_TRIED = 20_000_000

MAX_TABLES = 200_000
"""How many paytables a search lists at the most."""


def alternative_paytables(
    bet: SideBet,
    shoe: Shoe,
    figure: str,
    *,
    rounding: Rounding = "nearest",
    payouts: Sequence[int] = PAYOUTS_IN_USE,
) -> list[dict[str, int]]:
    """List the whole-number paytables under which a bet returns what is printed.

    Every table is tried whose payouts are out of `payouts` and fall from each outcome to the
    next, less special one.

    Parameters
    ----------
    bet
        The side bet; its own paytable only orders the result.
    shoe
        The shoe it is dealt from.
    figure
        The published return in percent, as printed: ``95.38``.
    rounding
        How the figure was rounded.
    payouts
        The payouts "to one" to try for every outcome.

    Returns
    -------
    list of dict
        Outcome -> payout, the tables nearest to the bet's own first (by the sum of the absolute
        logarithms of the ratios of payouts).

    Raises
    ------
    InputError
        If `payouts` are too many to try, or the figure is not a percentage.
    """
    low, high = printed_range(figure, rounding)
    return paytables_within(bet, shoe, low, high, payouts=payouts)


def paytables_within(
    bet: SideBet,
    shoe: Shoe,
    low: Fraction,
    high: Fraction,
    *,
    payouts: Sequence[int] = PAYOUTS_IN_USE,
) -> list[dict[str, int]]:
    """List the whole-number paytables under which a bet returns a ratio from `low` up to `high`.

    Parameters
    ----------
    bet, shoe, payouts
        As for `alternative_paytables`.
    low, high
        The least return per unit staked, and the first that is too much.

    Returns
    -------
    list of dict
        Outcome -> payout, in the order of `alternative_paytables`.

    Raises
    ------
    InputError
        If `payouts` are too many to try, or more than `MAX_TABLES` paytables fit.
    """
    exact = exact_counts(bet, shoe)
    grid = np.unique(np.array([pays for pays in payouts if 1 <= pays <= MAX_PAYS], dtype=np.int64))
    if math.comb(len(grid), len(bet.outcomes) - 1) > _MAX_TABLES_TRIED:
        raise InputError(f"payouts: {len(grid)} values make too many tables to try; give fewer")
    first, *others = (exact.counts[name] for name in bet.outcomes)
    # tails: all falling tables of the outcomes after the first, as indices into the grid
    tails = _falling(len(grid), len(others))
    # returned is an integer: least and most are the integers from which on it is enough, too much
    least, most = (math.ceil(bound * exact.total) for bound in (low, high))
    dtype: Any = np.int64 if exact.total * MAX_PAYS < 2**62 else object
    returned = np.full(len(tails), first + sum(others), dtype=dtype)
    for column, count in enumerate(others):
        returned = returned + grid[tails[:, column]].astype(dtype) * count
    paid_by_first = grid.astype(dtype) * first
    start = np.searchsorted(paid_by_first, least - returned)
    stop = np.searchsorted(paid_by_first, most - returned)
    if others:
        start = np.maximum(start, tails[:, 0] + 1)
    found = np.flatnonzero(start < stop)
    fitting = int((stop - start)[found].sum())
    if fitting > MAX_TABLES:
        raise InputError(
            f"{fitting:,} paytables fit, more than {MAX_TABLES:,}; give a narrower range or fewer "
            "payouts"
        )
    tables = [
        dict(zip(bet.outcomes, (int(grid[best]), *grid[tails[row]].tolist()), strict=True))
        for row in found
        for best in range(int(start[row]), int(stop[row]))
    ]
    return _nearest_first(tables, bet)


def _nearest_first(tables: list[dict[str, int]], bet: SideBet) -> list[dict[str, int]]:
    """Return the tables by the sum of the absolute logarithms of their payouts over the bet's."""
    own = [max(pays, 1) for pays in bet.pays.values()]

    def distance(table: dict[str, int]) -> tuple[float, tuple[int, ...]]:
        ratios = (p / q for p, q in zip(table.values(), own, strict=True))
        return sum(abs(math.log(ratio)) for ratio in ratios), tuple(table.values())

    return sorted(tables, key=distance)


def _falling(size: int, length: int) -> npt.NDArray[np.int64]:
    """Return all strictly falling sequences of so many indices below `size`, one a row."""
    rows = np.empty((1, 0), dtype=np.int64)
    for _ in range(length):
        # put a larger index in front of every row
        least = rows[:, 0] + 1 if rows.shape[1] else np.zeros(len(rows), dtype=np.int64)
        room = size - least
        repeated = np.repeat(np.arange(len(rows)), room)
        starts = np.repeat(np.cumsum(room) - room, room)
        front = np.arange(len(repeated)) - starts + least[repeated]
        rows = np.column_stack([front, rows[repeated]])
    return rows
