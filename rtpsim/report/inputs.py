"""Inputs of a report: game, chart and limits as plain values, and read back from them."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pydantic import ValidationError

from rtpsim.errors import InputError
from rtpsim.games import Game
from rtpsim.report.model import Inputs
from rtpsim.strategy import (
    Chart,
    check_chart,
    default_chart,
    format_chart,
    parse_chart,
    strategy_names,
    write_chart,
)
from rtpsim.verification.judging import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Opened:
    """What a report is about.

    Attributes
    ----------
    game, chart, limits
        What is verified, how it is played, by which limits.
    """

    game: Game
    chart: Chart
    limits: Limits


def pack_inputs(game: Game, chart: Chart, limits: Limits | None = None) -> Inputs:
    """Return game, chart and limits as a report holds them."""
    own = default_chart(game)
    return Inputs(
        game_json=game_json(game),
        chart_name=chart.name,
        chart_csv=format_chart(chart),
        own_chart_name=own.name,
        own_chart_csv=format_chart(own),
        limits=asdict(limits or Limits()),
    )


def game_json(game: Game) -> str:
    """Return a game as JSON: rules as a rule string, a chart's file without its folder.

    The order of options and outcomes counts, so it is kept as text.
    """
    document = game.model_dump(mode="json")
    document |= {"rules": str(game.rules), "chart": Path(game.chart).name}
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


@contextmanager
def opened(inputs: Inputs) -> Iterator[Opened]:
    """Read game, chart and limits back.

    The game's own chart comes from the report too, not from the machine that reads it: it lies in
    a folder of its own until the context ends.

    Raises
    ------
    InputError
        If they are no game, no charts or no limits.
    """
    with TemporaryDirectory(prefix="rtpsim-") as folder:
        try:
            game = Game.model_validate(json.loads(inputs.game_json))
            limits = Limits(**inputs.limits)
        except (ValidationError, TypeError, ValueError) as error:
            raise InputError(f"inputs: {_first_line(error)}") from None
        own = parse_chart(inputs.own_chart_csv, "inputs.own_chart_csv", inputs.own_chart_name)
        chart = parse_chart(inputs.chart_csv, "inputs.chart_csv", inputs.chart_name)
        if game.chart not in strategy_names() or default_chart(game) != own:
            if Path(own.name).name != own.name:
                raise InputError(f"inputs.own_chart_name: '{own.name}' is no name of a chart")
            file = Path(folder) / f"{own.name}.csv"
            write_chart(own, file)
            game = game.model_copy(update={"chart": str(file)})
        check_chart(chart, game)
        yield Opened(game, chart, limits)


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        fault = error.errors()[0]
        return f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"
    return str(error).partition("\n")[0]
