"""``rtpsim sweep``: a game under every combination of varied rules, as a table, CSV or plot."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rtpsim.cli import options
from rtpsim.cli.output import console, percent, print_json, print_table, say, table, wrap
from rtpsim.cli.running import mapper, scheduler_option
from rtpsim.errors import InputError, shown

if TYPE_CHECKING:
    from rich.console import Console

    from rtpsim.analysis.sweep import Sweep


def _varied(text: str) -> tuple[str, tuple[str, ...]]:
    """Read ``NAME=V1,V2``."""
    name, equals, listed = text.partition("=")
    values = tuple(value.strip() for value in listed.split(","))
    if not (name.strip() and equals and all(values)):
        raise click.BadParameter(f"{shown(text)}: expected NAME=VALUE,VALUE, as decks=1,2,4")
    return name.strip(), values


@click.command(
    "sweep",
    epilog="""\b
Examples:
  rtpsim sweep signature-surrender --vary decks=1,2,4,6,8 --vary soft17=stand,hit
  rtpsim sweep "6D" --vary charlie=none,5,6,7 --csv charlies.csv
  rtpsim sweep "6D" --vary decks=1,2,4,6,8 --strategy optimal-td --plot decks.svg""",
)
@options.game_argument()
@click.option(
    "--vary",
    "varied",
    multiple=True,
    required=True,
    type=_varied,
    metavar="NAME=V1,V2",
    help="A reading of the game or a rule, and the values to try. Repeatable: every combination.",
)
@options.settings_option()
@options.strategies_option()
@options.processes_option()
@scheduler_option()
@click.option(
    "--csv",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the table, with every figure, as CSV.",
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Plot the house edge: .png, .svg or .pdf. Two varied rules are shown for the first "
    "strategy.",
)
@options.cache_option()
@options.json_option()
def sweep_command(
    game_name: str,
    varied: tuple[tuple[str, tuple[str, ...]], ...],
    settings: tuple[tuple[str, str], ...],
    strategies: tuple[str, ...],
    workers: int | None,
    scheduler: str | None,
    csv: Path | None,
    plot: Path | None,
    keep: bool,
    as_json: bool,
) -> None:
    """Value a game under every combination of varied rules, exactly."""
    from rtpsim.analysis.sweep import sweep
    from rtpsim.analysis.values import USUAL

    values = dict(varied)
    if len(values) < len(varied):
        raise InputError("--vary: a rule is given twice; give all its values in one")
    _check_files(csv, plot, values)
    game = options.open_game(game_name, settings)
    say("the very first exact result takes a compilation")
    progress = options.counting("combinations")
    found = sweep(
        game,
        values,
        strategies or USUAL,
        keep=keep,
        workers=options.processes(workers, math.prod(map(len, values.values()))),
        mapper=mapper(scheduler, progress),
        progress=None if scheduler else progress,
    )
    # what was found is shown first: a file that cannot be written loses nothing
    if as_json:
        print_json(found.to_dict())
    else:
        _print(console(), found)
    if csv is not None:
        found.to_csv(csv)
    if plot is not None:
        _plot(found, plot)


def _check_files(csv: Path | None, plot: Path | None, values: dict[str, tuple[str, ...]]) -> None:
    """Refuse files that could not be written, before anything is computed."""
    if csv is not None and not csv.absolute().parent.is_dir():
        raise InputError(f"--csv {csv}: there is no folder {csv.parent}")
    if plot is None:
        return
    from rtpsim.plots.saving import check_plot_file

    check_plot_file(plot)
    if len(_several(values)) > 2:
        raise InputError("--plot: more than two rules are varied; a plot shows two")


def _several(values: dict[str, tuple[str, ...]]) -> list[str]:
    """Return what is varied, and not only set."""
    return [name for name, given in values.items() if len(given) > 1]


def _print(out: Console, found: Sweep) -> None:
    """Print a sweep: a line for each combination, a column for each strategy."""
    if found.game != found.rules:
        click.echo(wrap(found.game, out.width, "", ""))
    click.echo(wrap(f"{found.rules}, varied; house edge", out.width, "", ""))
    click.echo()
    names = [f"<{name.replace('_', ' ')}" for name in found.varied]
    rows = table(*names, *found.strategies)
    for row in found.rows:
        edges = [value.house_edge for value in row.values] or [None] * len(found.strategies)
        rows.add_row(
            *map(str, row.settings.values()),
            *("-" if edge is None else percent(edge) for edge in edges),
        )
    print_table(out, rows)
    for row in found.rows:
        said = ", ".join(f"{name}={value}" for name, value in row.settings.items())
        problems = [row.problem] if row.problem else []
        problems += [f"{one.strategy}: {one.problem}" for one in row.values if one.problem]
        for problem in problems:
            click.echo(wrap(f"{said}: {problem}", out.width, "  ", "- "))


def _plot(found: Sweep, path: Path) -> None:
    """Plot the house edge: a line for each value of a second rule, or for each strategy."""
    from rtpsim.plots.saving import save_plot
    from rtpsim.plots.style import new_figure
    from rtpsim.plots.sweep import plot_sweep

    several = _several({name: tuple(map(str, given)) for name, given in found.varied.items()})
    x, *second = several or list(found.varied)[:1]
    lines = second[0] if second else "strategy"
    frame = found.to_frame(found.strategies[0] if second else None)
    frame = frame[frame["house_edge"].notna()]
    if frame.empty:
        raise InputError("--plot: no combination could be valued; there is nothing to show")
    _, ax = new_figure()
    save_plot(plot_sweep(frame[[x, lines, "house_edge"]], x, lines, ax=ax), path)
