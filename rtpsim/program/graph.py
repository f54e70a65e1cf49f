"""Graph: the states of a player's hand, the legal actions in each, and where cards lead.

All rules of play live here (those of settlement in `rtpsim.program.settlement`). The graph is
implicit: nodes are values, and the methods give each node's neighbours.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from rtpsim.cards import ACE_CLASS
from rtpsim.program.events import BUST_TOTAL, Ending, Event, PowerSplit, Result, Split
from rtpsim.program.hands import Hand, hand_of

if TYPE_CHECKING:
    from rtpsim.rules import Rules


class Action(StrEnum):
    """What a player may decide."""

    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    POWER_DOUBLE = "power double"
    POWER_SPLIT = "power split"


class Purpose(StrEnum):
    """Why a hand waits for a card."""

    SECOND = "second card"
    HIT = "hit"
    DOUBLE = "double"
    POWER_DOUBLE = "power double"
    REPLACEMENT = "replacement"


class Origin(NamedTuple):
    """Where a split hand comes from.

    Attributes
    ----------
    card
        Class of the card it began with.
    may_split
        Whether it may be split once more, should its first two cards pair.
    splits
        How often the initial hand has been split so far; 0 where nobody asks.
    """

    card: int
    may_split: bool
    splits: int


class Spot(NamedTuple):
    """A hand in its place: ``origin`` is None for the initial hand."""

    hand: Hand
    origin: Origin | None


class Draw(NamedTuple):
    """The hand waits for a card."""

    purpose: Purpose
    spot: Spot


class Decision(NamedTuple):
    """The player chooses one of the actions that `Graph.legal` lists."""

    spot: Spot


class Shown(NamedTuple):
    """A power double's third card is shown: it is kept or replaced."""

    spot: Spot
    card: int


Node = Draw | Decision | Shown | Event

_DOUBLE_TOTALS = {
    "8-11": range(8, 12),
    "9-11": range(9, 12),
    "10-11": range(10, 12),
    "11": range(11, 12),
    "none": range(0),
}


class Graph:
    """The hand's states under a set of rules.

    Parameters
    ----------
    rules
        The rules of play.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        # Ranks have to be told apart only where pairs of tens are split by rank.
        self.classes = 13 if rules.split_by == "rank" and rules.max_splits > 0 else 10

    def deal(self, first: int, second: int) -> Node:
        """Return where the initial two cards lead: a decision, or the end with a natural."""
        hand = hand_of(first, second)
        if hand.best == 21:
            return Result(Ending.NATURAL, 21, 1)
        return Decision(Spot(hand, None))

    def legal(self, spot: Spot, up: int) -> tuple[Action, ...]:
        """Return the actions that the rules allow, standing first."""
        hand, origin = spot
        actions = [Action.STAND]
        one_card_only = origin is not None and self._ace_stands(origin) and hand.cards == 2
        if not one_card_only:
            actions.append(Action.HIT)
            if self._may_double(spot):
                actions.append(Action.DOUBLE)
        if self._may_split(spot):
            actions.append(Action.SPLIT)
        if origin is None and hand.cards == 2:
            if self._may_surrender(up):
                actions.append(Action.SURRENDER)
            if self._may_power_double(hand):
                actions.append(Action.POWER_DOUBLE)
            if self._may_power_split(hand):
                actions.append(Action.POWER_SPLIT)
        return tuple(actions)

    def after(self, spot: Spot, action: Action, cards: tuple[int, int] | None = None) -> Node:
        """Return where an action leads; ``cards`` are the initial two in the order dealt."""
        hand = spot.hand
        match action:
            case Action.STAND:
                return Result(Ending.STAND, hand.best, 1)
            case Action.HIT:
                return Draw(Purpose.HIT, spot)
            case Action.DOUBLE:
                return Draw(Purpose.DOUBLE, spot)
            case Action.POWER_DOUBLE:
                return Draw(Purpose.POWER_DOUBLE, spot)
            case Action.SPLIT:
                return Split(hand.composition[0] if spot.origin is None else spot.origin.card)
            case Action.POWER_SPLIT:
                return PowerSplit(*(cards or hand.composition))
            case Action.SURRENDER:
                return Result(self.surrender_ending, hand.best, 1)

    @property
    def surrender_ending(self) -> Ending:
        """Whether a surrender is an early or a late one."""
        early = self.rules.surrenders_early
        return Ending.EARLY_SURRENDER if early else Ending.SURRENDER

    def draw(self, waiting: Draw, card: int) -> Node:
        """Return where a card leads a hand that waits for one."""
        hand = waiting.spot.hand.with_card(card)
        spot = Spot(hand, waiting.spot.origin)
        match waiting.purpose:
            case Purpose.POWER_DOUBLE:
                return Shown(waiting.spot, card)
            case Purpose.DOUBLE:
                return self._doubled(spot, Ending.DOUBLE)
            case Purpose.REPLACEMENT:
                return self._doubled(spot, Ending.POWER_DOUBLE)
            case Purpose.SECOND | Purpose.HIT:
                return self.arrive(spot)

    def keep(self, shown: Shown) -> Node:
        """Return the end of a power double whose third card is kept."""
        spot = Spot(shown.spot.hand.with_card(shown.card), None)
        return self._doubled(spot, Ending.POWER_DOUBLE)

    def replace(self, shown: Shown) -> Node:
        """Return the wait for the card that replaces a power double's third card."""
        return Draw(Purpose.REPLACEMENT, shown.spot)

    def arrive(self, spot: Spot) -> Node:
        """Return what a hand of two cards and more does by itself, or the decision it faces."""
        hand, origin = spot
        if hand.best > 21:
            return Result(Ending.BUST, BUST_TOTAL, 1)
        if self._is_charlie(spot):
            return Result(Ending.CHARLIE, hand.best, 1)
        if hand.best == 21 and not self.rules.hit_21:
            return Result(Ending.STAND, 21, 1)
        if hand.cards == self.rules.max_cards:
            return Result(Ending.STAND, hand.best, 1)
        if origin is not None and self._ace_stands(origin) and not self._may_split(spot):
            return Result(Ending.STAND, hand.best, 1)
        return Decision(spot)

    def _doubled(self, spot: Spot, ending: Ending) -> Node:
        """Return the end of a doubled hand."""
        if spot.hand.best > 21:
            return Result(Ending.BUST, BUST_TOTAL, 2)
        if self._is_charlie(spot):
            return Result(Ending.CHARLIE, spot.hand.best, 2)
        return Result(ending, spot.hand.best, 2)

    def _is_charlie(self, spot: Spot) -> bool:
        allowed = spot.origin is None or self.rules.charlie_after_split
        return spot.hand.cards == self.rules.charlie and allowed

    def _ace_stands(self, origin: Origin) -> bool:
        return origin.card == ACE_CLASS and not self.rules.hit_split_aces

    def _may_double(self, spot: Spot) -> bool:
        rules, (hand, origin) = self.rules, spot
        if hand.cards != 2 and not rules.double_any_cards:
            return False
        if origin is not None:
            if not rules.double_after_split:
                return False
            if origin.card == ACE_CLASS and not rules.double_split_aces:
                return False
        elif hand.cards == 2 and self._may_power_double(hand):
            return False  # the power double takes the ordinary double's place
        if rules.double == "any":
            return True
        allowed = _DOUBLE_TOTALS[rules.double]
        if hand.soft:
            return rules.double_soft and hand.best - 10 in allowed
        return hand.best in allowed

    def _may_split(self, spot: Spot) -> bool:
        hand, origin = spot
        if not hand.is_pair(self.rules.split_by):
            return False
        return self.rules.splits != 0 if origin is None else origin.may_split

    def _may_surrender(self, up: int) -> bool:
        if self.rules.surrender in ("late-not-ace", "early-ten"):
            return up != ACE_CLASS
        return self.rules.surrender != "none"

    def _may_power_double(self, hand: Hand) -> bool:
        match self.rules.power_double:
            case "none":
                return False
            case "10-11":
                return not hand.soft and hand.best in (10, 11)
            case "9-11":
                return not hand.soft and hand.best in (9, 10, 11)
            case "9-11-soft":
                return hand.best in ((19, 20) if hand.soft else (9, 10, 11))

    def _may_power_split(self, hand: Hand) -> bool:
        fits = hand.best in (15, 16) and not hand.has_ace
        return self.rules.power_split != "none" and fits
