"""Joins: every context that can occur, where each event leads it and what it pays, as tables.

A context's results and its hands still to be played change independently of each other. Both are
therefore numbered, and a context is a pair of small numbers while thousands of them are explored:
`rtpsim.program.contexts.advance` and `rtpsim.program.settlement.settle` say what happens, each
asked once for every part instead of once for every context.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.program import contexts as ctx
from rtpsim.program.events import Ending, Event, Result, Split
from rtpsim.program.settlement import FINALS, NEEDS, Final, Need, dealer_need, settle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rtpsim.rules import Rules

_IN_SPLIT = (Ending.STAND, Ending.BUST, Ending.DOUBLE, Ending.CHARLIE)

_NATURAL = FINALS.index(Final.NATURAL)

_NOWHERE = -1


class _Group(NamedTuple):
    """Events after which a split hand counts the same."""

    columns: list[int]
    event: Result


@dataclass
class Joins:
    """The contexts of a game and how they follow each other.

    Parameters
    ----------
    rules
        The rules.
    events
        What can happen to a hand, in the order of their numbers.
    insured
        Whether insurance is ever taken.

    Attributes
    ----------
    contexts
        All contexts, the finished ones first.
    join
        Number of the context by (context, event), int32; -1 where impossible.
    """

    rules: Rules
    events: Sequence[Event]
    insured: bool
    contexts: list[ctx.Context] = field(init=False)
    join: NDArray[np.int32] = field(init=False)
    # What a context still has to play: the context without its results.
    _rests: ctx.Numbering[ctx.Context] = field(default_factory=ctx.Numbering)
    _results: ctx.Numbering[tuple[Result, ...]] = field(default_factory=ctx.Numbering)
    _pairs: ctx.Numbering[tuple[int, int]] = field(default_factory=ctx.Numbering)
    _after_hand: dict[int, int] = field(default_factory=dict)  # rest -> rest
    _grown: dict[int, list[int]] = field(default_factory=dict)  # results -> results by group

    def __post_init__(self) -> None:
        rows = self._explore()
        contexts = [self._context(rest, results) for rest, results in self._pairs.items]
        finished = np.array([context.finished for context in contexts])
        order = np.argsort(~finished, kind="stable")
        place = np.empty(len(order) + 1, dtype=np.int32)
        place[order] = np.arange(len(order))
        place[_NOWHERE] = _NOWHERE
        self.contexts = [contexts[number] for number in order]
        self.join = place[rows[order]]

    def _context(self, rest: int, results: int) -> ctx.Context:
        played = self._results.items[results]
        insured, _, current, pending, splits, power = self._rests.items[rest]
        return ctx.Context(insured, played, current, pending, splits, power)

    @property
    def finished(self) -> tuple[ctx.Context, ...]:
        """The finished contexts."""
        return tuple(context for context in self.contexts if context.finished)

    def _explore(self) -> NDArray[np.int32]:
        """Find every context that can occur; return the row of each: context by event."""
        for insured in (False, True) if self.insured else (False,):
            self._number(ctx.fresh(insured=insured))
        groups = self._groups()
        group_of = np.full(len(self.events), len(groups))
        for number, group in enumerate(groups):
            group_of[group.columns] = number
        rows: dict[int, NDArray[np.int32]] = {}
        waiting = list(range(len(self._pairs.items)))
        seen = len(waiting)
        while waiting:
            number = waiting.pop()
            rest = self._rests.items[self._pairs.items[number][0]]
            if rest.splits == 0:
                row = self._first_row(number, rest)
            elif rest.current is not None:
                row = self._split_row(number, rest, groups)[group_of]
                self._split_again(number, rest, row)
            else:
                row = np.full(len(self.events), _NOWHERE, dtype=np.int32)
            rows[number] = row
            waiting.extend(range(seen, len(self._pairs.items)))
            seen = len(self._pairs.items)
        return np.array([rows[number] for number in range(seen)], dtype=np.int32)

    def _groups(self) -> list[_Group]:
        """Return the events that can end a split hand, those that count the same together."""
        groups: dict[tuple[Result, ...], _Group] = {}
        waiting = ctx.Context(False, (), ctx.SplitHand(0, 1), (), 1, False)
        for number, event in enumerate(self.events):
            if isinstance(event, Result) and event.ending in _IN_SPLIT:
                merged = ctx.advance(self.rules, waiting, event).results
                groups.setdefault(merged, _Group([], event)).columns.append(number)
        return list(groups.values())

    def _number(self, context: ctx.Context) -> int:
        """Return the number of a context."""
        rest = self._rests.number(context._replace(results=()))
        return self._pairs.number((rest, self._results.number(context.results)))

    def _first_row(self, number: int, rest: ctx.Context) -> NDArray[np.int32]:
        """Return where each event leads an initial hand that has not been split."""
        row = np.full(len(self.events), _NOWHERE, dtype=np.int32)
        if not self._results.items[self._pairs.items[number][1]]:
            for column, event in enumerate(self.events):
                row[column] = self._number(ctx.advance(self.rules, rest, event))
        return row

    def _split_row(self, number: int, rest: ctx.Context, groups: list[_Group]) -> NDArray[np.int32]:
        """Return where each group of results leads a split hand; -1 behind the last."""
        rest_number, results = self._pairs.items[number]
        if rest_number not in self._after_hand:
            after = ctx.advance(self.rules, rest, groups[0].event)._replace(results=())
            self._after_hand[rest_number] = self._rests.number(after)
        if results not in self._grown:
            context = rest._replace(results=self._results.items[results])
            self._grown[results] = [
                self._results.number(ctx.advance(self.rules, context, event).results)
                for _, event in groups
            ]
        following, pair = self._after_hand[rest_number], self._pairs.number
        row = [pair((following, grown)) for grown in self._grown[results]]
        return np.array([*row, _NOWHERE], dtype=np.int32)

    def _split_again(self, number: int, rest: ctx.Context, row: NDArray[np.int32]) -> None:
        """Write down where another split leads a split hand, if the rules allow it one."""
        if not ctx.may_split_again(self.rules, rest):
            return
        again = Split(ctx.origin_of(self.rules, rest).card)
        if again in self.events:
            after = self._rests.number(ctx.advance(self.rules, rest, again))
            row[self.events.index(again)] = self._pairs.number(
                (after, self._pairs.items[number][1])
            )


def settlement_table(
    rules: Rules, finished: Sequence[ctx.Context]
) -> tuple[NDArray[np.int32], NDArray[np.uint32]]:
    """Return what finished contexts pay, and how far the dealer has to play for them.

    The hands of a split are settled one by one and added up.

    Returns
    -------
    settlement
        Net, wager, insurance net and wager by (finished context, final), int32, shape
        (finished, 9, 4).
    needs
        Position in `NEEDS` by finished context, uint32.
    """
    table = np.zeros((len(finished), len(FINALS), 4), dtype=np.int32)
    needs = np.zeros(len(finished), dtype=np.uint32)
    hands: dict[tuple[Result, bool], tuple[NDArray[np.int32], int]] = {}

    def hand(result: Result, insured: bool) -> tuple[NDArray[np.int32], int]:
        """Settle one hand; the insurance belongs to the first of an initial hand."""
        key = result, insured
        if key not in hands:
            need = dealer_need(rules, (result,), insured=insured)
            paid = np.zeros((len(FINALS), 4), dtype=np.int32)
            for code, final in enumerate(FINALS):
                if not (need is Need.FINAL and final is Final.NONE):
                    paid[code] = settle(rules, (result,), insured=insured, final=final)
            hands[key] = paid, NEEDS.index(need)
        return hands[key]

    for number, context in enumerate(finished):
        parts = [
            hand(result, context.insured and place == 0)
            for place, result in enumerate(context.results)
        ]
        for paid, need in parts:
            table[number] += paid
            needs[number] = max(needs[number], need)
        if rules.hole_card == "obo":  # a natural takes one bet, however many hands there are
            table[number, _NATURAL] = settle(
                rules, context.results, insured=context.insured, final=Final.NATURAL
            )
    never = needs == NEEDS.index(Need.FINAL)
    table[never, FINALS.index(Final.NONE)] = 0  # the dealer plays out
    return table, needs
