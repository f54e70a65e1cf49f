"""Blocks of a run: the tallies of up to 256 stretches of it, each of which can be played again."""

from __future__ import annotations

import hashlib
import itertools
import struct
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rtpsim.cards import VALUE_CLASSES
from rtpsim.simulation.run import Block, add_counts
from rtpsim.simulation.tally import make_tally

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rtpsim.simulation.buffers import Counts
    from rtpsim.simulation.run import Plan

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

    @property
    def parts(self) -> dict[str, Mapping[Any, int]]:
        """The tallies by name, each of which counts every round."""
        bets = {f"side bet {bet}": tally for bet, tally in self.side_bets.items()}
        return {"outcomes": self.outcomes, "insurance": self.insurance, **bets}

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "first_chunk": self.first_chunk,
            "chunks": self.chunks,
            "rounds": self.rounds,
            "outcomes": _rows(self.outcomes),
            "insurance": _rows(self.insurance),
            "side_bets": {bet: _rows(tally) for bet, tally in self.side_bets.items()},
            "sha256": self.sha256,
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> BlockTally:
        """Return what `to_dict` wrote.

        Raises
        ------
        ValueError, KeyError, TypeError, AttributeError
            If it is damaged, or its parts do not count the same rounds.
        """
        block = cls(
            first_chunk=int(document["first_chunk"]),
            chunks=int(document["chunks"]),
            rounds=int(document["rounds"]),
            outcomes=_tally(document["outcomes"]),
            insurance=_tally(document["insurance"]),
            side_bets={bet: _tally(rows) for bet, rows in document["side_bets"].items()},
            sha256=str(document["sha256"]),
        )
        for name, tally in block.parts.items():
            if (counted := sum(tally.values())) != block.rounds:
                raise ValueError(f"{name}: {counted} rounds counted; {block.rounds} played")
        return block


def _rows(tally: Mapping[Any, int]) -> list[list[Any]]:
    """Return a tally as rows of a key and its count."""
    return [[list(key), count] for key, count in tally.items()]


def _tally(rows: Sequence[Any]) -> dict[Any, int]:
    """Return the tally that `_rows` wrote."""
    for _, count in rows:
        if type(count) is not int or count < 0:
            raise ValueError(f"count {count!r}")
    return {tuple(key): count for key, count in rows}


def block_ranges(chunks: range, most: int = MAX_BLOCKS) -> list[range]:
    """Cut the chunks of a run into blocks.

    Three in four blocks are of nearly one length; the first of these is cut into the rest, which
    grow from one chunk on, so that a plot against the logarithm of rounds begins early.
    """
    many = len(chunks)
    if many <= most:
        return [chunks[place : place + 1] for place in range(many)]
    equal = max(1, most * _EQUAL // MAX_BLOCKS)
    ends = [many * number // equal for number in range(1, equal + 1)]
    first = np.geomspace(1, ends[0], most - equal + 1)
    early = np.unique(np.round(first).astype(np.int64)).tolist()
    starts = [0, *early, *ends[1:]]
    return [chunks[start:end] for start, end in itertools.pairwise(starts)]


class BlocksSoFar(NamedTuple):
    """The blocks of a run that is being played.

    Attributes
    ----------
    whole
        Those that have been played to their ends, from the first one on.
    begun
        Counts of the next one, as far as it has been played; in the kernel's own order.
    """

    whole: tuple[BlockTally, ...]
    begun: Counts


class Ledger:
    """Takes a run's counts in order, and keeps its blocks.

    Parameters
    ----------
    plan, chunks
        What is played, and all chunks of it that are to be played.
    kept
        What has been played already.
    end
        Number of the chunk behind those.

    Raises
    ------
    ValueError
        If `kept` are not blocks of these chunks.
    """

    def __init__(
        self, plan: Plan, chunks: range, kept: BlocksSoFar | None = None, end: int | None = None
    ) -> None:
        self._plan = plan
        self._tallying = Tallying(plan)
        self._ranges = block_ranges(chunks)
        self._end = chunks.start if end is None else end
        self._whole = [] if kept is None else list(kept.whole)
        self._begun = plan.new_counts() if kept is None else kept.begun
        ends = [one.stop for one in self._ranges if one.stop <= self._end]
        if [block.first_chunk + block.chunks for block in self._whole] != ends:
            raise ValueError("its blocks are not those of the run")

    @property
    def so_far(self) -> BlocksSoFar:
        """What has been played."""
        return BlocksSoFar(tuple(self._whole), self._begun)

    @property
    def left(self) -> list[range]:
        """What of each block is still to be played; none of them empty."""
        rest = self._ranges[len(self._whole) :]
        return [range(max(one.start, self._end), one.stop) for one in rest]

    def add(self, block: Block) -> None:
        """Take the counts of the next chunks, which are all of one block."""
        current = self._ranges[len(self._whole)]
        add_counts(self._begun, block.counts)
        self._end = block.chunks.stop
        if self._end == current.stop:
            self._whole.append(self._tallying.tally(Block(current, self._begun)))
            self._begun = self._plan.new_counts()

    def blocks(self) -> tuple[BlockTally, ...]:
        """Return all blocks; the last one cut short where the run was stopped within it."""
        if len(self._whole) == len(self._ranges):
            return tuple(self._whole)
        cut = range(self._ranges[len(self._whole)].start, self._end)
        return (*self._whole, *([self._tallying.tally(Block(cut, self._begun))] if cut else []))


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
class Tallying:
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
