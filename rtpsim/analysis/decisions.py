"""Decisions: how often a chart's rows are asked, and what their answers lose, summed exactly.

The difference between the best play's value and a chart's is the sum, over all states that the
chart comes to, of how often it comes there times what its action loses there against the best one,
when play goes on by the best play: the performance difference of policies (S. Kakade and
J. Langford, "Approximately optimal approximate reinforcement learning", ICML 2002, lemma 6.1).

The hands of a split share a shoe, and are valued one by one, each in *worlds* where further cards
are gone (`rtpsim.exact.splits`). What holds for a hand holds for each of the terms of a split's
value, which are added up with their factors: so the sum stays exact, and the factors, some of them
negative, add up to how often a split hand is really met.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from rtpsim.analysis.reach import Starts, alive, alive_hands, draw_cards, total_rows
from rtpsim.cards import ACE_CLASS, VALUE_CLASSES
from rtpsim.exact.deals import Dealt, deals_of
from rtpsim.exact.evaluate import Opening, Table, table_of
from rtpsim.exact.lattice import CLASSES, lattice
from rtpsim.exact.model import (
    DECISION,
    HIT,
    INITIAL,
    WAITS,
    World,
)
from rtpsim.exact.policies import CODES, ChartPolicy, OptimalPolicy
from rtpsim.exact.solver.power import power_doubles_of
from rtpsim.exact.splits import split_terms
from rtpsim.program.graph import Action, Graph, Origin, Spot
from rtpsim.program.hands import hand_of
from rtpsim.program.player import total_row

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.cards import Shoe
    from rtpsim.exact.upcard import UpCard, Weighted
    from rtpsim.rules import Rules


@dataclass
class Ledger:
    """What is known of each row of a chart against one up card.

    Attributes
    ----------
    frequency
        How often a round brings the row to be asked; after a split that can be more than once.
    loss
        What its answers lose a round, in initial wagers.
    worth
        What hands net from the row's decisions on, under the chart, in initial wagers a round; a
        split's are worth what all its hands net. Where a dealer natural costs the original bet
        only, that is left out.
    valued
        The part of `frequency` that `worth` is known for: not insurance, cards to replace and
        splitting again.
    """

    frequency: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    loss: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    worth: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    valued: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, row: str, frequency: float, loss: float, worth: float | None = None) -> None:
        """Add to a row."""
        self.frequency[row] += float(frequency)
        self.loss[row] += float(loss)
        if worth is not None:
            self.worth[row] += float(worth)
            self.valued[row] += float(frequency)


class _InsuredAlike(OptimalPolicy):
    """The best play, but for insurance, which a chart decides."""

    def __init__(self, chart: ChartPolicy) -> None:
        super().__init__()
        self.chart = chart

    def insures(self, first: int, second: int, gain: float) -> bool:
        """Return the chart's word."""
        return self.chart.insures(first, second, gain)


def decisions(
    rules: Rules,
    policy: ChartPolicy,
    shoe: Shoe,
    up: int,
    *,
    insurance: bool = True,
    even_money: bool = False,
) -> Ledger:
    """Follow a chart against one up card: how often its rows are asked, and what they lose.

    The losses add up to the value of the best play by composition (`OptimalPolicy`) less that of
    the chart, insurance included, times the probability of the up card.

    Parameters
    ----------
    rules
        The rules.
    policy
        The chart.
    shoe
        The shoe before the deal.
    up
        The up card, a value class that the shoe holds.
    insurance, even_money
        Whether they are offered.
    """
    best = table_of(rules, OptimalPolicy(), shoe, up, insurance=insurance, even_money=even_money)
    own = table_of(
        rules,
        policy,
        shoe,
        up,
        insurance=insurance,
        even_money=even_money,
        outcomes=best.card.outcomes,
    )
    walk = _Walk(best, own, policy)
    walk.begin(deals_of(rules, shoe, up))
    walk.draw()
    return walk.ledger


@dataclass
class _Walk:
    """One up card, played by a chart beside the best play.

    Attributes
    ----------
    best, own
        The tables of the best play and of the chart.
    policy
        The chart.
    ledger
        What is found.
    """

    best: Table
    own: Table
    policy: ChartPolicy
    ledger: Ledger = field(default_factory=Ledger)
    _starts: dict[bool, Starts] = field(default_factory=dict)

    # -- initial hands -----------------------------------------------------------------------

    def begin(self, deals: list[Dealt]) -> None:
        """Take in every initial hand."""
        alike = _InsuredAlike(self.policy)
        known = self.best.known
        insured_alike = replace(
            self.best,
            card=replace(self.best.card, policy=alike),
            known=None if known is None else replace(known, policy=alike),
        )
        openings = zip(
            self.best.openings(), insured_alike.openings(), self.own.openings(), strict=True
        )
        for number, (best, alike_insured, own) in enumerate(openings):
            if own.action is None:
                self._insurance(best, alike_insured, own)
            else:
                self._initial(deals[number], best, alike_insured, own)

    def _insurance(self, best: Opening, alike: Opening, own: Opening) -> None:
        """Take in the decision on insurance, or on even money."""
        natural = own.action is None
        offered = self.own.insurance or (natural and self.own.even_money)
        if own.up == ACE_CLASS and offered:
            row = self.policy.player.insurance_row(own.first, own.second)
            loss = own.probability * (_value(best) - _value(alike))
            self.ledger.add(row, own.probability, loss)

    def _initial(self, deal: Dealt, best: Opening, alike: Opening, own: Opening) -> None:
        """Take in the decisions on an initial hand, and where its action leads."""
        early = self.policy.rules.surrenders_early
        value = _value(alike)
        if early and own.action is Action.SURRENDER:
            value = _value(best)  # nobody asks for insurance then
        else:
            self._insurance(best, alike, own)
        insured = self.own.known is not None and own.insured
        worths = alike.worths
        if self.best.known is not None and alike.insured != own.insured:
            worths = self.best.worths(self.best.known if insured else self.best.card, deal)
        card = self._card(insured)
        frequency, net = own.probability, own.worth.net
        if not (early and Action.SURRENDER in worths):  # which comes before the dealer looks
            frequency *= 1.0 - own.natural_chance if card.ends_early else 1.0
            net += own.natural_chance if card.original_only else 0.0
        spot = Spot(hand_of(own.first, own.second), None)
        for answer in self.policy.player.consulted(spot, own.up, tuple(own.worths)):
            after = max(worths[action].net for action in answer.left) + own.insurance
            loss = own.probability * (value - after)
            self.ledger.add(answer.row, frequency, loss, own.probability * net)
            value = after
        self._follow(deal, own, insured=insured)

    def _follow(self, deal: Dealt, own: Opening, *, insured: bool) -> None:
        """Take in where the action on an initial hand leads."""
        starts = self._starts.setdefault(insured, Starts())
        match own.action:
            case Action.HIT:
                hand = lattice().of(own.first, own.second)
                starts.hit[World(INITIAL, ())][hand] += own.probability
            case Action.SPLIT | Action.POWER_SPLIT:
                self._split(deal, own.action is Action.POWER_SPLIT, insured)
            case Action.POWER_DOUBLE:
                self._power_double(own, insured)

    def _card(self, insured: bool, *, own: bool = False) -> UpCard:
        table = self.own if own else self.best
        return table.known if insured and table.known is not None else table.card

    def _power_double(self, own: Opening, insured: bool) -> None:
        """Take in which third cards are replaced."""
        card = self._card(insured)
        hand = hand_of(own.first, own.second)
        gain = power_doubles_of(card)[own.first, own.second].gain
        replaced = [
            third for third in range(CLASSES) if self.policy.player.replaces(hand, own.up, third)
        ]
        lost = float(gain[gain > 0.0].sum() - gain[replaced].sum())
        frequency = own.probability
        if card.ends_early:
            frequency *= 1.0 - own.natural_chance
        self.ledger.add(f"replace {total_row(hand)}", frequency, own.probability * lost)

    # -- splits ------------------------------------------------------------------------------

    def _split(self, deal: Dealt, power: bool, insured: bool) -> None:
        """Take in splitting again or not, and where the hands of a split begin."""
        best, own = self._card(insured), self._card(insured, own=True)
        cards = deal.first, deal.second
        again = best.splits_again(*cards, power=power)
        said = own.splits_again(*cards, power=power)
        value = self._split_net(best, deal, again, power)
        for card in dict.fromkeys(cards):
            again = again | {card} if card in said else again - {card}
            after = self._split_net(best, deal, again, power)
            if value != after:
                loss = deal.probability * (value - after)
                self.ledger.add(f"pair {VALUE_CLASSES[card]}", 0.0, loss)
            value = after
        for case in deal.cases:
            share = deal.probability * case.chance
            terms = split_terms(self.policy.rules, *cards, power=power, again=said)
            for one in best.weighted(*cards, terms, case.left):
                self._begin_hand(one, share, insured)
                if one.term.card in said:
                    pair = f"pair {VALUE_CLASSES[one.term.card]}"
                    self.ledger.add(pair, share * alive_hands(best, one), 0.0)
            for card in cards:
                if card in said:  # of the hands that there are in the end, these were split once
                    alive = 1.0 - best.natural_chance(*cards) if best.ends_early else 1.0
                    self.ledger.add(f"pair {VALUE_CLASSES[card]}", -share * alive, 0.0)

    def _split_net(self, card: UpCard, deal: Dealt, again: frozenset[int], power: bool) -> float:
        """Return the net of a split under the best play, if these are split again."""
        hands = lattice()
        net = 0.0
        cards = deal.first, deal.second
        terms = split_terms(self.policy.rules, *cards, power=power, again=again)
        for case in deal.cases:
            for term, world, weight, paired in card.weighted(*cards, terms, case.left):
                nets = card.value(world).net
                less = paired * nets[hands.of(term.card, term.card)] if term.unpaired else 0.0
                net += case.chance * weight * (nets[hands.of(term.card)] - less)
        return float(net)

    def _begin_hand(self, one: Weighted, share: float, insured: bool) -> None:
        """Let a hand of a split begin with its first card."""
        term, world, weight, paired = one
        starts = self._starts.setdefault(insured, Starts())
        pair = lattice().of(term.card, term.card)
        starts.decide[world][lattice().of(term.card)] += share * weight
        if term.unpaired:
            starts.decide[world][pair] -= share * weight * paired
        best = self._card(insured)
        if term.kept:
            self._keep(best, one, share * weight * paired, starts)

    def _keep(self, best: UpCard, one: Weighted, weight: float, starts: Starts) -> None:
        """Take in a pair that might be split again and is not."""
        card, world = one.term.card, one.world
        pair, up = lattice().of(card, card), best.up
        spot = Spot(hand_of(card, card), Origin(card, True, 0))
        legal = Graph(self.policy.rules).legal(spot, up)
        answers = self.policy.player.consulted(spot, up, legal)
        for answer in answers:
            self.ledger.add(answer.row, weight * float(alive(best, world, pair)), 0.0)
        if best.model.nodes[world.origin].kind[pair] != DECISION:
            return
        starts.decide[world][pair] -= weight  # it is not its total that decides
        action, values = CODES[answers[-1].left[0]], best.value(world)
        loss = weight * float(values.net[pair] - values.actions[pair, action])
        self.ledger.add(answers[-1].row, 0.0, loss)
        if action == HIT:
            starts.hit[world][pair] += weight

    # -- cards drawn -------------------------------------------------------------------------

    def draw(self) -> None:
        """Follow the cards that are drawn, and take in every decision on the way."""
        for insured, starts in self._starts.items():
            card = self._card(insured)
            for world in {**starts.decide, **starts.hit}:
                own = self._card(insured, own=True).value(world).net
                self._draw(card, world, starts.decide[world], starts.hit[world], own)

    def _draw(
        self,
        card: UpCard,
        world: World,
        met: NDArray[np.float64],
        hit: NDArray[np.float64],
        own: NDArray[np.float64],
    ) -> None:
        """Follow the cards drawn in a world; ``met`` is written. ``own``: the chart's nets."""
        kind = card.model.nodes[world.origin].kind
        action = self.policy.actions(world.origin, card.up)
        draw_cards(card, world, met, hit, (kind == WAITS) | ((kind == DECISION) & (action == HIT)))
        decided = np.flatnonzero((met != 0.0) & (kind == DECISION))
        values = card.value(world)
        lost = met[decided] * (values.net - values.actions[np.arange(len(action)), action])[decided]
        often = met[decided] * alive(card, world, decided)
        rows = total_rows(self.policy, world.origin)
        worth = met[decided] * own[decided]
        for number, *found in zip(decided.tolist(), often, lost, worth, strict=True):
            self.ledger.add(rows[number], *found)


def _value(opening: Opening) -> float:
    """Return what an initial hand nets, insurance included."""
    return opening.worth.net + opening.insurance
