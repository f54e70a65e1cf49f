"""Tallies of a run as a report holds them, and read back as what the statistics take."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from rtpsim.cards import VALUE_CLASSES
from rtpsim.errors import InputError
from rtpsim.program.labels import Label
from rtpsim.report.model import BetCells, BlockCounts, LabelCounts, RunTallies
from rtpsim.runs.blocks import BlockTally
from rtpsim.simulation.streams import STREAM_VERSION
from rtpsim.simulation.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rtpsim.runs.prepared import Finished

Key = TypeVar("Key")

INITIAL_SHAPE = (10, 10, 10, 10)


def pack_labels(labels: Mapping[Label, int]) -> LabelCounts:
    """Return labels with their counts as a report holds them, sorted."""
    counted = {label: count for label, count in labels.items() if count}
    kinds = sorted({_kind(label) for label in counted})
    finals = sorted({str(label.player_final) for label in counted})
    kind_of = {kind: place for place, kind in enumerate(kinds)}
    final_of = {final: place for place, final in enumerate(finals)}
    groups: defaultdict[tuple[int, int], dict[int, int]] = defaultdict(dict)
    for label, count in counted.items():
        group = groups[label.up, kind_of[_kind(label)]]
        group[final_of[str(label.player_final)]] = count
    return LabelCounts(
        kinds=tuple(kinds),
        player_finals=tuple(finals),
        groups=tuple(
            (up, kind, tuple(sorted(group)), tuple(group[place] for place in sorted(group)))
            for (up, kind), group in sorted(groups.items())
        ),
    )


def _kind(label: Label) -> tuple[str, str, bool, int, int]:
    """Return all of a label but its up card and the player's final."""
    insured = bool(label.insured)
    return str(label.route), str(label.dealer_final), insured, label.net, label.wager


def unpack_labels(packed: LabelCounts) -> dict[Label, int]:
    """Return the labels that a report holds.

    Raises
    ------
    InputError
        If a group numbers what is not there, or a count is below 0.
    """
    labels: Counter[Label] = Counter()
    for up, kind, finals, counts in packed.groups:
        if min((up, kind, *finals, *counts)) < 0:
            raise InputError("labels: a number below 0")
        try:
            route, dealer_final, insured, net, wager = packed.kinds[kind]
            for final, count in zip(finals, counts, strict=True):
                player_final = packed.player_finals[final]
                labels[Label(up, route, player_final, dealer_final, insured, net, wager)] += count
        except (ValueError, IndexError):
            raise InputError("labels: a group that does not go together") from None
    return dict(labels)


def pack_run(run: Finished) -> RunTallies:
    """Return a run as a report holds it.

    Raises
    ------
    ValueError
        If it was not played in blocks.
    """
    tally, played = run.result, run.blocks
    if played is None or tally.labels is None or tally.initial is None:
        raise ValueError("a report's run is played in blocks")
    outcomes, insurance = tuple(sorted(tally.outcomes)), _insurance_cells(played)
    bets = tuple(
        BetCells(bet=bet, outcomes=tuple(sorted(counts))) for bet, counts in tally.side_bets.items()
    )
    return RunTallies(
        seed=tally.seed,
        rounds=tally.rounds,
        rounds_asked=None if run.complete else run.asked,
        hands=tally.hands,
        unit=tally.unit,
        stream_version=STREAM_VERSION,
        outcome_cells=outcomes,
        insurance_cells=insurance,
        bet_cells=bets,
        blocks=tuple(
            BlockCounts(
                first_chunk=block.first_chunk,
                chunks=block.chunks,
                rounds=block.rounds,
                outcomes=tuple(block.outcomes.get(key, 0) for key in outcomes),
                insurance=tuple(block.insurance.get(key, 0) for key in insurance),
                side_bets=tuple(
                    tuple(block.side_bets[one.bet].get(key, 0) for key in one.outcomes)
                    for one in bets
                ),
                counts_sha256=block.sha256,
            )
            for block in played
        ),
        initial=tuple(int(count) for count in tally.initial.ravel()),
        labels=pack_labels(tally.labels),
    )


def _insurance_cells(played: Sequence[BlockTally]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted({cell for block in played for cell in block.insurance}))


def unpack_block(run: RunTallies, number: int) -> BlockTally:
    """Return a block as `rtpsim.report.audit.replay.replay` takes it."""
    block = run.blocks[number]
    return BlockTally(
        first_chunk=block.first_chunk,
        chunks=block.chunks,
        rounds=block.rounds,
        outcomes=_filled(run.outcome_cells, block.outcomes),
        insurance=_filled(run.insurance_cells, block.insurance),
        side_bets={
            cells.bet: _filled(cells.outcomes, counts)
            for cells, counts in zip(run.bet_cells, block.side_bets, strict=True)
        },
        sha256=block.counts_sha256,
    )


def whole_tally(run: RunTallies) -> Tally:
    """Return what the run as a whole counted.

    Raises
    ------
    InputError
        If parts of it count different rounds.
    """
    try:
        tally = _short_tally(run, run.blocks)
        initial = np.array(run.initial, dtype=np.int64)
    except (IndexError, OverflowError, ValueError):
        raise InputError("blocks or initial: counts that do not go with their cells") from None
    labels = unpack_labels(run.labels)
    next_chunk = 0
    for number, block in enumerate(run.blocks):
        if block.first_chunk != next_chunk or block.chunks < 1:
            raise InputError(
                f"blocks.{number}: chunks {block.first_chunk} to "
                f"{block.first_chunk + block.chunks - 1}; expected from chunk {next_chunk} on"
            )
        next_chunk += block.chunks
    if initial.min(initial=0) < 0:
        raise InputError("initial: a count below 0")
    if initial.size != math.prod(INITIAL_SHAPE):
        raise InputError(f"initial: {initial.size} cells; expected {math.prod(INITIAL_SHAPE)}")
    counted = {
        "blocks": tally.rounds,
        "outcomes": sum(tally.outcomes.values()),
        "insurance": sum(tally.insurance.values()),
        "labels": sum(labels.values()),
        "initial": int(initial.sum()),
        **{f"side bet {bet}": sum(counts.values()) for bet, counts in tally.side_bets.items()},
    }
    for name, number in counted.items():
        if number != run.rounds:
            raise InputError(f"{name}: {number} counted in a run of {run.rounds} rounds")
    whole = replace(tally, labels=labels, initial=initial.reshape(INITIAL_SHAPE))
    _check_together(whole)
    return whole


def _check_together(tally: Tally) -> None:
    """Refuse counts of the same thing that differ: a count changed by itself shows."""
    by_up = tally.initial.sum(axis=(0, 1, 3)).tolist()
    seen: Counter[int] = Counter()
    for label, count in tally.labels.items():
        seen[label.up] += count
    for up, count in enumerate(by_up):
        if seen[up] != count:
            raise InputError(
                f"labels: up card {VALUE_CLASSES[up]} in {seen[up]} rounds, but {count} in initial"
            )
    if tally.hands > 1:
        return
    unit = tally.unit
    outcomes: Counter[tuple[int, int]] = Counter()
    insured = 0
    for label, count in tally.labels.items():
        outcomes[label.net, label.wager] += count
        insured += count * label.insured
    for cell in sorted({*outcomes, *tally.outcomes}):
        if outcomes[cell] != tally.outcomes.get(cell, 0):
            raise InputError(
                f"labels: net {cell[0]} of {cell[1]} (1/{unit} wagers) in {outcomes[cell]} rounds, "
                f"but {tally.outcomes.get(cell, 0)} in the blocks"
            )
    taken = sum(count for (_, wager), count in tally.insurance.items() if wager)
    if insured != taken:
        raise InputError(f"labels: {insured} rounds insured, but {taken} in the blocks")


def growing_tallies(run: RunTallies, numbers: Iterable[int]) -> Iterator[Tally]:
    """Yield what the first n blocks counted, without labels and initial cards.

    Parameters
    ----------
    numbers
        Rising numbers of blocks.
    """
    for number in numbers:
        yield _short_tally(run, run.blocks[:number])


def _short_tally(run: RunTallies, chosen: Sequence[BlockCounts]) -> Tally:
    """Add blocks up; labels and initial cards are not kept by block."""
    return Tally(
        unit=run.unit,
        hands=run.hands,
        rounds=sum(block.rounds for block in chosen),
        outcomes=_added(run.outcome_cells, [block.outcomes for block in chosen]),
        insurance=_added(run.insurance_cells, [block.insurance for block in chosen]),
        labels={},
        initial=np.zeros(INITIAL_SHAPE, dtype=np.int64),
        side_bets={
            cells.bet: _added(cells.outcomes, [block.side_bets[place] for block in chosen])
            for place, cells in enumerate(run.bet_cells)
        },
    )


def _added(cells: Sequence[Key], rows: Sequence[tuple[int, ...]]) -> dict[Key, int]:
    """Add rows of counts, in Python's whole numbers."""
    return _filled(cells, [sum(column) for column in zip(*rows, strict=True)])


def _filled(cells: Sequence[Key], counts: Sequence[int]) -> dict[Key, int]:
    """Return counts by cell, without those that are 0."""
    if min(counts, default=0) < 0:
        raise InputError("blocks: a count below 0")
    if len(cells) != len(counts):
        raise InputError(f"blocks: {len(counts)} counts of {len(cells)} cells")
    return {key: n for key, n in zip(cells, counts, strict=True) if n}
