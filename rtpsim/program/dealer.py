"""The dealer's hand: what it draws on and where it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.cards import ACE_CLASS, TEN_CLASS
from rtpsim.program.settlement import Final

if TYPE_CHECKING:
    from rtpsim.program.hands import Hand
    from rtpsim.rules import Rules


def is_natural(up: int, second: int) -> bool:
    """Whether the dealer's two cards (value classes) are an ace and a ten-value card."""
    return {up, second} == {ACE_CLASS, TEN_CLASS}


def peeks(rules: Rules, up: int) -> bool:
    """Whether the dealer looks for a natural under this up card before anybody plays."""
    match rules.hole_card:
        case "peek":
            return up in (ACE_CLASS, TEN_CLASS)
        case "peek-ace":
            return up == ACE_CLASS
        case "peek-ten":
            return up == TEN_CLASS
        case "obo" | "enhc":
            return False


def dealer_final(rules: Rules, hand: Hand) -> Final | None:
    """Return the final of a dealer hand that is no natural, or None where it draws."""
    if hand.best > 22:
        return Final.BUST
    if hand.best < 17 or (hand.best == 17 and hand.soft and rules.soft17 == "hit"):
        return None
    return Final(str(hand.best))
