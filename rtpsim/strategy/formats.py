"""Charts in other formats: Markdown, JSON, plain text, HTML, and back from all but the last."""

from __future__ import annotations

import csv
import io
import json
from html import escape
from typing import TYPE_CHECKING, Final, Literal, get_args

from rtpsim.errors import InputError, shown, suggestion
from rtpsim.strategy.chart import Chart, format_chart
from rtpsim.strategy.colours import letter_colour
from rtpsim.strategy.notation import COLUMNS, ROWS
from rtpsim.strategy.reading import parse_chart

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

Format = Literal["csv", "markdown", "json", "text", "html"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)
"""The formats that a chart can be written in."""

_ENDINGS: Final[dict[str, Format]] = {
    ".csv": "csv",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
    ".txt": "text",
    ".html": "html",
    ".htm": "html",
}

BLOCKS: Final = {
    "hard": "Hard",
    "soft": "Soft",
    "pair": "Pairs",
    "two-card": "Two cards",
    "insurance": "Insurance",
    "power split": "Power splits",
    "power double": "Power doubles",
    "replace": "Cards to replace",
}
"""Titles of the blocks of rows that charts are shown in, by `rtpsim.strategy.notation.Row.kind`."""

LEGEND: Final = (
    "H hit, S stand, D double, P split, R surrender; the small letter says what to do where that "
    "is not allowed (Ph, Pd: where no double after a split is); Y yes, N no"
)
"""What the letters mean, for people."""


def format_of(path: Path) -> Format:
    """Return the format that a file's ending stands for.

    Raises
    ------
    InputError
        If it stands for none.
    """
    found = _ENDINGS.get(path.suffix.lower())
    if found is None:
        raise InputError(f"{path}: expected a name that ends in {', '.join(_ENDINGS)}")
    return found


def write_as(chart: Chart, kind: str) -> str:
    """Return a chart as text in one of `FORMATS`.

    Raises
    ------
    InputError
        For another format.
    """
    writers = {
        "csv": format_chart,
        "markdown": _markdown,
        "json": _json,
        "text": _text,
        "html": chart_html,
    }
    if kind not in writers:
        allowed = ", ".join(FORMATS)
        raise InputError(f"format {shown(kind)}: allowed are {allowed}{suggestion(kind, FORMATS)}")
    return writers[kind](chart)


def parse_any(text: str, source: str = "chart", name: str | None = None) -> Chart:
    """Read a chart in any format that `write_as` writes but HTML, or `parse_chart` understands.

    Parameters
    ----------
    text
        The whole text; JSON begins with a brace, a Markdown table's lines with a bar.
    source, name
        As for `parse_chart`.

    Raises
    ------
    InputError
        If it is no chart: naming source, line and column.
    """
    if text.lstrip().startswith("{"):
        return _from_json(text, source, name)
    if any(line.lstrip().startswith("|") for line in text.splitlines()):
        text = _from_markdown(text)
    return parse_chart(text, source, name)


def by_block(chart: Chart) -> dict[str, list[str]]:
    """Return the rows of each block, titles as in `BLOCKS`; those for many cards stand last."""
    found: dict[str, list[str]] = {}
    for label in chart.rows:
        row = ROWS[label]
        title = "So many cards" if row.at_least > 2 else BLOCKS[row.kind]
        found.setdefault(title, []).append(label)
    return found


# -- Markdown --------------------------------------------------------------------------------


def _markdown(chart: Chart) -> str:
    lines = [f"<!-- {line.replace('-->', '-- >')} -->" for line in chart.provenance]
    lines += [""] * bool(lines)
    lines += [_bars(["hand", *COLUMNS]), _bars(["---", *[":-:"] * len(COLUMNS)])]
    lines += [_bars([label, *cells]) for label, cells in chart.rows.items()]
    return "\n".join(lines) + "\n"


def _bars(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _from_markdown(text: str) -> str:
    """Return the table as CSV, line by line, so that messages name the right line."""
    lines = []
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith("<!--"):
            lines.append(f"# {bare.removeprefix('<!--').removesuffix('-->').strip()}")
        elif "|" in bare and bare.strip("|-: \t"):
            written = io.StringIO()
            cells = [cell.strip() for cell in bare.strip("|").split("|")]
            csv.writer(written, lineterminator="").writerow(cells)
            lines.append(written.getvalue())
        else:  # the line under the head, and what stands around a table
            lines.append("")
    return "\n".join(lines)


# -- JSON ------------------------------------------------------------------------------------


_KEYS = ("name", "provenance", "columns", "rows")


def chart_dict(chart: Chart) -> dict[str, object]:
    """Return a chart as JSON values."""
    return {
        "name": chart.name,
        "provenance": list(chart.provenance),
        "columns": list(COLUMNS),
        "rows": {label: list(cells) for label, cells in chart.rows.items()},
    }


def _json(chart: Chart) -> str:
    return json.dumps(chart_dict(chart), indent=2, ensure_ascii=False) + "\n"


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a table of JSON; a key that is there twice would hide a row."""
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"key {shown(twice)} is there twice; expected once")
    return table


def _from_json(text: str, source: str, name: str | None) -> Chart:
    try:
        content = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        where = f"{source}, line {error.lineno}, column {error.colno}"
        raise InputError(f"{where}: {error.msg}; expected a chart in JSON") from None
    except InputError as error:
        raise InputError(f"{source}: {error}") from None
    except (ValueError, RecursionError):  # numbers of thousands of digits, or as many brackets
        raise InputError(f"{source}: absurdly large or deep; expected a chart in JSON") from None
    for key in content:
        if key not in _KEYS:
            raise InputError(f"{source}: unknown key {shown(key)}{suggestion(key, _KEYS)}")
    rows = content.get("rows")
    if not isinstance(rows, dict) or content.get("columns", list(COLUMNS)) != list(COLUMNS):
        raise InputError(
            f"{source}: expected the keys 'rows' (row -> ten cells) and 'columns' ({COLUMNS})"
        )
    for label, cells in rows.items():
        if not isinstance(cells, list) or not all(isinstance(cell, str) for cell in cells):
            raise InputError(f"{source}, row {shown(label)}: expected a list of ten texts")
    comments = content.get("provenance", [])
    if not isinstance(comments, list) or not all(isinstance(line, str) for line in comments):
        raise InputError(f"{source}, provenance: expected a list of texts")
    given = str(content.get("name", source)) if name is None else name
    try:
        return Chart(given, {label: tuple(cells) for label, cells in rows.items()}, tuple(comments))
    except InputError as error:
        raise InputError(f"{source}: {error}") from None


# -- plain text ------------------------------------------------------------------------------


def _text(chart: Chart) -> str:
    wide = max(len(label) for label in chart.rows)
    lines = [f"# {line}".rstrip() for line in chart.provenance]
    lines.append(f"{'hand'.ljust(wide)}  {'  '.join(COLUMNS)}")
    for label, cells in chart.rows.items():
        written = " ".join(cell.ljust(2) for cell in cells)
        lines.append(f"{label.ljust(wide)}  {written}".rstrip())
    return "\n".join(lines) + "\n"


# -- HTML ------------------------------------------------------------------------------------


def chart_html(chart: Chart, marked: Collection[tuple[str, str]] = ()) -> str:
    """Return a chart as an HTML table, in colours and letters: what notebooks show.

    Parameters
    ----------
    chart
        The chart.
    marked
        Cells, as (row, up card), that are outlined and set in bold.
    """
    lines = [
        '<table style="border-collapse:separate;border-spacing:2px;font-size:90%">',
        f'<caption style="text-align:left">{escape(chart.name)}</caption>',
    ]
    head = "".join(f'<th style="text-align:center">{up}</th>' for up in COLUMNS)
    for title, labels in by_block(chart).items():
        lines.append(f'<tr><th style="text-align:left">{title}</th>{head}</tr>')
        for label in labels:
            cells = "".join(
                _html_cell(cell, (label, up) in marked)
                for up, cell in zip(COLUMNS, chart.rows[label], strict=True)
            )
            lines.append(f'<tr><td style="text-align:left">{escape(label)}</td>{cells}</tr>')
    lines += ["</table>", f'<p style="font-size:85%">{escape(LEGEND)}</p>']
    return "\n".join(lines) + "\n"


def _html_cell(cell: str, marked: bool) -> str:
    background, ink = letter_colour(cell)
    style = f"text-align:center;min-width:2em;background:{background};color:{ink}"
    if marked:
        style += ";font-weight:bold;outline:2px solid #b3261e"
    return f'<td style="{style}">{escape(cell)}</td>'
