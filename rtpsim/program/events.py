"""What can happen to a player's hand: it ends with a result, or it is split."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Ending(StrEnum):
    """How a hand ended."""

    NATURAL = "natural"
    EVEN_MONEY = "even-money"
    DEALER_NATURAL = "dealer-natural"
    EARLY_SURRENDER = "early-surrender"
    SURRENDER = "surrender"
    STAND = "stand"
    BUST = "bust"
    DOUBLE = "double"
    POWER_DOUBLE = "power-double"
    CHARLIE = "charlie"


class Result(NamedTuple):
    """A finished hand: how it ended, its final total (22 for a bust), units wagered on it."""

    ending: Ending
    total: int
    wager: int


class Split(NamedTuple):
    """A pair is split: two hands, each beginning with a card of class ``card``."""

    card: int


class PowerSplit(NamedTuple):
    """The initial hand is power split: the first hand begins with ``first``, then ``second``."""

    first: int
    second: int


Event = Result | Split | PowerSplit

BUST_TOTAL = 22
