"""Results as Parquet: a header that is the JSON without its counts, and one long table of these."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rtpsim.errors import InputError
from rtpsim.program.labels import Label
from rtpsim.sealed import read_sealed, sealed_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rtpsim.results import SimulationResult

_HEADER = b"rtpsim.result"

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


def write_table(result: SimulationResult, path: Path) -> None:
    """Write a result as a Parquet file: its JSON without the counts as header, these as rows."""
    import pyarrow as pa

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
    path.write_bytes(sealed_table(table))


def read_table(content: bytes, source: str) -> Any:
    """Return the JSON document that a Parquet file's header and rows stand for.

    Raises
    ------
    InputError
        If it is damaged, something else, or absurdly large when unpacked.
    """
    table = read_sealed(content, source, "a result")
    header = (table.schema.metadata or {}).get(_HEADER)
    names = set(table.column_names)
    if header is None or set(_COLUMNS) != names:
        raise InputError(f"{source}: not a result of rtpsim (its header or columns are missing)")
    try:
        return _fill_in(json.loads(header), table.to_pylist())
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        raise InputError(f"{source}: damaged: header and rows do not go together") from None


def _fill_in(document: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Put the rows of the long table back into the places that the header leaves empty."""
    bets = {bet["bet"]: bet for bet in document["bets"]}
    detail: dict[str, list[Any]] = {"labels": [], "initial": []}
    for row in rows:
        match row["table"]:
            case "outcomes":
                document["outcomes"].append(take(row, "net", "wager", "count"))
            case "insurance":
                bets["insurance"]["outcomes"].append(take(row, "net", "wager", "count"))
            case "side_bets":
                bets[row["bet"]]["rounds"].append(take(row, "outcomes", "count"))
            case "labels":
                detail["labels"].append(take(row, *Label._fields, "count"))
            case "initial":
                cell = take(row, "player1", "player2", "up", "hole", "count")
                detail["initial"].append(list(cell.values()))
    if document["detail"] is not None:
        document["detail"] = detail
    return document


def take(row: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return some of a row's values."""
    return {name: row[name] for name in names}
