"""Side bets as the kernel classifies them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.cards import CARDS_IN_DECK
from rtpsim.sidebets import outcome_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rtpsim.sidebets import SideBet

MAX_OUTCOMES = 256
"""Outcomes of bets that are looked up together are kept in 8 bits."""


class Bets(NamedTuple):
    """The side bets, as the kernel classifies them: those that look at the same cards together.

    Attributes
    ----------
    outcomes
        Outcome codes by card numbers, all groups one after the other, uint8; a group's are indexed
        by (card, card, card), 52 of each.
    first_outcome, makers
        By group: where its outcomes begin, how many hands make it; int64.
    rows
        By group, hand and card: row of ``Queue.cards``, int64, shape (groups, hands, 3).
    scales
        By group and card: 52 x 52, 52 and 1, or 0 for a card that the group does not look at;
        uint32, shape (groups, 3).
    weights
        By group and outcome: what the outcome adds to a round's key, uint32, shape (groups, 256).
    cells
        Number of keys that the counts of each group have room for.
    """

    outcomes: NDArray[np.uint8]
    first_outcome: NDArray[np.int64]
    makers: NDArray[np.int64]
    rows: NDArray[np.int64]
    scales: NDArray[np.uint32]
    weights: NDArray[np.uint32]
    cells: int


_DEALER_ROWS = {"up": 0, "hole": 1}
_HAND_ROWS = {"player1": 2, "player2": 3}


class Group(NamedTuple):
    """Side bets that are looked up and counted together.

    A round's key is a number with a digit for each outcome of each bet, which says how many hands
    saw it; the digits of the first bet are the lowest.
    """

    cards: tuple[str, ...]
    bets: tuple[SideBet, ...]

    def makers(self, hands: int) -> int:
        """Return how many hands of a round make the bets."""
        return 1 if all(bet.per_round for bet in self.bets) else hands

    def cells(self, hands: int) -> tuple[int, ...]:
        """Return the number of keys of each bet."""
        return tuple((self.makers(hands) + 1) ** len(bet.outcomes) for bet in self.bets)

    def outcomes(self) -> NDArray[np.uint8]:
        """Return the code of the bets' outcomes by card numbers, one axis a card, 52 each."""
        codes = np.zeros((CARDS_IN_DECK,) * len(self.cards), dtype=np.int64)
        for bet in reversed(self.bets):
            axes = [self.cards.index(card) for card in bet.cards]
            shape = np.ones(len(self.cards), dtype=np.int64)
            shape[axes] = CARDS_IN_DECK
            of_bet = outcome_table(bet).astype(np.int64)
            codes = codes * (len(bet.outcomes) + 1) + np.transpose(
                of_bet, np.argsort(axes)
            ).reshape(shape)
        return codes.astype(np.uint8)

    def weights(self, hands: int) -> list[int]:
        """Return what each code adds to the key."""
        base = self.makers(hands) + 1
        per_bet, first = [], 1
        for bet, cells in zip(self.bets, self.cells(hands), strict=True):
            per_bet.append([0, *(first * base**number for number in range(len(bet.outcomes)))])
            first *= cells
        return [sum(weights) for weights in map(reversed, itertools.product(*reversed(per_bet)))]


def groups_of(bets: Sequence[SideBet], hands: int) -> list[Group]:
    """Put together the bets that look at no cards but those of another.

    Only with one hand a round: the keys of several hands would be too many.
    """
    groups: list[Group] = []
    for bet in sorted(bets, key=lambda bet: -len(bet.cards)):
        for number, group in enumerate(groups if hands == 1 else ()):
            both = Group(group.cards, (*group.bets, bet))
            if set(bet.cards) <= set(group.cards) and len(both.weights(1)) <= MAX_OUTCOMES:
                groups[number] = both
                break
        else:
            groups.append(Group(bet.cards, (bet,)))
    return groups


def make_bets(bets: tuple[SideBet, ...], hands: int) -> Bets:
    """Lay out side bets for the kernel."""
    groups = groups_of(bets, hands)
    tables, first_outcome = [np.zeros(0, dtype=np.uint8)], []
    rows = np.zeros((len(groups), hands, 3), dtype=np.int64)
    scales = np.zeros((len(groups), 3), dtype=np.uint32)
    weights = np.zeros((len(groups), MAX_OUTCOMES), dtype=np.uint32)
    makers = [group.makers(hands) for group in groups]
    for number, group in enumerate(groups):
        first_outcome.append(sum(table.size for table in tables))
        tables.append(group.outcomes().ravel())
        adds = group.weights(hands)
        weights[number, : len(adds)] = adds
        size = len(group.cards)
        scales[number, :size] = [CARDS_IN_DECK**power for power in range(size - 1, -1, -1)]
        for hand in range(makers[number]):
            rows[number, hand, :size] = [
                _DEALER_ROWS[card] if card in _DEALER_ROWS else _HAND_ROWS[card] + 2 * hand
                for card in group.cards
            ]
    return Bets(
        np.concatenate(tables),
        np.array(first_outcome, dtype=np.int64),
        np.array(makers, dtype=np.int64),
        rows,
        scales,
        weights,
        max((int(np.prod(group.cells(hands))) for group in groups), default=0),
    )


def counts_by_bet(
    counts: NDArray[np.int64], bets: Sequence[SideBet], hands: int
) -> NDArray[np.int64]:
    """Return the kernel's counts of the groups as counts by key of each bet, in their order."""
    groups = groups_of(bets, hands)
    found = {}
    for group, quarters in zip(groups, np.split(counts, max(len(groups), 1)), strict=False):
        cells = group.cells(hands)
        of_group = quarters.reshape(4, -1).sum(axis=0)[: int(np.prod(cells))].reshape(cells[::-1])
        for number, bet in enumerate(reversed(group.bets)):
            others = tuple(axis for axis in range(len(cells)) if axis != number)
            found[bet.id] = of_group.sum(axis=others)
    return np.concatenate([np.zeros(0, dtype=np.int64), *(found[bet.id] for bet in bets)])


def offsets_of(bets: Sequence[SideBet], hands: int) -> list[int]:
    """Return where the counts of each bet begin in `counts_by_bet`, and where the last ends."""
    sizes = [Group(bet.cards, (bet,)).cells(hands)[0] for bet in bets]
    return [0, *itertools.accumulate(sizes)]
