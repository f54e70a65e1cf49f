"""Strategies by composition with faults in them: refused by row, or read as they are written."""

import csv
import io
import random

import pytest
from fuzzing import TIMES, check
from mutations import JUNK, bytes_changed, word_changed
from outcomes import Outcomes

from rtpsim.program.composition import CompositionStrategy
from rtpsim.program.compositionfiles import COLUMNS, decisions, read_composition, write_composition
from rtpsim.program.graph import Action

UPS = range(10)
STRATEGY = CompositionStrategy(
    {
        **{((5, 9), None, up): Action.HIT if up > 5 else Action.STAND for up in UPS},
        **{((9, 10), None, up): Action.STAND for up in UPS},
        **{((0, 1, 7), None, up): Action.HIT for up in UPS},
        **{((7, 7), (7, 1), up): Action.DOUBLE for up in UPS},
        **{((2, 2), (2, 2), up): Action.SPLIT for up in UPS},
    },
    frozenset({(9, 9), (0, 9)}),
    frozenset({((3, 5), 6, 1), ((4, 5), 9, 0)}),
    frozenset({(7, 5), (0, 3)}),
    "play",
)


@pytest.fixture(params=[".csv", ".parquet"])
def path(request, tmp_path):
    return tmp_path / f"play{request.param}"


def reader(path):
    def read(content):
        path.write_bytes(content)
        return read_composition(path)

    return read


def misread(content, found):
    """Return what a strategy holds that its file does not say, or the other way round."""
    said = sorted(tuple(row) for row in csv.reader(io.StringIO(content.decode())))
    held = sorted([COLUMNS, *decisions(found).itertuples(index=False, name=None)])
    return None if [tuple(row) for row in held] == said else f"{set(held) ^ set(said)}"


@pytest.mark.parametrize("times", TIMES)
def test_damaged_bytes(path, times):
    write_composition(STRATEGY, path)
    content = path.read_bytes()
    rng, outcomes = random.Random(times), Outcomes()
    for _ in range(700 * times):
        outcomes.feed(reader(path), bytes_changed(rng, content), path.name)
    if path.suffix == ".csv":
        check(outcomes, misread)
    else:
        check(outcomes, lambda content, found: None if found == STRATEGY else "another")


@pytest.mark.parametrize("times", TIMES)
def test_cells_of_another_kind(tmp_path, times):
    """Whole cells moved, lost, misspelt or replaced, and rows that are there twice."""
    header, *rows = [COLUMNS, *decisions(STRATEGY).itertuples(index=False, name=None)]
    rng, outcomes = random.Random(times), Outcomes()
    odd = ["", "A", "T", "J", "K,K", "A,A", "5,6,7,8", "6,5", "0", "4", "-1", "hit", "yes", "play"]
    odd += [str(value) for value in JUNK]
    for _ in range(700 * times):
        changed = [list(row) for row in rows]
        row = changed[rng.randrange(len(changed))]
        place = rng.randrange(len(row))
        match rng.randrange(5):
            case 0:
                del row[place]
            case 1:
                row[place] = rng.choice(odd)
            case 2:
                row[place] = word_changed(rng, row[place])
            case 3:
                other = rng.randrange(len(row))
                row[place], row[other] = row[other], row[place]
            case 4:
                changed.append([*row[:-1], rng.choice(["hit", "stand", row[-1]])])
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([header, *changed])
        content = text.getvalue().encode(errors="surrogatepass")
        outcomes.feed(reader(tmp_path / "play.csv"), content, "play.csv")
    check(outcomes, misread, enough=450 * times)
