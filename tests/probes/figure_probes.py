"""A fault for every figure: each field of each result is another as soon as it is made."""

import importlib
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction

import numpy as np
from planting import other_value

from rtpsim.statistics.estimates import Estimate


def moved(value):
    """Return another figure of the same kind, by about a hundredth; None where there is none."""
    if isinstance(value, Estimate):
        return replace(value, value=moved(value.value))
    if is_dataclass(value):
        numbers = [one.name for one in fields(value) if type(getattr(value, one.name)) is float]
        return replace(value, **{numbers[0]: moved(getattr(value, numbers[0]))})
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float | Fraction):
        return value + type(value)(abs(value) / 100 + Fraction(1, 1000))
    if isinstance(value, np.ndarray):
        return value * 1.01
    if isinstance(value, tuple):
        return value[1:]
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, Mapping):
        return {key: moved(one) for key, one in value.items()}
    return value


def error_moved(value):
    """Return an estimate with a standard error a hundredth larger."""
    return replace(value, standard_error=1.01 * value.standard_error)


@dataclass(frozen=True)
class FigureProbe:
    """A figure that is another: `field` of the class at `place`, ``module:class``."""

    place: str
    field: str
    change: object
    checks: tuple[str, ...]
    compiled: bool = True

    @property
    def name(self):
        """What is wrong, for people."""
        what = "the error of " if self.change is error_moved else ""
        return f"{self.place}: {what}{self.field}"

    @contextmanager
    def planted(self):
        made = class_of(self.place).__init__

        def init(result, *values, **named):
            made(result, *values, **named)
            object.__setattr__(result, self.field, self.change(getattr(result, self.field)))

        with other_value(f"rtpsim.{self.place}.__init__", init):
            yield


def class_of(place):
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(f"rtpsim.{module}"), name)


MARKED = "volatility/test_covariances.py::test_what_is_out_of_exact_reach_is_marked"
EXACT = (
    "cli/test_cli_exact.py::TestExact::test_json_has_every_figure",
    "volatility/test_volatility.py::TestWholeRound::test_insurance",
    "exact/test_exact_published.py::test_the_variance_is_what_is_published",
)
MOMENTS = "exact/test_exact_enumeration.py::test_moments_are_those_of_the_enumeration"
CHECKS = {
    "statistics.estimates:Estimate": "statistics/test_statistics.py",
    "statistics.estimates:MainFigures": "statistics/test_statistics.py",
    "statistics.significance:TestResult": "statistics/test_significance.py",
    "volatility.indices:Volatility": "volatility/test_volatility.py",
    "volatility.indices:Tolerance": "volatility/test_volatility.py",
    "volatility.indices:WholeRound": "volatility/test_volatility.py",
    "volatility.sessions:NetLaw": "volatility/test_sessions.py",
    "volatility.sessions:Session": "volatility/test_sessions.py",
    "volatility.sessions:Ruin": "volatility/test_sessions.py",
    "volatility.covariances:HandsCovariance": "volatility/test_covariances.py::TestHands",
    "volatility.covariances:WagerCovariance": MARKED,
    "outcomes.contributions:Contribution": "outcomes/test_contributions.py",
    "outcomes.contributions:Contributions": "outcomes/test_contributions.py",
    "outcomes.extremes:Extreme": "outcomes/test_extremes.py",
    "statistics.expected:DealCounts": "statistics/test_expected.py",
    "sidebets:OutcomeCounts": "test_sidebets.py",
    "exact.result:ExactResult": EXACT,
    "exact.moments:Moments": MOMENTS,
    "exact.figures:ExactFigures": "exact/test_figures.py::test_frequencies_are_whole",
}
"""Classes of results whose fields are figures, and the tests that must notice."""

NO_FIGURES = {
    # what a figure is about, or where it comes from
    "exact.result:ExactResult": {
        "game",
        "strategy",
        "split_model",
        "note",
        "seconds",
        "openings",
        "moments",
    },
    "exact.figures:ExactFigures": {"cached", "document"},
    "statistics.significance:TestResult": {"name", "wager"},
    "volatility.indices:Tolerance": {"wager", "base", "rounds"},
}


def figures_of(place):
    """Return the names of a class's figures, and which of them are estimates."""
    named = {one.name: str(one.type) for one in fields(class_of(place))}
    left_out = NO_FIGURES.get(place, set())
    assert left_out <= set(named)
    return {name: kind == "Estimate" for name, kind in named.items() if name not in left_out}


ALL = [
    FigureProbe(place, field, change, (check,) if isinstance(check, str) else check)
    for place, check in CHECKS.items()
    for field, estimate in figures_of(place).items()
    for change in ((moved, error_moved) if estimate else (moved,))
]
PROBES = {probe.name: probe for probe in ALL}

FIGURES_IN = (
    "statistics.estimates",
    "statistics.significance",
    "statistics.expected",
    "volatility.indices",
    "volatility.sessions",
    "volatility.covariances",
    "outcomes.extremes",
    "outcomes.contributions",
    "exact.figures",
    "exact.result",
    "exact.moments",
)
"""Modules every class of which is to have probes."""


def classes_in(module):
    """Yield the places of a module's own classes of results."""
    found = importlib.import_module(f"rtpsim.{module}")
    for name, thing in vars(found).items():
        if is_dataclass(thing) and thing.__module__ == found.__name__ and name[0] != "_":
            yield f"{module}:{name}"
