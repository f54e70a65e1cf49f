"""Run: what is to be played, and what it is known by wherever a part of it turns up again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import rtpsim
from rtpsim.errors import shown
from rtpsim.provenance import source_hash
from rtpsim.simulation.run import Plan, make_plan
from rtpsim.simulation.streams import CHUNK_ROUNDS, STREAM_VERSION

if TYPE_CHECKING:
    from rtpsim.games import Game
    from rtpsim.program.composition import Strategy
    from rtpsim.runs.shards import Shard

COUNTING_CODE = (
    "cards.py",
    "games",
    "program",
    "rules.py",
    "sidebets.py",
    "simulation",
    "strategy",
)
"""Parts of the program that decide what a run counts, and where in its arrays."""


@dataclass(frozen=True)
class Run:
    """A simulation to be played, the whole of it or one share.

    Attributes
    ----------
    game, chart
        What is played, and how.
    rounds
        Rounds of the whole run.
    seed, hands
        As for `rtpsim.simulation.simulate`.
    side_bets
        Ids of the side bets to count; None for all of the game's.
    shard
        The share that is played here; None for all of it.
    """

    game: Game
    chart: Strategy
    rounds: int
    seed: int = 1
    hands: int = 1
    side_bets: tuple[str, ...] | None = None
    shard: Shard | None = None

    def plan(self) -> Plan:
        """Check what is asked and compile it; see `rtpsim.simulation.run.make_plan`."""
        return make_plan(
            self.game,
            self.chart,
            rounds=self.rounds,
            seed=self.seed,
            hands=self.hands,
            side_bets=self.side_bets,
        )

    def chunks(self, plan: Plan) -> range:
        """Return the numbers of the chunks that are played here.

        Raises
        ------
        InputError
            If the shard has none.
        """
        return range(plan.chunks) if self.shard is None else self.shard.chunks(plan.chunks)


def identity(run: Run, plan: Plan) -> dict[str, Any]:
    """Return what a run is known by: all that its counts depend on, as plain values for JSON.

    Two runs of one identity count the same integers in the same places. Names of games and charts
    are not among it, nor is what changes the speed alone.
    """
    chunks = run.chunks(plan)
    return {
        "rules": str(run.game.rules),
        "game_sha256": run.game.sha256,
        "chart_sha256": run.chart.sha256,
        "seed": run.seed,
        "rounds": run.rounds,
        "hands": run.hands,
        "side_bets": [bet.id for bet in plan.bets],
        "chunks": [chunks.start, chunks.stop],
        "chunk_rounds": CHUNK_ROUNDS,
        "stream_version": STREAM_VERSION,
        "rtpsim": rtpsim.__version__,
        "code": source_hash(*COUNTING_CODE),
    }


_WORDS = {
    "rules": "its rules are {}, not {}",
    "game_sha256": "the hash of its game is {}, not {}",
    "chart_sha256": "the hash of its strategy is {}, not {}",
    "rounds": "it has {} rounds, not {}",
    "hands": "its hands a round are {}, not {}",
    "side_bets": "its side bets are {}, not {}",
    "chunks": "its chunks are {}, not {}",
    "chunk_rounds": "its chunks have {} rounds, not {}",
    "stream_version": "its version of the random streams is {}, not {}",
    "rtpsim": "its version of rtpsim is {}, not {}",
    "code": "its code of rtpsim is {}, not {}",
}


def difference(found: dict[str, Any], wanted: dict[str, Any]) -> str | None:
    """Say in words where a run's identity differs from the one that is wanted; None if nowhere."""
    for key, value in wanted.items():
        words = _WORDS.get(key, f"its {key} is {{}}, not {{}}")
        if key not in found:
            return words.format("missing", _short(key, value))
        if found[key] != value:
            return words.format(_short(key, found[key]), _short(key, value))
    return None


def _short(key: str, value: Any) -> str:
    """Return a value of an identity as a message shows it; it may come from a damaged file."""
    if isinstance(value, str):
        return value[:12] if key.endswith("sha256") or key == "code" else value[:120]
    if key == "chunks" and isinstance(value, list) and [*map(type, value)] == [int, int]:
        return f"{value[0]} to {value[1] - 1}"
    if key.endswith("rounds") and type(value) is int:
        return f"{value:,}"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)[:120] or "none"
    return shown(value)
