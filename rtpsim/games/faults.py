"""Validation errors in the words of the people who write game files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rtpsim.errors import shown, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic import BaseModel, ValidationError


def unknown(what: str, name: str, allowed: Iterable[str]) -> str:
    """Return the message that something has a name that does not exist."""
    known = list(allowed)
    listed = f"; allowed are {', '.join(known)}" if known else "; there is none"
    return f"unknown {what} {shown(name)}{suggestion(name, known)}{listed}"


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
        return f"{place}: {message}" if place else message
    expected = fault["msg"].removeprefix("Input should be ")
    return f"{place} = {shown(fault['input'])}: allowed is {expected}"


def _key_path(location: tuple[Any, ...]) -> str:
    """Write ``("side_bets", 0, "pays")`` as ``side_bets[0].pays``."""
    path = ""
    for key in location:
        path += f"[{key}]" if isinstance(key, int) else f".{key}"
    return path.removeprefix(".")
