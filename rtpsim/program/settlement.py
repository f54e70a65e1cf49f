"""Settlement: what finished hands pay against the dealer's final hand."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from rtpsim.program.events import Ending, Result

if TYPE_CHECKING:
    from rtpsim.rules import Rules


class Final(StrEnum):
    """The dealer's final hand; ``NONE`` where it made no difference and was not played out."""

    NONE = "none"
    T17 = "17"
    T18 = "18"
    T19 = "19"
    T20 = "20"
    T21 = "21"
    T22 = "22"
    BUST = "bust"
    NATURAL = "natural"


FINALS = tuple(Final)
"""All finals; the position of a final here is its code in every table."""

_TOTALS = {Final.T17: 17, Final.T18: 18, Final.T19: 19, Final.T20: 20, Final.T21: 21}


class Need(StrEnum):
    """How far the dealer's hand has to be played to settle a player's."""

    NOTHING = "nothing"
    NATURAL = "natural or not"
    FINAL = "final hand"


NEEDS = tuple(Need)


class Settlement(NamedTuple):
    """What an initial hand returned: whole numbers of 1 / `Rules.unit` initial wagers.

    Attributes
    ----------
    net
        Returned less wagered, main game without insurance.
    wager
        Total wager of the main game.
    insurance_net, insurance_wager
        The same of the insurance wager; 0 where none was made.
    """

    net: int
    wager: int
    insurance_net: int
    insurance_wager: int


def settle(rules: Rules, results: tuple[Result, ...], *, insured: bool, final: Final) -> Settlement:
    """Settle the hands that one initial hand became, and its insurance."""
    unit = rules.unit
    wager = unit * sum(result.wager for result in results)
    if rules.hole_card == "obo" and final is Final.NATURAL:
        net = _settle_original_bet(unit, results)
    else:
        net = sum(_settle_hand(rules, result, final) for result in results)
    stake = unit // 2 if insured else 0
    insurance = 2 * stake if final is Final.NATURAL else -stake
    return Settlement(net, wager, insurance, stake)


def _settle_original_bet(unit: int, results: tuple[Result, ...]) -> int:
    """Settle against a natural that takes the original bets only."""
    match results[0].ending:
        case Ending.NATURAL:
            return 0
        case Ending.EVEN_MONEY:
            return unit
        case Ending.EARLY_SURRENDER:
            return -unit // 2
        case _:
            return -unit


def _settle_hand(rules: Rules, result: Result, final: Final) -> int:
    """Settle one hand, as a natural of the dealer takes all bets."""
    unit = rules.unit
    stake = unit * result.wager
    match result.ending:
        case Ending.NATURAL:
            pushed = rules.push_22 == "push-naturals" and final is Final.T22
            return 0 if pushed or final is Final.NATURAL else int(unit * rules.natural_pays)
        case Ending.EVEN_MONEY:
            return unit
        case Ending.EARLY_SURRENDER:
            return -unit // 2
        case Ending.SURRENDER:
            return -unit if final is Final.NATURAL else -unit // 2
        case Ending.BUST | Ending.DEALER_NATURAL:
            return -stake
        case Ending.CHARLIE:
            if final is Final.NATURAL:
                return -stake
            return 0 if _charlie_21_pushes(rules, result) and final is Final.T21 else stake
        case Ending.STAND | Ending.DOUBLE | Ending.POWER_DOUBLE:
            return stake * _compare(rules, result.total, final)


def _compare(rules: Rules, total: int, final: Final) -> int:
    """Return 1, 0 or -1: a hand that is neither natural nor Charlie against the dealer's."""
    if final is Final.NATURAL:
        return -1
    if final is Final.T22:
        return 1 if rules.push_22 == "none" else 0
    if final is Final.BUST:
        return 1
    dealer = _TOTALS[final]
    return (total > dealer) - (total < dealer)


def _charlie_21_pushes(rules: Rules, result: Result) -> bool:
    return rules.charlie_21_pushes and result.total == 21


def dealer_need(rules: Rules, results: tuple[Result, ...], *, insured: bool) -> Need:
    """Return how far the dealer has to play to settle these hands.

    Whether a natural is possible at all at this point is not asked: if it has been ruled out
    before, looking for it changes nothing.
    """
    needs = [_hand_need(rules, result) for result in results]
    if Need.FINAL in needs:
        return Need.FINAL
    if insured or rules.hole_card == "obo" or Need.NATURAL in needs:
        return Need.NATURAL
    return Need.NOTHING


def _hand_need(rules: Rules, result: Result) -> Need:
    match result.ending:
        case Ending.STAND | Ending.DOUBLE | Ending.POWER_DOUBLE:
            return Need.FINAL
        case Ending.NATURAL:
            return Need.FINAL if rules.push_22 == "push-naturals" else Need.NATURAL
        case Ending.CHARLIE:
            return Need.FINAL if _charlie_21_pushes(rules, result) else Need.NATURAL
        case Ending.SURRENDER | Ending.DEALER_NATURAL:
            return Need.NATURAL
        case Ending.EVEN_MONEY | Ending.EARLY_SURRENDER | Ending.BUST:
            return Need.NOTHING
