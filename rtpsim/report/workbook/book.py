"""A workbook being filled: cells written as what they are, formulas with the report's values."""

from __future__ import annotations

import math
from datetime import datetime
from typing import TYPE_CHECKING, Any

from xlsxwriter import Workbook
from xlsxwriter.utility import xl_rowcol_to_cell

from rtpsim.strategy.colours import letter_colour

if TYPE_CHECKING:
    from pathlib import Path

    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

_PORTRAIT = 110
"""Characters that a page of A4 holds side by side."""

_LINE = 14.0
"""Height of a line, in points."""

_FONT = {"font_name": "Calibri", "font_size": 10, "valign": "top"}

_FORMATS: dict[str, dict[str, Any]] = {
    "text": {"text_wrap": False},
    "wrapped": {"text_wrap": True},
    "title": {"bold": True, "font_size": 14},
    "section": {"bold": True, "font_size": 11, "top": 1},
    "head": {"bold": True, "bottom": 1},
    "head-number": {"bold": True, "bottom": 1, "align": "right"},
    "head-middle": {"bold": True, "bottom": 1, "align": "center"},
    "note": {"font_color": "#5a636d", "text_wrap": True},
    "int": {"num_format": "0"},
    "count": {"num_format": "#,##0"},
    "percent": {"num_format": "0.0000%"},
    "points": {"num_format": "+0.0000%;-0.0000%;0.0000%"},
    "ratio": {"num_format": "0.000000"},
    "signed": {"num_format": "+0.000000;-0.000000;0"},
    "money": {"num_format": "+0.0;-0.0;0"},
    "odds": {"num_format": '"1 in "#,##0.0'},
    "small": {"num_format": "0.000E+00"},
    "p": {"num_format": "0.000"},
    "z": {"num_format": "+0.00;-0.00;0.00"},
    "bp": {"num_format": "+0.0;-0.0;0.0"},
    "strong": {"bold": True, "num_format": "0.0000%"},
}


class Book:
    """A workbook of a report.

    Attributes
    ----------
    places
        Where formulas stand (``'Main game'!B4``) -> path in the report's JSON of the figure that
        they come to (``exact.rtp_total``); without a path where the JSON has no such figure.
    """

    def __init__(self, path: Path, made: str, game: str) -> None:
        # what games are called is text, whatever it begins with
        options = {
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
            "in_memory": True,
        }
        self.workbook = Workbook(str(path), options)
        moment = datetime.fromisoformat(made.replace("Z", "+00:00")).replace(tzinfo=None)
        self.workbook.set_properties({"title": game, "author": "rtpsim", "created": moment})
        self.workbook.set_calc_mode("auto")
        self._formats: dict[str, Format] = {}
        self.places: dict[str, str] = {}

    def style(self, name: str) -> Format:
        """Return a named format, or that of a chart's cell: ``chart:Dh``."""
        if name not in self._formats:
            kind, _, letter = name.partition(":")
            if kind == "chart":
                background, ink = letter_colour(letter)
                look = {"bg_color": background, "font_color": ink, "align": "center", "bold": True}
            else:
                look = _FORMATS[name]
            self._formats[name] = self.workbook.add_format({**_FONT, **look})
        return self._formats[name]

    def sheet(self, name: str, widths: tuple[float, ...]) -> Sheet:
        """Add a sheet, with the widths of its columns in characters."""
        return Sheet(self, self.workbook.add_worksheet(name), widths)


class Sheet:
    """A sheet that is filled from the top.

    Attributes
    ----------
    row
        The next row, from 0.
    """

    def __init__(self, book: Book, worksheet: Worksheet, widths: tuple[float, ...]) -> None:
        self.book, self.worksheet, self.row = book, worksheet, 0
        self._widths = widths
        for column, width in enumerate(widths):
            worksheet.set_column(column, column, width)
        worksheet.hide_gridlines(2)
        worksheet.set_paper(9)  # A4
        if sum(widths) > _PORTRAIT:
            worksheet.set_landscape()
        worksheet.fit_to_pages(1, 0)
        worksheet.set_footer("&L&A&RPage &P of &N")

    @property
    def name(self) -> str:
        """The sheet's name, as a formula writes it."""
        quoted = self.worksheet.get_name().replace("'", "''")
        return f"'{quoted}'"

    def put(self, column: int, value: Any, style: str = "text") -> None:
        """Write a value into the current row: text as text, numbers as numbers, None not at all."""
        look = self.book.style(style)
        if isinstance(value, bool):
            value = "yes" if value else "no"
        if value is None:
            self.worksheet.write_blank(self.row, column, None, look)
        elif isinstance(value, str):
            self.worksheet.write_string(self.row, column, value, look)
        else:
            self.worksheet.write_number(self.row, column, value, look)

    def formula(
        self, column: int, formula: str, value: float | None, path: str, style: str = "text"
    ) -> str:
        """Write a formula into the current row, with its value, and return its absolute address.

        Parameters
        ----------
        column
            From 0.
        formula
            Without the equals sign.
        value
            What it comes to: the report's figure.
        path
            Where the report's JSON has the figure; empty if it has not.
        style
            A named format.
        """
        look = self.book.style(style)
        self.worksheet.write_formula(
            self.row, column, f"={formula}", look, "" if value is None else value
        )
        self.book.places[f"{self.name}!{self.address(column)}"] = path
        return f"{self.name}!{self.address(column, absolute=True)}"

    def address(self, column: int, row: int | None = None, *, absolute: bool = False) -> str:
        """Return a cell's address on this sheet, of the current row if no other is given."""
        at = self.row if row is None else row
        return str(xl_rowcol_to_cell(at, column, row_abs=absolute, col_abs=absolute))

    def range(self, column: int, first: int, last: int) -> str:
        """Return the range of a column's rows, ends included."""
        start, end = (self.address(column, row, absolute=True) for row in (first, last))
        return f"{start}:{end}"

    def line(self, *values: Any, styles: tuple[str, ...] = ()) -> None:
        """Write a row of values and go to the next; the last style holds for the rest."""
        for column, value in enumerate(values):
            style = styles[min(column, len(styles) - 1)] if styles else "text"
            self.put(column, value, style)
        self.row += 1

    def line_rest(self, column: int, *texts: str) -> None:
        """Write texts from a column on and go to the next row."""
        for place, text in enumerate(texts, start=column):
            self.put(place, text)
        self.row += 1

    def title(self, text: str, note: str = "") -> None:
        """Write the sheet's title, and a note beneath."""
        self.line(text, styles=("title",))
        if note:
            self.paragraph(note)
        self.row += 1

    def paragraph(self, text: str) -> None:
        """Write a text over all columns, on as many lines as it needs."""
        last, wide = len(self._widths) - 1, sum(self._widths)
        look = self.book.style("wrapped")
        self.worksheet.merge_range(self.row, 0, self.row, last, "", look)
        self.worksheet.write_string(self.row, 0, text, look)
        self.worksheet.set_row(self.row, _LINE * math.ceil(1.1 * len(text) / wide))
        self.row += 1

    def heading(self, *names: str, words: tuple[int, ...] = (0,)) -> None:
        """Write the headings of columns: to the right, but for columns of `words`."""
        styles = ("head" if column in words else "head-number" for column in range(len(names)))
        self.line(*names, styles=tuple(styles))

    def section(self, text: str) -> None:
        """Leave a row free and write a heading."""
        self.row += 1
        self.line(text, styles=("section",))

    def stay(self) -> None:
        """Keep all rows so far in sight, and print them on every page."""
        self.worksheet.freeze_panes(self.row, 0)
        self.worksheet.repeat_rows(max(0, self.row - 1))
