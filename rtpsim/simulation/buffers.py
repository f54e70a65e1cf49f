"""What the kernel writes: the rounds in play, counts and the record of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.simulation.bets import counts_by_bet
from rtpsim.simulation.packing import FINAL_CODES, UP_ROWS, UPS, largest_bet
from rtpsim.simulation.tables import BLOCK, CARDS_AHEAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rtpsim.program.compiler import Program
    from rtpsim.sidebets import SideBet
    from rtpsim.simulation.bets import Bets

MAX_DRAWS = 128
"""Cards drawn after the deal that a record holds for a round."""


class Queue(NamedTuple):
    """The rounds in play and the scratch space of one thread; words: `rtpsim.simulation.layout`.

    Attributes
    ----------
    rounds
        Two words a round that draws card by card: the round, and counters of the cards it has used;
        uint64.
    events
        Scratch: which rounds that draw card by card have an event, uint32.
    sums
        Scratch, several hands a round only, uint64: where the starts of a round begin; what the
        hands of a finished round are worth together, and then where its label is counted.
    over
        Scratch: rounds that have just ended, uint64.
    positions
        Scratch, rows of `BLOCK`: whether a deal is valid, then positions in the shoe of its up
        card, the dealer's second card, two cards a hand and those dealt ahead. Flat, uint16.
    cards
        Scratch, rows of `BLOCK`: the numbers (0-51) of the same cards; then the classes of those
        dealt ahead. Flat, uint16.
    deals
        Scratch, rows of `BLOCK`: number of the deal that each hand is for itself. Flat, uint16.
    ahead
        Scratch: rounds played with the cards dealt ahead, uint64; with several hands a round the
        counters of the cards of the deals.
    places
        Scratch: places of the valid deals, uint16; several hands a round only.
    turns
        By slot, whose turn it is; uint64, several hands a round only.
    proposed
        Scratch: positions in the shoe proposed to the rounds that draw card by card, uint16.
    words, draws
        Scratch: random words, uint64; the same memory as 16-bit draws, uint16.
    indices, keys
        Scratch: index of the outcome of side bets, and their key, by deal, uint32; keys are 0
        between uses.
    free
        Slots; those not in use begin behind the rounds that draw card by card; uint32. With one
        hand a round they are given for a record only.
    clock
        The time of each phase (`rtpsim.simulation.clock.new_clock`); None where nobody asks.
    """

    rounds: NDArray[np.uint64]
    events: NDArray[np.uint32]
    sums: NDArray[np.uint64]
    over: NDArray[np.uint64]
    positions: NDArray[np.uint16]
    cards: NDArray[np.uint16]
    deals: NDArray[np.uint16]
    ahead: NDArray[np.uint64]
    places: NDArray[np.uint16]
    turns: NDArray[np.uint64]
    proposed: NDArray[np.uint16]
    words: NDArray[np.uint64]
    draws: NDArray[np.uint16]
    indices: NDArray[np.uint32]
    keys: NDArray[np.uint32]
    free: NDArray[np.uint32]
    clock: NDArray[np.int64] | None


class Counts(NamedTuple):
    """What the kernel counts, in rounds; int64.

    Attributes
    ----------
    labels
        By label of the first hand; the kernel has (context, up card, final), flattened, 16 up cards
        for ten, with the contexts as it numbers them: deals that are not valid have the first, and
        nothing else has. `ordered` has the order of `Program.label`, and valid deals alone.
    initial
        By class of the first hand's cards, up card and dealer's second card; flattened
        (classes, classes, 10, 10); the kernel has the deals that are not valid behind them.
    totals
        By net and wager of the whole round, flattened; several hands only.
    insurance
        By number of insured hands and whether the dealer had a natural, flattened (hands + 1, 2);
        several hands only.
    bets
        By key of the outcomes of side bets; the kernel has them by (group, a quarter of the deals,
        key), `ordered` all bets one after the other.
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
        Which round a slot plays, int64, shape (3 x BLOCK,).
    """

    dealt: NDArray[np.uint8]
    drawn: NDArray[np.uint8]
    length: NDArray[np.int64]
    results: NDArray[np.uint32]
    of_slot: NDArray[np.int64]


def make_queue(hands: int, clock: NDArray[np.int64] | None = None) -> Queue:
    """Allocate a thread's queue for so many hands a round."""
    dealt = max(2 + 2 * hands, max(CARDS_AHEAD.values()))
    words = np.zeros(BLOCK * dealt // 4 + 4, dtype=np.uint64)
    lanes = 2 * BLOCK
    return Queue(
        rounds=np.zeros(2 * lanes, dtype=np.uint64),
        events=np.zeros(lanes + 1, dtype=np.uint32),
        sums=np.zeros(2 * lanes, dtype=np.uint64),
        over=np.zeros(lanes, dtype=np.uint64),
        positions=np.zeros((1 + (dealt + 3) // 4 * 4) * BLOCK, dtype=np.uint16),
        cards=np.zeros(dealt * BLOCK, dtype=np.uint16),
        deals=np.zeros(hands * BLOCK, dtype=np.uint16),
        ahead=np.zeros(BLOCK, dtype=np.uint64),
        places=np.zeros(BLOCK + 1, dtype=np.uint16),
        turns=np.zeros(BLOCK, dtype=np.uint64),
        proposed=np.zeros(lanes, dtype=np.uint16),
        words=words,
        draws=words.view("<u2"),
        indices=np.zeros(BLOCK, dtype=np.uint32),
        keys=np.zeros(BLOCK, dtype=np.uint32),
        free=np.arange(lanes, dtype=np.uint32) + np.uint32(BLOCK if hands == 1 else 0),
        clock=clock,
    )


def make_slots(hands: int) -> NDArray[np.uint64] | None:
    """Allocate a thread's slots; None for one hand a round.

    A slot is a row of 1 + hands words, uint64, flat: nothing; by hand the entry and the context it
    begins with, and once it is finished its context alone.
    """
    if hands == 1:
        return None
    return np.zeros(BLOCK * (1 + hands), dtype=np.uint64)


def make_counts(program: Program, hands: int, bets: Bets) -> Counts:
    """Allocate zeroed counts."""
    largest = largest_bet(program) * hands
    several = hands > 1
    return Counts(
        np.zeros((1 + len(program.finished)) * UP_ROWS * FINAL_CODES, dtype=np.int64),
        np.zeros(1 + program.classes**2 * UPS**2, dtype=np.int64),
        np.zeros((2 * largest + 1) * (largest + 1) if several else 0, dtype=np.int64),
        np.zeros((hands + 1) * 2 if several else 0, dtype=np.int64),
        np.zeros(len(bets.makers) * 4 * bets.cells, dtype=np.int64),
    )


def ordered(counts: Counts, bets: Sequence[SideBet], hands: int) -> Counts:
    """Return the kernel's counts in the order of `Program.label`, its side bets one by one."""
    labels = counts.labels.reshape(-1, UP_ROWS, FINAL_CODES)[1:, :UPS].transpose(1, 0, 2)
    return counts._replace(
        labels=labels.ravel(),
        initial=counts.initial[:-1],
        bets=counts_by_bet(counts.bets, bets, hands),
    )


def make_record(rounds: int, hands: int) -> Record:
    """Allocate the record of so many rounds."""
    return Record(
        np.zeros((rounds, 2 + 2 * hands), dtype=np.uint8),
        np.zeros((rounds, MAX_DRAWS), dtype=np.uint8),
        np.zeros(rounds, dtype=np.int64),
        np.zeros((rounds, 1 + hands), dtype=np.uint32),
        np.zeros(3 * BLOCK, dtype=np.int64),
    )
