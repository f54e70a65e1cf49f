"""Building a report: verdicts (1), design (6), simulated figures (7), frequencies (8)."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import TYPE_CHECKING

from rtpsim.cards import Shoe
from rtpsim.statistics.expected import expected_deals, observed_deals
from rtpsim.verification.run_tests import bet_error
from rtpsim.exact.frequencies import label_frequencies
from rtpsim.games import MAIN
from rtpsim.games.printed import printed_range
from rtpsim.report.model import (
    Convergence,
    ConvergencePoint,
    Estimated,
    FamilyMember,
    FrequencyCell,
    FrequencyTable,
    MainEstimates,
    OtherBaseFigure,
    PublishedRange,
    RunJudged,
    RunTallies,
    WagerJudged,
)
from rtpsim.report.model.parts import BASES, Base
from rtpsim.report.tallies import growing_tallies
from rtpsim.sidebets import LOSE
from rtpsim.statistics import (
    Estimate,
    finite,
    main_figures,
    outcome_counts,
    ratio_estimate,
    return_estimate,
)
from rtpsim.verification.verdicts import LEVEL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rtpsim.exact.figures import ExactFigures
    from rtpsim.games import Game, Published
    from rtpsim.results import BetTerms, TallyLike
    from rtpsim.verification.verdicts import FamilyTest, GameVerification, RunVerification, WagerVerification
    from rtpsim.verification.judging import Limits

SPACING = 1.08
"""Points of a convergence plot are apart by this factor of rounds at the least."""

TITLES = {
    "up cards": "Up cards",
    "naturals": "Naturals",
    "initial hands by up card": "Initial hands by up card",
    "first decisions by up card": "First decisions by up card, splits among them",
    "net results": "Net results of a round",
    "player finals": "Player's finals",
    "dealer finals by up card": "Dealer's finals by up card",
}


def judged_wagers(judged: GameVerification, game: Game, limits: Limits) -> tuple[WagerJudged, ...]:
    """Return the wagers as the deciding run has them."""
    return tuple(_wager(one, game, limits) for one in judged.wagers)


def _wager(one: WagerVerification, game: Game, limits: Limits) -> WagerJudged:
    published = game.published_for(one.wager)
    fraction = str(one.exact) if isinstance(one.exact, Fraction) else None
    return WagerJudged(
        wager=one.wager,
        title=one.title,
        base=_base(one.base),
        published=None if published is None else _published(published),
        exact=float(one.exact),
        exact_fraction=fraction,
        simulated=Estimated.of(one.simulated),
        others=tuple(
            OtherBaseFigure(
                base=_base(base), exact=other.exact, simulated=Estimated.of(other.simulated)
            )
            for base, other in one.others.items()
        ),
        published_verdict=str(one.published_verdict),
        published_reason=one.published_reason,
        simulated_verdict=str(one.simulated_verdict),
        simulated_reason=one.simulated_reason,
        tolerance=limits.main if one.wager == MAIN else limits.side_bet,
    )


def _base(name: str) -> Base:
    for base in BASES:
        if name == base:
            return base
    raise ValueError(f"no such base: {name}")


def _published(figure: Published) -> PublishedRange:
    low, high = printed_range(figure.rtp, figure.rounding)
    return PublishedRange(
        figure=figure.rtp,
        value=float(Fraction(figure.rtp) / 100),
        low=float(low),
        high=float(high),
        rounding=figure.rounding,
        source=figure.source,
    )


def judged_runs(judged: GameVerification) -> tuple[RunJudged, ...]:
    """Return every run with what it said."""
    return tuple(
        RunJudged(
            seed=run.seed,
            rounds=run.rounds,
            hands=run.hands,
            decides=run is judged.runs[-1],
            simulated_verdicts=tuple(str(one.simulated_verdict) for one in run.wagers),
            estimates=tuple(Estimated.of(one.simulated) for one in run.wagers),
            failed_tests=tuple(test.result.name for test in run.tests if test.failed),
        )
        for run in judged.runs
    )


def main_estimates(tally: TallyLike, run: RunVerification) -> MainEstimates:
    """Return the main game's figures of a run."""
    figures = main_figures(tally.outcomes, tally.unit, tally.hands)
    insured = sum(rounds for (_, wager), rounds in tally.insurance.items() if wager)
    insurance = ratio_estimate(tally.insurance).shifted(1, 1) if insured else None
    return MainEstimates(
        **{name: Estimated.of(value) for name, value in figures.estimates.items()},
        rounds_insured=insured,
        insurance_rtp=None if insurance is None else Estimated.of(insurance),
        tests=tuple(family_member(test) for test in run.tests),
    )


def family_member(test: FamilyTest) -> FamilyMember:
    """Return a test of a family as a report holds it."""
    result = test.result
    return FamilyMember(
        name=result.name,
        wager=result.wager,
        statistic=finite(result.statistic),
        df=result.df,
        p_value=result.p_value,
        p_adjusted=test.adjusted,
        failed=test.failed,
    )


def convergence(
    run: RunTallies, terms: Mapping[str, BetTerms], wagers: Sequence[WagerJudged]
) -> tuple[Convergence, ...]:
    """Return how the estimate of each wager settles, at rising numbers of blocks."""
    grown = list(growing_tallies(run, _spaced([block.rounds for block in run.blocks])))
    return tuple(
        Convergence(
            wager=wager.wager,
            title=wager.title,
            base=wager.base,
            exact=wager.exact,
            points=tuple(_point(tally, terms.get(wager.wager), wager.base) for tally in grown),
        )
        for wager in wagers
    )


def _spaced(rounds: Sequence[int]) -> list[int]:
    """Return rising numbers of blocks, spread out on a log axis of rounds, the last among them."""
    sums = list(itertools.accumulate(rounds))
    chosen, least = [], 0.0
    for number, so_far in enumerate(sums, start=1):
        if so_far >= least or number == len(sums):
            chosen.append(number)
            least = SPACING * so_far
    return chosen


def _point(tally: TallyLike, terms: BetTerms | None, base: Base) -> ConvergencePoint:
    if terms is None:
        figures = main_figures(tally.outcomes, tally.unit, tally.hands)
        estimate = figures.rtp_total if base == "total" else figures.rtp_initial
    else:
        value = return_estimate(tally.side_bets[terms.id], terms.pays, terms.stakes).value
        estimate = Estimate(value, bet_error(tally, terms))
    return ConvergencePoint(
        rounds=tally.rounds,
        value=estimate.value,
        half_width_99=finite(estimate.half_width(LEVEL)),
    )


def frequency_tables(
    tally: TallyLike,
    game: Game,
    exact: ExactFigures,
    terms: Mapping[str, BetTerms],
    tests: Sequence[FamilyMember],
) -> tuple[FrequencyTable, ...]:
    """Return how often what happened, against exact chances."""
    assert tally.initial is not None
    assert tally.labels is not None
    known = {test.name: test for test in tests}
    shoe = Shoe.of_decks(game.rules.decks)
    seen, ways = observed_deals(tally.initial), expected_deals(shoe)
    tables = []
    for name, observed, expected in (
        ("up cards", seen.up, ways.up),
        ("naturals", seen.naturals, ways.naturals),
        (
            "initial hands by up card",
            {_dealt(key): n for key, n in seen.hands.items()},
            {_dealt(key): n for key, n in ways.hands.items()},
        ),
    ):
        dealt = {cell: count / ways.total for cell, count in expected.items()}
        tables.append(_table(name, TITLES[name], None, observed, dealt, known.get(name)))
    counted = label_frequencies(tally.labels, game.rules, exact.frequencies)
    for name, chances in exact.frequencies.items():
        test = known.get(f"{_MAIN_GAME}{name}")
        tables.append(
            _table(f"{_MAIN_GAME}{name}", TITLES[name], MAIN, counted[name], chances, test)
        )
    for bet, one in terms.items():
        name = f"{one.title}: frequencies"
        tables.append(_bet_table(name, tally, bet, one, known.get(name)))
    return tuple(tables)


_MAIN_GAME = "main game: "


def _dealt(key: tuple[str, str]) -> str:
    return f"{key[0]} v {key[1]}"


def _table(
    name: str,
    title: str,
    wager: str | None,
    observed: Mapping[str, int],
    chances: Mapping[str, float],
    test: FamilyMember | None,
) -> FrequencyTable:
    total = sum(observed.values())
    cells = list(dict.fromkeys([*chances, *observed]))
    return FrequencyTable(
        name=name,
        title=title,
        wager=wager,
        observations=total,
        cells=tuple(
            _cell(cell, chances.get(cell, 0.0), observed.get(cell, 0), total) for cell in cells
        ),
        test=test,
    )


def _cell(
    cell: str, probability: float, observed: int, total: int, *, independent: bool = True
) -> FrequencyCell:
    expected = total * probability
    spread = expected * (1.0 - probability)
    residual = (observed - expected) / math.sqrt(spread) if spread > 0.0 and independent else None
    return FrequencyCell(
        cell=cell,
        probability=probability,
        expected=expected,
        observed=observed,
        residual=residual,
    )


def _bet_table(
    name: str, tally: TallyLike, bet: str, terms: BetTerms, test: FamilyMember | None
) -> FrequencyTable:
    """Return a side bet's outcomes; of several hands a round they are not independent."""
    total = tally.rounds * terms.stakes
    seen = outcome_counts(tally.side_bets[bet])
    chances = terms.probabilities
    lost = float(1 - sum(chances.values(), Fraction(0)))
    rows = [(cell, float(chance), seen[cell]) for cell, chance in chances.items()]
    rows.append((LOSE, lost, total - sum(seen.values())))
    return FrequencyTable(
        name=name,
        title=f"{terms.title}: outcomes",
        wager=bet,
        observations=total,
        cells=tuple(_cell(*row, total, independent=terms.stakes == 1) for row in rows),
        test=test,
    )
