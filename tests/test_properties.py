"""What holds for any rules, any chart and any shoe, looked for with hypothesis."""

import random

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from random_games import random_chart, random_game, random_rules

from rtpsim.cards import Shoe
from rtpsim.errors import ShoeExhaustedError
from rtpsim.program.compiler import compile_program
from rtpsim.program.events import Ending
from rtpsim.program.player import ChartPlayer
from rtpsim.program.settlement import FINALS, Final
from rtpsim.reference import Referee, ShoeSource

ROUNDS = 60
FOUND = (Phase.explicit, Phase.reuse, Phase.generate)
"""Not the search for a simpler example: a table is drawn from one number."""
ROUTES = {str(ending) for ending in Ending} - {"early-surrender"}
BEFORE_THE_DEALER = {"even-money", "surrender", "dealer-natural"}


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
    """Return what comes back of a final hand, in initial wagers, by the words of the rules.

    Rounds in which a natural meets original bets only, or bets that were surrendered, are told
    elsewhere.
    """
    bust, wager = hand.total > 21, hand.wager
    if hand.route == "natural":
        pushed = final == "natural" or (final == "22" and rules.push_22 == "push-naturals")
        return 1 if pushed else 1 + rules.natural_pays
    if bust or final == "natural":
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
        original_only = rules.hole_card == "obo" and result.dealer_final == "natural"
        routes = {hand.route for hand in hands}
        if original_only or routes & BEFORE_THE_DEALER or result.dealer_final == "none":
            continue
        back = sum(returned(hand, rules, result.dealer_final) for hand in hands)
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
