"""The ways in which people write what hand a row of a chart is for."""

from __future__ import annotations

import re
from typing import Final, Literal

from rtpsim.cards import ACE_CLASS, RANKS, TEN_CLASS, VALUE_CLASSES
from rtpsim.strategy.notation import ROWS, total_of, two_cards

Block = Literal["hard", "soft", "pair"]

_NUMBERS: Final = ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
_COLUMN_WORDS: Final = {
    **{name: card for card, name in enumerate(VALUE_CLASSES)},
    "10": TEN_CLASS,
    "TEN": TEN_CLASS,
    "ACE": ACE_CLASS,
    **{word: card + 1 for card, word in enumerate(_NUMBERS)},
}
_CARD: Final = r"(?:10|[A2-9TJQK])"
_TITLE: Final = re.compile(
    r"(HARD|SOFT|PAIR|PAIRS|SPLIT|SPLITS|SPLITTING|PAIR SPLITTING)"
    r"(?: TOTALS?| HANDS?| TABLE| STRATEGY)?\s*:?"
)
_PREFIXES: Final[dict[str, Block]] = {
    "HARD": "hard", "H": "hard", "N": "hard", "SOFT": "soft", "A": "soft", "S": "soft",
    "PAIR": "pair", "P": "pair",
}  # fmt: skip
_BOUNDS: Final = {"hard": (4, 21), "soft": (12, 21)}


def read_column(text: str) -> int | None:
    """Return the up card (value class) that a heading names: ``T``, ``10``, ``Ten``; or None."""
    return _COLUMN_WORDS.get(text.strip().upper())


def read_title(text: str) -> Block | None:
    """Return the block that a title line opens: ``Hard``, ``Soft totals``, ``Pairs:``; or None."""
    match = _TITLE.fullmatch(" ".join(text.upper().split()))
    if match is None:
        return None
    return "hard" if match[1] == "HARD" else "soft" if match[1] == "SOFT" else "pair"


def is_prefixed(text: str) -> bool:
    """Say whether a label carries its kind as one letter (``h16``, ``a18``, ``s8``, ``p8``).

    Files with such labels come without a header; their cells are for 2 to ten, then ace.
    """
    return re.fullmatch(r"[HNASP] ?(?:\d\d?|[AT])", text.strip().upper()) is not None


def read_label(text: str, block: Block | None = None) -> tuple[str, ...]:
    """Return the row or rows that a label stands for; none if it is not understood.

    Parameters
    ----------
    text
        A canonical label in any case, or ``16``, ``A7``, ``88``, ``n16``, ``a18``, ``s8``, ``h16``,
        ``s18``, ``p8``, ``17+``, ``5-8``.
    block
        The block of a three-block paste the row stands in: there ``16``, ``A,2`` and ``8,8`` are
        rows of the block. Outside, ``8,8`` is a two-card exception and ``88`` the pair.
    """
    label = " ".join(text.upper().replace("–", "-").replace("≤", "<=").split())
    canonical = _canonical(label)
    if block is not None:
        rows = _within(label, block)
        if not rows and canonical and ROWS[canonical].kind != "two-card":
            return (canonical,)
        return rows
    if canonical:
        return (canonical,)
    if match := re.fullmatch(r"(HARD|SOFT|PAIR|[HNASP]) ?(\S+)", label):
        kind = _PREFIXES.get(match[1])
        # s8 is a pair to be split, s18 a soft total: no pair is written above 11, no soft below 12
        if match[1] == "S" and not (match[2].isdecimal() and int(match[2]) > 11):
            kind = "pair"
        # A7 is ace and seven, a18 the soft total
        if match[1] != "A" or (match[2].isdecimal() and int(match[2]) > 11):
            return _within(match[2], kind) if kind else ()
    if match := re.fullmatch(f"({_CARD})({_CARD})", label):
        first, second = (_card(card) for card in match.groups())
        if first == second and (label != "11"):
            return (f"pair {VALUE_CLASSES[first]}",)
        if ACE_CLASS in (first, second):
            return (f"soft {total_of(first, second)[0]}",)
    return _within(label, "hard")


def _card(text: str) -> int:
    return TEN_CLASS if text == "10" else min(RANKS.index(text), TEN_CLASS)


def _canonical(label: str) -> str | None:
    """Return the canonical label that differs in case, card order or spacing only, or None."""
    words = re.sub(r" ?, ?", ",", label).split()
    for place, word in enumerate(words):
        if match := re.fullmatch(f"({_CARD}),({_CARD})", word):
            words[place] = two_cards(_card(match[1]), _card(match[2]))
        elif word == "10" and words[0] == "PAIR":
            words[place] = "T"
        elif not re.fullmatch(r"[AT]", word):
            words[place] = word.lower()
    written = " ".join(words)
    return written if written in ROWS else None


def _within(label: str, block: Block) -> tuple[str, ...]:
    """Return the rows of one kind that a label without its kind stands for."""
    if block == "pair":
        match = re.fullmatch(rf"({_CARD}|11?)(?:[ ,/-]?({_CARD}))?", label)
        if match is None:
            return ()
        cards = {
            ACE_CLASS if card in ("1", "11") else _card(card) for card in match.groups() if card
        }
        return (f"pair {VALUE_CLASSES[cards.pop()]}",) if len(cards) == 1 else ()
    if match := re.fullmatch(r"(\d+) (\d+)\+", label):  # from so many cards on
        return tuple(row for row in (f"{block} {match[1]} {match[2]}+",) if row in ROWS)
    low, high = _BOUNDS[block]
    item = r"(\d\d?)" if block == "hard" else rf"(\d\d|A[ ,/-]?{_CARD}|{_CARD}[ ,/-]?A)"
    if match := re.fullmatch(item, label):
        low = high = _total(match[1])
    elif match := re.fullmatch(rf"{item} ?(?:\+|OR MORE|OR HIGHER|AND UP|AND ABOVE)", label):
        low = _total(match[1])
    elif match := re.fullmatch(rf"{item} ?(?:-|OR LESS|OR LOWER|AND BELOW|AND UNDER)", label):
        high = _total(match[1])
    elif match := re.fullmatch(rf"<=? ?{item}", label):
        high = _total(match[1]) - ("=" not in label)
    elif match := re.fullmatch(rf"{item} ?(?:-|TO) ?{item}", label):
        low, high = _total(match[1]), _total(match[2])
    else:
        return ()
    rows = [f"{block} {total}" for total in range(low, high + 1)]
    return tuple(rows) if all(row in ROWS for row in rows) else ()


def _total(item: str) -> int:
    """Return the total of ``16``, ``A,7`` or ``7A``."""
    if item.isdecimal():
        return int(item)
    first, second = (_card(card) for card in re.findall(_CARD, item))
    return total_of(first, second)[0]
