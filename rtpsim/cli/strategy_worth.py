"""``rtpsim strategy diff``, ``cost`` and ``rank``: what ways to play are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rtpsim.cli import options
from rtpsim.cli.output import console, print_json, print_table, say, table, wrap
from rtpsim.cli.strategy import (
    FIRST,
    Settings,
    chart_and_game,
    game_option,
    means_game,
)
from rtpsim.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from rtpsim.analysis.cost import ChartCost
    from rtpsim.analysis.differences import ChartDifference
    from rtpsim.analysis.habits import Ranking


def _limit_option() -> options.Decorator:
    return click.option(
        "--limit",
        type=options.whole_number(1, 10_000),
        default=20,
        metavar="N",
        help="Cells to show. [default: 20]",
    )


# -- diff ------------------------------------------------------------------------------------


@click.command(
    "diff",
    epilog="""\b
Examples:
  rtpsim strategy diff ordinary optimal-td --game classic-blackjack
  rtpsim strategy diff classic-blackjack ordinary
  rtpsim strategy diff ordinary optimal-2c --game "2D H17 DAS" --json""",
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@game_option("Where the differences are valued. [default: A or B, if one is a game]")
@options.settings_option()
@_limit_option()
@options.json_option()
def diff_command(
    first: str, second: str, game_name: str | None, settings: Settings, limit: int, as_json: bool
) -> None:
    """Say where two charts differ, how often that comes up and what it is worth.

    A and B are charts, or games for their own charts. The worth is exact: that of changing this
    one cell of A to what B says.
    """
    from rtpsim.analysis.differences import diff

    if game_name is None:
        game_name = next((name for name in (first, second) if means_game(name)), None)
    if game_name is not None:
        say(FIRST)
    game, one = chart_and_game(first, game_name, settings)
    _, other = chart_and_game(second, game_name, settings)
    found = diff(one, other, game)
    if as_json:
        print_json(found.to_dict())
        return
    _print_difference(console(), found, limit)


def _print_difference(out: Console, found: ChartDifference, limit: int) -> None:
    click.echo(wrap(f"{found.summary}.", out.width, "", ""))
    if not found.cells:
        return
    if found.rules and found.rules != found.game:
        click.echo(wrap(found.rules, out.width, "", ""))
    click.echo()
    valued = found.net_a is not None
    rows = table("cell", "<A", "<B", *(("once in", "gain in 1,000") if valued else ()))
    for cell in found.cells[:limit]:
        worth = [_once_in(cell.frequency), f"{cell.gain_per_1000:+.4f}"] if valued else []
        rows.add_row(f"{cell.row} v {cell.up}", cell.a, cell.b, *worth)
    print_table(out, rows)
    _say_more(len(found.cells), limit)
    if found.net_a is None or found.net_b is None:
        return
    click.echo()
    text = (
        "gain: what changing this one cell of A alone to B's letter brings in 1,000 rounds, in "
        "initial bets. All of them together bring "
        f"{1000 * (found.net_b - found.net_a):+.4f}: one cell decides how often another comes up."
    )
    click.echo(wrap(text, out.width, "", ""))


def _once_in(frequency: float | None) -> str:
    """Write in how many rounds something comes up once."""
    return f"{1 / frequency:,.0f}" if frequency and frequency > 1e-12 else "never"


def _say_more(cells: int, limit: int) -> None:
    if cells > limit:
        click.echo(f"... and {cells - limit} more (--limit)")


# -- cost ------------------------------------------------------------------------------------


@click.command(
    "cost",
    epilog="""\b
Examples:
  rtpsim strategy cost classic-blackjack
  rtpsim strategy cost ordinary --game "2D H17 DAS LS" --limit 5
  rtpsim strategy cost mine.csv --game power-blackjack --json""",
)
@click.argument("name", metavar="CHART")
@game_option("Where it is played. [default: CHART, if that is a game]")
@options.settings_option()
@_limit_option()
@options.json_option()
def cost_command(
    name: str, game_name: str | None, settings: Settings, limit: int, as_json: bool
) -> None:
    """Say what each cell of a chart costs against the best play, dearest first.

    The costs add up exactly to what the chart returns less than optimal-cd.
    """
    from rtpsim.analysis.cost import cost

    say(FIRST)
    game, chart = chart_and_game(name, game_name, settings)
    if game is None:
        raise InputError(f"chart '{name}': a game has to say what it costs; add --game GAME")
    found = cost(game, chart)
    if as_json:
        print_json(found.to_dict())
        return
    _print_cost(console(), found, limit)


def _print_cost(out: Console, found: ChartCost, limit: int) -> None:
    click.echo(wrap(f"{found.chart} in {found.game}", out.width, "", ""))
    if found.rules != found.game:
        click.echo(wrap(found.rules, out.width, "", ""))
    click.echo()
    dear = [cell for cell in found.cells if abs(cell.cost) > 5e-9]
    rows = table("cell", "<says", "once in", "each time", "in 1,000")
    for cell in dear[:limit]:
        rows.add_row(
            f"{cell.row} v {cell.up}",
            cell.letter,
            _once_in(cell.frequency),
            f"{cell.each:.6f}",
            f"{1000 * cell.cost:.4f}",
        )
    rows.add_row("all cells", "", "", "", f"{1000 * found.total:.4f}")
    print_table(out, rows)
    _say_more(len(dear), limit)
    click.echo()
    text = (
        "What a cell loses against the best action, when play goes on by optimal-cd, in initial "
        f"bets. All cells together lose {found.total:.12f} a round: optimal-cd nets "
        f"{found.best:+.12f}, the chart {found.own:+.12f}."
    )
    click.echo(wrap(text, out.width, "", ""))


# -- rank ------------------------------------------------------------------------------------


@click.command(
    "rank",
    epilog="""\b
Examples:
  rtpsim strategy rank signature-surrender
  rtpsim strategy rank "6D H17 6:5" --json""",
)
@options.game_argument()
@options.settings_option()
@options.json_option()
def rank_command(game_name: str, settings: Settings, as_json: bool) -> None:
    """Say what common ways to play return: the best play, charts, and players' habits."""
    from rtpsim.analysis.habits import rank

    game = options.open_game(game_name, settings)
    say(FIRST)
    found = rank(game)
    if as_json:
        print_json(found.to_dict())
        return
    _print_ranking(console(), found)


def _print_ranking(out: Console, found: Ranking) -> None:
    click.echo(wrap(found.game, out.width, "", ""))
    if found.rules != found.game:
        click.echo(wrap(found.rules, out.width, "", ""))
    click.echo()
    rows = table("way to play", "initial bet", "total wager", "cost")
    for habit in found.habits:
        rows.add_row(
            habit.name,
            f"{100 * habit.rtp_initial:.4f} %",
            f"{100 * habit.rtp_total:.4f} %",
            f"{habit.cost_per_1000:.3f}",
        )
    print_table(out, rows)
    click.echo()
    text = (
        "Returns on either base, insurance included where it is taken; cost: what 1,000 rounds "
        "lose more than by the best play, in initial bets."
    )
    click.echo(wrap(text, out.width, "", ""))
    for habit in found.habits:
        click.echo(wrap(f"{habit.name}: {habit.what}", out.width, "    ", "  "))


worth_commands = (diff_command, cost_command, rank_command)
