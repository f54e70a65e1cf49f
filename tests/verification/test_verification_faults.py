"""A fault worth 0.05 points: FAIL at a billion rounds, and never PASS at a hundred thousand.

At a billion rounds the counts are drawn from the exact law of the faulty game, which is what its
kernel would count; a slow test has the kernel itself play them.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from synthetic import bet_chances, deal_chances, draw

from rtpsim.cards import VALUE_CLASSES, Shoe
from rtpsim.exact import exact
from rtpsim.exact.figures import ExactFigures
from rtpsim.games import load_game
from rtpsim.program.settlement import FINALS
from rtpsim.simulation.run import make_plan, run_plan
from rtpsim.simulation.tables import make_tables
from rtpsim.simulation.tally import Tally, make_tally
from rtpsim.strategy import default_chart
from rtpsim.verification.judging import exit_status, verify
from rtpsim.verification.verdicts import PublishedVerdict, SimulatedVerdict

GAME = load_game("signature-surrender")
CHART = default_chart(GAME)
SHOE = Shoe.of_decks(GAME.rules.decks)
WORTH = 0.0005
BILLION = 10**9


@cache
def truth():
    return exact(GAME, CHART)


# -- faults: each returns the law of the labels as a faulty kernel would count them ---------------


@cache
def overpaid():
    """A settlement that gives half a bet too much, in a case that comes up once in a thousand."""
    law = truth().moments.labels
    wrong = wrong_end()
    changed = {}
    for label, p in law.items():
        paid = label._replace(net=label.net + 1) if end_of(label) == wrong else label
        changed[paid] = changed.get(paid, 0.0) + p
    return changed


def end_of(label):
    """Return what the settlement knows of a label: all but the up card."""
    return label._replace(up=0)


@cache
def ends():
    """Return the probability of each end of a round."""
    chances = {}
    for label, p in truth().moments.labels.items():
        chances[end_of(label)] = chances.get(end_of(label), 0.0) + p
    return chances


def wrong_end():
    """Return the end at which half a bet too much comes nearest to `WORTH`."""
    return min(ends(), key=lambda end: abs(ends()[end] / 2 - WORTH))


@cache
def misplayed():
    """A compiler that reads one letter of the chart wrongly: it hits hard 13 against a 4."""
    four = VALUE_CLASSES.index("4")
    assert CHART.cell("hard 13", four) == "S"
    return exact(GAME, CHART.with_cell("hard 13", four, "H")).moments.labels


FAULTS = pytest.mark.parametrize("fault", [overpaid, misplayed])


def counted(law, rounds, seed):
    """Return what so many rounds of a law of labels count."""
    rng = np.random.default_rng(seed)
    labels = draw(rng, rounds, law)
    outcomes = {}
    for label, count in labels.items():
        outcomes[label.net, label.wager] = outcomes.get((label.net, label.wager), 0) + count
    chances = deal_chances(SHOE.by_value)
    bets = {}
    for bet in GAME.side_bets:
        paid = {(name,): p for name, p in bet_chances(GAME, bet.id).items()}
        bets[bet.id] = draw(rng, rounds, {**paid, (): 1 - sum(paid.values())})
    return Tally(
        unit=GAME.rules.unit,
        hands=1,
        rounds=rounds,
        outcomes=outcomes,
        insurance={(0, 0): rounds},
        labels=labels,
        initial=rng.multinomial(rounds, chances.ravel() / chances.sum()).reshape(chances.shape),
        side_bets=bets,
    )


def main_of(tally, game=GAME):
    judged = verify(tally, game, CHART, seed=1, exact=ExactFigures.of(truth()))
    return judged.wagers[0]


def test_the_faults_are_worth_what_is_said():
    law = truth().moments.labels
    for fault in (overpaid, misplayed):
        changed = fault()
        ev = sum(label.net * p for label, p in changed.items()) / GAME.rules.unit
        right = sum(label.net * p for label, p in law.items()) / GAME.rules.unit
        assert 0.8 * WORTH < abs(ev - right) < 1.25 * WORTH


@FAULTS
@pytest.mark.parametrize("seed", range(3))
def test_a_fault_fails_at_a_billion_rounds(fault, seed):
    main = main_of(counted(fault(), BILLION, seed))
    assert main.simulated_verdict is SimulatedVerdict.FAIL


@FAULTS
@pytest.mark.parametrize("seed", range(3))
def test_a_fault_never_passes_at_a_hundred_thousand(fault, seed):
    main = main_of(counted(fault(), 100_000, seed))
    assert main.simulated_verdict is not SimulatedVerdict.PASS


def test_the_same_draw_without_a_fault_passes():
    main = main_of(counted(truth().moments.labels, BILLION, 1))
    assert main.simulated_verdict is SimulatedVerdict.PASS


def faulty_run(rounds):
    """Play with the settlement table of `overpaid` in the kernel's own tables."""
    plan = make_plan(GAME, CHART, rounds=rounds, seed=1, hands=1, side_bets=None)
    program = plan.program
    wrong, finals = wrong_end(), len(FINALS)
    settlement = program.settlement.copy()
    contexts = len(program.finished)
    places = [n for n in range(contexts * finals) if end_of(program.label(n)) == wrong]
    assert places
    for number in places:
        settlement[(*divmod(number, finals), 0)] += 1
    faulty = replace(program, settlement=settlement)
    plan = replace(plan, program=faulty, tables=make_tables(faulty, SHOE, 1))
    return make_tally(faulty, run_plan(plan), 1, plan.bets, plan.offsets)


def test_a_faulty_kernel_never_passes_at_a_hundred_thousand():
    main = main_of(faulty_run(100_000))
    assert main.simulated_verdict is not SimulatedVerdict.PASS


@pytest.mark.slow
def test_a_faulty_kernel_fails_at_a_billion_rounds():
    main = main_of(faulty_run(BILLION))
    assert main.simulated_verdict is SimulatedVerdict.FAIL


# -- a figure in print that is off by 0.05 points -------------------------------------------------


def printed(rtp):
    """Return the game with another figure in print for its main game."""
    figures = [
        figure.model_copy(update={"rtp": rtp}) if figure.wager == "main" else figure
        for figure in GAME.published
    ]
    return GAME.model_copy(update={"published": tuple(figures)})


@pytest.mark.parametrize("rtp", ["99.68", "99.58"])
@pytest.mark.parametrize("rounds", [1, 100_000, BILLION, 10**12])
def test_a_figure_off_by_a_twentieth_is_not_reproduced_whatever_the_rounds(rtp, rounds):
    game = printed(rtp)
    tally = counted(truth().moments.labels, rounds, 1)
    judged = verify(tally, game, CHART, seed=1, exact=ExactFigures.of(truth()))
    assert judged.wagers[0].published_verdict is PublishedVerdict.NOT_REPRODUCED
    assert exit_status([judged]) == 1


def test_the_right_figure_is_reproduced_whatever_the_rounds():
    for rounds in (1, 100_000, BILLION):
        main = main_of(counted(truth().moments.labels, rounds, 1))
        assert main.published_verdict is PublishedVerdict.REPRODUCED
