"""Bad inputs made of good ones: by bytes, by words of a line, and by the tree of values.

Everything is drawn from a `random.Random`, so that a seed is enough to meet a fault again.
"""

import copy
import json
import math
import string

JUNK = (
    None,
    True,
    False,
    0,
    -1,
    1,
    7,
    2**31,
    2**63,
    10**30,
    -(10**30),
    0.5,
    1e308,
    math.nan,
    math.inf,
    "",
    " ",
    "x",
    "0",
    "None",
    "true",
    "\0",
    "\x1b[31mred",
    "a\nb",
    "\u202eabc",
    "=1+1",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "/etc/passwd",
    "{0.__class__}",
    "%s%n",
    "x" * 3000,
    "９",
    [],
    {},
    [1],
    {"a": 1},
    [[[[[[[[[[]]]]]]]]]],
)
"""Values that are seldom meant, of every type that TOML and JSON know."""


def bytes_changed(rng, content):
    """Return bytes with one fault: cut, flipped, lost, doubled, foreign or in another encoding."""
    size = len(content)
    start = rng.randrange(size)
    end = min(size, start + rng.choice((1, 1, 2, 5, 20, 200)))
    match rng.randrange(10):
        case 0:
            return content[:start]
        case 1 | 2 | 3:
            flipped = bytearray(content)
            for place in {start, *(rng.randrange(size) for _ in range(rng.choice((0, 0, 3))))}:
                flipped[place] ^= 1 << rng.randrange(8)
            return bytes(flipped)
        case 4:
            return content[:start] + content[end:]
        case 5:
            return content[:end] + content[start:end] + content[end:]
        case 6:
            return content[:start] + rng.randbytes(rng.choice((1, 2, 8))) + content[start:]
        case 7:
            return (
                content[:start]
                + rng.choice((b"\0", b"\xff", b"\r", b"\n", b'"', b"#", b","))
                + (content[end:])
            )
        case 8:
            other = rng.randrange(size)
            low, high = sorted((start, other))
            return content[high:] + content[low:high] + content[:low]
        case _:
            text = content.decode("latin-1")
            return text.encode(rng.choice(("utf-16", "utf-32", "utf-7", "cp500")))


def word_changed(rng, word):
    """Return a word misspelt: a letter lost, doubled, swapped, replaced or in another case."""
    if not word:
        return "x"
    place = rng.randrange(len(word))
    match rng.randrange(6):
        case 0:
            return word[:place] + word[place + 1 :]
        case 1:
            return word[: place + 1] + word[place:]
        case 2:
            other = min(place + 1, len(word) - 1)
            letters = list(word)
            letters[place], letters[other] = letters[other], letters[place]
            return "".join(letters)
        case 3:
            return word.swapcase()
        case 4:
            return word[:place] + rng.choice("\0\n\t -_.:/°é²") + word[place:]
        case _:
            return word[:place] + rng.choice(string.printable) + word[place + 1 :]


def words_changed(rng, words, junk):
    """Return a line's words with one to three faults in them."""
    words = list(words)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        place = rng.randrange(len(words)) if words else 0
        match rng.randrange(6) if words else 5:
            case 0:
                del words[place]
            case 1:
                words.insert(place, words[rng.randrange(len(words))])
            case 2 | 3:
                words[place] = word_changed(rng, words[place])
            case 4:
                words[place] = rng.choice(junk)
            case _:
                words.insert(place, rng.choice(junk))
    return words


def places(tree, path=()):
    """Yield the path of every value below the root of a tree of tables and lists."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in items:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


def at(tree, path):
    """Return the value at a path."""
    for key in path:
        tree = tree[key]
    return tree


def tree_changed(rng, tree, junk=JUNK):
    """Return a tree with one fault: a key lost, misspelt or unknown, or a value that is another."""
    tree = copy.deepcopy(tree)
    # a short way down first, or the many rows of a long list would have all the faults
    path = []
    inner = tree
    while isinstance(inner, dict | list) and inner and (not path or rng.random() < 0.75):
        key = rng.choice(list(inner)) if isinstance(inner, dict) else rng.randrange(len(inner))
        path.append(key)
        inner = inner[key]
    parent, key = at(tree, path[:-1]), path[-1]
    match rng.randrange(8):
        case 0:
            del parent[key]
        case 1 if isinstance(parent, dict):
            parent[word_changed(rng, key)] = parent.pop(key)
        case 2 if isinstance(parent, dict):
            parent[rng.choice(("x", "__class__", "id", "rules", "", "$ref", "count"))] = 1
        case 3 if isinstance(parent, list):
            parent.append(copy.deepcopy(parent[key]))
        case 4 if isinstance(parent[key], str):
            parent[key] = word_changed(rng, parent[key])
        case 4 if isinstance(parent[key], int):
            parent[key] += rng.choice((-1, 1, 10, -(10**6), 10**12))
        case 5:
            parent[key] = str(parent[key])
        case 6:
            parent[key] = [parent[key]]
        case _:
            parent[key] = copy.deepcopy(rng.choice(junk))
    return tree


def differences(one, other, path=()):
    """Yield the paths at which two trees differ; numbers that are equal to 1e-9 do not."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {**one, **other}:
            if key not in one or key not in other:
                yield (*path, key)
            else:
                yield from differences(one[key], other[key], (*path, key))
    elif isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            yield path
        else:
            for index, (left, right) in enumerate(zip(one, other, strict=True)):
                yield from differences(left, right, (*path, index))
    elif isinstance(one, float) or isinstance(other, float):
        numbers = all(type(value) in (int, float) for value in (one, other))
        if not numbers or not math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12):
            yield path
    elif one != other or type(one) is not type(other):
        yield path


def to_toml(tree):
    """Write a tree as TOML, inner tables inline."""
    return "".join(f"{_toml_key(key)} = {_toml(value)}\n" for key, value in tree.items())


def _toml_key(key):
    return json.dumps(key)


def _toml(value):
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{_toml_key(key)} = {_toml(one)}" for key, one in value.items()) + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value).replace("\\u007f", "\\u007F")
