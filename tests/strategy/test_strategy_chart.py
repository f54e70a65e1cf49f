"""Chart as a value: equality, hashing, copies, writing and reading back."""

import copy
import pickle
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ordinary_chart import lines

from rtpsim.errors import InputError
from rtpsim.strategy import (
    ACTIONS,
    ROWS,
    Chart,
    card_classes,
    format_chart,
    parse_chart,
    read_chart,
    write_chart,
)

CELLS = {f"{kind} {hand}": tuple(cells) for kind, hand, cells in lines()}
ORDINARY = Chart("ordinary", CELLS)
PAIRS_ONLY = ("P", "Ph", "Pd", "Rp")
TOTALS = [letter for letter in ACTIONS if letter not in PAIRS_ONLY]


def letters_for(label):
    """What may stand in a row, written down apart from the package's own table."""
    if label.startswith(("insurance", "power")):
        return st.sampled_from("YN")
    if label.startswith("replace"):
        # canonical spellings only
        return st.sampled_from(["-", "A", "T", "A2-7", "2-8", "23", "2-4", "A5T", "A2-9T", "79"])
    card_pair = "," in label and label[0] == label[2]
    if label.startswith("pair") or card_pair:
        return st.sampled_from(ACTIONS)
    return st.sampled_from(TOTALS)


@st.composite
def charts(draw):
    extra = draw(st.lists(st.sampled_from(sorted(ROWS)), max_size=12, unique=True))
    rows = {}
    for label in dict.fromkeys([*CELLS, *extra]):
        cell = letters_for(label)
        rows[label] = tuple(draw(st.lists(cell, min_size=10, max_size=10)))
    comment = st.text(
        st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.just(" "), max_size=30
    )
    return Chart("drawn", rows, tuple(draw(st.lists(comment, max_size=3))))


@settings(max_examples=25, deadline=None)
@given(charts())
def test_what_is_written_reads_back_equal(chart):
    again = parse_chart(format_chart(chart), "x", "drawn")
    assert again == chart
    assert hash(again) == hash(chart)
    assert again.sha256 == chart.sha256
    assert format_chart(again) == format_chart(chart)


def fault_of(text):
    """Return the message that a text gives rise to, None if it is a chart."""
    try:
        parse_chart(text, "x")
    except InputError as error:
        return str(error)
    return None


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_damage_to_a_file_is_anything_but_understood_or_an_input_error(data):
    text = format_chart(ORDINARY)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 40))
        piece = data.draw(st.text(max_size=8) | st.sampled_from(['"', ";", "\t", "\n", "Pair\n"]))
        text = text[:place] + piece + text[place + length :]
    fault = fault_of(text)
    assert fault is None or re.match(r"x, line \d+, column \d+: ", fault)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_no_text_at_all_raises_anything_but_an_input_error(text):
    assert re.match(r"x, line \d+, column \d+: ", fault_of(text) or "read without a fault")


def test_files_take_the_name_of_the_file(tmp_path):
    chart = Chart(
        "other", CELLS, ("my rules: 8D", "", "and a naïve ♠", '"a",', '"b"', "# c;", "d; e,")
    )
    write_chart(chart, tmp_path / "mine.csv")
    again = read_chart(tmp_path / "mine.csv")
    assert again == Chart("mine", chart.rows, chart.provenance)
    assert again != chart
    assert again.sha256 == chart.sha256
    with pytest.raises(InputError, match="cannot be written"):
        write_chart(chart, tmp_path / "no folder" / "mine.csv")


def test_cells_are_found_by_row_and_value_class():
    # value classes: 0 ace, 1-8 for 2-9, 9 ten
    assert ORDINARY.cell("hard 16", 9) == "Rh"
    assert ORDINARY.cell("hard 12", 1) == "H"
    assert ORDINARY.cell("hard 12", 3) == "S"
    assert ORDINARY.cell("hard 11", 0) == "H"
    assert ORDINARY.cell("hard 11", 9) == "Dh"
    assert ORDINARY.cell("pair A", 0) == "P"
    assert ORDINARY.cell("T,2", 1) is None
    with pytest.raises(IndexError):
        ORDINARY.cell("hard 12", 10)


def test_charts_are_values():
    assert Chart("ordinary", dict(reversed(CELLS.items()))) == ORDINARY
    assert pickle.loads(pickle.dumps(ORDINARY)) == ORDINARY
    assert copy.deepcopy(ORDINARY) == ORDINARY
    assert Chart("ordinary", CELLS, ("a comment",)) != ORDINARY
    assert len({ORDINARY, Chart("ordinary", CELLS)}) == 1
    with pytest.raises(TypeError):
        ORDINARY.rows["hard 12"] = ("S",) * 10
    with pytest.raises(AttributeError):
        ORDINARY.name = "other"


def test_one_cell_changed():
    stands = ORDINARY.with_cell("hard 16", 9, "Rs")
    assert stands.cell("hard 16", 9) == "Rs"
    assert stands.name == "ordinary (hard 16 v T: Rs)"
    assert stands.sha256 != ORDINARY.sha256
    differing = [row for row in ORDINARY.rows if stands.rows[row] != ORDINARY.rows[row]]
    assert differing == ["hard 16"]
    assert stands.rows["hard 16"] == ("S",) * 5 + ("H", "H", "Rh", "Rs", "Rh")
    with pytest.raises(InputError, match="expected H S Dh Ds Rh Rs"):
        ORDINARY.with_cell("hard 16", 9, "P")
    with pytest.raises(InputError, match="has no row 'T,2'"):
        ORDINARY.with_cell("T,2", 9, "H")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"hard 12": None}, "row 'hard 12' is missing"),
        ({"hard 5": None, "hard 4": None}, "row 'hard 5' is missing"),
        ({"hard 12": ("H",) * 9}, "9 cells; expected 10"),
        ({"hard 12": ("H",) * 9 + ("X",)}, "up card A: 'X'; expected H S Dh Ds Rh Rs"),
        ({"herd 12": ("H",) * 10}, "no such row; did you mean 'hard 12'"),
        ({"2,T": ("H",) * 10}, "no such row"),
        ({"A,T": ("S",) * 10}, "no such row"),
        ({"power split T,7": ("Y",) * 10}, "no such row"),
        ({"replace hard 9": ("9-2",) * 10}, "'9-2'; expected the drawn cards to replace"),
    ],
)
def test_charts_that_cannot_be(rows, message):
    changed = {label: cells for label, cells in {**CELLS, **rows}.items() if cells is not None}
    with pytest.raises(InputError, match=r"^chart 'mine'") as caught:
        Chart("mine", changed)
    assert message in str(caught.value)


def test_comments_stay_on_their_lines():
    with pytest.raises(InputError, match="unprintable"):
        Chart("mine", CELLS, ("one\nhard 12,S",))


@pytest.mark.parametrize(
    ("cell", "classes"),
    [
        ("A2-7", {0, 1, 2, 3, 4, 5, 6}),
        ("-", set()),
        ("", set()),
        ("A", {0}),
        ("10", {9}),
        ("9t", {8, 9}),
        ("2-46-8", {1, 2, 3, 5, 6, 7}),
        ("A-T", set(range(10))),
    ],
)
def test_lists_of_drawn_cards(cell, classes):
    assert card_classes(cell) == classes


@pytest.mark.parametrize("cell", ["2-", "-2", "7-2", "X", "2--3", "0"])
def test_lists_that_are_none(cell):
    with pytest.raises(ValueError, match=re.escape(f"'{cell}'")):
        card_classes(cell)
