"""What the referee says of a finished round."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rtpsim.cards import Card


class HandResult(NamedTuple):
    """How one final hand ended.

    Attributes
    ----------
    route
        natural, even-money, dealer-natural, surrender, stand, bust, double, charlie or
        power-double. A doubled hand stays a double when it busts.
    cards
        The cards it held at the end (a discarded one not among them), in the order received.
    total
        Its best total; over 21 when it is bust.
    wager
        What was wagered on it, in initial wagers.
    """

    route: str
    cards: tuple[Card, ...]
    total: int
    wager: int


class SeatResult(NamedTuple):
    """What one initial hand, with all that was split from it, came to.

    Attributes
    ----------
    net, wager
        Main game: returned minus wagered, and wagered, in 1 / `RoundResult.unit` initial wagers.
    insurance_net, insurance_wager
        The same of the insurance; 0 where none was taken.
    route
        split or power-split where the hand was split, else the route of its one hand.
    natural
        Whether the initial two cards were a natural.
    hands
        The final hands in the order played.
    side_bets
        Outcome by side bet, ``lose`` or the winning one's id; per-round bets are the round's.
    """

    net: int
    wager: int
    insurance_net: int
    insurance_wager: int
    route: str
    natural: bool
    hands: tuple[HandResult, ...]
    side_bets: Mapping[str, str]

    @property
    def insured(self) -> bool:
        """Whether insurance was taken."""
        return self.insurance_wager > 0


class RoundResult(NamedTuple):
    """What one round came to.

    Attributes
    ----------
    unit
        Amounts are whole numbers of 1 / `unit` initial wagers.
    seats
        One result for each initial hand.
    dealer
        The up card, then the dealer's other cards if any were dealt (a hole card that stayed
        face down included).
    dealer_final
        ``17`` ... ``21``, ``22`` (where it pushes), ``bust``, ``natural``, or ``none`` where the
        dealer's total was not needed.
    side_bets
        Outcomes of the side bets that have one result for all hands.
    trace
        What happened, line by line; empty unless asked for.
    """

    unit: int
    seats: tuple[SeatResult, ...]
    dealer: tuple[Card, ...]
    dealer_final: str
    side_bets: Mapping[str, str]
    trace: tuple[str, ...]

    @property
    def net(self) -> int:
        """Main-game net of all hands together."""
        return sum(seat.net for seat in self.seats)

    @property
    def wager(self) -> int:
        """Main-game wager of all hands together."""
        return sum(seat.wager for seat in self.seats)

    @property
    def insurance_net(self) -> int:
        """Insurance net of all hands together."""
        return sum(seat.insurance_net for seat in self.seats)

    @property
    def insurance_wager(self) -> int:
        """Insurance wager of all hands together."""
        return sum(seat.insurance_wager for seat in self.seats)
