"""The kernel against its twin in plain Python: every card, every result, every count."""

from collections import Counter

import kernel_twin
import numpy as np
import pytest

from rtpsim.cards import Shoe
from rtpsim.games import Game, load_game
from rtpsim.rulestring import parse_rules
from rtpsim.simulation.run import make_plan, record_rounds
from rtpsim.simulation.tables import BLOCK
from rtpsim.simulation.tally import make_tally
from rtpsim.strategy import default_chart, read_chart

pytestmark = pytest.mark.interpreted

RESPLITS = Game.from_rules(parse_rules("2D H17 SPL3 SPR HSA RSA ES OBO INSP"))
INSURING = read_chart("ordinary").with_cell("insurance", 0, "Y")

CASES = {
    "one hand": (load_game("signature-surrender"), None, 1, BLOCK + 700),
    "three hands": (load_game("signature-surrender"), None, 3, BLOCK + 100),
    "ranks": (load_game("classic-blackjack"), None, 1, 500),
    "powers": (load_game("power-blackjack"), None, 1, 500),
    "resplits and checks": (RESPLITS, INSURING, 2, 1000),
    "most hands": (RESPLITS, INSURING, 6, 300),
}


@pytest.fixture(scope="module", params=CASES.values(), ids=CASES)
def both(request):
    """Return a plan with what the kernel and what the twin make of it."""
    game, chart, hands, rounds = request.param
    chart = chart or default_chart(game)
    plan = make_plan(game, chart, rounds=rounds, seed=11, hands=hands, side_bets=None)
    shoe = Shoe.of_decks(game.rules.decks)
    twin = kernel_twin.play(plan.program, shoe, rounds, seed=11, game_hash=game.sha256, hands=hands)
    return plan, *record_rounds(plan), twin


def test_block_is_the_kernel_s():
    assert kernel_twin.BLOCK == BLOCK


def test_same_cards_and_results(both):
    _, record, _, twin = both
    assert record.dealt.tolist() == [one.dealt for one in twin]
    assert record.results.tolist() == [[one.final, *one.contexts] for one in twin]
    drawn = [
        cards[:length]
        for cards, length in zip(record.drawn.tolist(), record.length.tolist(), strict=True)
    ]
    assert drawn == [one.drawn for one in twin]


def test_same_label_counts(both):
    plan, _, counts, twin = both
    labels = np.zeros_like(counts.labels)
    for one in twin:
        up = min(one.dealt[0] // 4, 9)
        labels[(up * len(plan.program.finished) + one.contexts[0]) * 9 + one.final] += 1
    assert np.array_equal(counts.labels, labels)


def test_same_tally(both):
    plan, _, counts, twin = both
    tally = make_tally(plan.program, counts, plan.hands, plan.bets, plan.offsets)
    outcomes, insurance = Counter(), Counter()
    initial = np.zeros((10, 10, 10, 10), dtype=np.int64)
    for one in twin:
        settled = [plan.program.settlement[context, one.final].tolist() for context in one.contexts]
        net, wager, insurance_net, insurance_wager = map(sum, zip(*settled, strict=True))
        outcomes[net, wager] += 1
        insurance[insurance_net, insurance_wager] += 1
        up, hole, first, second, *_ = (min(number // 4, 9) for number in one.dealt)
        initial[first, second, up, hole] += 1
    assert tally.rounds == len(twin)
    assert tally.outcomes == outcomes
    assert tally.insurance == insurance
    assert np.array_equal(tally.initial, initial)
