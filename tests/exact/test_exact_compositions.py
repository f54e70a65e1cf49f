"""The best play by composition as a table: it nets what the exact engine says, card by card."""

from dataclasses import replace

import pytest
from table_walker import Tables, Walk
from tiny_shoes import game_of, mean_net, mean_wager, shoe

from rtpsim.errors import InputError
from rtpsim.exact import exact
from rtpsim.exact.compositions import composition_strategy
from rtpsim.exact.evaluate import evaluation
from rtpsim.exact.policies import OptimalPolicy
from rtpsim.games import load_game
from rtpsim.program.compiler import compile_program
from rtpsim.program.composition import CompositionStrategy
from rtpsim.program.graph import Action
from rtpsim.simulation import simulate

TINY = [
    # rules, cards, split model
    ("1D S17 DOA DAS SPL1 NHSA LS PEEK", "A4 6x9 T12", "CDP"),
    ("1D H17 D9 DAS SPL1 HSA DSA ES ENHC C5", "A5 4x8 9x9", "CDP"),
    ("1D H17 DOA NDAS SPL1 SPR OBO P22", "T7 J7 5x8", "CDP"),
    ("1D S17 DOA DAS SPL3 NRSA LS PEEK", "8x8 T9 3x5", "CDZ-"),
    ("1D S17 DOA NDAS SPT2 ENHC P22 PD9 PS", "6x9 T9 5x5", "CDZ-"),
]


def enumerated(program, cards):
    """Return the mean net and wager of a round: every order of the cards, through the tables."""
    tables = Tables(program)
    left = [sum(cards.counts[4 * rank : 4 * rank + 4]) for rank in range(13)]
    kinds = [*left[:9], sum(left[9:])] if program.classes == 10 else left
    unit = program.rules.unit

    known = {}  # tables that came from other cards and stand alike go on alike

    def mean(following):
        """Return the mean of net and wager over the next card; called with its class."""
        net = wager = 0.0
        whole = sum(kinds)
        for card, number in enumerate(kinds):
            if number:
                kinds[card] -= 1
                more = following(card)
                kinds[card] += 1
                net, wager = net + more[0] * number / whole, wager + more[1] * number / whole
        return net, wager

    def drawn(walk):
        if walk.over:
            (context,) = walk.contexts
            net, wager, *_ = tables.settlement[context][walk.entry]
            return net / unit, wager / unit
        key = (walk.entry, walk.context, tuple(walk.contexts), walk.up, walk.hole, *kinds)
        if key not in known:

            def taking(card):
                twin = walk.copy()
                twin.take(card)
                return drawn(twin)

            known[key] = mean(taking)
        return known[key]

    def dealt(*deal):
        if len(deal) < 4:
            return mean(lambda card: dealt(*deal, card))
        up, hole, *hand = deal
        return drawn(Walk(tables, [tuple(hand)], min(up, 9), min(hole, 9)))

    return dealt()


def of_case(rules, cards, model):
    """Return the game, the table, and what the exact engine says it nets and wagers."""
    game = game_of(rules)
    strategy = composition_strategy(game, model, shoe(cards))
    openings = evaluation(game.rules, OptimalPolicy(model), shoe(cards)).openings
    return game, strategy, (mean_net(openings), mean_wager(openings))


@pytest.mark.parametrize(("rules", "cards", "model"), TINY)
def test_every_order_of_the_cards(rules, cards, model):
    game, strategy, wanted = of_case(rules, cards, model)
    found = enumerated(compile_program(game.rules, strategy), shoe(cards))
    assert found == pytest.approx(wanted, abs=1e-12, rel=0)


def test_other_decisions_net_less():
    """Else the enumeration would not see what is in the table, before a split and after."""
    rules, cards, model = TINY[0]
    game, strategy, (best, _) = of_case(rules, cards, model)
    for origin in (None, (5, 1)):
        nets = []
        for up in (0, 5, 9):
            key = (5, 9), origin, up
            stands = strategy.actions[key] is Action.STAND
            other = {key: Action.HIT if stands else Action.STAND}
            worse = replace(strategy, actions={**strategy.actions, **other})
            assert worse.sha256 != strategy.sha256
            nets.append(enumerated(compile_program(game.rules, worse), shoe(cards))[0])
        assert min(nets) < best - 1e-6
        assert max(nets) < best + 1e-12


def scores(name, model, rounds, seed):
    """Return how many standard errors EV and mean wager of a simulation lie from exact ones."""
    game = load_game(name)
    tally = simulate(
        game, composition_strategy(game, model), rounds=rounds, seed=seed, side_bets=()
    )
    known = exact(game, "optimal-cd", split_model=model)
    cells = [
        (net / tally.unit, wager / tally.unit, n) for (net, wager), n in tally.outcomes.items()
    ]
    for place, wanted in ((0, known.main_net), (1, known.main_wager)):
        mean = sum(cell[place] * cell[2] for cell in cells) / rounds
        variance = sum((cell[place] - mean) ** 2 * cell[2] for cell in cells) / rounds
        yield (mean - wanted) / (variance / rounds) ** 0.5


@pytest.mark.parametrize(
    ("name", "model"), [("classic-blackjack", "CDP"), ("power-blackjack", "CDZ-")]
)
def test_simulated_agrees(name, model):
    assert max(map(abs, scores(name, model, 20_000_000, 1))) < 4.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("signature-surrender", "CDP"),
        ("blackjack-surrender", "CDP"),
        ("classic-blackjack", "CDP"),
        ("power-blackjack", "CDZ-"),
        ("6D SPL3 LS", "CDZ-"),
    ],
)
def test_simulated_agrees_at_length(name, model):
    assert max(map(abs, scores(name, model, 10**9, 2))) < 4.5


class TestRefusals:
    def test_cdp_does_not_know_how_often_a_pair_will_be_split(self):
        with pytest.raises(InputError, match=r"SPL3.*CDP.*CDZ-"):
            composition_strategy(load_game("6D SPL3 LS"), "CDP")

    def test_cdp_does_not_know_both_cards_of_a_power_split(self):
        with pytest.raises(InputError, match=r"power-blackjack.*CDZ-"):
            composition_strategy(load_game("power-blackjack"), "CDP")

    def test_an_insured_hand_that_knows_more(self):
        with pytest.raises(InputError, match="insurance shows"):
            composition_strategy(game_of("1D INSP ENHC"))


def test_mixed_tens_are_no_pair():
    """With many fives left a pair of tens is split against a six, ten and jack cannot be."""
    pair, mixed = Action.SPLIT, Action.STAND
    actions = {((9, 9), None, 5): pair, ((9, 10), None, 5): mixed}
    strategy = CompositionStrategy(actions)
    from rtpsim.program.graph import Spot
    from rtpsim.program.hands import hand_of

    legal = (Action.STAND, Action.HIT)
    assert strategy.action(Spot(hand_of(10, 10), None), 5, (*legal, pair)) is pair
    assert strategy.action(Spot(hand_of(9, 10), None), 5, legal) is mixed
