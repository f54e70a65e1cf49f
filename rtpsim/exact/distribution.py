"""The distribution of results: every label with its probability, and the moments of a round."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim.exact.dealer import NATURAL
from rtpsim.exact.joint import joint_ends, result_of
from rtpsim.exact.lattice import lattice
from rtpsim.exact.model import DOUBLE, HIT, INITIAL, STAND, World
from rtpsim.exact.spreading import Ends, no_ends, spread_world
from rtpsim.program.contexts import describe_final
from rtpsim.program.events import BUST_TOTAL, Ending, Result
from rtpsim.program.graph import Action
from rtpsim.program.labels import Label
from rtpsim.program.settlement import FINALS, Final, Need, dealer_need, settle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from rtpsim.exact.evaluate import Evaluation, Opening
    from rtpsim.exact.splits import Term
    from rtpsim.exact.upcard import UpCard
    from rtpsim.rules import Rules

_PLAYED = {Action.STAND: STAND, Action.HIT: HIT, Action.DOUBLE: DOUBLE}


class Terminal(NamedTuple):
    """What an initial hand became: a label without the dealer's final."""

    up: int
    route: str
    results: tuple[Result, ...]
    insured: bool


Masses = dict[Terminal, "NDArray[np.float64]"]


@dataclass(frozen=True)
class Distribution:
    """Every label with its probability.

    Attributes
    ----------
    rules
        The rules.
    labels
        Probability of each label.
    """

    rules: Rules
    labels: dict[Label, float]

    def outcomes(self) -> dict[tuple[int, int], float]:
        """Return the probability of each (net, wager), in units of 1 / `Rules.unit`."""
        chances: defaultdict[tuple[int, int], float] = defaultdict(float)
        for label, chance in self.labels.items():
            chances[label.net, label.wager] += chance
        return dict(sorted(chances.items()))


def in_reach(evaluation: Evaluation, opening: Opening) -> bool:
    """Whether what becomes of an initial hand is in reach: no hand of a split is split again.

    Nor may a pair be played otherwise than its total because it might be split again.
    """
    if opening.action not in (Action.SPLIT, Action.POWER_SPLIT):
        return True
    card = evaluation.card_of(opening)
    return all(
        not term.gone and not (term.kept and card.keeps_apart(term.card))
        for term in _terms(card, opening)
    )


def distribution(evaluation: Evaluation) -> Distribution:
    """Return the distribution of the initial hands that are `in_reach`.

    Its probabilities sum to less than 1 where some are not.
    """
    masses: Masses = defaultdict(lambda: np.zeros(9))
    for up, cards in evaluation.cards.items():
        for card in cards:
            if card is not None:
                openings = [
                    opening
                    for opening in evaluation.openings
                    if opening.up == up
                    and evaluation.card_of(opening) is card
                    and in_reach(evaluation, opening)
                ]
                for insured in sorted({opening.insured for opening in openings}):
                    chosen = [o for o in openings if o.insured == insured]
                    _add_openings(card, chosen, masses)
    rules = next(iter(evaluation.cards.values()))[0].model.rules
    return Distribution(rules, _labels(rules, masses))


def _add_openings(card: UpCard, openings: list[Opening], masses: Masses) -> None:
    """Add what becomes of initial hands that are all insured, or all not."""
    played: list[Opening] = []
    splits: defaultdict[tuple[int, int, Action], list[Opening]] = defaultdict(list)
    for opening in openings:
        if opening.action in _PLAYED:
            played.append(opening)
        elif opening.action in (Action.SPLIT, Action.POWER_SPLIT):
            splits[opening.first, opening.second, opening.action].append(opening)
        elif opening.action is Action.POWER_DOUBLE:
            _add_power_double(card, opening, masses)
        else:
            _add_at_once(card, opening, masses)
        _add_early_natural(card, opening, masses)
    _add_played(card, played, masses)
    for same in splits.values():
        _add_split(card, same[0], sum(opening.probability for opening in same), masses)


def _surrendered_early(card: UpCard, opening: Opening) -> bool:
    early = card.model.rules.surrenders_early
    return early and opening.action is Action.SURRENDER


def _is_natural(opening: Opening) -> bool:
    return opening.action is None


def _add_early_natural(card: UpCard, opening: Opening, masses: Masses) -> None:
    """Add the rounds that a dealer natural ends before this hand is played."""
    if card.ends_early and not _is_natural(opening) and not _surrendered_early(card, opening):
        result = Result(Ending.DEALER_NATURAL, 0, 1)
        terminal = Terminal(card.up, str(result.ending), (result,), opening.insured)
        masses[terminal][NATURAL] += opening.probability * opening.natural_chance


def _add_at_once(card: UpCard, opening: Opening, masses: Masses) -> None:
    """Add naturals, even money and surrenders."""
    outcome = card.outcomes[:, card.model.removal(opening.first, opening.second)].copy()
    if opening.even_money:
        result = Result(Ending.EVEN_MONEY, 21, 1)
    elif _is_natural(opening):
        result = Result(Ending.NATURAL, 21, 1)
    else:
        ending = Ending.EARLY_SURRENDER if _surrendered_early(card, opening) else Ending.SURRENDER
        total = int(lattice().best[lattice().of(opening.first, opening.second)])
        result = Result(ending, total, 1)
        if ending is Ending.SURRENDER and card.ends_early:
            outcome[NATURAL] = 0.0
    terminal = Terminal(card.up, str(result.ending), (result,), opening.insured)
    masses[terminal] += opening.probability * outcome


def _add_played(card: UpCard, openings: list[Opening], masses: Masses) -> None:
    """Add the initial hands that stand, hit or double."""
    world = World(INITIAL, ())
    size = len(lattice().total)
    chosen = np.zeros((size, 3))
    for opening in openings:
        assert opening.action is not None, "played hands have an action"
        hand = lattice().of(opening.first, opening.second)
        chosen[hand, _PLAYED[opening.action]] += opening.probability
    if not openings:
        return
    ends = _spread(card, world, np.zeros(size), chosen)
    insured = openings[0].insured
    for result, outcome in _results(ends):
        terminal = Terminal(card.up, str(result.ending), (result,), insured)
        masses[terminal] += outcome


def _spread(
    card: UpCard, world: World, reach: NDArray[np.float64], chosen: NDArray[np.float64]
) -> Ends:
    ends = no_ends()
    spread_world(
        card.model.places[world].hands,
        card.removal_of(world),
        card.table(world.origin),
        card.deal(world),
        card.value(world).action,
        reach,
        chosen,
        ends,
    )
    return ends


def _results(ends: Ends) -> Iterable[tuple[Result, NDArray[np.float64]]]:
    """Yield the results of initial hands that occur, with their chances by outcome."""
    for total in range(22):
        yield Result(Ending.STAND, total, 1), ends.stand[total]
        yield Result(Ending.DOUBLE, total, 2), ends.double[total]
        for wager in (1, 2):
            yield Result(Ending.CHARLIE, total, wager), ends.charlie[wager - 1, total]
    for wager in (1, 2):
        yield Result(Ending.BUST, BUST_TOTAL, wager), ends.bust[wager - 1]


def _add_power_double(card: UpCard, opening: Opening, masses: Masses) -> None:
    """Add a power double: every third card, kept or replaced by every fourth."""
    for end in card.power_ends(opening.first, opening.second):
        bust = end.total == BUST_TOTAL
        result = Result(Ending.BUST if bust else Ending.POWER_DOUBLE, end.total, 2)
        terminal = Terminal(card.up, str(result.ending), (result,), opening.insured)
        masses[terminal] += opening.probability * end.chance * end.outcome


def _terms(card: UpCard, opening: Opening) -> tuple[Term, ...]:
    power = opening.action is Action.POWER_SPLIT
    return card.split_terms(opening.first, opening.second, power=power)


def _add_split(card: UpCard, opening: Opening, probability: float, masses: Masses) -> None:
    """Add the two hands of a split, jointly."""
    joint = joint_ends(card, (opening.first,), (opening.second,))
    route = "power-split" if opening.action is Action.POWER_SPLIT else "split"
    for one, other in np.argwhere(np.abs(joint).sum(axis=2) > 0.0).tolist():
        results = tuple(sorted((result_of(one), result_of(other))))
        masses[Terminal(card.up, route, results, opening.insured)] += (
            probability * joint[one, other]
        )


def _labels(rules: Rules, masses: Masses) -> dict[Label, float]:
    """Settle every terminal against the finals that can be told apart."""
    labels: defaultdict[Label, float] = defaultdict(float)
    for terminal, outcome in masses.items():
        need = dealer_need(rules, terminal.results, insured=terminal.insured)
        for final, chance in _finals(need, outcome):
            if chance > 0.0:
                settled = settle(rules, terminal.results, insured=terminal.insured, final=final)
                label = Label(
                    terminal.up,
                    terminal.route,
                    describe_final(terminal.results),
                    str(final),
                    terminal.insured,
                    settled.net,
                    settled.wager,
                )
                labels[label] += chance
    return dict(labels)


def _finals(need: Need, outcome: NDArray[np.float64]) -> list[tuple[Final, float]]:
    """Return the finals that a hand's need tells apart, with their chances."""
    if need is Need.FINAL:
        return [(final, float(outcome[code])) for code, final in enumerate(FINALS)]
    if need is Need.NATURAL:
        natural = float(outcome[NATURAL])
        return [(Final.NONE, float(outcome.sum()) - natural), (Final.NATURAL, natural)]
    return [(Final.NONE, float(outcome.sum()))]
