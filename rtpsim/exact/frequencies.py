"""Frequencies of labels: the ways of counting how rounds went that a run is tested in."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeVar

from rtpsim.cards import ACE_CLASS, VALUE_CLASSES
from rtpsim.program.dealer import peeks
from rtpsim.program.events import Ending
from rtpsim.program.graph import Action

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rtpsim.exact import ExactResult
    from rtpsim.exact.evaluate import Opening
    from rtpsim.program.labels import Label
    from rtpsim.rules import Rules

    Number = TypeVar("Number", int, float)

DECISIONS = "first decisions by up card"
NETS = "net results"
PLAYER_FINALS = "player finals"
DEALER_FINALS = "dealer finals by up card"

NAMES = (DECISIONS, NETS, PLAYER_FINALS, DEALER_FINALS)
"""The tables of frequencies that can be had, in the order in which they are reported."""

_AT_ONCE = {
    str(ending)
    for ending in (
        Ending.NATURAL,
        Ending.EVEN_MONEY,
        Ending.DEALER_NATURAL,
        Ending.EARLY_SURRENDER,
        Ending.SURRENDER,
    )
}
_SPLITS = {Action.SPLIT: "split", Action.POWER_SPLIT: "power-split"}
_PLAYED, _DOUBLED = "played", "doubled"


def _decision(label: Label, rules: Rules) -> str:
    """Return what became of the initial two cards, as far as their own decision tells it."""
    what = label.route
    if what not in _AT_ONCE and what not in _SPLITS.values():
        # doubling later is not the decision on the first two cards
        doubled = label.wager > rules.unit and not rules.double_any_cards
        what = _DOUBLED if doubled else _PLAYED
    return f"{VALUE_CLASSES[label.up]} {what}"


_KEYS: dict[str, Callable[[Label, Rules], str]] = {
    DECISIONS: _decision,
    NETS: lambda label, rules: f"{label.net} of {label.wager}",
    PLAYER_FINALS: lambda label, rules: f"{label.route} {label.player_final}",
    DEALER_FINALS: lambda label, rules: f"{VALUE_CLASSES[label.up]} {label.dealer_final}",
}


def label_frequencies(
    labels: Mapping[Label, Number], rules: Rules, names: Iterable[str] = NAMES
) -> dict[str, dict[str, Number]]:
    """Add labels up to each table of frequencies.

    Parameters
    ----------
    labels
        How the first hand ended -> rounds, or their probability.
    rules
        The rules that were played.
    names
        Which tables, out of `NAMES`.

    Returns
    -------
    dict
        Name of the table -> cell -> rounds, or probability.
    """
    tables: dict[str, dict[str, Number]] = {}
    for name in names:
        key, cells = _KEYS[name], defaultdict[str, "Number"](int)
        for label, count in labels.items():
            cells[key(label, rules)] += count
        tables[name] = dict(cells)
    return tables


def exact_frequencies(result: ExactResult) -> dict[str, dict[str, float]]:
    """Return the probabilities of every table that an exact result gives.

    The first decisions are always exact; the others where the distribution is in reach.
    """
    tables = {DECISIONS: _decisions(result.openings, result.game.rules)}
    if result.moments is not None:
        names = (NETS, PLAYER_FINALS, DEALER_FINALS)
        tables |= label_frequencies(result.moments.labels, result.game.rules, names)
    return tables


def _decisions(openings: Iterable[Opening], rules: Rules) -> dict[str, float]:
    """Return the probability of each first decision by up card (`_decision`)."""
    chances: defaultdict[str, float] = defaultdict(float)
    for opening in openings:
        what, ended_before = _first_decision(opening, rules)
        up = VALUE_CLASSES[opening.up]
        chances[f"{up} {what}"] += opening.probability * (1.0 - ended_before)
        if ended_before > 0.0:
            chances[f"{up} {Ending.DEALER_NATURAL}"] += opening.probability * ended_before
    return dict(chances)


def _first_decision(opening: Opening, rules: Rules) -> tuple[str, float]:
    """Return an initial hand's decision, and the chance that a dealer natural comes before it."""
    if opening.action is None:
        return str(Ending.EVEN_MONEY if opening.even_money else Ending.NATURAL), 0.0
    if opening.action is Action.SURRENDER and rules.surrenders_early:
        return str(Ending.EARLY_SURRENDER), 0.0
    checked = rules.insurance_peek and opening.insured and opening.up == ACE_CLASS
    before = opening.natural_chance if checked or peeks(rules, opening.up) else 0.0
    if opening.action is Action.SURRENDER:
        return str(Ending.SURRENDER), before
    if opening.action in _SPLITS:
        return _SPLITS[opening.action], before
    doubled = opening.action in (Action.DOUBLE, Action.POWER_DOUBLE)
    return (_DOUBLED if doubled and not rules.double_any_cards else _PLAYED), before
