"""The plain kernel against the kernel proper: the same cards end alike, shuffled ones as often."""

import numpy as np
import pytest
from scipy.stats import chi2

from rtpsim.cards import Shoe
from rtpsim.games import load_game
from rtpsim.simulation import plain
from rtpsim.simulation.run import make_plan, record_rounds, run_plan
from rtpsim.strategy import default_chart

GAMES = ("classic-blackjack", "power-blackjack", "6D H17 SPL3 RSA C6 ES P22N")


def plan_of(name, rounds):
    game = load_game(name)
    return make_plan(game, default_chart(game), rounds=rounds, seed=11, hands=1, side_bets=())


@pytest.mark.interpreted
@pytest.mark.parametrize("name", GAMES)
def test_the_same_cards_end_alike(name):
    plan = plan_of(name, 1500)
    record, counts = record_rounds(plan)
    tables = plain.plain_tables(plan.program)
    kinds = np.minimum(record.dealt // 4, plan.program.classes - 1)
    labels = plain.plain_labels(plan.program)
    for dealt, drawn, length, (final, context) in zip(
        kinds, record.drawn, record.length, record.results, strict=True
    ):
        cards = np.concatenate([dealt, drawn[:length]]).astype(np.int64)
        number = (int(dealt[0].clip(max=9)) * tables.finished + context) * tables.finals + final
        before = labels[number]
        assert plain.play_rounds(1, tables, cards, None, labels) == len(cards)
        assert labels[number] == before + 1
    assert (labels == counts.labels).all()


@pytest.mark.parametrize("name", GAMES)
def test_shuffled_rounds_end_as_often(name):
    """Two samples of one distribution: chi-squared of (a - b)^2 / (a + b), cells of 20 and more."""
    rounds = 1 << 19
    plan = plan_of(name, rounds)
    shoe = plain.plain_shoe(plan.program, Shoe.of_decks(plan.program.rules.decks))
    labels = plain.plain_labels(plan.program)
    plain.play_rounds(rounds, plain.plain_tables(plan.program), shoe, plain.plain_random(5), labels)
    others = run_plan(plan, workers=1).labels
    assert labels.sum() == rounds
    both = labels + others
    cells = both >= 20
    statistic = ((labels - others)[cells] ** 2 / both[cells]).sum()
    assert cells.sum() > 500
    assert 1e-6 < chi2.sf(statistic, cells.sum()) < 1 - 1e-6


@pytest.mark.interpreted
def test_a_seed_is_a_sequence_of_rounds():
    plan = plan_of("classic-blackjack", 1)
    tables = plain.plain_tables(plan.program)

    def play(*parts, seed=3):
        labels, random = plain.plain_labels(plan.program), plain.plain_random(seed)
        shoe = plain.plain_shoe(plan.program, Shoe.of_decks(1))
        for rounds in parts:
            plain.play_rounds(rounds, tables, shoe, random, labels)
        return labels.tolist()

    assert play(1000) == play(300, 700)
    assert play(1000) != play(1000, seed=4)
