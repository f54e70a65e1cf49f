"""The games: a catalogue of TOML files, and files of one's own in the same format."""

from __future__ import annotations

import os
from functools import cache
from importlib import resources
from pathlib import Path

from rtpsim.errors import InputError, shown, suggestion
from rtpsim.games.files import parse_game, read_game
from rtpsim.games.models import OTHER, Game
from rtpsim.games.parts import MAIN, Option, Published, Quoted, Reading, Source
from rtpsim.sidebets import SideBet

__all__ = [
    "MAIN",
    "OTHER",
    "Game",
    "Option",
    "Published",
    "Quoted",
    "Reading",
    "SideBet",
    "Source",
    "game_names",
    "load_game",
]

_SUFFIX = ".toml"


def game_names() -> list[str]:
    """Return the names of the games of the catalogue, sorted."""
    entries = (entry.name for entry in resources.files(__name__).iterdir())
    return sorted(name.removesuffix(_SUFFIX) for name in entries if name.endswith(_SUFFIX))


def load_game(name_or_path: str | os.PathLike[str]) -> Game:
    """Return a game of the catalogue, or the one that a file describes.

    Parameters
    ----------
    name_or_path
        A name out of `game_names`, or the path of a TOML file.

    Raises
    ------
    InputError
        If there is no such game, or the file is no game file.
    """
    given = os.fspath(name_or_path)
    names = game_names()
    if given in names:
        return _load_named(given)
    if given.endswith(_SUFFIX) or "/" in given or os.sep in given:
        return read_game(Path(given))
    raise InputError(
        f"game {shown(given)}: unknown{suggestion(given, names)}; allowed are {', '.join(names)}, "
        "or the path of a game file (.toml)"
    )


@cache
def _load_named(name: str) -> Game:
    content = resources.files(__name__).joinpath(name + _SUFFIX).read_bytes()
    return parse_game(content, name, name + _SUFFIX)
