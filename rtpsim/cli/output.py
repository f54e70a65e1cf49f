"""What the commands print with: console, tables, JSON, numbers."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console
    from rich.table import Table

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it (128 + SIGINT)."""
TERMINATED = 143
"""Exit status after SIGTERM (128 + SIGTERM)."""

NARROW = 60
"""Columns that every output has to be readable in."""
WIDE = 100
"""Columns that no text is wider than: longer lines are hard to read."""

_HARD_BLANK = "\N{NO-BREAK SPACE}"

VERDICT_STYLES = {
    "PASS": "green",
    "REPRODUCED": "green",
    "REPRODUCED UNDER A READING": "green",
    "INCONCLUSIVE": "yellow",
    "FAIL": "bold red",
    "NOT REPRODUCED": "bold red",
}
"""How a verdict looks on a terminal; the others are as plain as text."""


def console(*, stderr: bool = False) -> Console:
    """Return a console that is no wider than text should be."""
    from rich.console import Console

    made = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if made.width > WIDE:
        made.width = WIDE
    return made


def print_table(out: Console, rows: Table) -> None:
    """Print a table without the blanks at its lines' ends."""
    with out.capture() as captured:
        out.print(rows)
    for line in captured.get().splitlines():
        click.echo(line.rstrip())


def print_json(value: Any) -> None:
    """Print a value as JSON, the same bytes for the same value."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def table(*columns: str) -> Table:
    """Return a table: first column to the left, the others, being figures, to the right.

    A column whose name begins with ``<`` is to the left as well.
    """
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for index, column in enumerate(columns):
        left = index == 0 or column.startswith("<")
        made.add_column(column.lstrip("<"), justify="left" if left else "right", overflow="fold")
    return made


def wrap(text: str, width: int, indent: str = "  ", first: str | None = None) -> str:
    """Break a text into lines of at most `width` columns, indented."""
    import textwrap

    joined = " ".join(text.split())
    for together in (" %", "± "):  # a number and its sign stay on one line
        joined = joined.replace(together, together.replace(" ", _HARD_BLANK))
    filled = textwrap.fill(
        joined,
        width=max(width, NARROW // 2),
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )
    return filled.replace(_HARD_BLANK, " ")


def percent(value: float) -> str:
    """Write a proportion as a percentage."""
    return f"{100 * value:.4f} %"


def count(number: int) -> str:
    """Write a count with its thousands apart."""
    return f"{number:,}"


def one_in(frequency: float) -> str:
    """Write the odds of something as ``1 in N``."""
    if frequency <= 0:
        return "never"
    odds = 1 / frequency
    return f"1 in {odds:,.0f}" if odds >= 100 else f"1 in {odds:.1f}"


def columns_of(cells: Iterable[Sequence[str]], gap: str = "  ", indent: str = "  ") -> list[str]:
    """Lay short texts out in columns, each as wide as its widest text, without a table."""
    rows = [list(row) for row in cells]
    if not rows:
        return []
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))]
    return [
        indent
        + gap.join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip()
        for row in rows
    ]


def note(text: str) -> None:
    """Say on stderr what a person has to know though the command goes on."""
    click.echo(f"rtpsim: {text}", err=True)


def say(text: str) -> None:
    """Tell somebody who is looking at stderr what takes time; say nothing to a file."""
    if is_terminal():
        click.echo(f"rtpsim: {text}", err=True)


def is_terminal() -> bool:
    """Say whether somebody is looking at stderr."""
    return bool(getattr(sys.stderr, "isatty", lambda: False)())
