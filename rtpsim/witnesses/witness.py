"""Witnesses as they are stored: what the referee counted, and what it found of tiny shoes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rtpsim.cards import Shoe
from rtpsim.errors import InputError, shown
from rtpsim.results import BetTerms
from rtpsim.statistics import MainFigures, main_figures
from rtpsim.verification.run_tests import bet_tests, main_tests

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from rtpsim.exact.figures import ExactFigures
    from rtpsim.games import Game
    from rtpsim.statistics.significance import TestResult

FORMAT = "rtpsim.witness/1"
LARGEST_DIFFERENCE = 1e-12
"""By how much exact engine and enumeration may differ: the rounding of floating point."""


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


def canonical(document: Mapping[str, Any]) -> bytes:
    """Return the form of a document that its hash is of: sorted keys, no blanks, no ``sha256``."""
    content = {key: value for key, value in document.items() if key != "sha256"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


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
