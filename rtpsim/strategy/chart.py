"""Chart: a total-dependent way to play, as a table of letters by hand and dealer's up card."""

from __future__ import annotations

import csv
import hashlib
import io
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from rtpsim.errors import InputError, shown, suggestion
from rtpsim.strategy.notation import (
    COLUMNS,
    FILLED_IN,
    ORDER,
    REQUIRED,
    ROWS,
    card_classes,
    column_of,
    format_classes,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

HEADER = "hand," + ",".join(COLUMNS)


class Origin(NamedTuple):
    """Where a chart was read: the `source` as named to people, line and column of each cell."""

    source: str
    places: Mapping[str, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, repr=False)
class Chart:
    """A chart; immutable, equal by value, hashable.

    Attributes
    ----------
    name
        What results call it; for a file, the file's name without its ending.
    rows
        Ten cells for each row label, in the column order ``23456789TA``. Labels and letters are
        those of `rtpsim.strategy.notation`. The rows ``hard 4`` to ``hard 21``, ``soft 12`` to
        ``soft 21``, ``pair 2`` to ``pair A`` and ``insurance`` are always there: of these
        ``hard 4`` may be left out (like ``hard 5``), ``soft 12`` (like ``soft 13``), ``hard 21``
        and ``soft 21`` (stand), ``insurance`` (never).
    provenance
        The comment lines: where the chart comes from, the rules it is for.
    origin
        Where it was read, for messages; no part of its value.

    Raises
    ------
    InputError
        For an unknown row, a missing row, or a cell that cannot stand where it stands.

    Examples
    --------
    >>> chart = read_chart("ordinary")
    >>> chart.cell("hard 16", 9)  # against a ten: value classes count from the ace, 0
    'Rh'
    >>> other = chart.with_cell("hard 16", 9, "Rs")
    >>> print(other.name, other == chart)
    ordinary (hard 16 v T: Rs) False
    """

    name: str
    rows: Mapping[str, tuple[str, ...]]
    provenance: tuple[str, ...] = ()
    origin: Origin | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        rows = {label: tuple(cells) for label, cells in self.rows.items()}
        for label, source in FILLED_IN.items():
            if label not in rows:
                rows[label] = rows.get(source, ()) if source in ROWS else (source,) * len(COLUMNS)
        rows.setdefault("insurance", ("N",) * len(COLUMNS))
        for label in REQUIRED:
            if not rows.get(label):
                raise InputError(
                    f"chart '{self.name}': row '{FILLED_IN.get(label, label)}' is missing"
                )
        for label, cells in rows.items():
            self._check_row(label, cells)
            if ROWS[label].kind == "replace":
                rows[label] = tuple(format_classes(card_classes(cell)) for cell in cells)
        lines = tuple(line.strip() for line in self.provenance)
        if not all(line.isprintable() for line in lines):
            raise InputError(f"chart '{self.name}': a comment line holds unprintable characters")
        ordered = dict(sorted(rows.items(), key=lambda item: ORDER[item[0]]))
        object.__setattr__(self, "rows", MappingProxyType(ordered))
        object.__setattr__(self, "provenance", lines)

    def _check_row(self, label: str, cells: tuple[str, ...]) -> None:
        where = f"chart '{self.name}', row '{label}'"
        if label not in ROWS:
            raise InputError(f"{where}: no such row{suggestion(label, ROWS)}")
        if len(cells) != len(COLUMNS):
            raise InputError(f"{where}: {len(cells)} cells; expected {len(COLUMNS)} ({COLUMNS})")
        for up, cell in zip(COLUMNS, cells, strict=True):
            if not is_cell(label, cell):
                raise InputError(
                    f"{where}, up card {up}: {shown(cell)}; expected {expected(label)}"
                )

    def __repr__(self) -> str:
        return f"<Chart '{self.name}': {len(self.rows)} rows, sha256 {self.sha256[:12]}>"

    def _repr_html_(self) -> str:
        from rtpsim.strategy.formats import chart_html

        return chart_html(self)

    def to_frame(self) -> pd.DataFrame:
        """Return the cells as a tidy table.

        Returns
        -------
        DataFrame
            ``row`` (row label), ``up`` (up card, ``2`` to ``9``, ``T``, ``A``), ``letter``.
        """
        import pandas as pd

        cells = [
            (label, up, letter)
            for label, letters in self.rows.items()
            for up, letter in zip(COLUMNS, letters, strict=True)
        ]
        return pd.DataFrame(cells, columns=["row", "up", "letter"])

    def __hash__(self) -> int:
        return hash((self.name, self.sha256, self.provenance))

    def __reduce__(self) -> tuple[object, ...]:
        return (Chart, (self.name, dict(self.rows), self.provenance, self.origin))

    def cell(self, row: str, up: int) -> str | None:
        """Return the cell for an up card (value class, 0 for the ace), None without such a row."""
        cells = self.rows.get(row)
        return cells[column_of(up)] if cells is not None else None

    def with_cell(self, row: str, up: int, cell: str) -> Chart:
        """Return this chart with one cell changed; its name says so.

        Raises
        ------
        InputError
            If the chart has no such row, or the cell cannot stand in it.
        """
        if row not in self.rows:
            raise InputError(f"chart '{self.name}' has no row '{row}'{suggestion(row, self.rows)}")
        column = column_of(up)
        cells = self.rows[row]
        changed = (*cells[:column], cell, *cells[column + 1 :])
        name = f"{self.name} ({row} v {COLUMNS[column]}: {cell})"
        return Chart(name, {**self.rows, row: changed}, self.provenance)

    @cached_property
    def sha256(self) -> str:
        """Hash of what the chart plays: header and rows as written, without name or comments."""
        return hashlib.sha256(_table(self).encode()).hexdigest()

    def place(self, row: str, up: int | None = None) -> str:
        """Say where a row, or its cell for an up card, stands: for messages."""
        column = 0 if up is None else column_of(up)
        against = "" if up is None else f" v {COLUMNS[column]}"
        source = self.origin.source if self.origin is not None else f"chart '{self.name}'"
        if self.origin is None or row not in self.origin.places:
            return f"{source}, row '{row}'{against}"
        line, place = self.origin.places[row][column]
        return f"{source}, line {line}, column {1 if up is None else place}, row '{row}'{against}"


def is_cell(label: str, cell: str) -> bool:
    """Say whether a cell, in the canonical spelling, can stand in a row."""
    row = ROWS[label]
    if row.kind != "replace":
        return cell in row.allowed
    try:
        card_classes(cell)
    except ValueError:
        return False
    return True


def expected(label: str) -> str:
    """Say what may stand in a row, for messages."""
    row = ROWS[label]
    if row.kind == "replace":
        return "the drawn cards to replace, as 'A2-7', or '-' for none"
    return " ".join(row.allowed)


def _table(chart: Chart) -> str:
    """Write header and rows; labels with a comma are quoted."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["hand", *COLUMNS])
    writer.writerows([label, *cells] for label, cells in chart.rows.items())
    return text.getvalue()


def format_chart(chart: Chart) -> str:
    """Write a chart as CSV text: the comment lines, the header, a line for each row."""
    return "".join(f"{_comment(line)}\n" for line in chart.provenance) + _table(chart)


def _comment(line: str) -> str:
    """Write a comment; one that ends in commas is quoted, since a reader drops a line's padding."""
    written = f"# {line}".rstrip()
    if not written.endswith(","):
        return written
    return '"' + written.replace('"', '""') + '"'
