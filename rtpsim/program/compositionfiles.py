"""Files of composition strategies: one decision a row, as CSV or Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rtpsim.cards import RANKS, VALUE_CLASSES
from rtpsim.errors import InputError
from rtpsim.files import write_whole
from rtpsim.program.composition import CompositionStrategy
from rtpsim.program.graph import Action

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    import pandas as pd

    from rtpsim.program.composition import Decision

SUFFIXES = (".csv", ".parquet")
COLUMNS = ("decision", "cards", "split_card", "splits", "up", "third", "action")
"""``decision`` is ``play``, ``split again``, ``insurance`` or ``replace``; ``cards`` are those of
the hand, ascending, aces first; ``split_card`` and ``splits`` say of a hand after a split with
which card it began and how often there has been a split; ``third`` is the card to be replaced."""


def decisions(strategy: CompositionStrategy) -> pd.DataFrame:
    """Return a strategy as a table of texts, `COLUMNS`, in a fixed order."""
    import pandas as pd

    return pd.DataFrame(list(_rows(strategy)), columns=list(COLUMNS), dtype="str")


def _rows(strategy: CompositionStrategy) -> Iterator[tuple[str, ...]]:
    actions = strategy.actions
    for cards, origin, up in sorted(actions, key=lambda key: (key[1] or (-1, 0), key[2], key[0])):
        card, splits = ("", "") if origin is None else (VALUE_CLASSES[origin[0]], str(origin[1]))
        said = str(actions[cards, origin, up])
        yield "play", _written(cards), card, splits, VALUE_CLASSES[up], "", said
    for first, up in sorted(strategy.resplit):
        yield "split again", "", VALUE_CLASSES[first], "", VALUE_CLASSES[up], "", "split"
    for pair in sorted(strategy.insured):
        yield "insurance", _written(pair), "", "", "A", "", "yes"
    for cards, up, third in sorted(strategy.replaced):
        yield "replace", _written(cards), "", "", VALUE_CLASSES[up], VALUE_CLASSES[third], "yes"


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
        raise InputError(f"'{target}': expected a name ending in {' or '.join(SUFFIXES)}")
    table = decisions(strategy)
    try:
        if target.suffix == ".csv":
            write_whole(target, lambda part: table.to_csv(part, index=False, lineterminator="\n"))
        else:
            write_whole(target, lambda part: table.to_parquet(part, index=False))
    except OSError as error:
        raise InputError(f"'{target}': cannot be written ({error.strerror})") from None


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
    except OSError:
        return False


def read_composition(path: str | os.PathLike[str]) -> CompositionStrategy:
    """Read a strategy that `write_composition` has written; its name is the file's.

    Raises
    ------
    InputError
        If the file cannot be read, or a row is no decision: naming file and row.
    """
    import pandas as pd

    target = Path(path)
    try:
        if target.suffix == ".parquet":
            table = pd.read_parquet(target)
        else:
            table = pd.read_csv(target, dtype=str, keep_default_na=False)
    except FileNotFoundError:
        raise InputError(f"strategy '{target}': no such file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"strategy '{target}': cannot be read ({error})") from None
    if tuple(table.columns) != COLUMNS:
        raise InputError(f"strategy '{target}': expected the columns {', '.join(COLUMNS)}")
    read = _Reader()
    for number, row in enumerate(table.itertuples(index=False, name=None), 1):
        try:
            read.add(*row)
        except (ValueError, TypeError):
            said = ",".join(map(str, row))
            raise InputError(f"strategy '{target}', row {number}: no decision: {said}") from None
    return CompositionStrategy(
        read.actions,
        frozenset(read.insured),
        frozenset(read.replaced),
        frozenset(read.resplit),
        target.stem,
    )


class _Reader:
    """Gathers the decisions of rows; every `ValueError` is a row that is none."""

    def __init__(self) -> None:
        self.actions: dict[Decision, Action] = {}
        self.insured: set[tuple[int, int]] = set()
        self.replaced: set[tuple[tuple[int, ...], int, int]] = set()
        self.resplit: set[tuple[int, int]] = set()

    def add(
        self, decision: str, cards: str, split: str, splits: str, up: str, third: str, action: str
    ) -> None:
        hand = tuple(RANKS.index(card) for card in cards.split(",")) if cards else ()
        against = VALUE_CLASSES.index(up)
        match decision:
            case "play":
                origin = (VALUE_CLASSES.index(split), int(splits)) if split else None
                self.actions[hand, origin, against] = Action(action)
            case "split again":
                self.resplit.add((VALUE_CLASSES.index(split), against))
            case "insurance":
                first, second = hand
                self.insured.add((first, second))
            case "replace":
                self.replaced.add((hand, against, VALUE_CLASSES.index(third)))
            case _:
                raise ValueError(decision)
