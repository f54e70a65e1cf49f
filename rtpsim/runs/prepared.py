"""Prepared runs: checked and compiled, then played to a result that says where it came from."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rtpsim.errors import InputError
from rtpsim.provenance import Provenance
from rtpsim.results import SimulationResult
from rtpsim.results.chunks import Chunks
from rtpsim.runs.play import Threads, play, rounds_of
from rtpsim.simulation import available_cores
from rtpsim.simulation.streams import CHUNK_ROUNDS

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from rtpsim.runs.blocks import BlockTally
    from rtpsim.runs.checkpoint import Checkpoint
    from rtpsim.runs.play import Engine, Played
    from rtpsim.runs.run import Run
    from rtpsim.simulation.run import Plan


class NothingPlayedError(InputError):
    """A run was stopped before any round was counted."""


@dataclass(frozen=True)
class Finished:
    """A run that was played, to its end or until it was stopped.

    Attributes
    ----------
    result
        What it counted.
    asked
        How many rounds it, or the share that is played here, was to have.
    blocks
        The same in blocks; None where nobody asked.
    """

    result: SimulationResult
    asked: int
    blocks: tuple[BlockTally, ...] | None = None

    @property
    def complete(self) -> bool:
        """Whether nothing stopped it."""
        return self.result.rounds == self.asked


@dataclass(frozen=True)
class Prepared:
    """A run that can begin at once.

    Attributes
    ----------
    run, plan, engine
        What is played, and where.
    """

    run: Run
    plan: Plan
    engine: Engine

    @property
    def rounds(self) -> int:
        """Rounds of the run, or of the share of it that is played here."""
        return rounds_of(self.plan, self.run.chunks(self.plan))

    def play(
        self,
        *,
        checkpoint: Checkpoint | None = None,
        in_blocks: bool = False,
        rule: str = "",
        command: str = "",
        progress: Callable[[int], None] | None = None,
        stop: threading.Event | None = None,
    ) -> Finished:
        """Play the run, or what is left of it.

        Parameters
        ----------
        checkpoint, in_blocks, progress, stop
            As for `rtpsim.runs.play.play`.
        rule
            What the number of rounds follows from, if it was not given.
        command
            The command line, or what else started the run.

        Raises
        ------
        NothingPlayedError
            If it was stopped before any round was counted.
        InputError
            If the checkpoint cannot be used.
        ShoeExhaustedError
            If a round needs more cards than the shoe holds.
        """
        run = self.run
        started = datetime.now().astimezone().isoformat(timespec="seconds")
        began = time.perf_counter()
        played = play(
            run,
            self.plan,
            engine=self.engine,
            checkpoint=checkpoint,
            in_blocks=in_blocks,
            progress=progress,
            stop=stop,
        )
        if played.tally.rounds == 0:
            raise NothingPlayedError(f"{run.game.id}: stopped before a round was played")
        provenance = self._provenance(
            played,
            started=started,
            duration_s=time.perf_counter() - began,
            stopping_rule=rule,
            command=command,
        )
        chunks = Chunks(played.chunks.start, played.chunks.stop, CHUNK_ROUNDS)
        result = SimulationResult.from_tally(
            run.game, run.chart, run.seed, played.tally, provenance, chunks
        )
        return Finished(result, self.rounds, played.blocks)

    def _provenance(self, played: Played, **told: Any) -> Provenance:
        run = self.run
        return Provenance.collect(
            run.game,
            run.chart,
            rounds=played.tally.rounds,
            rounds_asked=run.rounds,
            workers=self.engine.workers,
            resumed_rounds=played.resumed_rounds,
            shard=str(run.shard or ""),
            scheduler=self.engine.address,
            **told,
        )


def prepare(run: Run, engine: Engine | None = None) -> Prepared:
    """Check a run, and do what counts neither as time nor as speed.

    Parameters
    ----------
    run
        What is to be played.
    engine
        Where; by default on threads of this machine, one a core.

    Raises
    ------
    InputError
        If something asked is not allowed.
    """
    engine = engine or Threads(available_cores())
    plan = run.plan()
    engine.get_ready(run)
    return Prepared(run, plan, engine)
