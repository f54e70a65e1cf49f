"""Charts with faults in them: refused with line and column, or read cell by cell as they are."""

import csv
import random
import re
from functools import partial

import pytest
from fuzzing import TIMES, check
from mutations import bytes_changed
from outcomes import Outcomes

from rtpsim.strategy.files import parse_bytes, strategies_dir

FILES = [
    (strategies_dir() / f"{name}.csv").read_bytes() for name in ("ordinary", "power-blackjack")
]
COLUMNS = "23456789ta"

read = partial(parse_bytes, source="mine.csv", name="mine")


def plain(word):
    return word.strip(" \t\"'").lower()


def misread(content, chart):
    """Return a row of the file that the chart has otherwise, or None.

    The file is read as plain CSV here: no other layout, no other names of rows.
    """
    text = content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    lines = [line for line in text.split("\n") if not line.lstrip().lstrip('"').startswith("#")]
    separator = ";" if any(";" in line for line in lines) else ","
    rows = [row for row in csv.reader(lines, delimiter=separator) if any(map(str.strip, row))]
    header, *rows = rows
    columns = [plain(cell) for cell in header[1:] if cell.strip()]
    if sorted(columns) != sorted(COLUMNS):
        return f"header {header}"
    cells = {plain(label): row for label, row in chart.rows.items()}
    block = "hard"
    for label, *row in rows:
        if plain(label) in ("hard", "soft", "pair") and not any(row):
            block = plain(label)
            continue
        if [plain(cell) for cell in row] == columns:  # the header once more
            continue
        found = cells.get(usual(plain(label), block))
        if found is None:
            return f"row {label!r}"
        given = dict(zip(columns, row, strict=False))
        for column, letter in zip(COLUMNS, found, strict=True):
            if plain(given[column]).replace(" ", "") not in (letter.lower(), *same_as(letter)):
                return f"{label!r} against {column}: {given[column]!r} became {letter}"
    return None


def usual(label, block):
    """Return the label of a total written without its kind, or run together with it."""
    label = re.sub("^(hard|soft|pair) ?", r"\1 ", label).replace("pair 11", "pair a")
    return f"{block} {label}" if label.isdecimal() else label


def same_as(letter):
    """Return other ways in which charts in print write a letter."""
    return {"P": ("y", "sp"), "Dh": ("d",), "Rh": ("r", "su"), "Y": ("p",)}.get(letter, ())


@pytest.mark.parametrize("times", TIMES)
def test_damaged_bytes(times):
    rng, outcomes = random.Random(times), Outcomes()
    for number in range(580 * times):
        outcomes.feed(read, bytes_changed(rng, FILES[number % 2]), "mine.csv")
    check(outcomes, misread)


@pytest.mark.parametrize("times", TIMES)
def test_cells_and_rows_in_the_wrong_place(times):
    """Whole cells and lines moved, lost, doubled or replaced: no byte of them is odd."""
    rng, outcomes = random.Random(times), Outcomes()
    for number in range(750 * times):
        lines = FILES[number % 2].decode().split("\n")
        first = next(n for n, line in enumerate(lines) if line.startswith("hand,"))
        place = rng.randrange(first, len(lines) - 1)
        cells = lines[place].split(",")
        one, other = rng.randrange(len(cells)), rng.randrange(len(cells))
        match rng.randrange(7):
            case 0:
                del cells[one]
            case 1:
                cells.insert(one, cells[other])
            case 2:
                cells[one], cells[other] = cells[other], cells[one]
            case 3:
                cells[one] = rng.choice(["X", "HH", "P", "D", "Rx", "1", "", "-", "Y", "hard 16"])
            case 4:
                cells = lines[rng.randrange(first, len(lines) - 1)].split(",")
            case 5:
                cells = []
            case 6:
                cells[0] = rng.choice(["hard 22", "soft 11", "pair 11", "pair J", "hard 16 1+", ""])
        lines[place] = ",".join(cells)
        outcomes.feed(read, "\n".join(lines).encode(), "mine.csv")
    check(outcomes, misread)
