"""Options of long runs, and how the commands play them: where, kept where, stopped how."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from rtpsim.cli.output import count, note
from rtpsim.cli.progress import Stopping, progress_bar
from rtpsim.errors import ClusterError, InputError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from rtpsim.exact.figures import ExactFigures
    from rtpsim.games import Game
    from rtpsim.program.composition import Strategy
    from rtpsim.runs.checkpoint import Checkpoint
    from rtpsim.runs.play import Engine
    from rtpsim.runs.prepared import Finished
    from rtpsim.runs.run import Run

LONGEST_S = 10**6
"""Most seconds between two savings of a checkpoint."""


@dataclass(frozen=True)
class Keeping:
    """Where a command keeps the tallies of its runs, as ``--checkpoint`` and the like say."""

    path: Path | None = None
    every: float | None = None
    resume: bool = False

    def __post_init__(self) -> None:
        if self.path is None:
            for given, option in ((self.resume, "--resume"), (self.every, "--checkpoint-every")):
                if given:
                    raise InputError(f"{option}: says nothing without --checkpoint")

    def at(self, path: Path) -> Keeping:
        """Return the same for another path."""
        return Keeping(path, self.every, self.resume)

    def checkpoint(self) -> Checkpoint | None:
        """Return the checkpoint, if there is to be one."""
        if self.path is None:
            return None
        from rtpsim.runs.checkpoint import EVERY_S, Checkpoint

        every = EVERY_S if self.every is None else self.every
        return Checkpoint(self.path, resume=self.resume, every=every, say=note)


@dataclass(frozen=True)
class Means:
    """By what means a command plays: threads or a cluster, and what stops it."""

    workers: int | None = None
    scheduler: str | None = None
    stopping: Stopping = field(default_factory=Stopping)

    def __post_init__(self) -> None:
        if self.workers is not None and self.scheduler is not None:
            raise InputError("--workers: the cluster of --scheduler has workers of its own")

    def engine(self) -> Engine:
        """Return where the rounds are played."""
        if self.scheduler is not None:
            from rtpsim.runs.cluster import Cluster

            return Cluster(self.scheduler, note)
        from rtpsim.runs.play import Threads
        from rtpsim.simulation import available_cores

        return Threads(self.workers or available_cores())


@dataclass(frozen=True)
class Rounds:
    """How many rounds a command plays: as ``--rounds`` or ``--until-half-width`` say.

    Attributes
    ----------
    number
        As given, or the command's default.
    until
        The half-width that the number shall follow from, in percentage points.
    """

    number: int
    until: float | None = None

    def __post_init__(self) -> None:
        context = click.get_current_context()
        given = context.get_parameter_source("rounds") is ParameterSource.COMMANDLINE
        if self.until is not None and given:
            raise InputError("--until-half-width: chooses the rounds; give no --rounds too")

    def of(
        self,
        game: Game,
        chart: Strategy,
        run: Mapping[str, int],
        means: Means,
        exact: ExactFigures | None = None,
    ) -> tuple[int, str]:
        """Return the rounds of a game's run, and the rule that they follow from (or nothing).

        Parameters
        ----------
        game, chart
            What is played.
        run
            Its ``hands`` and ``seed``.
        means
            By what means.
        exact
            Exact figures, if they have been found already.
        """
        if self.until is None:
            return self.number, ""
        from rtpsim.exact.figures import exact_figures
        from rtpsim.runs.stopping import choose_length
        from rtpsim.strategy import Chart

        if exact is None and run["hands"] == 1 and isinstance(chart, Chart):
            exact = exact_figures(game, chart)
        length = choose_length(
            game, chart, self.until / 100, **run, exact=exact, workers=means.workers
        )
        note(f"{game.id}: {length}")
        return length.rounds, str(length)


def scheduler_option() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return ``--scheduler``."""
    return click.option(
        "--scheduler",
        metavar="tcp://HOST:PORT",
        help="Play on the Dask cluster behind this address; the figures are the same.",
    )


def mapper(
    scheduler: str | None, progress: Callable[[int, int], None] | None
) -> Callable[[Callable[[Any], Any], Sequence[Any]], list[Any]] | None:
    """Return what applies a function to many things on a cluster; None where there is none."""
    if scheduler is None:
        return None
    from rtpsim.runs.cluster import cluster_map

    return partial(cluster_map, address=scheduler, say=note, progress=progress)


def until_option() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return ``--until-half-width``."""
    return click.option(
        "--until-half-width",
        "until",
        type=click.FloatRange(min=0, min_open=True),
        metavar="POINTS",
        help="Choose the rounds beforehand, so that the main game's return is known within so "
        "many percentage points at 99 %.",
    )


class _Named(click.Path):
    """A path that is not empty: an empty one, as of a variable that is not set, would be here."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        """Refuse an empty path."""
        if value == "":
            self.fail("the name is empty", param, ctx)
        return super().convert(value, param, ctx)


def checkpoint_options(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return ``--checkpoint``, ``--checkpoint-every`` and ``--resume``.

    Parameters
    ----------
    what
        ``FILE`` for one run, ``FOLDER`` for a file of each.
    """
    name = "a file" if what == "FILE" else "a folder, a file for each game"
    options = (
        click.option(
            "--checkpoint",
            "checkpoint",
            type=_Named(path_type=Path, dir_okay=what != "FILE", file_okay=what == "FILE"),
            metavar=what,
            help=f"Keep what was played so far in {name}, so that it can go on.",
        ),
        click.option(
            "--checkpoint-every",
            type=click.FloatRange(0, LONGEST_S),
            metavar="SECONDS",
            help="Seconds between two savings. [default: 60]",
        ),
        click.option(
            "--resume",
            is_flag=True,
            help="Go on where the checkpoint stands; the result is that of a run never stopped.",
        ),
    )

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def checkpoint_files(keeping: Keeping, games: Sequence[str]) -> list[tuple[Keeping, Keeping]]:
    """Return where the runs of several games are kept in a folder: the first of each, the second.

    Raises
    ------
    InputError
        If the folder cannot be made, or runs are kept there already and none should be resumed.
    """
    if keeping.path is None:
        return [(keeping, keeping) for _ in games]
    from rtpsim.runs.checkpoint import refuse_existing

    try:
        keeping.path.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"--checkpoint {keeping.path}: {error.strerror}") from None
    taken: Counter[str] = Counter()
    files = []
    for game in games:
        name = re.sub(r"[^\w.-]+", "-", game)
        taken[name] += 1
        if taken[name] > 1:
            name = f"{name}-{taken[name]}"
        first, second = (keeping.path / f"{name}{end}" for end in (".ckpt", ".second.ckpt"))
        if not keeping.resume:
            refuse_existing(first)
            refuse_existing(second)
        files.append((keeping.at(first), keeping.at(second)))
    return files


def play_run(
    run: Run, means: Means, keeping: Keeping, rule: str = "", *, in_blocks: bool = False
) -> Finished:
    """Play a run with a progress bar, kept and stopped as the command says.

    Parameters
    ----------
    run, means, keeping
        What is played, by what means, kept where.
    rule
        The rule that its rounds follow from, for the provenance.
    in_blocks
        Whether the tallies of its blocks are wanted too, as a report holds them.

    Raises
    ------
    KeyboardInterrupt
        If it was stopped before any round was counted.
    ClusterError
        If the cluster cannot go on; with where the run is kept.
    """
    from rtpsim.runs.prepared import NothingPlayedError, prepare

    engine, checkpoint = means.engine(), keeping.checkpoint()
    prepared = prepare(run, engine)
    watched = progress_bar(run.game.id, prepared.rounds)
    with means.stopping.playing() as stop, watched as progress:
        try:
            return prepared.play(
                checkpoint=checkpoint,
                in_blocks=in_blocks,
                rule=rule,
                command=click.get_current_context().find_root().obj or "",
                progress=progress,
                stop=stop,
            )
        except NothingPlayedError:
            raise means.stopping.error() from None
        except ClusterError as error:
            if checkpoint is None or checkpoint.failing:
                raise
            kept = f"what was played is kept: --resume goes on from {checkpoint.path}"
            raise ClusterError(f"{error}; {kept}") from None


def note_stopped(played: int, asked: int | None, kept: Path | None = None) -> None:
    """Say that a run was stopped, how far it had come, and how it can go on."""
    text = "stopped before the rounds were chosen"
    if asked is not None:
        text = f"stopped after {count(played)} of {count(asked)} rounds"
    note(text if kept is None else f"{text}; --resume goes on from {kept}")
