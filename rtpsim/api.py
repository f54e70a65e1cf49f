"""Runs in one call: `simulate` and `verify`, as `import rtpsim` gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.analysis.charts import chart_for
from rtpsim.games import load_game
from rtpsim.wholes import whole

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Sequence

    from rtpsim.games import AnyGame
    from rtpsim.program.composition import CompositionStrategy
    from rtpsim.results import SimulationResult
    from rtpsim.strategy import AnyStrategy
    from rtpsim.verification.judging import Limits
    from rtpsim.verification.verdicts import GameVerification

PLAYED = 10**7
"""Rounds that are played unless others are asked for: a second, and 0.08 points of half-width."""


def simulate(
    game: AnyGame,
    strategy: AnyStrategy | CompositionStrategy = "default",
    *,
    rounds: int = PLAYED,
    seed: int = 1,
    hands: int = 1,
    workers: int | None = None,
    side_bets: Sequence[str] | None = None,
    progress: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> SimulationResult:
    """Play rounds card by card from freshly shuffled shoes, and return what they returned.

    The tallies are a function of game, chart, `seed`, `rounds` and `hands` alone.

    Parameters
    ----------
    game
        A game, a name of the catalogue, a game file or a rule string.
    strategy
        A chart, a chart's name or file, ``default`` (the game's chart), ``optimal-td`` or
        ``optimal-2c`` (solved first); ``optimal-cd``, a strategy by composition or its file
        (`rtpsim.exact.compositions.strategy_for`).
    rounds
        Rounds to play, from 1 up; ``1e6`` is a million.
    seed
        Which random cards, a whole number from 0 to 2**64 - 1.
    hands
        Hands a round, played against one dealer.
    workers
        Threads; by default all cores.
    side_bets
        Ids of the side bets to play; by default all of them.
    progress
        Called with the number of rounds played so far.
    stop
        Once set, no further chunk of rounds is begun: what has been played is the result.

    Returns
    -------
    SimulationResult
        Integer tallies, in 1/`SimulationResult.unit` initial wagers; `SimulationResult.figures`
        has every figure with its standard error.

    Raises
    ------
    InputError
        If there is no such game, strategy or side bet, the chart does not fit the game, a number
        is not allowed, or the run was stopped before anything was played.

    Examples
    --------
    >>> run = simulate("signature-surrender", rounds=100_000, seed=1)
    >>> run.rounds
    100000
    >>> low, high = run.figures.rtp_total.interval(0.99)
    >>> bool(low < 0.99634900 < high)  # the exact return
    True
    """
    from rtpsim.exact.compositions import strategy_for
    from rtpsim.runs.play import Threads
    from rtpsim.runs.prepared import prepare
    from rtpsim.runs.run import Run
    from rtpsim.simulation import available_cores

    rounds, seed, hands = (
        whole(name, value, least)
        for name, value, least in (("rounds", rounds, 1), ("seed", seed, 0), ("hands", hands, 1))
    )
    if workers is not None:
        workers = whole("workers", workers, 1)
    if isinstance(side_bets, str):
        side_bets = [side_bets]
    game = load_game(game)
    chart = strategy_for(game, strategy)
    game.check_hands(hands)
    bets = None if side_bets is None else tuple(side_bets)
    run = prepare(
        Run(game, chart, rounds, seed, hands, bets), Threads(workers or available_cores())
    )
    return run.play(command="rtpsim.simulate", progress=progress, stop=stop).result


def verify(
    game: AnyGame,
    strategy: AnyStrategy = "default",
    *,
    rounds: int = 10 * PLAYED,
    seed: int = 1,
    workers: int | None = None,
    limits: Limits | None = None,
    keep: bool = True,
) -> GameVerification:
    """Judge a game's published figures: published against exact against simulated.

    A run that fails is played once more, ten times as long, and the second run decides.

    Parameters
    ----------
    game, strategy, rounds, seed, workers
        As in `simulate`; a verdict on the main game takes some 7e8 rounds, with fewer it is
        INCONCLUSIVE.
    limits
        Tolerances and the family's level, if not the usual ones
        (`rtpsim.verification.judging.Limits`).
    keep
        Whether exact figures are kept on disk, and taken from there.

    Returns
    -------
    GameVerification
        Two verdicts for every wager, with their reasons, and the tests they go by; returns are
        ratios (0.9963).

    Raises
    ------
    InputError
        As `simulate` does.

    Examples
    --------
    >>> judged = verify("signature-surrender", rounds=100_000)
    >>> for wager in judged.wagers:
    ...     print(wager.title, wager.published, wager.published_verdict, wager.simulated_verdict)
    Blackjack 99.63 REPRODUCED INCONCLUSIVE
    Empire Poker 96.82 REPRODUCED INCONCLUSIVE
    Empire Pairs 96.63 REPRODUCED INCONCLUSIVE
    """
    from rtpsim.exact.figures import exact_figures
    from rtpsim.verification.judging import verify as judged

    game = load_game(game)
    chart = chart_for(game, strategy)

    rounds, seed = whole("rounds", rounds, 1), whole("seed", seed, 0)

    def play(rounds: int, seed: int) -> SimulationResult:
        return simulate(game, chart, rounds=rounds, seed=seed, workers=workers)

    exact = exact_figures(game, chart, keep=keep)
    run = play(rounds, seed)
    return judged(run, game, chart, seed=seed, exact=exact, limits=limits, rerun=play)
