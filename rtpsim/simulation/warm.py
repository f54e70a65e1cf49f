"""Warming up: have the kernel compiled, or loaded, before anybody looks at the clock."""

from __future__ import annotations

from functools import cache

from rtpsim.games import Game
from rtpsim.rules import Rules
from rtpsim.simulation.run import simulate
from rtpsim.strategy import default_chart


@cache
def warm_up(*, several: bool = False) -> None:
    """Play one round of some game, once in a process, and forget it.

    Parameters
    ----------
    several
        Whether several hands a round are going to be played, which takes another kernel.
    """
    game = Game.from_rules(Rules(decks=1, splits=0))
    simulate(game, default_chart(game), rounds=1, hands=1 + several, workers=1)
