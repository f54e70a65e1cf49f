"""A fault for every token of the rule string: a compiler that reads it as another.

Each is a rule string in which the token stands, the same with what it is misread for, and the
chart under which the difference is played.
"""

from rtpsim.rulestring import _FIXED
from rtpsim.strategy import read_chart
from rtpsim.strategy.chart import Chart
from rtpsim.strategy.notation import COLUMNS

TEN = len(COLUMNS)


def _with_rows(chart, kinds, letter, but=()):
    """Return a chart with one letter in all rows of some kinds."""
    rows = {
        label: (letter,) * TEN if label.partition(" ")[0] in kinds and label not in but else cells
        for label, cells in chart.rows.items()
    }
    return Chart(f"{'/'.join(kinds)} {letter}", rows)


ORDINARY = read_chart("ordinary")
POWER = read_chart("power-blackjack")
DOUBLES = _with_rows(ORDINARY, ("hard", "soft"), "Dh", ("hard 20", "hard 21", "soft 21"))
DOUBLES_AT_21 = _with_rows(_with_rows(ORDINARY, ("pair",), "P"), ("hard", "soft"), "Dh")
SPLITS = _with_rows(ORDINARY, ("pair",), "P")
SPLITS_AND_DOUBLES = _with_rows(DOUBLES, ("pair",), "P")
SURRENDERS = _with_rows(ORDINARY, ("hard", "soft"), "Rh", ("hard 20", "hard 21", "soft 21"))
DRAWS = _with_rows(ORDINARY, ("hard", "soft", "pair"), "H", ("hard 21", "soft 21"))
SPLITS_AND_DRAWS = _with_rows(DRAWS, ("pair",), "P")
DRAWS_AT_21 = _with_rows(ORDINARY, ("hard", "soft", "pair"), "H")
INSURES = ORDINARY.with_cell("insurance", 0, "Y")

EDGES = "agreement/every_edge.py: every edge of the tables, before the referee"
DEALT = "agreement/kernel_rounds.py: rounds dealt by the kernel, before the referee"

BY_DEALING = {"SPR"}
"""Tokens that tables misread without a trace in them: they do not tell ranks apart at all."""

ALL_DOUBLES = ("DOA", "D8", "D9", "D10", "D11")
ALL_CHARLIES = range(5, 12)
ALL_MAXIMA = range(8, 22)


def check_of(token):
    """Return what notices that a token is misread."""
    return DEALT if token in BY_DEALING else EDGES


MISREAD = {
    # token: (rules with it, rules that it is misread for, chart)
    "S17": ("8D S17", "8D H17", ORDINARY),
    "H17": ("8D H17", "8D S17", ORDINARY),
    "DOA": ("8D DOA", "8D D9", DOUBLES),
    "D8": ("8D D8", "8D D9", DOUBLES),
    "D9": ("8D D9", "8D D10", DOUBLES),
    "D10": ("8D D10", "8D D11", DOUBLES),
    "D11": ("8D D11", "8D ND", DOUBLES),
    "ND": ("8D ND", "8D D11", DOUBLES),
    "D9S": ("8D D9S", "8D D9", DOUBLES),
    "D9N": ("8D D9N", "8D D9", DOUBLES),
    "DAS": ("8D DAS", "8D NDAS", SPLITS_AND_DOUBLES),
    "NDAS": ("8D NDAS", "8D DAS", SPLITS_AND_DOUBLES),
    "SPL0": ("8D SPL0", "8D SPL1", SPLITS),
    "SPL1": ("8D SPL1", "8D SPL0", SPLITS),
    "SPL2": ("8D SPL2", "8D SPL1", SPLITS),
    "SPL3": ("8D SPL3", "8D SPL2", SPLITS),
    "SPT2": ("8D SPT2", "8D SPL3", SPLITS),
    "SPV": ("8D SPV", "8D SPR", SPLITS),
    "SPR": ("8D SPR", "8D SPV", SPLITS),
    "RSA": ("8D SPL2 RSA", "8D SPL2 NRSA", SPLITS),
    "NRSA": ("8D SPL2 NRSA", "8D SPL2 RSA", SPLITS),
    "HSA": ("8D HSA", "8D NHSA", DRAWS.with_cell("pair A", 5, "P")),
    "NHSA": ("8D NHSA", "8D HSA", DRAWS.with_cell("pair A", 5, "P")),
    "DSA": ("8D HSA DSA", "8D HSA NDSA", SPLITS_AND_DOUBLES),
    "NDSA": ("8D HSA NDSA", "8D HSA DSA", SPLITS_AND_DOUBLES),
    "NS": ("8D NS", "8D LS", SURRENDERS),
    "LS": ("8D LS", "8D ES", SURRENDERS),
    "LSXA": ("8D LSXA", "8D LS", SURRENDERS),
    "ES": ("8D ES", "8D LS", SURRENDERS),
    "ES10": ("8D ES10", "8D ES", SURRENDERS),
    "3:2": ("8D 3:2", "8D 1:1", ORDINARY),
    "6:5": ("8D 6:5", "8D 7:5", ORDINARY),
    "1:1": ("8D 1:1", "8D 3:2", ORDINARY),
    "PEEK": ("8D PEEK", "8D ENHC", ORDINARY),
    "PEEKA": ("8D PEEKA", "8D PEEK", ORDINARY),
    "PEEKT": ("8D PEEKT", "8D PEEK", ORDINARY),
    "OBO": ("8D OBO", "8D ENHC", ORDINARY),
    "ENHC": ("8D ENHC", "8D OBO", ORDINARY),
    **{f"C{n}": (f"8D C{n}", f"8D C{n + 1}" if n < 11 else "8D C10", DRAWS) for n in range(5, 12)},
    "C5X": ("8D C5X", "8D C5", SPLITS),
    "C5T": ("8D C5T", "8D C5", DRAWS),
    "MAX8": ("8D MAX8", "8D MAX9", DRAWS),
    "H21": ("8D H21", "8D", DRAWS_AT_21),
    "P22": ("8D P22", "8D P22N", ORDINARY),
    "P22N": ("8D P22N", "8D P22", ORDINARY),
    "PD9": ("6D PD9 PS", "6D PD10 PS", POWER),
    "PD9S": ("6D PD9S PS", "6D PD9 PS", POWER),
    "PD10": ("6D PD10 PS", "6D PD9 PS", POWER),
    "PS": ("6D PD9 PS SPL2", "6D PD9 PSR SPL2", POWER),
    "PSR": ("6D PD9 PSR SPL2", "6D PD9 PS SPL2", POWER),
    "INSP": ("8D OBO INSP", "8D OBO", INSURES),
}

WITH_NUMBERS = {
    **{f"{one}N": (f"8D {one}N", f"8D {one}", DOUBLES) for one in ALL_DOUBLES},
    **{f"{one}S": (f"8D {one}S", f"8D {one}", DOUBLES) for one in ALL_DOUBLES[1:]},
    **{f"{one}SN": (f"8D {one}SN", f"8D {one}N", DOUBLES) for one in ALL_DOUBLES[1:]},
    **{f"C{n}X": (f"8D C{n}X", f"8D C{n}", SPLITS_AND_DRAWS) for n in ALL_CHARLIES},
    **{f"C{n}T": (f"8D C{n}T", f"8D C{n}", DRAWS) for n in ALL_CHARLIES},
    **{f"C{n}XT": (f"8D C{n}XT", f"8D C{n}X", DRAWS) for n in ALL_CHARLIES},
    # a soft 21 comes before many small cards, and it counts as 11
    **{f"MAX{n}": (f"8D MAX{n} H21", f"8D MAX{n + 1} H21", DRAWS_AT_21) for n in range(8, 21)},
    "MAX21": ("8D MAX21 H21", "8D MAX20 H21", DRAWS_AT_21),
    "D11S": ("8D D11S H21", "8D D11 H21", DOUBLES_AT_21),
    "D11SN": ("8D D11SN H21", "8D D11N H21", DOUBLES_AT_21),
}
"""All that numbers and suffixes can make of a token; what `MISREAD` has too is left out of it."""
WITH_NUMBERS = {token: case for token, case in WITH_NUMBERS.items() if token not in MISREAD}
PROBED = MISREAD | WITH_NUMBERS


def every_token():
    """Return every token of the rule string but the decks, all odds as one."""
    doubles = {f"{one}{suffix}" for one in ALL_DOUBLES for suffix in ("", "S", "N", "SN")}
    charlies = {f"C{n}{suffix}" for n in ALL_CHARLIES for suffix in ("", "X", "T", "XT")}
    return {
        *_FIXED,
        *(doubles - {"DOAS", "DOASN"}),  # where nothing is limited there is nothing to widen
        "ND",
        *charlies,
        *(f"MAX{n}" for n in ALL_MAXIMA),
        "3:2",
        "6:5",
        "1:1",
    }
