"""Building a report: from inputs and tallies to every figure that it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rtpsim.cards import Shoe
from rtpsim.errors import InputError
from rtpsim.exact.figures import exact_figures
from rtpsim.report.build.exact import exact_main, side_bet_table
from rtpsim.report.build.game import game_under_test
from rtpsim.report.build.identity import design, identification, reproducibility
from rtpsim.report.build.run import (
    convergence,
    frequency_tables,
    judged_runs,
    judged_wagers,
    main_estimates,
)
from rtpsim.report.build.spread import planned_spreads, with_hands
from rtpsim.report.build.witnesses import witnesses
from rtpsim.report.canonical import sealed
from rtpsim.report.build.glossary import GLOSSARY
from rtpsim.report.model import SCHEMA, HandsRun, Report
from rtpsim.report.build.standing import Standing, standing
from rtpsim.report.tallies import whole_tally
from rtpsim.results import BetTerms
from rtpsim.simulation import simulate
from rtpsim.simulation.streams import MAX_SEED
from rtpsim.simulation.tables import MAX_HANDS
from rtpsim.verification.judging import exit_status, verify

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from rtpsim.exact.figures import ExactFigures
    from rtpsim.games import Game
    from rtpsim.report.build.identity import Circumstances
    from rtpsim.report.inputs import Opened
    from rtpsim.report.model import Inputs, RunTallies
    from rtpsim.simulation.tally import Tally
    from rtpsim.verification.verdicts import GameVerification


HANDS_ROUNDS = 1 << 21
"""Rounds of the run of several hands: they tell the covariance to some thousandths."""


class Basis(NamedTuple):
    """What all sections of a report are computed from.

    Attributes
    ----------
    opened
        Game, chart and limits.
    exact
        Exact figures of the main game by the chart.
    judged
        The verdicts.
    tally
        Of the deciding run.
    terms
        Side bets as they stand in that run.
    """

    opened: Opened
    exact: ExactFigures
    judged: GameVerification
    tally: Tally
    terms: dict[str, BetTerms]

    @property
    def game(self) -> Game:
        """The game."""
        return self.opened.game


def judge(opened: Opened, tallies: Sequence[RunTallies], *, keep: bool = True) -> Basis:
    """Judge the runs of a game.

    Parameters
    ----------
    opened
        Game, chart and limits.
    tallies
        One run, or two where the first one failed.
    keep
        Whether exact figures may come from disk, and are kept there.

    Raises
    ------
    InputError
        If tallies do not go together, or are not those that verification calls for.
    """
    game, chart, limits = opened.game, opened.chart, opened.limits
    exact = exact_figures(game, chart, keep=keep)
    counted = [whole_tally(run) for run in tallies]
    judged = verify(counted[0], game, chart, seed=tallies[0].seed, exact=exact, limits=limits)
    if len(counted) > 1:
        asked = []

        def second(rounds: int, seed: int) -> Tally:
            asked.append((rounds, seed))
            return counted[1]

        judged = verify(
            counted[0],
            game,
            chart,
            seed=tallies[0].seed,
            exact=exact,
            limits=limits,
            rerun=second,
        )
        played = [(run.rounds_asked or run.rounds, run.seed) for run in tallies[1:]]
        if asked != played:
            raise InputError(
                f"tallies: second runs of {played} (rounds, seed), but {asked} are called for"
            )
    shoe = Shoe.of_decks(game.rules.decks)
    terms = {bet.id: BetTerms.of(bet, shoe, counted[-1].hands) for bet in game.side_bets}
    return Basis(opened, exact, judged, counted[-1], terms)


def build_report(
    opened: Opened,
    inputs: Inputs,
    tallies: Sequence[RunTallies],
    circumstances: Circumstances,
    *,
    hands_rounds: int | None = HANDS_ROUNDS,
    keep: bool = True,
    say: Callable[[str], None] | None = None,
) -> Report:
    """Build a report: a function of inputs, tallies and circumstances alone.

    Parameters
    ----------
    opened, inputs
        Game, chart and limits, as they are and as the report holds them.
    tallies
        What each run counted: one, or two where the first one failed.
    circumstances
        What the report tells of its making.
    hands_rounds
        Rounds of the run of several hands behind their covariance, which is played here; None
        for none. A game of one hand has none.
    keep
        Whether exact figures may come from disk, and are kept there.
    say
        Told what is being done.

    Raises
    ------
    InputError
        If the tallies do not go together.
    """
    tell = say or (lambda text: None)
    basis = judge(opened, tallies, keep=keep)
    game, run = opened.game, tallies[-1]
    known = standing(opened, inputs, basis.exact, run.seed, keep=keep, say=tell)
    several = None
    if hands_rounds is not None and game.max_hands > 1:
        tell(f"{game.id}: {hands_rounds:,} rounds of {game.max_hands} hands")
        several, tally = _several_hands(opened, hands_rounds, run.seed)
        hands = with_hands(known.volatility, tally, basis.exact)
        known = known.model_copy(update={"volatility": hands})
    told = reproducibility(game.id, inputs, tallies, several, circumstances)
    return sealed(
        Report(
            schema_version=SCHEMA,
            sha256="",
            identification=identification(game, opened.chart, inputs, run, circumstances),
            exit_status=exit_status([basis.judged]),
            game=game_under_test(game),
            exact=exact_main(basis.exact, game.rules.unit),
            witnesses=witnesses(game, opened.chart, basis.exact, opened.limits.family),
            reproducibility=told,
            glossary=GLOSSARY,
            **{name: getattr(known, name) for name in Standing.model_fields},
            **_of_the_run(basis, run, known, circumstances.rounds_rule),
        )
    )


def _of_the_run(basis: Basis, run: RunTallies, known: Standing, rule: str) -> dict[str, Any]:
    """Return the sections on what the deciding run says."""
    game, limits, tally, terms = basis.game, basis.opened.limits, basis.tally, basis.terms
    wagers = judged_wagers(basis.judged, game, limits)
    spreads = planned_spreads(
        known.volatility.tolerances, {wager.wager: wager.base for wager in wagers}
    )
    simulated = main_estimates(tally, basis.judged.runs[-1])
    return {
        "wagers": wagers,
        "runs": judged_runs(basis.judged),
        "side_bets": tuple(side_bet_table(bet, terms[bet.id], tally) for bet in game.side_bets),
        "design": design(run, wagers, spreads, limits, rule),
        "simulated": simulated,
        "convergence": convergence(run, terms, wagers),
        "frequencies": frequency_tables(tally, game, basis.exact, terms, simulated.tests),
    }


def _several_hands(opened: Opened, rounds: int, seed: int) -> tuple[HandsRun, Tally]:
    """Play the run behind the covariance between hands; a seed of its own keeps it independent."""
    own = (seed + 2) % (MAX_SEED + 1)
    hands = min(opened.game.max_hands, MAX_HANDS)
    tally = simulate(opened.game, opened.chart, rounds=rounds, seed=own, hands=hands, side_bets=())
    outcomes = tuple((net, wager, count) for (net, wager), count in tally.outcomes.items())
    return HandsRun(seed=own, rounds=rounds, hands=hands, outcomes=outcomes), tally
