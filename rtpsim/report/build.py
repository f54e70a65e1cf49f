"""Building a report: from inputs and tallies to every figure that it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rtpsim.cards import Shoe
from rtpsim.figures import exact_figures
from rtpsim.report.build_exact import exact_main, side_bet_table
from rtpsim.report.build_game import game_under_test, readings_table, strategy_assumed
from rtpsim.report.build_identity import design, identification, reproducibility
from rtpsim.report.build_run import (
    convergence,
    frequency_tables,
    judged_runs,
    judged_wagers,
    main_estimates,
)
from rtpsim.report.glossary import GLOSSARY
from rtpsim.report.model import SCHEMA
from rtpsim.report.tallies import whole_tally
from rtpsim.results import BetTerms
from rtpsim.verification import exit_status, verify

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from rtpsim.figures import ExactFigures
    from rtpsim.games import Game
    from rtpsim.report.build_identity import Circumstances
    from rtpsim.report.inputs import Opened
    from rtpsim.report.model import HandsRun, Inputs, RunTallies
    from rtpsim.simulation.tally import Tally
    from rtpsim.verdicts import GameVerification


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
        again = iter(counted[1:])
        judged = verify(
            counted[0],
            game,
            chart,
            seed=tallies[0].seed,
            exact=exact,
            limits=limits,
            rerun=lambda rounds, seed: next(again),
        )
    shoe = Shoe.of_decks(game.rules.decks)
    terms = {bet.id: BetTerms.of(bet, shoe, counted[-1].hands) for bet in game.side_bets}
    return Basis(opened, exact, judged, counted[-1], terms)


def known_sections(
    basis: Basis,
    inputs: Inputs,
    tallies: Sequence[RunTallies],
    hands_run: HandsRun | None,
    circumstances: Circumstances,
    *,
    keep: bool = True,
) -> dict[str, Any]:
    """Return the sections on identity, verdicts, game, exact results and the run itself."""
    game, exact, tally, run = basis.game, basis.exact, basis.tally, tallies[-1]
    chart, limits = basis.opened.chart, basis.opened.limits
    wagers = judged_wagers(basis.judged, game, limits)
    simulated = main_estimates(tally, basis.judged.runs[-1])
    return {
        "schema_version": SCHEMA,
        "sha256": "",
        "identification": identification(game, chart, inputs, run, circumstances),
        "wagers": wagers,
        "runs": judged_runs(basis.judged),
        "exit_status": exit_status([basis.judged]),
        "game": game_under_test(game),
        "strategy": strategy_assumed(game, chart, exact, keep=keep),
        "exact": exact_main(exact, game.rules.unit),
        "side_bets": tuple(
            side_bet_table(bet, basis.terms[bet.id], tally) for bet in game.side_bets
        ),
        "readings": readings_table(game, keep=keep),
        "design": design(run, wagers, {}, limits),
        "simulated": simulated,
        "convergence": convergence(run, basis.terms, wagers),
        "frequencies": frequency_tables(tally, game, exact, basis.terms, simulated.tests),
        "reproducibility": reproducibility(game.id, inputs, tallies, hands_run, circumstances),
        "glossary": GLOSSARY,
    }
