"""Chart text, in any of the layouts people have, -> Chart."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from rtpsim.errors import InputError, suggestion
from rtpsim.strategy.chart import HEADER, Chart, Origin, expected
from rtpsim.strategy.labels import Block, is_prefixed, read_column, read_label, read_title
from rtpsim.strategy.letters import AmbiguousLetterError, is_letter, read_cell, settle_pair
from rtpsim.strategy.notation import COLUMNS, FILLED_IN, REQUIRED, ROWS, column_of, total_of

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH: Final = len(COLUMNS)
_USUAL: Final = [(column + 1) % len(COLUMNS) for column in range(WIDTH)]
"""The up cards (value classes) of the ten columns where no header names them."""
_HEADER: Final = f"expected '{HEADER}'"
_LABELS: Final = "'hard 16', 'soft 18', 'pair 8', 'T,2', 'hard 15 6+', 'insurance' and the like"


def parse_chart(text: str, source: str = "chart", name: str | None = None) -> Chart:
    """Read a chart.

    Understood are the CSV of this program (header ``hand,2,3,4,5,6,7,8,9,T,A``), cells separated
    by commas, semicolons, tabs or blanks, quoted or not; rows labelled ``16``, ``A7``, ``88`` under
    a header (``Two`` ... ``Ace``); rows labelled ``n16``, ``a18``, ``s8`` or ``h16``, ``s18``,
    ``p8`` without one; the three blocks Hard / Soft / Pair of web calculators. Lines that begin
    with ``#`` are comments, wherever they stand.

    Parameters
    ----------
    text
        The whole text.
    source
        What messages call it (a file's path).
    name
        The chart's name; `source` if not given.

    Raises
    ------
    InputError
        Naming source, line and column, what stands there and what was expected.
    """
    reader = _Reader(source, _separator(text))
    for number, line in enumerate(_lines(text), start=1):
        reader.read_line(number, line)
    return reader.chart(source if name is None else name)


class _Cell(NamedTuple):
    """A cell, the line it stands in and its column, counted from 1."""

    text: str
    line: int
    column: int


def _lines(text: str) -> list[str]:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _is_comment(line: str) -> bool:
    return line.lstrip().removeprefix('"').startswith("#")


def _separator(text: str) -> str | None:
    """Return what separates the cells of the text; None for blanks and tabs."""
    lines = [line for line in _lines(text) if not _is_comment(line)]
    if any(";" in line for line in lines):
        return ";"
    # labels such as A,2 hold a comma of their own
    return "," if any(line.count(",") > 2 for line in lines) else None


def _cut(text: str) -> str:
    """Shorten what is quoted in a message; a line that is no chart may be long."""
    return text if len(text) <= 40 else text[:37] + "..."


@dataclass
class _Reader:
    """What has been read of a chart so far."""

    source: str
    separator: str | None
    columns: list[int] | None = None
    """The up cards (value classes) of the ten columns, once a header has been read."""
    block: Block | None = None
    cells: dict[str, tuple[str, ...]] = field(default_factory=dict)
    places: dict[str, tuple[_Cell, ...]] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    last: int = 1

    def fail(self, line: int, column: int, message: str) -> InputError:
        return InputError(f"{self.source}, line {line}, column {column}: {message}")

    def read_line(self, number: int, line: str) -> None:
        """Take in one line of the text."""
        if line.strip():
            self.last = number
        if _is_comment(line):
            self.comments.append(self._comment(number, line))
            return
        words = self._split(line, number)
        while words and not words[-1] and len(words) != WIDTH + 1:
            words.pop()  # a spreadsheet pads short lines
        if not any(words):
            return
        cells = [_Cell(word, number, column) for column, word in enumerate(words, start=1)]
        named = sum(read_column(word) is not None for word in words)
        title = read_title(" ".join(word for word in words if read_column(word) is None))
        if title is not None:
            self.block = title
        if named >= WIDTH // 2 and words[0].lower() != "replace":
            self.columns = self._header(cells)
        elif title is None or named:
            self._row(cells)

    def _comment(self, number: int, line: str) -> str:
        # a spreadsheet pads the line to the table's width and quotes it if it holds a comma
        text = line.strip()
        if self.separator is not None:
            text = text.rstrip(self.separator)
        if text.startswith('"') and text.endswith('"'):
            text = text[1:-1].replace('""', '"')
        text = text.removeprefix("#").strip()
        if not text.isprintable():
            raise self.fail(number, 1, "a comment with unprintable characters; expected plain text")
        return text

    def _split(self, line: str, number: int) -> list[str]:
        if self.separator is None:
            return [cell.strip('"') for cell in line.split()]
        try:
            rows = list(
                csv.reader([line], delimiter=self.separator, skipinitialspace=True, strict=True)
            )
        except csv.Error as error:
            raise self.fail(number, 1, f"{error}; expected every quoted cell closed") from None
        return [cell.strip() for cell in rows[0]] if rows else []

    def _header(self, cells: Sequence[_Cell]) -> list[int]:
        """Return the up cards of the ten columns, in the order given."""
        line = cells[0].line
        corner = 0
        while read_column(cells[corner].text) is None and corner < len(cells) - 1:
            corner += 1
            if self.separator is not None:
                break
        found: list[int] = []
        for column, cell in enumerate(cells[corner:], start=corner + 1 if self.separator else 2):
            up = read_column(cell.text)
            if up is None or up in found:
                what = "no up card" if up is None else "a second column for that up card"
                raise self.fail(line, column, f"header: '{cell.text}' is {what}; {_HEADER}")
            found.append(up)
        if len(found) < WIDTH:
            missing = next(up for up in COLUMNS if read_column(up) not in found)
            column = corner + len(found) + 1 if self.separator else len(found) + 2
            raise self.fail(line, column, f"header: no column for up card {missing}; {_HEADER}")
        return found

    def _label(self, cells: Sequence[_Cell]) -> tuple[tuple[str, ...], int]:
        """Return the rows that a line is for and how many of its cells the label takes."""
        if self.separator is None:
            for taken in (4, 3, 2, 1):  # "hard 15 6+" is three words
                if rows := read_label(" ".join(cell.text for cell in cells[:taken]), self.block):
                    return rows, taken
            return (), 1
        if len(cells) > WIDTH + 1 or not read_label(cells[0].text, self.block):
            # an unquoted T,2 falls into two cells
            joined = ",".join(cell.text for cell in cells[:2])
            if rows := read_label(joined, self.block):
                return rows, 2
        return read_label(cells[0].text, self.block), 1

    def _row(self, cells: Sequence[_Cell]) -> None:
        labels, taken = self._label(cells)
        label, row = cells[0], cells[taken:]
        nameless = self.columns is None and self.block is None  # no header, no title so far
        if not labels:
            if nameless and sum(is_letter(cell.text) for cell in cells) < WIDTH // 2:
                raise self.fail(label.line, 1, f"'{_cut(label.text)}' is no header; {_HEADER}")
            hint = f", such as {_LABELS}{suggestion(label.text, ROWS)}"
            if self.block:
                hint = f" in the block '{self.block}'"
            raise self.fail(
                label.line,
                1,
                f"unknown row '{_cut(label.text)}'; expected a row label{hint}",
            )
        if nameless and not is_prefixed(label.text):
            raise self.fail(label.line, 1, f"a row before any header; {_HEADER} first")
        if self.separator is None:  # a label of several words is one column
            row = [cell._replace(column=column) for column, cell in enumerate(row, start=2)]
        if len(row) != WIDTH:
            name = " ".join(cell.text for cell in cells[:taken])
            column = min(len(row), WIDTH) + (taken if self.separator else 1) + 1
            raise self.fail(
                label.line,
                column,
                f"{len(row)} cells after the label '{name}'; expected {WIDTH}, one for each of "
                f"{','.join(COLUMNS)}",
            )
        order = self.columns or _USUAL
        place = {column_of(up): cell for up, cell in zip(order, row, strict=True)}
        for labelled in labels:
            self._store(labelled, label, tuple(place[column] for column in range(WIDTH)))

    def _store(self, name: str, label: _Cell, row: tuple[_Cell, ...]) -> None:
        if name in self.cells:
            first = self.places[name][0].line
            message = f"row '{name}' a second time; expected once (line {first} has it)"
            raise self.fail(label.line, 1, message)
        self.places[name] = row
        self.cells[name] = tuple(
            self._letter(name, up, cell) for up, cell in zip(COLUMNS, row, strict=True)
        )

    def _letter(self, name: str, up: str, cell: _Cell) -> str:
        where = f"row '{name}', up card {up}"
        try:
            letter = read_cell(name, cell.text)
        except AmbiguousLetterError as error:
            raise self.fail(cell.line, cell.column, f"{where}: {error}") from None
        if letter is None:
            raise self.fail(
                cell.line, cell.column, f"{where}: '{_cut(cell.text)}'; expected {expected(name)}"
            )
        return letter

    def chart(self, name: str) -> Chart:
        """Return the chart, with the pairs that say "follow the total" settled."""
        if not self.cells:
            raise self.fail(self.last, 1, f"no rows; expected a chart that begins '{HEADER}'")
        missing = [row for row in REQUIRED if row not in self.cells and row not in FILLED_IN]
        if missing:
            rows = ", ".join(f"'{row}'" for row in missing[:5]) + ", ..." * (len(missing) > 5)
            what = f"row {rows} is" if len(missing) == 1 else f"rows {rows} are"
            raise self.fail(self.last, 1, f"{what} missing at the end; expected every one once")
        filled = dict(self.cells)
        for row, source in FILLED_IN.items():
            filled.setdefault(row, self.cells.get(source, (source,) * WIDTH))
        for row in [row for row in self.cells if ROWS[row].kind == "pair"]:
            total, soft = total_of(*ROWS[row].cards)
            followed = filled[f"{'soft' if soft else 'hard'} {total}"]
            filled[row] = tuple(
                self._settled(cell, letter, place)
                for cell, letter, place in zip(filled[row], followed, self.places[row], strict=True)
            )
        places = {
            row: tuple((cell.line, cell.column) for cell in cells)
            for row, cells in self.places.items()
        }
        origin = Origin(self.source, places)
        return Chart(name, filled, tuple(self.comments), origin)

    def _settled(self, cell: str, total_letter: str, place: _Cell) -> str:
        letter = settle_pair(cell, total_letter)
        if letter is None:
            raise self.fail(
                place.line,
                place.column,
                f"'{place.text}' means split if double after split, else {total_letter}, which "
                "no letter says; expected P, Ph, Pd or N",
            )
        return letter
