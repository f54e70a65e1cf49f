"""Evaluation: every initial hand against every up card, with the value of every legal action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rtpsim.cards import ACE_CLASS, TEN_CLASS
from rtpsim.exact.deals import Dealt, deal_probability, deals_of
from rtpsim.exact.model import model_of
from rtpsim.exact.upcard import UpCard, Worth, insurance_gain
from rtpsim.exact.worldvalues import dealer_table
from rtpsim.program.graph import Action, Graph, Spot
from rtpsim.program.hands import hand_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.cards import Shoe
    from rtpsim.exact.policies import Policy
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
    openings: list[Opening] = []
    cards = {}
    for up in np.flatnonzero(shoe.by_value).tolist():
        table = table_of(rules, policy, shoe, up, insurance=insurance, even_money=even_money)
        cards[up] = table.card, table.known
        openings += table.openings()
    return Evaluation(openings, cards)


def table_of(
    rules: Rules,
    policy: Policy,
    shoe: Shoe,
    up: int,
    *,
    insurance: bool = True,
    even_money: bool = False,
    outcomes: NDArray[np.float64] | None = None,
) -> Table:
    """Return the table of one up card, a value class that the shoe holds.

    Parameters
    ----------
    rules, policy, shoe, insurance, even_money
        As for `evaluation`.
    up
        The up card.
    outcomes
        The dealer's outcomes (`rtpsim.exact.upcard.dealer_table`), where they are known already:
        they do not depend on the policy.
    """
    model = model_of(rules)
    counts = np.array(shoe.by_value, dtype=np.int64)
    if outcomes is None:
        outcomes = dealer_table(model, counts, up)
    known = None
    if rules.insurance_peek and up == ACE_CLASS and insurance:
        known = UpCard(model, counts, up, policy, outcomes, natural_known=True)
    card = UpCard(model, counts, up, policy, outcomes)
    return Table(card, known, shoe, insurance, even_money)


def _mean(cases: list[tuple[float, Worth]]) -> Worth:
    """Return the mean worth of cases with their probabilities."""
    return Worth(
        sum(chance * worth.net for chance, worth in cases),
        sum(chance * worth.wager for chance, worth in cases),
    )


@dataclass(frozen=True)
class Table:
    """The initial hands against one up card.

    Attributes
    ----------
    card, known
        The up card's worlds: see `Evaluation.cards`.
    shoe
        The shoe before the deal.
    insurance, even_money
        Whether they are offered.
    """

    card: UpCard
    known: UpCard | None
    shoe: Shoe
    insurance: bool
    even_money: bool

    def openings(self) -> list[Opening]:
        """Return every initial hand, the natural last."""
        deals = deals_of(self.card.model.rules, self.shoe, self.card.up)
        found = [self._opening(deal) for deal in deals]
        natural = deal_probability(self.shoe, self.card.up, ACE_CLASS, TEN_CLASS)
        return [*found, self._natural(natural)] if natural > 0.0 else found

    def worths(self, card: UpCard, deal: Dealt) -> dict[Action, Worth]:
        """Return the worth of every legal action."""
        first, second = deal.first, deal.second
        legal = Graph(card.model.rules).legal(Spot(hand_of(first, second), None), card.up)
        worths = card.plain(first, second)
        if deal.pair:
            worths[Action.SPLIT] = _mean(
                [(case.chance, card.split(first, case.left[first])) for case in deal.cases]
            )
        if Action.SURRENDER in legal:
            worths[Action.SURRENDER] = card.surrender(first, second)
        if Action.POWER_DOUBLE in legal:
            worths[Action.POWER_DOUBLE] = card.power_double(first, second)
        if Action.POWER_SPLIT in legal:
            worths[Action.POWER_SPLIT] = _mean(
                [(case.chance, card.power_split(first, second, case.left)) for case in deal.cases]
            )
        return worths

    def _choose(self, card: UpCard, deal: Dealt) -> tuple[dict[Action, Worth], Action]:
        """Return the worth of every legal action, and the action chosen."""
        worths = self.worths(card, deal)
        nets = {action: worth.net for action, worth in worths.items()}
        first, second = deal.first, deal.second
        return worths, card.policy.opening(first, second, card.up, nets, pair=deal.pair)

    def _opening(self, deal: Dealt) -> Opening:
        card, first, second = self.card, deal.first, deal.second
        chance = card.natural_chance(first, second)
        worths, action = self._choose(card, deal)
        insured = False
        gain = insurance_gain(chance)
        surrendered = card.model.rules.surrenders_early and action is Action.SURRENDER
        if card.up == ACE_CLASS and self.insurance and not surrendered:
            if self.known is None:
                insured = card.policy.insures(first, second, gain)
            else:
                knowing, best = self._choose(self.known, deal)
                brings = gain + knowing[best].net - worths[action].net
                insured = card.policy.insures(first, second, brings)
                if insured:
                    worths, action = knowing, best
        return Opening(
            first,
            second,
            card.up,
            deal.pair,
            deal.probability,
            chance,
            worths,
            action,
            insured,
            worths[action],
            gain if insured else 0.0,
        )

    def _natural(self, probability: float) -> Opening:
        card = self.card
        chance = card.natural_chance(ACE_CLASS, TEN_CLASS)
        worth = card.natural()
        gain = insurance_gain(chance)
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
