"""Contexts: what has become of one initial hand so far, apart from the hand in play.

The hand in play is a state of the `Graph`; its context remembers the insurance, the results of
the hands already finished and the hands of a split that still wait. Keeping the two apart is what
makes splits, resplits and several hands a round small: each is the same hand states with another
context.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from rtpsim.cards import ACE_CLASS
from rtpsim.program.events import BUST_TOTAL, Ending, Event, PowerSplit, Result, Split
from rtpsim.program.graph import Origin

if TYPE_CHECKING:
    from rtpsim.rules import Rules

Item = TypeVar("Item")

STANDING_LOW = 16
"""Finals of 16 and less are one after a split: all of them win only if the dealer busts."""


class SplitHand(NamedTuple):
    """A hand of a split: class of its first card, splits above it (0 where nobody asks)."""

    card: int
    depth: int


class Context(NamedTuple):
    """What has become of one initial hand, apart from the hand in play.

    Attributes
    ----------
    insured
        Whether the insurance wager was made.
    results
        Results of the hands finished, sorted.
    current
        The split hand in play; None before a split and when all hands are finished.
    pending
        Split hands still to be played, the next one last.
    splits
        How often the initial hand has been split.
    power
        Whether the first split was a power split.
    """

    insured: bool
    results: tuple[Result, ...]
    current: SplitHand | None
    pending: tuple[SplitHand, ...]
    splits: int
    power: bool

    @property
    def finished(self) -> bool:
        """Whether no hand remains to be played."""
        return bool(self.results) and self.current is None

    @property
    def route(self) -> str:
        """How the initial hand ended, or ``split`` / ``power-split``."""
        if self.splits:
            return "power-split" if self.power else "split"
        return str(self.results[0].ending)


def fresh(*, insured: bool) -> Context:
    """Return the context of an initial hand before any play."""
    return Context(insured, (), None, (), 0, False)


def advance(rules: Rules, context: Context, event: Event) -> Context:
    """Return the context after an event of the hand in play."""
    match event:
        case Result():
            return _finish_hand(context, event)
        case PowerSplit(first, second):
            return context._replace(
                current=SplitHand(first, 1),
                pending=(SplitHand(second, 1),),
                splits=1,
                power=True,
            )
        case Split(card):
            depth = 1 if context.current is None else context.current.depth + 1
            hand = SplitHand(card, depth if rules.splits == "tree" else 1)
            return context._replace(
                current=hand, pending=(*context.pending, hand), splits=context.splits + 1
            )


def _finish_hand(context: Context, result: Result) -> Context:
    if not context.splits:
        return context._replace(results=(result,))
    results = tuple(sorted((*context.results, _after_split(result))))
    *waiting, following = (*context.pending,) or (None,)
    return context._replace(results=results, current=following, pending=tuple(waiting))


def _after_split(result: Result) -> Result:
    """Merge results that settle alike, so that the combinations of several hands stay few."""
    if result.ending is Ending.CHARLIE:
        return result if result.total == 21 else result._replace(total=20)
    if result.ending is Ending.BUST:
        return result
    return Result(Ending.STAND, max(result.total, STANDING_LOW), result.wager)


def may_split_again(rules: Rules, context: Context) -> bool:
    """Whether the split hand in play may be split once more if it pairs."""
    if context.current is None or (context.power and rules.power_split != "resplit"):
        return False
    if context.current.card == ACE_CLASS and not rules.resplit_aces:
        return False
    if rules.splits == "tree":
        return context.current.depth < 2
    return context.splits < rules.splits


def origin_of(rules: Rules, context: Context) -> Origin:
    """Return the origin that the hand in play of a split has."""
    assert context.current is not None, "the initial hand has no origin"
    return Origin(context.current.card, may_split_again(rules, context), context.splits)


def describe_final(results: tuple[Result, ...]) -> str:
    """Write the player's final hands: ``20``, ``bust``, after a split ``bust/19x2``."""

    def one(result: Result) -> str:
        total = "bust" if result.total == BUST_TOTAL else str(result.total)
        if result.ending is Ending.CHARLIE and len(results) > 1:
            total = "charlie 21" if result.total == 21 else "charlie"
        return total if result.wager == 1 or len(results) == 1 else f"{total}x{result.wager}"

    return "/".join(one(result) for result in results)


@dataclass
class Numbering(Generic[Item]):
    """Numbers things in the order in which they are first seen."""

    items: list[Item] = field(default_factory=list)
    numbers: dict[Item, int] = field(default_factory=dict)

    def number(self, item: Item) -> int:
        """Return the item's number, giving it the next one if it is new."""
        if item not in self.numbers:
            self.numbers[item] = len(self.items)
            self.items.append(item)
        return self.numbers[item]
