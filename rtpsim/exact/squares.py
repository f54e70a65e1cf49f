"""The mean square of a round's net where hands of a split may be split again.

The joint distribution of three and four hands is out of reach, the mean square is not: it is a sum
of products of two hands at a time (`rtpsim.exact.splits.split_pairings`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from rtpsim.cards import TEN_CLASS
from rtpsim.exact.dealer import NATURAL
from rtpsim.exact.joint import ENDS, joint_ends, own_ends, result_of
from rtpsim.exact.splits import Pairing, split_pairings
from rtpsim.exact.worlds import FOLLOW
from rtpsim.program.graph import Action
from rtpsim.program.settlement import FINALS, settle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.exact.evaluate import Opening
    from rtpsim.exact.model import World
    from rtpsim.exact.upcard import UpCard
    from rtpsim.rules import Rules


def split_square(card: UpCard, opening: Opening) -> float | None:
    """Return the mean square of the net of a split, given its initial cards.

    Returns None where it is out of reach: a strategy that plays the hands of a split by how often
    it was split, pairs played otherwise than their total because they might be split again, and
    tens told apart by rank.
    """
    first, second = opening.first, opening.second
    power = opening.action is Action.POWER_SPLIT
    by_rank = card.model.rules.split_by == "rank" and TEN_CLASS in (first, second)
    again = card.splits_again(first, second, power=power)
    terms = card.split_terms(first, second, power=power)
    apart = any(term.kept and card.keeps_apart(term.card) for term in terms)
    if by_rank or apart or not _follows(card, first):
        return None
    pays = _nets(card.model.rules)
    square = sum(
        pairing.times
        * _chance(card, first, second, pairing.drawn)
        * _product(card, pairing, (first, second), pays)
        for pairing in split_pairings(card.model.rules, first, second, power=power, again=again)
    )
    if card.original_only:  # a dealer natural costs one initial wager, whose square is 1
        square += card.natural_chance(first, second)
    return float(square)


def _follows(card: UpCard, start: int) -> bool:
    """Whether hands are played alike however often there was a split."""
    world: World = next(world for world in card.model.places if world.start == start)
    return card.policy.mode(world) == FOLLOW


def _chance(card: UpCard, first: int, second: int, drawn: tuple[int, ...]) -> float:
    """Return the probability that the next cards are these, in a given order."""
    left = card.shoe - np.bincount([first, second, card.up], minlength=len(card.shoe))
    chance = 1.0
    for one in drawn:
        chance *= max(int(left[one]), 0) / int(left.sum())
        left[one] -= 1
    return chance


def _product(
    card: UpCard, pairing: Pairing, split: tuple[int, int], pays: NDArray[np.float64]
) -> float:
    """Return the mean product of the nets of two hands, or the mean square of one."""
    known = [*split, *pairing.drawn]
    for one in (*pairing.first, *pairing.second):
        known.remove(one)
    gone = tuple(known)
    finals = slice(0, NATURAL if card.original_only else NATURAL + 1)
    if not pairing.second:
        other = split[1] if pairing.first[0] == split[0] else split[0]
        ends = own_ends(card, pairing.first, other, gone)
        return float((ends * pays**2)[:, finals].sum())
    joint = joint_ends(card, pairing.first, pairing.second, gone)
    return float(np.einsum("abf,af,bf->", joint[..., finals], pays[:, finals], pays[:, finals]))


@lru_cache(maxsize=16)
def _nets(rules: Rules) -> NDArray[np.float64]:
    """Return the net of each end of a split hand by final, in initial wagers, shape (18, 9).

    Bust hands lose against ``none`` too, where only a natural or none is known; the other ends
    never meet it.
    """
    nets = np.zeros((ENDS, len(FINALS)))
    for end in range(ENDS):
        result = result_of(end)
        for code, final in enumerate(FINALS):
            if code > 0 or result.total > 21:
                settled = settle(rules, (result,), insured=False, final=final)
                nets[end, code] = settled.net / rules.unit
    return nets
