"""What paytables return, against combinatorics by hand and the games' own figures."""

import itertools
from fractions import Fraction

import pytest

from rtpsim.analysis.paytables import paytable, paytables_near
from rtpsim.errors import InputError
from rtpsim.games import load_game

PAIRS = load_game("signature-surrender").side_bet("empire-pairs")
POKER = load_game("blackjack-surrender").side_bet("21+3")


def pairs_by_hand(decks):
    """Return the probabilities of perfect, coloured and mixed pairs: the second card's, by hand."""
    others = 52 * decks - 1
    return Fraction(decks - 1, others), Fraction(decks, others), Fraction(2 * decks, others)


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_figures_of_a_pair_bet_are_those_by_hand(decks):
    pays = (25, 12, 6)
    found = paytable(PAIRS, decks, dict(zip(PAIRS.outcomes, pays, strict=True)))
    chances = pairs_by_hand(decks)
    lost = 1 - sum(chances)
    mean = sum(p * x for p, x in zip(chances, pays, strict=True)) - lost
    square = sum(p * x * x for p, x in zip(chances, pays, strict=True)) + lost
    assert found.rtp == 1 + mean
    assert found.hit_frequency == sum(chances)
    assert found.variance == square - mean**2
    assert found.sd == pytest.approx(float(square - mean**2) ** 0.5)
    assert [line.probability for line in found.lines] == [*chances, lost]
    assert [line.pays for line in found.lines] == [*pays, -1]


def test_published_tables_return_what_is_published():
    assert f"{100 * float(paytable(POKER, 6).rtp):.2f}" == "95.38"
    assert f"{100 * float(paytable(PAIRS, 8).rtp):.2f}" == "96.63"


def test_a_search_finds_exactly_the_tables_within_the_tolerance():
    payouts = [4, 5, 6, 8, 10, 12, 20, 25, 30]
    target, tolerance = Fraction(9, 10), Fraction(2, 100)
    found = paytables_near(PAIRS, 6, target, tolerance, payouts=payouts, limit=1000)
    chances = pairs_by_hand(6)
    wanted = {
        table
        for table in itertools.product(payouts, repeat=3)
        if table[0] > table[1] > table[2]
        and abs(sum(p * (x + 1) for p, x in zip(chances, table, strict=True)) - target) <= tolerance
    }
    assert {tuple(table.bet.pays.values()) for table in found.tables} == wanted
    assert found.found == len(wanted) >= 5
    assert all(abs(table.rtp - target) <= tolerance for table in found.tables)


def test_both_limits_are_included_and_the_own_table_comes_first():
    own = paytable(POKER, 6)
    exactly = paytables_near(POKER, 6, own.rtp, 0)
    assert exactly.tables[0].bet.pays == POKER.pays
    assert {table.rtp for table in exactly.tables} == {own.rtp}
    above = paytables_near(POKER, 6, own.rtp - Fraction(1, 10**6), Fraction(1, 10**6))
    assert above.tables[0].bet.pays == POKER.pays
    below = paytables_near(POKER, 6, own.rtp + Fraction(1, 10**6), Fraction(1, 10**6))
    assert below.tables[0].bet.pays == POKER.pays


def test_a_search_is_bounded(monkeypatch):
    found = paytables_near(POKER, 6, "0.9538", limit=3)
    assert len(found.tables) == 3 < found.found
    with pytest.raises(InputError, match="too many tables"):
        paytables_near(POKER, 6, "0.95", payouts=range(1, 2000))
    monkeypatch.setattr("rtpsim.games.paytables.MAX_TABLES", 1000)
    with pytest.raises(InputError, match="narrower"):
        paytables_near(POKER, 6, "0.9", "0.5")
    with pytest.raises(InputError, match="ratio"):
        paytables_near(POKER, 6, "much")
    with pytest.raises(InputError, match="tolerance"):
        paytables_near(POKER, 6, "0.9", -1)


def test_what_cannot_be_paid_is_refused():
    with pytest.raises(InputError, match="did you mean 'perfect'"):
        paytable(PAIRS, 8, {"perfekt": 30})
    with pytest.raises(InputError, match="decks"):
        paytable(PAIRS, 0)


def test_paytables_as_table_text_and_json():
    found = paytable(PAIRS, 8)
    assert found.to_frame()["returned"].sum() == pytest.approx(float(found.rtp))
    assert found.to_dict()["rtp_fraction"] == "401/415"
    assert "96.6265 %" in repr(found)
    search = paytables_near(PAIRS, 8, "0.9663")
    assert list(search.to_frame().columns) == [*PAIRS.outcomes, "rtp", "hit_frequency", "sd"]
    assert search.to_dict()["tables"][0]["pays"] == PAIRS.pays
    assert repr(search).splitlines()[1].startswith("30 / 10 / 5: 96.6265 %")
    assert search._repr_html_().count("<tr>") == len(search.tables) + 1
