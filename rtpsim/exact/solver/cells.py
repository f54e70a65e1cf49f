"""Cells: what a chart decides alike, and the letters it can say there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.exact.lattice import lattice
from rtpsim.exact.model import DOUBLE, HIT, STAND
from rtpsim.exact.policies import pairs
from rtpsim.exact.solver.stack import (
    ABILITIES,
    CAN_DOUBLE,
    CAN_SURRENDER,
    DECIDES,
    SURRENDER,
    layout_of,
)
from rtpsim.strategy.notation import total_of, two_cards

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rtpsim.rules import Rules

LETTERS = ("S", "H", "Ds", "Dh", "Rs", "Rh")
"""The letters of a total's cell; each is a number here."""

_ELSE = {"s": STAND, "h": HIT}
_WISH = {"D": (CAN_DOUBLE, DOUBLE), "R": (CAN_SURRENDER, SURRENDER)}


def _resolve(letter: str, abilities: int) -> int:
    if letter in ("S", "H"):
        return _ELSE[letter.lower()]
    ability, action = _WISH[letter[0]]
    return action if abilities & ability else _ELSE[letter[1]]


RESOLVED: NDArray[np.int64] = np.array(
    [[_resolve(letter, abilities) for abilities in range(ABILITIES)] for letter in LETTERS]
)
"""What each letter means by a hand's abilities, shape (letters, abilities)."""


class Total(NamedTuple):
    """A total as chart rows name it."""

    soft: bool
    best: int

    @classmethod
    def of(cls, first: int, second: int) -> Total:
        """Return the total of two cards."""
        best, soft = total_of(first, second)
        return cls(soft, best)

    @property
    def rank(self) -> int:
        """Place among totals such that cards lead to later ones: hard, soft, hard from 12 up."""
        if self.soft:
            return self.best + 20
        return self.best if self.best <= 11 else self.best + 40

    def __str__(self) -> str:
        return f"{'soft' if self.soft else 'hard'} {self.best}"


TOTALS = (
    *(Total(False, best) for best in range(4, 22)),
    *(Total(True, best) for best in range(12, 22)),
)
"""The totals that every chart has a row for."""


@dataclass(frozen=True)
class Cells:
    """The cells of one column of a chart.

    Attributes
    ----------
    labels
        The row of each cell: ``hard 16``, ``hard 16 6+``, ``T,6``.
    of_place
        Cell of every place of a layout that is left to the strategy, -1 elsewhere; int64.
    counted
        The numbers of cards from which on a total has a row of its own, ascending.
    rank
        Ascends along the cards that a hand draws; int64.
    """

    labels: tuple[str, ...]
    of_place: NDArray[np.int64]
    counted: Mapping[Total, tuple[int, ...]]
    rank: NDArray[np.int64]

    def number(self, label: str) -> int:
        """Return the number of a row's cell."""
        return self.labels.index(label)


@lru_cache(maxsize=32)
def cells_of(
    rules: Rules,
    counted_totals: tuple[tuple[Total, tuple[int, ...]], ...],
    *,
    two_card: bool,
    tens_apart: bool,
) -> Cells:
    """Divide the places of a layout into cells.

    Parameters
    ----------
    rules
        The rules of the layout.
    counted_totals
        The numbers of cards (3 and more) from which on a total has a row of its own.
    two_card
        Whether initial hands of two cards are cells of their own.
    tens_apart
        Whether T,T is one of those: not where only tens of one rank pair, which a chart's row
        could not tell from the others.
    """
    layout = layout_of(rules, surrender=False)
    counted = dict(counted_totals)
    labels: list[str] = []
    numbers: dict[tuple[Total, int], int] = {}
    for total in TOTALS:
        for at_least in (2, *counted.get(total, ())):
            numbers[total, at_least] = len(labels)
            labels.append(str(total) if at_least == 2 else f"{total} {at_least}+")
    by_hand = _by_hand(numbers, counted)
    decided = layout.stack.kind == DECIDES
    of_place = np.where(decided, by_hand[layout.hand], -1)
    if two_card:
        for first, second in pairs():
            if first == second == 9 and not tens_apart:
                continue
            mine = layout.opening & (layout.hand == lattice().of(first, second))
            if mine.any():
                of_place[mine] = len(labels)
                labels.append(two_cards(first, second))
    rank = [0] * len(labels)  # two cards come before everything
    for (total, _), number in numbers.items():
        rank[number] = total.rank
    return Cells(tuple(labels), of_place, counted, np.array(rank, dtype=np.int64))


def _by_hand(
    numbers: Mapping[tuple[Total, int], int], counted: Mapping[Total, tuple[int, ...]]
) -> NDArray[np.int64]:
    """Return the cell of every hand of the lattice by its total and number of cards."""
    hands = lattice()
    best, found = hands.best, np.full(len(hands.total), -1, dtype=np.int64)
    for total in TOTALS:
        fits = (hands.soft == total.soft) & (best == total.best)
        for at_least in (2, *counted.get(total, ())):
            found[fits & (hands.size >= at_least)] = numbers[total, at_least]
    return found


def usually_stands(label: str) -> bool:
    """Say whether a cell that is never met should read S rather than H."""
    if "," in label:
        return False  # it follows its total
    kind, best = label.split()[:2]
    return int(best) >= (19 if kind == "soft" else 17)
