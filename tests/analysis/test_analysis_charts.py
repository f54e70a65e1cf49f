"""What cells cost, where charts differ, and what habits return."""

import doctest
from functools import cache

import pytest
from tiny_shoes import game_of, random_chart

from rtpsim.analysis import cost as costs
from rtpsim.analysis import differences, habits, paytables
from rtpsim.analysis.charts import letter_meant, with_rows
from rtpsim.analysis.cost import cost
from rtpsim.analysis.differences import diff
from rtpsim.analysis.habits import mimic_the_dealer, never_bust, no_doubling, no_splitting, rank
from rtpsim.errors import InputError
from rtpsim.exact import exact
from rtpsim.games import game_names, load_game
from rtpsim.rulestring import parse_rules
from rtpsim.strategy import COLUMNS, Chart, check_chart, default_chart, read_chart

CLASSIC = load_game("classic-blackjack")
ORDINARY = read_chart("ordinary")


def net(game, strategy):
    """Return the net of a round, insurance included."""
    found = exact(game, strategy, moments=False)
    return found.main_net + found.insurance_net


@cache
def classic_cost():
    return cost(CLASSIC)


# What cells cost


def test_costs_add_up_and_the_dearest_comes_first():
    found = classic_cost()
    assert found.total == pytest.approx(found.best - found.own, abs=1e-12)
    assert found.best == net(CLASSIC, "optimal-cd")
    assert found.own == net(CLASSIC, "default")
    losses = [cell.cost for cell in found.cells]
    assert losses == sorted(losses, reverse=True)
    # 16 v T is the closest decision of all for one deck: Griffin, The Theory of Blackjack
    assert (found.cells[0].row, found.cells[0].up, found.cells[0].letter) == ("hard 16", "T", "H")


def test_a_cell_that_ends_the_hand_costs_what_changing_it_gains():
    """Where nothing follows either action the cost of a mistake is all that a change brings."""
    game = game_of("6D S17 ND SPL0 NS")
    bad = read_chart("ordinary").with_cell("hard 20", 5, "H").with_cell("hard 20", 8, "H")
    found = {(cell.row, cell.up): cell for cell in cost(game, bad).cells}
    for up, name in ((5, "6"), (8, "9")):
        gain = net(game, bad.with_cell("hard 20", up, "S")) - net(game, bad)
        cell = found["hard 20", name]
        assert cell.cost == pytest.approx(gain, abs=1e-13)
        assert cell.each == pytest.approx(cell.cost / cell.frequency)
        assert gain > 0.01


def test_costs_as_table_text_and_json():
    found = classic_cost()
    frame = found.to_frame()
    assert list(frame.columns) == [
        "row", "up", "letter", "frequency", "cost", "each", "cost_per_1000", "ev",
    ]  # fmt: skip
    assert frame["cost"].sum() == pytest.approx(found.total)
    assert len(frame) == len(found.cells) == len(found.to_dict()["cells"])
    assert repr(found).splitlines()[1].startswith("hard 16 v T: H loses 0.2599")
    assert found._repr_html_().count("<tr>") == costs.SHOWN + 1


def test_cells_are_worth_what_their_hands_net():
    """A hard 20 of two tens or more is never split here: the openings alone are not all of it."""
    game = game_of("1000D S17 ND SPL0 NS ENHC")
    found = {(cell.row, cell.up): cell for cell in cost(game, ORDINARY).cells}
    # stand on 20 v 6, from the dealer's finals of a 6 with cards without end (computed here)
    bust, twenty, better = dealer_with_endless_cards(6)
    assert found["hard 20", "6"].ev == pytest.approx(1 - twenty - 2 * better, abs=1e-4)
    assert found["hard 16", "6"].ev == pytest.approx(2 * bust - 1, abs=1e-4)
    assert found["insurance", "A"].ev is None


def dealer_with_endless_cards(up):
    """Return the chances that a dealer who stands on all 17 busts, has 20, and has 21."""

    def finals(hard, ace):
        total = hard + 10 if ace and hard <= 11 else hard
        if total >= 17:
            return {min(total, 22): 1.0}
        found = {}
        for card in range(1, 11):
            for final, chance in finals(hard + card, ace or card == 1).items():
                found[final] = found.get(final, 0.0) + chance * (4 if card == 10 else 1) / 13
        return found

    found = finals(up, up == 1)
    return found[22], found[20], found[21]


def test_the_best_play_by_composition_is_no_chart():
    with pytest.raises(InputError, match="no chart"):
        cost(CLASSIC, "optimal-cd")


# Where charts differ


def test_equal_charts_do_not_differ():
    found = diff("default", default_chart(CLASSIC), CLASSIC)
    assert found.cells == ()
    assert found.net_a == found.net_b
    assert len(found.to_frame()) == 0
    assert diff(ORDINARY, ORDINARY).cells == ()


def test_a_difference_is_worth_what_changing_the_cell_alone_brings():
    game = game_of("1D H17 DOA DAS SPL2 LS ENHC", even_money=True)
    one, drawn = random_chart(3, game.rules), random_chart(4, game.rules)
    more = [row for row in drawn.rows if row not in one.rows and "," in row and row[0] != "i"][:1]
    taken = ["soft 18", "pair 8", "insurance", *more]
    other = Chart("other", {**one.rows, **{row: drawn.rows[row] for row in taken}})
    found = diff(one, other, game)
    base = net(game, one)
    assert found.net_a == pytest.approx(base, abs=1e-15)
    assert found.net_b == pytest.approx(net(game, other), abs=1e-15)
    kinds = {cell.row.split()[0] if "," not in cell.row else "two" for cell in found.cells}
    assert {"soft", "pair", "two"} <= kinds
    whole = with_rows(one, more)
    assert net(game, whole) == pytest.approx(base, abs=1e-15)
    for cell in found.cells[::4]:
        changed = whole.with_cell(cell.row, "A23456789T".index(cell.up), cell.b)
        assert cell.gain == pytest.approx(net(game, changed) - base, abs=1e-13), cell
    assert abs(found.cells[0].gain) > 1e-3


def test_rows_that_a_chart_lacks_say_what_it_plays():
    chart = read_chart("power-blackjack")
    assert letter_meant(chart, "T,2", "4") == chart.cell("hard 12", 3) == "H"
    assert letter_meant(chart, "8,8", "2") == "P"
    assert letter_meant(chart, "hard 12 4+", "5") == "S"  # as from three cards on
    assert letter_meant(chart, "hard 9 6+", "6") == "Dh"
    assert letter_meant(chart, "insurance A,A", "A") == "N"
    assert letter_meant(ORDINARY, "power split T,6", "6") == "N"
    assert letter_meant(ORDINARY, "replace hard 9", "6") == "-"


def test_without_a_game_differences_have_no_worth():
    changed = ORDINARY.with_cell("hard 16", 9, "H").with_cell("pair 8", 0, "Rp")
    found = diff(ORDINARY, changed)
    assert [(cell.row, cell.up, cell.a, cell.b) for cell in found.cells] == [
        ("hard 16", "T", "Rh", "H"),
        ("pair 8", "A", "P", "Rp"),
    ]
    assert {cell.gain for cell in found.cells} == {None}
    with pytest.raises(InputError, match="a game has to say"):
        diff("optimal-td", ORDINARY)


# Habits


def bust_and_natural_with_endless_cards():
    """Return how often a hand drawn to 17 busts, and how often it is a natural."""
    chances = {card: (4 if card == 10 else 1) / 13 for card in range(1, 11)}

    @cache
    def bust(hard, ace):
        total = hard + 10 if ace and hard <= 11 else hard
        if total >= 17:
            return float(total > 21)
        return sum(p * bust(hard + card, ace or card == 1) for card, p in chances.items())

    return bust(0, False), 2 * chances[1] * chances[10]


def test_who_mimics_the_dealer_loses_double_busts_less_half_a_natural():
    """By symmetry all else cancels out; cards without end make both hands independent."""
    rules = "1000D S17 DOA SPL1 NS 3:2"
    bust, natural = bust_and_natural_with_endless_cards()
    expected = -(bust**2) + 0.5 * natural * (1 - natural)
    found = exact(game_of(rules), mimic_the_dealer(parse_rules(rules)), moments=False)
    assert found.ev == pytest.approx(expected, abs=2e-5)
    assert found.mean_wager == pytest.approx(1.0, abs=1e-12)


def test_published_values_of_habits():
    """B. Zender, Card Counting for the Casino Executive: to mimic the dealer of a single deck who
    stands on 17 costs 5.5 %, from rounded parts (8 % less 2.5 %: they come to 5.6). Never to bust
    costs around 4 % with six decks (howtobeatthecasinos.com, "Don't play no bust blackjack")."""
    rules = "1D S17"
    mimic = exact(game_of(rules), mimic_the_dealer(parse_rules(rules)), moments=False)
    assert -100 * mimic.ev == pytest.approx(5.5, abs=0.2)
    timid = exact(game_of("6D S17 DAS"), never_bust(ORDINARY), moments=False)
    assert -100 * timid.ev == pytest.approx(4.0, abs=0.1)


def test_the_dealer_who_hits_soft_17_is_mimicked():
    assert mimic_the_dealer(parse_rules("6D H17")).rows["soft 17"] == ("H",) * 10
    assert mimic_the_dealer(parse_rules("6D S17")).rows["soft 17"] == ("S",) * 10


def test_habits_change_what_they_name():
    chart = never_bust(ORDINARY)
    for row, cells in chart.rows.items():
        if row.startswith("hard") and int(row.split()[1]) >= 12:
            assert set(cells) <= {"S", "Ds", "Rs"}, row
        if row.startswith("soft"):
            assert cells == ORDINARY.rows[row]
    assert not {"Dh", "Ds", "Pd"} & {
        cell for cells in no_doubling(ORDINARY).rows.values() for cell in cells
    }
    plain = no_splitting(ORDINARY)
    assert plain.rows["pair 8"] == ORDINARY.rows["hard 16"]
    assert plain.rows["pair A"] == ORDINARY.rows["soft 12"]


@pytest.mark.parametrize("name", game_names())
def test_habits_fit_every_game(name):
    game = load_game(name)
    for way, _ in habits.habits(game).values():
        if not isinstance(way, str):
            check_chart(way, game)
            assert len(way.rows["hard 16"]) == len(COLUMNS)


def test_habits_are_ranked_on_both_bases():
    found = rank(CLASSIC)
    names = [habit.name for habit in found.habits]
    assert names[:2] == ["optimal-cd", "optimal-td"]
    assert names[-1] == "mimic the dealer"
    by_name = {habit.name: habit for habit in found.habits}
    own = exact(CLASSIC, "default", moments=False)
    chart = by_name["classic-blackjack"]
    assert (chart.rtp_initial, chart.rtp_total) == (own.rtp_initial, own.rtp_total)
    best = exact(CLASSIC, "optimal-cd", moments=False)
    assert chart.cost_per_1000 == pytest.approx(1000 * (best.ev - own.ev))
    insured = by_name["always insure"]
    # half a bet on 1 in 13 rounds, each of which loses what 1.5 times 16 tens in 51 cards lack
    lost = 4 / 52 * 0.5 * (1 - 3 * 16 / 51)
    assert insured.net == pytest.approx(own.ev - lost, abs=1e-12)
    assert insured.wager == pytest.approx(own.mean_wager + 0.5 * 4 / 52, abs=1e-12)
    assert len(found.to_frame()) == len(names) == found._repr_html_().count("<tr>") - 1


@pytest.mark.parametrize(
    "module", [costs, differences, habits, paytables], ids=lambda m: m.__name__
)
def test_examples_of_the_docstrings_run(module):
    found = doctest.testmod(module)
    assert found.attempted >= 1
    assert found.failed == 0
