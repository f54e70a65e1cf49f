"""Figures of the report: each an inline SVG with a title and a description to be read aloud."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from markupsafe import Markup

from rtpsim.report.formats import BASES, minus, two_digits

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rtpsim.report.model import Convergence, Report, WagerJudged

_WIDTH = 5.0
"""Inches: on a telephone, where they are shrunk to its width, their text is still legible."""


def report_figures(report: Report) -> dict[str, Markup]:
    """Return the figures of a report as SVG, by name.

    Parameters
    ----------
    report
        The report.

    Returns
    -------
    dict
        ``verdicts``; ``convergence-`` with the wager's id; ``residuals``, ``sessions``,
        ``effects`` where there is something to show.
    """
    figures = {"verdicts": _verdicts(report)}
    for one in report.convergence:
        figures[f"convergence-{one.wager}"] = _convergence(one)
    if any(cell.residual is not None for table in report.frequencies for cell in table.cells):
        figures["residuals"] = _residuals(report)
    if report.volatility.sessions:
        figures["sessions"] = _sessions(report)
    if report.effects.rows:
        figures["effects"] = _effects(report)
    return figures


def _svg(name: str, ax: Axes, title: str, description: str) -> Markup:
    """Return a drawn figure for a page: ids of its own, size by the page, title and description."""
    from rtpsim.plots.style import svg_text

    text = svg_text(ax.figure, f"rtpsim-{name}")  # type: ignore[arg-type]
    text = text[text.index("<svg") :]
    text = re.sub(r'(\bid="|url\(#|xlink:href="#)', rf"\g<1>{name}-", text)
    body = text[text.index(">") + 1 :]
    view = re.search(r'viewBox="[^"]*"', text)
    said = Markup('<title id="{0}-title">{1}</title><desc id="{0}-desc">{2}</desc>').format(
        name, title, description
    )
    opening = (
        f'<svg class="plot" xmlns="http://www.w3.org/2000/svg" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink" {view[0] if view else ""} role="img" '
        f'aria-labelledby="{name}-title {name}-desc">'
    )
    return Markup(opening) + said + Markup(re.sub(r"\n\s*", "\n", body))


def _verdicts(report: Report) -> Markup:
    from rtpsim.plots import VerdictLine, plot_verdicts
    from rtpsim.plots.style import new_figure

    lines = [
        VerdictLine(
            one.title,
            one.exact,
            one.simulated.value,
            one.simulated.half_width_99,
            None if one.published is None else (one.published.low, one.published.high),
        )
        for one in report.wagers
    ]
    _, ax = new_figure(width=_WIDTH, height=1.0 + 0.34 * len(lines))
    plot_verdicts(lines, ax=ax)
    said = "; ".join(_said(one) for one in report.wagers)
    return _svg("verdicts", ax, "Published, exact and simulated returns", f"{said}.")


def _said(one: WagerJudged) -> str:
    """Say a wager's line of the picture in words."""
    parts = [] if one.published is None else [f"published {one.published.figure} %"]
    parts.append(f"exact {100 * one.exact:.4f} %")
    if one.simulated.value is not None and one.simulated.half_width_99 is not None:
        half = two_digits(100 * one.simulated.half_width_99)
        parts.append(f"simulated {100 * one.simulated.value:.4f} plus or minus {half} %")
    return f"{one.title}, {BASES[one.base]}: {', '.join(parts)}"


def _convergence(one: Convergence) -> Markup:
    from rtpsim.plots import plot_convergence
    from rtpsim.plots.style import house_style, new_figure

    points = one.points
    _, ax = new_figure(width=_WIDTH, height=2.7)
    plot_convergence(
        [point.rounds for point in points],
        [point.value for point in points],
        [math.nan if one.half_width_99 is None else one.half_width_99 for one in points],
        one.exact,
        quantity="Return",
        ax=ax,
    )
    with house_style():
        ax.set_title(f"{one.title}: return {BASES[one.base]}")
    said = "The estimate and its 99 % interval as rounds add up; the exact value is a dashed line."
    if points:
        said += (
            f" After {points[-1].rounds:,} rounds the estimate is {100 * points[-1].value:.4f} %, "
            f"the exact return {100 * one.exact:.4f} %."
        )
    return _svg(f"convergence-{_name(one.wager)}", ax, f"{one.title}: convergence", said)


def _name(text: str) -> str:
    """Return a text as an id can hold it."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _residuals(report: Report) -> Markup:
    from rtpsim.plots import plot_residuals
    from rtpsim.plots.style import house_style, new_figure

    tables = {
        table.title: {cell.cell: cell.residual for cell in table.cells if cell.residual is not None}
        for table in report.frequencies
    }
    shown = {title: cells for title, cells in tables.items() if cells}
    _, ax = new_figure(width=_WIDTH, height=0.9 + 0.44 * len(shown))
    plot_residuals(shown, ax=ax)
    with house_style():
        ax.set_title("Residuals of all cells")
    values = [value for cells in shown.values() for value in cells.values()]
    said = (
        f"Standardised residuals of {len(values)} cells in {len(shown)} tables; the largest is "
        f"{max(map(abs, values)):.2f} in size; "
        f"{sum(abs(value) > 2.576 for value in values)} lie beyond 2.576."
    )
    return _svg("residuals", ax, "Standardised residuals of the frequencies", said)


def _sessions(report: Report) -> Markup:
    from rtpsim.plots import plot_sessions
    from rtpsim.plots.style import new_figure

    quantiles = {
        one.rounds: {quantile.probability: quantile.net for quantile in one.quantiles}
        for one in report.volatility.sessions
    }
    _, ax = new_figure(width=_WIDTH, height=1.3 + 0.36 * len(quantiles))
    plot_sessions(quantiles, ax=ax)
    said = "; ".join(
        f"{rounds:,} rounds: from {minus(f'{min(of.values()):,.1f}')} to "
        f"{minus(f'{max(of.values()):+,.1f}')} initial wagers"
        for rounds, of in quantiles.items()
    )
    return _svg("sessions", ax, "Net result of a session", f"Quantiles of the net result; {said}.")


def _effects(report: Report) -> Markup:
    from rtpsim.plots import plot_effects
    from rtpsim.plots.style import new_figure

    rows = report.effects.rows
    _, ax = new_figure(width=_WIDTH, height=0.9 + 0.19 * len(rows))
    plot_effects(
        [row.change for row in rows],
        [row.house_edge_change_bp / 1e4 for row in rows],
        ax=ax,
    )
    said = "; ".join(f"{row.change} {minus(f'{row.house_edge_change_bp:+.1f}')}" for row in rows)
    return _svg(
        "effects",
        ax,
        "Effect of single rule changes on the house edge",
        f"In basis points: {said}.",
    )
