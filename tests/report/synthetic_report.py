"""A report for the tests of the renderers.

Identity, verdicts, game, exact results and run are those of a real, short run; volatility,
extremes, contributions, rule effects and witnesses are plausible numbers, nobody's results.
"""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

from rtpsim.games import Game, load_game
from rtpsim.report import model as m
from rtpsim.report.blocks import simulate_blocks
from rtpsim.report.build import judge, known_sections
from rtpsim.report.build_identity import Circumstances
from rtpsim.report.canonical import sealed
from rtpsim.report.inputs import opened, pack_inputs
from rtpsim.report.tallies import pack_run
from rtpsim.rulestring import parse_rules
from rtpsim.strategy import default_chart

NORMAL = NormalDist()


@cache
def synthetic_report(
    game_id: str = "signature-surrender", rounds: int = 2_000_000, hands: int = 1, seed: int = 1
) -> m.Report:
    """Return a report of a catalogue game, or of a rule string, made once per test session."""
    is_rules = " " in game_id
    game = Game.from_rules(parse_rules(game_id)) if is_rules else load_game(game_id)
    chart = default_chart(game)
    inputs = pack_inputs(game, chart)
    run = simulate_blocks(game, chart, rounds=rounds, seed=seed, hands=hands)
    tallies = [pack_run(seed, run)]
    circumstances = Circumstances.collect(f"rtpsim verify {game_id} --report out", workers=2)
    with opened(inputs) as what:
        basis = judge(what, tallies)
        known = known_sections(basis, inputs, tallies, None, circumstances)
        return sealed(m.Report(**known, **made_up(basis, known)))


def made_up(basis, known) -> dict:
    """Return the sections that are not computed here."""
    exact: m.ExactMain = known["exact"]
    wagers: tuple[m.WagerJudged, ...] = known["wagers"]
    sd = exact.sd or 1.15
    return {
        "volatility": volatility(known, sd),
        "extremes": extremes(known),
        "contributions": contributions(exact),
        "effects": effects(exact, basis.game),
        "randomness": randomness(),
        "witnesses": witnesses(exact, wagers),
    }


def volatility(known, sd) -> m.Volatility:
    exact, bets = known["exact"], known["side_bets"]
    spread = {"total": 0.88 * sd, "initial": sd}
    tables = [
        tolerance("main", "Blackjack", base, getattr(exact, f"rtp_{base}"), spread[base])
        for base in ("total", "initial")
    ]
    tables += [tolerance(bet.bet, bet.title, "stake", bet.rtp, bet.sd) for bet in bets]
    wager = exact.mean_wager + len(bets)
    net = exact.ev + sum(bet.rtp - 1 for bet in bets)
    whole = sd**2 + sum(bet.variance for bet in bets)
    several = known["game"].max_hands
    return m.Volatility(
        variance=sd**2,
        sd_initial=sd,
        sd_total=spread["total"],
        volatility_index_90=1.645 * sd,
        volatility_index_95=1.960 * sd,
        simulated=False,
        hands=()
        if several == 1
        else (
            m.HandsCovariance(
                hands=several,
                rounds=10**6,
                round_variance=estimated(several * sd**2 + several * (several - 1) * 0.47, 0.01),
                covariance=estimated(0.47, 0.001),
                correlation=0.47 / sd**2,
            ),
        ),
        bets=tuple(
            m.BetCovariance(
                bet=bet.bet,
                title=bet.title,
                against="main",
                against_title="Blackjack",
                covariance=0.0123,
                standard_error=0.0,
                correlation=0.0031,
                exact=True,
                rounds=0,
            )
            for bet in bets
        ),
        whole_round=m.WholeRound(
            wager=wager,
            net=net,
            rtp=1 + net / wager,
            rtp_with_insurance=None,
            variance=whole,
            sd=math.sqrt(whole),
            variance_exact=True,
        ),
        tolerances=tuple(tables),
        sessions=tuple(session(n, exact.ev, sd) for n in (100, 1_000, 10_000)),
        ruin=tuple(
            m.Ruin(bankroll=b, rounds=n, probability=2 * NORMAL.cdf(-b / math.sqrt(n) / sd))
            for b in (20, 100, 500)
            for n in (100, 1_000, 10_000)
        ),
    )


def tolerance(wager, title, base, rtp, sd) -> m.ToleranceTable:
    rows = []
    for power in range(3, 10):
        half_90, half_95 = (z * sd / math.sqrt(10**power) for z in (1.645, 1.960))
        rows.append(
            m.ToleranceRow(
                rounds=10**power,
                half_width_90=half_90,
                half_width_95=half_95,
                low_95=rtp - half_95,
                high_95=rtp + half_95,
            )
        )
    return m.ToleranceTable(
        wager=wager,
        title=title,
        base=base,
        rtp=rtp,
        sd=sd,
        volatility_index_90=1.645 * sd,
        volatility_index_95=1.960 * sd,
        rows=tuple(rows),
    )


def session(rounds, ev, sd) -> m.Session:
    mean, spread = rounds * ev, math.sqrt(rounds) * sd
    normal = NormalDist(mean, spread)
    nets = [mean + spread * step / 10 for step in range(-35, 36)]
    levels = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
    return m.Session(
        rounds=rounds,
        mean=mean,
        sd=spread,
        chance_of_profit=1 - normal.cdf(0),
        chance_of_loss=normal.cdf(0),
        quantiles=tuple(
            m.Quantile(probability=p, net=round(2 * normal.inv_cdf(p)) / 2) for p in levels
        ),
        nets=tuple(nets),
        distribution=tuple(normal.cdf(net) for net in nets),
    )


def estimated(value, error) -> m.Estimated:
    half = 2.5758 * error
    return m.Estimated(
        value=value,
        standard_error=error,
        half_width_99=half,
        low_99=value - half,
        high_99=value + half,
    )


def extremes(known) -> m.Extremes:
    bets = known["side_bets"]
    rows = [
        ("largest win", "main game", 4.0, 0.000123, "both hands of a split doubled and won"),
        ("largest loss", "main game", -4.0, 0.0000987, "both hands of a split doubled and lost"),
    ]
    if bets:
        most = 1.5 + sum(max(one.pays for one in bet.outcomes) for bet in bets)
        how = "a natural with the best outcome of every side bet"
        rows.append(("largest win", "main game and side bets", most, None, how))
    return m.Extremes(
        rows=tuple(
            m.Extreme(
                what=what,
                scope=scope,
                hands=1,
                net=net,
                probability=chance,
                one_in=None if chance is None else 1 / chance,
                how=how,
            )
            for what, scope, net, chance, how in rows
        ),
        rounding=tuple(
            m.RoundingEffect(
                what=what,
                stake_coins=1,
                lost_coins=0.5,
                probability=chance,
                rtp_initial_change=-chance / 2,
            )
            for what, chance in (("a natural paid 3 to 2", 0.0453), ("surrender", 0.0444))
        ),
        note="Payments are rounded down to whole coins; the initial wager is an odd number.",
    )


def contributions(exact) -> m.Contributions:
    shares = {"natural": 0.068, "double": 0.031, "split": 0.003, "surrender": -0.022}
    chances = {"natural": 0.0453, "double": 0.094, "split": 0.021, "surrender": 0.0444}
    routes = [
        m.Contribution(source=name, probability=chances[name], ev=ev, wager=1.1 * chances[name])
        for name, ev in shares.items()
    ]
    left = 1 - sum(chances.values())
    routes.append(
        m.Contribution(
            source="stand or bust",
            probability=left,
            ev=exact.ev - sum(shares.values()),
            wager=exact.mean_wager - 1.1 * sum(chances.values()),
        )
    )
    return m.Contributions(
        by_route=tuple(routes),
        by_up_card=tuple(
            m.Contribution(
                source=row.up,
                probability=row.probability,
                ev=row.probability * row.ev,
                wager=row.probability * row.mean_wager,
            )
            for row in exact.by_up_card
        ),
        total_ev=exact.ev,
        total_wager=exact.mean_wager,
        simulated=False,
    )


def effects(exact, game) -> m.RuleEffects:
    rows = [
        ("naturals pay 6 to 5", "natural_pays", "6:5", 136.0),
        ("the dealer hits soft 17", "soft17", "hit", 20.3),
        ("no surrender", "surrender", "none", 7.6),
        ("up to three splits", "splits", "3", -4.5),
    ]
    return m.RuleEffects(
        strategy="optimal-cd (CDP)",
        house_edge=exact.house_edge,
        rows=tuple(
            m.RuleEffect(
                change=change,
                field=name,
                setting=f"{name}={value}",
                rule_string=str(game.rules),
                house_edge=exact.house_edge + points / 10_000,
                house_edge_change_bp=points,
            )
            for change, name, value, points in rows
        ),
        left_out=9,
    )


def randomness() -> m.Randomness:
    tests = [
        ("card by position", 412.3, 408, 0.43),
        ("ranks", 11.2, 12, 0.51),
        ("suits", 3.1, 3, 0.38),
        ("serial correlation", -0.7, None, 0.48),
    ]
    return m.Randomness(
        seed=3,
        rounds=10**6,
        cards=8,
        level=0.01,
        tests=tuple(
            m.RandomnessTest(
                name=name, statistic=statistic, df=df, p_value=p, p_adjusted=1.0, failed=False
            )
            for name, statistic, df, p in tests
        ),
    )


def witnesses(exact, wagers) -> m.Witnesses:
    z = 0.82
    return m.Witnesses(
        referee=m.RefereeRun(
            rounds=10**6,
            seed=1,
            hands=1,
            net=exact.ev + z * 0.00115,
            wager=exact.mean_wager,
            net_standard_error=0.00115,
            z=z,
            p_value=2 * (1 - NORMAL.cdf(z)),
            sha256="ab" * 32,
            version="0.1.0",
            text="A million rounds dealt and settled rule by rule, by an engine that shares no "
            "code with the compiler, agree with the exact value.",
        ),
        tiny_shoe=m.TinyShoe(
            cards="2 3 5 6 8 9 T T A",
            orders=45_360,
            referee_ev="-17/504",
            exact_ev=-17 / 504,
            difference=0.0,
        ),
    )
