"""``rtpsim solve``: the best chart of a game, as a file."""

from __future__ import annotations

import contextlib
import os
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
    from rtpsim.strategy import format_chart

    game = options.open_game(game_name, settings)
    say("the very first exact result takes a compilation")
    text = format_chart(solve(game, kind))
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(output, text)


def write_whole(path: Path, text: str) -> None:
    """Write a text beside its place, then move it there in one step."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
