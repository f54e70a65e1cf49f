"""Building a report: exact results of the main game and side bets (4)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rtpsim.report.model import (
    Estimated,
    ExactMain,
    Outcome,
    SideBetOutcome,
    SideBetTable,
    UpCard,
)
from rtpsim.report.model.parts import odds
from rtpsim.statistics import outcome_counts, return_estimate, stake_variance

if TYPE_CHECKING:
    from rtpsim.exact.figures import ExactFigures
    from rtpsim.results import BetTerms, TallyLike
    from rtpsim.sidebets import SideBet

CARDS = {
    "player1": "the player's first card",
    "player2": "the player's second card",
    "up": "the dealer's up card",
    "hole": "the dealer's second card",
}
"""What the cards that a side bet looks at are called."""


def exact_main(exact: ExactFigures, unit: int) -> ExactMain:
    """Return the exact figures of the main game."""
    document = exact.document
    insurance_net, insurance_wager = exact.insurance
    simulated: Any = document["simulated"] or {"figures": [], "rounds": None}
    return ExactMain(
        note=document["note"],
        split_model=document["split_model"],
        unit=unit,
        ev=document["ev"],
        mean_wager=document["mean_wager"],
        rtp_initial=exact.rtp("initial"),
        rtp_total=exact.rtp("total"),
        house_edge=document["house_edge"],
        element_of_risk=document["element_of_risk"],
        includes_insurance=document["includes_insurance"],
        insurance_ev=insurance_net,
        insurance_wager=insurance_wager,
        variance=exact.variance,
        sd=document["sd"],
        third_central_moment=document["third_central_moment"],
        fourth_central_moment=document["fourth_central_moment"],
        hit_frequency=document["hit_frequency"],
        by_up_card=tuple(UpCard(**row) for row in document["by_up_card"]),
        outcomes=tuple(Outcome(**row) for row in document["outcomes"] or ()),
        simulated_figures=tuple(simulated["figures"]),
        simulated_rounds=simulated["rounds"],
    )


def side_bet_table(bet: SideBet, terms: BetTerms, tally: TallyLike) -> SideBetTable:
    """Return a side bet with its exact chances and what a run saw of it."""
    seen = outcome_counts(tally.side_bets[bet.id])
    staked = tally.rounds * terms.stakes
    chances = terms.probabilities
    variance = float(stake_variance(chances, terms.pays))
    return SideBetTable(
        bet=bet.id,
        title=bet.title,
        kind=bet.kind,
        cards=tuple(CARDS[role] for role in bet.cards),
        ace_in_straights=bet.ace_in_straights if bet.kind == "three-card" else None,
        per_round=bet.per_round,
        inferred=bet.inferred,
        combinations=terms.total,
        outcomes=tuple(
            SideBetOutcome(
                outcome=name,
                pays=pays,
                combinations=terms.counts[name],
                probability=float(chances[name]),
                fraction=str(chances[name]),
                one_in=odds(float(chances[name])),
                contribution=float(chances[name] * (pays + 1)),
                observed=seen[name],
                frequency=seen[name] / staked,
            )
            for name, pays in terms.pays.items()
        ),
        rtp=float(terms.rtp),
        rtp_fraction=str(terms.rtp),
        house_edge=float(1 - terms.rtp),
        variance=variance,
        sd=math.sqrt(variance),
        hit_frequency=float(sum(chances.values(), Fraction(0))),
        simulated=Estimated.of(return_estimate(tally.side_bets[bet.id], terms.pays, terms.stakes)),
    )
