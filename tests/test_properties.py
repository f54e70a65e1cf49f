"""What holds for any rules, any chart and any shoe, looked for with hypothesis."""

import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from random_games import random_chart, random_game, random_rules

from rtpsim.cards import Shoe
from rtpsim.errors import InputError, ShoeExhaustedError
from rtpsim.exact.evaluate import evaluate
from rtpsim.exact.policies import OptimalPolicy
from rtpsim.program.compiler import compile_program
from rtpsim.program.events import Ending
from rtpsim.program.player import ChartPlayer
from rtpsim.program.settlement import FINALS, Final
from rtpsim.reference import Referee, ShoeSource
from rtpsim.rules import Rules

ROUNDS = 60
FOUND = (Phase.explicit, Phase.reuse, Phase.generate)
"""Not the search for a simpler example: a table is drawn from one number."""
ROUTES = {str(ending) for ending in Ending} - {"early-surrender"}


@st.composite
def tables(draw):
    """A game of any rules, a chart for it, a shoe of any cards, and a generator."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    rules = random_rules(rng, decks=rng.choice([1, 2, 8]))
    game = random_game(rng, rules)
    counts = tuple(rng.choice([0, 1, 2, 4, 8]) for _ in range(52))
    shoe = Shoe.of_decks(rules.decks) if rng.random() < 0.5 or sum(counts) < 60 else Shoe(counts)
    return game, random_chart(rng, rules), shoe, np.random.default_rng(rng.randrange(2**32))


def best_total(cards):
    """Return the highest total that is not over 21, or the lowest; aces count 1 or 11."""
    low = sum(min(card.rank, 9) + 1 for card in cards)
    return low + 10 if low <= 11 and any(card.rank == 0 for card in cards) else low


def returned(hand, rules, final):
    """Return what comes back of a final hand, in initial wagers, by the words of the rules."""
    wager = hand.wager
    if hand.route == "even-money":
        return 2
    if hand.route == "surrender":
        return 0 if final == "natural" and not rules.surrenders_early else Fraction(1, 2)
    if hand.route == "natural":
        pushed = final == "natural" or (final == "22" and rules.push_22 == "push-naturals")
        return 1 if pushed else 1 + rules.natural_pays
    if hand.total > 21 or final == "natural":
        return 0
    if hand.route == "charlie":
        pushes = rules.charlie_21_pushes and hand.total == 21 and final == "21"
        return wager if pushes else 2 * wager
    if final == "22":
        return wager
    if final == "bust":
        return 2 * wager
    dealer = int(final)
    return wager * (2 if hand.total > dealer else 1 if hand.total == dealer else 0)


def returned_to_seat(hands, rules, final):
    """Return what comes back of all hands; a natural may leave all but the original bet alone."""
    back = [returned(hand, rules, final) for hand in hands]
    if rules.hole_card == "obo" and final == "natural" and not any(back):
        return sum(hand.wager for hand in hands) - 1
    return sum(back)


@settings(max_examples=60, deadline=None, phases=FOUND)
@given(tables())
def test_nothing_is_won_or_lost_but_by_the_rules(table):
    """Returned less wagered is the net; hands, wagers, totals and cards are what can be."""
    game, chart, shoe, generator = table
    rules = game.rules
    referee = Referee(game, chart, 1, side_bets=False)
    source = ShoeSource(shoe, generator)
    for _ in range(ROUNDS):
        source.shuffle()
        try:
            result = referee.play(source)
        except ShoeExhaustedError:
            continue
        (seat,) = result.seats
        hands = seat.hands
        assert 1 <= len(hands) <= rules.max_splits + 1
        assert all(hand.route in ROUTES and hand.wager in (1, 2) for hand in hands)
        assert all(hand.total == best_total(hand.cards) for hand in hands)
        assert seat.wager == result.unit * sum(hand.wager for hand in hands)
        assert -seat.wager <= seat.net
        held = [card.number for hand in hands for card in hand.cards]
        held += [card.number for card in result.dealer]
        assert all(held.count(card) <= shoe.counts[card] for card in held)
        assert seat.insurance_net in (-seat.insurance_wager, 2 * seat.insurance_wager)
        back = returned_to_seat(hands, rules, result.dealer_final)
        assert result.unit * back - seat.wager == seat.net


@settings(max_examples=12, deadline=None, phases=FOUND)
@given(tables())
def test_every_terminal_is_a_legal_result(table):
    game, chart, _, _ = table
    rules = game.rules
    program = compile_program(
        rules, ChartPlayer(chart, rules), insurance=game.insurance, even_money=game.even_money
    )
    unit = rules.unit
    settled = program.settlement
    assert settled.shape == (len(program.finished), len(FINALS), 4)
    for context in program.finished:
        assert 1 <= len(context.results) <= rules.max_splits + 1
        assert all(one.wager in (1, 2) and one.total <= 22 for one in context.results)
    net, wager, insurance, stake = np.moveaxis(settled, 2, 0)
    placed = [unit * sum(one.wager for one in context.results) for context in program.finished]
    insured = [unit // 2 * context.insured for context in program.finished]
    # where the dealer has to play, "none" is no final that is reached
    reached = settled.any(axis=2)
    assert np.delete(reached, FINALS.index(Final.NONE), axis=1).all()
    assert (wager == np.where(reached, np.array(placed)[:, None], 0)).all()
    assert (stake == np.where(reached, np.array(insured)[:, None], 0)).all()
    assert (net >= -wager).all()
    assert (net <= max(1.0, float(rules.natural_pays)) * wager).all()
    assert ((insurance == -stake) | (insurance == 2 * stake)).all()


FAVOURING = {
    "double": ["none", "11", "10-11", "9-11", "8-11", "any"],
    "double_soft": [False, True],
    "double_any_cards": [False, True],
    "double_after_split": [False, True],
    "splits": [0, 1],
    "split_by": ["rank", "value"],
    "hit_split_aces": [False, True],
    "double_split_aces": [False, True],
    "natural_pays": [Fraction(1), Fraction(6, 5), Fraction(7, 5), Fraction(3, 2), Fraction(2)],
    "charlie": [None, 11, 10, 9, 8, 7, 6, 5],
    "charlie_after_split": [False, True],
    "charlie_21_pushes": [True, False],
    "max_cards": [8, 9, 12, 21, None],
    "hit_21": [False, True],
    "push_22": ["push-naturals", "push", "none"],
    "power_double": ["none", "10-11", "9-11", "9-11-soft"],
    "power_split": ["none", "once"],
    "insurance_peek": [False, True],
}
"""Values of a rule from the worst for the player: each adds an option, or raises a payment."""
STEPS = [
    *((name, *step) for name, values in FAVOURING.items() for step in pairwise(values)),
    *(("surrender", *step) for step in pairwise(["none", "late-not-ace", "late", "early"])),
    *(("surrender", *step) for step in pairwise(["none", "early-ten", "early"])),
    *(("hole_card", *step) for step in pairwise(["enhc", "obo", "peek"])),
    *(("hole_card", *step) for step in pairwise(["enhc", "peek-ace", "peek"])),
    *(("hole_card", *step) for step in pairwise(["enhc", "peek-ten", "peek"])),
]
NEITHER = {"decks", "soft17", "resplit_aces"}
"""Rules that are for nobody, or that force splits where every further pair has to be split."""


def test_every_rule_favours_somebody_or_is_known_to_favour_nobody():
    assert {name for name, *_ in STEPS} | NEITHER == set(Rules.model_fields)


@st.composite
def better_rules(draw):
    """Rules, the same with one of them a step better for the player, and a shoe."""
    name, worse, better = draw(st.sampled_from(STEPS))
    rng = random.Random(draw(st.integers(0, 2**32)))
    while True:
        rules = random_rules(rng, **{"splits": rng.choice([0, 1]), name: worse})
        try:
            changed = rules.replace(**{name: better})
            break
        except InputError:
            continue
    ranks = [rng.choice([1, 2, 4, 8, 16]) for _ in range(13)]
    counts = tuple(ranks[card // 4] if card % 4 == 0 else 0 for card in range(52))
    shoe = Shoe(counts) if rng.random() < 0.7 and sum(counts) > 40 else Shoe.of_decks(1)
    return rules, changed, shoe


def best(rules, shoe, *, insured):
    """Return the net of optimal play, with insurance where it may show the hole card."""
    openings = evaluate(rules, OptimalPolicy(), shoe)
    return sum(one.probability * (one.worth.net + insured * one.insurance) for one in openings)


def gain(rules, changed, shoe):
    """Return what a change of the rules brings under the best play of either."""
    insured = rules.insurance_peek or changed.insurance_peek
    # an early surrender comes before insurance, and what that would have brought is not weighed
    if insured and (rules.surrenders_early or changed.surrenders_early):
        return 0
    return best(changed, shoe, insured=insured) - best(rules, shoe, insured=insured)


def examples(number):
    return settings(max_examples=number, deadline=None, phases=FOUND)


@examples(15)
@given(better_rules())
def test_what_adds_an_option_or_raises_a_payment_costs_nothing(case):
    rules, changed, shoe = case
    assert gain(rules, changed, shoe) > -1e-12, changed


@pytest.mark.slow
@examples(600)
@given(better_rules())
def test_what_adds_an_option_or_raises_a_payment_costs_nothing_at_length(case):
    rules, changed, shoe = case
    assert gain(rules, changed, shoe) > -1e-12, changed
