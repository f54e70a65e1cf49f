"""The plain kernel: one round after the other, a card at a time, as one would write it first.

It follows the same `rtpsim.program.compiler.Program` as the kernel proper, with branches instead of
blocks and no tricks. It is a second opinion on the kernel's rounds (on the same cards they end
alike), and the measure of its speed that survives a change of machine: `rtpsim bench` gives the
ratio. It knows one hand a round and no side bets, and counts labels alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim._jit import kernel, loop
from rtpsim.program.settlement import FINALS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.cards import Shoe
    from rtpsim.program.compiler import Program

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_RANGE = np.uint64(1 << 32)


class PlainTables(NamedTuple):
    """The tables of a `Program` as they are, their shapes included.

    Attributes
    ----------
    step, start, start_context, join, resume, dealer
        See `Program`; ``start`` is the plane of rounds of one hand.
    first_event, finished, finals
        Code of the first event; numbers of finished contexts and of finals.
    """

    step: NDArray[np.uint32]
    start: NDArray[np.uint32]
    start_context: NDArray[np.int32]
    join: NDArray[np.int32]
    resume: NDArray[np.uint32]
    dealer: NDArray[np.uint32]
    first_event: int
    finished: int
    finals: int


def plain_tables(program: Program) -> PlainTables:
    """Return the tables that the plain kernel reads."""
    return PlainTables(
        program.step,
        np.ascontiguousarray(program.start[0]),
        program.start_context,
        program.join,
        program.resume,
        program.dealer,
        program.first_event,
        len(program.finished),
        len(FINALS),
    )


def plain_shoe(program: Program, shoe: Shoe) -> NDArray[np.int64]:
    """Return a shoe as the plain kernel has it: the classes of its cards, in any order."""
    kind = np.minimum(np.arange(len(shoe.counts)) // 4, program.classes - 1)
    return np.repeat(kind, shoe.counts)


def plain_random(seed: int) -> NDArray[np.uint64]:
    """Return the state of the plain kernel's generator."""
    return np.array([seed], dtype=np.uint64)


def plain_labels(program: Program) -> NDArray[np.int64]:
    """Return zeroed counts by number of the label (`Program.label`)."""
    return np.zeros(program.labels, dtype=np.int64)


@kernel
def play_rounds(
    rounds: int,
    tables: PlainTables,
    shoe: NDArray[np.int64],
    random: NDArray[np.uint64] | None,
    labels: NDArray[np.int64],
) -> int:
    """Play rounds, each from a full shoe, and count their labels.

    Parameters
    ----------
    rounds
        How many.
    tables
        What is played.
    shoe
        Classes of the cards; shuffled, as far as cards are needed, anew for each round.
    random
        The generator's state; None: the cards come as they lie in the shoe, the same every round.
    labels
        The counts, added to.

    Returns
    -------
    int
        How many cards the rounds took in all.
    """
    cards = 0
    for _ in range(rounds):
        label, drawn = play_round(tables, shoe, random)
        labels[label] += 1
        cards += drawn
    return cards


@loop
def play_round(
    tables: PlainTables, shoe: NDArray[np.int64], random: NDArray[np.uint64] | None
) -> tuple[int, int]:
    """Play one round; return the number of its label and how many cards it took."""
    up = min(draw(shoe, 0, random), 9)
    hole = min(draw(shoe, 1, random), 9)
    first = draw(shoe, 2, random)
    second = draw(shoe, 3, random)
    drawn = 4
    context = tables.start_context[first, second, up]
    entry = np.int64(tables.start[first, second, up, hole])
    while entry >= tables.finals:
        if entry < tables.first_event:
            card = draw(shoe, drawn, random)
            drawn += 1
            entry = np.int64(tables.step[entry, card])
        else:
            context = tables.join[context, entry - tables.first_event]
            entry = np.int64(tables.resume[context, up])
            if context < tables.finished:
                entry = np.int64(tables.dealer[up, hole, entry])
    return (up * tables.finished + context) * tables.finals + entry, drawn


@loop
def draw(shoe: NDArray[np.int64], drawn: int, random: NDArray[np.uint64] | None) -> int:
    """Draw a card from those left of a shoe, and lay it behind the ``drawn`` ones in front.

    A shuffle after Fisher and Yates, stopped where the round needs no more cards: whatever order
    the last round left the shoe in, the cards are uniform over all orders.
    """
    if random is not None:
        place = drawn + below(shoe.size - drawn, random)
        card = shoe[place]
        shoe[place] = shoe[drawn]
        shoe[drawn] = card
    return int(shoe[drawn])


@loop
def below(limit: int, random: NDArray[np.uint64]) -> int:
    """Return a random number from 0 to ``limit`` - 1, from 32 bits.

    D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
    """
    size = np.uint64(limit)
    threshold = _RANGE % size
    while True:
        product = (next_word(random) >> _HALF) * size
        if product & _LOW >= threshold:
            return int(np.int64(product >> _HALF))


@loop
def next_word(random: NDArray[np.uint64]) -> np.uint64:
    """Return 64 random bits: SplitMix64.

    G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators",
    OOPSLA '14 (2014).
    """
    random[0] += _GOLDEN
    word = random[0]
    word = (word ^ (word >> _SHIFTS[0])) * _MIX_1
    word = (word ^ (word >> _SHIFTS[1])) * _MIX_2
    return np.uint64(word ^ (word >> _SHIFTS[2]))
