"""Reports of ``rtpsim verify``: runs played in blocks, reports made while the next run plays."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rtpsim.cli.output import note, say
from rtpsim.cli.progress import progress_bar
from rtpsim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Future

    from rtpsim.cli.running import Means
    from rtpsim.games import Game
    from rtpsim.report.build_identity import Circumstances
    from rtpsim.report.model import RunTallies
    from rtpsim.results import SimulationResult
    from rtpsim.strategy import Chart


def report_option() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return ``--report``."""
    return click.option(
        "--report",
        "folder",
        type=click.Path(path_type=Path),
        metavar="FOLDER",
        help="Write a report of each game there: .html, .pdf, .xlsx, and the .json that `rtpsim "
        "audit` checks.",
    )


class PlayedBlocks(NamedTuple):
    """A run that was played in blocks.

    Attributes
    ----------
    result
        The run as every run is.
    tallies
        The same as a report holds it.
    circumstances
        What the report tells of its making.
    """

    result: SimulationResult
    tallies: RunTallies
    circumstances: Circumstances


def play_blocks(
    game: Game, chart: Chart, rounds: int, seed: int, means: Means, rule: str = ""
) -> PlayedBlocks:
    """Play a run in blocks, with a progress bar; stopped as the command says.

    `rule` is what its rounds follow from, as the report shall say.

    Raises
    ------
    KeyboardInterrupt
        If it was stopped before any round was counted.
    """
    from rtpsim.report.blocks import simulate_blocks
    from rtpsim.report.build_identity import Circumstances, utc_now
    from rtpsim.report.tallies import pack_run
    from rtpsim.results import SimulationResult
    from rtpsim.simulation import available_cores
    from rtpsim.simulation.warm import warm_up

    warm_up(several=False)
    workers = means.workers or available_cores()
    started, began = utc_now(), time.perf_counter()
    with means.stopping.playing() as stop, progress_bar(game.id, rounds) as progress:
        try:
            run = simulate_blocks(
                game,
                chart,
                rounds=rounds,
                seed=seed,
                workers=workers,
                progress=progress,
                stop=stop,
            )
        except InputError:
            if stop.is_set():
                raise means.stopping.error() from None
            raise
    circumstances = Circumstances.collect(
        click.get_current_context().find_root().obj or "",
        started=started,
        duration_s=time.perf_counter() - began,
        workers=workers,
        rounds_rule=rule,
    )
    result = SimulationResult.from_tally(game, chart, seed, run.tally)
    return PlayedBlocks(result, pack_run(seed, run), circumstances)


class Reporter:
    """Makes and writes reports, two at a time, while the caller does something else.

    Parameters
    ----------
    folder
        Where they are written.
    games
        Ids of the games to come, in order.
    keep
        Whether exact figures may come from disk, and are kept there.

    Raises
    ------
    InputError
        If the folder cannot be written, or two games would have the same files.
    """

    def __init__(self, folder: Path, games: Sequence[str], keep: bool) -> None:
        from rtpsim.report.files import check_folder, file_stems

        self.folder = folder
        self.keep = keep
        self._stems = iter(file_stems(games))
        check_folder(folder)
        self._pool = ThreadPoolExecutor(2)
        self._made: list[Future[list[str]]] = []

    def submit(self, game: Game, chart: Chart, runs: Sequence[PlayedBlocks]) -> None:
        """Have the report of a game made of the runs that were played of it."""
        stem = next(self._stems)
        self._made.append(self._pool.submit(self._make, game, chart, list(runs), stem))

    def _make(self, game: Game, chart: Chart, runs: Sequence[PlayedBlocks], stem: str) -> list[str]:
        """Make and write one report; return what there is to say about it."""
        from rtpsim.report.build import build_report
        from rtpsim.report.files import write_report
        from rtpsim.report.inputs import opened, pack_inputs

        inputs = pack_inputs(game, chart)
        with opened(inputs) as what:
            report = build_report(
                what,
                inputs,
                [run.tallies for run in runs],
                runs[-1].circumstances,
                keep=self.keep,
            )
        return write_report(report, self.folder, stem)

    def finish(self) -> None:
        """Wait for the reports and say what there is to say about them."""
        if any(not one.done() for one in self._made):
            say("writing the reports")
        try:
            for one in self._made:
                for line in one.result():
                    note(line)
        finally:
            self._pool.shutdown(cancel_futures=True)

    def abandon(self) -> None:
        """Make no more reports than the one being made."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def reporter_for(
    folder: Path | None, games: Sequence[str], keep: bool, elsewhere: Mapping[str, object]
) -> Reporter | None:
    """Return what makes the reports, if any are wanted.

    Parameters
    ----------
    folder, games, keep
        As for `Reporter`.
    elsewhere
        Options that have rounds played or kept in another way, and their values.

    Raises
    ------
    InputError
        If one of these is given too, or as for `Reporter`.
    """
    if folder is None:
        return None
    for option, value in elsewhere.items():
        if value is not None:
            raise InputError(
                f"--report: not together with {option}; a report's run is played here, whole"
            )
    return Reporter(folder, games, keep)
