"""What a seat is paid when the round is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.reference.results import HandResult, SeatResult

if TYPE_CHECKING:
    from rtpsim.reference.hands import Dealer, Hand, Seat
    from rtpsim.reference.narration import Silence
    from rtpsim.rules import Rules


def settle_seat(rules: Rules, unit: int, seat: Seat, dealer: Dealer, tell: Silence) -> SeatResult:
    """Settle the main game and the insurance of a seat in 1 / ``unit`` wagers, and tell so."""
    net, endings = _main_game(rules, unit, seat, dealer)
    wager = unit * seat.wager
    tell.settled(seat, net, wager, endings)
    insurance_net = insurance_wager = 0
    if seat.insured:
        insurance_wager = unit // 2
        insurance_net = unit if dealer.final == "natural" else -insurance_wager
        tell.insurance_settled(seat, insurance_net)
    hands = tuple(
        HandResult(hand.route, tuple(hand.cards), hand.total, hand.wager) for hand in seat.hands
    )
    return SeatResult(
        net=net,
        wager=wager,
        insurance_net=insurance_net,
        insurance_wager=insurance_wager,
        route=seat.route,
        natural=seat.natural,
        hands=hands,
        side_bets=seat.side_bets,
    )


def _main_game(rules: Rules, unit: int, seat: Seat, dealer: Dealer) -> tuple[int, list[str]]:
    """Return the net of a seat's main game, and what becomes of each of its hands."""
    if seat.early_surrender:
        return -unit // 2, ["is surrendered"]
    if seat.even_money:
        return unit, ["takes even money"]
    if dealer.final == "natural":
        if seat.natural:
            return 0, ["pushes, natural with natural"]
        every_hand = ["falls to the dealer's natural"] * len(seat.hands)
        if rules.hole_card == "obo":
            return -unit, every_hand
        # (one wager is all that was placed when the natural ended the round before any play)
        return -unit * seat.wager, every_hand
    settled = [_hand_net(rules, unit, hand, dealer) for hand in seat.hands]
    return sum(net for net, _ in settled), [words for _, words in settled]


def _hand_net(rules: Rules, unit: int, hand: Hand, dealer: Dealer) -> tuple[int, str]:
    """Return the net of one hand where the dealer has no natural, and what becomes of it."""
    stake = unit * hand.wager
    if hand.route == "natural":
        if dealer.final == "22" and rules.push_22 == "push-naturals":
            return 0, "pushes as a natural with 22"
        pays = rules.natural_pays
        return unit * pays.numerator // pays.denominator, "wins as a natural"
    if hand.route == "surrender":
        return -unit // 2, "is surrendered"
    if hand.total > 21:
        return -stake, "is bust"
    if hand.route == "charlie":
        if rules.charlie_21_pushes and hand.total == 21 and dealer.final == "21":
            return 0, "pushes as a Charlie with 21"
        return stake, "wins as a Charlie"
    if dealer.final == "22":
        return 0, "pushes with 22"
    if dealer.final == "bust":
        return stake, "wins against a bust dealer"
    if hand.total > dealer.total:
        return stake, "wins"
    if hand.total < dealer.total:
        return -stake, "loses"
    return 0, "pushes"
