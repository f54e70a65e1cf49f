"""The player at the referee's table: what the rules allow a hand, and what the chart makes of it.

Nothing here comes from the compiler that turns charts into tables: letters are read cell by cell
and understood anew, so that a fault of the compiler shows as a disagreement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rtpsim.cards import ACE_CLASS, TEN_CLASS, VALUE_CLASSES
from rtpsim.errors import InputError

if TYPE_CHECKING:
    from rtpsim.cards import Card
    from rtpsim.reference.hands import Hand, Seat
    from rtpsim.rules import Rules
    from rtpsim.strategy import Chart

_DOUBLED_TOTALS = {
    "8-11": (8, 9, 10, 11),
    "9-11": (9, 10, 11),
    "10-11": (10, 11),
    "11": (11,),
    "none": (),
}
_POWER_DOUBLED_TOTALS = {
    "9-11": (9, 10, 11),
    "9-11-soft": (9, 10, 11),
    "10-11": (10, 11),
    "none": (),
}
_ROW_INSTEAD = {"hard 4": "hard 5", "soft 12": "soft 13"}
_ELSE = {"Dh": "H", "Ds": "S", "Rh": "H", "Rs": "S", "Rp": "P"}
_HIGH_TO_LOW = (ACE_CLASS, *range(TEN_CLASS, ACE_CLASS, -1))
_TWO_CARDS = [
    [
        f"{VALUE_CLASSES[one]},{VALUE_CLASSES[other]}"
        if _HIGH_TO_LOW.index(one) < _HIGH_TO_LOW.index(other)
        else f"{VALUE_CLASSES[other]},{VALUE_CLASSES[one]}"
        for other in range(len(VALUE_CLASSES))
    ]
    for one in range(len(VALUE_CLASSES))
]
_ACTIONS = {"H": "hit", "S": "stand"}


class Decision(NamedTuple):
    """What the player does, and the chart's row and letter that say so.

    `action` is one of hit, stand, double, split, surrender, power double, power split.
    """

    action: str
    row: str
    letter: str


class Player:
    """Plays by a chart within the rules.

    Parameters
    ----------
    chart
        The chart to follow, to the letter.
    rules
        What is allowed. Where the chart asks for something that is not, its else-part holds.
    """

    def __init__(self, chart: Chart, rules: Rules) -> None:
        self.chart = chart
        self.rules = rules
        self._cells: dict[tuple[str, int], str | None] = {}

    def takes_insurance(self, cards: tuple[Card, Card], up: int) -> bool:
        """Return whether the chart insures these two cards (or takes even money for them)."""
        cell = self._cell(f"insurance {_two_cards(cards[0], cards[1])}", up)
        if cell is None:
            cell = self._cell("insurance", up)
        return cell == "Y"

    def decide(self, seat: Seat, hand: Hand, up: int, surrender: bool) -> Decision:
        """Return what to do with a hand of two or more cards.

        Parameters
        ----------
        seat, hand
            The hand to play, and the seat it belongs to.
        up
            Value class of the dealer's up card.
        surrender
            Whether the hand may be surrendered at this moment.

        Raises
        ------
        InputError
            If the chart has no usable letter for the hand.
        """
        if hand.depth == 0 and len(hand.cards) == 2:
            if self.may_power_split(hand):
                row = f"power split {_two_cards(*hand.cards)}"
                if self._cell(row, up) == "Y":
                    return Decision("power split", row, "Y")
            if self.may_power_double(hand):
                row = f"power double {hand.words}"
                if self._cell(row, up) == "Y":
                    return Decision("power double", row, "Y")
        row, letter = self._letter(seat, hand, up)
        return self._resolve(seat, hand, up, surrender, row, letter)

    def replaces(self, total: str, card: Card, up: int) -> bool:
        """Return whether a power double on ``total`` (as ``hard 11``) discards its third card."""
        cell = self._cell(f"replace {total}", up)
        return card.value_class in _listed_classes(cell or "")

    def may_split(self, seat: Seat, hand: Hand) -> bool:
        """Return whether the rules allow an ordinary split of the hand."""
        if len(hand.cards) != 2:
            return False
        rules = self.rules
        first, second = hand.cards
        if rules.split_by == "rank":
            pair = first.rank == second.rank
        else:
            pair = first.value_class == second.value_class
        if not pair or (hand.power_split and rules.power_split == "once"):
            return False
        if hand.split_ace and not rules.resplit_aces:
            return False
        if rules.splits == "tree":
            return hand.depth < 2
        return seat.splits < rules.splits

    def may_double(self, hand: Hand) -> bool:
        """Return whether the rules allow an ordinary double of the hand."""
        rules = self.rules
        if len(hand.cards) != 2 and not rules.double_any_cards:
            return False
        if hand.depth > 0 and not rules.double_after_split:
            return False
        if hand.split_ace and not (rules.hit_split_aces and rules.double_split_aces):
            return False
        if self.may_power_double(hand):
            return False
        if rules.double == "any":
            return True
        if hand.soft:
            return rules.double_soft and hand.total - 10 in _DOUBLED_TOTALS[rules.double]
        return hand.total in _DOUBLED_TOTALS[rules.double]

    def may_power_double(self, hand: Hand) -> bool:
        """Return whether the hand, being the initial two cards, has the power double."""
        power_double = self.rules.power_double
        if power_double == "none" or hand.depth > 0 or len(hand.cards) != 2:
            return False
        if hand.soft:
            return power_double == "9-11-soft" and hand.total in (19, 20)
        return hand.total in _POWER_DOUBLED_TOTALS[power_double]

    def may_power_split(self, hand: Hand) -> bool:
        """Return whether the hand, being the initial two cards, has the power split."""
        # two cards with an ace are soft, so that a hard 15 or 16 has none
        return self.rules.power_split != "none" and not hand.soft and hand.total in (15, 16)

    def _letter(self, seat: Seat, hand: Hand, up: int) -> tuple[str, str]:
        """Return the row that speaks for the hand, powers apart, and its letter."""
        if len(hand.cards) == 2:
            if hand.depth == 0:
                row = _two_cards(*hand.cards)
                letter = self._cell(row, up)
                if letter is not None:
                    return row, letter
            if self.may_split(seat, hand):
                row = f"pair {VALUE_CLASSES[hand.cards[0].value_class]}"
                letter = self._cell(row, up)
                if letter is not None:
                    return row, letter
        return self._total_letter(hand, up)

    def _total_letter(self, hand: Hand, up: int) -> tuple[str, str]:
        """Return the row of the hand's total, the one for most cards first, and its letter."""
        row = hand.words
        for cards in range(len(hand.cards), 1, -1):
            counted_row = f"{row} {cards}+"
            letter = self._cell(counted_row, up)
            if letter is not None:
                return counted_row, letter
        letter = self._cell(row, up)
        if letter is None and row in _ROW_INSTEAD:
            letter = self._cell(_ROW_INSTEAD[row], up)
        if letter is None and hand.total == 21:
            letter = "S"
        if letter is None:
            raise InputError(f"chart {self.chart.name}: row '{row}' is missing")
        return row, letter

    def _resolve(
        self, seat: Seat, hand: Hand, up: int, surrender: bool, row: str, letter: str
    ) -> Decision:
        """Turn a letter into what it means for the hand at this moment."""
        meant = letter
        if meant[0] == "R":
            if surrender:
                return Decision("surrender", row, letter)
            meant = _ELSE[meant]
        if meant == "Ph":
            meant = "P" if self.rules.double_after_split else "H"
        elif meant == "Pd":
            meant = "P" if self.rules.double_after_split else "Dh"
        if meant == "P":
            if self.may_split(seat, hand):
                return Decision("split", row, letter)
            total_row, total_letter = self._total_letter(hand, up)
            if total_row == row:
                raise InputError(
                    f"chart {self.chart.name}: row '{row}' says {letter} against "
                    f"{VALUE_CLASSES[up]}, but only pairs can be split"
                )
            return self._resolve(seat, hand, up, surrender, total_row, total_letter)
        if meant in ("Dh", "Ds"):
            if self.may_double(hand):
                return Decision("double", row, letter)
            meant = _ELSE[meant]
        if meant not in _ACTIONS:
            raise InputError(f"chart {self.chart.name}: row '{row}': unknown letter '{letter}'")
        return Decision(_ACTIONS[meant], row, letter)

    def _cell(self, row: str, up: int) -> str | None:
        key = (row, up)
        try:
            return self._cells[key]
        except KeyError:
            return self._cells.setdefault(key, self.chart.cell(row, up))


def _two_cards(first: Card, second: Card) -> str:
    """Name two cards as a chart does: ``T,6``, the higher one first, the ace above all."""
    return _TWO_CARDS[first.value_class][second.value_class]


def _listed_classes(text: str) -> set[int]:
    """Read the value classes of a list such as ``A2-7``; nothing or ``-`` lists none."""
    listed: set[int] = set()
    place = 0
    while place < len(text) and text != "-":
        first = last = VALUE_CLASSES.index(text[place])
        place += 1
        if text[place : place + 1] == "-":
            last = VALUE_CLASSES.index(text[place + 1])
            place += 2
        listed.update(range(first, last + 1))
    return listed
