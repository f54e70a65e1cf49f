"""Deals: the initial two cards against an up card, and how many cards are left that pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.cards import ACE_CLASS, TEN_CLASS
from rtpsim.exact.lattice import CLASSES
from rtpsim.exact.policies import pairs

if TYPE_CHECKING:
    from rtpsim.cards import Shoe
    from rtpsim.rules import Rules


class Case(NamedTuple):
    """A case with its probability: cards left in the shoe that pair with a class, by class."""

    chance: float
    left: dict[int, int]


@dataclass(frozen=True)
class Dealt:
    """The initial two cards (value classes, ascending), no natural.

    Attributes
    ----------
    first, second
        Value classes.
    probability
        Of these cards, in any order, and the up card.
    pair
        Whether the two may be split; tens by rank are two deals, one that may and one that may
        not.
    cases
        How many cards are left that pair with either.
    """

    first: int
    second: int
    probability: float
    pair: bool
    cases: tuple[Case, ...]


def deals_of(rules: Rules, shoe: Shoe, up: int) -> list[Dealt]:
    """Return all deals against an up card (value class)."""
    counts = shoe.by_value
    found = []
    for first, second in pairs():
        probability = _probability(counts, up, first, second)
        if probability > 0.0 and (first, second) != (ACE_CLASS, TEN_CLASS):
            found += _deals(rules, shoe, up, (first, second), probability)
    return found


def deal_probability(shoe: Shoe, up: int, first: int, second: int) -> float:
    """Return the probability of an up card and two cards in any order (value classes)."""
    return _probability(shoe.by_value, up, first, second)


def _probability(counts: tuple[int, ...], up: int, first: int, second: int) -> float:
    left, cards = list(counts), sum(counts)
    chance = 1.0
    for number, card in enumerate((up, first, second)):
        chance *= left[card] / (cards - number)
        left[card] -= 1
    return max(chance, 0.0) * (1 if first == second else 2)


def _deals(
    rules: Rules, shoe: Shoe, up: int, cards: tuple[int, int], probability: float
) -> list[Dealt]:
    first, second = cards
    gone = np.bincount([*cards, up], minlength=CLASSES).tolist()
    counts = shoe.by_value
    left = {card: counts[card] - gone[card] for card in cards}
    splittable = first == second and rules.splits != 0
    if rules.split_by == "value" or TEN_CLASS not in cards:
        return [Dealt(first, second, probability, splittable, (Case(1.0, left),))]
    if first != second:
        cases = [
            Case(chance, left | {TEN_CLASS: count}) for chance, count in _same_rank(shoe, up, 1)
        ]
        return [Dealt(first, second, probability, False, tuple(cases))]
    cases = [Case(chance, {TEN_CLASS: count}) for chance, count in _same_rank(shoe, up, 2)]
    paired = sum(case.chance for case in cases)
    found = []
    if splittable and paired > 0.0:
        given = tuple(Case(case.chance / paired, case.left) for case in cases)
        found.append(Dealt(first, second, probability * paired, True, given))
    rest = 1.0 - paired if splittable else 1.0
    if rest > 1e-15:
        found.append(Dealt(first, second, probability * rest, False, (Case(1.0, left),)))
    return found


def _same_rank(shoe: Shoe, up: int, drawn: int) -> list[tuple[float, int]]:
    """Return how many cards of the rank are left where ``drawn`` tens of one rank were dealt.

    Each with its probability, that of the tens being of one rank included. An up card worth ten
    may itself be of the rank.
    """
    ranks = shoe.by_rank[TEN_CLASS:]
    tens = sum(ranks)
    found = []
    for count in ranks:
        chance = count / tens
        if drawn == 2:
            chance *= (count - 1) / (tens - 1)
        same = (count - drawn) / (tens - drawn) if up == TEN_CLASS else 0.0
        found.append((chance * same, count - drawn - 1))
        found.append((chance * (1.0 - same), count - drawn))
    return [(chance, count) for chance, count in found if chance > 0.0]
