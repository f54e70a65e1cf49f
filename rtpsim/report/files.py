"""Files of a report: all renderings of it, written whole or not at all."""

from __future__ import annotations

import re
import shutil
import tempfile
import threading
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rtpsim.errors import InputError
from rtpsim.files import write_whole
from rtpsim.report.canonical import to_json
from rtpsim.report.html.page import render_html
from rtpsim.report.html.pdf import NoPdfError, write_pdf_apart
from rtpsim.report.workbook.workbook import write_workbook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtpsim.report.model import Report

_DRAWING = threading.Lock()
"""matplotlib has settings that all threads share."""

SUFFIXES = (".json", ".html", ".xlsx", ".pdf")
"""The renderings, in the order in which they are written."""


def check_folder(folder: Path) -> None:
    """Make the folder if need be, and refuse one that cannot be written, before anything is played.

    Raises
    ------
    InputError
        If it cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"--report {folder}: cannot be written ({reason})") from None


def file_stems(games: Sequence[str]) -> list[str]:
    """Return the names, without suffix, of the files of several games.

    Raises
    ------
    InputError
        If two of them would have the same files.
    """
    stems = [re.sub(r"[^\w.+-]+", "-", game).strip("-.") or "game" for game in games]
    twice = [stem for stem, times in Counter(stems).items() if times > 1]
    if twice:
        raise InputError(
            f"--report: two games would be written to {twice[0]}.json; verify them one by one"
        )
    return stems


def write_report(
    report: Report, folder: Path, stem: str, suffixes: Sequence[str] = SUFFIXES
) -> list[str]:
    """Write a report's files.

    All of them are made before any appears under its name, so that nothing half written is ever
    seen, and old files stay as they are if something goes wrong.

    Returns
    -------
    list of str
        What could not be written and why, a line each: a PDF, where no library makes one.

    Raises
    ------
    InputError
        If the files cannot be written.
    """
    notes = []
    with tempfile.TemporaryDirectory(prefix="rtpsim-") as parts:
        try:
            render(report, Path(parts), stem, suffixes)
        except NoPdfError as error:
            notes.append(f"{stem}.pdf is not written: {error}")
        for suffix in suffixes:
            part = Path(parts) / f"{stem}{suffix}"
            target = Path(folder) / part.name
            if not part.exists():
                continue
            try:
                write_whole(target, partial(shutil.copyfile, part))
            except OSError as error:
                raise InputError(
                    f"{target}: cannot be written ({error.strerror or error})"
                ) from None
    return notes


def render(report: Report, folder: Path, stem: str, suffixes: Sequence[str]) -> None:
    """Write renderings of a report, the PDF last.

    Raises
    ------
    NoPdfError
        If a PDF is asked for and the library that makes it is not installed.
    """
    pdf = None
    if ".html" in suffixes or ".pdf" in suffixes:
        page = folder / f"{stem}.html"
        with _DRAWING:
            _write(page, render_html(report))
        if ".pdf" in suffixes:
            pdf = write_pdf_apart(page, folder / f"{stem}.pdf")
    if ".json" in suffixes:
        _write(folder / f"{stem}.json", to_json(report))
    if ".xlsx" in suffixes:
        write_workbook(report, folder / f"{stem}.xlsx")
    if pdf is not None:
        pdf()


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
