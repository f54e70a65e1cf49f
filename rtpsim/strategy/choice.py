"""Ways to play as people name them: a chart, a chart's name or file, or a best way to play."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from rtpsim.errors import InputError, suggestion
from rtpsim.strategy.chart import Chart
from rtpsim.strategy.files import read_chart

if TYPE_CHECKING:
    from typing import TypeAlias

AnyStrategy: TypeAlias = "Chart | str | os.PathLike[str]"
"""A chart; a chart's name or file; or one out of `STRATEGIES`."""

STRATEGIES: Final = ("default", "optimal-td", "optimal-2c", "optimal-cd")
"""The ways to play that depend on the game: its own chart, and the best ones of three kinds."""


def chosen_strategy(strategy: AnyStrategy) -> Chart | str:
    """Return the chart that is meant, or the name out of `STRATEGIES`.

    Parameters
    ----------
    strategy
        A `Chart`; a name out of `STRATEGIES`; a chart's name (``ordinary``) or file.

    Raises
    ------
    InputError
        If there is no such way to play, or the file is no chart.
    """
    if isinstance(strategy, Chart) or strategy in STRATEGIES:
        return strategy
    given = os.fspath(strategy)
    if given.startswith("optimal-"):
        raise InputError(
            f"strategy '{given}': allowed are {', '.join(STRATEGIES)} or a chart"
            f"{suggestion(given, STRATEGIES)}"
        )
    return read_chart(given)


def strategy_name(strategy: Chart | str) -> str:
    """Return what a way to play is called in tables."""
    return strategy.name if isinstance(strategy, Chart) else strategy
