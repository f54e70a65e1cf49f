"""Warming up: have the kernel compiled, or loaded, before anybody looks at the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.simulation.run import simulate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtpsim.games import Game
    from rtpsim.strategy import Chart


def warm_up(
    game: Game, chart: Chart, *, hands: int = 1, side_bets: Sequence[str] | None = None
) -> None:
    """Play one round and forget it; see `rtpsim.simulation.simulate` for the arguments."""
    simulate(game, chart, rounds=1, hands=hands, side_bets=side_bets, workers=1)
