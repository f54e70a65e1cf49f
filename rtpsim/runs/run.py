"""Run: what is to be played, and what it is known by wherever a part of it turns up again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import rtpsim
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
        "game_sha256": run.game.sha256,
        "chart_sha256": run.chart.sha256,
        "rules": str(run.game.rules),
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


_NAMES = {
    "game_sha256": "game",
    "chart_sha256": "chart",
    "side_bets": "side bets",
    "chunks": "share of the chunks",
    "chunk_rounds": "rounds of a chunk",
    "stream_version": "version of the random streams",
    "rtpsim": "version of rtpsim",
    "code": "code of rtpsim",
}


def difference(found: dict[str, Any], wanted: dict[str, Any]) -> str | None:
    """Say in words where a run's identity differs from the one that is wanted; None if nowhere."""
    for key, value in wanted.items():
        if key not in found:
            return f"its {_NAMES.get(key, key)} is missing"
        if found[key] != value:
            return f"its {_NAMES.get(key, key)} is {_short(found[key])}, not {_short(value)}"
    return None


def _short(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    text = str(value)
    return text[:12] if len(text) == 64 else text
