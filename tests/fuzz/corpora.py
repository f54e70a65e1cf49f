"""Bad inputs that are kept: the shortest found for every kind of refusal of a reader.

    python tests/fuzz/corpora.py [INPUTS]

looks through so many inputs for each reader (20000 if not said) and adds what is new, or shorter,
to the files in `corpora`. Kinds are told apart by the message, its names and numbers left out.
"""

import csv
import io
import random
import re
import sys
import tempfile
import tomllib
import zipfile
from functools import partial
from importlib import resources
from pathlib import Path

from mutations import JUNK, bytes_changed, to_toml, tree_changed, words_changed

from rtpsim.errors import InputError
from rtpsim.games.files import parse_game
from rtpsim.program.compositionfiles import read_composition
from rtpsim.reference import parse_cards
from rtpsim.rulestring import parse_rules
from rtpsim.strategy.files import parse_bytes, strategies_dir

FOLDER = Path(__file__).parent / "corpora"
GAMES = [
    resources.files("rtpsim.games").joinpath(f"{name}.toml").read_bytes()
    for name in ("signature-surrender", "power-blackjack")
]
CHARTS = [
    (strategies_dir() / f"{name}.csv").read_bytes() for name in ("ordinary", "power-blackjack")
]
COMPOSITION = b"""decision,cards,split_card,splits,up,third,action
play,"A,2,8",,,4,,hit
play,"8,8",8,1,A,,double
split again,,8,,6,,split
insurance,"A,T",,,A,,yes
replace,"4,6",,,7,2,yes
"""
RULES = "8D H17 D9S NDAS SPL2 SPR RSA HSA LS 6:5 PEEKT C8X MAX9 H21 P22N PD9 PS INSP"
CARDS = ["T♠ 6♦ / 9 7 | 9♣ 8♥ | 5 K", "8 8 / A 9 | 6 T | 3 T 2 9 7"]
WORDS = ["0D", "1001D", "9:0", "C4", "C12X", "MAX7", "SPL4", "17", "|", "/", "Z♠", "H17", "ES"]
WORDS += [str(value) for value in JUNK]


def read_csv_composition(content):
    """Read bytes as a strategy by composition."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "play.csv"
        path.write_bytes(content)
        return read_composition(path)


READERS = {
    "games": partial(parse_game, game_id="mine", source="mine.toml"),
    "charts": partial(parse_bytes, source="mine.csv", name="mine"),
    "compositions": read_csv_composition,
    "rules": lambda content: parse_rules(content.decode()),
    "cards": lambda content: parse_cards(content.decode()),
}


def changed_game(rng):
    """Return a game file with a fault."""
    content = rng.choice(GAMES)
    if rng.random() < 0.3:
        return bytes_changed(rng, content)
    junk = tuple(value for value in JUNK if value is not None)
    return to_toml(tree_changed(rng, tomllib.loads(content.decode()), junk)).encode()


def changed_table(rng, content):
    """Return a chart or composition file with faults in its bytes, cells or lines."""
    if rng.random() < 0.4:
        return bytes_changed(rng, content)
    lines = list(csv.reader(io.StringIO(content.decode())))
    place = rng.randrange(len(lines))
    odd = ["X", "hard 22", "soft 3", "pair J", "", "Y", "P", "6,5", "T,T,T", "0", "yes", "hit"]
    lines[place] = words_changed(rng, lines[place], odd)
    if rng.random() < 0.2:
        lines.append(rng.choice(lines))
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue().encode(errors="surrogatepass")


def changed_words(rng, text):
    """Return a line with faults in its words."""
    return " ".join(words_changed(rng, text.split(), WORDS)).encode()


CHANGED = {
    "games": changed_game,
    "charts": lambda rng: changed_table(rng, rng.choice(CHARTS)),
    "compositions": lambda rng: changed_table(rng, COMPOSITION),
    "rules": lambda rng: changed_words(rng, RULES if rng.random() < 0.5 else RULES[:20]),
    "cards": lambda rng: changed_words(rng, rng.choice(CARDS)),
}


def kind_of(message):
    """Return a message without the names, numbers and quotations in it, nor where it is."""
    message = message.split(": ", 2)[-1]
    message = re.sub(r"'(\\.|[^'\\])*'?|\"[^\"]*\"?|\([^)]*\)", "*", message)
    message = re.sub(r"did you mean.*|\w*[\d_]\w*|[^\x20-\x7e]", "*", message)
    return re.sub(r"[\W_*]+", " ", message).strip()[:80]


def kept(reader):
    """Return the inputs kept of a reader, by name."""
    path = FOLDER / f"{reader}.zip"
    if not path.exists():
        return {}
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def refusal(reader, content):
    """Return the message with which an input is refused, or None."""
    try:
        READERS[reader](content)
    except InputError as error:
        return str(error)
    return None


def gather(reader, inputs):
    """Look through inputs and write those kept."""
    found = {}
    rng = random.Random(reader)
    changed = (CHANGED[reader](rng) for _ in range(inputs))
    for content in (*kept(reader).values(), *changed):
        message = refusal(reader, content)
        if message is not None:
            kind = kind_of(message)
            found[kind] = min(found.get(kind, content), content, key=len)
    FOLDER.mkdir(exist_ok=True)
    with zipfile.ZipFile(FOLDER / f"{reader}.zip", "w", zipfile.ZIP_LZMA) as archive:
        for number, (_, content) in enumerate(sorted(found.items())):
            archive.writestr(zipfile.ZipInfo(f"{number:03}"), content, zipfile.ZIP_LZMA)
    return found


if __name__ == "__main__":
    for name in READERS:
        kinds = gather(name, int(sys.argv[1]) if sys.argv[1:] else 20_000)
        print(f"{name}: {len(kinds)} kinds")
