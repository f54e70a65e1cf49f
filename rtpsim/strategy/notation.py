"""The words of a chart: its columns, its rows and the letters that may stand in them."""

from __future__ import annotations

import re
from itertools import combinations_with_replacement
from typing import Final, Literal, NamedTuple

from rtpsim.cards import ACE_CLASS, TEN_CLASS, VALUE_CLASSES

COLUMNS: Final = "23456789TA"
"""The dealer's up card in the order of a chart's ten columns."""

ACTIONS: Final = ("H", "S", "Dh", "Ds", "P", "Ph", "Pd", "Rh", "Rs", "Rp")
"""Hit, stand; double else hit / stand; split; split if double after split else hit / double;
surrender else hit / stand / split."""

SPLITTING: Final = frozenset({"P", "Ph", "Pd", "Rp"})
"""The letters that only a pair can follow."""

_WITHOUT_A_PAIR: Final = tuple(letter for letter in ACTIONS if letter not in SPLITTING)

NO_CARDS: Final = "-"
"""What a ``replace`` cell says when no drawn card is to be replaced."""

_CARD_LIST: Final = re.compile("([A2-9T](-[A2-9T])?)*")

Kind = Literal[
    "hard", "soft", "pair", "two-card", "insurance", "power split", "power double", "replace"
]


class Row(NamedTuple):
    """One row that a chart can have.

    Attributes
    ----------
    label
        As it is written: ``hard 16``, ``pair T``, ``T,2``, ``hard 15 6+``, ``insurance A,A`` ...
    kind
        What the row decides.
    total
        Best total of the hand the row speaks of (a pair of aces is a soft 12); 0 for ``insurance``.
    soft
        Whether that total counts an ace as 11.
    cards
        The two value classes, ace first, then descending; empty where the row is for a total.
    at_least
        The row holds from so many cards on (``6+``); 2 for an ordinary row.
    """

    label: str
    kind: Kind
    total: int = 0
    soft: bool = False
    cards: tuple[int, ...] = ()
    at_least: int = 2

    @property
    def is_pair(self) -> bool:
        """Whether the row speaks of two cards that count alike."""
        return len(self.cards) == 2 and self.cards[0] == self.cards[1]

    @property
    def allowed(self) -> tuple[str, ...]:
        """The letters that may stand in the row; empty for ``replace``, which lists cards."""
        if self.kind in ("insurance", "power split", "power double"):
            return ("Y", "N")
        if self.kind == "replace":
            return ()
        return ACTIONS if self.is_pair else _WITHOUT_A_PAIR


def column_of(up: int) -> int:
    """Return the column, 0-9, of an up card given as a value class (0 for the ace)."""
    if not 0 <= up <= TEN_CLASS:
        raise IndexError(f"up card {up}: a value class is 0 (ace) to 9 (ten)")
    return (up - 1) % len(COLUMNS)


def two_cards(first: int, second: int) -> str:
    """Write two value classes in a chart's order: ace first, then descending, as ``T,2``."""
    low, high = sorted((first, second))
    ordered = (low, high) if low == ACE_CLASS else (high, low)
    return ",".join(VALUE_CLASSES[card] for card in ordered)


def total_of(first: int, second: int) -> tuple[int, bool]:
    """Return the best total of two value classes and whether it is soft."""
    total = first + second + 2
    soft = ACE_CLASS in (first, second)
    return (total + 10, True) if soft else (total, False)


def card_classes(cell: str) -> frozenset[int]:
    """Return the value classes that a ``replace`` cell lists: ``A2-7`` gives 0-6, ``-`` none.

    Raises
    ------
    ValueError
        If the cell is no such list.
    """
    text = cell.upper().replace(" ", "").replace("10", "T")
    found: set[int] = set()
    if text == NO_CARDS:
        return frozenset()
    if not _CARD_LIST.fullmatch(text):
        raise ValueError(f"'{cell}' is no list of cards such as 'A2-7'")
    for part in re.findall(".-.|.", text):
        first, last = VALUE_CLASSES.index(part[0]), VALUE_CLASSES.index(part[-1])
        if first > last:
            raise ValueError(f"'{cell}': '{part}' runs backwards")
        if not found.isdisjoint(range(first, last + 1)):
            raise ValueError(f"'{cell}' lists a card twice")
        found.update(range(first, last + 1))
    return frozenset(found)


def format_classes(classes: frozenset[int]) -> str:
    """Write value classes as a ``replace`` cell: runs of three or more of 2-9 as ``2-7``."""
    text = ""
    run: list[str] = []
    for card, name in enumerate(VALUE_CLASSES):
        numbered = ACE_CLASS < card < TEN_CLASS
        if card in classes and numbered:
            run.append(name)
            continue
        text += f"{run[0]}-{run[-1]}" if len(run) > 2 else "".join(run)
        run = []
        text += name if card in classes else ""
    return text or NO_CARDS


def _all_rows() -> dict[str, Row]:
    """Return every row that a chart can have, in the order in which charts are written."""
    pairs = [(card, card) for card in (*range(1, TEN_CLASS + 1), ACE_CLASS)]
    hands = [
        tuple(VALUE_CLASSES.index(name) for name in two_cards(*cards).split(","))
        for cards in combinations_with_replacement(range(len(VALUE_CLASSES)), 2)
    ]
    natural = (ACE_CLASS, TEN_CLASS)
    totals = [Row(f"hard {total}", "hard", total) for total in range(4, 22)]
    totals += [Row(f"soft {total}", "soft", total, soft=True) for total in range(12, 22)]
    rows = list(totals)
    for pair in pairs:
        rows.append(Row(f"pair {VALUE_CLASSES[pair[0]]}", "pair", *total_of(*pair), pair))
    for hand in hands:
        if hand != natural:  # a natural is never played
            rows.append(Row(two_cards(*hand), "two-card", *total_of(*hand), hand))
    for row in totals:
        for cards in range(3, 22):
            rows.append(row._replace(label=f"{row.label} {cards}+", at_least=cards))
    rows.append(Row("insurance", "insurance"))
    for hand in hands:
        rows.append(Row(f"insurance {two_cards(*hand)}", "insurance", *total_of(*hand), hand))
    for hand in hands:
        total, soft = total_of(*hand)
        if total in (15, 16) and not soft:
            rows.append(Row(f"power split {two_cards(*hand)}", "power split", total, soft, hand))
    doubled = [totals[total - 4] for total in (9, 10, 11)] + [totals[25], totals[26]]
    kinds: tuple[Kind, Kind] = ("power double", "replace")
    for kind in kinds:
        rows += [row._replace(label=f"{kind} {row.label}", kind=kind) for row in doubled]
    return {row.label: row for row in rows}


ROWS: Final = _all_rows()
"""Every row that a chart can have, by its label, in the order in which charts are written."""

ORDER: Final = {label: position for position, label in enumerate(ROWS)}
"""A label's place in a written chart."""

REQUIRED: Final = tuple(
    label
    for label, row in ROWS.items()
    if (row.kind in ("hard", "soft") and row.at_least == 2) or row.kind == "pair"
)
"""The rows that every chart has, besides ``insurance``."""

FILLED_IN: Final = {"hard 4": "hard 5", "soft 12": "soft 13", "hard 21": "S", "soft 21": "S"}
"""What a chart that leaves these rows out means: the row next to it, or stand throughout."""
