"""Blocks of a run: the tallies of up to 256 stretches of it, each of which can be played again."""

from __future__ import annotations

import hashlib
import itertools
import struct
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rtpsim.cards import VALUE_CLASSES
from rtpsim.errors import InputError, shown
from rtpsim.simulation.run import Block, add_counts, make_plan, run_blocks
from rtpsim.simulation.tally import Tally, make_tally
from rtpsim.statistics import Estimate, main_figures, return_estimate
from rtpsim.verdicts import LEVEL

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from rtpsim.games import Game
    from rtpsim.results import BetTerms
    from rtpsim.simulation.buffers import Counts
    from rtpsim.simulation.run import Plan
    from rtpsim.strategy import Chart

MAX_BLOCKS = 256
"""Blocks that a run is cut into at the most."""

_EQUAL = 192
"""So many blocks are of one length; the first of them is cut further, into the others."""


@dataclass(frozen=True)
class BlockTally:
    """What a block of neighbouring chunks of a run counted.

    Attributes
    ----------
    first_chunk, chunks
        The block's first chunk and how many there are
        (`rtpsim.simulation.streams.CHUNK_ROUNDS` rounds each, but for the run's last).
    rounds
        Rounds played.
    outcomes, insurance
        (net, wager) of the round -> rounds, of the main game without insurance and of insurance.
    side_bets
        Side bet -> winning outcomes of the round, sorted -> rounds.
    sha256
        Of all counts of the block, those of every label and initial hand among them: see
        `counts_sha256`.
    """

    first_chunk: int
    chunks: int
    rounds: int
    outcomes: Mapping[tuple[int, int], int]
    insurance: Mapping[tuple[int, int], int]
    side_bets: Mapping[str, Mapping[tuple[str, ...], int]]
    sha256: str


@dataclass(frozen=True)
class ConvergencePoint:
    """What a run's first blocks say of the main game.

    Attributes
    ----------
    rounds
        Rounds of the blocks so far.
    rtp_initial, rtp_total
        Return on the initial and on the total wager.
    """

    rounds: int
    rtp_initial: Estimate
    rtp_total: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with half-widths of the 99 % interval."""
        return {
            "rounds": self.rounds,
            "rtp_initial": self.rtp_initial.value,
            "half_width_initial": self.rtp_initial.half_width(LEVEL),
            "rtp_total": self.rtp_total.value,
            "half_width_total": self.rtp_total.half_width(LEVEL),
        }


@dataclass(frozen=True)
class Blocks:
    """The blocks of a run, in order and without gaps.

    Attributes
    ----------
    unit
        Results and wagers are whole numbers of 1 / ``unit`` initial wagers.
    hands
        Hands a round.
    blocks
        The blocks.

    Raises
    ------
    InputError
        If there are none, or they do not follow each other from chunk 0 on.
    """

    unit: int
    hands: int
    blocks: tuple[BlockTally, ...]

    def __post_init__(self) -> None:
        expected = 0
        for number, block in enumerate(self.blocks):
            if block.first_chunk != expected or block.chunks < 1:
                raise InputError(
                    f"blocks.{number}: chunks {block.first_chunk} to "
                    f"{block.first_chunk + block.chunks - 1}; expected from chunk {expected} on"
                )
            expected += block.chunks
        if not self.blocks:
            raise InputError("blocks: expected at least one")

    @property
    def rounds(self) -> int:
        """Rounds of all blocks."""
        return sum(block.rounds for block in self.blocks)

    @cached_property
    def outcomes(self) -> dict[tuple[int, int], int]:
        """(net, wager) of the round -> rounds, over all blocks."""
        return _sum([block.outcomes for block in self.blocks])

    @cached_property
    def insurance(self) -> dict[tuple[int, int], int]:
        """(net, wager) of the round's insurance -> rounds, over all blocks."""
        return _sum([block.insurance for block in self.blocks])

    @cached_property
    def side_bets(self) -> dict[str, dict[tuple[str, ...], int]]:
        """Side bet -> winning outcomes of the round -> rounds, over all blocks."""
        names = self.blocks[0].side_bets
        return {name: _sum([block.side_bets[name] for block in self.blocks]) for name in names}

    def convergence(self) -> list[ConvergencePoint]:
        """Return the main game's returns after the first block, the first two, and so on."""
        sums: Counter[tuple[int, int]] = Counter()
        points = []
        for block in self.blocks:
            sums.update(block.outcomes)
            figures = main_figures(sums, self.unit, self.hands)
            points.append(ConvergencePoint(figures.rounds, figures.rtp_initial, figures.rtp_total))
        return points

    def bet_convergence(self, bet: BetTerms) -> list[tuple[int, Estimate]]:
        """Return a side bet's rounds and return after the first block, the first two, ..."""
        sums: Counter[tuple[str, ...]] = Counter()
        points = []
        for block in self.blocks:
            sums.update(block.side_bets[bet.id])
            points.append((sum(sums.values()), return_estimate(sums, bet.pays, bet.stakes)))
        return points

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON: the outcomes once, then each block's counts of them."""
        outcomes, insurance = list(self.outcomes), list(self.insurance)
        bets = {bet: list(tally) for bet, tally in self.side_bets.items()}
        return {
            "unit": f"1/{self.unit}",
            "hands": self.hands,
            "outcomes": [list(key) for key in outcomes],
            "insurance": [list(key) for key in insurance],
            "side_bets": {bet: [list(key) for key in keys] for bet, keys in bets.items()},
            "blocks": [
                {
                    "first_chunk": block.first_chunk,
                    "chunks": block.chunks,
                    "rounds": block.rounds,
                    "outcomes": [block.outcomes.get(key, 0) for key in outcomes],
                    "insurance": [block.insurance.get(key, 0) for key in insurance],
                    "side_bets": {
                        bet: [block.side_bets[bet].get(key, 0) for key in keys]
                        for bet, keys in bets.items()
                    },
                    "sha256": block.sha256,
                }
                for block in self.blocks
            ],
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Blocks:
        """Return what `to_dict` wrote.

        Raises
        ------
        InputError
            If it is damaged, or a block's parts do not count the same rounds.
        """
        try:
            unit, hands = int(document["unit"].removeprefix("1/")), int(document["hands"])
            outcomes = [(net, wager) for net, wager in document["outcomes"]]
            insurance = [(net, wager) for net, wager in document["insurance"]]
            bets = {bet: [*map(tuple, keys)] for bet, keys in document["side_bets"].items()}
            blocks = tuple(
                _read_block(block, outcomes, insurance, bets) for block in document["blocks"]
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"blocks: damaged ({shown(str(error))})") from None
        for number, block in enumerate(blocks):
            for name, tally in _parts(block).items():
                if (counted := sum(tally.values())) != block.rounds:
                    raise InputError(
                        f"blocks.{number}.{name}: {counted} rounds counted; {block.rounds} played"
                    )
        return cls(unit, hands, blocks)

    def to_frame(self) -> pd.DataFrame:
        """Return `convergence` as a table: a row a block, columns as its ``to_dict``."""
        import pandas as pd

        return pd.DataFrame([point.to_dict() for point in self.convergence()])


@dataclass(frozen=True)
class BlockRun:
    """A run played in blocks: the tally of all, and the blocks."""

    tally: Tally
    blocks: Blocks


def block_ranges(chunks: int, most: int = MAX_BLOCKS) -> list[range]:
    """Cut the chunks of a run into blocks.

    Three in four blocks are of nearly one length; the first of these is cut into the rest, which
    grow from one chunk on, so that a plot against the logarithm of rounds begins early.
    """
    if chunks <= most:
        return [range(chunk, chunk + 1) for chunk in range(chunks)]
    equal = max(1, most * _EQUAL // MAX_BLOCKS)
    ends = [chunks * number // equal for number in range(1, equal + 1)]
    first = np.geomspace(1, ends[0], most - equal + 1)
    early = np.unique(np.round(first).astype(np.int64)).tolist()
    starts = [0, *early, *ends[1:]]
    return [range(start, end) for start, end in itertools.pairwise(starts)]


def simulate_blocks(
    game: Game,
    chart: Chart,
    *,
    rounds: int,
    seed: int = 1,
    hands: int = 1,
    workers: int | None = None,
    side_bets: Sequence[str] | None = None,
    progress: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> BlockRun:
    """Play a number of rounds as `rtpsim.simulation.simulate` does, and keep them in blocks.

    The tally is the same, number for number. Where the run is stopped the blocks are those
    played, the last perhaps cut short.

    Parameters
    ----------
    game, chart, rounds, seed, hands, workers, side_bets, progress, stop
        As in `rtpsim.simulation.simulate`.

    Raises
    ------
    InputError
        If something asked is not allowed, or the run is stopped before a round was played.
    ShoeExhaustedError
        If a round needs more cards than the shoe holds.
    """
    plan = make_plan(game, chart, rounds=rounds, seed=seed, hands=hands, side_bets=side_bets)
    total = plan.new_counts()
    blocks: list[BlockTally] = []

    tallying = _Tallying(plan)

    def done(block: Block) -> None:
        add_counts(total, block.counts)
        blocks.append(tallying.tally(block))

    ranges = block_ranges(plan.chunks)
    run_blocks(plan, ranges, done, workers=workers, progress=progress, stop=stop)
    if not blocks:
        raise InputError(f"{game.id}: stopped before a round was played")
    counts = plan.ordered(total)
    tally = make_tally(plan.program, counts, hands, plan.bets, plan.offsets)
    return BlockRun(tally, Blocks(tally.unit, hands, tuple(blocks)))


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
    tally = _Tallying(plan).tally
    run_blocks(plan, [chunks], lambda played: found.append(tally(played)), workers=workers)
    return Replay(found[0], tuple(_differences(block, found[0])))


def _differences(before: BlockTally, now: BlockTally) -> list[str]:
    """Say what two tallies of the same block differ in."""
    place = f"block at chunk {before.first_chunk}"
    found = []
    if before.rounds != now.rounds:
        found.append(f"{place}: {before.rounds} rounds; played again: {now.rounds}")
    parts = _parts(now)
    for name, tally in _parts(before).items():
        for key in sorted({*tally, *parts[name]}):
            was, is_now = tally.get(key, 0), parts[name].get(key, 0)
            if was != is_now:
                found.append(f"{place}: {name} {key}: {was} rounds; played again: {is_now}")
    if before.sha256 != now.sha256:
        found.append(f"{place}: sha256 {before.sha256[:12]}; played again: {now.sha256[:12]}")
    return found


def counts_sha256(counts: Counts) -> str:
    """Return the SHA-256 of counts, so laid out that anybody can make it again.

    The five arrays follow each other in the order of `rtpsim.simulation.buffers.Counts`: labels
    (in the order of `rtpsim.program.compiler.Program.label`), initial cards, totals, insurance and
    side bets. Of each, first how many numbers it has and then the numbers, all as 64-bit integers,
    little-endian.

    Parameters
    ----------
    counts
        Counts as `rtpsim.simulation.buffers.ordered` puts them in order.
    """
    digest = hashlib.sha256()
    for array in counts:
        digest.update(struct.pack("<q", array.size))
        digest.update(np.ascontiguousarray(array, dtype="<i8").data)
    return digest.hexdigest()


@dataclass(frozen=True)
class _Tallying:
    """How a plan's blocks are tallied: of labels and initial cards only the hash is kept."""

    plan: Plan

    @cached_property
    def _payouts(self) -> list[tuple[list[list[int]], NDArray[np.int64]]]:
        """Return what rounds of one hand can pay, and which of it each label does, up card apart.

        First for the main game, then for the insurance.
        """
        paid = self.plan.program.settlement.reshape(-1, 4)
        found = []
        for columns in (paid[:, :2], paid[:, 2:]):
            kinds, kind = np.unique(columns, axis=0, return_inverse=True)
            found.append((kinds.tolist(), kind.ravel().astype(np.int64)))
        return found

    def tally(self, block: Block) -> BlockTally:
        """Tally a block."""
        plan = self.plan
        counts = plan.ordered(block.counts)
        bare = counts._replace(labels=np.zeros_like(counts.labels))
        tally = make_tally(plan.program, bare, plan.hands, plan.bets, plan.offsets)
        outcomes, insurance = tally.outcomes, tally.insurance
        if plan.hands == 1:
            outcomes, insurance = self._settle(counts.labels)
        return BlockTally(
            first_chunk=block.chunks.start,
            chunks=len(block.chunks),
            rounds=int(counts.labels.sum()),
            outcomes=outcomes,
            insurance=insurance,
            side_bets=tally.side_bets,
            sha256=counts_sha256(counts),
        )

    def _settle(self, labels: NDArray[np.int64]) -> list[dict[tuple[int, int], int]]:
        """Settle the labels of rounds of one hand all at once: main game and insurance."""
        rounds = labels.reshape(len(VALUE_CLASSES), -1).sum(axis=0)
        found = []
        for kinds, kind in self._payouts:
            counted = np.zeros(len(kinds), dtype=np.int64)
            np.add.at(counted, kind, rounds)
            cells = zip(kinds, counted.tolist(), strict=True)
            found.append({(net, wager): count for (net, wager), count in cells if count})
        return found


def _sum(tallies: list[Mapping[Any, int]]) -> dict[Any, int]:
    """Add tallies up, keys in order."""
    total: Counter[Any] = Counter()
    for tally in tallies:
        total.update(tally)
    return {key: total[key] for key in sorted(total)}


def _parts(block: BlockTally) -> dict[str, Mapping[Any, int]]:
    """Return a block's tallies by name."""
    bets = {f"side bet {bet}": tally for bet, tally in block.side_bets.items()}
    return {"outcomes": block.outcomes, "insurance": block.insurance, **bets}


def _read_block(
    document: Mapping[str, Any],
    outcomes: list[tuple[int, int]],
    insurance: list[tuple[int, int]],
    bets: Mapping[str, list[tuple[str, ...]]],
) -> BlockTally:
    """Read one block, given what its counts are counts of."""

    def tally(keys: list[Any], counts: list[int]) -> dict[Any, int]:
        for count in counts:
            if type(count) is not int or count < 0:
                raise ValueError(f"count {count!r}")
        return {key: count for key, count in zip(keys, counts, strict=True) if count}

    return BlockTally(
        first_chunk=int(document["first_chunk"]),
        chunks=int(document["chunks"]),
        rounds=int(document["rounds"]),
        outcomes=tally(outcomes, document["outcomes"]),
        insurance=tally(insurance, document["insurance"]),
        side_bets={bet: tally(keys, document["side_bets"][bet]) for bet, keys in bets.items()},
        sha256=str(document["sha256"]),
    )
