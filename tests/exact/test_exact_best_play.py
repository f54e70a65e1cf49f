"""The solver against the best over all policies, found by trying them all (`best_play`)."""

import pytest
from best_play import BestPlay, total_of
from tiny_shoes import mean_insurance, mean_net, shoe

from rtpsim.exact.evaluate import evaluate
from rtpsim.exact.policies import OptimalPolicy
from rtpsim.rulestring import parse_rules

TABLES = {
    "1D S17 DOA DAS SPL1 LS PEEK": {"surrender": True},
    "1D H17 DOA NDAS SPL1 NS PEEK": {"h17": True, "das": False},
    "1D S17 DOA DAS SPL1 NS ENHC": {"peek": False},
    "1D H17 DOA NDAS SPL1 LS ENHC": {
        "peek": False, "h17": True, "das": False, "surrender": True,
    },
    "1D S17 DOA SPL0 LS PEEK": {"splits": False, "surrender": True},
}  # fmt: skip
SHOES = ["5x9 Tx9", "6x10 Tx7", "Ax6 8x9", "Ax7 Tx9 8x1", "4x9 9x9", "Ax6 9x7 Tx9"]
LONGER = ["5x6 6x6 Tx8", "Ax4 7x8 Tx7", "Ax9 Tx5 2x1", "2x2 8x8 Tx8", "7x8 4x7"]


def compare(rules, table, cards):
    tried = BestPlay(shoe(cards).by_value, **table)
    net, insurance = tried.round()
    found = evaluate(parse_rules(rules), OptimalPolicy(), shoe(cards))
    assert mean_net(found) == pytest.approx(net, abs=1e-12)
    assert mean_insurance(found) == pytest.approx(insurance, abs=1e-12)
    return tried


@pytest.mark.parametrize("cards", SHOES)
@pytest.mark.parametrize("rules", TABLES)
def test_no_policy_is_better_than_the_solver(rules, cards):
    tried = compare(rules, TABLES[rules], cards)
    assert (tried.policies_tried > 10) == TABLES[rules].get("splits", True)


@pytest.mark.slow
@pytest.mark.parametrize("cards", LONGER)
@pytest.mark.parametrize("rules", TABLES)
def test_no_policy_is_better_than_the_solver_on_more_shoes(rules, cards):
    compare(rules, TABLES[rules], cards)


def test_imitating_the_unsplit_hand_is_no_better_than_the_best_play_after_a_split():
    rules, cards = "1D S17 DOA DAS SPL1 NS PEEK", shoe("4x9 9x9")
    best, imitating = (
        mean_net(evaluate(parse_rules(rules), OptimalPolicy(model), cards))
        for model in ("CDP", "CDZ-")
    )
    assert imitating <= best + 1e-15


def test_the_search_over_policies_is_about_blackjack():
    """Cases to be seen at a glance, so that the yardstick is not bent."""
    assert [total_of(cards) for cards in ((1, 10), (1, 1, 10), (1, 1))] == [
        (21, True), (12, False), (12, True),
    ]  # fmt: skip
    tens = BestPlay((0,) * 9 + (9,))  # twenty against twenty, whatever is split
    assert tens.round() == (0.0, 0.0)
    # ace and ten v ten: two of the 4 cards left are aces, peeked at; both naturals push
    assert BestPlay((3,) + (0,) * 8 + (4,)).opening(1, 10, 10, (2,) + (0,) * 8 + (2,)) == (0.75, 0)
    # nines and a ten up: the dealer always has 19, so that 18 loses and two nines v ten are split
    # only to lose twice
    nines = BestPlay((0,) * 8 + (9, 1), surrender=True)
    assert nines.opening(9, 9, 10, (0,) * 8 + (7, 0)) == (-0.5, 0.0)
