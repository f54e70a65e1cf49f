"""What people see of the page in a browser: verdicts first, every table whole, nothing amiss."""

import browser
import pytest
from synthetic_report import synthetic_report

from rtpsim.report.html.page import render_html

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(browser.PROGRAM is None, reason="Chromium is not installed"),
]

SIZES = [(1280, 800), (390, 844)]

MEASURE = """(page, view) => {
  const box = one => { const b = one.getBoundingClientRect(); return [b.top, b.bottom, b.right]; };
  const wide = [...page.querySelectorAll("table, figure, pre, svg, h1, h2, p, li, dd")].filter(
    one => one.getBoundingClientRect().right > view.innerWidth + 0.5);
  for (const one of page.querySelectorAll("details")) one.open = true;
  const opened = [...page.querySelectorAll("table, pre")].filter(
    one => one.getBoundingClientRect().right > view.innerWidth + 0.5);
  view.scrollTo(0, 0);
  return {
    ident: box(page.querySelector(".ident")),
    verdicts: [...page.querySelectorAll(".verdicts .verdict")].map(box),
    picture: box(page.querySelector("#verdicts figure svg")),
    width: page.documentElement.scrollWidth,
    tables: page.querySelectorAll("table").length,
    wide: wide.concat(opened).map(one => one.outerHTML.slice(0, 80)),
    background: view.getComputedStyle(page.body).backgroundColor,
    ink: view.getComputedStyle(page.querySelector("#verdicts figure svg text")).fill,
    chart: [...page.querySelectorAll(".chart td")].filter(
      one => one.scrollWidth > one.clientWidth + 1).length,
    font: view.getComputedStyle(page.querySelector(".chart td")).fontSize,
    resources: view.performance.getEntriesByType("resource").map(one => one.name),
  };
}"""

BAD = """<!doctype html><html><body style="margin:0"><script>console.error("amiss")</script>
<img src="http://example.invalid/x.png"><table style="width:2000px"><tr><td>x</td></tr></table>
</body></html>"""


@pytest.fixture(scope="module")
def html():
    return render_html(synthetic_report(rounds=300_000))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_page_in_a_window(html, tmp_path, width, height):
    seen = browser.look(html, tmp_path, MEASURE, width=width, height=height)
    assert seen.console == []
    assert seen.requests == []
    assert [one for one in seen.found["resources"] if not one.startswith("data:")] == []
    # seen without scrolling: identification, every verdict, and the whole picture
    assert len(seen.found["verdicts"]) == 6
    for top, bottom, right in (
        seen.found["ident"],
        *seen.found["verdicts"],
        seen.found["picture"],
    ):
        assert 0 <= top < bottom <= height
        assert right <= width
    assert seen.found["width"] <= width
    assert seen.found["tables"] > 20
    assert seen.found["wide"] == []
    assert seen.found["chart"] == 0
    assert float(seen.found["font"].removesuffix("px")) >= 12


def test_the_page_in_the_dark(html, tmp_path):
    light = browser.look(html, tmp_path, MEASURE, width=1280, height=800).found
    dark = browser.look(html, tmp_path, MEASURE, width=1280, height=800, scheme="dark").found
    for name in ("background", "ink"):
        assert brightness(light[name]) != brightness(dark[name])
    assert brightness(dark["background"]) < 40 < 150 < brightness(dark["ink"])
    assert brightness(light["ink"]) < 110 < 240 < brightness(light["background"])


def brightness(colour):
    """Return the mean of the channels of ``rgb(r, g, b)``."""
    channels = colour[colour.index("(") + 1 : -1].split(",")[:3]
    return sum(map(int, channels)) / 3


def test_what_is_amiss_is_seen(tmp_path):
    measure = MEASURE[: MEASURE.index("  view.scrollTo")] + "  return opened.length; }"
    seen = browser.look(BAD, tmp_path, measure, width=390, height=844)
    assert seen.found == 1
    assert any("amiss" in line for line in seen.console)
    assert seen.requests == ["http://example.invalid/x.png"]
