"""Finding a witness: the one that is kept for a game and chart, if it counts."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

from rtpsim.errors import InputError
from rtpsim.witnesses.witness import Witness, read_witness

if TYPE_CHECKING:
    from rtpsim.games import Game
    from rtpsim.strategy import Chart


class Found(NamedTuple):
    """A witness, or None; and in words what there is or why there is none."""

    witness: Witness | None
    text: str


@cache
def referee_sha256() -> str:
    """Return the hash of the referee's own text, file by file in the order of their names."""
    digest = hashlib.sha256()
    folder = resources.files("rtpsim").joinpath("reference")
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".py"):
            digest.update(entry.name.encode() + b"\0" + entry.read_bytes() + b"\0")
    return digest.hexdigest()


def find_witness(game: Game, chart: Chart) -> Found:
    """Return the stored witness for a game and chart, if there is one that counts."""
    try:
        text = _folder().joinpath(f"{game.id}.json").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return Found(None, "none for this game and chart")
    try:
        witness = read_witness(text)
    except InputError as error:
        return Found(None, f"none that counts: {error}")
    of = game.sha256, chart.sha256
    if (witness.game_sha256, witness.strategy_sha256) != of:
        return Found(None, "none for this game and chart")
    if witness.referee_sha256 != referee_sha256():
        return Found(None, "none by this version of the referee")
    return Found(witness, f"{witness.rounds:,} rounds dealt by the referee, seed {witness.seed}")


def _folder() -> Any:
    return resources.files(__package__)
