"""Results as files: JSON and Parquet, written whole or not at all, and checked when read."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from rtpsim.chunks import Chunks
from rtpsim.errors import InputError, shown
from rtpsim.files import write_whole
from rtpsim.program.labels import Label
from rtpsim.provenance import Provenance
from rtpsim.results import FORMAT_VERSION, BetTerms, SimulationResult
from rtpsim.simulation.streams import STREAM_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

INITIAL_SHAPE = (10, 10, 10, 10)
SUFFIXES = (".json", ".parquet")
_HEADER = b"rtpsim.result"
_READABLE = (1, FORMAT_VERSION)
"""Versions of the format; 1 did not say which chunks were counted."""

Positive = Annotated[int, Field(ge=1)]
DealRow = Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=5, max_length=5)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Row(_Strict):
    net: int
    wager: int
    count: Positive


class _BetRow(_Strict):
    outcomes: list[str]
    count: Positive


class _OutcomeRow(BaseModel):
    model_config = ConfigDict(strict=True)
    outcome: str
    pays: int
    exact_count: int


class _Bet(BaseModel):
    model_config = ConfigDict(strict=True)
    bet: str
    title: str
    stakes_per_round: Positive
    exact_total: Positive
    outcomes: list[_OutcomeRow]
    rounds: list[_BetRow]


class _Insurance(BaseModel):
    model_config = ConfigDict(strict=True)
    outcomes: list[_Row]


class _LabelRow(_Strict):
    up: Annotated[int, Field(ge=0, le=9)]
    route: str
    player_final: str
    dealer_final: str
    insured: bool
    net: int
    wager: int
    count: Positive


class _Detail(_Strict):
    labels: list[_LabelRow]
    initial: list[DealRow]


class _Chunks(_Strict):
    first: int
    end: int
    rounds_each: int


class _Document(_Strict):
    """The keys and types of a result in JSON; what is derived from the counts is not listed."""

    game: str
    rules: str
    strategy: str
    seed: int
    rounds: Positive
    hands: Positive
    stream_version: str
    chunks: _Chunks | None
    unit: Annotated[str, Field(pattern=r"^1/[1-9][0-9]{0,5}$")]
    outcomes: list[_Row]
    bets: list[dict[str, Any]]
    figures: dict[str, Any]
    provenance: dict[str, Any]
    detail: _Detail | None = None


def save_result(result: SimulationResult, path: str | Path) -> None:
    """Write a result with every count to a ``.json`` or ``.parquet`` file.

    The file appears under its name when it is complete; an older one stays as it is until then.

    Raises
    ------
    InputError
        If the suffix is another, or the file cannot be written.
    """
    target = Path(path)
    if _suffix(target) == ".json":
        content = result.to_json(detail=True).encode() + b"\n"
        _write(target, lambda part: part.write_bytes(content))
    else:
        _write(target, lambda part: _write_parquet(result, part))


def load_result(path: str | Path, *, any_stream_version: bool = False) -> SimulationResult:
    """Read a file that `save_result` wrote, or the JSON that a simulation prints.

    Parameters
    ----------
    path
        A ``.json`` or ``.parquet`` file.
    any_stream_version
        Also read a result of another version of the random streams, which cannot be continued
        or repeated with this version of rtpsim.

    Raises
    ------
    InputError
        Naming the file and what is wrong with it.
    """
    source = Path(path)
    suffix = _suffix(source)
    try:
        content = source.read_bytes()
    except OSError as error:
        raise InputError(f"{source}: cannot be read ({error.strerror})") from None
    if suffix == ".parquet":
        return _from_document(
            _parquet_document(content, str(source)), str(source), any_stream_version
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{source}: byte {error.start}: not UTF-8 text, so not JSON") from None
    return read_json(text, str(source), any_stream_version=any_stream_version)


def read_json(text: str, source: str, *, any_stream_version: bool = False) -> SimulationResult:
    """Read a result from JSON text; `source` names it in messages.

    Raises
    ------
    InputError
        If the text is damaged, of another version, or something else altogether.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        place = ""
        if isinstance(error, json.JSONDecodeError):
            place = f"line {error.lineno}, column {error.colno}: "
        raise InputError(f"{source}: {place}damaged, or not JSON ({error})") from None
    return _from_document(document, source, any_stream_version)


def _suffix(path: Path) -> str:
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(
            f"{path}: a result's file name ends in {' or '.join(SUFFIXES)}, not {path.suffix!r}"
        )
    return path.suffix.lower()


def _write(target: Path, write: Callable[[Path], object]) -> None:
    try:
        write_whole(target, write)
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror or error})") from None


def _check_versions(document: Any, source: str, any_stream_version: bool) -> None:
    """Refuse what is no result, and results of other versions, before looking at the rest."""
    known = isinstance(document, dict) and isinstance(document.get("provenance"), dict)
    if not known or "stream_version" not in document:
        raise InputError(
            f"{source}: not a result of rtpsim (game, rounds, provenance ... expected)"
        )
    version = document["provenance"].get("format_version")
    if version not in _READABLE:
        raise InputError(
            f"{source}: provenance.format_version is {shown(version)}; this version of rtpsim "
            f"reads {' and '.join(map(str, _READABLE))}"
        )
    if version == 1:
        document.setdefault("chunks", None)
    stream = document["stream_version"]
    if stream != STREAM_VERSION and not any_stream_version:
        raise InputError(
            f"{source}: stream_version is {shown(stream)}; this version of rtpsim makes and reads "
            f"{STREAM_VERSION!r}"
        )


def _from_document(document: Any, source: str, any_stream_version: bool) -> SimulationResult:
    _check_versions(document, source, any_stream_version)
    try:
        result = _build(_Document.model_validate(document))
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(str(part) for part in fault["loc"])
        raise InputError(f"{source}: damaged: {place}: {fault['msg'].lower()}") from None
    except InputError as error:
        raise InputError(f"{source}: damaged: {error}") from None
    derived = result.to_dict()
    for key in ("figures", "bets"):
        if fault_at := _difference(document[key], derived[key], key):
            raise InputError(f"{source}: damaged: {fault_at} does not follow from the counts")
    return result


def _build(read: _Document) -> SimulationResult:
    """Put the result together from a document whose keys and types are right."""
    bets = [
        TypeAdapter(_Bet).validate_python(bet) for bet in read.bets if bet.get("bet") != "insurance"
    ]
    insurance = [
        TypeAdapter(_Insurance).validate_python(bet)
        for bet in read.bets
        if bet.get("bet") == "insurance"
    ]
    if len(insurance) != 1 or len({bet.bet for bet in bets}) != len(bets):
        raise InputError("bets: expected insurance once and each side bet at most once")
    provenance = {key: value for key, value in read.provenance.items() if key != "format_version"}
    initial = labels = None
    if read.detail is not None:
        initial = np.zeros(INITIAL_SHAPE, dtype=np.int64)
        for *cell, count in read.detail.initial:
            if max(cell) >= INITIAL_SHAPE[0]:
                raise InputError(f"detail.initial: {cell}: value classes are 0 to 9")
            initial[tuple(cell)] += count
        rows = [row.model_dump() for row in read.detail.labels]
        labels = {Label(**_take(row, *Label._fields)): row["count"] for row in rows}
    return SimulationResult(
        game=read.game,
        rules=read.rules,
        strategy=read.strategy,
        seed=read.seed,
        rounds=read.rounds,
        hands=read.hands,
        stream_version=read.stream_version,
        unit=int(read.unit.removeprefix("1/")),
        outcomes={(row.net, row.wager): row.count for row in read.outcomes},
        insurance={(row.net, row.wager): row.count for row in insurance[0].outcomes},
        bets=tuple(
            BetTerms(
                id=bet.bet,
                title=bet.title,
                stakes=bet.stakes_per_round,
                pays={row.outcome: row.pays for row in bet.outcomes},
                counts={row.outcome: row.exact_count for row in bet.outcomes},
                total=bet.exact_total,
            )
            for bet in bets
        ),
        side_bets={bet.bet: {tuple(r.outcomes): r.count for r in bet.rounds} for bet in bets},
        provenance=TypeAdapter(Provenance).validate_json(json.dumps(provenance), strict=True),
        labels=labels,
        initial=initial,
        chunks=None if read.chunks is None else Chunks(**read.chunks.model_dump()),
    )


def _difference(found: Any, expected: Any, place: str) -> str | None:
    """Return where two plain documents differ by more than the last bits of a float."""
    if isinstance(expected, dict):
        if not isinstance(found, dict) or set(found) != set(expected):
            return place
        parts = ((found[key], value, f"{place}.{key}") for key, value in expected.items())
    elif isinstance(expected, list):
        if not isinstance(found, list) or len(found) != len(expected):
            return place
        parts = ((found[i], value, f"{place}.{i}") for i, value in enumerate(expected))
    else:
        number = isinstance(expected, float) and isinstance(found, int | float)
        same = math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12) if number else None
        return None if same or found == expected else place
    return next((fault for part in parts if (fault := _difference(*part))), None)


_COLUMNS = {
    "table": "string",
    "bet": "string",
    "net": "int32",
    "wager": "int32",
    "outcomes": "list",
    "player1": "int8",
    "player2": "int8",
    "up": "int8",
    "hole": "int8",
    "route": "string",
    "player_final": "string",
    "dealer_final": "string",
    "insured": "bool",
    "count": "int64",
}
"""Columns of the Parquet file: one long table, ``table`` saying which of the counts a row is."""


def _table_rows(result: SimulationResult) -> Iterator[dict[str, Any]]:
    for table in ("outcomes", "insurance"):
        for (net, wager), count in getattr(result, table).items():
            yield {"table": table, "net": net, "wager": wager, "count": count}
    for bet, tally in result.side_bets.items():
        for outcomes, count in tally.items():
            yield {"table": "side_bets", "bet": bet, "outcomes": list(outcomes), "count": count}
    for label, count in (result.labels or {}).items():
        yield {"table": "labels", **label._asdict(), "count": count}
    if result.initial is not None:
        names = ("player1", "player2", "up", "hole")
        for cell in zip(*result.initial.nonzero(), strict=True):
            cards = dict(zip(names, map(int, cell), strict=True))
            yield {"table": "initial", **cards, "count": int(result.initial[cell])}


def _write_parquet(result: SimulationResult, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"list": pa.list_(pa.string()), "bool": pa.bool_()}
    header = result.to_dict()
    header["detail"] = None if result.labels is None or result.initial is None else {}
    header["outcomes"] = []
    for bet in header["bets"]:
        bet["outcomes" if bet["bet"] == "insurance" else "rounds"] = []
    schema = pa.schema(
        [(name, types.get(kind, kind)) for name, kind in _COLUMNS.items()],
        metadata={_HEADER: json.dumps(header, ensure_ascii=False).encode()},
    )
    table = pa.Table.from_pylist(list(_table_rows(result)), schema=schema)
    pq.write_table(table, path, write_page_checksum=True)


def _parquet_document(content: bytes, source: str) -> Any:
    """Return the JSON document that a Parquet file's header and rows stand for."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(pa.BufferReader(content), page_checksum_verification=True)
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{source}: damaged, or not Parquet ({reason})") from None
    header = (table.schema.metadata or {}).get(_HEADER)
    if header is None or set(_COLUMNS) != set(table.column_names):
        raise InputError(f"{source}: not a result of rtpsim (its header or columns are missing)")
    try:
        return _fill_in(json.loads(header), table.to_pylist())
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{source}: damaged: header and rows do not go together") from None


def _fill_in(document: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Put the rows of the long table back into the places that the header leaves empty."""
    bets = {bet["bet"]: bet for bet in document["bets"]}
    detail: dict[str, list[Any]] = {"labels": [], "initial": []}
    for row in rows:
        match row["table"]:
            case "outcomes":
                document["outcomes"].append(_take(row, "net", "wager", "count"))
            case "insurance":
                bets["insurance"]["outcomes"].append(_take(row, "net", "wager", "count"))
            case "side_bets":
                bets[row["bet"]]["rounds"].append(_take(row, "outcomes", "count"))
            case "labels":
                detail["labels"].append(_take(row, *Label._fields, "count"))
            case "initial":
                cell = _take(row, "player1", "player2", "up", "hole", "count")
                detail["initial"].append(list(cell.values()))
    if document["detail"] is not None:
        document["detail"] = detail
    return document


def _take(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: row[name] for name in names}
