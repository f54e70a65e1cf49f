"""Results as files: JSON and Parquet, written whole or not at all, and checked when read."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from rtpsim.errors import InputError, shown, suggestion
from rtpsim.files import write_whole
from rtpsim.program.events import Ending
from rtpsim.program.labels import Label
from rtpsim.provenance import Provenance
from rtpsim.results import FORMAT_VERSION, BetTerms, SimulationResult
from rtpsim.results.chunks import Chunks
from rtpsim.results.table import read_table, take, write_table
from rtpsim.rulestring import parse_rules
from rtpsim.simulation.streams import MAX_SEED, STREAM_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

Key = TypeVar("Key", bound=tuple[Any, ...])

INITIAL_SHAPE = (10, 10, 10, 10)
SUFFIXES = (".json", ".parquet")
MAX_BYTES = 20_000_000
"""A result is some hundred thousand bytes; a file that is larger than this is not read."""

LARGEST_COUNT = 2**63 - 1
_ROUTES = {*Ending, "split", "power-split"}
_READABLE = (1, FORMAT_VERSION)
"""Versions of the format; 1 did not say which chunks were counted."""

Positive = Annotated[int, Field(ge=1, le=LARGEST_COUNT)]
Amount = Annotated[int, Field(ge=-LARGEST_COUNT, le=LARGEST_COUNT)]
DealRow = Annotated[
    list[Annotated[int, Field(ge=0, le=LARGEST_COUNT)]], Field(min_length=5, max_length=5)
]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Row(_Strict):
    net: Amount
    wager: Amount
    count: Positive


class _BetRow(_Strict):
    outcomes: list[str]
    count: Positive


class _OutcomeRow(BaseModel):
    model_config = ConfigDict(strict=True)
    outcome: str
    pays: Amount
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
    net: Amount
    wager: Amount
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
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)]
    rounds: Positive
    hands: Annotated[int, Field(ge=1, le=1000)]
    stream_version: str
    chunks: _Chunks | None
    unit: Annotated[str, Field(pattern=r"^1/[1-9][0-9]{0,5}$")]
    outcomes: list[_Row]
    bets: list[dict[str, Any]]
    figures: dict[str, Any]
    provenance: dict[str, Any]
    detail: _Detail | None = None
    sha256: str | None = None


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
        document = result.to_dict(detail=True)
        document["sha256"] = _checksum(document)
        text = json.dumps(document, indent=1, ensure_ascii=False)
        _write(target, lambda part: part.write_bytes(text.encode() + b"\n"))
    else:
        _write(target, lambda part: write_table(result, part))


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
        with source.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{source}: cannot be read ({reason})") from None
    if len(content) > MAX_BYTES:
        raise InputError(f"{source}: larger than {MAX_BYTES} bytes; not a result of rtpsim")
    if suffix == ".parquet":
        return _from_document(read_table(content, str(source)), str(source), any_stream_version)
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
        read = _Document.model_validate(document)
        result = _build(read)
        derived = result.to_dict()
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(str(part) for part in fault["loc"])
        raise InputError(f"{source}: damaged: {place}: {fault['msg'].lower()}") from None
    except InputError as error:
        raise InputError(f"{source}: damaged: {error}") from None
    for key in ("figures", "bets"):
        if fault_at := _difference(document[key], derived[key], key):
            raise InputError(f"{source}: damaged: {fault_at} does not follow from the counts")
    if read.sha256 not in (None, _checksum(document)):
        raise InputError(f"{source}: damaged: its checksum does not fit its content")
    return result


def _checksum(document: dict[str, Any]) -> str:
    """Return the SHA-256 of all of a document but the checksum itself, whatever its layout."""
    rest = {key: value for key, value in document.items() if key != "sha256"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _build(read: _Document) -> SimulationResult:
    """Put the result together from a document whose keys and types are right."""
    bets, insurance = _bets(read.bets)
    if str(parse_rules(read.rules)) != read.rules:
        raise InputError(f"rules: {shown(read.rules)} is not as rules are written")
    return SimulationResult(
        game=read.game,
        rules=read.rules,
        strategy=read.strategy,
        seed=read.seed,
        rounds=read.rounds,
        hands=read.hands,
        stream_version=read.stream_version,
        unit=int(read.unit.removeprefix("1/")),
        outcomes=_amounts(read.outcomes, "outcomes"),
        insurance=_amounts(insurance.outcomes, "insurance"),
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
        side_bets={
            bet.bet: _once(((tuple(row.outcomes), row.count) for row in bet.rounds), bet.bet)
            for bet in bets
        },
        provenance=_provenance(read.provenance),
        labels=None if read.detail is None else _labels(read.detail),
        initial=None if read.detail is None else _initial(read.detail),
        chunks=None if read.chunks is None else Chunks(**read.chunks.model_dump()),
    )


def _bets(rows: list[dict[str, Any]]) -> tuple[list[_Bet], _Insurance]:
    """Return the side bets and the insurance."""
    insured = [row for row in rows if row.get("bet") == "insurance"]
    bets = [TypeAdapter(_Bet).validate_python(row) for row in rows if row not in insured]
    insurance = [TypeAdapter(_Insurance).validate_python(row) for row in insured]
    if len(insurance) != 1 or len({bet.bet for bet in bets}) != len(bets):
        raise InputError("bets: expected insurance once and each side bet at most once")
    for bet in bets:
        paid = {row.outcome for row in bet.outcomes}
        if unpaid := {name for row in bet.rounds for name in row.outcomes} - paid:
            raise InputError(f"bet '{bet.bet}': {shown(min(unpaid))} is no outcome that it pays")
    return bets, insurance[0]


def _provenance(read: dict[str, Any]) -> Provenance:
    """Return where the run came from, of a document that says more of itself there."""
    given = {key: value for key, value in read.items() if key != "format_version"}
    known = [field.name for field in fields(Provenance)]
    for key in given:
        if key not in known:
            raise InputError(f"provenance: unknown key {shown(key)}{suggestion(key, known)}")
    return TypeAdapter(Provenance).validate_json(json.dumps(given), strict=True)


def _initial(detail: _Detail) -> NDArray[np.int64]:
    """Return the rounds by initial cards."""
    initial = np.zeros(INITIAL_SHAPE, dtype=np.int64)
    for *cell, count in detail.initial:
        if max(cell) >= INITIAL_SHAPE[0]:
            raise InputError(f"detail.initial: {cell}: value classes are 0 to 9")
        initial[tuple(cell)] += count
    return initial


def _labels(detail: _Detail) -> dict[Label, int]:
    """Return the rounds by how the first hand ended."""
    rows = [row.model_dump() for row in detail.labels]
    labels = _once(
        ((Label(**take(row, *Label._fields)), row["count"]) for row in rows), "detail.labels"
    )
    if strange := {label.route for label in labels} - _ROUTES:
        raise InputError(f"detail.labels: {shown(min(strange))} is no way to end a hand")
    return labels


def _amounts(rows: Iterable[_Row], place: str) -> dict[tuple[int, int], int]:
    return _once((((row.net, row.wager), row.count) for row in rows), place)


def _once(rows: Iterable[tuple[Key, int]], place: str) -> dict[Key, int]:
    """Return counts by key; a key that is there twice would hide a count."""
    found: dict[Key, int] = {}
    for key, count in rows:
        if key in found:
            raise InputError(f"{place}: {shown(tuple(key))} is there twice")
        found[key] = count
    return found


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
