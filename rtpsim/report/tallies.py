"""Tallies of a run as a report holds them, and read back as what the statistics take."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from rtpsim.errors import InputError
from rtpsim.program.labels import Label
from rtpsim.report.model import LabelCounts, RunTallies
from rtpsim.simulation.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rtpsim.report.model import BlockTally

INITIAL_SHAPE = (10, 10, 10, 10)


def pack_labels(labels: Mapping[Label, int]) -> LabelCounts:
    """Return labels with their counts in columns, sorted."""
    rows = sorted((label, count) for label, count in labels.items() if count)
    routes, players, dealers = (
        tuple(sorted({str(getattr(label, name)) for label, _ in rows}))
        for name in ("route", "player_final", "dealer_final")
    )
    place = [{word: i for i, word in enumerate(words)} for words in (routes, players, dealers)]
    return LabelCounts(
        routes=routes,
        player_finals=players,
        dealer_finals=dealers,
        up=tuple(label.up for label, _ in rows),
        route=tuple(place[0][str(label.route)] for label, _ in rows),
        player_final=tuple(place[1][str(label.player_final)] for label, _ in rows),
        dealer_final=tuple(place[2][str(label.dealer_final)] for label, _ in rows),
        insured=tuple(int(label.insured) for label, _ in rows),
        net=tuple(label.net for label, _ in rows),
        wager=tuple(label.wager for label, _ in rows),
        count=tuple(count for _, count in rows),
    )


def unpack_labels(packed: LabelCounts) -> dict[Label, int]:
    """Return the labels that columns stand for.

    Raises
    ------
    InputError
        If the columns are of different lengths, or number words that are not there.
    """
    labels: Counter[Label] = Counter()
    try:
        for up, route, player, dealer, insured, net, wager, count in zip(
            packed.up,
            packed.route,
            packed.player_final,
            packed.dealer_final,
            packed.insured,
            packed.net,
            packed.wager,
            packed.count,
            strict=True,
        ):
            label = Label(
                up,
                packed.routes[route],
                packed.player_finals[player],
                packed.dealer_finals[dealer],
                bool(insured),
                net,
                wager,
            )
            labels[label] += count
    except (ValueError, IndexError):
        raise InputError("labels: columns that do not go together") from None
    return dict(labels)


def whole_tally(run: RunTallies) -> Tally:
    """Return what the run as a whole counted.

    Raises
    ------
    InputError
        If parts of it count different rounds.
    """
    tally = _short_tally(run, run.blocks)
    labels = unpack_labels(run.labels)
    initial = np.array(run.initial, dtype=np.int64)
    if initial.size != np.prod(INITIAL_SHAPE):
        raise InputError(f"initial: {initial.size} cells; expected {np.prod(INITIAL_SHAPE)}")
    counted = {
        "rounds": run.rounds,
        "rounds of the blocks": tally.rounds,
        "outcomes": sum(tally.outcomes.values()),
        "labels": sum(labels.values()),
        "initial": int(initial.sum()),
        "insurance": sum(rounds for _, _, rounds in run.insurance),
        **{f"side bet {bet}": sum(counts.values()) for bet, counts in tally.side_bets.items()},
    }
    for name, number in counted.items():
        if number != run.rounds:
            raise InputError(f"{name}: {number:,} counted in a run of {run.rounds:,} rounds")
    return Tally(
        unit=run.unit,
        hands=run.hands,
        rounds=run.rounds,
        outcomes=tally.outcomes,
        insurance={(net, wager): rounds for net, wager, rounds in run.insurance},
        labels=labels,
        initial=initial.reshape(INITIAL_SHAPE),
        side_bets=tally.side_bets,
    )


def growing_tallies(run: RunTallies, numbers: Iterable[int]) -> Iterator[Tally]:
    """Yield what the first n blocks counted, without labels and initial cards.

    Parameters
    ----------
    numbers
        Rising numbers of blocks.
    """
    for number in numbers:
        yield _short_tally(run, run.blocks[:number])


def _short_tally(run: RunTallies, blocks: Iterable[BlockTally]) -> Tally:
    """Add blocks up; labels and initial cards are not kept by block."""
    chosen = list(blocks)
    outcomes = _added(len(run.outcome_cells), [block.outcomes for block in chosen])
    side_bets = {}
    for place, cells in enumerate(run.bet_cells):
        counts = _added(len(cells.outcomes), [block.side_bets[place] for block in chosen])
        side_bets[cells.bet] = {key: n for key, n in zip(cells.outcomes, counts, strict=True) if n}
    return Tally(
        unit=run.unit,
        hands=run.hands,
        rounds=sum(block.rounds for block in chosen),
        outcomes={key: n for key, n in zip(run.outcome_cells, outcomes, strict=True) if n},
        insurance={},
        labels={},
        initial=np.zeros(INITIAL_SHAPE, dtype=np.int64),
        side_bets=side_bets,
    )


def _added(cells: int, rows: list[tuple[int, ...]]) -> list[int]:
    """Add rows of counts, in Python's whole numbers."""
    if any(len(row) != cells for row in rows):
        raise InputError(f"blocks: a row of counts that is not {cells} long")
    return [sum(column) for column in zip(*rows, strict=True)] if rows else [0] * cells
