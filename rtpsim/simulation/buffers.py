"""What the kernel writes: the rounds in play, counts and the record of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.simulation.tables import BLOCK, FINALS, UPS, largest_bet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rtpsim.program.compiler import Program

MAX_DRAWS = 128
"""Cards drawn after the deal that a record holds for a round."""


class Queue(NamedTuple):
    """The rounds in play and the scratch space of one thread; words: `rtpsim.simulation.layout`.

    Attributes
    ----------
    rounds
        Two words a round in play: the round, and counters of the cards it has used; uint64.
    events
        Scratch: the same of the rounds that have an event, uint64.
    over
        Scratch: rounds that have just ended, uint64.
    positions
        Scratch, rows of `BLOCK`: whether a deal is valid, then positions in the shoe of its up
        card, the dealer's second card and two cards a hand. Row 0 is also used for the positions
        of a step. Flat, uint16.
    words, draws
        Scratch: random words, uint64; the same memory as 16-bit draws, uint16.
    keys
        Scratch: key of a side bet's outcomes by deal, uint32; 0 between uses.
    free
        Slots; those not in use begin behind the rounds in play; uint32. With one hand a round they
        are given for a record only.
    """

    rounds: NDArray[np.uint64]
    events: NDArray[np.uint64]
    over: NDArray[np.uint64]
    positions: NDArray[np.uint16]
    words: NDArray[np.uint64]
    draws: NDArray[np.uint16]
    keys: NDArray[np.uint32]
    free: NDArray[np.uint32]


class Counts(NamedTuple):
    """What the kernel counts, in rounds; int64.

    Attributes
    ----------
    labels
        By label of the first hand; the kernel has (finished context, up card, final), flattened,
        `ordered` the order of `Program.label`.
    initial
        By class of the first hand's cards, up card and dealer's second card; flattened
        (classes, classes, 10, 10).
    totals
        By net and wager of the whole round, flattened; several hands only.
    insurance
        By number of insured hands and whether the dealer had a natural, flattened (hands + 1, 2);
        several hands only.
    bets
        By key of the outcomes of each side bet; the kernel has them by (bet, a quarter of the
        deals, key), `ordered` all bets one after the other.
    """

    labels: NDArray[np.int64]
    initial: NDArray[np.int64]
    totals: NDArray[np.int64]
    insurance: NDArray[np.int64]
    bets: NDArray[np.int64]


class Record(NamedTuple):
    """The cards of each round, for the comparison with the referee.

    Attributes
    ----------
    dealt
        Card numbers of the deal: up card, dealer's second card, then two a hand; uint8, shape
        (rounds, 2 + 2 hands).
    drawn
        Classes of the cards drawn afterwards, in order; uint8, shape (rounds, `MAX_DRAWS`).
    length
        How many were drawn, int64.
    results
        Final of the dealer and the finished contexts of the hands, uint32, shape
        (rounds, 1 + hands).
    of_slot
        Which round a slot plays, int64, shape (BLOCK,).
    """

    dealt: NDArray[np.uint8]
    drawn: NDArray[np.uint8]
    length: NDArray[np.int64]
    results: NDArray[np.uint32]
    of_slot: NDArray[np.int64]


def make_queue(hands: int) -> Queue:
    """Allocate a thread's queue for so many hands a round."""
    dealt = 2 + 2 * hands
    words = np.zeros(BLOCK * dealt // 4 + 4, dtype=np.uint64)
    return Queue(
        rounds=np.zeros(2 * BLOCK, dtype=np.uint64),
        events=np.zeros(2 * BLOCK, dtype=np.uint64),
        over=np.zeros(BLOCK, dtype=np.uint64),
        positions=np.zeros((1 + dealt) * BLOCK, dtype=np.uint16),
        words=words,
        draws=words.view("<u2"),
        keys=np.zeros(BLOCK, dtype=np.uint32),
        free=np.arange(BLOCK, dtype=np.uint32),
    )


def make_slots(hands: int) -> NDArray[np.uint64] | None:
    """Allocate a thread's slots; None for one hand a round.

    A slot is a row of 1 + 2 hands words, uint64, flat: whose turn it is; the contexts of the
    finished hands; the hands that wait, entry and context with the number of the hand above.
    """
    if hands == 1:
        return None
    return np.zeros(BLOCK * (1 + 2 * hands) + 1, dtype=np.uint64)


def make_counts(program: Program, hands: int, bet_ends: Sequence[int]) -> Counts:
    """Allocate zeroed counts."""
    largest = largest_bet(program) * hands
    several = hands > 1
    cells = max(np.diff(bet_ends).tolist(), default=0)
    return Counts(
        np.zeros(program.labels, dtype=np.int64),
        np.zeros(program.classes**2 * UPS**2, dtype=np.int64),
        np.zeros((2 * largest + 1) * (largest + 1) if several else 0, dtype=np.int64),
        np.zeros((hands + 1) * 2 if several else 0, dtype=np.int64),
        np.zeros((len(bet_ends) - 1) * 4 * cells, dtype=np.int64),
    )


def ordered(counts: Counts, program: Program, bet_ends: Sequence[int]) -> Counts:
    """Return the kernel's counts in the order of `Program.label`, its side bets one by one."""
    labels = counts.labels.reshape(len(program.finished), UPS, FINALS).transpose(1, 0, 2)
    bets = [np.zeros(0, dtype=np.int64)]
    if len(bet_ends) > 1:
        by_key = counts.bets.reshape(len(bet_ends) - 1, 4, -1).sum(axis=1)
        sizes = np.diff(bet_ends).tolist()
        bets = [found[:cells] for found, cells in zip(by_key, sizes, strict=True)]
    return counts._replace(labels=labels.ravel(), bets=np.concatenate(bets))


def make_record(rounds: int, hands: int) -> Record:
    """Allocate the record of so many rounds."""
    return Record(
        np.zeros((rounds, 2 + 2 * hands), dtype=np.uint8),
        np.zeros((rounds, MAX_DRAWS), dtype=np.uint8),
        np.zeros(rounds, dtype=np.int64),
        np.zeros((rounds, 1 + hands), dtype=np.uint32),
        np.zeros(BLOCK, dtype=np.int64),
    )
