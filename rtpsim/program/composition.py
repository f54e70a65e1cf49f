"""Strategies that decide by all the cards of a hand, and what the compiler asks of them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from rtpsim.cards import TEN_CLASS, VALUE_CLASSES
from rtpsim.errors import InputError
from rtpsim.program.graph import Action, Draw, Origin, Purpose, Spot
from rtpsim.program.player import ChartPlayer
from rtpsim.strategy.chart import Chart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rtpsim.program.hands import Hand
    from rtpsim.program.player import Player
    from rtpsim.rules import Rules

    Decision = tuple[tuple[int, ...], tuple[int, int] | None, int]

Strategy: TypeAlias = "Chart | CompositionStrategy"
"""Whatever a simulation plays by."""

_ANY_SPLIT = Origin(1, False, 0)


@dataclass(frozen=True)
class CompositionStrategy:
    """A strategy that decides by the whole composition of a hand.

    Hands are told apart by value; initial two cards by rank too, where ``actions`` have them so
    (ten and jack, as (9, 10), beside two tens, (9, 9), which may be split).

    Attributes
    ----------
    actions
        The action for (composition, origin, up): composition as in `Hand`; origin None for the
        initial hand, else the value class of the card it began with and how many splits there have
        been (the split model CDP); up card as value class.
    insured
        Initial hands (two value classes, ascending) for which insurance is taken.
    replaced
        (composition of the initial two cards, up, third card) of power doubles where the third
        card is replaced.
    resplit
        (value class, up card) of split hands that are split again, should they pair and the rules
        allow it; where they do not, and for others, ``actions`` decide.
    name
        What tables and files call it.
    """

    actions: Mapping[Decision, Action]
    insured: frozenset[tuple[int, int]] = frozenset()
    replaced: frozenset[tuple[tuple[int, ...], int, int]] = field(default=frozenset())
    resplit: frozenset[tuple[int, int]] = frozenset()
    name: str = "by composition"

    @cached_property
    def sha256(self) -> str:
        """Hash of what it decides; its name does not count."""
        said = [
            sorted((*key, str(action)) for key, action in self.actions.items() if key[1] is None),
            sorted((*key, str(action)) for key, action in self.actions.items() if key[1]),
            sorted(self.insured),
            sorted(self.replaced),
            sorted(self.resplit),
        ]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()

    def action(self, spot: Spot, up: int, legal: tuple[Action, ...]) -> Action:
        """Return the action in the table: see `Player.action`.

        Raises
        ------
        InputError
            If the table has no action, or an illegal one, for the hand.
        """
        origin = None
        if spot.origin is not None:
            origin = min(spot.origin.card, TEN_CLASS), spot.origin.splits
            if Action.SPLIT in legal and (origin[0], up) in self.resplit:
                return Action.SPLIT
        composition = spot.hand.composition
        action = self.actions.get((composition, origin, up))
        if action is None:
            action = self.actions.get((_by_value(composition), origin, up))
        if action not in legal:
            allowed = ", ".join(legal)
            raise InputError(
                f"composition strategy: {spot.hand} v {VALUE_CLASSES[up]}: "
                f"{action or 'no action'}; allowed are {allowed}"
            )
        return action

    def insures(self, first: int, second: int) -> bool:
        """Return whether the pair is listed: see `Player.insures`."""
        return _by_value((first, second)) in self.insured

    def replaces(self, hand: Hand, up: int, card: int) -> bool:
        """Return whether the card is listed: see `Player.replaces`."""
        return (_by_value(hand.composition), up, min(card, TEN_CLASS)) in self.replaced

    def canonical(self, waiting: Draw) -> Draw:
        """Keep a hand's cards by value, and nothing of one that is doubled: see `Player`."""
        purpose, (hand, origin) = waiting
        match purpose:
            case Purpose.SECOND:  # it may yet pair by rank
                return waiting
            case Purpose.HIT:
                if origin is not None:
                    origin = Origin(min(origin.card, TEN_CLASS), False, origin.splits)
                return Draw(
                    purpose, Spot(hand._replace(composition=_by_value(hand.composition)), origin)
                )
            case Purpose.POWER_DOUBLE:
                return Draw(
                    purpose, Spot(hand._replace(composition=_by_value(hand.composition)), origin)
                )
            case Purpose.DOUBLE | Purpose.REPLACEMENT:
                where = None if origin is None else _ANY_SPLIT
                return Draw(purpose, Spot(hand._replace(composition=()), where))


def player_of(strategy: Strategy, rules: Rules) -> Player:
    """Return what the compiler asks of a strategy under some rules."""
    return ChartPlayer(strategy, rules) if isinstance(strategy, Chart) else strategy


def _by_value(cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return cards as ascending value classes."""
    return tuple(sorted(min(card, TEN_CLASS) for card in cards))
