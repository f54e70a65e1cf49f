"""What tables or the kernel say of a round, compared with what the referee makes of its cards."""

from dataclasses import dataclass

from rtpsim.cards import Card
from rtpsim.errors import ShoeExhaustedError
from rtpsim.program.settlement import FINALS
from rtpsim.reference import Referee, ScriptedSource

DECK = [Card.from_number(number) for number in range(52)]
OF_CLASS = [Card(kind, 3) for kind in range(13)]  # a card for each value class or rank

# What the referee calls the end of a hand that the tables have by what it came to.
_ROUTES = {
    "early-surrender": {"surrender"},
    "bust": {"bust", "double", "power-double"},
}

_SETTLED = {"early-surrender", "even-money"}  # before the dealer looks for a natural


def _ends_in_tables(context):
    """Return total, wager and whether it is a Charlie for each final hand, sorted."""
    if context.route == "dealer-natural":
        return []  # the cards of a hand that was not played do not matter
    return sorted((end.total, end.wager, end.ending == "charlie") for end in context.results)


def _ends(seat):
    """Return the same of the referee's hands, merged after a split where they settle alike.

    There a total of 16 is no better or worse than a lower one, nor a Charlie of 20; all busts are
    one everywhere.
    """
    if seat.route == "dealer-natural":
        return []
    ends = []
    for hand in seat.hands:
        charlie = hand.route == "charlie"
        total = min(hand.total, 22)
        if len(seat.hands) > 1:
            total = max(total, 20 if charlie else 16)
        ends.append((total, hand.wager, charlie))
    return sorted(ends)


@dataclass(frozen=True)
class Played:
    """A round as the tables have it: cards, contexts of the hands, the dealer's final."""

    hands: tuple  # pairs of Card
    up: Card
    second: Card
    drawn: tuple  # classes, in the order drawn
    contexts: tuple
    final: int

    def __str__(self):
        hands = " / ".join(f"{first} {second}" for first, second in self.hands)
        drawn = " ".join(str(OF_CLASS[card])[0] for card in self.drawn)
        return f"{hands} | {self.up} {self.second} | {drawn}"


class Comparison:
    """Plays the rounds of one game and chart once more, before the referee."""

    def __init__(self, game, chart, program, hands=1, side_bets=True):
        self.referee = Referee(game, chart, hands, side_bets)
        self.program = program
        self.settlement = program.settlement.tolist()
        self.routes = [context.route for context in program.finished]
        self.ends = [_ends_in_tables(context) for context in program.finished]
        # The tables always tell a 22 from other busts; the referee where it pushes.
        self.finals = [str(final) for final in FINALS]
        if game.rules.push_22 == "none":
            self.finals[self.finals.index("22")] = "bust"

    def difference(self, played):
        """Return what the referee has otherwise, or None; and the referee's result."""
        drawn = [OF_CLASS[card] for card in played.drawn]
        source = ScriptedSource(played.hands, played.up, played.second, drawn)
        try:
            result = self.referee.play(source)
        except ShoeExhaustedError:
            return f"{played}: the referee needs more cards", None
        if source.unused:
            return f"{played}: the referee leaves {len(source.unused)} cards", result
        if not self._same_final(played, result):
            told = f"{self.finals[played.final]}; the referee: {result.dealer_final}"
            return f"{played}: dealer {told}", result
        for context, seat in zip(played.contexts, result.seats, strict=True):
            paid = self.settlement[context][played.final]
            expected = [seat.net, seat.wager, seat.insurance_net, seat.insurance_wager]
            route = self.routes[context]
            if paid != expected or seat.route not in _ROUTES.get(route, {route}):
                told = f"{route} {paid}; the referee: {seat.route} {expected}"
                return f"{played}: {self.program.finished[context]}: {told}", result
            if self.ends[context] != _ends(seat):
                told = f"{self.ends[context]}; the referee: {_ends(seat)}"
                return f"{played}: hands {told}", result
        return None, result

    def _same_final(self, played, result):
        final = self.finals[played.final]
        if final == "none" and result.dealer_final == "natural":
            # the referee looked under the up card; to hands that are settled already it is nothing
            return {self.routes[context] for context in played.contexts} <= _SETTLED
        return final == result.dealer_final
