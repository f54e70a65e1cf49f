"""Validation errors in the words of the people who write game files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rtpsim.errors import shown, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic import BaseModel, ValidationError


_EXPECTED = {
    "bool_type": "true or false",
    "dict_type": "a table",
    "int_type": "a whole number",
    "model_type": "a table",
    "string_too_long": "at most {max_length} characters",
    "string_type": "text in quotes",
    "tuple_type": "a list",
    "greater_than_equal": "a number from {ge} up",
    "less_than_equal": "a number up to {le}",
    "string_pattern_mismatch": "lower-case letters, digits and hyphens, at most 40",
}
"""Type of a fault -> what is allowed, for those that pydantic words for programmers."""


def unknown(what: str, name: str, allowed: Iterable[str]) -> str:
    """Return the message that something has a name that does not exist."""
    known = list(allowed)
    listed = f"; allowed are {', '.join(known)}" if known else "; there is none"
    return f"unknown {what} {shown(name)}{listed}{suggestion(name, known)}"


def explain(error: ValidationError, models: Mapping[str, type[BaseModel]]) -> str:
    """Say the first fault of a validation error in one line: key path, value, what is allowed.

    Parameters
    ----------
    error
        What pydantic found.
    models
        Key -> the model that its value (or each item of it) is, ``""`` for the whole.
    """
    # an unknown key comes first: it is often the misspelling of the one that is missing
    fault = min(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden")
    place = _key_path(fault["loc"])
    if fault["type"] == "extra_forbidden":
        inside = [key for key in fault["loc"][:-1] if isinstance(key, str) and key in models]
        model = models[inside[-1] if inside else ""]
        return f"{place}: {unknown('key', str(fault['loc'][-1]), model.model_fields)}"
    if fault["type"] == "missing":
        return f"{place} is missing"
    if fault["type"] == "value_error":
        message = str(fault["ctx"]["error"])
        # rules say "rules: ..." themselves
        return message if not place or message.startswith(f"{place}:") else f"{place}: {message}"
    expected = _EXPECTED.get(fault["type"], fault["msg"].removeprefix("Input should be "))
    expected = expected.format(**fault.get("ctx", {}))
    return f"{place} = {shown(fault['input'])}: allowed is {expected}"


def _key_path(location: tuple[Any, ...]) -> str:
    """Write ``("side_bets", 0, "pays")`` as ``side_bets[0].pays``."""
    path = ""
    for key in location:
        path += f"[{key}]" if isinstance(key, int) else f".{key}"
    return path.removeprefix(".")
