"""The report as PDF, made from its HTML."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rtpsim.errors import InputError, RtpsimError

if TYPE_CHECKING:
    from collections.abc import Callable

# What paper does not show, taken out before a page is laid out: WeasyPrint's time is spent by the
# element, by the attribute and by the rule.
_NOT_ON_PAPER = (
    re.compile(r'<table class="[^"]*\bscreen-only\b.*?</table>', re.DOTALL),
    re.compile(r"<nav\b.*?</nav>", re.DOTALL),
    re.compile(r' data-(?:at|label)="[^"]*"'),
)
_NO_PDF = 4
"""Exit status of the process that makes a PDF, where nothing is installed that could."""

_BARE_SPAN = re.compile(r"<span>([^<]*)</span>")


class NoPdfError(InputError):
    """PDF files cannot be made here, since what makes them is not installed."""


def write_pdf(html: str, path: Path) -> None:
    """Write a report's page as a PDF of A4 pages with page numbers.

    Parameters
    ----------
    html
        What `rtpsim.report.html.page.render_html` returns.
    path
        The file to write; the same bytes for the same page and the same WeasyPrint.

    Raises
    ------
    NoPdfError
        If WeasyPrint or the libraries that it needs are not installed.
    InputError
        If the file cannot be written.
    """
    try:
        from weasyprint import HTML
    except (ImportError, OSError) as error:  # OSError: Pango, which is no Python package
        raise NoPdfError(
            "PDF needs WeasyPrint (pip install 'rtpsim[pdf]') and Pango (Debian: apt-get install "
            f"libpango-1.0-0 libpangoft2-1.0-0): {str(error).splitlines()[0]}"
        ) from None
    page = HTML(string=_for_paper(html))
    data = page.write_pdf(pdf_identifier=hashlib.sha256(html.encode()).digest()[:16])
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def write_pdf_apart(page: Path, path: Path) -> Callable[[], None]:
    """Have a PDF written by a process of its own; return what waits for it.

    Laying pages out takes seconds of pure Python, which would hold up every other thread.

    Parameters
    ----------
    page
        File of the page.
    path
        The file to write.

    Raises
    ------
    NoPdfError
        By the function returned: if WeasyPrint or what it needs is not installed.
    RtpsimError
        By the function returned: if the process fails.
    """
    command = [sys.executable, "-m", "rtpsim.report.html.pdf", str(page), str(path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def wait() -> None:
        said = process.communicate()[1].decode(errors="replace").strip()
        if process.returncode == _NO_PDF:
            raise NoPdfError(said)
        if process.returncode != 0:
            last = said.splitlines()[-1] if said else f"status {process.returncode}"
            raise RtpsimError(f"{path.name}: the PDF could not be made ({last})")

    return wait


def main(page: str, path: str) -> int:
    """Write a page's PDF; return an exit status."""
    try:
        write_pdf(Path(page).read_text(encoding="utf-8"), Path(path))
    except NoPdfError as error:
        print(error, file=sys.stderr)
        return _NO_PDF
    return 0


def _for_paper(html: str) -> str:
    """Return a page without what paper does not show."""
    for part in _NOT_ON_PAPER:
        html = part.sub("", html)
    return _BARE_SPAN.sub(r"\1", html)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
