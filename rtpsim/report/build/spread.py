"""Building a report: volatility (9) and rule effects (12)."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

from rtpsim.analysis.effects import effects
from rtpsim.volatility.covariances import hands_covariance, wager_covariances
from rtpsim.games import MAIN
from rtpsim.report.model import (
    BetCovariance,
    Estimated,
    HandsCovariance,
    Quantile,
    Ruin,
    RuleEffect,
    RuleEffects,
    Session,
    ToleranceRow,
    ToleranceTable,
    Volatility,
    WholeRound,
)
from rtpsim.report.model.parts import BASES
from rtpsim.volatility.sessions import net_law, risk_of_ruin, sessions
from rtpsim.statistics import VOLATILITY_LEVELS, finite
from rtpsim.volatility.indices import tolerances, volatility, whole_round

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rtpsim.volatility.covariances import WagerCovariance
    from rtpsim.exact.figures import ExactFigures
    from rtpsim.games import Game
    from rtpsim.volatility.sessions import Session as SessionLaw
    from rtpsim.simulation.tally import Tally
    from rtpsim.strategy import Chart
    from rtpsim.volatility.indices import Tolerance

POINTS = 101
"""Points of a session's distribution that a report holds."""

FIELDS: Sequence[str] | None = None
"""Fields of the rules whose effects are reported; None: all of them."""

BEST_PLAY = "optimal-cd"
"""How the game is played before and after a change of a rule."""


def spread(game: Game, chart: Chart, exact: ExactFigures) -> Volatility:
    """Return how far results spread; the covariance between hands needs a run (`with_hands`)."""
    single, law = volatility(exact), net_law(exact)
    pairs = wager_covariances(game, chart, exact)
    titles = {MAIN: "Blackjack"} | {bet.id: bet.title for bet in game.side_bets}
    whole = whole_round(game, exact, pairs)
    return Volatility(
        variance=single.variance,
        sd_initial=single.sd_initial,
        sd_total=single.sd_total,
        volatility_index_90=single.index(90),
        volatility_index_95=single.index(95),
        simulated=single.simulated,
        hands=(),
        bets=tuple(_pair(pair, titles) for pair in pairs),
        whole_round=WholeRound(
            wager=whole.wager,
            net=whole.net,
            rtp=whole.rtp,
            rtp_with_insurance=whole.main_with_insurance,
            variance=whole.variance,
            sd=whole.sd,
            variance_exact=whole.exact,
        ),
        tolerances=_tolerance_tables(game, exact, titles),
        sessions=tuple(_session(one) for one in sessions(law)),
        ruin=tuple(
            Ruin(bankroll=one.bankroll, rounds=one.rounds, probability=one.probability)
            for one in risk_of_ruin(law)
        ),
    )


def _session(one: SessionLaw) -> Session:
    nets, distribution = one.points(POINTS)
    return Session(
        rounds=one.rounds,
        mean=one.mean,
        sd=one.sd,
        chance_of_profit=one.ahead,
        chance_of_loss=one.behind,
        quantiles=tuple(Quantile(probability=p, net=net) for p, net in one.quantiles.items()),
        nets=tuple(nets),
        distribution=tuple(distribution),
    )


def with_hands(volatility: Volatility, tally: Tally, exact: ExactFigures) -> Volatility:
    """Return volatility with the covariance between the hands of a run of several hands a round."""
    found = hands_covariance(tally, exact.variance)
    hands = HandsCovariance(
        hands=found.hands,
        rounds=found.rounds,
        round_variance=Estimated.of(found.round_variance),
        covariance=Estimated.of(found.covariance),
        correlation=finite(found.correlation),
    )
    return volatility.model_copy(update={"hands": (hands,)})


def _pair(pair: WagerCovariance, titles: Mapping[str, str]) -> BetCovariance:
    return BetCovariance(
        bet=pair.second,
        title=titles[pair.second],
        against=pair.first,
        against_title=titles[pair.first],
        covariance=pair.covariance.value,
        standard_error=pair.covariance.standard_error,
        correlation=pair.correlation,
        exact=pair.exact,
        rounds=pair.rounds,
    )


def _tolerance_tables(
    game: Game, exact: ExactFigures, titles: Mapping[str, str]
) -> tuple[ToleranceTable, ...]:
    """Return one table for each wager and base."""
    by_wager: defaultdict[tuple[str, str], list[Tolerance]] = defaultdict(list)
    for row in tolerances(game, exact):
        by_wager[row.wager, row.base].append(row)
    return tuple(
        _tolerance_table(wager, titles[wager], base, rows)
        for (wager, base), rows in by_wager.items()
    )


def _tolerance_table(
    wager: str, title: str, base: str, rows: Sequence[Tolerance]
) -> ToleranceTable:
    first = rows[0]
    index = {level: half * math.sqrt(first.rounds) for level, half in first.half_widths.items()}
    return ToleranceTable(
        wager=wager,
        title=title,
        base=next(known for known in BASES if known == base),
        rtp=first.rtp,
        sd=index[95] / VOLATILITY_LEVELS[95],
        volatility_index_90=index[90],
        volatility_index_95=index[95],
        rows=tuple(
            ToleranceRow(
                rounds=row.rounds,
                half_width_90=row.half_widths[90],
                half_width_95=row.half_widths[95],
                low_95=row.range(95)[0],
                high_95=row.range(95)[1],
            )
            for row in rows
        ),
    )


def planned_spreads(tables: Sequence[ToleranceTable], bases: Mapping[str, str]) -> dict[str, float]:
    """Return the standard deviation of one round's return of each wager on the base it has.

    Parameters
    ----------
    bases
        Wager -> base.
    """
    return {table.wager: table.sd for table in tables if bases.get(table.wager) == table.base}


def rule_effects(game: Game, *, keep: bool = True) -> RuleEffects:
    """Return what single changes of a rule do to the house edge, the largest first."""
    found = effects(game, (BEST_PLAY,), fields=FIELDS, keep=keep)
    rows = []
    for row in found.valued:
        value, difference = row.values[0], row.differences_bp[0]
        if value.house_edge is None or difference is None:
            continue
        rows.append(
            RuleEffect(
                change=row.change,
                field=row.field,
                setting=row.setting,
                rule_string=row.rules,
                house_edge=value.house_edge,
                house_edge_change_bp=difference,
            )
        )
    base = found.base[0]
    assert base.house_edge is not None
    return RuleEffects(
        strategy=base.played,
        house_edge=base.house_edge,
        rows=tuple(sorted(rows, key=lambda row: -abs(row.house_edge_change_bp))),
        left_out=len(found.rows) - len(rows),
    )
