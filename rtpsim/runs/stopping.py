"""Stopping rule: how many rounds a half-width takes, settled before the first of them.

A run that is stopped once its interval looks narrow enough stops at a narrow one too often, and
its 99 % are fewer. Here the number follows from the variance of the game, and the run is played to
its end whatever it shows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtpsim.errors import InputError
from rtpsim.games import MAIN
from rtpsim.statistics import main_figures, rounds_needed
from rtpsim.volatility.indices import volatility

if TYPE_CHECKING:
    from rtpsim.exact.figures import ExactFigures
    from rtpsim.games import Game
    from rtpsim.program.composition import Strategy

PILOT_ROUNDS = 1 << 22
PILOT_SEED = 20_000_003
"""Rounds and seed of the pilot run; where that seed is the run's own, the next one."""

RESERVE = 3.0
"""Standard errors of the observed variance that are held in reserve (0.13 % are beyond them)."""

BASES = {"total": "on the total wagered", "initial": "on the initial bet"}


@dataclass(frozen=True)
class Length:
    """How long a run has to be.

    Attributes
    ----------
    rounds
        Its rounds: whole chunks.
    half_width
        The largest half-width of the 99 % interval of the return (a ratio: 0.0001 is 0.01 points).
    base
        What the return is a return on: ``total`` or ``initial`` wager.
    sd
        Standard deviation of one round's contribution to that return.
    source
        How `sd` was found.
    """

    rounds: int
    half_width: float
    base: str
    sd: float
    source: str

    def __str__(self) -> str:
        """Return the rule in words."""
        return (
            f"half-width {100 * self.half_width:g} points at 99 % {BASES[self.base]}: "
            f"{self.rounds:,} rounds ({self.source})"
        )


def choose_length(
    game: Game,
    chart: Strategy,
    half_width: float,
    *,
    hands: int = 1,
    seed: int = 1,
    exact: ExactFigures | None = None,
    workers: int | None = None,
) -> Length:
    """Choose the number of rounds after which a return is known within a half-width.

    The return is that of the main game on the base of its published figure; on the total wagered
    where nothing is published. ``n = (z sd / half_width)^2``, and a little more, so that the
    half-width that the run itself will show is not larger in 999 of 1000 runs: its own variance
    has a relative standard error of ``sqrt((k - 1) / n)`` with the kurtosis k, that of a pilot run
    of m rounds adds ``sqrt((k - 1) / m)`` to it (root of the sum of squares).

    Parameters
    ----------
    game, chart, hands
        What is going to be played.
    half_width
        Of the 99 % interval, as a ratio (0.0001 is 0.01 percentage points).
    seed
        Of the run itself; a pilot run has another one.
    exact
        Exact figures of the main game under the chart; without them, and for several hands a
        round, a pilot run finds the variance.
    workers
        Threads of the pilot run.

    Raises
    ------
    InputError
        If the half-width is not positive, or takes more rounds than a run can have.
    """
    if not (math.isfinite(half_width) and half_width > 0):
        raise InputError(f"half-width {half_width}: expected a number above 0")
    published = game.published_for(MAIN)
    base = "total" if published is None else published.base
    known = None if hands > 1 or exact is None else _exactly(exact, base)
    sd, spread = known or _by_pilot(game, chart, hands, seed, base, workers)
    needed = rounds_needed(sd, half_width)
    doubt = 1 / needed + (0 if known else 1 / PILOT_ROUNDS)
    rounds = math.ceil(needed * (1 + RESERVE * spread * math.sqrt(doubt)))
    source = f"a pilot run of {PILOT_ROUNDS:,} rounds"
    if known and exact is not None:
        partly = bool(exact.document.get("simulated"))
        source = "exact variance" + ", distribution simulated" * partly
    return Length(_whole_chunks(rounds), half_width, base, sd, source)


def _whole_chunks(rounds: int) -> int:
    """Round up to whole chunks: the last bit of a variance should not decide on a round."""
    from rtpsim.simulation.streams import CHUNK_ROUNDS, MAX_CHUNKS

    chunks = -(-rounds // CHUNK_ROUNDS)
    if chunks > MAX_CHUNKS:
        raise InputError(
            f"half-width: it takes {rounds:.1e} rounds, and a run has {MAX_CHUNKS * CHUNK_ROUNDS}"
            " at most"
        )
    return chunks * CHUNK_ROUNDS


def _exactly(exact: ExactFigures, base: str) -> tuple[float, float] | None:
    """Return the standard deviation, and ``sqrt(kurtosis - 1)`` of the net; None if not known."""
    fourth = exact.document.get("fourth_central_moment")
    try:
        known = volatility(exact)
    except InputError:
        return None
    if fourth is None:
        return None
    sd = known.sd_total if base == "total" else known.sd_initial
    return sd, math.sqrt(float(fourth) / known.variance**2 - 1)


def _by_pilot(
    game: Game, chart: Strategy, hands: int, seed: int, base: str, workers: int | None
) -> tuple[float, float]:
    """Return the same, as a pilot run finds it."""
    from rtpsim.simulation import simulate

    tally = simulate(
        game,
        chart,
        rounds=PILOT_ROUNDS,
        seed=PILOT_SEED + (seed == PILOT_SEED),
        hands=hands,
        workers=workers,
        side_bets=(),
    )
    figures = main_figures(tally.outcomes, tally.unit, hands)
    estimate = figures.rtp_total if base == "total" else figures.rtp_initial
    root = math.sqrt(tally.rounds)
    spread = figures.variance.standard_error / figures.variance.value * root
    return estimate.standard_error * root, spread
