"""rtpsim proves what a blackjack game pays: exactly, and by simulation, card by card.

Every name of `rtpsim.__all__` takes a game as a `Game`, a name of the catalogue, a game file or a
rule string, and a strategy as a `Chart`, a chart's name or file, or ``default``, ``optimal-td``,
``optimal-2c`` or ``optimal-cd``. Money is in units of the initial wager.

>>> import rtpsim
>>> game = rtpsim.load_game("signature-surrender")
>>> found = rtpsim.exact(game.replace(decks=6, soft17="hit"), moments=False)
>>> print(f"{100 * -found.ev:.4f} % house edge")
0.5958 % house edge
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rtpsim.analysis.changes import compare
    from rtpsim.analysis.cost import cost
    from rtpsim.analysis.differences import diff
    from rtpsim.analysis.effects import effects
    from rtpsim.analysis.habits import rank
    from rtpsim.analysis.sweep import sweep
    from rtpsim.api import simulate, verify
    from rtpsim.exact import exact
    from rtpsim.exact.hand import hand
    from rtpsim.exact.solver import solve
    from rtpsim.games import Game, game_names, load_game
    from rtpsim.strategy import Chart, read_chart
    from rtpsim.verification.readings import readings

__version__ = "0.1.0"

__all__ = [
    "Chart",
    "Game",
    "compare",
    "cost",
    "diff",
    "effects",
    "exact",
    "game_names",
    "hand",
    "load_game",
    "rank",
    "read_chart",
    "readings",
    "simulate",
    "solve",
    "sweep",
    "verify",
]

_HOMES = {
    "Chart": "rtpsim.strategy",
    "Game": "rtpsim.games",
    "compare": "rtpsim.analysis.changes",
    "cost": "rtpsim.analysis.cost",
    "diff": "rtpsim.analysis.differences",
    "effects": "rtpsim.analysis.effects",
    "game_names": "rtpsim.games",
    "hand": "rtpsim.exact.hand",
    "load_game": "rtpsim.games",
    "rank": "rtpsim.analysis.habits",
    "read_chart": "rtpsim.strategy",
    "readings": "rtpsim.verification.readings",
    "simulate": "rtpsim.api",
    "solve": "rtpsim.exact.solver",
    "sweep": "rtpsim.analysis.sweep",
    "verify": "rtpsim.api",
}
"""Where the public names live; they are looked up when they are first asked for, which keeps
`import rtpsim` and the command line quick."""


def __getattr__(name: str) -> object:
    if name == "exact":  # a package that can be called as its main function
        return import_module("rtpsim.exact")
    if name not in _HOMES:
        raise AttributeError(f"module 'rtpsim' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
