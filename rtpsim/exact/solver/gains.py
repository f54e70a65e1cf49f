"""Gains: what changing one cell of a chart, or two cells together, adds to the return. Kernels.

A *cell* is what a chart decides alike: places of any worlds. No hand of a cell can become another
hand of the same cell, so what a cell's letter adds is exactly the sum over its places of the
probability of coming there times the net of the letter's action there.

Two cells act on each other only where hands of the one, the upper, are hit and become hands of the
other, the lower. Which can be which is a matter of rank: cards lead from hard totals up to 11 to
soft ones, on to hard ones from 12 up, and always to a higher total. Changing the upper changes how
often the lower's places are reached and leaves what their actions are worth; so the gain of both
changes together is again an exact sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim._jit import array_kernel
from rtpsim.exact.lattice import CLASSES
from rtpsim.exact.model import HIT
from rtpsim.exact.solver.stack import ABILITIES, CHOICES, DECIDES, DRAWS, Stack, Worths

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Letters(NamedTuple):
    """A chart's letters, as kernels read them.

    Attributes
    ----------
    cell
        Cell of each place that is left to the strategy, int64.
    letter
        Letter of each cell, int64.
    resolved
        What a letter means by the abilities of the hand, int64, shape (letters, abilities).
    """

    cell: NDArray[np.int64]
    letter: NDArray[np.int64]
    resolved: NDArray[np.int64]


class Options(NamedTuple):
    """What a chart's cells could say instead.

    Attributes
    ----------
    allowed
        The letters that each cell may have, those to prefer first, -1 for none; int64, shape
        (cells, letters).
    rank
        Rank of each cell: cards lead to cells of no lower rank; int64.
    gains
        What each of the letters gains by itself, in the order of ``allowed``; -inf where there is
        none. `best_single` writes it.
    """

    allowed: NDArray[np.int64]
    rank: NDArray[np.int64]
    gains: NDArray[np.float64]


@array_kernel
def value_places(stack: Stack, worths: Worths, letters: Letters) -> None:
    """Write what every place is worth, and what hitting it is worth, under a chart's letters.

    Parameters
    ----------
    stack, worths
        The places; ``worths.net`` and the hits in ``worths.choice`` are written.
    letters
        The chart's letters.
    """
    for place in range(stack.kind.size - 1, -1, -1):
        kind = stack.kind[place]
        if kind not in (DRAWS, DECIDES):
            continue
        hit = worths.bust[place]
        for card in range(CLASSES):
            child = stack.following[place, card]
            if child >= 0:
                hit += worths.draw[place, card] * worths.net[child]
        worths.choice[place, HIT] = hit
        chosen = HIT
        if kind == DECIDES:
            chosen = _action(stack, letters, place)
        worths.net[place] = worths.choice[place, chosen]


@array_kernel
def _action(stack: Stack, letters: Letters, place: int) -> int:
    """Return what a place that is left to the strategy does."""
    letter = letters.letter[letters.cell[place]]
    return int(letters.resolved[letter, stack.abilities[place]])


@array_kernel
def spread(
    stack: Stack,
    worths: Worths,
    letters: Letters,
    reach: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Follow the cards drawn under a chart's letters, and sum up what each action is worth.

    Parameters
    ----------
    stack, worths, letters
        As for `value_places`.
    reach
        Weight of beginning at each place; the weight of coming there is written.
    sums
        Reach times net is added here, by cell, abilities and action.
    """
    for place in range(stack.kind.size):
        weight = reach[place]
        kind = stack.kind[place]
        if weight == 0.0 or kind not in (DRAWS, DECIDES):
            continue
        if kind == DECIDES:
            cell, ability = letters.cell[place], stack.abilities[place]
            for action in range(CHOICES):
                sums[cell, ability, action] += weight * worths.choice[place, action]
            if _action(stack, letters, place) != HIT:
                continue
        _draw(place, weight, stack, worths, reach)


@array_kernel
def _draw(
    place: int, weight: float, stack: Stack, worths: Worths, reach: NDArray[np.float64]
) -> None:
    for card in range(CLASSES):
        child = stack.following[place, card]
        if child >= 0:
            reach[child] += weight * worths.draw[place, card]


@array_kernel
def letter_worth(
    sums: NDArray[np.float64], cell: int, letter: int, resolved: NDArray[np.int64]
) -> float:
    """Return what a cell's places contribute if they go by a letter."""
    worth = 0.0
    for ability in range(ABILITIES):
        worth += sums[cell, ability, resolved[letter, ability]]
    return worth


@array_kernel
def best_single(
    sums: NDArray[np.float64], letters: Letters, options: Options
) -> tuple[int, int, float]:
    """Return the change of one cell that gains most: cell, letter and gain.

    Parameters
    ----------
    sums
        Of `spread`.
    letters, options
        The chart, and what it could say instead; ``options.gains`` is written.
    """
    found = (-1, -1, -np.inf)
    for cell in range(letters.letter.size):
        said = letters.letter[cell]
        now = letter_worth(sums, cell, said, letters.resolved)
        for number in range(options.allowed.shape[1]):
            other = options.allowed[cell, number]
            options.gains[cell, number] = -np.inf
            if other < 0:
                continue
            gain = letter_worth(sums, cell, other, letters.resolved) - now
            options.gains[cell, number] = gain
            if other != said and gain > found[2]:
                found = (cell, other, gain)
    return found


@array_kernel
def best_other(
    cell: int, gain: float, letters: Letters, options: Options, change: NDArray[np.float64]
) -> tuple[int, int, float]:
    """Return the cell to change with something that gains ``gain`` by itself.

    Parameters
    ----------
    cell
        The cell that is changed already, -1 where it is none; only cells of no lower rank are
        looked at.
    gain
        What that gains.
    letters, options
        As for `best_single`, which has been called.
    change
        By how much that changes the sums of `spread`.
    """
    found = (-1, -1, -np.inf)
    for other in range(letters.letter.size):
        if other == cell or (cell >= 0 and options.rank[other] < options.rank[cell]):
            continue
        said = letters.letter[other]
        now = letter_worth(change, other, said, letters.resolved)
        for number in range(options.allowed.shape[1]):
            chosen = options.allowed[other, number]
            if chosen < 0 or chosen == said:
                continue
            more = letter_worth(change, other, chosen, letters.resolved) - now
            both = gain + options.gains[other, number] + more
            if both > found[2]:
                found = (other, chosen, both)
    return found


@array_kernel
def _hits(letter: int, resolved: NDArray[np.int64], met: NDArray[np.bool_]) -> int:
    """Return in bits at which of the abilities met a letter hits."""
    bits = 0
    for ability in range(ABILITIES):
        if met[ability] and resolved[letter, ability] == HIT:
            bits |= 1 << ability
    return bits


@array_kernel
def _best_by_hits(
    cell: int,
    letters: Letters,
    options: Options,
    met: NDArray[np.bool_],
    best: NDArray[np.float64],
) -> None:
    """Write what the letters of a cell gain at best by themselves, by where they hit (`_hits`)."""
    best[:] = -np.inf
    for number in range(options.allowed.shape[1]):
        other = options.allowed[cell, number]
        if other >= 0 and other != letters.letter[cell]:
            bits = _hits(other, letters.resolved, met)
            best[bits] = max(best[bits], options.gains[cell, number])


@array_kernel
def best_pair(
    stack: Stack,
    worths: Worths,
    letters: Letters,
    reach: NDArray[np.float64],
    options: Options,
) -> tuple[int, int, int, int, float]:
    """Return the change of two cells that gains most: cell, letter, cell, letter and gain.

    The first is the upper one. Of the letters of the upper cell that hit alike only the best by
    itself is followed, since what they do to the lower cell is the same.

    Parameters
    ----------
    stack, worths, letters
        As for `spread`.
    reach
        The weight of coming to each place, of `spread`.
    options
        As for `best_other`.
    """
    cells = letters.letter.size
    places, starts = _by_cell(stack, letters.cell, cells)
    found = (-1, -1, -1, -1, -np.inf)
    met = np.zeros(ABILITIES, dtype=np.bool_)
    best = np.zeros(1 << ABILITIES)
    changed = np.zeros(reach.size)
    change = np.zeros((cells, ABILITIES, CHOICES))
    for upper in range(cells):
        here = places[starts[upper] : starts[upper + 1]]
        met[:] = False
        for place in here:
            met[stack.abilities[place]] |= reach[place] != 0.0
        now = _hits(letters.letter[upper], letters.resolved, met)
        _best_by_hits(upper, letters, options, met, best)
        for number in range(options.allowed.shape[1]):
            other = options.allowed[upper, number]
            if other < 0 or other == letters.letter[upper]:
                continue
            bits, gain = _hits(other, letters.resolved, met), options.gains[upper, number]
            if gain < best[bits]:
                continue
            changed[:] = 0.0
            change[:] = 0.0
            for place in here:
                bit = 1 << stack.abilities[place]
                sign = int(bits & bit > 0) - int(now & bit > 0)
                if sign != 0:
                    _draw(place, sign * reach[place], stack, worths, changed)
            spread(stack, worths, letters, changed, change)
            lower, chosen, both = best_other(upper, gain, letters, options, change)
            if both > found[4]:
                found = (upper, other, lower, chosen, both)
    return found


@array_kernel
def _by_cell(
    stack: Stack, cell: NDArray[np.int64], cells: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places of the cells, one cell after the other, and where each begins."""
    starts = np.zeros(cells + 1, dtype=np.int64)
    for place in range(cell.size):
        if stack.kind[place] == DECIDES:
            starts[cell[place] + 1] += 1
    for number in range(cells):
        starts[number + 1] += starts[number]
    filled = starts[:-1].copy()
    places = np.zeros(starts[-1], dtype=np.int64)
    for place in range(cell.size):
        if stack.kind[place] == DECIDES:
            places[filled[cell[place]]] = place
            filled[cell[place]] += 1
    return places, starts
