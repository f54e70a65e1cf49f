"""Solved charts: nothing better by one cell or by two, and what the evaluator says of them."""

import itertools
import random

import numpy as np
import pytest
from chart_changes import changed, column_net, single_changes
from tiny_shoes import mean_insurance, mean_net, shoe

from rtpsim.cards import VALUE_CLASSES, Shoe
from rtpsim.errors import InputError
from rtpsim.exact.evaluate import evaluate
from rtpsim.exact.policies import ChartPolicy, OptimalPolicy
from rtpsim.exact.solver.cells import LETTERS, RESOLVED
from rtpsim.exact.solver.column import Column
from rtpsim.exact.solver.gains import Options, best_pair, best_single
from rtpsim.exact.solver.solve import solve, solve_2c, solve_td
from rtpsim.exact.solver.solved import SOLVED, solved_chart
from rtpsim.games import load_game
from rtpsim.rulestring import parse_rules
from rtpsim.strategy import check_chart, read_chart

VARIED = [
    "6D S17 DOA DAS SPL3 RSA HSA DSA LS 6:5 OBO",
    "2D H17 D9S NDAS SPL3 NRSA ES10 3:2 PEEKT",
    "1D S17 D10N DAS SPL1 SPR ES 3:2 PEEKA H21 C5X",
    "6D S17 DOA DAS SPT2 RSA NS 3:2 ENHC C8T P22N PD9S PSR",
    "2D H17 DOA SPL0 LSXA 3:2 PEEK P22",
    "1D S17 D9 NDAS SPL1 SPR HSA NS 3:2 ENHC MAX11 INSP",
]


def ev_of(rules, policy, cards=None):
    openings = evaluate(rules, policy, cards or Shoe.of_decks(rules.decks))
    return mean_net(openings) + (mean_insurance(openings) if rules.insurance_peek else 0.0)


def stated(chart):
    """Return the EV in a solved chart's comments."""
    return float(next(line for line in chart.provenance if "EV" in line).split()[2])


def test_the_chart_by_totals_reaches_the_published_value():
    rules = parse_rules("8D S17 DOA DAS SPL1 NRSA LS 3:2 PEEK")
    chart = solve_td(rules, Shoe.of_decks(8))
    # published: optimal-td -0.004108836137, optimal-cd -0.004099625669, of an independent program
    assert ev_of(rules, ChartPolicy(chart, rules)) >= -0.004108836137 - 1e-12
    assert ev_of(rules, ChartPolicy(chart, rules)) <= -0.004099625669
    assert chart.cell("hard 16", 9) == "Rs"
    assert chart.cell("hard 12", 3) == "S"
    assert chart.cell("insurance", 0) == "N"


@pytest.mark.parametrize("text", VARIED)
def test_charts_are_worth_what_they_say_and_finer_ones_more(text):
    rules = parse_rules(text)
    td, finer = solve(rules), solve(rules, "optimal-2c")
    for chart in (td, finer):
        check_chart(chart, rules)
        assert ev_of(rules, ChartPolicy(chart, rules)) == pytest.approx(stated(chart), abs=1e-12)
    assert stated(td) <= stated(finer)
    if rules.power_split != "resplit":  # there optimal-cd has to split tens again, charts need not
        assert stated(finer) <= ev_of(rules, OptimalPolicy()) + 1e-12
    assert td.rows.keys() <= finer.rows.keys() | {row for row in td.rows if "+" in row}


@pytest.mark.parametrize("name", SOLVED)
def test_no_changed_cell_improves_a_chart_sampled(name):
    game = load_game(SOLVED[name].game)
    assert_no_gain(game.rules, read_chart(name), sample=12 if "power" in name else 60, twos=0)


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLVED)
def test_no_changed_cell_and_no_two_improve_a_chart(name):
    game = load_game(SOLVED[name].game)
    assert_no_gain(game.rules, read_chart(name), sample=None, twos=400)


def assert_no_gain(rules, chart, *, sample, twos):
    """Change cells of a chart, one at a time; then two that cost least, and two at random."""
    cards, rng = Shoe.of_decks(rules.decks), random.Random(7)
    changes = single_changes(chart, rules)
    costs = {}
    base = {up: column_net(rules, chart, cards, up) for up in range(len(VALUE_CLASSES))}
    for (label, up), letter in changes if sample is None else rng.sample(changes, sample):
        other = changed(chart, {(label, up): letter})
        costs[(label, up), letter] = base[up] - column_net(rules, other, cards, up)
    assert min(costs.values()) > -1e-13
    assert max(costs.values()) > 1e-6
    pairs = []
    for up in base:
        mine = sorted((cost, change) for change, cost in costs.items() if change[0][1] == up)
        pairs += itertools.combinations([change for _, change in mine[:12]], 2)
        pairs += [rng.sample([change for _, change in mine], 2) for _ in range(twos // 10)]
    for one, two in pairs if twos else ():
        if one[0] != two[0]:
            other = changed(chart, dict((one, two)))
            up = one[0][1]
            assert column_net(rules, other, cards, up) <= base[up] + 1e-13, (one, two)


def played(column, play):
    """Return what a way to play nets, valued anew."""
    column._value(play)
    return column.worth(play)


@pytest.mark.parametrize(
    ("text", "up", "pairs_tried"),
    [("1D S17 DOA SPL0 LS PEEK", 9, None), ("1D S17 D9 DAS SPL1 NS ENHC C5", 5, 300)],
)
def test_gains_of_one_and_of_two_cells_are_what_valuing_anew_gives(text, up, pairs_tried):
    rules, rng = parse_rules(text), random.Random(11)
    column = Column(rules, Shoe.of_decks(1), up, insurance=True)
    play = column.play({})
    for cell, allowed in enumerate(play.allowed):
        play.letter[cell] = rng.choice([letter for letter in allowed if letter >= 0])
    play.on = {toggle: rng.random() < 0.5 for toggle in play.on}
    base = played(column, play)
    column._sum_up(play)
    options = Options(play.allowed, play.cells.rank, column.gains)
    best_single(column.sums, play.letters, options)
    upper, first, lower, second, gain = best_pair(
        column.stack, column.worths, play.letters, column.reach, options
    )
    gains = column.gains.copy()
    options = [
        (cell, int(letter), gains[cell, number])
        for cell, allowed in enumerate(play.allowed)
        for number, letter in enumerate(allowed)
        if letter >= 0 and letter != play.letter[cell]
    ]
    start = play.letter.copy()

    def gained(*changes):
        play.letter = start.copy()
        for cell, letter in changes:
            play.letter[cell] = letter
        return played(column, play) - base

    for cell, letter, expected in options:
        assert gained((cell, letter)) == pytest.approx(expected, abs=1e-14)
    assert gained((upper, first), (lower, second)) == pytest.approx(gain, abs=1e-14)
    twos = [
        (one[:2], two[:2]) for one, two in itertools.combinations(options, 2) if one[0] != two[0]
    ]
    if pairs_tried:
        twos = rng.sample(twos, pairs_tried)
    found = max(gained(*two) for two in twos)
    assert found == pytest.approx(gain, abs=1e-14) if not pairs_tried else found <= gain + 1e-14
    assert gain > max(expected for *_, expected in options)


def test_no_chart_at_all_is_better_where_all_can_be_tried():
    rules, cards = parse_rules("1D S17 DOA DAS SPL1 NS PEEK"), shoe("5x9 Tx9")
    chart = solve_td(rules, cards)
    for up in (4, 9):
        best = column_net(rules, chart, cards, up)
        tried = [
            column_net(
                rules,
                changed(
                    chart,
                    {
                        ("hard 10", up): ten, ("hard 15", up): fifteen, ("hard 20", up): twenty,
                        ("pair 5", up): fives, ("pair T", up): tens,
                    },
                ),
                cards,
                up,
            )
            for ten, fifteen, twenty in itertools.product(("S", "H", "Dh"), ("S", "H", "Ds"), "SH")
            for fives, tens in itertools.product(("P", ten), ("P", twenty))
        ]  # fmt: skip
        assert max(tried) == pytest.approx(best, abs=1e-14)
        assert min(tried) < best - 0.01


def test_exceptions_for_two_cards_are_the_known_ones():
    """T,2 against a 4 is hit with six decks and less: hitting is worth 0.0008 more, published."""
    rules = parse_rules("6D S17 DOA DAS SPL1 NRSA NHSA NS 3:2 PEEK")
    finer = solve_2c(rules, Shoe.of_decks(6))
    assert finer.cell("hard 12", 3) == "S"
    assert finer.cell("T,2", 3) == "H"
    assert solve_td(rules, Shoe.of_decks(6)).cell("T,2", 3) is None


def test_a_chart_counts_cards_where_a_charlie_is_near():
    chart = read_chart("blackjack-surrender-td")
    assert chart.cell("hard 17", 9) == "S"
    assert chart.cell("hard 17 6+", 9) == "H"
    assert not [row for row in read_chart("signature-surrender-td").rows if "+" in row]


def test_insurance_that_tells_of_the_natural_is_taken_hand_by_hand():
    rules = parse_rules("1D S17 D9 NDAS SPL1 SPR HSA NS 3:2 ENHC MAX11 INSP")
    chart = solve(rules)
    insured = {row.removeprefix("insurance ") for row in chart.rows if row.startswith("insurance ")}
    assert insured == {"A,A", "8,8", "9,2", "8,3", "7,4", "6,5"}
    assert chart.cell("hard 11", 0) == "Dh"
    without = solve(rules.replace(insurance_peek=False))
    assert without.cell("hard 11", 0) == "H"
    assert stated(chart) > stated(without)


def test_insurance_is_taken_where_tens_abound():
    rules = parse_rules("1D S17 DOA DAS SPL1 NS 3:2 PEEK")
    rich = shoe("Ax4 2x2 3x2 4x2 5x2 6x2 7x2 8x2 9x2 Tx16")
    assert solve_td(rules, rich).cell("insurance", 0) == "Y"
    assert solve_td(rules, rich, insurance=False).cell("insurance", 0) == "N"
    finer = solve_2c(rules, rich)
    assert finer.cell("insurance", 0) == "Y"
    assert finer.cell("insurance A,A", 0) is None


@pytest.mark.interpreted
def test_up_cards_that_the_shoe_does_not_hold_have_cells_too():
    chart = solve_td(parse_rules("1D S17 DOA DAS SPL1 NS PEEK"), shoe("5x9 Tx9"))
    assert chart.cell("hard 16", 0) == "H"
    assert chart.cell("hard 17", 0) == "S"


def test_other_kinds_are_refused():
    with pytest.raises(InputError, match="optimal-td, optimal-2c"):
        solve(parse_rules("6D"), "optimal")


def same_play(name):
    fresh, kept = solved_chart(name), read_chart(name)
    assert fresh == kept
    return kept


@pytest.mark.parametrize("name", [name for name in SOLVED if "surrender" in name])
def test_charts_on_file_are_what_the_solver_finds(name):
    chart = same_play(name)
    assert str(load_game(SOLVED[name].game).rules) in chart.provenance[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SOLVED if "surrender" not in name])
def test_the_other_charts_on_file_are_what_the_solver_finds(name):
    same_play(name)


@pytest.mark.parametrize("name", SOLVED)
def test_charts_on_file_are_worth_what_they_say(name):
    rules, chart = load_game(SOLVED[name].game).rules, read_chart(name)
    assert ev_of(rules, ChartPolicy(chart, rules)) == pytest.approx(stated(chart), abs=1e-12)


def test_letters_mean_what_the_notation_says():
    meant = dict(zip(LETTERS, RESOLVED.tolist(), strict=True))
    stand, hit, double, surrender = range(4)
    # by ability: neither, may double, may surrender, may do both
    assert meant["Ds"] == [stand, double, stand, double]
    assert meant["Rh"] == [hit, hit, surrender, surrender]
    assert np.array_equal(meant["S"], [stand] * 4)
