"""Plots: every function takes ``ax=``, returns it, and draws in the house style."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rtpsim.plots.chart import plot_chart
    from rtpsim.plots.contributions import plot_contributions
    from rtpsim.plots.convergence import plot_convergence
    from rtpsim.plots.costs import plot_costs
    from rtpsim.plots.effects import plot_effects
    from rtpsim.plots.residuals import plot_residuals
    from rtpsim.plots.sessions import plot_session_distribution, plot_sessions
    from rtpsim.plots.style import house_style, svg_text
    from rtpsim.plots.sweep import plot_sweep
    from rtpsim.plots.verdicts import VerdictLine, plot_verdicts, verdict_lines

__all__ = [
    "VerdictLine",
    "house_style",
    "plot_chart",
    "plot_contributions",
    "plot_convergence",
    "plot_costs",
    "plot_effects",
    "plot_residuals",
    "plot_session_distribution",
    "plot_sessions",
    "plot_sweep",
    "plot_verdicts",
    "svg_text",
    "verdict_lines",
]

_MODULES = {
    "VerdictLine": "verdicts",
    "house_style": "style",
    "plot_chart": "chart",
    "plot_contributions": "contributions",
    "plot_convergence": "convergence",
    "plot_costs": "costs",
    "plot_effects": "effects",
    "plot_residuals": "residuals",
    "plot_session_distribution": "sessions",
    "plot_sessions": "sessions",
    "plot_sweep": "sweep",
    "plot_verdicts": "verdicts",
    "svg_text": "style",
    "verdict_lines": "verdicts",
}
"""Which module has what: matplotlib is loaded by the first plot that is asked for."""


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"rtpsim.plots.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
