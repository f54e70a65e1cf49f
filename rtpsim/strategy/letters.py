"""The ways in which people write what to do, where they leave no doubt."""

from __future__ import annotations

from typing import Final

from rtpsim.strategy.notation import ACTIONS, ROWS, card_classes, format_classes

FOLLOW_TOTAL: Final = "follow the total"
"""What ``N`` in a pair row means until the row of the pair's total is known."""

SPLIT_IF_DAS: Final = "split if double after split"
"""What ``Y/N`` in a pair row means until the row of the pair's total is known."""

_WORDS: Final = {
    **dict.fromkeys(("H", "HIT"), "H"),
    **dict.fromkeys(("S", "ST", "STAND", "STAY", "STICK"), "S"),
    **dict.fromkeys(("D", "DD", "DBL", "DOUBLE"), "D"),
    **dict.fromkeys(("P", "SP", "SPL", "SPLIT"), "P"),
    **dict.fromkeys(("R", "SU", "SUR", "SURR", "SURRENDER"), "R"),
}
_CANONICAL: Final = {letter.upper(): letter for letter in ACTIONS}
_YES_NO: Final = {"Y": "Y", "YES": "Y", "N": "N", "NO": "N"}


class AmbiguousLetterError(ValueError):
    """A letter that people use for two different things; its text names them."""


def read_cell(label: str, text: str) -> str | None:
    """Return what a cell means in a row, in the canonical spelling.

    Parameters
    ----------
    label
        The canonical row label.
    text
        A letter of the notation in any case, a word (``Stand``), ``D``, ``R``, ``SU``, or a pair of
        letters (``D/S``, ``P/H``); in pair rows also ``Y``, ``N``, ``Y/N``.

    Returns
    -------
    str or None
        The canonical cell; `FOLLOW_TOTAL` or `SPLIT_IF_DAS` in pair rows; None if the cell is not
        understood or cannot stand in this row.

    Raises
    ------
    AmbiguousLetterError
        For a ``D`` or ``R`` without its "else" where either would be usual.
    """
    row = ROWS[label]
    compact = "".join(text.upper().split())
    if row.kind == "replace":
        try:
            return format_classes(card_classes(compact))
        except ValueError:
            return None
    if row.allowed == ("Y", "N"):
        return _YES_NO.get(compact)
    if row.kind == "pair":
        pair_words = {**_YES_NO, "Y/N": SPLIT_IF_DAS, "YN": SPLIT_IF_DAS}
        if compact in pair_words:
            return {"Y": "P", "N": FOLLOW_TOTAL}.get(pair_words[compact], SPLIT_IF_DAS)
    letter = _letter(compact, label)
    return letter if letter in row.allowed else None


def is_letter(text: str) -> bool:
    """Say whether a text is a letter or a word for an action, in whatever row it may stand."""
    compact = "".join(text.upper().split())
    return compact in _CANONICAL or compact in _WORDS or compact in _YES_NO or "/" in compact


def _letter(compact: str, label: str) -> str | None:
    if compact in _CANONICAL:
        return _CANONICAL[compact]
    parts = [_WORDS.get(part) for part in compact.split("/")]
    if len(parts) == 2:
        return _CANONICAL.get(f"{parts[0]}{parts[1]}".upper())
    if len(parts) > 2:
        return None
    if parts[0] == "D":
        return _double(compact, label)
    if parts[0] == "R":
        return _surrender(compact, label)
    return parts[0]


def _double(written: str, label: str) -> str:
    """Return ``Dh`` where nobody would stand instead: hard to 11, soft to 17."""
    row = ROWS[label]
    if row.total <= (17 if row.soft else 11):
        return "Dh"
    raise AmbiguousLetterError(
        f"'{written}' may mean Dh (else hit) or Ds (else stand) here; write one of them"
    )


def _surrender(written: str, label: str) -> str:
    """Return ``Rh``, the usual meaning to 16; above, and for pairs, others are as usual."""
    row = ROWS[label]
    if row.is_pair:
        raise AmbiguousLetterError(f"'{written}' may mean Rh, Rs or Rp here; write one of them")
    if row.total > 16:
        raise AmbiguousLetterError(f"'{written}' may mean Rh or Rs here; write one of them")
    return "Rh"


def settle_pair(cell: str, total_letter: str) -> str | None:
    """Return a pair's letter once the letter of its total is known; None if there is none.

    ``N`` takes the total's letter over; ``Y/N`` splits if doubling after a split is allowed and
    else plays the total, which the notation can say of hitting and doubling only.
    """
    if cell == FOLLOW_TOTAL:
        return total_letter
    if cell == SPLIT_IF_DAS:
        return {"H": "Ph", "Dh": "Pd"}.get(total_letter)
    return cell
