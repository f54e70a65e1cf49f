"""Making witnesses: the referee plays a run and enumerates tiny shoes."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from rtpsim.cards import RANKS, SUIT_LETTERS, Card, Shoe
from rtpsim.errors import InputError, shown
from rtpsim.witnesses.finding import referee_sha256
from rtpsim.witnesses.witness import TinyShoe, Witness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtpsim.games import Game
    from rtpsim.reference import RefereeTally
    from rtpsim.strategy import Chart

ROUNDS = 1_000_000
SEED = 1
TINY_SHOES = ("5x8 6x6 Tx9", "8x9 Tx8", "Ax7 9x5 Jx7", "Ax4 5x5 6x4 Tx6")
"""Shoes that are enumerated: ranks, and how many cards of each."""


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

    folder = Path(__file__).parent
    for name in names or game_names():
        game = load_game(name)
        path = write_witness(make_witness(game, default_chart(game)), folder)
        print(path)
