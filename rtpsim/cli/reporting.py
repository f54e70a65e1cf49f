"""Reports of ``rtpsim verify``, made while the next run plays."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rtpsim.cli.output import note, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from rtpsim.games import Game
    from rtpsim.runs.prepared import Finished
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

    def submit(self, game: Game, chart: Chart, runs: Sequence[Finished]) -> None:
        """Have the report of a game made of the runs that were played of it."""
        stem = next(self._stems)
        self._made.append(self._pool.submit(self._make, game, chart, list(runs), stem))

    def _make(self, game: Game, chart: Chart, runs: Sequence[Finished], stem: str) -> list[str]:
        """Make and write one report; return what there is to say about it."""
        from rtpsim.report.build.identity import Circumstances
        from rtpsim.report.build.report import build_report
        from rtpsim.report.files import write_report
        from rtpsim.report.inputs import opened, pack_inputs
        from rtpsim.report.tallies import pack_run

        inputs = pack_inputs(game, chart)
        tallies = [pack_run(run) for run in runs]
        circumstances = Circumstances.of_run(runs[-1].result.provenance)
        with opened(inputs) as what:
            report = build_report(what, inputs, tallies, circumstances, keep=self.keep)
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
