"""Canonical JSON of a report: one text for one content, and the hash that it carries of itself."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from rtpsim.errors import InputError, shown
from rtpsim.report.model import SCHEMA, Report

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 20_000_000
"""Larger files are no reports and are not read."""


def canonical(document: Any) -> str:
    """Write plain values as JSON in the one way that is hashed.

    Keys sorted, no blanks, UTF-8 without escapes; floats as Python writes them, the shortest text
    that reads back as the same number. NaN and infinity do not exist here.
    """
    return json.dumps(
        document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def sha256_of(document: Any) -> str:
    """Return the SHA-256 of plain values in their canonical form."""
    return text_sha256(canonical(document))


def text_sha256(text: str) -> str:
    """Return the SHA-256 of a text as UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def sealed(report: Report) -> Report:
    """Return the report with the hash of everything else in its field ``sha256``."""
    return report.model_copy(update={"sha256": own_hash(report.model_dump(mode="json"))})


def own_hash(document: dict[str, Any]) -> str:
    """Return the hash that a report, as plain values, should carry."""
    return sha256_of({name: value for name, value in document.items() if name != "sha256"})


def to_json(report: Report) -> str:
    """Return a report as the text of its file: canonical, with a line end."""
    return canonical(report.model_dump(mode="json")) + "\n"


def read_document(path: Path) -> dict[str, Any]:
    """Return the plain values of a report's file.

    Raises
    ------
    InputError
        If the file cannot be read, is no JSON, no report, or one of another version.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # a name with a zero in it
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read ({reason})") from None
    if len(content) > MAX_BYTES:
        raise InputError(f"{path}: larger than {MAX_BYTES} bytes; not a report of rtpsim")
    try:
        document = json.loads(content.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        place = ""
        if isinstance(error, json.JSONDecodeError):
            place = f"line {error.lineno}, column {error.colno}: "
        raise InputError(f"{path}: {place}damaged, or not JSON ({error})") from None
    if not isinstance(document, dict) or "schema_version" not in document:
        raise InputError(f"{path}: not a report of rtpsim (schema_version is missing)")
    if document["schema_version"] != SCHEMA:
        raise InputError(
            f"{path}: schema_version is {shown(document['schema_version'])}; this version of "
            f"rtpsim reads {SCHEMA!r}"
        )
    return document


def read_report(document: dict[str, Any], source: str) -> Report:
    """Return the report that plain values are.

    Raises
    ------
    InputError
        If a field is missing, unknown or of the wrong type; `source` names the file.
    """
    try:
        return Report.model_validate_json(json.dumps(document))
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(str(part) for part in fault["loc"])
        raise InputError(f"{source}: damaged: {place}: {fault['msg'].lower()}") from None


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not a number in JSON")
