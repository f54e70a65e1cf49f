"""Witnesses: what the referee found by itself, made once, kept in the package and quoted.

The referee plays rounds literally and shares no code with compiler, kernel and exact engine
(`rtpsim.reference`). A million rounds by it take minutes, so that they are not played for every
report: ``python -m rtpsim.witness`` plays them for the games of the catalogue by their own charts
and writes what they counted, with a hash of game, chart and the referee's own text. A witness for
anything else does not count, and none is found then.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rtpsim.cards import RANKS, SUIT_LETTERS, Card, Shoe
from rtpsim.errors import InputError, shown
from rtpsim.family import bet_tests, main_tests
from rtpsim.results import BetTerms
from rtpsim.statistics import MainFigures, main_figures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from rtpsim.figures import ExactFigures
    from rtpsim.games import Game
    from rtpsim.reference import RefereeTally
    from rtpsim.significance import TestResult
    from rtpsim.strategy import Chart

FORMAT = "rtpsim.witness/1"
ROUNDS = 1_000_000
SEED = 1
TINY_SHOES = ("5x8 6x6 Tx9", "8x9 Tx8", "Ax7 9x5 Jx7", "Ax4 5x5 6x4 Tx6")
"""Shoes that are enumerated: ranks, and how many cards of each."""

LARGEST_DIFFERENCE = 1e-12
"""By how much exact engine and enumeration may differ: the rounding of floating point."""

FOLDER = "witnesses"


@dataclass(frozen=True)
class TinyShoe:
    """A shoe of a few cards, of which the referee played every sequence.

    Attributes
    ----------
    cards
        Ranks, and how many cards of each: ``5x8 6x6 Tx9``.
    outcomes
        How many different results of a round there are.
    referee_net, referee_wager
        Expected net and total wager of the main game, in initial wagers: exact fractions.
    exact_net, exact_wager
        The same by the exact engine.
    """

    cards: str
    outcomes: int
    referee_net: Fraction
    referee_wager: Fraction
    exact_net: float
    exact_wager: float

    @property
    def difference(self) -> float:
        """The larger difference of net and of wager."""
        return max(
            abs(self.exact_net - float(self.referee_net)),
            abs(self.exact_wager - float(self.referee_wager)),
        )

    @property
    def agrees(self) -> bool:
        """Whether it is no more than the rounding of floating point."""
        return self.difference <= LARGEST_DIFFERENCE

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; fractions as text."""
        return {
            "cards": self.cards,
            "outcomes": self.outcomes,
            "referee_net": str(self.referee_net),
            "referee_wager": str(self.referee_wager),
            "exact_net": self.exact_net,
            "exact_wager": self.exact_wager,
            "difference": self.difference,
        }


@dataclass(frozen=True)
class Witness:
    """What the referee found of a game by a chart.

    Attributes
    ----------
    game, strategy
        The game's id and the chart's name.
    game_sha256, strategy_sha256, referee_sha256
        What it was found of, and by which text of the referee.
    version
        Version of rtpsim that wrote it down.
    rounds, seed, unit
        The run: rounds of one hand, and the unit of its amounts.
    outcomes, insurance
        (net, wager) of the round -> rounds.
    side_bets
        Side bet -> winning outcomes of the round -> rounds.
    dealer_finals
        The dealer's final -> rounds.
    tiny_shoes
        The second witness: small shoes, enumerated.
    sha256
        Of the stored document, this hash left out (`canonical`).
    """

    game: str
    strategy: str
    game_sha256: str
    strategy_sha256: str
    referee_sha256: str
    version: str
    rounds: int
    seed: int
    unit: int
    outcomes: Mapping[tuple[int, int], int]
    insurance: Mapping[tuple[int, int], int]
    side_bets: Mapping[str, Mapping[tuple[str, ...], int]]
    dealer_finals: Mapping[str, int]
    tiny_shoes: tuple[TinyShoe, ...]
    sha256: str = ""

    hands = 1
    labels = None
    initial = None

    @property
    def figures(self) -> MainFigures:
        """The main game's figures of the referee's run."""
        return main_figures(self.outcomes, self.unit)

    def tests(self, game: Game, exact: ExactFigures) -> list[TestResult]:
        """Test the run against exact values: EV, mean wager and variance, and the side bets."""
        shoe = Shoe.of_decks(game.rules.decks)
        found = main_tests(self.figures, exact)
        for bet in game.side_bets:
            found += bet_tests(self, BetTerms.of(bet, shoe, 1))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the document that is stored."""
        figures = self.figures
        document: dict[str, Any] = {
            "format": FORMAT,
            "game": self.game,
            "strategy": self.strategy,
            "game_sha256": self.game_sha256,
            "strategy_sha256": self.strategy_sha256,
            "referee_sha256": self.referee_sha256,
            "version": self.version,
            "rounds": self.rounds,
            "seed": self.seed,
            "unit": f"1/{self.unit}",
            "ev": figures.ev.value,
            "ev_standard_error": figures.ev.standard_error,
            "mean_wager": figures.mean_wager.value,
            "outcomes": [[*key, count] for key, count in sorted(self.outcomes.items())],
            "insurance": [[*key, count] for key, count in sorted(self.insurance.items())],
            "side_bets": {
                bet: [[list(key), count] for key, count in sorted(tally.items())]
                for bet, tally in self.side_bets.items()
            },
            "dealer_finals": dict(sorted(self.dealer_finals.items())),
            "tiny_shoes": [shoe.to_dict() for shoe in self.tiny_shoes],
        }
        document["sha256"] = hashlib.sha256(canonical(document)).hexdigest()
        return document

    def to_frame(self) -> pd.DataFrame:
        """Return the main game's outcomes as a table: net and wager, and how often."""
        import pandas as pd

        rows = [
            {"net": net / self.unit, "wager": wager / self.unit, "rounds": count}
            for (net, wager), count in sorted(self.outcomes.items())
        ]
        return pd.DataFrame(rows)


class Found(NamedTuple):
    """A witness, or None; and in words what there is or why there is none."""

    witness: Witness | None
    text: str


def canonical(document: Mapping[str, Any]) -> bytes:
    """Return the form of a document that its hash is of: sorted keys, no blanks, no ``sha256``."""
    content = {key: value for key, value in document.items() if key != "sha256"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


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
    return resources.files("rtpsim").joinpath(FOLDER)


def read_witness(text: str) -> Witness:
    """Read a stored witness.

    Raises
    ------
    InputError
        If it is damaged or of another format, or its counts are not of all rounds.
    """
    try:
        document = json.loads(text)
        if document["format"] != FORMAT:
            raise InputError(f"witness: format {shown(document['format'])}, not {FORMAT!r}")
        if hashlib.sha256(canonical(document)).hexdigest() != document["sha256"]:
            raise InputError("witness: its contents do not have the hash that it names")
        witness = _witness(document)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"witness: damaged ({shown(str(error))})") from None
    tallies: list[Mapping[Any, int]] = [witness.outcomes, witness.insurance, witness.dealer_finals]
    for tally in (*tallies, *witness.side_bets.values()):
        if sum(tally.values()) != witness.rounds:
            raise InputError(f"witness: counts {sum(tally.values())} of {witness.rounds} rounds")
    if json.loads(json.dumps(witness.to_dict())) != document:
        raise InputError("witness: its figures do not follow from its counts")
    return witness


def _witness(document: dict[str, Any]) -> Witness:
    plain = ("game", "strategy", "game_sha256", "strategy_sha256", "referee_sha256", "version")
    return Witness(
        **{name: str(document[name]) for name in plain},
        rounds=int(document["rounds"]),
        seed=int(document["seed"]),
        unit=int(document["unit"].removeprefix("1/")),
        outcomes={(net, wager): count for net, wager, count in document["outcomes"]},
        insurance={(net, wager): count for net, wager, count in document["insurance"]},
        side_bets={
            bet: {tuple(key): count for key, count in rows}
            for bet, rows in document["side_bets"].items()
        },
        dealer_finals=dict(document["dealer_finals"]),
        tiny_shoes=tuple(
            TinyShoe(
                shoe["cards"],
                int(shoe["outcomes"]),
                Fraction(shoe["referee_net"]),
                Fraction(shoe["referee_wager"]),
                float(shoe["exact_net"]),
                float(shoe["exact_wager"]),
            )
            for shoe in document["tiny_shoes"]
        ),
        sha256=str(document["sha256"]),
    )


# -- making them ------------------------------------------------------------------------------


def make_witness(
    game: Game,
    chart: Chart,
    *,
    rounds: int = ROUNDS,
    seed: int = SEED,
    tiny_shoes: Sequence[str] = TINY_SHOES,
) -> Witness:
    """Have the referee play a run and enumerate tiny shoes, and write down what it found.

    Raises
    ------
    InputError
        If rounds or seed are not allowed, or the chart has no letter for a hand.
    """
    from rtpsim.reference import referee_run

    tally = referee_run(game, chart, rounds, seed)
    return witness_of(game, chart, seed, tally, [enumerated(game, chart, s) for s in tiny_shoes])


def witness_of(
    game: Game, chart: Chart, seed: int, tally: RefereeTally, tiny_shoes: Sequence[TinyShoe]
) -> Witness:
    """Put a run of the referee and its enumerations together."""
    from importlib import metadata

    return Witness(
        game=game.id,
        strategy=chart.name,
        game_sha256=game.sha256,
        strategy_sha256=chart.sha256,
        referee_sha256=referee_sha256(),
        version=metadata.version("rtpsim"),
        rounds=tally.rounds,
        seed=seed,
        unit=tally.unit,
        outcomes=dict(tally.outcomes),
        insurance=dict(tally.insurance),
        side_bets={bet: dict(counts) for bet, counts in tally.side_bets.items()},
        dealer_finals={str(final): count for final, count in tally.dealer_finals.items()},
        tiny_shoes=tuple(tiny_shoes),
    )


def shoe_of(cards: str) -> Shoe:
    """Return the shoe of so many cards of each rank: ``5x8 6x6 Tx9``, suits taken in turn.

    Raises
    ------
    InputError
        If a word is no rank and number.
    """
    counts: Counter[int] = Counter()
    for word in cards.split():
        rank, _, number = word.partition("x")
        if len(rank) != 1 or rank not in RANKS or not number.isdecimal():
            raise InputError(f"shoe {shown(cards)}: expected ranks and numbers, as 5x8 6x6 Tx9")
        for copy in range(int(number)):
            counts[Card(RANKS.index(rank), copy % len(SUIT_LETTERS)).number] += 1
    return Shoe(tuple(counts[number] for number in range(52)))


def enumerated(game: Game, chart: Chart, cards: str) -> TinyShoe:
    """Have the referee play every sequence of a shoe, and the exact engine value it.

    Raises
    ------
    InputError
        If the shoe cannot be read, or the chart has no letter for a hand.
    ShoeExhaustedError
        If some round runs out of cards.
    """
    from rtpsim.exact.evaluate import evaluate
    from rtpsim.exact.policies import ChartPolicy
    from rtpsim.reference import enumerate_rounds

    shoe, unit = shoe_of(cards), game.rules.unit
    outcomes = enumerate_rounds(game, chart, shoe)
    openings = evaluate(
        game.rules,
        ChartPolicy(chart, game.rules),
        shoe,
        insurance=game.insurance,
        even_money=game.even_money,
    )
    return TinyShoe(
        cards,
        len(outcomes),
        sum((p * outcome.net for outcome, p in outcomes.items()), Fraction(0)) / unit,
        sum((p * outcome.wager for outcome, p in outcomes.items()), Fraction(0)) / unit,
        float(sum(one.probability * one.worth.net for one in openings)),
        float(sum(one.probability * one.worth.wager for one in openings)),
    )


def write_witness(witness: Witness, folder: Path) -> Path:
    """Write a witness where `find_witness` looks for it in a checkout; return the file."""
    from rtpsim.files import write_whole

    path = folder / f"{witness.game}.json"
    text = json.dumps(witness.to_dict(), indent=1, ensure_ascii=False) + "\n"
    write_whole(path, lambda part: part.write_text(text, encoding="utf-8"))
    return path


def main(names: Sequence[str]) -> None:
    """Make the witnesses of some games of the catalogue anew; of all if none is named."""
    from rtpsim.games import game_names, load_game
    from rtpsim.strategy import default_chart

    folder = Path(__file__).parent / FOLDER
    folder.mkdir(exist_ok=True)
    for name in names or game_names():
        game = load_game(name)
        path = write_witness(make_witness(game, default_chart(game)), folder)
        print(path)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
