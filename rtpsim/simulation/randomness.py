"""Randomness: a pass of its own over the deal stream, and what it says of the simulation's cards.

Deals are drawn by the loops of the kernel out of the streams that it reads, from chunk numbers that
no run reaches; what becomes of them, and the cards drawn afterwards, is seen in recorded rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rtpsim._jit import kernel, loop
from rtpsim.errors import InputError
from rtpsim.simulation.buffers import make_queue
from rtpsim.simulation.deal import keep_first
from rtpsim.simulation.dealt import DealCounts, PlayedCounts
from rtpsim.simulation.layout import BLOCK, ZERO
from rtpsim.simulation.phases import draw_deals
from rtpsim.simulation.run import Plan, make_plan, record_rounds
from rtpsim.simulation.streams import CHUNK_ROUNDS, MAX_CHUNKS, stream_of
from rtpsim.statistics import finite
from rtpsim.statistics.significance import TestResult, holm

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    import pandas as pd
    from numpy.typing import NDArray

    from rtpsim.cards import Shoe
    from rtpsim.games import Game
    from rtpsim.simulation.buffers import Queue
    from rtpsim.simulation.streams import Stream
    from rtpsim.simulation.tables import Tables
    from rtpsim.strategy import Chart

ROUNDS = 4_000_000
"""Deals that are tested if nothing else is asked."""

FIRST_CHUNK = 1 << 31
"""The first chunk of the pass: half of all chunks, more than a run will ever reach."""

LEVEL = 0.01
"""Chance that any test fails although everything is right."""

_BLOCK = int(BLOCK)
_RECORDED = 2
"""Chunks that are recorded."""


@kernel
def deal_rounds(
    rounds: int,
    cards: int,
    tables: Tables,
    stream: Stream,
    queue: Queue,
    dealt: NDArray[np.uint16],
) -> None:
    """Deal ``rounds`` rounds from the stream and write down the positions of their cards.

    Parameters
    ----------
    rounds, tables, stream, queue
        As for `rtpsim.simulation.kernel.play_one_hand`.
    cards
        How many cards of a round are dealt at once.
    dealt
        Result: position in the shoe by round and card, uint16, shape (rounds, cards).
    """
    block = ZERO
    done = ZERO
    while done < rounds:
        block = draw_deals(_BLOCK, cards, block, tables, stream, queue)
        if rounds - done < _BLOCK:
            keep_first(_BLOCK, rounds - done, queue.positions)
        done = keep_valid(_BLOCK, cards, done, queue.positions, dealt)


@loop
def keep_valid(
    wanted: int,
    cards: int,
    done: int,
    positions: NDArray[np.uint16],
    dealt: NDArray[np.uint16],
) -> int:
    """Write down the valid deals behind those ``done``; return how many there are then."""
    count = done
    for i in range(wanted):
        if positions[i] > 0:
            for card in range(cards):
                dealt[count, card] = positions[(1 + card) * _BLOCK + i]
            count += 1
    return count


@dataclass(frozen=True)
class Randomness:
    """What the tests of the simulation's cards say.

    Attributes
    ----------
    seed, first_chunk, rounds, cards
        The deals tested: the seed and the first chunk of their streams, how many, cards of each.
    recorded
        Rounds of which the cards as played were tested, those drawn after the deal among them.
    level
        Chance that any test fails although everything is right: they are judged together (Holm).
    tests
        The tests.
    adjusted
        Their p-values by Holm's method; None where there were too few cards for the test.
    """

    seed: int
    first_chunk: int
    rounds: int
    cards: int
    recorded: int
    level: float
    tests: tuple[TestResult, ...]
    adjusted: tuple[float | None, ...]

    @property
    def failures(self) -> list[str]:
        """Names of the tests that failed."""
        return [
            test.name
            for test, p in zip(self.tests, self.adjusted, strict=True)
            if p is not None and p <= self.level
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        failed = set(self.failures)
        return {
            "seed": self.seed,
            "first_chunk": self.first_chunk,
            "rounds": self.rounds,
            "cards": self.cards,
            "recorded": self.recorded,
            "level": self.level,
            "tests": [
                {
                    "name": test.name,
                    "statistic": finite(test.statistic),
                    "df": test.df,
                    "p_value": test.p_value,
                    "p_adjusted": p,
                    "failed": test.name in failed,
                }
                for test, p in zip(self.tests, self.adjusted, strict=True)
            ],
        }

    def to_frame(self) -> pd.DataFrame:
        """Return the tests as a table, one a row."""
        import pandas as pd

        return pd.DataFrame(self.to_dict()["tests"])


def check_randomness(
    game: Game,
    chart: Chart,
    *,
    seed: int = 1,
    rounds: int = ROUNDS,
    hands: int = 1,
    level: float = LEVEL,
    progress: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> Randomness:
    """Test the cards of a game's simulation.

    Parameters
    ----------
    game, chart, seed, hands
        What is simulated. The deals depend on game, seed and hands alone; how long rounds go on
        afterwards on the chart.
    rounds
        Deals to test.
    level
        Chance that any test fails although everything is right.
    progress
        Called with the number of deals so far, after each chunk.
    stop
        Once set, no further chunk begins; what was dealt is judged.

    Raises
    ------
    InputError
        If something asked is not allowed, or the pass is stopped before a card was dealt.
    """
    from rtpsim.cards import Shoe

    recorded = min(rounds, CHUNK_ROUNDS)
    plan = make_plan(game, chart, rounds=recorded, seed=seed, hands=hands, side_bets=())
    shoe = Shoe.of_decks(game.rules.decks)
    counts = DealCounts(shoe, plan.tables.numbers[: shoe.size], hands, cards_at_once(plan))
    chunks = -(-rounds // CHUNK_ROUNDS)
    if FIRST_CHUNK + chunks + _RECORDED > MAX_CHUNKS:
        raise InputError(f"rounds {rounds}: allowed are 1 to {FIRST_CHUNK * CHUNK_ROUNDS}")
    for chunk in range(chunks):
        if stop is not None and stop.is_set():
            break
        wanted = min(CHUNK_ROUNDS, rounds - chunk * CHUNK_ROUNDS)
        counts.add(dealt_positions(plan, wanted, FIRST_CHUNK + chunk))
        if progress is not None:
            progress(counts.rounds)
    if counts.rounds == 0:
        raise InputError(f"{game.id}: stopped before a card was dealt")
    cards, played = _play(plan, shoe, min(_RECORDED, chunks), stop)
    tests = [*counts.tests(), *cards.tests()]
    return judge(tests, plan, counts, played, level)


def judge(
    tests: list[TestResult], plan: Plan, counts: DealCounts, recorded: int, level: float
) -> Randomness:
    """Judge tests together."""
    adjusted = iter(holm([test.p_value for test in tests if test.p_value is not None]))
    return Randomness(
        seed=plan.seed,
        first_chunk=FIRST_CHUNK,
        rounds=counts.rounds,
        cards=len(counts.names),
        recorded=recorded,
        level=level,
        tests=tuple(tests),
        adjusted=tuple(None if test.p_value is None else next(adjusted) for test in tests),
    )


def cards_at_once(plan: Plan) -> int:
    """Return how many cards of a round the kernel deals at once."""
    return plan.tables.cards_ahead if plan.hands == 1 else 2 + 2 * plan.hands


def dealt_positions(plan: Plan, rounds: int, chunk: int) -> NDArray[np.uint16]:
    """Return the positions in the shoe of the cards of a chunk's deals.

    Returns
    -------
    ndarray
        uint16, shape (rounds, `cards_at_once`): up card, dealer's second card, two a hand, and
        with one hand a round the next ones.
    """
    cards = cards_at_once(plan)
    dealt = np.zeros((rounds, cards), dtype=np.uint16)
    stream = stream_of(plan.seed, plan.game_hash, chunk)
    deal_rounds(rounds, cards, plan.tables, stream, make_queue(plan.hands), dealt)
    return dealt


def _play(
    plan: Plan, shoe: Shoe, chunks: int, stop: threading.Event | None
) -> tuple[PlayedCounts, int]:
    """Count the cards of some recorded chunks, behind those of the pass."""
    cards, rounds = PlayedCounts(shoe, plan.hands, plan.program.classes), 0
    for chunk in range(chunks):
        if stop is not None and stop.is_set():
            break
        record, _ = record_rounds(plan, MAX_CHUNKS - 1 - chunk)
        cards.add(record.dealt, record.drawn, record.length)
        rounds += len(record.dealt)
    return cards, rounds
