"""Ways: all that a round can come to under a Program, by following its tables.

Cards are followed as if the shoe never ran out of a rank; whether the cards of a round found are
there is for others to ask.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.cards import VALUE_CLASSES
from rtpsim.program.settlement import FINALS, NEEDS, Final, Need

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from rtpsim.program.compiler import Program

_UPS = len(VALUE_CLASSES)
_FINALS = len(FINALS)
_NONE, _NATURAL = FINALS.index(Final.NONE), FINALS.index(Final.NATURAL)

WORST = -(10**9)
"""Stands for what cannot happen."""


class Path(NamedTuple):
    """How a hand gets from one event to the next: cards drawn, event."""

    cards: tuple[int, ...]
    event: int


@dataclass
class Ways:
    """Every way in which an initial hand can go, and the best that each can come to.

    Parameters
    ----------
    program
        The game under a strategy.
    sign
        1 to look for the largest net, -1 for the smallest. Nets in here are multiplied by it, so
        that the largest is looked for in either case.
    """

    program: Program
    sign: int

    def __post_init__(self) -> None:
        contexts = len(self.program.join)
        self._best = np.full((contexts, _UPS, _FINALS), WORST, dtype=np.int64)
        self._known = np.zeros(contexts, dtype=np.bool_)
        self._paths: dict[int, tuple[Path, ...]] = {}
        self._sorted: dict[int, tuple[int, ...]] = {}

    def _events(self, state: int) -> tuple[int, ...]:
        """Return the events that a waiting hand can come to, ascending."""
        if state not in self._sorted:
            self._sorted[state] = tuple(sorted(path.event for path in self.paths(state)))
        return self._sorted[state]

    def paths(self, state: int) -> tuple[Path, ...]:
        """Return the events that a waiting hand can come to, each with the fewest cards."""
        if state not in self._paths:
            program = self.program
            found: dict[int, tuple[int, ...]] = {}
            seen = {state}
            waiting: list[tuple[int, tuple[int, ...]]] = [(state, ())]
            while waiting:
                following: list[tuple[int, tuple[int, ...]]] = []
                for here, cards in waiting:
                    for card, entry in enumerate(program.step[here, : program.classes].tolist()):
                        if entry >= program.first_event:
                            found.setdefault(entry - program.first_event, (*cards, card))
                        elif entry not in seen:
                            seen.add(entry)
                            following.append((entry, (*cards, card)))
                waiting = following
            self._paths[state] = tuple(Path(cards, event) for event, cards in found.items())
        return self._paths[state]

    def best(self, context: int) -> NDArray[np.int64]:
        """Return the best net that a context can come to, by up card and dealer's final."""
        if not self._known[context]:
            if context < len(self.program.finished):
                self._best[context] = self._paid(context)
            else:
                self._add_following(context)
            self._known[context] = True
        best: NDArray[np.int64] = self._best[context]
        return best

    def _paid(self, context: int) -> NDArray[np.int64]:
        """Return the net of a finished context by the dealer's final, were it played out."""
        nets = self.program.settlement[context, :, 0].astype(np.int64)
        need = NEEDS[int(self.program.resume[context, 0])]
        paid = np.full(_FINALS, nets[_NONE]) if need is not Need.FINAL else nets.copy()
        if need is Need.NATURAL:
            paid[_NATURAL] = nets[_NATURAL]
        return paid * self.sign

    def _add_following(self, context: int) -> None:
        """Find the best of an unfinished context, from those that can follow it."""
        alike: dict[tuple[int, ...], list[int]] = {}
        for up, state in enumerate(self.program.resume[context].tolist()):
            alike.setdefault(self._events(state), []).append(up)
        for events, ups in alike.items():
            children = np.unique(self.program.join[context, list(events)])
            for child in children[~self._known[children]].tolist():
                self.best(child)
            self._best[context, ups] = self._best[np.ix_(children, np.array(ups))].max(axis=0)

    @cached_property
    def finals(self) -> dict[tuple[int, int], dict[int, tuple[int, ...]]]:
        """Return the finals that the dealer can come to by (up card, second card), with cards."""
        return {
            (up, hole): self._dealer_finals(up, hole) for up in range(_UPS) for hole in range(_UPS)
        }

    def _dealer_finals(self, up: int, hole: int) -> dict[int, tuple[int, ...]]:
        program = self.program
        entry = int(program.dealer[up, hole, NEEDS.index(Need.FINAL)])
        found: dict[int, tuple[int, ...]] = {}
        waiting: list[tuple[int, tuple[int, ...]]] = [(entry, ())]
        seen = set()
        while waiting:
            here, cards = waiting.pop(0)
            if here < _FINALS:
                found.setdefault(here, cards)
            elif here not in seen:
                seen.add(here)
                steps = program.step[here, : program.classes].tolist()
                waiting += [(there, (*cards, card)) for card, there in enumerate(steps)]
        return found

    @cached_property
    def nets(self) -> NDArray[np.int64]:
        """Return the best net by class of both cards, up card and dealer's second card."""
        classes = self.program.classes
        best = np.full((classes, classes, _UPS, _UPS), WORST, dtype=np.int64)
        for deal in np.ndindex(best.shape):
            by_final = self._by_final(deal)
            best[deal] = max(by_final[final] for final in self.finals[deal[2], deal[3]])
        return best

    def _by_final(self, deal: Sequence[int]) -> NDArray[np.int64]:
        """Return the best net of a deal by the dealer's final."""
        best = np.full(_FINALS, WORST, dtype=np.int64)
        for _, child in self._first(deal):
            np.maximum(best, self.best(child)[deal[2]], out=best)
        return best

    def _first(self, deal: Sequence[int]) -> list[tuple[tuple[int, ...], int]]:
        """Return the contexts that a deal's first event can lead to, and the cards to it."""
        program = self.program
        first, second, up, hole = deal
        entry = int(program.start[0, first, second, up, hole])
        context = int(program.start_context[first, second, up])
        if entry >= program.first_event:
            return [((), int(program.join[context, entry - program.first_event]))]
        return [(path.cards, int(program.join[context, path.event])) for path in self.paths(entry)]

    def rounds(self, deal: Sequence[int], net: int) -> Iterator[tuple[list[int], tuple[int, ...]]]:
        """Yield rounds of a deal with a net: cards that the hand draws, and the dealer."""
        up = deal[2]
        for final, dealer in self.finals[up, deal[3]].items():
            for cards, child in self._first(deal):
                if self.best(child)[up, final] == net:
                    yield [*cards, *self._follow(child, up, final)], dealer

    def _follow(self, context: int, up: int, final: int) -> list[int]:
        """Return the cards on the best way from a context to its end."""
        drawn: list[int] = []
        while context >= len(self.program.finished):
            best = self.best(context)[up, final]
            for path in self.paths(int(self.program.resume[context, up])):
                child = int(self.program.join[context, path.event])
                if self.best(child)[up, final] == best:
                    drawn += path.cards
                    context = child
                    break
        return drawn
