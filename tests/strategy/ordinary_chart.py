"""The ordinary chart, set down a second time, and the layouts in which people have charts."""

from __future__ import annotations

HARD = """
4 H H H H H H H H H H
5 H H H H H H H H H H
6 H H H H H H H H H H
7 H H H H H H H H H H
8 H H H H H H H H H H
9 H Dh Dh Dh Dh H H H H H
10 Dh Dh Dh Dh Dh Dh Dh Dh H H
11 Dh Dh Dh Dh Dh Dh Dh Dh Dh H
12 H H S S S H H H H H
13 S S S S S H H H H H
14 S S S S S H H H H H
15 S S S S S H H H Rh H
16 S S S S S H H Rh Rh Rh
17 S S S S S S S S S S
18 S S S S S S S S S S
19 S S S S S S S S S S
20 S S S S S S S S S S
21 S S S S S S S S S S
"""
SOFT = """
12 H H H H Dh H H H H H
13 H H H Dh Dh H H H H H
14 H H H Dh Dh H H H H H
15 H H Dh Dh Dh H H H H H
16 H H Dh Dh Dh H H H H H
17 H Dh Dh Dh Dh H H H H H
18 S Ds Ds Ds Ds S S H H H
19 S S S S S S S S S S
20 S S S S S S S S S S
21 S S S S S S S S S S
"""
PAIRS = """
2 P P P P P P H H H H
3 P P P P P P H H H H
4 H H H P P H H H H H
5 Dh Dh Dh Dh Dh Dh Dh Dh H H
6 P P P P P H H H H H
7 P P P P P P H H H H
8 P P P P P P P P P P
9 P P P P P S P P S S
T S S S S S S S S S S
A P P P P P P P P P P
"""
BLOCKS = {"hard": HARD, "soft": SOFT, "pair": PAIRS}
Lines = list[tuple[str, str, list[str]]]


def lines() -> Lines:
    """Every row as (kind, total or rank, ten letters)."""
    return [
        (kind, words[0], words[1:])
        for kind, text in BLOCKS.items()
        for words in (line.split() for line in text.strip().splitlines())
    ]


def canonical() -> str:
    table = [f"{kind} {hand},{','.join(cells)}" for kind, hand, cells in lines()]
    return "\n".join(["hand,2,3,4,5,6,7,8,9,T,A", *table, "insurance" + ",N" * 10]) + "\n"


def semicolons() -> str:
    """One row per hand ``A7``, ``88``, ``16``, columns ``Two`` ... ``Ace``."""
    names = "Two Three Four Five Six Seven Eight Nine Ten Ace".split()  # noqa: SIM905
    table = [";".join(["Hand", *names])]
    for kind, hand, cells in lines():
        if (kind, hand) in (("soft", "12"), ("soft", "21")):
            continue  # A,A stands among the pairs, ace and ten are a natural
        label = {
            "hard": hand,
            "soft": f"A{int(hand) - 11}" if kind == "soft" else "",
            "pair": hand * 2,
        }
        table.append(";".join([label[kind], *cells]))
    return "\n".join(table) + "\n"


def prefixed(letters: str, separator: str) -> str:
    """Rows ``n16``, ``a18``, ``s8`` or ``h16``, ``s18``, ``p8`` without a header."""
    letter = dict(zip(BLOCKS, letters, strict=True))
    return "".join(
        separator.join([letter[kind] + hand, *cells]) + "\n" for kind, hand, cells in lines()
    )


def three_blocks() -> str:
    """The paste of a web calculator: tabs, a blank in front, ``2,2`` for a pair."""
    text = ""
    for kind, title in zip(BLOCKS, ("Hard", "Soft", "Pair"), strict=True):
        text += f"{title}\n \t2\t3\t4\t5\t6\t7\t8\t9\t10\tA\n"
        for row, hand, cells in lines():
            if row != kind or (row, hand) in (("hard", "4"), ("soft", "12")):
                continue
            label = f"{hand},{hand}" if kind == "pair" else hand
            text += f" {label.replace('T', '10')}\t" + "\t".join(cells) + "\n"
        text += "\n"
    return text
