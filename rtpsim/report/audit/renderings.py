"""Renderings of a report compared with those that are made of it now."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from rtpsim.report.files import render
from rtpsim.report.html.pdf import NoPdfError

if TYPE_CHECKING:
    from rtpsim.report.model import Report

OTHERS = (".html", ".xlsx", ".pdf")


def compare_renderings(report: Report, source: Path) -> tuple[list[str], list[str]]:
    """Make the other renderings again and compare them with the files beside the JSON.

    Parameters
    ----------
    source
        The JSON file.

    Returns
    -------
    tuple
        Faults, and notes on what was not compared; a line each.
    """
    faults: list[str] = []
    notes = []
    there = [suffix for suffix in OTHERS if source.with_suffix(suffix).is_file()]
    notes += [
        f"{source.with_suffix(suffix).name} is not there and was not compared"
        for suffix in OTHERS
        if suffix not in there
    ]
    with tempfile.TemporaryDirectory(prefix="rtpsim-") as folder:
        try:
            render(report, Path(folder), source.stem, there)
        except NoPdfError as error:
            notes.append(f"{source.stem}.pdf was not compared: {error}")
            there.remove(".pdf")
        for suffix in there:
            file = source.with_suffix(suffix)
            expected = Path(folder) / file.name
            fault = _COMPARE[suffix](file, expected)
            if fault:
                faults.append(f"{file.name}: {fault}")
    return faults, notes


def _text(file: Path, expected: Path) -> str | None:
    """Compare text line by line."""
    printed = file.read_bytes().decode("utf-8", errors="replace").splitlines()
    anew = expected.read_text(encoding="utf-8").splitlines()
    for number, (one, other) in enumerate(zip(printed, anew, strict=False), start=1):
        if one != other:
            return f"line {number}: {_around(one, other)}"
    if len(printed) != len(anew):
        return f"{len(printed)} lines, {len(anew)} expected"
    return None


def _around(one: str, other: str, width: int = 40) -> str:
    """Show where two lines part."""
    place = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    start = max(0, place - width // 2)
    printed, expected = one[start : start + width], other[start : start + width]
    return f"'{printed.strip()}' in print, '{expected.strip()}' expected"


def _archive(file: Path, expected: Path) -> str | None:
    """Compare the members of a workbook, which is a zip archive."""
    try:
        with zipfile.ZipFile(file) as printed, zipfile.ZipFile(expected) as anew:
            names = anew.namelist()
            if printed.namelist() != names:
                return "other parts than expected"
            for name in names:
                one, other = printed.read(name), anew.read(name)
                if one != other:
                    shown = _around(one.decode(errors="replace"), other.decode(errors="replace"))
                    return f"{name}: {shown}"
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError):
        return "damaged, or no workbook"
    return None


def _same_bytes(file: Path, expected: Path) -> str | None:
    """Compare bytes."""
    return None if file.read_bytes() == expected.read_bytes() else "other content than expected"


_COMPARE = {".html": _text, ".xlsx": _archive, ".pdf": _same_bytes}
