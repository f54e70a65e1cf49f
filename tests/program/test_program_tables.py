"""Programs: classes, states, contexts and labels of the tables; charts under every rule."""

from collections import Counter

import numpy as np
import pytest
from random_games import VALUES

from rtpsim.cards import VALUE_CLASSES
from rtpsim.errors import InputError
from rtpsim.games import game_names, load_game
from rtpsim.program.compiler import compile_program
from rtpsim.program.player import ChartPlayer
from rtpsim.program.settlement import FINALS
from rtpsim.rulestring import parse_rules
from rtpsim.strategy import Chart, check_chart, default_chart, read_chart

CHART = read_chart("ordinary")
A, T, J, Q, K = 0, 9, 10, 11, 12


def compiled(rules, chart=CHART, **offers):
    rules = parse_rules(rules) if isinstance(rules, str) else rules
    return compile_program(rules, ChartPlayer(chart, rules), **offers)


def with_row(label, letter):
    """Return the ordinary chart with a row set to one letter for all up cards."""
    return Chart("changed", {**CHART.rows, label: (letter,) * 10})


def start(program, first, second, up, hole=4):
    return int(program.start[0, first, second, up, hole])


class TestClasses:
    @pytest.mark.parametrize(
        ("rules", "classes"),
        [
            ("8D SPV", 10),
            ("8D SPR", 13),
            ("8D SPR SPL0", 10),
            ("8D SPR SPT2", 13),
            ("8D SPV SPL3 RSA HSA", 10),
        ],
    )
    def test_thirteen_only_where_ranks_matter(self, rules, classes):
        program = compiled(rules)
        assert program.classes == classes
        assert program.start.shape == (2, classes, classes, 10, 10)
        assert program.start_context.shape == (classes, classes, 10)

    def test_by_rank_two_tens_pair_only_alike(self):
        program = compiled("8D SPR", with_row("pair T", "P"))
        pairs = [start(program, *cards, 4) for cards in [(T, T), (J, J), (K, K)]]
        others = {start(program, *cards, 4) for cards in [(T, J), (J, K), (K, Q), (Q, T)]}
        assert all(entry >= len(FINALS) for entry in pairs)
        assert len(others) == 1
        assert not others & set(pairs)


class TestStates:
    def test_order_of_the_two_cards_does_not_matter(self):
        for name in ("blackjack-surrender", "classic-blackjack", "power-blackjack"):
            game = load_game(name)
            program = compiled(game.rules, default_chart(game))
            swapped = program.start.swapaxes(1, 2)
            differ = np.argwhere(program.start[0] != swapped[0])
            # but for a power split, whose first hand begins with the first card
            assert (len(differ) > 0) == (name == "power-blackjack")

    def test_hands_that_play_alike_are_one_state(self):
        program = compiled("8D")
        assert start(program, 9, 2, 8) == start(program, 8, 3, 8) == start(program, 6, 5, 8)
        apart = compiled("8D", with_row("T,3", "S"))
        assert start(apart, 9, 2, 8) != start(apart, 8, 3, 8) == start(apart, 6, 5, 8)

    def test_rows_for_many_cards_tell_hands_apart(self):
        plain = compiled("8D")
        counted = compiled("8D", with_row("hard 16 4+", "S"))
        assert counted.first_event > plain.first_event

    def test_what_a_game_lacks_costs_it_nothing(self):
        plain = compiled("8D")
        assert compiled("8D C7").first_event > plain.first_event
        for token in ("OBO", "6:5", "P22", "PEEKA"):
            assert compiled(f"8D {token}").step.shape == plain.step.shape

    def test_every_entry_is_a_state_a_final_or_an_event(self):
        program = compiled("6D SPL3 RSA HSA DSA ES OBO C6 INSP H21")
        last = program.first_event + program.join.shape[1]
        assert program.step[:, : program.classes].max() < last
        assert program.start.max() < last
        assert program.dealer.max() < program.first_event
        assert program.join.max() < program.join.shape[0]
        unfinished = program.resume[len(program.finished) :]
        assert unfinished.max() < program.first_event
        assert program.resume[: len(program.finished)].max() < 3

    def test_finals_lead_to_themselves(self):
        program = compiled("8D")
        for final in range(len(FINALS)):
            assert (program.step[final] == final).all()

    def test_the_dealer_draws_by_the_rules(self):
        soft_17 = [compiled(f"8D {token}").dealer[A, 5, 2] for token in ("S17", "H17")]
        assert FINALS[soft_17[0]] == "17"
        assert soft_17[1] >= len(FINALS)
        assert FINALS[compiled("8D").dealer[A, T, 2]] == "natural"
        assert FINALS[compiled("8D").dealer[T, 8, 1]] == "none"


class TestContexts:
    def test_one_split_has_a_context_for_each_pair_of_results(self):
        """Stands of 16 or less to 21, doubles of the same, a bust: 13 results, 13 * 14 / 2 pairs.

        No doubled hand of the ordinary chart can bust.
        """
        program = compiled("8D LS")
        splits = [context for context in program.finished if context.splits]
        assert len(splits) == 91
        assert len({context.results for context in splits}) == 91
        assert all(len(context.results) == 2 for context in splits)

    def test_insurance_doubles_them(self):
        without = compiled("8D", CHART.with_cell("insurance", A, "N"))
        insured = compiled("8D", CHART.with_cell("insurance", A, "Y"))
        taken = [context for context in insured.finished if context.insured]
        assert 0 < len(taken) == len(insured.finished) - len(without.finished)
        assert not any(context.insured for context in without.finished)
        refused = compiled("8D", CHART.with_cell("insurance", A, "Y"), insurance=False)
        assert refused.finished == without.finished

    @pytest.mark.parametrize(
        ("token", "hands"), [("SPL1", 2), ("SPL2", 3), ("SPL3", 4), ("SPT2", 4)]
    )
    def test_as_many_hands_as_the_rules_allow(self, token, hands):
        program = compiled(f"8D {token}")
        assert max(len(context.results) for context in program.finished) == hands

    def test_finished_contexts_come_first(self):
        program = compiled("8D SPL2")
        finished = len(program.finished)
        assert all(context.finished for context in program.finished)
        assert (program.join[:finished] == -1).all()
        assert (program.join[finished:] >= 0).any(axis=1).all()


class TestLabels:
    @pytest.mark.parametrize("name", game_names())
    def test_hardly_two_numbers_have_one_label(self, name):
        game = load_game(name)
        program = compiled(game.rules, default_chart(game))
        assert program.labels == 10 * len(program.finished) * 9
        # those of one up card: the others say the same
        numbers = range(program.labels // 10)
        labels = Counter(program.label(number) for number in numbers)
        # two that settle alike may be written alike; then a tally adds them up
        twice = [label for label, times in labels.items() if times > 1]
        assert all(label.route in ("split", "power-split") for label in twice)
        assert len(labels) > 0.9 * len(numbers)

    def test_a_label_says_what_its_entry_pays(self):
        program = compiled("8D")
        for number in range(0, program.labels, 97):
            label = program.label(number)
            context = number // 9 % len(program.finished)
            assert [label.net, label.wager] == program.settlement[context, number % 9, :2].tolist()
            assert label.dealer_final == FINALS[number % 9]
            assert label.up == number // 9 // len(program.finished)
            assert str(label).startswith(f"v {VALUE_CLASSES[label.up]}: {label.route} ")


ORDINARY_RULES = load_game("signature-surrender").rules


def changes():
    """Every rule of the table set to every other value, one at a time, with what it calls for."""
    along = {
        "resplit_aces": {"splits": 3},
        "double_split_aces": {"hit_split_aces": True},
        "double_soft": {"double": "9-11"},
        "charlie_after_split": {"charlie": 7},
        "charlie_21_pushes": {"charlie": 7},
        "insurance_peek": {"hole_card": "enhc"},
        "max_cards": {"charlie": None},
        "power_split": {"splits": "tree"},
    }
    for name, values in VALUES.items():
        for value in values:
            if value != getattr(ORDINARY_RULES, name):
                yield {**along.get(name, {}), name: value}


def tokens(change):
    return " ".join(f"{name}={value}" for name, value in change.items())


@pytest.mark.parametrize("change", list(changes()), ids=tokens)
def test_default_charts_under_every_rule(change):
    """A chart made for other rules is understood, or refused with the row that it lacks."""
    rules = ORDINARY_RULES.replace(**change)
    if rules.power_double != "none":
        with pytest.raises(InputError, match=r"row 'power double hard (9|10)' is missing"):
            check_chart(CHART, rules)
        chart = read_chart("power-blackjack")
        rules = rules.replace(power_split="once")
    else:
        chart = CHART
    check_chart(chart, rules)
    program = compiled(rules, chart)
    assert program.rules == rules
    assert {context.route for context in program.finished} >= {"stand", "natural", "bust"}


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_every_default_chart_under_every_rule(name):
    game = load_game(name)
    refused = 0
    for change in changes():
        try:
            rules = game.rules.replace(**change)
            check_chart(default_chart(game), rules)
        except InputError:
            refused += 1
        else:
            assert compiled(rules, default_chart(game)).rules == rules
    assert refused < 20
