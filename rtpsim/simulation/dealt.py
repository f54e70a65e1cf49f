"""Dealt cards: what is counted of a stream of deals, and the tests of it against the shoe.

Every test's law is right for cards drawn without replacement: counts of one place of the deal, or
of two, are multinomial, for deals are independent of each other; counts over all cards of a deal
vary less, by the factor of a finite population; cards drawn later are tested against what is left.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import chdtrc

from rtpsim.cards import CARDS_IN_DECK, RANKS, SUITS, VALUE_CLASSES
from rtpsim.statistics.significance import LEAST_EXPECTED, TestResult, chi_squared, z_test

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rtpsim.cards import Shoe

LAGS = (1, 2, 3, 4, 8)
"""How many rounds apart the rounds are that are tested for serial correlation."""

LATER_DRAWS = 8
"""Cards drawn after the deal that are tested."""

_RANKS, _SUITS = len(RANKS), len(SUITS)


def place_names(hands: int, cards: int | None = None) -> list[str]:
    """Name the places of a deal, in the order in which the kernel draws them.

    Parameters
    ----------
    hands
        Hands a round.
    cards
        How many cards are dealt at once, if more than the two of each.
    """
    own = [f"hand {hand + 1} {nth}" for hand in range(hands) for nth in ("first", "second")]
    if hands == 1:
        own = ["player's first", "player's second"]
    names = ["up card", "dealer's second", *own]
    return names + [f"next {number + 1}" for number in range((cards or 0) - len(names))]


class DealCounts:
    """Counts of a stream of deals.

    Parameters
    ----------
    shoe
        The shoe that every round is dealt from.
    numbers
        Card number by position in the shoe.
    hands, cards
        Hands a round, and cards that are dealt at once.
    """

    def __init__(
        self, shoe: Shoe, numbers: NDArray[np.uint16], hands: int, cards: int | None = None
    ) -> None:
        self.shoe = shoe
        self.names = place_names(hands, cards)
        self.pairs = list(combinations(range(len(self.names)), 2))
        self._number = numbers.astype(np.int64)
        self.rounds = 0
        self.positions = np.zeros((len(self.names), shoe.size), dtype=np.int64)
        self.ranks = np.zeros((len(self.pairs), _RANKS, _RANKS), dtype=np.int64)
        self.suits = np.zeros((len(self.pairs), _SUITS, _SUITS), dtype=np.int64)
        self.products = [0] * len(self.pairs)
        self.twice = 0
        self.following = np.zeros((len(self.names) + 1, _RANKS, _RANKS), dtype=np.int64)
        self.lagged = np.zeros((len(self.names), len(LAGS), 2), dtype=object)

    def add(self, dealt: NDArray[np.uint16]) -> None:
        """Count the deals of neighbouring rounds.

        Parameters
        ----------
        dealt
            Position in the ordered shoe of every card, uint16, shape (rounds, cards): the up card,
            the dealer's second card, two a hand, and those dealt ahead.
        """
        places = np.ascontiguousarray(dealt.T).astype(np.int64)  # each place's cards in a row
        numbers = self._number[places]
        # sums of so many whole numbers are exact in floating point, and its products are faster
        centred = (2 * places - (self.shoe.size - 1)).astype(np.float64)
        self.rounds += places.shape[1]
        for card, drawn in enumerate(places):
            self.positions[card] += np.bincount(drawn, minlength=self.shoe.size)
        for number, (one, other) in enumerate(self.pairs):
            table = _table(numbers[one], numbers[other], CARDS_IN_DECK)
            by_suit = table.reshape(_RANKS, _SUITS, _RANKS, _SUITS)
            self.ranks[number] += by_suit.sum(axis=(1, 3))
            self.suits[number] += by_suit.sum(axis=(0, 2))
            self.products[number] += _product(centred[one], centred[other])
            self.twice += int(np.count_nonzero(places[one] == places[other]))
        self._add_following(numbers // _SUITS, centred)

    def _add_following(self, ranks: NDArray[np.int64], centred: NDArray[np.float64]) -> None:
        """Count what follows what: no card is in two of the pairs of one table of ranks."""
        cards, rounds = ranks.shape
        even = rounds // 2 * 2
        for card in range(cards):
            self.following[card] += _table(ranks[card, :even:2], ranks[card, 1:even:2], _RANKS)
            for number, lag in enumerate(LAGS):
                if rounds > lag:
                    product = _product(centred[card, :-lag], centred[card, lag:])
                    self.lagged[card, number] += np.array([product, rounds - lag], dtype=object)
        self.following[cards] += _table(ranks[-1, :-1], ranks[0, 1:], _RANKS)

    def tests(self) -> list[TestResult]:
        """Return all tests, as they stand."""
        return [
            *self._by_place(),
            *self._totals(),
            *self._pairs(),
            *self._successive(),
        ]

    def _by_place(self) -> list[TestResult]:
        """Test the places of the deal one by one: positions in the shoe, and cards."""
        size = self.shoe.size
        even = [Fraction(1, size)] * size
        chances = [Fraction(count, size) for count in self.shoe.counts]
        found = []
        for name, counts in zip(self.names, self.positions, strict=True):
            found.append(chi_squared(f"position in the shoe: {name}", counts.tolist(), even))
            cards = np.bincount(self._number, weights=counts, minlength=CARDS_IN_DECK)
            found.append(chi_squared(f"card: {name}", cards.astype(np.int64).tolist(), chances))
        return found

    def _totals(self) -> list[TestResult]:
        """Test ranks and suits over all cards of the deal.

        Of n cards out of N without replacement the counts have the covariance of n independent
        ones times (N - n) / (N - 1); Pearson's statistic is divided by that.
        """
        totals = np.bincount(
            self._number, weights=self.positions.sum(axis=0), minlength=CARDS_IN_DECK
        ).astype(np.int64)
        table = totals.reshape(_RANKS, _SUITS)
        copies = np.array(self.shoe.counts).reshape(_RANKS, _SUITS)
        size, drawn = self.shoe.size, len(self.names)
        factor = (size - drawn) / (size - 1)
        found = []
        for name, axis in (("rank", 1), ("suit", 0)):
            chances = [Fraction(int(count), size) for count in copies.sum(axis=axis)]
            whole = chi_squared(f"{name}: all cards", table.sum(axis=axis).tolist(), chances)
            found.append(_scaled(whole, factor))
        return found

    def _pairs(self) -> list[TestResult]:
        """Test every two cards of a deal together, and that none is dealt twice."""
        size = self.shoe.size
        ranks = _pair_chances(self.shoe.by_rank)
        suits = _pair_chances(np.array(self.shoe.counts).reshape(_RANKS, _SUITS).sum(axis=0))
        twice = [self.rounds * len(self.pairs) - self.twice, self.twice]
        found = [chi_squared("a card dealt twice", twice, [Fraction(1), Fraction(0)])]
        if self.twice == 0:
            found = [TestResult("a card dealt twice", 0.0, None, 1.0)]
        mean, spread = _product_law(size)
        for number, (one, other) in enumerate(self.pairs):
            name = f"{self.names[one]} with {self.names[other]}"
            found.append(chi_squared(f"ranks: {name}", self.ranks[number].ravel().tolist(), ranks))
            found.append(chi_squared(f"suits: {name}", self.suits[number].ravel().tolist(), suits))
            excess = self.products[number] / self.rounds - mean
            error = spread / math.sqrt(self.rounds)
            found.append(z_test(f"correlation: {name}", excess, error, None))
        return found

    def _successive(self) -> list[TestResult]:
        """Test rounds that follow each other: they have nothing to do with each other."""
        size = self.shoe.size
        free = [Fraction(a * b, size**2) for a in self.shoe.by_rank for b in self.shoe.by_rank]
        spread = (size**2 - 1) / 3  # variance of 2 x - (N - 1), x even on 0 ... N - 1
        names = [f"{name} of successive rounds" for name in self.names]
        names.append(f"{self.names[-1]}, then {self.names[0]}")
        found = [
            chi_squared(f"ranks: {name}", counts.ravel().tolist(), free)
            for name, counts in zip(names, self.following, strict=True)
        ]
        for name, sums in zip(self.names, self.lagged, strict=True):
            for lag, (product, count) in zip(LAGS, sums, strict=True):
                if count:
                    error = spread * math.sqrt(count)
                    what = f"serial correlation: {name}, {lag} round{'s' * (lag > 1)} apart"
                    found.append(z_test(what, float(product), error, None))
        return found


def _table(one: NDArray[np.int64], other: NDArray[np.int64], kinds: int) -> NDArray[np.int64]:
    """Count pairs of kinds."""
    counts = np.bincount(one * kinds + other, minlength=kinds * kinds)
    return counts.reshape(kinds, kinds).astype(np.int64)


def _product(one: NDArray[np.float64], other: NDArray[np.float64]) -> int:
    """Return the sum of the products of whole numbers."""
    return int(np.einsum("i,i->", one, other))  # by one thread: others may be simulating


def _scaled(test: TestResult, factor: float) -> TestResult:
    """Return a chi-squared test whose counts vary by a factor less than independent ones."""
    if test.df is None:
        return test
    statistic = test.statistic / factor
    return TestResult(test.name, statistic, test.df, float(chdtrc(test.df, statistic)))


def _pair_chances(counts: Sequence[int] | NDArray[np.int64]) -> list[Fraction]:
    """Return the chances of two kinds, one after the other out of one shoe."""
    numbers = [int(count) for count in counts]
    size = sum(numbers)
    return [
        Fraction(a * (b - (one == other)), size * (size - 1))
        for one, a in enumerate(numbers)
        for other, b in enumerate(numbers)
    ]


def _product_law(size: int) -> tuple[float, float]:
    """Return mean and standard deviation of the product of two centred positions of a deal.

    Sums over all pairs of different ones: ``sum c_i c_j = (sum c)^2 - sum c^2``, and likewise of
    the squares.
    """
    squares = [(2 * place - (size - 1)) ** 2 for place in range(size)]
    second, fourth = sum(squares), sum(square**2 for square in squares)
    pairs = size * (size - 1)
    mean = Fraction(-second, pairs)
    variance = Fraction(second**2 - fourth, pairs) - mean**2
    return float(mean), math.sqrt(variance)


class PlayedCounts:
    """Cards of recorded rounds: those dealt, and those drawn later against what was left.

    Given all that has been dealt, the next card is any of those left. Over many rounds the counts
    less the chances given the past are sums of martingale differences, whose covariance is the sum
    of those of single draws: ``d' V^-1 d`` is chi-squared (the martingale central limit theorem:
    P. Hall and C. Heyde, Martingale Limit Theory, 3.2), although whether a card is drawn depends
    on those before.

    Parameters
    ----------
    shoe
        The shoe that every round is dealt from.
    hands
        Hands a round.
    classes
        Classes that the drawn cards are told apart by: 10 values or 13 ranks.
    """

    def __init__(self, shoe: Shoe, hands: int, classes: int) -> None:
        self.shoe = shoe
        self.names = place_names(hands)
        self.classes = classes
        self.cards = np.zeros((len(self.names), CARDS_IN_DECK), dtype=np.int64)
        self._left = np.array(shoe.by_rank if classes == _RANKS else shoe.by_value, dtype=np.int64)
        self.seen = np.zeros((LATER_DRAWS, classes), dtype=np.int64)
        self.expected = np.zeros((LATER_DRAWS, classes))
        self.covariance = np.zeros((LATER_DRAWS, classes, classes))

    def add(
        self,
        dealt: NDArray[np.uint8],
        drawn: NDArray[np.uint8],
        length: NDArray[np.int64],
    ) -> None:
        """Count recorded rounds: see `rtpsim.simulation.buffers.Record`."""
        for place, numbers in enumerate(dealt.T):
            self.cards[place] += np.bincount(numbers, minlength=CARDS_IN_DECK)
        kinds = np.minimum(dealt // _SUITS, self.classes - 1)
        left = np.tile(self._left, (len(dealt), 1))
        rows = np.arange(len(dealt))
        for card in kinds.T:
            left[rows, card] -= 1
        for draw in range(LATER_DRAWS):
            rows = np.flatnonzero(length > draw)
            if rows.size == 0:
                return
            chances = left[rows] / left[rows].sum(axis=1, keepdims=True)
            card = drawn[rows, draw]
            self.seen[draw] += np.bincount(card, minlength=self.classes)
            self.expected[draw] += chances.sum(axis=0)
            self.covariance[draw] += np.diag(chances.sum(axis=0)) - chances.T @ chances
            left[rows, card] -= 1

    def tests(self) -> list[TestResult]:
        """Return a test for each place of the deal, and for each draw."""
        what = "rank" if self.classes == _RANKS else "value"
        assert self.classes in (_RANKS, len(VALUE_CLASSES)), "cards are told apart in two ways"
        chances = [Fraction(count, self.shoe.size) for count in self.shoe.counts]
        return [
            *(
                chi_squared(f"card as played: {name}", counts.tolist(), chances)
                for name, counts in zip(self.names, self.cards, strict=True)
            ),
            *(self._test(f"{what}: draw {draw + 1}", draw) for draw in range(LATER_DRAWS)),
        ]

    def _test(self, name: str, draw: int) -> TestResult:
        # the last class follows from the others
        excess = (self.seen[draw] - self.expected[draw])[:-1]
        if self.expected[draw].min() < LEAST_EXPECTED:
            return TestResult(name, math.nan, None, None)
        statistic = float(excess @ np.linalg.solve(self.covariance[draw, :-1, :-1], excess))
        df = self.classes - 1
        return TestResult(name, statistic, df, float(chdtrc(df, statistic)))
