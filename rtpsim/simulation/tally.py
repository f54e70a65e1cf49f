"""Tally: what a run counted, in integers that merge exactly and in any order."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rtpsim.program.settlement import Final
from rtpsim.simulation.packing import largest_bet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rtpsim.program.compiler import Program
    from rtpsim.program.labels import Label
    from rtpsim.sidebets import SideBet
    from rtpsim.simulation.buffers import Counts


@dataclass(frozen=True)
class Tally:
    """What a run counted.

    Attributes
    ----------
    unit
        Results and wagers are whole numbers of 1 / ``unit`` initial wagers.
    hands
        Hands a round.
    rounds
        Rounds played.
    outcomes
        (net, wager) of the round's main game, without insurance -> rounds.
    insurance
        (net, wager) of the round's insurance -> rounds.
    labels
        Label of the first hand -> rounds.
    initial
        Rounds by value class of the first hand's two cards, up card and dealer's second card;
        int64, shape (10, 10, 10, 10).
    side_bets
        Side bet -> winning outcomes of the round, sorted (empty: all lost) -> rounds.
    """

    unit: int
    hands: int
    rounds: int
    outcomes: Mapping[tuple[int, int], int]
    insurance: Mapping[tuple[int, int], int]
    labels: Mapping[Label, int]
    initial: NDArray[np.int64]
    side_bets: Mapping[str, Mapping[tuple[str, ...], int]]


def make_tally(
    program: Program,
    counts: Counts,
    hands: int,
    bets: tuple[SideBet, ...],
    offsets: list[int],
) -> Tally:
    """Read a tally out of the kernel's counts."""
    unit = program.rules.unit
    labels: Counter[Label] = Counter()
    for number in np.flatnonzero(counts.labels).tolist():
        labels[program.label(number)] += int(counts.labels[number])
    outcomes, insurance = (
        _one_hand(program, labels) if hands == 1 else _several_hands(program, counts, hands)
    )
    return Tally(
        unit=unit,
        hands=hands,
        rounds=int(counts.labels.sum()),
        outcomes=outcomes,
        insurance=insurance,
        labels=dict(labels),
        initial=_by_value(counts.initial, program.classes),
        side_bets={
            bet.id: _outcomes_of(bet, counts.bets[offset:end], hands)
            for bet, (offset, end) in zip(bets, itertools.pairwise(offsets), strict=True)
        },
    )


Histogram = dict[tuple[int, int], int]


def _one_hand(program: Program, labels: Mapping[Label, int]) -> tuple[Histogram, Histogram]:
    """Derive net and wager of main game and insurance from the labels."""
    outcomes: Counter[tuple[int, int]] = Counter()
    insurance: Counter[tuple[int, int]] = Counter()
    stake = program.rules.unit // 2
    for label, count in labels.items():
        outcomes[label.net, label.wager] += count
        won = label.dealer_final == Final.NATURAL
        insurance[_insured(stake, int(label.insured), won=won)] += count
    return _ordered(outcomes), _ordered(insurance)


def _several_hands(program: Program, counts: Counts, hands: int) -> tuple[Histogram, Histogram]:
    """Read net and wager of main game and insurance out of the round's own counts."""
    largest = largest_bet(program) * hands
    outcomes = {}
    for cell in np.flatnonzero(counts.totals).tolist():
        net, wager = divmod(cell, largest + 1)
        outcomes[net - largest, wager] = int(counts.totals[cell])
    insurance: Counter[tuple[int, int]] = Counter()
    for cell in np.flatnonzero(counts.insurance).tolist():
        insured, natural = divmod(cell, 2)
        stake = program.rules.unit // 2
        insurance[_insured(stake, insured, won=bool(natural))] += int(counts.insurance[cell])
    return _ordered(outcomes), _ordered(insurance)


def _insured(stake: int, hands: int, *, won: bool) -> tuple[int, int]:
    """Return net and wager of so many insured hands."""
    return (2 * stake * hands if won else -stake * hands), stake * hands


def _ordered(histogram: Mapping[tuple[int, int], int]) -> Histogram:
    return {key: histogram[key] for key in sorted(histogram)}


def _by_value(initial: NDArray[np.int64], classes: int) -> NDArray[np.int64]:
    """Merge the ranks worth ten."""
    table = initial.reshape(classes, classes, 10, 10)
    if classes == 10:
        return table.copy()
    starts = np.arange(10)
    return np.add.reduceat(np.add.reduceat(table, starts, axis=0), starts, axis=1)


def _outcomes_of(bet: SideBet, counts: NDArray[np.int64], hands: int) -> dict[tuple[str, ...], int]:
    """Return how many rounds saw which winning outcomes of a side bet."""
    makers = 1 if bet.per_round else hands
    found = {}
    for key in np.flatnonzero(counts).tolist():
        won: list[str] = []
        rest = key
        for outcome in bet.outcomes:
            rest, times = divmod(rest, makers + 1)
            won += [outcome] * times
        found[tuple(sorted(won))] = int(counts[key])
    return found
