"""Reading a game file: TOML text to a Game, every fault with file, place and remedy."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from rtpsim.errors import InputError, shown
from rtpsim.games.faults import explain
from rtpsim.games.models import Game
from rtpsim.games.parts import Option, Published, Quoted, Reading, Source
from rtpsim.sidebets import SideBet

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 1_000_000
"""Larger files are no game files and are not read."""

_MODELS: dict[str, type[BaseModel]] = {
    "": Game,
    "options": Option,
    "published": Published,
    "quoted": Quoted,
    "readings": Reading,
    "side_bets": SideBet,
    "source": Source,
}
_CHART_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")


def parse_game(content: bytes, game_id: str, source: str) -> Game:
    """Return the game that a file's content describes.

    Parameters
    ----------
    content
        The file's bytes: TOML, UTF-8.
    game_id
        The game's id unless the file gives one.
    source
        What messages call the file.

    Raises
    ------
    InputError
        If it is no TOML, a key is unknown, missing or of the wrong type, or the game contradicts
        itself.
    """
    if len(content) > MAX_BYTES:
        raise InputError(f"{source}: larger than {MAX_BYTES} bytes; a game file is a page of text")
    data = _parse_toml(content, source)
    try:
        game = Game.model_validate({"id": game_id, **data})
    except ValidationError as error:
        raise InputError(f"{source}: {explain(error, _MODELS)}") from None
    for index, reading in enumerate(game.readings):
        if game.chosen[reading.id] != reading.default:
            raise InputError(
                f"{source}: readings[{index}].default = '{reading.default}': the rules and side "
                f"bets of the file say otherwise ({reading.id}); allowed is the option they state"
            )
    return game


def _parse_toml(content: bytes, source: str) -> dict[str, Any]:
    """Return the file's tables."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{source}: line {line}: not UTF-8 text; save it as UTF-8") from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{source}: {_place_first(str(error), text)}") from None
    except (ValueError, RecursionError):
        # numbers of thousands of digits, tables nested thousands deep
        raise InputError(f"{source}: not a game file: a value is absurdly large or deep") from None


def _place_first(message: str, text: str) -> str:
    """Turn ``Expected '=' (at line 3, column 5)`` into ``line 3, column 5: Expected '='``."""
    match = re.fullmatch(r"(.*) \(at (.*)\)", message, re.DOTALL)
    if match is None:
        return message
    end = f"line {len(text.splitlines())}, end of the file"
    return f"{end if match[2] == 'end of document' else match[2]}: {match[1]}"


def read_game(path: Path) -> Game:
    """Return the game of a user's own file; its chart's path becomes one from here.

    Raises
    ------
    InputError
        If there is no such file, or it is no game file.
    """
    source = str(path) if str(path).isprintable() else shown(str(path))
    try:
        if path.is_dir():
            raise InputError(f"{source}: a folder; expected a game file (.toml)")
        if not path.is_file():
            raise InputError(f"{source}: {'not a file' if path.exists() else 'no such file'}")
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{shown(source)}: cannot be read ({reason})") from None
    game = parse_game(content, path.stem, source)
    return game.model_copy(update={"chart": _chart(game.chart, path)})


def _chart(chart: str, path: Path) -> str:
    """Return a chart's name, or the path of a chart file that lies with the game file."""
    if _CHART_NAME.fullmatch(chart):
        return chart
    where = f"{path}: chart = {shown(chart)}"
    folder = path.parent
    # colons and backslashes would leave the folder on other systems
    if "\0" in chart or any(sign in chart for sign in ":\\") or not chart.endswith(".csv"):
        raise InputError(f"{where}: allowed is the name of a chart, or a .csv file beside the game")
    try:
        target = (folder / chart).resolve()
        there = target.is_file()
    except (OSError, RuntimeError):  # links in a circle, names too long
        raise InputError(f"{where}: cannot be read; allowed is a file within the folder") from None
    if not target.is_relative_to(folder.resolve()):
        raise InputError(f"{where}: outside the game file's folder; allowed is a file within it")
    if not there:
        raise InputError(f"{where}: no such file beside the game file")
    return str((folder / chart).absolute())
