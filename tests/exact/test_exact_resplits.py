"""Splitting again: forced, as often as is best, and after a power split."""

import pytest

from rtpsim.errors import InputError
from rtpsim.exact import exact
from rtpsim.games import Game, load_game
from rtpsim.rulestring import parse_rules

POWER = "power-blackjack"


def ev(rules: str, **options) -> float:
    return exact(Game.from_rules(parse_rules(rules)), "optimal-cd", moments=False, **options).ev


def test_the_best_number_of_splits_is_the_best_of_the_limits():
    """Threes against an ace of a no-hole-card game: every further bet is at the natural's mercy.

    The value under each limit is found by evaluating the game with that limit in its rules; each
    pair and up card then takes the best, which no single limit reaches everywhere.
    """
    shared = "1D S17 DOA DAS NS 3:2 ENHC"
    limits = [ev(f"{shared} SPL{splits}") for splits in (1, 2, 3)]
    best = ev(f"{shared} SPL3", resplits="best")
    assert best >= max(limits)
    assert ev(f"{shared} SPL1", resplits="best") == limits[0]


@pytest.mark.parametrize(
    "rules", ["6D SPL3 RSA HSA LS", "2D H17 SPT2 NDAS OBO", "1D SPR SPL2", "2D SPT2 PSR RSA"]
)
def test_freedom_never_costs(rules):
    assert ev(rules, resplits="best") >= ev(rules) - 1e-15


def test_hands_of_a_power_split_are_split_again_only_where_it_pays():
    """The best play by composition cannot return less than a chart under the same rules."""
    game = load_game(POWER).with_settings({"power-split-resplit": "allowed"})
    best = exact(game, "optimal-cd", moments=False)
    assert best.ev >= exact(game, moments=False).ev
    assert best.ev >= exact(load_game(POWER), "optimal-cd", moments=False).ev


def test_an_insurance_that_peeks_is_part_of_the_return():
    """99.93 is quoted for the best play of Classic Blackjack with the peek, 99.91 without."""
    classic = load_game("classic-blackjack")
    with_peek = exact(classic.with_settings({"insurance-peek": "on"}), "optimal-cd", moments=False)
    assert with_peek.includes_insurance
    assert with_peek.ev == with_peek.main_net + with_peek.insurance_net
    assert f"{100 * with_peek.rtp_initial:.2f}" == "99.93"
    without = exact(classic, "optimal-cd", moments=False)
    assert not without.includes_insurance
    assert f"{100 * without.rtp_initial:.2f}" == "99.91"


def test_other_words_are_refused():
    with pytest.raises(InputError, match="resplits 'free': allowed are forced and best"):
        ev("6D", resplits="free")
