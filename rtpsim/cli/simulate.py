"""``rtpsim simulate``: play rounds and print what they returned."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rtpsim.cli import options
from rtpsim.cli.output import (
    console,
    count,
    one_in,
    percent,
    print_json,
    print_table,
    table,
    wrap,
)
from rtpsim.cli.progress import speed, stop_on_signals
from rtpsim.cli.running import (
    Keeping,
    Means,
    Rounds,
    checkpoint_options,
    note_stopped,
    play_run,
    scheduler_option,
    until_option,
)
from rtpsim.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from rtpsim.games import Game
    from rtpsim.results import BetTerms, SimulationResult
    from rtpsim.runs.prepared import Finished
    from rtpsim.statistics import Estimate

SUFFIXES = (".json", ".parquet")


@click.command(
    "simulate",
    epilog="""\b
Examples:
  rtpsim simulate signature-surrender --rounds 1e6 --seed 1
  rtpsim simulate power-blackjack --set push_22=none --json
  rtpsim simulate "6D H17 3:2" --hands 2 --save run.parquet
  rtpsim simulate "8D LS" --rounds 1e12 --checkpoint run.ckpt

\b
Ctrl-C stops cleanly: what was played so far is reported as
such, with exit status 130 (143 after SIGTERM).""",
)
@options.game_argument()
@options.rounds_option(10**8, "Rounds to play. [default: 1e8]")
@until_option()
@options.seed_option(1, "Which random cards. [default: 1]")
@options.hands_option()
@options.workers_option()
@scheduler_option()
@click.option(
    "--side-bets",
    metavar="all|none|NAME",
    default="all",
    help="Side bets to play; several names with commas between. [default: all]",
)
@options.playable_option()
@options.split_model_option()
@options.settings_option()
@options.json_option()
@checkpoint_options("FILE")
@click.option(
    "--shard",
    metavar="K/N",
    help="Play the K-th of N shares of the run; `rtpsim merge` puts saved ones together.",
)
@click.option(
    "--save",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep the whole result in a .json or .parquet file.",
)
def simulate_command(
    game_name: str,
    rounds: int,
    until: float | None,
    seed: int,
    hands: int,
    workers: int | None,
    scheduler: str | None,
    side_bets: str,
    strategy: str | None,
    split_model: str,
    settings: tuple[tuple[str, str], ...],
    as_json: bool,
    checkpoint: Path | None,
    checkpoint_every: float | None,
    resume: bool,
    shard: str | None,
    save: Path | None,
) -> int:
    """Play rounds by a strategy and print what they return.

    The same game, strategy, seed, rounds and hands give the same figures, whatever the workers and
    side bets.
    """
    from rtpsim.runs.run import Run
    from rtpsim.runs.shards import Shard

    check_save(save)
    keeping = Keeping(checkpoint, checkpoint_every, resume)
    length = Rounds(rounds, until)
    share = None if shard is None else Shard.parse(shard)
    game = options.open_game(game_name, settings)
    chart = options.open_playable(game, strategy, split_model)
    game.check_hands(hands)
    bets = _chosen_bets(game, side_bets)
    with stop_on_signals() as stopping:
        means = Means(workers, scheduler, stopping)
        number, rule = length.of(game, chart, {"hands": hands, "seed": seed}, means)
        run = Run(game, chart, number, seed, hands, bets, share)
        ran = play_run(run, means, keeping, rule)
        # what was played is shown first: a file that cannot be written loses nothing
        if as_json:
            print_json(ran.result.to_dict())
        else:
            print_run(ran)
        if save is not None:
            ran.result.save(save)
        if ran.complete:
            return 0
        note_stopped(ran.result.rounds, ran.asked, checkpoint)
        return stopping.status


def check_save(save: Path | None) -> None:
    """Refuse a file that could not be written, before anything is played."""
    if save is None:
        return
    if save.suffix not in SUFFIXES:
        raise InputError(f"--save {save}: expected a name ending in {' or '.join(SUFFIXES)}")
    if not save.absolute().parent.is_dir():
        raise InputError(f"--save {save}: there is no folder {save.parent}")
    try:
        with tempfile.TemporaryFile(dir=save.absolute().parent):
            pass
    except OSError as error:
        raise InputError(f"--save {save}: {save.parent}: {error.strerror}") from None


def _chosen_bets(game: Game, text: str) -> tuple[str, ...] | None:
    """Return the ids of the side bets to play; None stands for all of them."""
    if text == "all":
        return None
    if text == "none":
        return ()
    names = [name.strip() for name in text.split(",")]
    return tuple(dict.fromkeys(game.side_bet(name).id for name in names))


def print_run(ran: Finished) -> None:
    """Print a result as tables."""
    result = ran.result
    out = console()
    width = out.width
    hands = "1 hand" if result.hands == 1 else f"{result.hands} hands"
    played = f"{count(result.rounds)} rounds"
    if not ran.complete:
        played += f" of {count(ran.asked)} (stopped)"
    origin = result.provenance
    if origin.resumed_rounds:
        played += f", {count(origin.resumed_rounds)} of them from the checkpoint"
    played_now = result.rounds - origin.resumed_rounds
    seconds = origin.duration_s or 0.0
    pace = f"{seconds:.1f} s, {speed(played_now, seconds)}" if played_now else "nothing was left"
    click.echo(wrap(f"{result.game}, chart {result.strategy}", width, "", ""))
    click.echo(wrap(result.rules, width, "", ""))
    click.echo(
        wrap(
            f"{played}, {hands} a round, seed {result.seed}; {pace}",
            width,
            "",
            "",
        )
    )
    if origin.stopping_rule:
        click.echo(wrap(origin.stopping_rule, width, "", ""))
    if origin.shard and result.chunks is not None:
        click.echo(wrap(f"shard {origin.shard}: {result.chunks}", width, "", ""))
    click.echo()
    _print_main(out, result)
    for bet in result.bets:
        click.echo()
        _print_bet(out, result, bet)
    _print_insurance(result)


def _print_main(out: Console, result: SimulationResult) -> None:
    """Print the main game's figures."""
    figures = result.figures
    rows = table("Main game", "figure", "± 99 %")
    for label, estimate in (
        ("rtp_total (return on all that was wagered)", figures.rtp_total),
        ("rtp_initial (return on the initial bet)", figures.rtp_initial),
        ("house edge (1 - rtp_initial)", figures.house_edge),
        ("element of risk (1 - rtp_total)", figures.element_of_risk),
        ("hit frequency (rounds won)", figures.hit_frequency),
    ):
        rows.add_row(label, percent(estimate.value), _points(estimate))
    for label, estimate in (
        ("net result of a round", figures.ev),
        ("wager of a round", figures.mean_wager),
        ("standard deviation of a round", figures.sd),
    ):
        rows.add_row(label, f"{estimate.value:.6f}", f"{estimate.half_width(0.99):.6f}")
    print_table(out, rows)


def _points(estimate: Estimate) -> str:
    """Write a 99 % half-width in percentage points."""
    return f"{100 * estimate.half_width(0.99):.4f}"


def _print_bet(out: Console, result: SimulationResult, bet: BetTerms) -> None:
    """Print a side bet's return and how often each outcome came up."""
    from rtpsim.statistics import outcome_counts, return_estimate

    tally = result.side_bets[bet.id]
    estimate = return_estimate(tally, bet.pays, bet.stakes)
    counts = outcome_counts(tally)
    click.echo(
        wrap(
            f"{bet.title}: returns {percent(estimate.value)} ± {_points(estimate)}, "
            f"exactly {percent(float(bet.rtp))}",
            out.width,
            "  ",
            "",
        )
    )
    rows = table("outcome", "pays", "count", "odds", "exactly")
    for outcome, pays in bet.pays.items():
        rows.add_row(
            outcome.replace("-", " "),
            f"{pays} to 1",
            count(counts[outcome]),
            one_in(counts[outcome] / (result.rounds * bet.stakes)),
            one_in(bet.counts[outcome] / bet.total),
        )
    print_table(out, rows)


def _print_insurance(result: SimulationResult) -> None:
    """Print what insurance returned, where it was taken."""
    from rtpsim.statistics import ratio_estimate

    insured = sum(number for (_, wager), number in result.insurance.items() if wager)
    if insured:
        estimate = ratio_estimate(result.insurance).shifted(1, 1)
        click.echo(
            f"\nInsurance: taken in {count(insured)} rounds, "
            f"returns {percent(estimate.value)} ± {_points(estimate)}"
        )
