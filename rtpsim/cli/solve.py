"""``rtpsim solve``: the best play of a game, as a file."""

from __future__ import annotations

from pathlib import Path

import click

from rtpsim.cli import options
from rtpsim.cli.output import say
from rtpsim.errors import InputError

KINDS = ("optimal-td", "optimal-2c", "optimal-cd")


@click.command(
    "solve",
    epilog="""\b
Examples:
  rtpsim solve signature-surrender -o chart.csv
  rtpsim solve classic-blackjack --kind optimal-2c
  rtpsim solve classic-blackjack --kind optimal-cd -o play.parquet""",
)
@options.game_argument()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where to write it, whole or not at all; by composition, a .csv or .parquet file. "
    "[default: print it]",
)
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default=KINDS[0],
    help="A chart by totals, one with exceptions for two cards too, or a table by all the cards of "
    "a hand. [default: optimal-td]",
)
@options.split_model_option()
@options.settings_option()
def solve_command(
    game_name: str,
    output: Path | None,
    kind: str,
    split_model: str,
    settings: tuple[tuple[str, str], ...],
) -> None:
    """Find the best play of a game: a chart, by exact improvement, or a table by composition."""
    if output is not None and not output.absolute().parent.is_dir():
        raise InputError(f"-o {output}: there is no folder {output.parent}")
    from rtpsim.program.compositionfiles import decisions, write_composition
    from rtpsim.strategy import Chart, format_chart, write_chart

    game = options.open_game(game_name, settings)
    say("the very first exact result takes a compilation")
    strategy = options.open_playable(game, kind, split_model)
    if not isinstance(strategy, Chart):
        if output is None:
            click.echo(decisions(strategy).to_csv(index=False, lineterminator="\n"), nl=False)
        else:
            write_composition(strategy, output)
        return
    if output is None:
        click.echo(format_chart(strategy), nl=False)
    else:
        write_chart(strategy, output)
