"""Evaluation: every initial hand against every up card, with the value of every legal action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rtpsim.cards import ACE_CLASS, TEN_CLASS
from rtpsim.exact.model import model_of, power_doubles, power_pairs
from rtpsim.exact.policies import Policy, pairs
from rtpsim.exact.upcard import UpCard, Worth, dealer_table
from rtpsim.program.graph import Action

if TYPE_CHECKING:
    from rtpsim.cards import Shoe
    from rtpsim.rules import Rules


@dataclass(frozen=True)
class Opening:
    """An initial hand against an up card.

    Attributes
    ----------
    first, second, up
        Value classes, the first two ascending.
    pair
        Whether the two cards may be split.
    probability
        Of this deal, in any order of the two cards.
    natural_chance
        Probability of a dealer natural, given these cards.
    worths
        Net and total wager of each legal action, the dealer natural included; empty for a
        natural.
    action
        The action chosen; None for a natural and for even money.
    insured
        Whether insurance is taken.
    worth
        Net and total wager under the strategy, main game without insurance.
    insurance
        Net of the insurance, 0 where none is taken.
    even_money
        Whether a natural takes even money; it is not insured then.
    """

    first: int
    second: int
    up: int
    pair: bool
    probability: float
    natural_chance: float
    worths: dict[Action, Worth]
    action: Action | None
    insured: bool
    worth: Worth
    insurance: float
    even_money: bool = False


@dataclass(frozen=True)
class Evaluation:
    """Every initial hand against every up card, and the worlds they were valued in.

    Attributes
    ----------
    openings
        The initial hands.
    cards
        By up card, the worlds; and those in which insurance has found no natural
        (`Rules.insurance_peek`), where there are any.
    """

    openings: list[Opening]
    cards: dict[int, tuple[UpCard, UpCard | None]]

    def card_of(self, opening: Opening) -> UpCard:
        """Return the worlds in which an initial hand plays on."""
        card, known = self.cards[opening.up]
        return known if known is not None and opening.insured else card


def evaluate(
    rules: Rules,
    policy: Policy,
    shoe: Shoe,
    *,
    insurance: bool = True,
    even_money: bool = False,
) -> list[Opening]:
    """Return the openings of `evaluation`."""
    return evaluation(rules, policy, shoe, insurance=insurance, even_money=even_money).openings


def evaluation(
    rules: Rules,
    policy: Policy,
    shoe: Shoe,
    *,
    insurance: bool = True,
    even_money: bool = False,
) -> Evaluation:
    """Value every initial hand against every up card under a policy.

    Parameters
    ----------
    rules
        The rules.
    policy
        The strategy.
    shoe
        The shoe before the deal.
    insurance, even_money
        Whether they are offered.
    """
    model = model_of(rules)
    counts = np.array(shoe.by_value, dtype=np.int64)
    openings: list[Opening] = []
    cards = {}
    for up in np.flatnonzero(counts).tolist():
        outcomes = dealer_table(model, counts, up)
        card = UpCard(model, counts, up, policy, outcomes)
        known = None
        if rules.insurance_peek and up == ACE_CLASS and insurance:
            known = UpCard(model, counts, up, policy, outcomes, natural_known=True)
        cards[up] = card, known
        table = _Table(card, known, shoe, insurance, even_money)
        for first, second in pairs():
            openings += table.openings(first, second)
    return Evaluation(openings, cards)


def _mean(cases: list[tuple[float, Worth]]) -> Worth:
    """Return the mean worth of cases with their probabilities."""
    return Worth(
        sum(chance * worth.net for chance, worth in cases),
        sum(chance * worth.wager for chance, worth in cases),
    )


@dataclass(frozen=True)
class _Table:
    """What an initial hand may do at this table: see `evaluate`."""

    card: UpCard
    known: UpCard | None
    shoe: Shoe
    insurance: bool
    even_money: bool

    def openings(self, first: int, second: int) -> list[Opening]:
        """Return the deal of two cards, as a pair and not as one where both occur."""
        probability = self._probability(first, second)
        if probability == 0.0:
            return []
        if (first, second) == (ACE_CLASS, TEN_CLASS):
            return [self._natural(probability)]
        rules = self.card.model.rules
        if first != second or rules.splits == 0:
            return [self._opening(first, second, probability, None)]
        if first == TEN_CLASS and rules.split_by == "rank":
            return self._tens(probability)
        left = self.card.shoe[first] - 2 - (self.card.up == first)
        return [self._opening(first, second, probability, [(1.0, int(left))])]

    def _probability(self, first: int, second: int) -> float:
        left = self.card.shoe.copy()
        chance = 1.0
        for number, card in enumerate((self.card.up, first, second)):
            chance *= left[card] / (self.card.shoe.sum() - number)
            left[card] -= 1
        return float(max(chance, 0.0) * (1 if first == second else 2))

    def _tens(self, probability: float) -> list[Opening]:
        """Tell pairs of tens by rank from other tens.

        The up card, if worth ten, may itself be of the pair's rank: both cases are weighed.
        """
        ranks = self.shoe.by_rank[TEN_CLASS:]
        tens = sum(ranks)
        same = dict.fromkeys(set(ranks), 0.0)
        for count in ranks:
            same[count] += count * (count - 1) / (tens * (tens - 1))
        found = []
        for count, chance in same.items():
            if chance == 0.0:
                continue
            cases = [(1.0, count - 2)]
            if self.card.up == TEN_CLASS:
                also = (count - 2) / (tens - 2)
                cases = [(also, count - 3), (1.0 - also, count - 2)]
            found.append(self._opening(TEN_CLASS, TEN_CLASS, probability * chance, cases))
        other = 1.0 - sum(same.values())
        if other > 1e-15:
            found.append(self._opening(TEN_CLASS, TEN_CLASS, probability * other, None))
        return found

    def _power_cases(self, first: int, second: int) -> list[tuple[float, dict[int, int]]]:
        """Return the cases of how many cards are left that would pair with either card."""
        left = self.card.shoe - np.bincount([first, second, self.card.up], minlength=TEN_CLASS + 1)
        own = {card: int(left[card]) for card in (first, second)}
        if TEN_CLASS not in own or self.card.model.rules.split_by == "value":
            return [(1.0, own)]
        ranks = self.shoe.by_rank[TEN_CLASS:]
        tens = sum(ranks)
        cases = []
        for count in ranks:
            same = (count - 1) / (tens - 1) if self.card.up == TEN_CLASS else 0.0
            cases.append((count / tens * same, own | {TEN_CLASS: count - 2}))
            cases.append((count / tens * (1.0 - same), own | {TEN_CLASS: count - 1}))
        return [(chance, left_over) for chance, left_over in cases if chance > 0.0]

    def _worths(
        self, card: UpCard, first: int, second: int, own: list[tuple[float, int]] | None
    ) -> dict[Action, Worth]:
        """Return the worth of every legal action; ``own``: cases of pair cards left."""
        rules = card.model.rules
        worths = card.plain(first, second)
        if own is not None:
            split = [(chance, card.split(first, left)) for chance, left in own]
            worths[Action.SPLIT] = _mean(split)
        barred = rules.surrender in ("late-not-ace", "early-ten") and card.up == ACE_CLASS
        if rules.surrender != "none" and not barred:
            worths[Action.SURRENDER] = card.surrender(first, second)
        if (first, second) in power_doubles(rules):
            worths[Action.POWER_DOUBLE] = card.power_double(first, second)
        if (first, second) in power_pairs(rules):
            power = [
                (chance, card.power_split(first, second, left))
                for chance, left in self._power_cases(first, second)
            ]
            worths[Action.POWER_SPLIT] = _mean(power)
        return worths

    def _opening(
        self,
        first: int,
        second: int,
        probability: float,
        own: list[tuple[float, int]] | None,
    ) -> Opening:
        card, policy = self.card, self.card.policy
        chance = card.natural_chance(first, second)
        worths = self._worths(card, first, second, own)
        nets = {action: worth.net for action, worth in worths.items()}
        action = policy.opening(first, second, card.up, nets, pair=own is not None)
        insured, insurance = False, 0.0
        early = card.model.rules.surrenders_early
        surrendered = early and action is Action.SURRENDER
        if card.up == ACE_CLASS and self.insurance and not surrendered:
            gain = 1.5 * chance - 0.5
            if self.known is not None:
                knowing = self._worths(self.known, first, second, own)
                best = policy.opening(
                    first,
                    second,
                    card.up,
                    {name: worth.net for name, worth in knowing.items()},
                    pair=own is not None,
                )
                insured = policy.insures(
                    first, second, gain + knowing[best].net - worths[action].net
                )
                if insured:
                    worths, action = knowing, best
            else:
                insured = policy.insures(first, second, gain)
            insurance = gain if insured else 0.0
        return Opening(
            first,
            second,
            card.up,
            own is not None,
            probability,
            chance,
            worths,
            action,
            insured,
            worths[action],
            insurance,
        )

    def _natural(self, probability: float) -> Opening:
        card = self.card
        chance = card.natural_chance(ACE_CLASS, TEN_CLASS)
        worth = card.natural()
        gain = 1.5 * chance - 0.5
        offered = card.up == ACE_CLASS and (self.even_money or self.insurance)
        brings = 1.0 - worth.net if self.even_money else gain
        accepted = offered and card.policy.insures(ACE_CLASS, TEN_CLASS, brings)
        even_money = accepted and self.even_money
        insured = accepted and not self.even_money
        if even_money:
            worth = Worth(1.0, 1.0)
        return Opening(
            ACE_CLASS,
            TEN_CLASS,
            card.up,
            False,
            probability,
            chance,
            {},
            None,
            insured,
            worth,
            gain if insured else 0.0,
            even_money,
        )
