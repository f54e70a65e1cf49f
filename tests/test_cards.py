"""Cards and shoes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtpsim.cards import Card, Shoe
from rtpsim.errors import InputError


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("T♠", "T♠"),
        ("10♠", "T♠"),
        ("ts", "T♠"),
        (" Ah ", "A♥"),
        ("kD", "K♦"),
        ("2c", "2♣"),
        ("Q♥\ufe0f", "Q♥"),
    ],
)
def test_a_card_is_read_as_people_type_it(text, written):
    assert str(Card.parse(text)) == written


@pytest.mark.parametrize("text", ["", "T", "♠", "1♠", "T♠♠", "Tx", "T ♠", "A" * 10_000])
def test_what_is_no_card_is_refused(text):
    with pytest.raises(InputError, match="expected a rank") as refusal:
        Card.parse(text)
    assert len(str(refusal.value)) < 250


@given(st.integers(0, 51))
def test_numbers_and_texts_name_one_card(number):
    card = Card.from_number(number)
    assert card.number == number
    assert Card.parse(str(card)) == card


@pytest.mark.parametrize(
    ("text", "value_class"),
    [("A♠", 0), ("2♠", 1), ("9♠", 8), ("T♠", 9), ("J♠", 9), ("Q♠", 9), ("K♠", 9)],
)
def test_tens_and_faces_are_one_value_class(text, value_class):
    assert Card.parse(text).value_class == value_class


def test_whole_decks_count_by_rank_and_by_value():
    shoe = Shoe.of_decks(6)
    assert shoe.size == 312
    assert shoe.by_rank == (24,) * 13
    assert shoe.by_value == (24,) * 9 + (96,)


@pytest.mark.parametrize("decks", [0, -1, 1001, 10**9, True, 1.5, "6"])
def test_impossible_numbers_of_decks_are_refused(decks):
    with pytest.raises(InputError, match=r"decks = .*from 1 to 1000"):
        Shoe.of_decks(decks)


@pytest.mark.parametrize("counts", [(1,) * 51, (1,) * 53, (1,) * 51 + (-1,)])
def test_impossible_compositions_are_refused(counts):
    with pytest.raises(InputError, match="52 counts"):
        Shoe(counts)
