"""``rtpsim compare``: what a change of rules does, in figures and in the best chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rtpsim.cli import options
from rtpsim.cli.output import (
    columns_of,
    console,
    percent,
    print_json,
    print_table,
    say,
    table,
    wrap,
)

if TYPE_CHECKING:
    from rich.console import Console

    from rtpsim.analysis.changes import Comparison
    from rtpsim.analysis.values import Value


@click.command(
    "compare",
    epilog="""\b
Examples:
  rtpsim compare signature-surrender --set decks=6 --set soft17=hit
  rtpsim compare signature-surrender blackjack-surrender
  rtpsim compare "8D LS" --set charlie=6 --strategy optimal-td --json""",
)
@options.game_argument()
@click.argument("other_name", metavar="[OTHER]", required=False)
@options.settings_option()
@options.strategies_option()
@options.cache_option()
@options.json_option()
def compare_command(
    game_name: str,
    other_name: str | None,
    settings: tuple[tuple[str, str], ...],
    strategies: tuple[str, ...],
    keep: bool,
    as_json: bool,
) -> None:
    """Compare a game with itself under other rules, or with another game.

    --set changes the rules of OTHER, or those of GAME where no OTHER is given. Changed cells are
    those of optimal-td.
    """
    from rtpsim.analysis.changes import compare
    from rtpsim.analysis.values import USUAL

    if other_name is None and not settings:
        raise click.UsageError(
            "nothing to compare: expected --set NAME=VALUE or an OTHER game",
            click.get_current_context(),
        )
    old = options.open_game(game_name)
    new = options.open_game(other_name or game_name, settings)
    say("the very first exact result takes a compilation")
    found = compare(old, new, strategies or USUAL, keep=keep)
    if as_json:
        print_json(found.to_dict())
        return
    _print(console(), found)


def _print(out: Console, found: Comparison) -> None:
    """Print a comparison as tables."""
    for when, game, rules in zip(("old", "new"), found.games, found.rules, strict=True):
        name = "" if game == rules else f"{game}, "
        click.echo(wrap(f"{name}{rules}", out.width, "     ", f"{when}: "))
    click.echo()
    rows = table("house edge", "old", "new", "change (bp)")
    for row in found.rows:
        rows.add_row(
            _played(row.new, row.old),
            _edge(row.old),
            _edge(row.new),
            "" if row.difference_bp is None else f"{row.difference_bp:+.2f}",
        )
    print_table(out, rows)
    click.echo()
    for row in found.rows:
        if problem := row.old.problem or row.new.problem:
            click.echo(wrap(f"{row.strategy}: {problem}", out.width, "  ", "- "))
    said = "bp: basis points, 0.01 % of the initial bet; - favours the player."
    click.echo(wrap(said, out.width, "  ", "- "))
    click.echo()
    _print_cells(out, found)


def _played(*values: Value) -> str:
    """Return the name of a strategy, and of the chart that ``default`` is."""
    played = {value.played for value in values if not value.problem}
    if values[0].strategy != "default" or not played:
        return values[0].strategy
    return f"default: {', '.join(sorted(played))}"


def _edge(value: Value) -> str:
    return "" if value.house_edge is None else percent(value.house_edge)


def _print_cells(out: Console, found: Comparison) -> None:
    """Print the changed cells, row by row."""
    if not found.cells:
        click.echo("No cell of optimal-td changes.")
        return
    many = "1 cell" if len(found.cells) == 1 else f"{len(found.cells)} cells"
    click.echo(f"{many} of optimal-td change{'s' if len(found.cells) == 1 else ''}:")
    said: dict[str, list[str]] = {}
    for cell in found.cells:
        said.setdefault(cell.row, []).append(f"v {cell.up} {cell.old}→{cell.new}")
    for line in columns_of((row, ", ".join(cells)) for row, cells in said.items()):
        row = line[: len(line) - len(line.lstrip()) + max(map(len, said)) + 2]
        click.echo(wrap(line[len(row) :], out.width, " " * len(row), row))
