"""Files of composition strategies: one decision a row, as CSV or Parquet."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from rtpsim.cards import RANKS, TEN_CLASS, VALUE_CLASSES
from rtpsim.errors import InputError, shown
from rtpsim.files import write_whole
from rtpsim.program.composition import CompositionStrategy
from rtpsim.program.graph import Action
from rtpsim.sealed import read_sealed, sealed_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd

    from rtpsim.program.composition import Decision

SUFFIXES = (".csv", ".parquet")
COLUMNS = ("decision", "cards", "split_card", "splits", "up", "third", "action")
"""``decision`` is ``play``, ``split again``, ``insurance`` or ``replace``; ``cards`` are those of
the hand, ascending, aces first; ``split_card`` and ``splits`` say of a hand after a split with
which card it began and how often there has been a split; ``third`` is the card to be replaced."""

MAX_BYTES = 100_000_000
"""Some 700,000 decisions, as of a game with every resplit, are 20 MB of text."""

_MOST_SPLITS = 3


def decisions(strategy: CompositionStrategy) -> pd.DataFrame:
    """Return a strategy as a table of texts, `COLUMNS`, in a fixed order."""
    import pandas as pd

    return pd.DataFrame(list(_rows(strategy)), columns=list(COLUMNS), dtype="str")


def _rows(strategy: CompositionStrategy) -> Iterator[tuple[str, ...]]:
    actions = strategy.actions
    for key in sorted(actions, key=lambda key: (key[1] or (-1, 0), key[2], key[0])):
        yield _play(*key, actions[key])
    for first, up in sorted(strategy.resplit):
        yield _split_again(first, up)
    for pair in sorted(strategy.insured):
        yield _insurance(pair)
    for cards, up, third in sorted(strategy.replaced):
        yield _replace(cards, up, third)


def _play(
    cards: tuple[int, ...], origin: tuple[int, int] | None, up: int, action: Action
) -> tuple[str, ...]:
    card, splits = ("", "") if origin is None else (VALUE_CLASSES[origin[0]], str(origin[1]))
    return "play", _written(cards), card, splits, VALUE_CLASSES[up], "", str(action)


def _split_again(card: int, up: int) -> tuple[str, ...]:
    return "split again", "", VALUE_CLASSES[card], "", VALUE_CLASSES[up], "", "split"


def _insurance(pair: tuple[int, ...]) -> tuple[str, ...]:
    return "insurance", _written(pair), "", "", "A", "", "yes"


def _replace(cards: tuple[int, ...], up: int, third: int) -> tuple[str, ...]:
    return "replace", _written(cards), "", "", VALUE_CLASSES[up], VALUE_CLASSES[third], "yes"


def _written(cards: tuple[int, ...]) -> str:
    return ",".join(RANKS[card] for card in cards)


def write_composition(strategy: CompositionStrategy, path: str | os.PathLike[str]) -> None:
    """Write a strategy, whole or not at all; reading it back gives the same decisions.

    Raises
    ------
    InputError
        If the name does not end in .csv or .parquet, or the file cannot be written.
    """
    target = Path(path)
    if target.suffix not in SUFFIXES:
        raise InputError(f"{shown(str(target))}: expected a name ending in {' or '.join(SUFFIXES)}")
    table = decisions(strategy)
    try:
        if target.suffix == ".csv":
            write_whole(target, lambda part: table.to_csv(part, index=False, lineterminator="\n"))
        else:
            import pyarrow as pa

            content = sealed_table(pa.Table.from_pandas(table, preserve_index=False))
            write_whole(target, lambda part: part.write_bytes(content))
    except OSError as error:
        raise InputError(f"{shown(str(target))}: cannot be written ({error.strerror})") from None


def is_composition_file(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a composition strategy and no chart, by its ending or its first line."""
    target = Path(path)
    if target.suffix == ".parquet":
        return True
    if target.suffix != ".csv":
        return False
    try:
        with target.open("rb") as file:
            return file.readline(200).strip() == ",".join(COLUMNS).encode()
    except (OSError, ValueError):  # a name that no file can have
        return False


def read_composition(path: str | os.PathLike[str]) -> CompositionStrategy:
    """Read a strategy that `write_composition` has written; its name is the file's.

    Raises
    ------
    InputError
        If the file cannot be read or is damaged, or a row is no decision or one that is there
        already: naming file and row.
    """
    target = Path(path)
    source = f"strategy {shown(str(target), 200)}"
    content = _content(target, source)
    rows = _parquet_rows(content, source) if target.suffix == ".parquet" else _csv_rows(content)
    read = _Reader()
    try:
        if tuple(next(rows, ())) != COLUMNS:
            raise InputError(f"{source}: expected the columns {', '.join(COLUMNS)}")
        for number, row in enumerate(rows, 1):
            try:
                read.add(tuple(row))
            except (ValueError, TypeError):
                said = shown(",".join(map(str, row)))
                raise InputError(f"{source}, row {number}: no decision: {said}") from None
    except (csv.Error, UnicodeDecodeError):
        raise InputError(f"{source}: not CSV in UTF-8") from None
    return CompositionStrategy(
        read.actions,
        frozenset(read.insured),
        frozenset(read.replaced),
        frozenset(read.resplit),
        target.stem,
    )


def _content(path: Path, source: str) -> bytes:
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            content = file.read(size) if size <= MAX_BYTES else b""
    except FileNotFoundError:
        raise InputError(f"{source}: no such file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{source}: cannot be read ({reason})") from None
    if size > MAX_BYTES:
        raise InputError(f"{source}: larger than {MAX_BYTES:_} bytes; not a strategy")
    return content


def _csv_rows(content: bytes) -> Iterator[Sequence[str]]:
    yield from csv.reader(io.StringIO(content.decode(), newline=""), strict=True)


def _parquet_rows(content: bytes, source: str) -> Iterator[Sequence[str]]:
    table = read_sealed(content, source, "a strategy")
    yield table.column_names
    yield from zip(*(column.to_pylist() for column in table.columns), strict=True)


class _Reader:
    """Gathers the decisions of rows; every `ValueError` is a row that is none."""

    def __init__(self) -> None:
        self.actions: dict[Decision, Action] = {}
        self.insured: set[tuple[int, int]] = set()
        self.replaced: set[tuple[tuple[int, ...], int, int]] = set()
        self.resplit: set[tuple[int, int]] = set()
        self.seen: set[tuple[str, ...]] = set()

    def add(self, row: tuple[str, ...]) -> None:
        """Take a row, which has to be written as `_rows` writes it, and is there but once."""
        decision, cards, split, splits, up, third, action = row
        if row[:-1] in self.seen:
            raise ValueError("there already")
        self.seen.add(row[:-1])
        hand = tuple(RANKS.index(card) for card in cards.split(",")) if cards else ()
        against = VALUE_CLASSES.index(up)
        match decision:
            case "play":
                origin = (VALUE_CLASSES.index(split), int(splits)) if split else None
                chosen = Action(action)
                written = _play(hand, origin, against, chosen)
                _check_hand(hand, origin)
                self.actions[hand, origin, against] = chosen
            case "split again":
                written = _split_again(VALUE_CLASSES.index(split), against)
                self.resplit.add((VALUE_CLASSES.index(split), against))
            case "insurance":
                first, second = hand
                written = _insurance(hand)
                _check_hand(hand, None)
                self.insured.add((first, second))
            case "replace":
                _, _ = hand
                written = _replace(hand, against, VALUE_CLASSES.index(third))
                _check_hand(hand, None)
                self.replaced.add((hand, against, VALUE_CLASSES.index(third)))
            case _:
                raise ValueError(decision)
        if written != row:
            raise ValueError("not as it is written")


def _check_hand(hand: tuple[int, ...], origin: tuple[int, int] | None) -> None:
    """Refuse cards out of order, hands that cannot be, and those that a split cannot make."""
    values = [min(card, TEN_CLASS) for card in hand]
    if list(hand) != sorted(hand) or len(hand) < 2 or sum(values) + len(values) > 21:
        raise ValueError("no hand")
    if origin and (origin[0] not in values or not 1 <= origin[1] <= _MOST_SPLITS):
        raise ValueError("no hand of such a split")
