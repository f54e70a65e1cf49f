"""Power doubles: what keeping and replacing the third card are worth, all at once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.exact.dealer import NATURAL
from rtpsim.exact.lattice import CLASSES, lattice
from rtpsim.exact.model import model_of, power_doubles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.exact.upcard import UpCard
    from rtpsim.rules import Rules


class PowerDouble(NamedTuple):
    """A power double of two cards against an up card.

    Attributes
    ----------
    kept
        Net where every third card is kept.
    gain
        What replacing a third card adds, by class, its probability included; shape (10,).
    """

    kept: float
    gain: NDArray[np.float64]


class _Index(NamedTuple):
    """Best totals and removals: the third card kept, shape (pairs, 10); replaced, (.., 10)."""

    pairs: tuple[tuple[int, int], ...]
    kept_best: NDArray[np.int64]
    kept_removal: NDArray[np.int64]
    best: NDArray[np.int64]
    removal: NDArray[np.int64]


@lru_cache(maxsize=16)
def _index_of(rules: Rules) -> _Index:
    model, hands = model_of(rules), lattice()
    pairs = tuple(power_doubles(rules))
    totals = hands.best
    best = [[totals[hands.of(*pair, card)] for card in range(CLASSES)] for pair in pairs]
    kept = [[model.removal(*pair, card) for card in range(CLASSES)] for pair in pairs]
    replaced = [
        [[model.removal(*pair, third, fourth) for fourth in range(CLASSES)] for third in range(10)]
        for pair in pairs
    ]
    return _Index(
        pairs,
        np.array(best, dtype=np.int64),
        np.array(kept, dtype=np.int64),
        np.repeat(np.array(best, dtype=np.int64)[:, np.newaxis, :], CLASSES, axis=1),
        np.array(replaced, dtype=np.int64),
    )


def power_doubles_of(card: UpCard) -> dict[tuple[int, int], PowerDouble]:
    """Return every power double against an up card, by the two cards (ascending).

    Nets leave out what a dealer natural does where it costs the original bet only, as those of
    worlds do.
    """
    model = card.model
    if model.rules.power_double == "none":
        return {}
    index = _index_of(model.rules)
    pays = model.pays.power_double.copy()
    if card.original_only:
        pays[:, NATURAL] = 0.0
    outcomes = card.outcomes.T
    kept = np.einsum("ijk,ijk->ij", pays[index.kept_best], outcomes[index.kept_removal])
    replaced = np.einsum("hijk,hijk->hij", pays[index.best], outcomes[index.removal])
    found = {}
    for number, pair in enumerate(index.pairs):
        left = card.shoe - np.bincount([*pair, card.up], minlength=CLASSES)
        if left.min() < 0 or left.sum() < 2:
            continue
        cards = int(left.sum())
        after = np.maximum(left - np.eye(CLASSES, dtype=np.int64), 0) / (cards - 1)
        chance = left / cards
        gain = chance * ((after * replaced[number]).sum(axis=1) - kept[number])
        found[pair] = PowerDouble(float(chance @ kept[number]), gain)
    return found
