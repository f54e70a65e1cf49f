"""Dealer probabilities: every hand of the dealer, weighted by the cards that are left.

The order of the dealer's cards decides only which hands can come about, not their probability:
each composition is therefore visited once, with the number of orders in which it can be drawn.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim._jit import array_kernel
from rtpsim.exact.lattice import CLASSES
from rtpsim.program.dealer import dealer_final, is_natural
from rtpsim.program.hands import Hand, hand_of
from rtpsim.program.settlement import FINALS, Final
from rtpsim.rules import Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

OUTCOMES = len(FINALS)
"""Outcomes are the codes of `rtpsim.program.settlement.FINALS`; the first is never reached."""

NONE, NATURAL = FINALS.index(Final.NONE), FINALS.index(Final.NATURAL)
"""Codes of no outcome and of a natural."""

MAX_DRAWS = 24


class DealerTree(NamedTuple):
    """The compositions of one up card's dealer hands as a tree, in depth-first order.

    Every node adds one card to its parent; the cards of a path ascend.

    Attributes
    ----------
    card
        Class of the card that the node adds, int64.
    earlier
        How many cards of this class the path has before, float64.
    depth
        Number of cards drawn before this one, int64.
    ways
        Number of orders in which a finished hand can be drawn, 0.0 at other nodes, float64.
    outcome
        Code of the final of a finished hand, int64.
    """

    card: NDArray[np.int64]
    earlier: NDArray[np.float64]
    depth: NDArray[np.int64]
    ways: NDArray[np.float64]
    outcome: NDArray[np.int64]


def _finished_hands(rules: Rules, *begun: int) -> dict[tuple[int, ...], tuple[int, int]]:
    """Return the cards drawn (ascending) of each finished hand: number of orders, outcome.

    ``begun`` is the up card, or the dealer's first two cards that make him draw.
    """
    finished: dict[tuple[int, ...], tuple[int, int]] = {}
    drawing: dict[tuple[int, ...], tuple[int, Hand]] = {(): (1, hand_of(*begun))}
    while drawing:
        longer: dict[tuple[int, ...], tuple[int, Hand]] = {}
        for drawn, (ways, hand) in drawing.items():
            for card in range(CLASSES):
                cards = tuple(sorted((*drawn, card)))
                if len(begun) == 1 and not drawn and is_natural(begun[0], card):
                    finished[cards] = (ways, NATURAL)
                    continue
                drawn_to = hand.with_card(card)
                final = dealer_final(rules, drawn_to)
                if final is None:
                    longer[cards] = longer.get(cards, (0, hand))[0] + ways, drawn_to
                else:
                    before = finished.get(cards, (0, 0))[0]
                    finished[cards] = (before + ways, FINALS.index(final))
        drawing = longer
    return finished


@cache
def dealer_trees(soft17: str) -> tuple[DealerTree, ...]:
    """Return the dealer's trees by up card (value class) under a rule for soft 17."""
    rules = Rules(decks=1, soft17=soft17)
    return tuple(_tree(_finished_hands(rules, up)) for up in range(CLASSES))


@cache
def _known_tree(soft17: str, up: int, second: int) -> DealerTree:
    """Return the tree of the dealer's hands that begin with two known cards."""
    return _tree(_finished_hands(Rules(decks=1, soft17=soft17), up, second))


def known_outcomes(
    soft17: str, up: int, second: int, left: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the probability of each outcome where the dealer's second card is known too.

    Parameters
    ----------
    soft17
        The rule for soft 17.
    up, second
        The dealer's first two cards.
    left
        Cards left by class, these two not among them, shape (10, shoes).

    Returns
    -------
    NDArray[np.float64]
        Shape (`OUTCOMES`, shoes).
    """
    final = dealer_final(Rules(decks=1, soft17=soft17), hand_of(up, second))
    if is_natural(up, second):
        final = Final.NATURAL
    if final is None:
        return dealer_outcomes(_known_tree(soft17, up, second), left)
    outcomes = np.zeros((OUTCOMES, left.shape[1]))
    outcomes[FINALS.index(final)] = 1.0
    return outcomes


def _tree(finished: dict[tuple[int, ...], tuple[int, int]]) -> DealerTree:
    """Arrange finished hands as a tree in depth-first order."""
    paths = sorted({cards[:length] for cards in finished for length in range(1, len(cards) + 1)})
    none = (0, 0)
    return DealerTree(
        card=np.array([path[-1] for path in paths], dtype=np.int64),
        earlier=np.array([path[:-1].count(path[-1]) for path in paths], dtype=np.float64),
        depth=np.array([len(path) - 1 for path in paths], dtype=np.int64),
        ways=np.array([finished.get(path, none)[0] for path in paths], dtype=np.float64),
        outcome=np.array([finished.get(path, none)[1] for path in paths], dtype=np.int64),
    )


WIDTH = 64
"""Shoes that are enumerated side by side."""


@array_kernel
def dealer_outcomes(tree: DealerTree, left: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability of each outcome of the dealer's hand for many shoes.

    The probability of a composition is a product of falling factorials of the cards left over one
    of their total; the products are formed along the tree, `WIDTH` shoes at a time.

    Parameters
    ----------
    tree
        The up card's tree.
    left
        Cards left by class, the up card not among them, shape (10, shoes).

    Returns
    -------
    NDArray[np.float64]
        Shape (`OUTCOMES`, shoes).
    """
    shoes = left.shape[1]
    outcomes = np.zeros((OUTCOMES, shoes))
    product = np.ones((MAX_DRAWS + 1, WIDTH))
    scale = np.zeros((MAX_DRAWS + 1, WIDTH))
    here = np.zeros((CLASSES, WIDTH))
    sums = np.zeros((OUTCOMES, WIDTH))
    for first in range(0, shoes, WIDTH):
        width = min(WIDTH, shoes - first)
        here[:, :width] = left[:, first : first + width]
        _scales(here, width, scale)
        sums[:] = 0.0
        for node in range(tree.card.size):
            depth = tree.depth[node]
            _multiply(product[depth], here[tree.card[node]], tree.earlier[node], product[depth + 1])
            if tree.ways[node] > 0.0:
                _add(
                    product[depth + 1], scale[depth + 1], tree.ways[node], sums[tree.outcome[node]]
                )
        outcomes[:, first : first + width] = sums[:, :width]
    return outcomes


@array_kernel
def _scales(here: NDArray[np.float64], width: int, scale: NDArray[np.float64]) -> None:
    """Write 1 / (n (n - 1) ... ) by number of cards drawn; 0 where there are not so many."""
    for i in range(width):
        cards = here[:, i].sum()
        scale[0, i] = 1.0
        for depth in range(MAX_DRAWS):
            remaining = cards - depth
            scale[depth + 1, i] = scale[depth, i] / remaining if remaining > 0.0 else 0.0


@array_kernel
def _multiply(
    path: NDArray[np.float64],
    cards: NDArray[np.float64],
    earlier: float,
    longer: NDArray[np.float64],
) -> None:
    """Lengthen a path by one card: multiply by how many are left of it."""
    for i in range(WIDTH):
        longer[i] = path[i] * (cards[i] - earlier)


@array_kernel
def _add(
    path: NDArray[np.float64],
    scale: NDArray[np.float64],
    ways: float,
    total: NDArray[np.float64],
) -> None:
    """Add the probability of a finished hand to its outcome's."""
    for i in range(WIDTH):
        total[i] += ways * path[i] * scale[i]
