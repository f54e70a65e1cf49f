"""How a chart decides, and what the compiler asks of every strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from rtpsim.cards import ACE_CLASS, TEN_CLASS, VALUE_CLASSES
from rtpsim.errors import InputError
from rtpsim.program.graph import Action, Draw, Origin, Purpose, Spot
from rtpsim.program.hands import Hand
from rtpsim.strategy.notation import card_classes, two_cards

if TYPE_CHECKING:
    from rtpsim.rules import Rules
    from rtpsim.strategy.chart import Chart


class Player(Protocol):
    """What the compiler asks of a strategy."""

    def action(self, spot: Spot, up: int, legal: tuple[Action, ...]) -> Action:
        """Return the action chosen against an up card (value class), one of ``legal``."""

    def insures(self, first: int, second: int) -> bool:
        """Whether insurance (or even money) is taken with these initial cards."""

    def replaces(self, hand: Hand, up: int, card: int) -> bool:
        """Whether a power double on ``hand`` has the third card ``card`` replaced."""

    def canonical(self, waiting: Draw) -> Draw:
        """Return one representative of all the waiting hands that are played alike."""


def cards_row(hand: Hand) -> str:
    """Return the name of the row of a hand's two cards, as ``T,6``."""
    first, second = (min(card, TEN_CLASS) for card in hand.composition)
    return two_cards(first, second)


def total_row(hand: Hand) -> str:
    """Return the name of the row of a hand's total, as ``soft 18``."""
    return f"{'soft' if hand.soft else 'hard'} {hand.best}"


class Answer(NamedTuple):
    """A row of a chart that was asked, and the actions that its letter leaves open."""

    row: str
    left: tuple[Action, ...]


class ChartPlayer:
    """Plays by a chart: letters are resolved here, under the rules and where the hand stands.

    Parameters
    ----------
    chart
        The chart; it is expected to fit the rules (`rtpsim.strategy.check_chart`).
    rules
        The game's rules.
    """

    def __init__(self, chart: Chart, rules: Rules) -> None:
        self.chart = chart
        self.rules = rules
        self._by_cards: dict[str, list[int]] = {}
        for row in chart.rows:
            total, _, count = row.rpartition(" ")
            if count.endswith("+"):
                self._by_cards.setdefault(total, []).append(int(count[:-1]))
        counts = [count for counts in self._by_cards.values() for count in counts]
        das = rules.double_after_split
        self._wishes: dict[str, tuple[Action, ...]] = {
            "S": (Action.STAND,),
            "H": (Action.HIT,),
            "Dh": (Action.DOUBLE, Action.HIT),
            "Ds": (Action.DOUBLE, Action.STAND),
            "P": (Action.SPLIT,),
            "Ph": (Action.SPLIT,) if das else (Action.HIT,),
            "Pd": (Action.SPLIT,) if das else (Action.DOUBLE, Action.HIT),
            "Rh": (Action.SURRENDER, Action.HIT),
            "Rs": (Action.SURRENDER, Action.STAND),
            "Rp": (Action.SURRENDER, Action.SPLIT),
        }
        # Hands of this many cards and more are alike to the chart and to the rules.
        self.cards_alike = max(3, rules.charlie or 0, rules.max_cards or 0, *counts)
        # Afterwards these rules still tell a split hand from another, and split aces from others.
        self._origin_matters = rules.double_any_cards or not rules.charlie_after_split

    def action(self, spot: Spot, up: int, legal: tuple[Action, ...]) -> Action:
        """Return the chart's action: see `Player.action`."""
        return self.consulted(spot, up, legal)[-1].left[0]

    def consulted(self, spot: Spot, up: int, legal: tuple[Action, ...]) -> list[Answer]:
        """Return the rows that are asked in turn; the last leaves one action."""
        hand, asked = spot.hand, []
        for move, which in ((Action.POWER_SPLIT, cards_row), (Action.POWER_DOUBLE, total_row)):
            if move in legal:
                row = f"{move} {which(hand)}"
                says_yes = self._says_yes(row, up)
                legal = (move,) if says_yes else tuple(one for one in legal if one is not move)
                asked.append(Answer(row, legal))
                if says_yes:
                    return asked
        by_cards = self._row_by_cards(spot, up, legal)
        if by_cards is not None:
            legal = self._resolve(self._cell(by_cards, up), legal)
            asked.append(Answer(by_cards, legal))
            if len(legal) == 1:
                return asked
        row = self._total_row(hand)
        asked.append(Answer(row, self._resolve(self._cell(row, up), legal)))
        return asked

    def _row_by_cards(self, spot: Spot, up: int, legal: tuple[Action, ...]) -> str | None:
        """Return the row for the hand's two cards, or for its pair where it may be split."""
        hand = spot.hand
        if spot.origin is None and hand.cards == 2:
            row = cards_row(hand)
            if self.chart.cell(row, up) is not None:
                return row
        if Action.SPLIT in legal:
            return f"pair {VALUE_CLASSES[min(hand.composition[0], TEN_CLASS)]}"
        return None

    def insures(self, first: int, second: int) -> bool:
        """Return the chart's word on insurance: see `Player.insures`."""
        return self.chart.cell(self.insurance_row(first, second), ACE_CLASS) == "Y"

    def insurance_row(self, first: int, second: int) -> str:
        """Return the row that decides on insurance with these initial cards."""
        row = f"insurance {cards_row(Hand(0, False, 2, (first, second)))}"
        return row if row in self.chart.rows else "insurance"

    def replaces(self, hand: Hand, up: int, card: int) -> bool:
        """Return whether the chart lists the card: see `Player.replaces`."""
        listed = self._cell(f"replace {total_row(hand)}", up)
        return min(card, TEN_CLASS) in card_classes(listed)

    def canonical(self, waiting: Draw) -> Draw:
        """Keep of a hand what the chart and the rules still ask for: see `Player.canonical`."""
        purpose, (hand, origin) = waiting
        if purpose is Purpose.SECOND:
            assert origin is not None, "only split hands wait for a second card"
            return Draw(purpose, Spot(hand, origin._replace(splits=0)))
        if origin is not None and self._origin_matters:
            origin = Origin(ACE_CLASS if origin.card == ACE_CLASS else 1, False, 0)
        else:
            origin = None
        alike = Hand(hand.total, hand.soft, min(hand.cards, self.cards_alike), ())
        return Draw(purpose, Spot(alike, origin))

    def _says_yes(self, row: str, up: int) -> bool:
        return self.chart.cell(row, up) == "Y"

    def _cell(self, row: str, up: int) -> str:
        letter = self.chart.cell(row, up)
        if letter is None:
            raise InputError(f"chart '{self.chart.name}': row '{row}' is missing")
        return letter

    def _total_row(self, hand: Hand) -> str:
        total = total_row(hand)
        reached = [count for count in self._by_cards.get(total, ()) if count <= hand.cards]
        return f"{total} {max(reached)}+" if reached else total

    def _resolve(self, letter: str, legal: tuple[Action, ...]) -> tuple[Action, ...]:
        """Return the first of a letter's actions that is legal; all legal ones where none is."""
        for action in self._wishes[letter]:
            if action in legal:
                return (action,)
        if Action.HIT not in legal:
            return (Action.STAND,)  # a split ace that may only be split again
        return legal
