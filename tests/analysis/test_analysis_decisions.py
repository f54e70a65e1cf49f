"""How often each row of a chart is asked and what it loses, against the referee's enumeration.

The referee plays every sequence of cards of a tiny shoe and notes each question to the chart as it
comes. It knows no worlds, no weights and no inclusion and exclusion.
"""

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from random_games import random_rules
from tiny_shoes import game_of, random_chart, read_cases, shoe

from rtpsim.analysis import decisions as decided
from rtpsim.analysis import reach
from rtpsim.analysis.decisions import decisions
from rtpsim.cards import Shoe
from rtpsim.exact import exact
from rtpsim.exact.evaluate import evaluation
from rtpsim.exact.lattice import lattice
from rtpsim.exact.model import INITIAL, World
from rtpsim.exact.policies import CODES, ChartPolicy, OptimalPolicy
from rtpsim.games import Game, game_names, load_game
from rtpsim.program.graph import Action
from rtpsim.reference import Referee
from rtpsim.reference.player import Player
from rtpsim.reference.runs import _BranchingSource
from rtpsim.strategy import default_chart

EXACTLY = 1e-12
CASES = list(read_cases("cases"))


class Asked(Player):
    """A player who notes the rows asked in a round, and the state of each decision."""

    def __init__(self, chart, rules):
        super().__init__(chart, rules)
        self.rows, self.states = {}, {}
        self.hands = []  # kept alive, so that no other hand is taken for one of them

    def takes_insurance(self, cards, up):
        first, second = sorted(card.value_class for card in cards)
        rows = [f"insurance {self._pair_name(first, second)}", "insurance"]
        self.rows["insurance"] = [next(row for row in rows if row in self.chart.rows)]
        return super().takes_insurance(cards, up)

    @staticmethod
    def _pair_name(first, second):
        names = "A23456789T"
        one, other = (first, second) if first == 0 else (second, first)
        return f"{names[one]},{names[other]}"

    def decide(self, seat, hand, up, surrender):
        found = super().decide(seat, hand, up, surrender)
        one_card = hand.split_ace and not self.rules.hit_split_aces
        if one_card and not self.may_split(seat, hand):
            return found
        rows = []
        initial = hand.depth == 0 and len(hand.cards) == 2
        if initial and self.may_power_split(hand):
            rows.append(
                f"power split {self._pair_name(*sorted(c.value_class for c in hand.cards))}"
            )
        if found.action != "power split":
            if initial and self.may_power_double(hand):
                rows.append(f"power double {hand.words}")
            if found.action != "power double":
                rows += [self._letter(seat, hand, up)[0], found.row]
        self.hands.append(hand)
        key = id(hand), len(hand.cards)  # an early surrender is asked about before play, and again
        self.rows[key] = list(dict.fromkeys(rows))
        classes = tuple(sorted(card.value_class for card in hand.cards))
        self.states[key] = classes, hand.cards[0].value_class, hand.depth, found
        return found

    def replaces(self, total, card, up):
        self.rows["replace"] = [f"replace {total}"]
        return super().replaces(total, card, up)


def asked(game, chart, cards):
    """Yield up card, probability, rows and states of every round that a shoe can deal."""
    referee = Referee(game, chart, side_bets=False)
    shoe_ = shoe(cards)
    source = _BranchingSource(shoe_.by_rank if game.rules.split_by == "rank" else shoe_.by_value)
    while True:
        referee.player = player = Asked(chart, game.rules)
        result = referee.play(source)
        deals = 1
        for place in range(source.dealt):
            deals *= shoe_.size - place
        yield (
            result.dealer[0].value_class,
            Fraction(source.weight, deals),
            [row for rows in player.rows.values() for row in rows],
            list(player.states.values()),
        )
        if not source.next_branch():
            return


def ledgers(game, chart, shoe_):
    policy = ChartPolicy(chart, game.rules)
    return {
        up: decisions(
            game.rules,
            policy,
            shoe_,
            up,
            insurance=game.insurance,
            even_money=game.even_money,
        )
        for up, count in enumerate(shoe_.by_value)
        if count
    }


def counted_rows(game, chart, cards):
    """Return how often each row is asked against each up card, by the referee."""
    counted = Counter()
    for up, chance, rows, _ in asked(game, chart, cards):
        for row in rows:
            counted[row, up] += chance
    return counted


def check_frequencies(game, chart, cards):
    counted = counted_rows(game, chart, cards)
    found = {
        (row, up): frequency
        for up, ledger in ledgers(game, chart, shoe(cards)).items()
        for row, frequency in ledger.frequency.items()
    }
    for key in counted.keys() | found.keys():
        assert found.get(key, 0.0) == pytest.approx(float(counted[key]), abs=EXACTLY), key


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=[] if place % 3 == 1 else pytest.mark.slow)
        for place, case in enumerate(CASES)
    ],
    ids=str,
)
def test_rows_are_asked_as_often_as_the_referee_asks_them(case):
    game = game_of(case.rules, even_money=case.even_money)
    check_frequencies(game, random_chart(case.seed, game.rules), case.cards)


@pytest.mark.parametrize(
    ("place", "fault", "wrong"),
    [
        (
            decided,
            "alive",
            lambda card, world, hands: np.ones(np.shape(hands)),
        ),  # dealer naturals forgotten
        (decided, "alive_hands", lambda card, one: 0.0),  # hands of a split forgotten
        (
            reach,
            "next_cards",
            lambda card, world: np.full((3073, 10), 0.1),
        ),  # an endless shoe of spot cards
    ],
)
def test_a_fault_in_how_often_is_noticed(place, fault, wrong, monkeypatch):
    case = next(case for case in CASES if case.cards == "Ax8 Tx9")
    game = game_of(case.rules, even_money=case.even_money)
    monkeypatch.setattr(place, fault, wrong)
    with pytest.raises(AssertionError):
        check_frequencies(game, random_chart(case.seed, game.rules), case.cards)


SPLIT_ONCE = [
    ("1D S17 DOA DAS SPL1 NS PEEK C5X", "2x12 Tx4", 3),
    ("1D H17 DOA DAS SPL1 LS PEEK", "5x4 8x6 Tx5", 4),
    ("1D H17 DOA DAS SPL1 LS ENHC C5T", "2x9 5x4 Tx6", 5),
    ("1D S17 D9S NDAS SPL1 HSA NS OBO", "Ax6 8x8 9x6", 6),
]
"""Rules, cards and seed of a chart: a hand is split once, so that its hands are in one world."""


def advantage(openings, card, state):
    """Return what an action loses against the best, when play goes on by the best play."""
    classes, start, depth, decision = state
    action = Action(decision.action)
    if depth == 0 and len(classes) == 2:
        nets = {action: worth.net for action, worth in openings[classes].worths.items()}
        return max(nets.values()) - nets[action]
    world = World(INITIAL, ()) if depth == 0 else World(start, (start,))
    values, number = card.value(world), lattice().of(*classes)
    return values.net[number] - values.actions[number, CODES[action]]


def check_losses(game, chart, cards):
    """Add up what the referee's decisions lose, valued in a shoe of the best play."""
    best = evaluation(game.rules, OptimalPolicy(), shoe(cards), insurance=game.insurance)
    openings = {(o.first, o.second, o.up): o for o in best.openings}
    lost = Counter()
    for up, chance, _, states in asked(game, chart, cards):
        card = best.cards[up][0]
        dealt = {key[:2]: opening for key, opening in openings.items() if key[2] == up}
        for state in states:
            # the dealer has looked: what is lost counts given that there is no natural
            seen = state[0] if state[2] == 0 else (*state[0], state[1])
            alive = 1.0 - card.outcomes[8, card.model.removal(*seen)] if card.ends_early else 1.0
            lost[state[3].row, up] += float(chance) * advantage(dealt, card, state) / alive
    for up, ledger in ledgers(game, chart, shoe(cards)).items():
        for row, loss in ledger.loss.items():
            if not row.startswith("insurance"):
                assert loss == pytest.approx(lost[row, up], abs=EXACTLY), (row, up)
    assert max(lost.values()) > 1e-3


@pytest.mark.parametrize(("rules", "cards", "seed"), SPLIT_ONCE)
def test_rows_lose_what_the_referees_decisions_lose(rules, cards, seed):
    game = game_of(rules)
    check_losses(game, random_chart(seed, game.rules), cards)


def check_sum(game, chart):
    shoe_ = Shoe.of_decks(game.rules.decks)
    found = sum(sum(ledger.loss.values()) for ledger in ledgers(game, chart, shoe_).values())
    best, own = (exact(game, way, moments=False) for way in ("optimal-cd", chart))
    difference = best.main_net + best.insurance_net - own.main_net - own.insurance_net
    assert found == pytest.approx(difference, abs=EXACTLY)
    return difference


@pytest.mark.parametrize("name", game_names())
def test_losses_add_up_to_what_a_chart_lacks(name):
    game = load_game(name)
    assert 0.0 < check_sum(game, default_chart(game)) < 1e-3
    assert check_sum(game, random_chart(1, game.rules)) > 0.1


MORE_RULES = [
    "1D H17 DOA DAS SPL3 SPV RSA HSA DSA ES 3:2 PEEK",
    "1D S17 DOA NDAS SPL2 SPR NRSA NHSA NDSA LS 3:2 ENHC PSR PD9S INSP",
]


@pytest.mark.parametrize("rules", MORE_RULES)
def test_losses_add_up_where_hands_are_split_again(rules):
    game = game_of(rules, even_money=True)
    check_sum(game, random_chart(2, game.rules))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_losses_add_up_under_random_rules(seed):
    rules = random_rules(random.Random(seed), decks=2)
    check_sum(Game.from_rules(rules), random_chart(seed + 1, rules))
