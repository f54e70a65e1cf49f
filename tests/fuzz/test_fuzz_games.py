"""Game files with faults in them: refused in a line, or read as exactly what they say."""

import random
import re
import tomllib
from functools import partial
from importlib import resources

import pytest
from fuzzing import TIMES, check
from mutations import JUNK, bytes_changed, to_toml, tree_changed
from outcomes import Outcomes

from rtpsim.errors import InputError
from rtpsim.games.files import parse_game

FILES = [
    resources.files("rtpsim.games").joinpath(f"{name}.toml").read_bytes()
    for name in ("signature-surrender", "power-blackjack")
]
NO_NULL = tuple(value for value in JUNK if value is not None)  # TOML knows none

read = partial(parse_game, game_id="mine", source="mine.toml")

WORDS = {
    "kind": "three-card|pair",
    "ace_in_straights": "high-low|high|low",
    "base": "total|initial|stake",
    "rounding": "nearest|down",
    "figure": "rtp|house-edge",
    "rtp": r"[0-9]+(\.[0-9]+)?",
    "value": r"[0-9]+(\.[0-9]+)?",
}
"""Keys of docs/game-files.md whose text is one of a few."""


def misread(content, game):
    """Return where a game is not what its file says, or says what no game file may; or None."""
    tree = tomllib.loads(content.decode("utf-8-sig"))
    tokens = set(tree["rules"].upper().split())
    if not tokens <= set(str(game.rules).split()):
        return f"rules {tokens} became {game.rules}"
    if not 1 <= game.max_hands <= 7 or not game.title.strip() or not game.title.isprintable():
        return f"{game.max_hands} hands, {game.title!r}"
    return _left_out(tree, game.model_dump(exclude={"rules"}) | {"rules": tree["rules"]}, "")


def _left_out(said, read_as, place):
    """Return the first place where something said is not there, or is another."""
    if isinstance(said, dict):
        if not isinstance(read_as, dict) or (more := set(said) - set(read_as)):
            return f"{place}: {more if isinstance(read_as, dict) else read_as}"
        parts = [(said[key], read_as[key], f"{place}.{key}") for key in said]
    elif isinstance(said, list):
        if place.endswith(".cards"):
            said, read_as = sorted(said), sorted(read_as)
        if len(said) != len(read_as):
            return place
        parts = [(*pair, f"{place}[{n}]") for n, pair in enumerate(zip(said, read_as, strict=True))]
    else:
        key = place.rpartition(".")[2]
        pattern = WORDS.get(key) if ".options." not in place else None
        if pattern and not re.fullmatch(pattern, str(said)):
            return f"{place} = {said!r}"
        return None if said == read_as and type(said) is type(read_as) else f"{place}: {read_as!r}"
    return next((fault for part in parts if (fault := _left_out(*part))), None)


@pytest.mark.parametrize("times", TIMES)
def test_damaged_bytes(times):
    rng, outcomes = random.Random(times), Outcomes()
    for number in range(700 * times):
        outcomes.feed(read, bytes_changed(rng, FILES[number % 2]), "mine.toml")
    check(outcomes, misread)


@pytest.mark.parametrize("times", TIMES)
def test_other_keys_and_values(times):
    rng, outcomes = random.Random(times), Outcomes()
    trees = [tomllib.loads(file.decode()) for file in FILES]
    for number in range(700 * times):
        changed = to_toml(tree_changed(rng, trees[number % 2], NO_NULL))
        outcomes.feed(read, changed.encode(), "mine.toml")
    check(outcomes, misread)


def test_a_reader_that_leaves_out_what_it_does_not_know_would_be_noticed():
    def careless(content):
        tree = tomllib.loads(content.decode())
        while True:
            try:
                return read(to_toml(tree).encode())
            except InputError as error:
                unknown = re.search(r"mine.toml: (\w+): unknown key", str(error))
                if unknown is None:
                    raise
                del tree[unknown[1]]

    rng, outcomes = random.Random(1), Outcomes()
    tree = tomllib.loads(FILES[0].decode())
    for _ in range(200):
        outcomes.feed(careless, to_toml(tree_changed(rng, tree, NO_NULL)).encode(), "mine.toml")
    with pytest.raises(pytest.fail.Exception, match="wrong acceptances"):
        check(outcomes, misread, enough=0)
