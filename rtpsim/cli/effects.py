"""``rtpsim effects``: what every single change of a rule does to the house edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rtpsim.cli import options
from rtpsim.cli.output import console, percent, print_json, print_table, say, table, wrap

if TYPE_CHECKING:
    from rich.console import Console

    from rtpsim.analysis.effects import Effects


@click.command(
    "effects",
    epilog="""\b
Examples:
  rtpsim effects signature-surrender
  rtpsim effects "8D SPL3" --rule charlie --rule soft17
  rtpsim effects classic-blackjack --strategy optimal-td --json""",
)
@options.game_argument()
@options.settings_option()
@click.option(
    "--rule",
    "fields",
    multiple=True,
    metavar="NAME",
    help="A field of the rules to change, as soft17. Repeatable. [default: all of them]",
)
@options.strategies_option()
@options.processes_option()
@options.cache_option()
@options.json_option()
def effects_command(
    game_name: str,
    settings: tuple[tuple[str, str], ...],
    fields: tuple[str, ...],
    strategies: tuple[str, ...],
    workers: int | None,
    keep: bool,
    as_json: bool,
) -> None:
    """Say what every single change of a rule does to the house edge, exactly.

    Each rule is set to each other value, all else as in the GAME. A chart is played unchanged.
    """
    from rtpsim.analysis.effects import CHANGES, effects
    from rtpsim.analysis.values import USUAL

    game = options.open_game(game_name, settings)
    say("the very first exact result takes a compilation")
    changes = sum(len(CHANGES.get(name, ())) for name in fields or CHANGES)
    found = effects(
        game,
        strategies or USUAL,
        fields=fields or None,
        keep=keep,
        workers=options.processes(workers, changes),
        progress=options.counting("changes"),
    )
    if as_json:
        print_json(found.to_dict())
        return
    _print(console(), found)


def _print(out: Console, found: Effects) -> None:
    """Print effects as a table, and what was left out."""
    if found.game != found.rules:
        click.echo(wrap(found.game, out.width, "", ""))
    click.echo(wrap(found.rules, out.width, "", ""))
    click.echo()
    rows = table("change of the house edge, basis points", *found.strategies)
    edges = (value.house_edge for value in found.base)
    rows.add_row(
        "(house edge as it is)", *("" if edge is None else percent(edge) for edge in edges)
    )
    for row in found.valued:
        differences = (f"{one:+.2f}" if one is not None else "" for one in row.differences_bp)
        rows.add_row(row.change, *differences)
    print_table(out, rows)
    click.echo()
    said = ["Basis points: 0.01 % of the initial bet; - favours the player."]
    said += [f"Left out: {row.change} ({row.skipped})." for row in found.skipped]
    problems: dict[tuple[str, str], str] = {}
    for row in found.valued:
        for value in row.values:
            if value.problem:
                problems.setdefault((value.strategy, row.field), value.problem)
    said += [f"{strategy}, {field}: {problem}." for (strategy, field), problem in problems.items()]
    for sentence in said:
        click.echo(wrap(sentence, out.width, "  ", "- "))
