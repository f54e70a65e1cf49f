"""Tables: the rows of a chart, put together from solved columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.cards import TEN_CLASS, VALUE_CLASSES
from rtpsim.exact.model import DOUBLE, HIT, STAND, power_pairs
from rtpsim.exact.policies import pairs
from rtpsim.exact.solver.cells import LETTERS, RESOLVED, TOTALS, Total, usually_stands
from rtpsim.exact.solver.stack import SURRENDER
from rtpsim.exact.solver.starts import Toggle
from rtpsim.strategy import COLUMNS, two_cards
from rtpsim.strategy.checks import POWER_DOUBLED
from rtpsim.strategy.notation import format_classes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtpsim.exact.solver.column import Column, Play
    from rtpsim.rules import Rules

_ORDER = [VALUE_CLASSES.index(up) for up in COLUMNS]


def chart_rows(
    rules: Rules, columns: Sequence[Column | None], plays: Sequence[Play | None]
) -> dict[str, tuple[str, ...]]:
    """Return all rows but those of insurance.

    Where the shoe has no such up card, the cells say what fits no worse than anything else.

    Parameters
    ----------
    rules
        The rules.
    columns, plays
        By up card (value class), None where the shoe has none.
    """
    cells: list[dict[str, str]] = []
    for up in _ORDER:
        column, play = columns[up], plays[up]
        cells.append({} if column is None or play is None else _cells(rules, column, play))
    labels = dict.fromkeys(label for found in cells for label in found)
    rows = {}
    for label in labels:
        written = tuple(found.get(label) or _default(label, found) for found in cells)
        if "," not in label or label.startswith("power") or _differs(label, written, cells):
            rows[label] = written
    return rows


def _differs(label: str, written: tuple[str, ...], cells: list[dict[str, str]]) -> bool:
    """Say whether a row for two cards says anything that totals and pairs do not."""
    first, second = map(VALUE_CLASSES.index, label.split(","))
    usual = f"pair {VALUE_CLASSES[first]}" if first == second else str(Total.of(first, second))
    return any(
        letter != (found.get(usual) or _default(usual, found))
        for letter, found in zip(written, cells, strict=True)
    )


def _default(label: str, found: dict[str, str]) -> str:
    """Return the letter of a cell that no hand meets."""
    if label.startswith(("power", "insurance")):
        return "N"
    if label.startswith("replace"):
        return "-"
    words = label.split()
    if "," in label or words[0] == "pair":
        cards = label.split(",") if "," in label else [words[1]] * 2
        return _default(str(Total.of(*sorted(map(VALUE_CLASSES.index, cards)))), found)
    return found.get(label) or ("S" if usually_stands(label) else "H")


def _cells(rules: Rules, column: Column, play: Play) -> dict[str, str]:
    """Return one column by row; rows for two cards say what they play, alike or not."""
    found = {}
    for total in TOTALS:
        for size in (2, *play.cells.counted.get(total, ())):
            label = str(total) if size == 2 else f"{total} {size}+"
            found[label] = _letter(column, play, total, label)
    for card in range(TEN_CLASS + 1):
        splits = play.on.get(Toggle("pair", (card, card)), False)
        found[f"pair {VALUE_CLASSES[card]}"] = "P" if splits else found[str(Total.of(card, card))]
    if play.two_card:
        for first, second in pairs():
            label = two_cards(first, second)
            if label in play.cells.labels:
                found[label] = _exception(column, play, (first, second), found)
    for cards in power_pairs(rules):
        found[f"power split {two_cards(*cards)}"] = _yes(play, Toggle("power split", cards))
    for label in POWER_DOUBLED[rules.power_double]:
        kind, best = label.split()
        total = Total(kind == "soft", int(best))
        found[f"power double {label}"] = _yes(play, Toggle("power double", total=total))
        replaced = column.starts.replaced.get(total, frozenset())
        found[f"replace {label}"] = format_classes(replaced)
    return found


def _yes(play: Play, toggle: Toggle) -> str:
    return "Y" if play.on.get(toggle, False) else "N"


def _letter(column: Column, play: Play, total: Total, label: str) -> str:
    """Return a total's letter; of those that are alike, the one that needs fewest exceptions."""
    cell = play.cells.number(label)
    letter = LETTERS[play.letter[cell]]
    if not play.two_card or label != str(total):
        return letter
    alike = column.ties(play, cell)
    return min(
        (LETTERS[code] for code in alike),
        key=lambda other: (
            sum(
                actual != _meant(other, abilities)
                for cards, actual, abilities in column.openings(play)
                if Total.of(*cards) == total
            ),
            other != letter,
        ),
    )


def _meant(letter: str, abilities: int) -> int:
    return int(RESOLVED[LETTERS.index(letter), abilities])


def _exception(column: Column, play: Play, cards: tuple[int, int], found: dict[str, str]) -> str:
    """Return the letter of a row for two cards: the usual one where that is what is played."""
    total = found[str(Total.of(*cards))]
    if cards[0] == cards[1] and play.on.get(Toggle("pair", cards), False):
        return "P"
    for met, actual, abilities in column.openings(play):
        if met == cards and actual != _meant(total, abilities):
            stand, hit = column.stand_or_hit(cards)
            rest = "s" if stand > hit else "h"
            return {STAND: "S", HIT: "H", DOUBLE: f"D{rest}", SURRENDER: f"R{rest}"}[actual]
    return total
