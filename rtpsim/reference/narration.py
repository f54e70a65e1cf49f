"""What is told of a round while it is played: nothing, or a readable trace."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rtpsim.cards import VALUE_CLASSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtpsim.cards import Card
    from rtpsim.reference.hands import Hand, Seat
    from rtpsim.reference.player import Decision
    from rtpsim.reference.results import SeatResult
    from rtpsim.sidebets import SideBet

_TOLD_ACTIONS = {
    "hit": "hits",
    "stand": "stands",
    "double": "doubles",
    "split": "splits",
    "surrender": "surrenders",
    "power double": "power doubles",
    "power split": "power splits",
}


class Silence:
    """Tells nothing; every event of a round is a method here."""

    lines: Sequence[str] = ()

    def dealt(self, seats: Sequence[Seat], up: Card, hole_card: bool) -> None:
        """Tell what lies on the table after the deal."""

    def decided(self, seat: Seat, hand: Hand, up: Card, decision: Decision) -> None:
        """Tell what the player chose to do with a hand."""

    def insured(self, seat: Seat) -> None:
        """Tell that a hand was insured."""

    def even_money(self, seat: Seat) -> None:
        """Tell that a natural took even money."""

    def checked(self, second: Card, natural: bool) -> None:
        """Tell what the dealer found when looking for a natural."""

    def drawn(self, seat: Seat, hand: Hand, card: Card) -> None:
        """Tell which card a hand received."""

    def discarded(self, seat: Seat, card: Card) -> None:
        """Tell which card a power double put away."""

    def stopped(self, seat: Seat, hand: Hand) -> None:
        """Tell that a hand ended without a decision: bust, a Charlie, or standing by itself."""

    def dealer_drew(self, cards: Sequence[Card], final: str) -> None:
        """Tell the cards with which the dealer finished."""

    def dealer_idle(self) -> None:
        """Tell that the dealer plays no further, as no hand depends on it."""

    def settled(self, seat: Seat, net: int, wager: int, endings: Sequence[str]) -> None:
        """Tell how the main game of a seat was settled."""

    def insurance_settled(self, seat: Seat, net: int) -> None:
        """Tell how the insurance of a seat was settled."""

    def side_bet(self, bet: SideBet, number: int, cards: Sequence[Card], outcome: str) -> None:
        """Tell how a side bet was settled, for one hand or (``number`` 0) for the round."""

    def side_bet_unknown(self, bet: SideBet, number: int) -> None:
        """Tell that a side bet could not be judged, as a card's suit is not known."""

    def finished(self, seats: Sequence[SeatResult]) -> None:
        """Tell what the round came to."""


def narrator(unit: int) -> Silence:
    """Return one who writes a line for every event, amounts being in 1 / ``unit`` wagers."""
    return _Narrator(unit)


class _Narrator(Silence):
    def __init__(self, unit: int) -> None:
        self.lines: list[str] = []
        self._unit = unit

    def dealt(self, seats: Sequence[Seat], up: Card, hole_card: bool) -> None:
        for seat in seats:
            natural = ", a natural" if seat.natural else ""
            cards = " ".join(map(str, seat.initial))
            self._say(f"Hand {seat.number}: {cards} ({seat.hands[0].words}{natural})")
        also = " and has a hole card, face down" if hole_card else "; there is no hole card"
        self._say(f"The dealer shows {up}{also}")

    def decided(self, seat: Seat, hand: Hand, up: Card, decision: Decision) -> None:
        against = VALUE_CLASSES[up.value_class]
        self._say(
            f"{self._name(seat, hand)}, {hand.words} against {against}, "
            f"{_TOLD_ACTIONS[decision.action]} (chart: {decision.row}, {decision.letter})"
        )

    def insured(self, seat: Seat) -> None:
        self._say(f"Hand {seat.number} is insured for 0.5")

    def even_money(self, seat: Seat) -> None:
        self._say(f"Hand {seat.number} takes even money")

    def checked(self, second: Card, natural: bool) -> None:
        found = f"{second}, a natural: the round ends" if natural else "no natural"
        self._say(f"The dealer looks at the second card: {found}")

    def drawn(self, seat: Seat, hand: Hand, card: Card) -> None:
        held = " ".join(map(str, hand.cards))
        self._say(f"{self._name(seat, hand)} receives {card}: {held} ({hand.words})")

    def discarded(self, seat: Seat, card: Card) -> None:
        self._say(f"Hand {seat.number} discards {card} for the next card")

    def stopped(self, seat: Seat, hand: Hand) -> None:
        told = {"bust": "is bust", "charlie": f"is a Charlie of {len(hand.cards)} cards"}
        self._say(f"{self._name(seat, hand)} {told.get(hand.route, 'stands by itself')}")

    def dealer_drew(self, cards: Sequence[Card], final: str) -> None:
        told = "no natural" if final == "none" else final
        self._say(f"The dealer has {' '.join(map(str, cards))}: {told}")

    def dealer_idle(self) -> None:
        self._say("The dealer draws no card: no hand depends on it")

    def settled(self, seat: Seat, net: int, wager: int, endings: Sequence[str]) -> None:
        told = "; ".join(
            f"{hand.total} {ending}" for hand, ending in zip(seat.hands, endings, strict=True)
        )
        amounts = f"net {self._signed(net)}, {self._amount(wager)} wagered"
        self._say(f"Hand {seat.number}: {told}: {amounts}")

    def insurance_settled(self, seat: Seat, net: int) -> None:
        self._say(f"Hand {seat.number}: insurance nets {self._signed(net)}")

    def side_bet(self, bet: SideBet, number: int, cards: Sequence[Card], outcome: str) -> None:
        result = "loses" if outcome == "lose" else f"{outcome} pays {bet.pays[outcome]} to 1"
        self._say(f"{self._bet_name(bet, number)} ({' '.join(map(str, cards))}): {result}")

    def side_bet_unknown(self, bet: SideBet, number: int) -> None:
        self._say(f"{self._bet_name(bet, number)}: not judged, as not all suits were given")

    def finished(self, seats: Sequence[SeatResult]) -> None:
        net = sum(seat.net for seat in seats)
        wager = sum(seat.wager for seat in seats)
        insurance = sum(seat.insurance_net for seat in seats)
        insured = f"; insurance nets {self._signed(insurance)}" if insurance else ""
        self._say(f"Round: net {self._signed(net)}, {self._amount(wager)} wagered{insured}")

    def _say(self, line: str) -> None:
        self.lines.append(line)

    @staticmethod
    def _name(seat: Seat, hand: Hand) -> str:
        if hand.depth == 0:
            return f"Hand {seat.number}"
        # while a seat plays, its list holds the finished hands; this one is the next
        return f"Hand {seat.number}.{len(seat.hands) + 1}"

    @staticmethod
    def _bet_name(bet: SideBet, number: int) -> str:
        return f"{bet.title}, hand {number}" if number else bet.title

    def _amount(self, amount: int) -> str:
        exact = Fraction(amount, self._unit)
        decimal = f"{float(exact):g}"
        return decimal if Fraction(decimal) == exact else str(exact)

    def _signed(self, amount: int) -> str:
        return ("+" if amount > 0 else "") + self._amount(amount)
