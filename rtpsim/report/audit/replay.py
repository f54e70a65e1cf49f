"""Replay: a block of a report's run played again, and compared with what was counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtpsim.errors import InputError
from rtpsim.runs.blocks import BlockTally, Tallying
from rtpsim.simulation.run import make_plan, run_blocks

if TYPE_CHECKING:
    from rtpsim.games import Game
    from rtpsim.strategy import Chart


@dataclass(frozen=True)
class Replay:
    """A block played again.

    Attributes
    ----------
    block
        What it counted now.
    differences
        What is not as it was, one line each; empty where every bit is the same.
    """

    block: BlockTally
    differences: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether everything is as it was."""
        return not self.differences


def replay(
    game: Game,
    chart: Chart,
    seed: int,
    rounds: int,
    hands: int,
    block: BlockTally,
    *,
    workers: int | None = None,
) -> Replay:
    """Play one block of a run again and compare it with what was counted, bit for bit.

    Parameters
    ----------
    game, chart, seed, rounds, hands
        What the whole run is a function of.
    block
        The block as it was counted; its side bets are those played.
    workers
        Threads.

    Raises
    ------
    InputError
        If the run has no such chunks, or something else is not allowed.
    """
    bets = list(block.side_bets)
    plan = make_plan(game, chart, rounds=rounds, seed=seed, hands=hands, side_bets=bets)
    chunks = range(block.first_chunk, block.first_chunk + block.chunks)
    if not chunks or chunks.start < 0 or chunks.stop > plan.chunks:
        raise InputError(
            f"block: chunks {chunks.start} to {chunks.stop - 1}; a run of {rounds} rounds has 0 to "
            f"{plan.chunks - 1}"
        )
    found: list[BlockTally] = []
    tally = Tallying(plan).tally
    run_blocks(plan, [chunks], lambda played: found.append(tally(played)), workers=workers)
    return Replay(found[0], tuple(_differences(block, found[0])))


def _differences(before: BlockTally, now: BlockTally) -> list[str]:
    """Say what two tallies of the same block differ in."""
    place = f"block at chunk {before.first_chunk}"
    found = []
    if before.rounds != now.rounds:
        found.append(f"{place}: {before.rounds} rounds; played again: {now.rounds}")
    for name, tally in before.parts.items():
        tally_now = now.parts[name]
        for key in sorted({*tally, *tally_now}):
            was, is_now = tally.get(key, 0), tally_now.get(key, 0)
            if was != is_now:
                found.append(f"{place}: {name} {key}: {was} rounds; played again: {is_now}")
    if before.sha256 != now.sha256:
        found.append(f"{place}: sha256 {before.sha256[:12]}; played again: {now.sha256[:12]}")
    return found
