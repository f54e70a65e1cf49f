"""The report as HTML: one page that needs nothing but itself."""

from __future__ import annotations

import base64
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from rtpsim.report.html.fields import Field, cell, figure, head, raw
from rtpsim.report.html.figures import report_figures
from rtpsim.strategy.notation import NO_CARDS

if TYPE_CHECKING:
    from jinja2 import Environment

    from rtpsim.report.model import Report

SECTIONS = (
    ("verdicts", "Verdicts"),
    ("game", "Game under test"),
    ("strategy", "Strategy assumed"),
    ("exact", "Exact results"),
    ("readings", "Readings"),
    ("design", "Simulation design"),
    ("simulated", "Simulated return and its uncertainty"),
    ("frequencies", "Outcome frequencies"),
    ("volatility", "Volatility"),
    ("extremes", "Largest win and loss"),
    ("contributions", "Where the return comes from"),
    ("effects", "Sensitivity to single rules"),
    ("randomness", "Randomness and independent witnesses"),
    ("reproducibility", "Reproducibility"),
    ("glossary", "Glossary"),
)
"""Sections 1-15: id and heading."""

KINDS = {
    "hard": "Hard totals",
    "soft": "Soft totals",
    "pair": "Pairs",
    "two-card": "Exceptions for two cards",
    "insurance": "Insurance (Y: yes, N: no)",
    "power split": "Power split (Y: yes, N: no)",
    "power double": "Power double (Y: yes, N: no)",
    "replace": "Third cards that are replaced after a power double",
}
"""Headings of the chart's parts, by the kind of their rows."""

_FACES = (
    ("Rtpsim Serif", 400, "rtpsim-serif-regular"),
    ("Rtpsim Serif", 600, "rtpsim-serif-semibold"),
    ("Rtpsim Sans", 400, "rtpsim-sans-regular"),
    ("Rtpsim Sans", 600, "rtpsim-sans-semibold"),
)


def render_html(report: Report) -> str:
    """Render a report as one self-contained page.

    Every figure on the page is an element whose ``data-at`` is its path in the report's JSON, a
    space, and the name of how it is printed (`rtpsim.report.formats`).

    Parameters
    ----------
    report
        The report.

    Returns
    -------
    str
        HTML: the same text for the same report. It loads nothing and runs no script.
    """
    document = report.model_dump(mode="json")
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            report=Field(document),
            figures=report_figures(report),
            sections=SECTIONS,
            palette=_palette(),
            dark=_dark(),
            faces=_faces(),
        )
    )


@cache
def _environment() -> Environment:
    """Return the templates' environment: everything is escaped, nothing may be missing."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("rtpsim.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(css=css_text, raw=raw, by=runs_by, changes=changes, entries=entries)
    environment.globals.update(
        figure=figure, cell=cell, head=head, kinds=KINDS, letter_class=letter_class
    )
    return environment


def runs_by(rows: Field, name: str) -> list[list[Field]]:
    """Return neighbouring rows that have the same value of a field, together."""
    return [list(group) for _, group in groupby(rows, key=lambda row: raw(getattr(row, name)))]


def changes(cell: Field, table: Field) -> list[tuple[Field, Field]]:
    """Return the readings of a cell of the readings table that are not the defaults, as options."""
    default = next(raw(other.options) for other in table.cells if raw(other.is_default))
    pairs = zip(table.readings, cell.options, default, strict=True)
    return [(reading, option) for reading, option, usual in pairs if raw(option) != usual]


def entries(field: Field) -> list[tuple[str, Field]]:
    """Return the fields of an object with their names, in the order of the names."""
    return [(name, getattr(field, name)) for name in sorted(raw(field))]


def css_text(text: str) -> Markup:
    """Return a text as it can stand between the quotes of a CSS string, inside an HTML page."""
    kept = (c if c.isalnum() or c in " -_." else f"\\{ord(c):x} " for c in text)
    return Markup("".join(kept))


def letter_class(letter: str) -> str:
    """Return the class of a chart's cell: by its action, or ``c-set`` for a set of cards."""
    if letter == NO_CARDS:
        return "c-N"
    return f"c-{letter[0]}" if letter[:1] in "HSDPRYN" and letter else "c-set"


def _palette() -> list[dict[str, str]]:
    """Return the colours of a chart's cells, by class."""
    from rtpsim.strategy.colours import letter_colour

    rows = []
    for letter in ("H", "S", "Dh", "P", "Rh", "Y", "N", "A2-7"):
        (light, ink), (dark, dark_ink) = letter_colour(letter), letter_colour(letter, dark=True)
        name = letter_class(letter)
        rows.append({"name": name, "light": light, "ink": ink, "dark": dark, "dark_ink": dark_ink})
    return rows


def _dark() -> dict[str, str]:
    """Return what each colour of a figure becomes on a dark page."""
    from rtpsim.plots.style import DARK

    return DARK


@cache
def _faces() -> list[dict[str, Any]]:
    """Return the typefaces, ready to be embedded."""
    from rtpsim.plots.style import FONTS

    return [
        {
            "family": family,
            "weight": weight,
            "data": Markup(base64.b64encode((FONTS / f"{file}.woff2").read_bytes()).decode()),
        }
        for family, weight, file in _FACES
    ]
