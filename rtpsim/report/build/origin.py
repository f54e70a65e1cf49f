"""Building a report: largest win and loss, rounding (10), where the return comes from (11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.outcomes.contributions import exact_contributions
from rtpsim.outcomes.extremes import extremes as largest
from rtpsim.report.model import (
    Contribution,
    Contributions,
    CrossContribution,
    Extreme,
    Extremes,
    RoundingEffect,
)
from rtpsim.outcomes.rounding import rounding_effects

if TYPE_CHECKING:
    from rtpsim.outcomes.contributions import Contribution as Source
    from rtpsim.exact.figures import ExactFigures
    from rtpsim.games import Game
    from rtpsim.strategy import Chart


def extremes(game: Game, chart: Chart, exact: ExactFigures) -> Extremes:
    """Return the largest win and loss of a round, and what rounding to a coin does."""
    return Extremes(
        rows=tuple(
            Extreme(
                what=one.what,
                side_bets=one.side_bets,
                hands=one.hands,
                net=one.net,
                probability=one.probability,
                one_in=one.one_in,
                cards=one.cards,
            )
            for one in largest(game, chart, exact)
        ),
        rounding=tuple(
            RoundingEffect(
                what=one.what,
                stake_coins=one.stake,
                lost_coins=one.lost_coins,
                probability=one.probability,
                rtp_initial_change=one.ev_change,
                exact=one.exact,
            )
            for one in rounding_effects(game, exact)
        ),
    )


def contributions(game: Game, chart: Chart) -> Contributions:
    """Return where the return comes from."""
    found = exact_contributions(game, chart)
    return Contributions(
        by_route=tuple(_contribution(one) for one in found.by_source),
        by_up_card=tuple(_contribution(one) for one in found.by_up_card),
        by_both=tuple(
            CrossContribution(
                up=up,
                source=one.source,
                probability=one.probability,
                ev=one.ev,
                wager=one.wager,
            )
            for (up, _), one in found.by_both.items()
        ),
        insurance=_contribution(found.insurance),
        total_ev=found.ev,
        total_wager=found.wager,
    )


def _contribution(one: Source) -> Contribution:
    return Contribution(source=one.source, probability=one.probability, ev=one.ev, wager=one.wager)
