"""Merge: the results of a run's shares put together, if they are all of it and nothing else."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from rtpsim.errors import InputError
from rtpsim.results import SimulationResult
from rtpsim.runs.run import difference
from rtpsim.runs.shards import Shard

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from rtpsim.program.labels import Label
    from rtpsim.provenance import Provenance
    from rtpsim.results.chunks import Chunks

Key = TypeVar("Key", bound=tuple[Any, ...])

MOST_SHOWN = 8
"""Missing shares that a message names; of more it says how many."""


class Part(NamedTuple):
    """A result that can be merged, and the name of its file."""

    name: str
    result: SimulationResult
    chunks: Chunks
    labels: Mapping[Label, int]
    initial: NDArray[np.int64]


def merge(files: Sequence[tuple[str, SimulationResult]], command: str = "") -> SimulationResult:
    """Return the result of a run from those of its shares.

    It is that of the run played in one piece, integer by integer; provenance aside, which names
    every machine and the time that all of them took together.

    Parameters
    ----------
    files
        Name and result of each share, in any order.
    command
        What started the merging, for the provenance.

    Raises
    ------
    InputError
        If they are not of one run, if two hold the same chunks, or if chunks are missing: naming
        the files, the chunks and, where they are known, the shards.
    """
    if not files:
        raise InputError("merge: no result is given")
    parts = [_part(name, result) for name, result in files]
    first = parts[0]
    for part in parts[1:]:
        other = difference(_identity(part), _identity(first))
        if other is not None:
            raise InputError(f"{part.name}: of another run than {first.name}: {other}")
    parts.sort(key=lambda part: part.chunks.first)
    for one, other_part in itertools.pairwise(parts):
        _refuse_overlap(one, other_part)
    _refuse_gaps(parts)
    results = [part.result for part in parts]
    return SimulationResult(
        game=first.result.game,
        rules=first.result.rules,
        strategy=first.result.strategy,
        seed=first.result.seed,
        rounds=sum(result.rounds for result in results),
        hands=first.result.hands,
        stream_version=first.result.stream_version,
        unit=first.result.unit,
        outcomes=_sum(result.outcomes for result in results),
        insurance=_sum(result.insurance for result in results),
        bets=first.result.bets,
        side_bets={
            bet: _sum(result.side_bets[bet] for result in results) for bet in first.result.side_bets
        },
        provenance=_provenance([result.provenance for result in results], results, command),
        labels=_sum(part.labels for part in parts),
        initial=np.sum([part.initial for part in parts], axis=0),
        chunks=replace(first.chunks, first=parts[0].chunks.first, end=parts[-1].chunks.end),
    )


def _part(name: str, result: SimulationResult) -> Part:
    if result.chunks is None or not result.provenance.rounds_asked:
        raise InputError(
            f"{name}: it does not say which part of its run it holds; play it again and --save it"
        )
    if result.labels is None or result.initial is None:
        raise InputError(
            f"{name}: how its hands ended is left out, as in printed JSON; merge files of --save"
        )
    return Part(name, result, result.chunks, result.labels, result.initial)


def _identity(part: Part) -> dict[str, Any]:
    """Return what the parts of one run have in common, in the words of `run.identity`."""
    result, origin = part.result, part.result.provenance
    return {
        "rules": result.rules,
        "game_sha256": origin.game_sha256,
        "chart_sha256": origin.strategy_sha256,
        "seed": result.seed,
        "rounds": origin.rounds_asked,
        "hands": result.hands,
        "side_bets": list(result.side_bets),
        "chunk_rounds": part.chunks.rounds_each,
        "stream_version": result.stream_version,
        "rtpsim": origin.versions.get("rtpsim", ""),
    }


def _refuse_overlap(one: Part, other: Part) -> None:
    start, end = other.chunks.first, min(one.chunks.end, other.chunks.end)
    if start < end:
        shards = dict.fromkeys(part.result.provenance.shard for part in (one, other))
        named = " and ".join(f"shard {shard}" for shard in shards if shard)
        raise InputError(
            f"{one.name} and {other.name} both hold chunks {start} to {end - 1}"
            + (f" ({named})" if named else "")
        )


def _refuse_gaps(parts: Sequence[Part]) -> None:
    asked = parts[0].result.provenance.rounds_asked or 0
    chunks = -(-asked // parts[0].chunks.rounds_each)
    ends = [0, *(part.chunks.end for part in parts)]
    starts = [*(part.chunks.first for part in parts), chunks]
    gaps = [range(end, start) for end, start in zip(ends, starts, strict=True) if end < start]
    if not gaps:
        return
    shards = [part.result.provenance.shard for part in parts]
    counts = {Shard.parse(shard).of for shard in shards if shard}
    of = counts.pop() if len(counts) == 1 else None
    missing = [_gap(gap, chunks, of) for gap in gaps[:MOST_SHOWN]]
    if len(gaps) > MOST_SHOWN:
        missing.append(f"and {len(gaps) - MOST_SHOWN} more gaps")
    raise InputError(f"the run of {chunks} chunks is not whole; missing: {', '.join(missing)}")


def _gap(gap: range, chunks: int, of: int | None) -> str:
    """Name the chunks of a gap, and the shards that they belong to where the run has `of`."""
    text = f"chunks {gap.start} to {gap.stop - 1}"
    if of is None:
        return text
    first, last = (Shard.of_chunk(chunk, chunks, of) for chunk in (gap.start, gap.stop - 1))
    return f"{text} (shard {first})" if first == last else f"{text} (shards {first} to {last})"


def _provenance(
    origins: Sequence[Provenance], results: Sequence[SimulationResult], command: str
) -> Provenance:
    """Return where a merged result came from: all machines, and the time of all together."""
    seconds = [origin.duration_s for origin in origins if origin.duration_s is not None]
    played = sum(
        result.rounds - origin.resumed_rounds
        for origin, result in zip(origins, results, strict=True)
    )
    packages = sorted({name for origin in origins for name in origin.versions})
    return replace(
        origins[0],
        started=min(origin.started for origin in origins),
        duration_s=sum(seconds) if seconds else None,
        rounds_per_s=played / sum(seconds) if sum(seconds) > 0 else None,
        workers=None,
        resumed_rounds=sum(origin.resumed_rounds for origin in origins),
        shard="",
        scheduler=_all(origin.scheduler for origin in origins),
        machine=_all(origin.machine for origin in origins),
        versions={
            name: _all(origin.versions.get(name, "") for origin in origins) for name in packages
        },
        command=command,
    )


def _all(words: Iterable[str]) -> str:
    """Return the different words, each once."""
    return ", ".join(dict.fromkeys(word for word in words if word))


def _sum(tallies: Iterable[Mapping[Key, int]]) -> dict[Key, int]:
    total: Counter[Key] = Counter()
    for tally in tallies:
        total.update(tally)
    return dict(sorted(total.items()))
