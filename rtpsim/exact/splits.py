"""Splits: what the hands of a split are worth in all, from hands valued one by one.

Cards drawn by a rule that does not look ahead are exchangeable, so the expected sum over the hands
of a split is a sum of expectations of single hands, each in a shoe from which some cards are known
to be gone. Which shoes, and with what sign and probability, is counted here: every way in which
the hands can be split again is followed, and "another hand's second card did not pair" is turned
by inclusion and exclusion into "so many more pair cards are gone".

Source of the method: E. Farmer, "Analysis of splitting pairs in blackjack" (possibly-wrong); the
counting here follows the contexts of the compiler, so every splitting rule is covered.
"""

from __future__ import annotations

import itertools
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rtpsim.program import contexts as ctx
from rtpsim.program.events import Ending, PowerSplit, Result, Split

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rtpsim.rules import Rules


class Term(NamedTuple):
    """One expectation in the value of a split.

    Attributes
    ----------
    card
        Class of the card the hand begins with.
    unpaired
        Whether only hands count whose second card does not pair.
    kept
        Whether the hand, should it pair, may be split again and is not.
    gone
        Cards gone from the shoe besides the up card and the two split, ascending.
    times
        Whole-number factor; the term is also multiplied by the probability that the next cards
        drawn are those of ``gone``.
    """

    card: int
    unpaired: bool
    kept: bool
    gone: tuple[int, ...]
    times: int

    def chances(
        self, own_left: Mapping[int, int], cards: int, weight: float = 1.0
    ) -> tuple[float, float]:
        """Return the chance of the cards that are gone, and then that of a pair.

        Parameters
        ----------
        own_left
            Cards left by class that would pair with the hand's, before any of them is gone.
        cards
            Cards left in all.
        weight
            What the first of the chances is multiplied by.
        """
        own = dict(own_left)
        for drawn, gone in enumerate(self.gone):
            weight *= max(own[gone], 0) / (cards - drawn)
            own[gone] -= 1
        return weight, max(own[self.card], 0) / (cards - len(self.gone))


class _Path(NamedTuple):
    """One way of splitting: pair cards drawn, and the final hands.

    Each hand is its class, whether it must not pair, and whether it may pair and be kept.
    """

    drawn: tuple[int, ...]
    hands: tuple[tuple[int, bool, bool], ...]


_DONE = Result(Ending.BUST, 22, 1)


def _paths(rules: Rules, context: ctx.Context, path: _Path, again: frozenset[int]) -> list[_Path]:
    """Follow every way in which the hands of a split can be split again."""
    if context.finished:
        return [path]
    assert context.current is not None, "a split has a hand in play"
    card = context.current.card
    may_split = ctx.may_split_again(rules, context)
    splits = may_split and card in again
    done = ctx.advance(rules, context, _DONE)
    hand = card, splits, may_split and not splits
    found = _paths(rules, done, path._replace(hands=(*path.hands, hand)), again)
    if splits:
        split = ctx.advance(rules, context, Split(card))
        found += _paths(rules, split, path._replace(drawn=(*path.drawn, card)), again)
    return found


@lru_cache(maxsize=4096)
def split_terms(
    rules: Rules, first: int, second: int, *, power: bool, again: frozenset[int]
) -> tuple[Term, ...]:
    """Return the terms of the value of a split.

    Parameters
    ----------
    rules
        The rules.
    first, second
        Classes of the two cards split.
    power
        Whether it is a power split.
    again
        Classes of which every further pair is split while the rules allow.
    """
    event = PowerSplit(first, second) if power else Split(first)
    context = ctx.advance(rules, ctx.fresh(insured=False), event)
    times: Counter[tuple[int, bool, bool, tuple[int, ...]]] = Counter()
    for path in _paths(rules, context, _Path((), ()), again):
        for number, (card, unpaired, kept) in enumerate(path.hands):
            others = [
                other
                for place, (other, must_not_pair, _) in enumerate(path.hands)
                if must_not_pair and place != number
            ]
            for size in range(len(others) + 1):
                for paired in itertools.combinations(others, size):
                    gone = tuple(sorted((*path.drawn, *paired)))
                    times[card, unpaired, kept, gone] += (-1) ** size
    return tuple(Term(*key, factor) for key, factor in sorted(times.items()) if factor)


class Pairing(NamedTuple):
    """One expectation in the mean square of a split: the product of two hands' nets.

    Attributes
    ----------
    first, second
        The cards with which the two hands begin: one, or a pair that is played as it is. The same
        hand twice (its square) where ``second`` is empty.
    drawn
        Cards known to be drawn besides the two split, ascending: those gone from the shoe and
        the second cards of pairs.
    times
        Whole-number factor; the expectation is also multiplied by the probability of drawing
        ``drawn``.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    drawn: tuple[int, ...]
    times: int


@lru_cache(maxsize=4096)
def split_pairings(
    rules: Rules, first: int, second: int, *, power: bool, again: frozenset[int]
) -> tuple[Pairing, ...]:
    """Return the terms of the mean square of a split's net; parameters as in `split_terms`.

    A hand that must not pair counts as any hand less one that has paired, so that every term has
    two hands free to draw on.
    """
    event = PowerSplit(first, second) if power else Split(first)
    context = ctx.advance(rules, ctx.fresh(insured=False), event)
    times: Counter[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = Counter()
    for path in _paths(rules, context, _Path((), ()), again):
        for one, other in itertools.combinations_with_replacement(range(len(path.hands)), 2):
            chosen = sorted({one, other})
            rest = [
                card
                for place, (card, must_not_pair, _) in enumerate(path.hands)
                if must_not_pair and place not in chosen
            ]
            starts = itertools.product(*(_starts(path.hands[place]) for place in chosen))
            for begun in starts:
                paired = [start[1] for start in begun if len(start) == 2]
                sign = (-1) ** len(paired) * len(chosen)
                ends = begun[0], begun[1] if len(begun) == 2 else ()
                for size in range(len(rest) + 1):
                    for also in itertools.combinations(rest, size):
                        drawn = tuple(sorted((*path.drawn, *paired, *also)))
                        times[*ends, drawn] += sign * (-1) ** size
    return tuple(Pairing(*key, factor) for key, factor in sorted(times.items()) if factor)


def _starts(hand: tuple[int, bool, bool]) -> list[tuple[int, ...]]:
    """Return how a final hand of a path can begin: with any second card, less with a pair."""
    card, must_not_pair, _ = hand
    return [(card,), (card, card)] if must_not_pair else [(card,)]
