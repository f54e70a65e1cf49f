"""A headless LibreOffice that computes a workbook's formulas anew."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = shutil.which("soffice") or shutil.which("libreoffice")

# every sheet as CSV: comma, quotes, UTF-8, from the first line, raw numbers, all sheets (-1)
_CSV = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1"


def change(source: Path, target: Path, member: str, pattern: str, replacement: str) -> None:
    """Copy a workbook with a change to the members whose name matches."""
    changed = 0
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if re.fullmatch(member, name):
                text, times = re.subn(pattern, replacement, data.decode())
                data = text.encode()
                changed += times
            new.writestr(name, data)
    assert changed, "nothing is changed"


def without_values(source: Path, target: Path) -> None:
    """Copy a workbook without the values that its formulas carry: they have to be computed."""
    change(source, target, r"xl/worksheets/sheet\d+\.xml", r"(</f>)<v>[^<]*</v>", r"\1")


def recalculated(workbook: Path, folder: Path) -> dict[str, list[list[str]]]:
    """Return the cells of every sheet, by its name, as LibreOffice computes them."""
    out = folder / "csv"
    done = subprocess.run(
        [
            PROGRAM,
            f"-env:UserInstallation={(folder / 'office').as_uri()}",
            "--headless",
            "--convert-to",
            _CSV,
            "--outdir",
            out,
            workbook,
        ],
        capture_output=True,
        text=True,
        timeout=180,
    )
    found = {}
    for file in out.glob(f"{workbook.stem}-*.csv"):
        with file.open(encoding="utf-8", newline="") as lines:
            found[file.stem.removeprefix(f"{workbook.stem}-")] = list(csv.reader(lines))
    assert found, done.stderr
    return found


def number_at(sheets: dict[str, list[list[str]]], place: str) -> float:
    """Return the number in a cell, as ``'Main game'!B4``; percentages come with their sign."""
    match = re.fullmatch(r"'(.*)'!([A-Z])(\d+)", place)
    row = sheets[match[1].replace("''", "'")][int(match[3]) - 1]
    column = ord(match[2]) - ord("A")
    text = row[column]
    return float(text.removesuffix("%")) / 100 if text.endswith("%") else float(text)
