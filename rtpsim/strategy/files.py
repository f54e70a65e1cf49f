"""Chart files: where they are, reading and writing them."""

from __future__ import annotations

import os
import re
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rtpsim.errors import InputError, shown, suggestion
from rtpsim.files import write_whole
from rtpsim.strategy.chart import Chart, format_chart
from rtpsim.strategy.formats import parse_any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

MAX_BYTES: Final = 1_000_000
"""A chart is a page of text; what is longer than this is something else."""

_CONTROL: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def strategies_dir() -> Traversable:
    """Return the folder of the chart files that come with the program.

    They stand inside an installed package, and beside it in a source checkout.
    """
    package = files("rtpsim")
    installed = package / "strategies"
    if installed.is_dir():
        return installed
    return Path(str(package)).parent / "strategies"


def strategy_names() -> list[str]:
    """Return the names of the charts that come with the program."""
    return sorted(
        entry.name.removesuffix(".csv")
        for entry in strategies_dir().iterdir()
        if entry.name.endswith(".csv")
    )


def read_chart(path_or_name: str | os.PathLike[str]) -> Chart:
    """Read a chart file, in any format that `rtpsim.strategy.formats.parse_any` understands.

    Parameters
    ----------
    path_or_name
        A file, or the name of a chart that comes with the program (``ordinary``). A bare name is
        looked for among those first; ``./ordinary`` is a file.

    Returns
    -------
    Chart
        The chart, named as the file without its ending.

    Raises
    ------
    InputError
        If there is no such chart, or the file is no chart: naming file, line and column.

    Examples
    --------
    >>> read_chart("ordinary").rows["pair 8"]
    ('P', 'P', 'P', 'P', 'P', 'P', 'P', 'P', 'P', 'P')
    """
    given = os.fspath(path_or_name)
    if isinstance(path_or_name, str) and Path(given).name == given:
        stem = given.removesuffix(".csv")
        if stem in strategy_names() and (given == stem or not Path(given).exists()):
            return parse_bytes((strategies_dir() / f"{stem}.csv").read_bytes(), f"{stem}.csv", stem)
    return parse_bytes(_read_bytes(given), given, Path(given).stem)


def write_chart(chart: Chart, path: str | Path) -> None:
    """Write a chart as CSV; reading it back gives an equal chart under the file's name.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    try:
        content = format_chart(chart).encode()
        write_whole(path, lambda part: part.write_bytes(content))
    except OSError as error:
        raise InputError(
            f"chart file {shown(str(path))}: cannot be written ({error.strerror})"
        ) from None


def _read_bytes(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        names = strategy_names()
        raise InputError(
            f"chart {shown(path)}: no such file, and no chart of that name"
            f"{suggestion(path, names)}\n"
            f"charts that come with the program: {', '.join(names)}"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"chart file {shown(path)}: cannot be read ({reason})") from None
    return data


def parse_bytes(data: bytes, source: str, name: str) -> Chart:
    """Return the chart that a file's content is.

    Parameters
    ----------
    data
        The file's bytes: text, UTF-8.
    source, name
        What messages call the file, and the chart's name.

    Raises
    ------
    InputError
        If it is no text, or no chart: naming line and column.
    """
    if len(data) > MAX_BYTES:
        raise InputError(
            f"{source}, line 1, column 1: more than {MAX_BYTES:_} bytes; expected a chart, about "
            "2000 bytes of text"
        )
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError(
            f"{source}, line 1, column 1: UTF-16 text; expected UTF-8 (a spreadsheet's 'CSV UTF-8')"
        )
    if (odd := _CONTROL.search(data)) is not None:
        raise InputError(
            f"{_position(data, odd.start(), source)}: a control character, as in a binary file; "
            "expected a chart as text"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{_position(data, error.start, source)}: not UTF-8; expected a chart as UTF-8 text"
        ) from None
    return parse_any(text, source, name)


def _position(data: bytes, offset: int, source: str) -> str:
    """Say where a byte stands; its column counts bytes."""
    before = data[:offset]
    line, column = before.count(b"\n") + 1, offset - before.rfind(b"\n")
    return f"{source}, line {line}, column {column}"
