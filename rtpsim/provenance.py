"""Where a run came from: all that may differ when the same thing is run again."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass, field
from importlib import metadata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rtpsim.games import Game
    from rtpsim.strategy import Chart


@dataclass(frozen=True)
class Provenance:
    """Everything about a run that may differ when the same thing is run again, and its hashes.

    Attributes
    ----------
    game_sha256, strategy_sha256
        Of the canonical content of the game and of the chart.
    settings
        Which option of each of the game's readings was in force.
    rounds_asked
        More than were played where the run was stopped.
    started
        Local time with its offset, ISO 8601.
    duration_s, rounds_per_s
        Wall time of the simulation in seconds, and its speed.
    workers
        Threads.
    machine, versions
        What it ran on.
    command
        The command line, or what else started the run.
    """

    game_sha256: str = ""
    strategy_sha256: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    rounds_asked: int | None = None
    started: str = ""
    duration_s: float | None = None
    rounds_per_s: float | None = None
    workers: int | None = None
    machine: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    command: str = ""

    @classmethod
    def collect(
        cls,
        game: Game,
        chart: Chart,
        *,
        started: str = "",
        duration_s: float | None = None,
        rounds: int = 0,
        rounds_asked: int | None = None,
        workers: int | None = None,
        command: str = "",
    ) -> Provenance:
        """Note where a run came from; machine and versions are found out here."""
        packages = ("rtpsim", "numpy", "numba", "scipy")
        return cls(
            game_sha256=game.sha256,
            strategy_sha256=chart.sha256,
            settings=dict(game.chosen),
            rounds_asked=rounds_asked,
            started=started,
            duration_s=duration_s,
            rounds_per_s=rounds / duration_s if duration_s else None,
            workers=workers,
            machine=f"{platform.system()} {platform.release()} {platform.machine()}",
            versions={
                "python": ".".join(map(str, sys.version_info[:3])),
                **{name: metadata.version(name) for name in packages},
            },
            command=command,
        )
