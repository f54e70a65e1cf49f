"""Where a run came from: all that may differ when the same thing is run again."""

from __future__ import annotations

import hashlib
import platform
import sys
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rtpsim.games import Game
    from rtpsim.program.composition import Strategy


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
    resumed_rounds
        Rounds that an earlier process played and a checkpoint kept; they count neither as time nor
        as speed.
    shard
        Which share of the run this is, as ``3/16``; empty for a whole one.
    scheduler
        Address of the cluster that played; empty for threads of one machine.
    stopping_rule
        What the number of rounds follows from, chosen before any was played; empty where it was
        given.
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
    resumed_rounds: int = 0
    shard: str = ""
    scheduler: str = ""
    stopping_rule: str = ""
    machine: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    command: str = ""

    @classmethod
    def collect(
        cls,
        game: Game,
        chart: Strategy,
        *,
        started: str = "",
        duration_s: float | None = None,
        rounds: int = 0,
        rounds_asked: int | None = None,
        workers: int | None = None,
        resumed_rounds: int = 0,
        shard: str = "",
        scheduler: str = "",
        stopping_rule: str = "",
        command: str = "",
    ) -> Provenance:
        """Note where a run came from; machine and versions are found out here.

        `rounds` are those of the whole tally, resumed ones among them.
        """
        packages = ("rtpsim", "numpy", "numba", "scipy")
        return cls(
            game_sha256=game.sha256,
            strategy_sha256=chart.sha256,
            settings=dict(game.chosen),
            rounds_asked=rounds_asked,
            started=started,
            duration_s=duration_s,
            rounds_per_s=(rounds - resumed_rounds) / duration_s if duration_s else None,
            workers=workers,
            resumed_rounds=resumed_rounds,
            shard=shard,
            scheduler=scheduler,
            stopping_rule=stopping_rule,
            machine=f"{platform.system()} {platform.release()} {platform.machine()}",
            versions={
                "python": ".".join(map(str, sys.version_info[:3])),
                **{name: metadata.version(name) for name in packages},
            },
            command=command,
        )


@cache
def source_hash(*parts: str, without: tuple[str, ...] = ()) -> str:
    """Return a hash of the program's own text, which tells versions apart that are called alike.

    Parameters
    ----------
    parts
        Modules (``cards.py``) and packages (``program``) that count; all of them by default.
    without
        Those that do not.
    """
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for file in sorted(package.rglob("*.py")):
        place = file.relative_to(package)
        if (not parts or place.parts[0] in parts) and place.parts[0] not in without:
            digest.update(f"{place.as_posix()}\n".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()
