"""Conclusions: what a table of readings says about the figures in print, in plain sentences."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rtpsim.games import MAIN
from rtpsim.games.printed import decimals_of, print_percentage, printed_range
from rtpsim.verification.readings import BASES, Cell, quoted_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rtpsim.games import Game, Published, Quoted

BASE_NAMES = {"total": "on the total amount wagered", "initial": "on the initial bet"}

_ALIKE = 1e-6
"""A reading that changes no return by more is not told apart."""


@dataclass(frozen=True)
class _Group:
    """The cells of one combination of readings: what it is called, and its charts."""

    name: str
    cells: tuple[Cell, ...]


def conclusions(game: Game, cells: Sequence[Cell]) -> list[str]:
    """Say which figures are reproduced, by which readings and charts, and which are not.

    Parameters
    ----------
    game
        The game.
    cells
        All cells of its table (`rtpsim.verification.readings.cells`).
    """
    groups = _groups(game, cells)
    said = []
    published = game.published_for(MAIN)
    if published is not None:
        said += _about_published(game, published, groups)
    elif groups:
        said.append("No return of the main game is printed.")
    quotes = [quote for quote in game.quoted if quote.wager == MAIN]
    said += [_about_quote(quote, groups) for quote in quotes]
    if len(quotes) > 1 and all(_cells_of(groups, quoted_name(quote)) for quote in quotes):
        said.append(
            "The quoted figures do not contradict each other: each is reached, by another chart, "
            "on another base or under another reading."
        )
    if beaten := [group.name for group in groups if _beaten(group)]:
        said.append(
            f"Under {'; '.join(beaten)} optimal-cd returns less than a chart does: its model "
            "splits every further pair of a split again, which a chart may decline."
        )
    if any(cell.insured for cell in cells):
        said.append(
            "Where the dealer checks for a natural once insurance is taken, and it is taken, the "
            "returns include the insurance bet: it buys the knowledge by which the hand is played."
        )
    return said


def reading_name(game: Game, cell: Cell) -> str:
    """Return what distinguishes a cell's reading from the default."""
    defaults = {reading.id: reading.default for reading in game.readings}
    changed = [f"{name} = {o}" for name, o in cell.options.items() if o != defaults[name]]
    return ", ".join(changed) or "default readings"


def _groups(game: Game, cells: Sequence[Cell]) -> list[_Group]:
    """Return the combinations of readings, leaving out those that change no return."""
    by_name: dict[str, list[Cell]] = {}
    for cell in cells:
        by_name.setdefault(reading_name(game, cell), []).append(cell)
    # fewest changes first, so that it is the idle change that is left out
    ordered = sorted(by_name.items(), key=lambda item: item[0].count(" = "))
    groups: list[_Group] = []
    for name, found in ordered:
        if not any(_alike(found, group.cells) for group in groups):
            groups.append(_Group(name, tuple(found)))
    return groups


def _alike(one: Sequence[Cell], other: Sequence[Cell]) -> bool:
    return all(
        abs(a.rtp(base) - b.rtp(base)) < _ALIKE
        for a, b in zip(one, other, strict=True)
        for base in BASES
    )


def _beaten(group: _Group) -> bool:
    """Whether a chart returns more than the best play by composition does in its model."""
    best = [cell.ev for cell in group.cells if cell.chart == "optimal-cd"]
    return bool(best) and max(cell.ev for cell in group.cells) > best[0] + _ALIKE


def _about_published(game: Game, published: Published, groups: Sequence[_Group]) -> list[str]:
    """Say where the published figure is met, how narrowly, and where it is not."""
    mark = f"published {published.rtp}"
    fits = {base: _fitting(groups, mark, base) for base in BASES}
    low, high = (100 * float(bound) for bound in printed_range(published.rtp, published.rounding))
    said = [
        f"Blackjack, {published.rtp} % in print: {low:.6g} to {high:.6g} % print so, rounded to "
        f"{published.rounding}."
    ]
    for base in BASES:
        if fits[base]:
            said += _hypotheses(published, fits[base], base)
        else:
            said.append(_missed(published, groups, base))
    best = [cell for cell in groups[0].cells if cell.chart == "optimal-cd"]
    if best and mark not in best[0].marks[published.base]:
        rtp = best[0].rtp(published.base)
        printed = print_percentage(rtp, decimals_of(published.rtp), published.rounding)
        said.append(
            f"The best play of the default readings returns {100 * rtp:.6f} % "
            f"{BASE_NAMES[published.base]} and would print as {printed}."
        )
    return said


def _hypotheses(published: Published, fits: Sequence[_Group], base: str) -> list[str]:
    """List the readings and charts that give the published figure on a base."""
    declared = " (the base that the game's file declares)" if base == published.base else ""
    many = f"{len(fits)} hypotheses fit" if len(fits) > 1 else "one hypothesis fits"
    said = [f"{BASE_NAMES[base].capitalize()}{declared} the figure is reproduced; {many}:"]
    for number, group in enumerate(fits, start=1):
        values = [100 * cell.rtp(base) for cell in group.cells]
        inside = min(_margin(published, cell.rtp(base)) for cell in group.cells)
        charts = ", ".join(
            f"{cell.strategy} {value:.6f} %"
            for cell, value in zip(group.cells, values, strict=True)
        )
        which = f"hypothesis {number}, " if len(fits) > 1 else ""
        said.append(
            f"{which}{group.name}: {charts}; inside the limits by {100 * inside:.6f} points."
        )
    if len(fits) > 1:
        said.append("The figure alone cannot decide between them.")
    return said


def _missed(published: Published, groups: Sequence[_Group], base: str) -> str:
    """Say that no reading by any chart gives the figure on a base, and which is nearest."""
    group, cell = max(
        ((group, cell) for group in groups for cell in group.cells),
        key=lambda item: _margin(published, item[1].rtp(base)),
    )
    rtp = cell.rtp(base)
    outside = -100 * _margin(published, rtp)
    return (
        f"{BASE_NAMES[base].capitalize()} the figure is not reproduced by any reading and chart of "
        f"the table: the nearest is {100 * rtp:.6f} % ({group.name}, {cell.strategy}), outside the "
        f"limits by {outside:.4f} points."
    )


def _margin(published: Published, rtp: float) -> float:
    """Return how far a return lies inside what prints as published; negative outside."""
    low, high = printed_range(published.rtp, published.rounding)
    value = Fraction(rtp)
    return float(min(value - low, high - value))


def _about_quote(quote: Quoted, groups: Sequence[_Group]) -> str:
    """Say where a quoted figure is met, or which cell comes nearest."""
    name = "return" if quote.figure == "rtp" else "house edge"
    said = f"Blackjack, {name} {quote.value} % as quoted elsewhere"
    value = _value_of(quote)
    found = [
        f"{_name_of(cell, group)}: {100 * value(cell.rtp(base)):.6f} % {BASE_NAMES[base]}"
        for base, group, cell in _cells_of(groups, quoted_name(quote))
    ]
    if found:
        return f"{said} is reproduced by {'; '.join(found)}."
    target = float(quote.value) / 100
    base, group, cell = min(
        ((base, group, cell) for base in BASES for group in groups for cell in group.cells),
        key=lambda item: abs(value(item[2].rtp(item[0])) - target),
        default=(None, None, None),
    )
    if base is None or group is None or cell is None:
        return f"{said} is not reproduced: nothing was computed."
    return (
        f"{said} is not reproduced by any reading and chart of the table; the nearest is "
        f"{100 * value(cell.rtp(base)):.6f} % {BASE_NAMES[base]} ({_name_of(cell, group)})."
    )


def _value_of(quote: Quoted) -> Callable[[float], float]:
    return (lambda rtp: rtp) if quote.figure == "rtp" else (lambda rtp: 1.0 - rtp)


def _name_of(cell: Cell, group: _Group) -> str:
    return f"{cell.strategy} under {group.name}"


def _fitting(groups: Sequence[_Group], mark: str, base: str) -> list[_Group]:
    """Return the groups with only their cells that carry a mark on a base."""
    fits = [
        _Group(group.name, tuple(cell for cell in group.cells if mark in cell.marks[base]))
        for group in groups
    ]
    return [group for group in fits if group.cells]


def _cells_of(groups: Sequence[_Group], mark: str) -> list[tuple[str, _Group, Cell]]:
    return [
        (base, group, cell)
        for base in BASES
        for group in _fitting(groups, mark, base)
        for cell in group.cells
    ]
