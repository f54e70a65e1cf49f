"""The report as PDF, made from its HTML."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from rtpsim.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

# What paper does not show, taken out before a page is laid out: WeasyPrint's time is spent by the
# element, by the attribute and by the rule.
_NOT_ON_PAPER = (
    re.compile(r'<table class="[^"]*\bscreen-only\b.*?</table>', re.DOTALL),
    re.compile(r"<nav\b.*?</nav>", re.DOTALL),
    re.compile(r' data-(?:field|format|label)="[^"]*"'),
)
_BARE_SPAN = re.compile(r"<span>([^<]*)</span>")


def write_pdf(html: str, path: Path) -> None:
    """Write a report's page as a PDF of A4 pages with page numbers.

    Parameters
    ----------
    html
        What `rtpsim.report.html.render_html` returns.
    path
        The file to write; the same bytes for the same page and the same WeasyPrint.

    Raises
    ------
    InputError
        If WeasyPrint or the libraries that it needs are not installed, or the file cannot be
        written.
    """
    try:
        from weasyprint import HTML
    except (ImportError, OSError) as error:  # OSError: Pango, which is no Python package
        raise InputError(
            "PDF needs WeasyPrint (pip install 'rtpsim[pdf]') and Pango (Debian: apt-get install "
            f"libpango-1.0-0 libpangoft2-1.0-0): {str(error).splitlines()[0]}"
        ) from None
    page = HTML(string=_for_paper(html))
    data = page.write_pdf(pdf_identifier=hashlib.sha256(html.encode()).digest()[:16])
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def _for_paper(html: str) -> str:
    """Return a page without what paper does not show."""
    for part in _NOT_ON_PAPER:
        html = part.sub("", html)
    return _BARE_SPAN.sub(r"\1", html)
