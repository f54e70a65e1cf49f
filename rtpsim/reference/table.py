"""The referee: one round, rule by rule, in the order in which it happens at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.cards import ACE_CLASS, TEN_CLASS
from rtpsim.reference.hands import Dealer, Hand, Seat, is_natural
from rtpsim.reference.narration import Silence, narrator
from rtpsim.reference.player import Player
from rtpsim.reference.results import RoundResult
from rtpsim.reference.settlement import settle_seat
from rtpsim.reference.sources import SuitlessCard
from rtpsim.sidebets import classify

if TYPE_CHECKING:
    from rtpsim.cards import Card
    from rtpsim.games import Game
    from rtpsim.reference.sources import CardSource
    from rtpsim.sidebets import Role, SideBet
    from rtpsim.strategy import Chart

_SILENCE = Silence()


class Referee:
    """Plays rounds of one game by one chart, literally.

    Parameters
    ----------
    game, chart
        What is played, and how.
    hands
        How many hands play against the one dealer hand.
    side_bets
        Whether the game's side bets are placed.

    Raises
    ------
    InputError
        If the game does not allow so many hands.
    """

    def __init__(self, game: Game, chart: Chart, hands: int = 1, side_bets: bool = True) -> None:
        game.check_hands(hands)
        self.game = game
        self.rules = game.rules
        self.unit = game.rules.unit
        self.hands = hands
        self.side_bets = game.side_bets if side_bets else ()
        self.player = Player(chart, game.rules)
        self._outcomes: dict[tuple[str, tuple[Card, ...]], str] = {}

    def play(self, source: CardSource, trace: bool = False) -> RoundResult:
        """Play one round with the cards of a source.

        Raises
        ------
        ShoeExhaustedError
            If the source runs out of cards.
        InputError
            If the chart has no usable letter for a hand that comes up.
        """
        return _Round(self, source, trace).play()

    def outcome(self, bet: SideBet, cards: tuple[Card, ...]) -> str:
        """Return the outcome of a side bet; every set of cards is classified once."""
        key = (bet.id, cards)
        if key not in self._outcomes:
            self._outcomes[key] = classify(bet, cards)
        return self._outcomes[key]


def play_round(
    game: Game,
    chart: Chart,
    source: CardSource,
    hands: int = 1,
    side_bets: bool = True,
    trace: bool = False,
) -> RoundResult:
    """Play one round; see `Referee`, which saves the preparation when there are many.

    Raises
    ------
    InputError
        If the game does not allow so many hands, or the chart has no usable letter for a hand.
    ShoeExhaustedError
        If the source runs out of cards.
    """
    return Referee(game, chart, hands, side_bets).play(source, trace)


class _Round:
    """One round being played."""

    def __init__(self, referee: Referee, source: CardSource, trace: bool) -> None:
        self.referee = referee
        self.game = referee.game
        self.rules = referee.rules
        self.unit = referee.unit
        self.player = referee.player
        self.source = source
        self.tell = narrator(self.unit) if trace else _SILENCE
        self.seats: list[Seat] = []
        self.dealer = Dealer()
        self.up = 0
        self.natural_possible = False

    def play(self) -> RoundResult:
        self.deal()
        self.offer_early_surrender()
        self.offer_insurance()
        self.look_for_natural()
        if not self.dealer.ended_round:
            for seat in self.seats:
                self.play_seat(seat)
            self.play_dealer()
        return self.settle()

    # The deal

    def deal(self) -> None:
        source, hands = self.source, self.referee.hands
        firsts = [source.player_card(seat, 0) for seat in range(hands)]
        up = source.up_card()
        for seat, first in enumerate(firsts):
            second = source.player_card(seat, 1)
            natural = is_natural(first, second)
            hand = Hand((first, second))
            if natural:
                hand.route = "natural"
            self.seats.append(Seat(seat + 1, (first, second), natural, [hand]))
        self.dealer.cards.append(up)
        self.up = up.value_class
        self.natural_possible = self.up in (ACE_CLASS, TEN_CLASS)
        hole_card = self.rules.hole_card not in ("obo", "enhc")
        if hole_card:
            self.take_second_card()
        self.tell.dealt(self.seats, up, hole_card)

    def take_second_card(self) -> Card:
        """Return the dealer's second card, which is dealt now if it was not before."""
        if len(self.dealer.cards) == 1:
            self.dealer.cards.append(self.source.dealer_card())
        return self.dealer.cards[1]

    def dealer_has_natural(self) -> bool:
        """Turn the dealer's second card, if it is not on the table take it, and look."""
        second = self.take_second_card()
        return self.natural_possible and is_natural(self.dealer.cards[0], second)

    # Before play

    def offer_early_surrender(self) -> None:
        early = self.rules.surrender == "early" or (
            self.rules.surrender == "early-ten" and self.up != ACE_CLASS
        )
        if not early:
            return
        for seat in self.seats:
            hand = seat.hands[0]
            if seat.natural:
                continue
            decision = self.player.decide(seat, hand, self.up, surrender=True)
            if decision.action == "surrender":
                self.tell.decided(seat, hand, self.dealer.cards[0], decision)
                seat.early_surrender = True
                hand.route = "surrender"

    def offer_insurance(self) -> None:
        if self.up != ACE_CLASS:
            return
        for seat in self.seats:
            if seat.early_surrender:
                continue
            even_money = seat.natural and self.game.even_money
            if not (even_money or self.game.insurance):
                continue
            if not self.player.takes_insurance(seat.initial, self.up):
                continue
            if even_money:
                seat.even_money = True
                seat.hands[0].route = "even-money"
                self.tell.even_money(seat)
            else:
                seat.insured = True
                self.tell.insured(seat)

    def look_for_natural(self) -> None:
        """Peek under the up card, or take and check a second card for the insured."""
        if not self.natural_possible:
            return
        if self.up == ACE_CLASS:
            peeks = self.rules.hole_card in ("peek", "peek-ace")
        else:
            peeks = self.rules.hole_card in ("peek", "peek-ten")
        checks = self.rules.insurance_peek and any(seat.insured for seat in self.seats)
        if not (peeks or checks):
            return
        self.dealer.ended_round = self.dealer_has_natural()
        self.natural_possible = False
        self.tell.checked(self.dealer.cards[1], self.dealer.ended_round)
        if self.dealer.ended_round:
            self.dealer.final = "natural"
            for seat in self.seats:
                seat.hands[0].route = seat.hands[0].route or "dealer-natural"

    # The player's turn

    def play_seat(self, seat: Seat) -> None:
        """Play the hands of a seat one after the other, those of a split from the first on."""
        pending = seat.hands
        seat.hands = []
        while pending:
            hand = pending.pop(0)
            halves = self.play_hand(seat, hand)
            if halves:
                pending[:0] = halves
            else:
                seat.hands.append(hand)

    def play_hand(self, seat: Seat, hand: Hand) -> tuple[Hand, Hand] | None:
        """Play a hand to its end, or until it is split: then return the two halves."""
        if len(hand.cards) == 1:
            self.give_card(seat, hand)
        one_card_only = hand.split_ace and not self.rules.hit_split_aces
        while not hand.route:
            if self.stands_by_itself(hand):
                hand.route = "stand"
                self.tell.stopped(seat, hand)
                break
            decision = self.player.decide(seat, hand, self.up, self.may_surrender(hand))
            if one_card_only and decision.action != "split":
                hand.route = "stand"
                self.tell.stopped(seat, hand)
                break
            self.tell.decided(seat, hand, self.dealer.cards[0], decision)
            match decision.action:
                case "hit":
                    self.give_card(seat, hand)
                case "double":
                    self.double(seat, hand)
                case "power double":
                    self.power_double(seat, hand)
                case "split" | "power split":
                    seat.splits += 1
                    power = decision.action == "power split"
                    seat.power_split = seat.power_split or power
                    return hand.split(power)
                case action:
                    hand.route = action  # stand or surrender
        return None

    def may_surrender(self, hand: Hand) -> bool:
        """Return whether the hand has a (late) surrender; early ones have been offered before."""
        late = self.rules.surrender == "late" or (
            self.rules.surrender == "late-not-ace" and self.up != ACE_CLASS
        )
        return late and hand.depth == 0 and len(hand.cards) == 2

    def stands_by_itself(self, hand: Hand) -> bool:
        if len(hand.cards) == self.rules.max_cards:
            return True
        return hand.total == 21 and not self.rules.hit_21

    def give_card(self, seat: Seat, hand: Hand) -> None:
        """Let a hand receive a card; it may bust or become a Charlie by it."""
        card = self.source.draw()
        hand.take(card)
        self.tell.drawn(seat, hand, card)
        if hand.total > 21:
            hand.route = "bust"
            self.tell.stopped(seat, hand)
        elif len(hand.cards) == self.rules.charlie and (
            hand.depth == 0 or self.rules.charlie_after_split
        ):
            hand.route = "charlie"
            self.tell.stopped(seat, hand)

    def double(self, seat: Seat, hand: Hand) -> None:
        hand.wager = 2
        self.give_card(seat, hand)
        if hand.route != "charlie":
            hand.route = "double"

    def power_double(self, seat: Seat, hand: Hand) -> None:
        hand.wager = 2
        card = self.source.draw()
        if self.player.replaces(hand.words, card, self.up):
            self.tell.discarded(seat, card)
            card = self.source.draw()
        hand.take(card)
        self.tell.drawn(seat, hand, card)
        hand.route = "power-double"

    # The dealer's turn

    def play_dealer(self) -> None:
        hands = [hand for seat in self.seats for hand in seat.hands]
        if any(self.depends_on_total(hand) for hand in hands):
            if self.dealer_has_natural():
                self.dealer.final = "natural"
            else:
                self.draw_out()
        elif self.natural_possible and self.depends_on_natural():
            if self.dealer_has_natural():
                self.dealer.final = "natural"
        else:
            self.tell.dealer_idle()
            return
        self.tell.dealer_drew(self.dealer.cards, self.dealer.final)

    def depends_on_total(self, hand: Hand) -> bool:
        match hand.route:
            case "stand" | "double" | "power-double":
                return hand.total <= 21
            case "charlie":
                return self.rules.charlie_21_pushes and hand.total == 21
            case "natural":
                return self.rules.push_22 == "push-naturals"
        return False

    def depends_on_natural(self) -> bool:
        """Return whether a dealer natural, still possible, would change what anybody nets."""
        if self.rules.hole_card == "obo":
            return True
        for seat in self.seats:
            if seat.insured:
                return True
            if not seat.early_surrender and any(
                hand.route in ("natural", "surrender", "charlie") for hand in seat.hands
            ):
                return True
        return False

    def draw_out(self) -> None:
        """Let the dealer draw to 17, and to hard 17 or more where soft 17 is hit."""
        hand = Hand(self.dealer.cards)
        while hand.total < 17 or (hand.total == 17 and hand.soft and self.rules.soft17 == "hit"):
            hand.take(self.source.draw())
        self.dealer.cards = hand.cards
        self.dealer.total = hand.total
        if hand.total <= 21 or (hand.total == 22 and self.rules.push_22 != "none"):
            self.dealer.final = str(hand.total)
        else:
            self.dealer.final = "bust"

    # Afterwards

    def settle(self) -> RoundResult:
        round_bets = self.settle_side_bets()
        seats = tuple(
            settle_seat(self.rules, self.unit, seat, self.dealer, self.tell) for seat in self.seats
        )
        self.tell.finished(seats)
        return RoundResult(
            unit=self.unit,
            seats=seats,
            dealer=tuple(self.dealer.cards),
            dealer_final=self.dealer.final,
            side_bets=round_bets,
            trace=tuple(self.tell.lines),
        )

    def settle_side_bets(self) -> dict[str, str]:
        """Settle each seat's side bets; return the outcomes of those of the whole round."""
        of_the_round: dict[str, str] = {}
        for bet in self.referee.side_bets:
            if bet.per_round:
                self.settle_side_bet(bet, None, of_the_round)
            else:
                for seat in self.seats:
                    self.settle_side_bet(bet, seat, seat.side_bets)
        return of_the_round

    def settle_side_bet(self, bet: SideBet, seat: Seat | None, outcomes: dict[str, str]) -> None:
        cards = tuple(self.card_of(role, seat) for role in bet.cards)
        number = seat.number if seat else 0
        if any(isinstance(card, SuitlessCard) for card in cards):
            self.tell.side_bet_unknown(bet, number)
            return
        outcomes[bet.id] = self.referee.outcome(bet, cards)
        self.tell.side_bet(bet, number, cards, outcomes[bet.id])

    def card_of(self, role: Role, seat: Seat | None) -> Card:
        """Return the dealt card that a side bet looks at."""
        if role == "up":
            return self.dealer.cards[0]
        if role == "hole":
            return self.take_second_card()
        assert seat is not None, "a side bet on a player's cards belongs to a seat"
        return seat.initial[0 if role == "player1" else 1]
