"""Packing: a Program's arrays as the words that the kernel reads (`rtpsim.simulation.layout`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rtpsim.program import settlement
from rtpsim.simulation import layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.program.compiler import Program

FINAL_CODES = len(settlement.FINALS)
UPS = 10
UP_ROWS = 1 << int(layout.UP_BITS)
"""Rows of labels for the up cards of a context, ten of them used."""

ROW = 1 << int(layout.ENTRY)
"""Length of a row of ``steps`` and ``ahead``; classes beyond the Program's are never used."""


class Contexts(NamedTuple):
    """Contexts as the kernel numbers them: 0 is the hand to which nothing has happened yet.

    The finished ones follow: all bits of a finished hand's context change from that 0, and a number
    above theirs is that of a hand that plays on after a split, or is insured.

    Attributes
    ----------
    number
        The kernel's number of a context, by the Program's.
    order
        The Program's number, by the kernel's.
    """

    number: NDArray[np.int64]
    order: NDArray[np.int64]

    @classmethod
    def of(cls, program: Program) -> Contexts:
        """Give the contexts of a Program their numbers."""
        uninsured = program.start_context[program.insured[program.start_context] == 0]
        fresh = int(uninsured.flat[0])
        order = np.array([fresh, *(c for c in range(program.join.shape[0]) if c != fresh)])
        return cls(np.argsort(order), order)


def join_table(program: Program, contexts: Contexts) -> NDArray[np.uint32]:
    """Return the ``join`` of `Tables`: contexts, with their needs where they are finished."""
    finished = program.join < len(program.finished)
    need = np.where(finished, program.resume[program.join, 0], 0).astype(np.uint32)
    codes: NDArray[np.uint32] = contexts.number[program.join].astype(np.uint32)
    return (codes | need << np.uint32(layout.JOIN_NEED))[contexts.order]


def entries(codes: NDArray[Any]) -> NDArray[np.uint64]:
    """Return codes of the Program as a round has them."""
    return codes.astype(np.uint64) << layout.ENTRY


def step_table(program: Program) -> NDArray[np.uint32]:
    """Return the ``steps`` of `Tables`."""
    steps = np.zeros((program.first_event, ROW), dtype=np.uint32)
    steps[:, : program.classes] = entries(program.step[:, : program.classes])
    return steps


def ahead_table(program: Program, contexts: Contexts, *, alone: bool) -> NDArray[np.uint64]:
    """Return the ``ahead`` of `Tables`; every entry leads to itself where all are played alone."""
    rows = program.first_event + 1  # the last is that of the entry that waits
    changed = np.full((rows, ROW), layout.KEEPS_ON, dtype=np.uint64) << layout.NEED
    if alone:
        return changed
    entry = program.step[:, : program.classes].astype(np.int64)
    context, finishes = _finishes(program, contexts)
    need = np.where(finishes, program.resume[context, 0].astype(np.int64), layout.KEEPS_ON)
    code = np.where(entry >= program.first_event, 0, entry)
    context = np.where(finishes, contexts.number[context], 0)
    before = np.arange(program.first_event)[:, np.newaxis]
    changed[:-1, : program.classes] = (
        (entries(code) ^ entries(before))
        | (context.astype(np.uint64) << layout.CONTEXT)
        | (need.astype(np.uint64) << layout.NEED)
    )
    return changed


def _finishes(program: Program, contexts: Contexts) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the context that a card leads a fresh hand to, and where the hand is finished by it.

    By (entry, class).
    """
    entry = program.step[:, : program.classes].astype(np.int64)
    happens = entry >= program.first_event
    event = np.where(happens, entry - program.first_event, 0)
    context = program.join[contexts.order[0], event].astype(np.int64)
    return context, happens & (context >= 0) & (context < len(program.finished))


def splits_later(program: Program, contexts: Contexts) -> bool:
    """Return whether a hand with a card more could still be split.

    No rules are known that would allow that; all rounds are played apart then.
    """
    happens = program.step[:, : program.classes] >= program.first_event
    _, finishes = _finishes(program, contexts)
    return bool((happens & ~finishes & _reached(program, contexts)[:, np.newaxis]).any())


def _reached(program: Program, contexts: Contexts) -> NDArray[np.bool_]:
    """Return which states a hand that has not been split comes to."""
    fresh = (program.start_context == contexts.order[0])[..., np.newaxis]
    starts = program.start[0][np.broadcast_to(fresh, program.start[0].shape)]
    reached = np.zeros(program.first_event, dtype=bool)
    waiting = set(starts[starts < program.first_event].tolist())
    while waiting:
        reached[list(waiting)] = True
        following = program.step[list(waiting), : program.classes].ravel()
        states = following[following < program.first_event]
        waiting = set(states[~reached[states]].tolist())
    return reached


def dealer_table(program: Program) -> NDArray[np.uint64]:
    """Return the dealer's part of the ``onward`` of `Tables`."""
    needs = layout.KEEPS_ON + 1
    table = np.zeros((UP_ROWS, UP_ROWS, needs), dtype=np.uint64)
    table[:UPS, :UPS, : program.dealer.shape[2]] = entries(program.dealer)
    return table ^ (np.arange(needs, dtype=np.uint64) << layout.NEED)


def _modes(program: Program) -> NDArray[np.uint64]:
    """Return 16 x up card + dealer's second card by number of the deal, one plane."""
    up, hole = np.meshgrid(np.arange(UPS), np.arange(UPS), indexing="ij")
    shape = program.start.shape[1:]
    return np.broadcast_to(up * 16 + hole, shape).astype(np.uint64)


class _Followed(NamedTuple):
    """Starts whose first event has been followed: entry (or need), context, whether finished."""

    entry: NDArray[np.uint64]
    context: NDArray[np.uint64]
    finished: NDArray[np.bool_]


def _followed(program: Program) -> _Followed:
    """Follow the first event of every start, in both planes."""
    entry = program.start.astype(np.int64)
    context = np.broadcast_to(program.start_context[..., np.newaxis], entry.shape).astype(np.int64)
    up = np.broadcast_to(np.arange(UPS)[:, np.newaxis], entry.shape)
    happens = entry >= program.first_event
    event = np.where(happens, entry - program.first_event, 0)
    context = np.where(happens, program.join[context, event], context)
    entry = np.where(happens, program.resume[context, up], entry)
    return _Followed(
        entry.astype(np.uint64), context.astype(np.uint64), context < len(program.finished)
    )


def start_plays(program: Program, contexts: Contexts) -> NDArray[np.uint64]:
    """Return the ``apart`` of `Tables`: where a deal of one hand leads."""
    followed, mode = _followed(program), _modes(program)
    finished = followed.finished[0]
    need = np.where(finished, followed.entry[0], 0)
    dealer = dealer_table(program).reshape(UP_ROWS**2, -1)[
        mode.astype(np.int64), need.astype(np.int64)
    ]
    plays: NDArray[np.uint64] = (
        np.where(finished, dealer ^ (need << layout.NEED), entries(followed.entry[0]))
        | contexts.number[followed.context[0].astype(np.int64)].astype(np.uint64) << layout.CONTEXT
        | mode << layout.MODE
    )
    return _and_none(plays)


def waiting_starts(
    plays: NDArray[np.uint64], finished: int, waits: int, *, alone: bool
) -> NDArray[np.uint64]:
    """Return the ``starts`` of one hand: split or insured hands wait, or all that are not over."""
    context = plays >> layout.CONTEXT
    waiting = context > finished
    if alone:
        waiting |= (plays & layout.CODE) >= layout.FIRST_STATE
    return np.where(waiting, np.uint64(waits) | (plays & ~layout.PLAY), plays)


def _and_none(starts: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return starts with one more, for deals that are not valid."""
    return np.append(starts.ravel(), np.uint64(0))


def start_hands(program: Program, contexts: Contexts) -> NDArray[np.uint64]:
    """Return the ``starts`` of several hands a round: where each hand's cards lead."""
    followed, mode = _followed(program), _modes(program)
    over = followed.finished
    reached = followed.context.astype(np.int64)
    insured = program.insured[reached].astype(np.uint64)
    zero = np.uint64(0)
    starts: NDArray[np.uint64] = (
        entries(np.where(over, zero, followed.entry))
        | contexts.number[reached].astype(np.uint64) << layout.CONTEXT
        | np.where(over, followed.entry, zero) << layout.NEED
        | (~over).astype(np.uint64) << layout.START_PLAYS
        | insured << layout.START_INSURED
        | mode << layout.START_MODE
    )
    return _and_none(starts)


def largest_bet(program: Program) -> int:
    """Return the largest result or wager of one initial hand, in units."""
    return int(np.abs(program.settlement[:, :, :2]).max())


def worth_table(program: Program, hands: int) -> NDArray[np.uint64]:
    """Return the ``worths`` of `Tables`: added up over the hands they number a cell of totals.

    The cell of (net, wager) is (net + largest) x (largest + 1) + wager, ``largest`` being the
    largest bet of all hands together.
    """
    one = largest_bet(program)
    net, wager, _, insurance = np.moveaxis(program.settlement.astype(np.int64), 2, 0)
    cell = (net + one) * (one * hands + 1) + wager
    insured = (insurance > 0).astype(np.uint64)
    worths: NDArray[np.uint64] = cell.astype(np.uint64) | insured << layout.WORTH_INSURED
    nothing = np.zeros((1, FINAL_CODES), dtype=np.uint64)
    return np.concatenate([nothing, worths])  # the context of a hand that is not finished
