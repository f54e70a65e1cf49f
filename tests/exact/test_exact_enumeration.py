"""The conscience: on tiny shoes the exact engine equals the referee's card by card enumeration.

The referee knows neither graph nor program, and plays one sequence of cards after the other; the
exact engine sees compositions and counts. Charts are drawn at random, so that rules meet hands that
good play would avoid.
"""

from collections import Counter
from fractions import Fraction
from functools import cache

import pytest
from random_games import EVERY_VALUE, VALUES
from tiny_shoes import (
    enumerated,
    game_of,
    mean_insurance,
    mean_net,
    mean_wager,
    random_chart,
    read_cases,
    referee_means,
    shoe,
)

from rtpsim.errors import InputError
from rtpsim.exact import splits, upcard
from rtpsim.exact.distribution import distribution, in_reach
from rtpsim.exact.evaluate import evaluation
from rtpsim.exact.lattice import lattice
from rtpsim.exact.moments import moments_of
from rtpsim.exact.policies import ChartPolicy
from rtpsim.exact.squares import split_square
from rtpsim.games import game_names, load_game
from rtpsim.strategy import default_chart

EXACTLY = 1e-12
CASES, GAMES, LONG_CASES = map(list, map(read_cases, ("cases", "games", "long cases")))
FIELDS = sorted(set(VALUES) - {"decks"})
INTERPRETED = {"Tx3 9x7"}
"""Shoes so small that they are valued in seconds where kernels are not compiled."""


def marked(cases):
    def marks(case):
        return [pytest.mark.interpreted] if case.cards in INTERPRETED else []

    return [pytest.param(case, marks=marks(case), id=str(case)) for case in cases]


@cache
def valued(game, chart, cards):
    """Evaluate a chart in a tiny shoe."""
    offers = {"insurance": game.insurance, "even_money": game.even_money}
    return evaluation(game.rules, ChartPolicy(chart, game.rules), shoe(cards), **offers)


def means(game, chart, cards):
    """Return net, wager and insurance net as the exact engine has them."""
    openings = valued(game, chart, cards).openings
    return mean_net(openings), mean_wager(openings), mean_insurance(openings)


def of_case(case):
    """Return game, chart and cards of a case."""
    game = game_of(case.rules, even_money=case.even_money)
    return game, random_chart(case.seed, game.rules), case.cards


def of_game(case):
    """Return game, chart and cards of a case of a catalogue game under some readings."""
    game = load_game(case.game).with_settings(case.readings)
    return game, random_chart(case.seed, game.rules), case.cards


def check(game, chart, cards):
    found, counted = means(game, chart, cards), referee_means(game, chart, cards)
    assert found == pytest.approx(counted, abs=EXACTLY, rel=0)


@cache
def spread_of(game, chart, cards):
    """Return the distribution, and the mean square of the hands that are out of its reach."""
    found = valued(game, chart, cards)
    split_again = [o for o in found.openings if not in_reach(found, o)]
    squares = [(o.probability, split_square(found.card_of(o), o)) for o in split_again]
    return distribution(found), squares


def check_spread(game, chart, cards):
    """Compare the distribution, or where it is out of reach the mean square."""
    spread, squares = spread_of(game, chart, cards)
    unit = game.rules.unit
    counted = {}
    for outcome, chance in enumerated(game, chart, cards).items():
        key = outcome.net, outcome.wager
        counted[key] = counted.get(key, 0) + chance
    if not squares:
        chances = spread.outcomes()
        for key in counted.keys() | chances.keys():
            assert chances.get(key, 0.0) == pytest.approx(counted.get(key, 0), abs=EXACTLY), key
        check_insured(spread, game, chart, cards)
    elif all(square is not None for _, square in squares):
        square = sum(chance * square for chance, square in squares)
        square += sum(net**2 * chance for (net, _), chance in spread.outcomes().items()) / unit**2
        wanted = sum(net**2 * chance for (net, _), chance in counted.items()) / unit**2
        assert square == pytest.approx(float(wanted), abs=EXACTLY)


def check_insured(spread, game, chart, cards):
    """Compare how often an insured hand meets a dealer natural, as labels have it."""
    won = lost = 0
    for outcome, chance in enumerated(game, chart, cards).items():
        won += chance * (outcome.insurance_net > 0)
        lost += chance * (outcome.insurance_net < 0)
    insured = [label for label in spread.labels if label.insured]
    meets = [label for label in insured if label.dealer_final == "natural"]
    assert sum(spread.labels[label] for label in meets) == pytest.approx(float(won), abs=EXACTLY)
    others = sum(spread.labels[label] for label in insured if label not in meets)
    assert others == pytest.approx(float(lost), abs=EXACTLY)


@pytest.mark.parametrize("case", marked(CASES))
def test_a_chart_returns_what_its_enumeration_does(case):
    check(*of_case(case))


@pytest.mark.parametrize("case", GAMES, ids=str)
def test_a_game_under_a_reading_returns_what_its_enumeration_does(case):
    check(*of_game(case))


@pytest.mark.parametrize("cards", ["5x8 6x6 Tx9", "8x9 Tx8", "Ax7 9x5 Jx7"])
@pytest.mark.parametrize("name", game_names())
def test_a_game_under_its_own_chart_returns_what_its_enumeration_does(name, cards):
    game = load_game(name)
    check(game, default_chart(game), cards)


@pytest.mark.parametrize("case", marked(CASES))
def test_results_are_distributed_as_enumerated(case):
    check_spread(*of_case(case))


@pytest.mark.interpreted
def test_both_hands_of_a_split_are_distributed_as_enumerated():
    game = load_game("signature-surrender")
    check_spread(game, default_chart(game), "8x9 Tx8")


def test_moments_are_those_of_the_enumeration():
    game = load_game("signature-surrender")
    chart = default_chart(game)
    found = moments_of(spread_of(game, chart, "8x9 Tx8")[0])
    chances, labels = Counter(), found.labels
    for outcome, chance in enumerated(game, chart, "8x9 Tx8").items():
        chances[Fraction(outcome.net, game.rules.unit)] += chance
    mean = sum(net * chance for net, chance in chances.items())
    for power, moment in ((3, found.third), (4, found.fourth)):
        right = sum((net - mean) ** power * chance for net, chance in chances.items())
        assert moment == pytest.approx(float(right), abs=EXACTLY)
    won = sum(chance for net, chance in chances.items() if net > 0)
    assert found.hit_frequency == pytest.approx(float(won), abs=EXACTLY)
    by_net = Counter()
    for (net, _), chance in found.outcomes.items():
        by_net[Fraction(net, game.rules.unit)] += chance
    assert by_net == pytest.approx({net: float(one) for net, one in chances.items()}, abs=EXACTLY)
    assert sum(labels.values()) == pytest.approx(1, abs=EXACTLY)


@pytest.mark.parametrize("case", GAMES, ids=str)
def test_results_of_a_game_are_distributed_as_enumerated(case):
    check_spread(*of_game(case))


@pytest.mark.slow
@pytest.mark.parametrize("case", LONG_CASES, ids=str)
def test_long_enumerations(case):
    check(*of_case(case))
    check_spread(*of_case(case))


def test_every_value_of_every_rule_is_enumerated():
    seen = {
        (field, getattr(game_of(case.rules).rules, field)) for case in CASES for field in FIELDS
    }
    counted = {"natural_pays", "decks", "max_cards", "charlie"}  # numbers: some are enough
    assert {one for one in EVERY_VALUE if one[0] not in counted} <= seen
    for field in counted - {"decks"}:
        assert len({value for name, value in seen if name == field}) >= 4


def test_every_option_of_every_reading_is_enumerated():
    for name in game_names():
        game = load_game(name)
        seen = {
            (reading, option)
            for case in GAMES
            if case.game == name
            for reading, option in game.with_settings(case.readings).chosen.items()
        }
        for reading in game.readings:
            # how aces count in straights is a matter of side bets
            if any(option.rules for option in reading.options.values()):
                assert {(reading.id, option) for option in reading.options} <= seen


def test_the_spread_of_resplits_is_checked_too():
    squares = [spread_of(*of_case(case))[1] for case in CASES]
    split_again = [found for found in squares if found]
    assert sum(all(square is not None for _, square in found) for found in split_again) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("field", FIELDS)
def test_evaluating_other_rules_than_were_enumerated_is_noticed(field):
    """If the engine ignored a rule, some case here would tell."""
    for case in CASES:
        game, chart, cards = of_case(case)
        for value in VALUES[field]:
            try:
                other = game.model_copy(update={"rules": game.rules.replace(**{field: value})})
                found = means(other, chart, cards)
            except InputError:  # a contradiction, or rows that these rules need
                continue
            if found != pytest.approx(referee_means(game, chart, cards), abs=1e-6):
                return
    pytest.fail(f"no case depends on {field}")


def _no_exclusion(rules, first, second, *, power, again):
    terms = splits.split_terms(rules, first, second, power=power, again=again)
    return tuple(term for term in terms if term.times > 0)


def _as_its_total(self, card, world):
    values, pair = self.value(world), lattice().of(card, card)
    return upcard.Worth(values.net[pair], values.wager[pair])


FAULTS = {
    "forgets that a hand must not pair": ("split_terms", _no_exclusion),
    "plays kept pairs as totals": ("UpCard._kept", _as_its_total),
    "loses every power double, and one wager": (
        "UpCard._power_net",
        lambda self, end: -end.chance,
    ),
    "surrenders early when late": ("UpCard.surrender", lambda *_: upcard.Worth(-0.5, 1.0)),
    "thinks no dealer natural ends a round early": (
        "UpCard._whole",
        lambda s, a, b, n, w: upcard.Worth(n, w),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_noticed(monkeypatch, fault):
    name, wrong = FAULTS[fault]
    monkeypatch.setattr(f"rtpsim.exact.upcard.{name}", wrong)
    # not the results kept from other tests
    monkeypatch.setattr(f"{__name__}.valued", valued.__wrapped__)
    assert any(_is_noticed(case) for case in CASES)


def _is_noticed(case):
    try:
        check(*of_case(case))
    except AssertionError:
        return True
    return False
