"""Verdicts: each can be reached, and each check fails when the thing it checks is broken."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from synthetic import MAIN_GAME, bet_chances, deal_chances, draw, figures_of, tally_of

from rtpsim.cards import Shoe
from rtpsim.errors import InputError
from rtpsim.games import load_game
from rtpsim.strategy import default_chart
from rtpsim.verification.judging import Limits, exit_status, to_json, verify
from rtpsim.verification.verdicts import PublishedVerdict as Published
from rtpsim.verification.verdicts import SimulatedVerdict as Simulated

BILLION = 10**9


@pytest.fixture(scope="module")
def game():
    return load_game("signature-surrender")


@pytest.fixture(scope="module")
def silent_game():
    """A game whose operator prints nothing and that has no side bets."""
    return load_game("classic-blackjack")


def judged(tally, game, **options):
    """Judge a synthetic run, by default against the main game that it was drawn from."""
    if "exact" not in options:
        options["exact"] = figures_of(tally.main)
    return verify(tally, game, default_chart(game), seed=1, **options)


def wager_of(verification, wager):
    return next(one for one in verification.wagers if one.wager == wager)


def published_main(rtp_total):
    """Return probabilities of a main game with a given return on the total wager."""
    chances = {key: p / sum(MAIN_GAME.values()) for key, p in MAIN_GAME.items()}
    wager = sum(p * w for (_, w), p in chances.items())
    excess = sum(p * net for (net, _), p in chances.items()) - (rtp_total - 1) * wager
    # moving p from +2 to -2 on the same wager changes the net by 4 p
    chances[2, 2] -= excess / 4
    chances[-2, 2] += excess / 4
    return chances


def with_pays(game, bet_id, **pays):
    """Return the game with another paytable for one side bet."""
    bets = [
        bet.model_copy(update={"pays": {**bet.pays, **pays}}) if bet.id == bet_id else bet
        for bet in game.side_bets
    ]
    return game.model_copy(update={"side_bets": tuple(bets)})


@pytest.fixture(scope="module")
def good(game):
    return tally_of(game, BILLION, 3, main=published_main(0.99634900))


def test_a_right_run_passes(game, good):
    verification = judged(good, game)
    main = wager_of(verification, "main")
    assert main.published_verdict is Published.REPRODUCED
    assert main.simulated_verdict is Simulated.PASS
    assert (main.published, main.base) == ("99.63", "total")
    assert main.exact == pytest.approx(0.99634900, abs=1e-12)
    assert main.simulated.value == pytest.approx(0.99634900, abs=4 * 3.3e-5)
    assert set(main.others) == {"initial"}
    assert main.others["initial"].exact == pytest.approx(figures_of(good.main).rtp("initial"))
    for bet in ("empire-poker", "empire-pairs"):
        wager = wager_of(verification, bet)
        assert wager.published_verdict is Published.REPRODUCED
        assert wager.simulated_verdict is Simulated.PASS
    assert len(verification.runs) == 1
    assert exit_status([verification]) == 0


def test_exact_values_are_those_of_the_counts(game, good):
    # 2912 / 24576 / 61568 / 368640 / 700928 of 11912160; 7 / 8 / 16 of 415
    verification = judged(good, game)
    poker = Fraction(2912 * 101 + 24576 * 36 + 61568 * 34 + 368640 * 11 + 700928 * 6, 11912160)
    assert wager_of(verification, "empire-poker").exact == poker
    assert wager_of(verification, "empire-pairs").exact == Fraction(7 * 31 + 8 * 11 + 16 * 6, 415)


def test_error_bars_come_from_the_exact_variance(game, good):
    # pairs of eight decks: E[X^2] - E[X]^2 of returns 31, 11, 6 with chances 7, 8, 16 of 415
    square = (7 * 31**2 + 8 * 11**2 + 16 * 6**2) / 415
    sd = (square - (401 / 415) ** 2) ** 0.5
    wager = wager_of(judged(good, game), "empire-pairs")
    assert wager.simulated.half_width(0.99) == pytest.approx(2.575829 * sd / BILLION**0.5)


@pytest.mark.parametrize(
    "outcome", ["suited-trips", "straight-flush", "trips", "straight", "flush"]
)
@pytest.mark.parametrize("change", [-1, 1])
def test_a_wrong_paytable_fails(game, good, outcome, change):
    poker = game.side_bet("empire-poker")
    wrong = with_pays(game, "empire-poker", **{outcome: poker.pays[outcome] + change})
    verification = judged(good, wrong)
    wager = wager_of(verification, "empire-poker")
    assert wager.published_verdict is Published.NOT_REPRODUCED
    assert exit_status([verification]) == 1


def test_a_wrong_figure_in_print_fails(game, good):
    figures = [
        figure.model_copy(update={"rtp": "96.83"}) if figure.wager == "empire-poker" else figure
        for figure in game.published
    ]
    verification = judged(good, game.model_copy(update={"published": tuple(figures)}))
    wager = wager_of(verification, "empire-poker")
    assert wager.published_verdict is Published.NOT_REPRODUCED
    assert "prints as 96.82 (rounded to nearest)" in wager.published_reason


def biased(game, bet_id, outcome, factor):
    chances = bet_chances(game, bet_id)
    chances[outcome] *= factor
    return {bet_id: chances}


@pytest.mark.parametrize(
    ("bet", "outcome", "factor"),
    [
        ("empire-poker", "suited-trips", Fraction(103, 100)),
        ("empire-poker", "straight", Fraction(999, 1000)),
        ("empire-pairs", "mixed", Fraction(1001, 1000)),
    ],
)
def test_biased_counts_fail(game, bet, outcome, factor):
    bets = biased(game, bet, outcome, factor)
    tally = tally_of(game, BILLION, 4, main=published_main(0.99635), bets=bets)
    verification = judged(tally, game)
    assert wager_of(verification, bet).simulated_verdict is Simulated.FAIL
    assert "frequencies" in wager_of(verification, bet).simulated_reason
    assert exit_status([verification]) == 1


def test_a_return_that_is_off_has_the_z_of_its_excess(game):
    bets = biased(game, "empire-poker", "suited-trips", Fraction(103, 100))
    tally = tally_of(game, BILLION, 4, bets=bets)
    pays = game.side_bet("empire-poker").pays
    back = sum(n * (pays[won[0]] + 1) for won, n in tally.side_bets["empire-poker"].items() if won)
    # 9241/9545 by the paytable's own arithmetic; the variance of a stake from its definition
    chances = bet_chances(game, "empire-poker")
    mean = sum(p * (pays[name] + 1) for name, p in chances.items())
    variance = sum(p * (pays[name] + 1) ** 2 for name, p in chances.items()) - mean**2
    z = (back / BILLION - float(mean)) / float(variance / BILLION) ** 0.5
    tests = {one.result.name: one.result for one in judged(tally, game).runs[0].tests}
    assert z > 4
    assert tests["Empire Poker: return"].statistic == pytest.approx(z, rel=1e-6)


def test_no_wager_passes_beside_a_failed_test(game):
    tally = tally_of(
        game, BILLION, 4, bets=biased(game, "empire-pairs", "mixed", Fraction(1002, 1000))
    )
    poker = wager_of(judged(tally, game), "empire-poker")
    assert poker.simulated_verdict is Simulated.FAIL
    assert "Empire Pairs: frequencies" in poker.simulated_reason


def test_a_wrong_shoe_fails_even_where_nothing_is_published(silent_game):
    # dealt from two decks instead of one: naturals and hands are off
    deals = deal_chances(Shoe.of_decks(2).by_value)
    verification = judged(tally_of(silent_game, 10**7, 5, deals=deals), silent_game)
    assert wager_of(verification, "main").published_verdict is Published.NOT_PUBLISHED
    assert wager_of(verification, "main").simulated_verdict is Simulated.FAIL
    assert exit_status([verification]) == 1
    right = judged(tally_of(silent_game, 10**7, 5), silent_game)
    assert not right.runs[0].failed


@pytest.mark.parametrize("test_name", ["up cards", "naturals"])
def test_each_test_of_the_deal_sees_its_own_fault(silent_game, test_name):
    tally = tally_of(silent_game, 10**8, 6)
    initial = tally.initial.copy()
    if test_name == "up cards":  # some aces are shown as twos, whatever the hand
        moved = initial[:, :, 0, :] // 200
        initial[:, :, 0, :] -= moved
        initial[:, :, 1, :] += moved
    else:  # some dealer naturals become twenties, the up card stays
        moved = initial[:, :, 9, 0] // 100
        initial[:, :, 9, 0] -= moved
        initial[:, :, 9, 9] += moved
    verification = judged(replace(tally, initial=initial), silent_game)
    failed = [test.result.name for test in verification.runs[0].tests if test.failed]
    assert test_name in failed
    if test_name == "naturals":
        assert failed == ["naturals"]


def test_initial_hands_are_tested_against_their_up_cards(silent_game):
    # the up card dealt with replacement: hands and up cards are right, their combination is not
    chances = deal_chances(Shoe.of_decks(1).by_value)
    hands = chances.sum(axis=(2, 3), keepdims=True)
    deals = hands * chances.sum(axis=(0, 1), keepdims=True)
    verification = judged(tally_of(silent_game, 10**6, 100, deals=deals), silent_game)
    failed = {test.result.name for test in verification.runs[0].tests if test.failed}
    assert "initial hands by up card" in failed
    assert "up cards" not in failed


@pytest.mark.parametrize("rounds", [1, 10, 1000, 10**6, 10**8])
def test_a_short_run_is_inconclusive_never_a_pass(game, rounds):
    for seed in range(5):
        tally = tally_of(game, rounds, seed, main=published_main(0.99635))
        verification = judged(tally, game)
        for bet in ("empire-poker", "empire-pairs"):
            wager = wager_of(verification, bet)
            assert wager.simulated_verdict is Simulated.INCONCLUSIVE
        assert exit_status([verification]) == 3


def test_a_run_that_saw_no_winner_does_not_think_itself_precise(game):
    tally = tally_of(game, 20, 1)
    tally = replace(tally, side_bets={bet: {(): 20} for bet in tally.side_bets})
    wager = wager_of(judged(tally, game), "empire-poker")
    assert wager.simulated_verdict is Simulated.INCONCLUSIVE
    assert wager.simulated.half_width(0.99) > 0.5


def test_rounds_needed_are_enough(game):
    short = wager_of(judged(tally_of(game, 10**6, 1), game), "empire-pairs").simulated_reason
    needed = int(short.split("needs ")[1].split(" rounds")[0].replace(",", ""))
    # a billion rounds give 0.036 points, so 0.05 takes about half of that
    assert needed == pytest.approx(BILLION * (0.036 / 0.05) ** 2, rel=0.05)
    enough = judged(tally_of(game, needed, 1), game)
    assert wager_of(enough, "empire-pairs").simulated_verdict is Simulated.PASS
    fewer = judged(tally_of(game, needed - 1, 1), game)
    assert wager_of(fewer, "empire-pairs").simulated_verdict is Simulated.INCONCLUSIVE


def test_a_wide_tolerance_still_needs_the_rare_outcomes(game):
    # 0.5 points at 99 % would take 20,000 times fewer rounds than rare outcomes need to be seen
    limits = Limits(side_bet=0.5)
    wager = wager_of(judged(tally_of(game, 1000, 1), game, limits=limits), "empire-poker")
    assert wager.simulated_verdict is Simulated.INCONCLUSIVE
    # the rarest, 2912 of 11912160, is expected five times in 20,454 rounds
    assert "needs 20,454 rounds" in wager.simulated_reason


def test_the_base_is_the_one_the_figure_is_published_on(game):
    # the same rounds, 99.63 % on the total wager and about 99.58 % on the initial
    tally = tally_of(game, BILLION, 9, main=published_main(0.9963))
    figures = tuple(
        figure.model_copy(update={"base": "initial"}) if figure.wager == "main" else figure
        for figure in game.published
    )
    other = game.model_copy(update={"published": figures, "readings": ()})
    assert wager_of(judged(tally, game), "main").published_verdict is Published.REPRODUCED
    main = wager_of(judged(tally, other), "main")
    assert main.base == "initial"
    assert main.published_verdict is Published.NOT_REPRODUCED
    assert main.published_reason.endswith("on the initial wager")


def test_a_fail_triggers_one_second_run_that_decides(game, good):
    bets = biased(game, "empire-pairs", "mixed", Fraction(1002, 1000))
    bad = tally_of(game, BILLION, 4, main=good.main, bets=bets)
    asked = []

    def play(tally):
        def rerun(rounds, seed):
            asked.append((rounds, seed))
            return tally

        return rerun

    acquitted = judged(bad, game, rerun=play(good))
    assert asked == [(10 * BILLION, 2)]
    assert [run.seed for run in acquitted.runs] == [1, 2]
    assert [run.failed for run in acquitted.runs] == [True, False]
    assert acquitted.wagers == acquitted.runs[1].wagers
    assert exit_status([acquitted]) == 0
    confirmed = judged(bad, game, rerun=play(bad))
    assert len(confirmed.runs) == 2  # never a third
    assert exit_status([confirmed]) == 1
    asked.clear()
    assert len(judged(good, game, rerun=play(bad)).runs) == 1
    assert asked == []
    assert exit_status([judged(bad, game)]) == 1


def test_readings(game, good):
    # the figure is reproduced by the ace high and low only (stated beside the published figures)
    high = game.with_settings({"ace-in-straights": "high"})
    tally = tally_of(high, BILLION, 3, main=published_main(0.99635))
    wager = wager_of(judged(tally, high), "empire-poker")
    assert wager.published_verdict is Published.NOT_REPRODUCED
    assert "under ace-in-straights = high; it prints as published under " in wager.published_reason
    assert wager_of(judged(tally, high), "empire-pairs").published_verdict is Published.REPRODUCED

    # a file whose default is another reading: what it publishes holds under high and low
    readings = tuple(
        reading.model_copy(update={"default": "high"})
        if reading.id == "ace-in-straights"
        else reading
        for reading in game.readings
    )
    turned = high.model_copy(update={"readings": readings})
    wager = wager_of(judged(tally, turned), "empire-poker")
    assert wager.published_verdict is Published.UNDER_A_READING
    assert "ace-in-straights = high-low" in wager.published_reason
    chosen = turned.with_settings({"ace-in-straights": "high-low"})
    wager = wager_of(judged(good, chosen), "empire-poker")
    assert wager.published_verdict is Published.UNDER_A_READING


def test_inferred_paytables_are_marked():
    game = load_game("blackjack-surrender")
    verification = judged(tally_of(game, 10**6, 1, main=published_main(0.99663871)), game)
    wager = wager_of(verification, "21+3")
    assert wager.published_verdict is Published.REPRODUCED
    assert "inferred" in wager.published_reason
    dealers = wager_of(verification, "dealers-pair")
    assert dealers.exact == Fraction(5 * 26 + 6 * 13 + 12 * 7, 311)


def test_family_fails_as_seldom_as_it_says(silent_game):
    failed = 0
    chances = deal_chances(Shoe.of_decks(1).by_value).ravel()
    rng = np.random.default_rng(17)
    base = tally_of(silent_game, 10**5, 1)
    runs = 40
    for _ in range(runs):
        initial = rng.multinomial(10**5, chances / chances.sum()).reshape(10, 10, 10, 10)
        tests = judged(replace(base, initial=initial), silent_game).runs[0].tests
        failed += any(test.failed for test in tests if test.result.wager is None)
    assert failed <= 3  # 1 % of 40 is 0.4; more than 3 has a chance of 0.0007


def test_json_is_a_list_of_games(game, good, silent_game):
    games = json.loads(
        to_json([judged(good, game), judged(tally_of(silent_game, 1000, 1), silent_game)])
    )
    assert [entry["game"] for entry in games] == ["signature-surrender", "classic-blackjack"]
    main, poker, pairs = games[0]["wagers"]
    assert (main["wager"], main["published"], main["base"]) == ("main", "99.63", "total")
    assert main["exact"] == pytest.approx(0.996349)
    assert main["published_verdict"] == "REPRODUCED"
    assert main["simulated_verdict"] == "PASS"
    assert set(main["other_bases"]["initial"]) == {"exact", "simulated", "half_width_99"}
    assert poker["published"] == "96.82"
    assert pairs["exact_fraction"] == "401/415"
    assert pairs["exact"] == pytest.approx(401 / 415)
    assert pairs["half_width_99"] == pytest.approx(0.00035, abs=0.0001)
    assert pairs["simulated_verdict"] == "PASS"
    assert games[1]["wagers"][0]["published"] is None
    assert games[1]["wagers"][0]["published_verdict"] == "NOT PUBLISHED"
    assert games[0]["runs"][0]["tests"][0]["test"] == "up cards"


def test_exit_status_ranks_failure_over_doubt(game, good):
    passed = judged(good, game)
    doubtful = judged(tally_of(game, 1000, 1, main=published_main(0.99635)), game)
    failed = judged(good, with_pays(game, "empire-pairs", mixed=4))
    assert exit_status([]) == 0
    assert exit_status([passed, doubtful]) == 3
    assert exit_status([doubtful, failed, passed]) == 1


def test_missing_parts_are_refused(game, good):
    no_pairs = {"empire-poker": good.side_bets["empire-poker"]}
    with pytest.raises(InputError, match="side bet 'empire-pairs' was not played"):
        judged(replace(good, side_bets=no_pairs), game)
    with pytest.raises(InputError, match="no initial cards"):
        judged(replace(good, initial=None), game)
    with pytest.raises(InputError, match="outcomes of 9 out of"):
        judged(replace(good, outcomes={(-2, 2): 4, (2, 2): 5}), game)
    with pytest.raises(InputError, match="initial cards of 0 out of"):
        judged(replace(good, initial=np.zeros_like(good.initial)), game)
    counted = replace(figures_of(good.main), frequencies={"net results": {"2 of 2": 1.0}})
    with pytest.raises(InputError, match="does not say how its rounds went"):
        judged(good, game, exact=counted)
    with pytest.raises(InputError, match="labels of 0 out of"):
        judged(replace(good, labels={}), game, exact=counted)


def test_several_hands_share_one_dealers_pair():
    game = load_game("blackjack-surrender")
    one = tally_of(game, 10**6, 1)
    rng = np.random.default_rng(2)
    side_bets = {}
    for bet in game.side_bets:
        if bet.per_round:
            side_bets[bet.id] = one.side_bets[bet.id]
            continue
        chances = bet_chances(game, bet.id)
        single = {"": 1 - sum(chances.values()), **chances}
        pairs = {(a, b): p * q for a, p in single.items() for b, q in single.items()}
        side_bets[bet.id] = {}
        for pair, count in draw(rng, 10**6, pairs).items():
            key = tuple(sorted(word for word in pair if word))
            side_bets[bet.id][key] = side_bets[bet.id].get(key, 0) + count
    verification = judged(replace(one, hands=2, side_bets=side_bets), game)
    tests = {test.result.name: test for test in verification.runs[0].tests}
    assert not any(test.failed for test in tests.values() if test.result.wager != "main")
    assert tests["Dealer's Pair: frequencies"].result.df == 3
    two, shared = (
        wager_of(verification, bet).simulated.standard_error
        for bet in ("players-pair", "dealers-pair")
    )
    assert two == pytest.approx(shared / 2**0.5, rel=0.02)
