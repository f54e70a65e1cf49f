"""The games: a catalogue of TOML files, and files of one's own in the same format."""

from __future__ import annotations

import os
import re
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from rtpsim.errors import InputError, shown, suggestion
from rtpsim.games.files import parse_game, read_game
from rtpsim.games.models import OTHER, Game
from rtpsim.games.parts import MAIN, Option, Published, Quoted, Reading, Source
from rtpsim.rules import Rules
from rtpsim.rulestring import parse_rules
from rtpsim.sidebets import SideBet

if TYPE_CHECKING:
    from typing import TypeAlias

AnyGame: TypeAlias = "Game | Rules | str | os.PathLike[str]"
"""A game; a name of the catalogue; a game file; rules, or a rule string."""

__all__ = [
    "MAIN",
    "OTHER",
    "AnyGame",
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
    """Return the names of the games of the catalogue, sorted.

    Examples
    --------
    >>> game_names()[0]
    'blackjack-surrender'
    """
    entries = (entry.name for entry in resources.files(__name__).iterdir())
    return sorted(name.removesuffix(_SUFFIX) for name in entries if name.endswith(_SUFFIX))


def load_game(game: AnyGame) -> Game:
    """Return a game of the catalogue, of a file or of rules.

    Parameters
    ----------
    game
        A name out of `game_names`, the path of a TOML file, or a rule string (`parse_rules`):
        several words, or a number of decks alone. `Rules` make a game too; a `Game` is returned
        as it is.

    Returns
    -------
    Game
        The game, with the default readings.

    Raises
    ------
    InputError
        If there is no such game, the file is no game file or goes by the id of another game of
        the catalogue, or the rules contradict each other.

    Examples
    --------
    >>> load_game("signature-surrender").rules.decks
    8
    >>> load_game("6D H17 LS").rules.surrender
    'late'
    """
    if isinstance(game, Game):
        return game
    if isinstance(game, Rules):
        return Game.from_rules(game)
    given = os.fspath(game)
    names = game_names()
    if given in names:
        return _load_named(given)
    if isinstance(game, str) and _is_rule_string(given):
        return Game.from_rules(parse_rules(given))
    if given.endswith(_SUFFIX) or "/" in given or os.sep in given:
        return _with_own_id(read_game(Path(given)), given)
    raise InputError(
        f"game {shown(given)}: unknown{suggestion(given, names)}; allowed are {', '.join(names)}, "
        "or the path of a game file (.toml)"
    )


def _with_own_id(game: Game, source: str) -> Game:
    """Refuse a file's game that goes by the id of another one, of the catalogue."""
    if game.id in game_names() and game != _load_named(game.id):
        raise InputError(
            f"{source}: id '{game.id}': the catalogue's game of this id is another one; allowed is "
            "an id of its own (a line id = '...', or the file's name)"
        )
    return game


def _is_rule_string(text: str) -> bool:
    """Say whether a text is meant as rules: several words, or a number of decks alone."""
    several = any(character.isspace() for character in text.strip()) and "." not in text
    return several or re.fullmatch(r"\d+[dD]", text) is not None


@cache
def _load_named(name: str) -> Game:
    content = resources.files(__name__).joinpath(name + _SUFFIX).read_bytes()
    return parse_game(content, name, name + _SUFFIX)
