"""``rtpsim strategy``: the group of commands, and those that show, draw and convert charts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from rtpsim.cli import options
from rtpsim.cli.output import console, print_json, say, wrap
from rtpsim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from rtpsim.games import Game
    from rtpsim.strategy import Chart

FIRST = "the very first exact result takes a compilation"

Settings: TypeAlias = tuple[tuple[str, str], ...]


@click.group(
    "strategy",
    epilog="""\b
Examples:
  rtpsim strategy show signature-surrender
  rtpsim strategy rank classic-blackjack""",
)
def strategy_command() -> None:
    """Look at ways to play: what a chart says, costs and returns.

    A CHART is a chart's name (ordinary) or file in CSV, Markdown, JSON or plain text; with a game,
    optimal-td and optimal-2c are charts too, and default is the game's own.
    """


def game_option(text: str) -> options.Decorator:
    """Return ``--game``; ``text``: what it is for."""
    return click.option("--game", "game_name", metavar="GAME", help=text)


def _output_option(text: str, *, required: bool = False) -> options.Decorator:
    return click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        required=required,
        help=text,
    )


def means_game(name: str) -> bool:
    """Say whether a word is a game rather than a chart: a name, a game file or a rule string."""
    from rtpsim.games import game_names
    from rtpsim.strategy import read_chart

    if name in game_names() or name.endswith(".toml"):
        return True
    if name.startswith("optimal-") or name == "default":
        return False
    try:
        options.open_game(name)
    except InputError:
        return False
    try:
        read_chart(name)
    except InputError:
        return True
    return False


def chart_and_game(
    name: str, game_name: str | None, settings: Settings = ()
) -> tuple[Game | None, Chart]:
    """Return the chart that a game or a chart means, and the game where there is one.

    Raises
    ------
    InputError
        If there is no such game or chart, or they do not go together.
    """
    from rtpsim.analysis.charts import chart_for
    from rtpsim.games import game_names
    from rtpsim.strategy import chosen_strategy, default_chart, strategy_names

    if game_name is not None:
        game = options.open_game(game_name, settings)
        if name == game_name:
            return game, chart_for(game)
        if name in game_names() and name not in strategy_names():
            return game, chart_for(game, default_chart(options.open_game(name)))
        return game, chart_for(game, name)
    if means_game(name):
        game = options.open_game(name, settings)
        return game, chart_for(game)
    chart = chosen_strategy(name)
    if isinstance(chart, str):
        raise InputError(f"strategy '{name}': a game has to say of what; add --game GAME")
    if settings:
        raise InputError("--set changes a game; add --game GAME")
    return None, chart


# -- show ------------------------------------------------------------------------------------


@strategy_command.command(
    "show",
    epilog="""\b
Examples:
  rtpsim strategy show signature-surrender
  rtpsim strategy show optimal-td --game "6D H17 DAS"
  rtpsim strategy show ordinary --json""",
)
@click.argument("name", metavar="GAME|CHART")
@game_option("Where it is played, for optimal-td and to check the chart.")
@options.settings_option()
@options.json_option()
def show_command(name: str, game_name: str | None, settings: Settings, as_json: bool) -> None:
    """Show a chart in letters and colours; the letters say all that the colours do."""
    from rtpsim.strategy.formats import chart_dict

    _, chart = chart_and_game(name, game_name, settings)
    if as_json:
        print_json(chart_dict(chart))
        return
    _print_chart(console(), chart)


def _print_chart(out: Console, chart: Chart) -> None:
    """Print a chart block by block."""
    from rich.text import Text

    from rtpsim.strategy import COLUMNS, ROWS
    from rtpsim.strategy.colours import letter_colour
    from rtpsim.strategy.formats import LEGEND, by_block

    click.echo(wrap(chart.name, out.width, "", ""))
    for comment in chart.provenance:
        click.echo(wrap(comment, out.width, "    ", "  "))
    for title, labels in by_block(chart).items():
        wide = max(len(label) for label in (title, *labels))
        replace = ROWS[labels[0]].kind == "replace"
        size = max(len(cell) for label in labels for cell in chart.rows[label]) if replace else 2
        head = " ".join(f"{up:<{size}}" for up in COLUMNS)
        click.echo()
        click.echo(f"{title:<{wide}}  {head}".rstrip())
        for label in labels:
            line = Text(f"{label:<{wide}}  ")
            for place, cell in enumerate(chart.rows[label]):
                background, ink = letter_colour(cell)
                line.append(" " if place else "")
                line.append(f"{cell:<{size}}", style=f"{ink} on {background}")
            line.rstrip()
            out.print(line, no_wrap=True, crop=False, overflow="ignore", soft_wrap=True)
    click.echo()
    click.echo(wrap(f"{LEGEND}.", out.width, "", ""))


# -- plot ------------------------------------------------------------------------------------


@strategy_command.command(
    "plot",
    epilog="""\b
Examples:
  rtpsim strategy plot classic-blackjack -o chart.png
  rtpsim strategy plot ordinary -o ordinary.svg
  rtpsim strategy plot ordinary --game "6D S17 DAS LS" --costs -o costs.pdf""",
)
@click.argument("name", metavar="GAME|CHART")
@_output_option("The picture: .png, .svg or .pdf.", required=True)
@game_option("Where it is played: what its hands are worth is drawn too.")
@click.option("--costs", is_flag=True, help="Draw what the dearest cells cost instead.")
@options.settings_option()
def plot_command(
    name: str, output: Path, game_name: str | None, costs: bool, settings: Settings
) -> None:
    """Draw a chart; in a game, over a heat map of what its hands are worth."""
    if output.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise InputError(f"-o {output}: expected a name that ends in .png, .svg or .pdf")
    _check_folder(output)
    game, chart = chart_and_game(name, game_name, settings)
    if costs and game is None:
        raise InputError(f"chart '{name}': a game has to say what it costs; add --game GAME")
    if game is not None:
        say(FIRST)
    import matplotlib as mpl

    from rtpsim.plots import house_style, plot_chart, plot_costs

    mpl.use("agg")
    if costs and game is not None:
        from rtpsim.analysis.cost import cost

        ax = plot_costs(cost(game, chart))
    else:
        ax = plot_chart(chart, game)
    figure, kind = ax.get_figure(root=True), output.suffix[1:].lower()
    assert figure is not None, "axes belong to a figure"

    def write(path: Path) -> None:
        with house_style():
            figure.savefig(path, format=kind, dpi=160)

    _write(output, write)


def _write(output: Path, write: Callable[[Path], object]) -> None:
    from rtpsim.files import write_whole

    try:
        write_whole(output, write)
    except OSError as error:
        raise InputError(f"{output}: cannot be written ({error.strerror or error})") from None


def _check_folder(output: Path) -> None:
    if not output.absolute().parent.is_dir():
        raise InputError(f"-o {output}: there is no folder {output.parent}")


# -- convert ---------------------------------------------------------------------------------


@strategy_command.command(
    "convert",
    epilog="""\b
Examples:
  rtpsim strategy convert ordinary --to markdown
  rtpsim strategy convert ordinary -o ordinary.json
  rtpsim strategy convert optimal-td --game "2D H17" -o best.html""",
)
@click.argument("name", metavar="GAME|CHART")
@_output_option("Where to write it; its ending names the format. [default: print it]")
@click.option(
    "--to",
    "kind",
    type=click.Choice(["csv", "markdown", "json", "text", "html"]),
    help="The format. [default: that of FILE's ending, else csv]",
)
@game_option("Of what optimal-td or default is the chart.")
@options.settings_option()
def convert_command(
    name: str, output: Path | None, kind: str | None, game_name: str | None, settings: Settings
) -> None:
    """Write a chart in another format."""
    from rtpsim.strategy.formats import format_of, write_as

    if kind is None:
        kind = "csv" if output is None else format_of(output)
    _, chart = chart_and_game(name, game_name, settings)
    text = write_as(chart, kind)
    if output is None:
        click.echo(text, nl=False)
        return
    _check_folder(output)
    _write(output, lambda path: path.write_text(text, encoding="utf-8", newline="\n"))
