"""The PDF has all that the page has, on numbered pages."""

import importlib.util
import shutil
import subprocess

import pytest

from rtpsim.errors import RtpsimError
from rtpsim.report.html.pdf import write_pdf

PAGE = """<!DOCTYPE html><html lang="en"><head><title>x</title><style>
@page { size: A4; @bottom-right { content: "Page " counter(page) " of " counter(pages); } }
</style></head><body><nav>contents</nav><p data-at="a.b text">first</p>
<table class="few screen-only"><tr><td>only on the screen</td></tr></table>
<p style="break-before: page"><span data-at="c text">second</span></p></body></html>"""


def has_weasyprint():
    if importlib.util.find_spec("weasyprint") is None:
        return False
    try:
        import weasyprint  # noqa: F401
    except OSError:
        return False
    return True


@pytest.fixture
def pages(tmp_path):
    """Return the text of each page of the PDF of `PAGE`."""
    if not has_weasyprint():
        pytest.skip("WeasyPrint or Pango is not installed")
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext (poppler-utils) is not installed")
    write_pdf(PAGE, tmp_path / "x.pdf")
    done = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "x.pdf", "-"],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split("\f")[:-1]


def test_pages_are_numbered_and_hold_the_text(pages):
    assert len(pages) == 2
    assert "first" in pages[0]
    assert "Page 1 of 2" in pages[0]
    assert "second" in pages[1]
    assert "Page 2 of 2" in pages[1]


def test_what_paper_does_not_show_is_left_out(pages):
    assert not any("only on the screen" in page or "contents" in page for page in pages)


def test_the_same_page_gives_the_same_bytes(tmp_path):
    if not has_weasyprint():
        pytest.skip("WeasyPrint or Pango is not installed")
    for name in ("one.pdf", "two.pdf"):
        write_pdf(PAGE, tmp_path / name)
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


def test_a_missing_library_is_said_in_a_line(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "weasyprint", None)
    with pytest.raises(RtpsimError, match=r"PDF needs WeasyPrint \(pip install 'rtpsim\[pdf\]'\)"):
        write_pdf(PAGE, tmp_path / "x.pdf")
    assert not (tmp_path / "x.pdf").exists()
