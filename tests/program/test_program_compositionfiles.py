"""Files of strategies by composition: read back as they were, refused where they are none."""

import pytest

from rtpsim.errors import InputError
from rtpsim.program.composition import CompositionStrategy
from rtpsim.program.compositionfiles import (
    COLUMNS,
    decisions,
    is_composition_file,
    read_composition,
    write_composition,
)
from rtpsim.program.graph import Action

STRATEGY = CompositionStrategy(
    {
        ((5, 9), None, 9): Action.SURRENDER,
        ((9, 10), None, 0): Action.STAND,
        ((0, 1, 7), None, 3): Action.HIT,
        ((7, 7), (7, 1), 0): Action.DOUBLE,
    },
    frozenset({(9, 9), (0, 9)}),
    frozenset({((3, 5), 6, 1)}),
    frozenset({(7, 5)}),
    "play",
)
ROWS = [
    'play,"A,2,8",,,4,,hit',
    'play,"6,T",,,T,,surrender',
    'play,"8,8",8,1,A,,double',
    'play,"T,J",,,A,,stand',
    "split again,,8,,6,,split",
    'insurance,"A,T",,,A,,yes',
    'insurance,"T,T",,,A,,yes',
    'replace,"4,6",,,7,2,yes',
]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_read_back_as_it_was(tmp_path, suffix):
    path = tmp_path / f"play.{suffix}"
    write_composition(STRATEGY, path)
    assert is_composition_file(path)
    assert read_composition(path) == STRATEGY
    assert read_composition(path).sha256 == STRATEGY.sha256


def test_rows_are_as_people_write_hands(tmp_path):
    path = tmp_path / "play.csv"
    write_composition(STRATEGY, path)
    head, *rows = path.read_text().splitlines()
    assert head == ",".join(COLUMNS)
    assert sorted(rows) == sorted(ROWS)
    assert len(decisions(STRATEGY)) == len(ROWS)


@pytest.mark.parametrize(
    "row",
    [
        'play,"6,X",,,T,,hit',
        'play,"6,T",,,T,,wave',
        'play,"6,T",8,often,T,,hit',
        'bow,"6,T",,,T,,hit',
        'insurance,"A,T,T",,,A,,yes',
    ],
)
def test_what_is_no_decision_is_named(tmp_path, row):
    path = tmp_path / "play.csv"
    path.write_text("\n".join([",".join(COLUMNS), ROWS[0], row, ""]))
    with pytest.raises(InputError, match=r"play.csv', row 2: no decision"):
        read_composition(path)


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "play.csv"
    with pytest.raises(InputError, match="no such file"):
        read_composition(path)
    path.write_text("hand,2,3\n")
    assert not is_composition_file(path)
    with pytest.raises(InputError, match="expected the columns decision, cards"):
        read_composition(path)
    path.with_suffix(".parquet").write_text("nothing")
    with pytest.raises(InputError, match="damaged, or not a strategy"):
        read_composition(path.with_suffix(".parquet"))
    with pytest.raises(InputError, match=r"ending in \.csv or \.parquet"):
        write_composition(STRATEGY, tmp_path / "play.xlsx")


def test_an_equal_decision_has_an_equal_hash():
    renamed = CompositionStrategy(
        dict(reversed(STRATEGY.actions.items())),
        STRATEGY.insured,
        STRATEGY.replaced,
        STRATEGY.resplit,
    )
    assert renamed.sha256 == STRATEGY.sha256
    for change in ({"insured": frozenset()}, {"replaced": frozenset()}, {"resplit": frozenset()}):
        from dataclasses import replace

        assert replace(STRATEGY, **change).sha256 != STRATEGY.sha256
