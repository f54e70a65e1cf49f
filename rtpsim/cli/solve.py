"""``rtpsim solve``: the best chart of a game, as a file."""

from __future__ import annotations

from pathlib import Path

import click

from rtpsim.cli import options
from rtpsim.cli.output import say
from rtpsim.errors import InputError

KINDS = ("optimal-td", "optimal-2c")


@click.command(
    "solve",
    epilog="""\b
Examples:
  rtpsim solve signature-surrender -o chart.csv
  rtpsim solve classic-blackjack --kind optimal-2c""",
)
@options.game_argument()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where to write the chart, whole or not at all. [default: print it]",
)
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default=KINDS[0],
    help="By totals, or with exceptions for two cards too. [default: optimal-td]",
)
@options.settings_option()
def solve_command(
    game_name: str, output: Path | None, kind: str, settings: tuple[tuple[str, str], ...]
) -> None:
    """Find the best chart of a game, by exact improvement."""
    if output is not None and not output.absolute().parent.is_dir():
        raise InputError(f"-o {output}: there is no folder {output.parent}")
    from rtpsim.exact.solver.solve import solve
    from rtpsim.strategy import format_chart, write_chart

    game = options.open_game(game_name, settings)
    say("the very first exact result takes a compilation")
    chart = solve(game, kind)
    if output is None:
        click.echo(format_chart(chart), nl=False)
    else:
        write_chart(chart, output)
