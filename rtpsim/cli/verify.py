"""``rtpsim verify``: published against exact against simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rtpsim.cli import options
from rtpsim.cli.output import (
    VERDICT_STYLES,
    console,
    count,
    note,
    print_table,
    say,
    table,
    wrap,
)
from rtpsim.cli.progress import stop_on_signals
from rtpsim.cli.reporting import Reporter, report_option
from rtpsim.cli.running import (
    Keeping,
    Means,
    Rounds,
    checkpoint_files,
    checkpoint_options,
    note_stopped,
    play_run,
    scheduler_option,
    until_option,
)
from rtpsim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from rtpsim.games import Game
    from rtpsim.results import SimulationResult
    from rtpsim.runs.prepared import Finished
    from rtpsim.strategy import Chart
    from rtpsim.verification.verdicts import (
        FamilyTest,
        GameVerification,
        RunVerification,
        WagerVerification,
    )

BASES = {
    "total": "on the total amount wagered",
    "initial": "on the initial bet",
    "stake": "on its stake",
}
SHORT = {"total": "on the total", "initial": "on the initial", "stake": "on its stake"}


@click.command(
    "verify",
    epilog="""\b
Examples:
  rtpsim verify
  rtpsim verify signature-surrender --rounds 1e7 --json
  rtpsim verify blackjack-surrender --set charlie=off

\b
Exit status:
  0    nothing speaks against any figure
  1    any FAIL or NOT REPRODUCED
  3    else any INCONCLUSIVE
  130  stopped by Ctrl-C (143: by SIGTERM); what was played is reported""",
)
@click.argument("game_names", metavar="[GAME]...", nargs=-1)
@options.rounds_option(10**9, "Rounds of each game. [default: 1e9]")
@until_option()
@options.seed_option(1, "Which random cards. [default: 1]")
@options.workers_option()
@scheduler_option()
@options.playable_option()
@options.split_model_option()
@options.settings_option()
@options.cache_option()
@options.json_option()
@checkpoint_options("FOLDER")
@report_option()
def verify_command(
    game_names: tuple[str, ...],
    rounds: int,
    until: float | None,
    seed: int,
    workers: int | None,
    scheduler: str | None,
    strategy: str | None,
    split_model: str,
    settings: tuple[tuple[str, str], ...],
    keep: bool,
    as_json: bool,
    checkpoint: Path | None,
    checkpoint_every: float | None,
    resume: bool,
    folder: Path | None,
) -> int:
    """Judge the published figures of games, by default of all in the catalogue.

    Every wager has two verdicts: whether the exact value prints as its published figure, and
    whether the simulation agrees with the exact value. A FAIL is played once more, ten times as
    long.
    """
    from rtpsim.games import game_names as catalogue
    from rtpsim.verification.judging import exit_status, to_json

    # all of them first: a misspelt last name should not cost the time of the others
    games = [options.open_game(name, settings) for name in game_names or catalogue()]
    keeping = Keeping(checkpoint, checkpoint_every, resume)
    length = Rounds(rounds, until)
    places = checkpoint_files(keeping, [game.id for game in games])
    reporter = None if folder is None else Reporter(folder, [game.id for game in games], keep)
    out = console()
    judged: list[GameVerification] = []
    with stop_on_signals() as stopping:
        means = Means(workers, scheduler, stopping)
        jobs = [
            _Job(game, (strategy, split_model), length, seed, means, place, keep, reporter)
            for game, place in zip(games, places, strict=True)
        ]
        for job in jobs:
            try:
                judged.append(job.run())
            except KeyboardInterrupt:  # before the first rounds were counted
                job.stopped_after = 0
                break
            if not as_json:
                _print(out, judged[-1], stopped_early=job.stopped_after is not None)
            if job.stopped_after is not None:
                break
        if as_json:
            click.echo(to_json(judged))
        if job.stopped_after is not None:
            note_stopped(job.stopped_after, job.asked, checkpoint)
            if left := [game.id for game in games[len(judged) :]]:
                note(f"not played: {', '.join(left)}")
        if reporter is not None:
            reporter.finish()
    return exit_status(judged) if job.stopped_after is None else stopping.status


class _Job:
    """A game to be played and judged.

    Attributes
    ----------
    stopped_after, asked
        Rounds played and asked for in the run that was stopped; None if none was, or if the rounds
        were still to be chosen.
    rule
        The rule that the rounds of the first run follow from.
    """

    def __init__(
        self,
        game: Game,
        strategy: tuple[str | None, str],
        length: Rounds,
        seed: int,
        means: Means,
        keeping: Sequence[Keeping],
        keep: bool,
        reporter: Reporter | None = None,
    ) -> None:
        self.game = game
        self.chart = options.open_playable(game, *strategy)
        self.valued, self.split_model = self._valued(*strategy)
        if reporter is not None:
            self._reported_chart()
        self.length = length
        self.seed = seed
        self.means = means
        self.keeping = iter(keeping)
        self.keep = keep
        self.reporter = reporter
        self.played: list[Finished] = []
        self.stopped_after: int | None = None
        self.asked = None if length.until else length.number
        self.rule = ""

    def _valued(self, strategy: str | None, split_model: str) -> tuple[Chart | str, str]:
        """Return what is valued exactly: the chart, or the name of the best play."""
        from rtpsim.strategy import Chart

        if isinstance(self.chart, Chart):
            return self.chart, "CDP"
        if strategy != "optimal-cd":
            raise InputError(
                f"strategy '{strategy}': what a file by composition returns exactly is not known; "
                "verify optimal-cd or a chart"
            )
        return strategy, split_model

    def _reported_chart(self) -> Chart:
        """Return the chart that the report is about."""
        from rtpsim.strategy import Chart

        if not isinstance(self.chart, Chart):
            raise InputError("--report: is about charts; give no strategy by composition")
        return self.chart

    def run(self) -> GameVerification:
        """Play and judge, with a second run if the first one fails."""
        from rtpsim.exact.figures import exact_figures
        from rtpsim.verification.judging import verify

        say(f"{self.game.id}: exact value (the very first one takes a compilation)")
        exact = exact_figures(self.game, self.valued, split_model=self.split_model, keep=self.keep)
        settled = {"hands": 1, "seed": self.seed}
        rounds, self.rule = self.length.of(self.game, self.chart, settled, self.means, exact)
        first = self.play(rounds, self.seed)
        again = self.play if self.stopped_after is None else None
        judged = verify(first, self.game, self.chart, seed=self.seed, exact=exact, rerun=again)
        if self.reporter is not None:
            self.reporter.submit(self.game, self._reported_chart(), self.played)
        return judged

    def play(self, rounds: int, seed: int) -> SimulationResult:
        """Play so many rounds, noting whether they were stopped."""
        from rtpsim.runs.run import Run

        self.asked = rounds
        run = Run(self.game, self.chart, rounds, seed)
        # in blocks anyhow: a report may be made of what a checkpoint keeps
        ran = play_run(run, self.means, next(self.keeping), self.rule, in_blocks=True)
        self.played.append(ran)
        self.rule = ""  # a second run is ten times as long
        if not ran.complete:
            self.stopped_after = ran.result.rounds
        return ran.result


def _print(out: Console, judged: GameVerification, *, stopped_early: bool) -> None:
    """Print a game's runs, and what they mean in plain sentences."""
    width = out.width
    click.echo(wrap(judged.title, width, "", ""))
    click.echo(wrap(f"{judged.game}, chart {judged.strategy}", width))
    click.echo(wrap(judged.rules, width))
    for number, run in enumerate(judged.runs):
        if number:
            click.echo(
                wrap("The first run failed: a second one, ten times as long, decides.", width, "")
            )
        stop = " (stopped)" if stopped_early and run is judged.runs[-1] else ""
        click.echo(f"  {count(run.rounds)} rounds{stop}, seed {run.seed}\n")
        print_table(out, _table(run))
        click.echo()
        for sentence in _sentences(run):
            click.echo(wrap(sentence, width, "  ", "- "))
        click.echo()


def _table(run: RunVerification) -> Table:
    """Return a run as a table: each wager in two lines, so that it fits a narrow window."""
    rows = table("wager", "published", "exact", "simulated", "<verdicts")
    for wager in run.wagers:
        half = 100 * wager.simulated.half_width(0.99)
        rows.add_row(
            f"{wager.title}\n{SHORT[wager.base]}",
            "-" if wager.published is None else f"{wager.published} %",
            f"{100 * float(wager.exact):.4f}",
            f"{100 * wager.simulated.value:.4f}\n± {half:.4f}",
            _verdicts(wager),
        )
    return rows


def _verdicts(wager: WagerVerification) -> Text:
    """Return both verdicts, one below the other, in the colours that they have on a terminal."""
    from rich.text import Text

    verdicts = (str(wager.published_verdict), str(wager.simulated_verdict))
    return Text("\n").join(
        Text(verdict, style=VERDICT_STYLES.get(verdict, "")) for verdict in verdicts
    )


def _sentences(run: RunVerification) -> list[str]:
    """Say why each verdict was given, and what the tests of the run found."""
    sentences = []
    for wager in run.wagers:
        if wager.published is not None:
            sentences.append(f"{wager.title}, {wager.published_verdict}: {wager.published_reason}.")
        sentences.append(f"{wager.title}, {wager.simulated_verdict}: {wager.simulated_reason}.")
        for base, other in wager.others.items():
            half = 100 * other.simulated.half_width(0.99)
            sentences.append(
                f"{wager.title}, without a verdict: exact {100 * other.exact:.6f} %, simulated "
                f"{100 * other.simulated.value:.4f} ± {half:.4f} % {BASES[base]}."
            )
    tried = [test for test in run.tests if test.adjusted is not None]
    failed = [test for test in tried if test.failed]
    text = f"{len(tried)} tests of cards, main game and side bets against exact values, judged "
    text += "together at 1 % (Holm): " + (f"{len(failed)} fail" if failed else "none fails")
    if skipped := len(run.tests) - len(tried):
        text += f"; {skipped} more {'needs' if skipped == 1 else 'need'} more rounds"
    sentences.append(f"{text}.")
    if scores := [_score(test) for test in tried if test.result.df is None]:
        sentences.append(f"Standard scores: {', '.join(scores)}.")
    return sentences


def _score(test: FamilyTest) -> str:
    """Write a test's z with its name."""
    return f"{test.result.name} {test.result.statistic:+.2f}"
