"""``rtpsim readings``: every reading of a game by every chart, beside the figures in print."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rtpsim.cli import options
from rtpsim.cli.games import wager_title
from rtpsim.cli.output import columns_of, console, is_terminal, print_json, say, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rtpsim.games import Game
    from rtpsim.verification.readings import Cell

MOST_TABLES = 6
"""Paytables that are printed; the JSON holds all."""


@click.command(
    "readings",
    epilog="""\b
Examples:
  rtpsim readings signature-surrender
  rtpsim readings classic-blackjack --json""",
)
@options.game_argument()
@options.cache_option()
@options.json_option()
def readings_command(game_name: str, keep: bool, as_json: bool) -> None:
    """Value every combination of readings by every chart, exactly.

    Returns that print as a published or quoted figure are marked, on the base on which they do.
    """
    from rtpsim.verification.conclusions import conclusions
    from rtpsim.verification.readings import cells, to_dict

    game = options.open_game(game_name)
    found = cells(game, keep=keep, progress=_progress())
    said = conclusions(game, found)
    if as_json:
        print_json({**to_dict(game, found), "conclusions": said})
        return
    width = console().width
    click.echo(wrap(game.title, width, "", ""))
    click.echo(wrap(str(game.rules), width))
    click.echo()
    for line in _table(game, found):
        click.echo(line)
    click.echo()
    for sentence in said:
        click.echo(wrap(sentence, width, "  ", "- "))
    for line in _side_bets(game, width):
        click.echo(line)


def _progress() -> Callable[[int, int], None] | None:
    """Return what counts the cells on stderr, if somebody is looking."""
    say("exact values; the very first one takes a compilation")

    def count(done: int, of: int) -> None:
        click.echo(f"\r{done} of {of}" if done < of else f"\r{'':20}\r", nl=False, err=True)

    return count if is_terminal() else None


def _table(game: Game, found: Sequence[Cell]) -> list[str]:
    """Write the cells, the charts of one reading below each other."""
    from rtpsim.verification.conclusions import reading_name

    rows: list[tuple[str, ...]] = [("chart", "on the total", "on the initial", "prints as")]
    for cell in found:
        marks = [f"{mark} ({base})" for base, all_of in cell.marks.items() for mark in all_of]
        rows.append(
            (
                cell.strategy if cell.chart == "default" else cell.chart,
                f"{100 * cell.rtp('total'):10.6f} %",
                f"{100 * cell.rtp('initial'):10.6f} %",
                "; ".join(marks),
            )
        )
    head, *lines = columns_of(rows, indent="    ")
    told = [head]
    name = None
    for cell, line in zip(found, lines, strict=True):
        if (here := reading_name(game, cell)) != name:
            name = here
            told.append(wrap(name, console().width, "    ", "  "))
        told.append(line)
    return told


def _side_bets(game: Game, width: int) -> list[str]:
    """Write what the side bets return under their readings, and the paytables that would do."""
    from rtpsim.verification.readings import paytables, side_bet_readings

    lines: list[str] = []
    for row in side_bet_readings(game):
        mark = f", prints as published {row['published']}" if row["prints"] else ""
        if not row["prints"] and row["published"] is not None:
            mark = f", not as published {row['published']}"
        text = (
            f"{wager_title(game, row['bet'])}, {row['reading']} = {row['option']}: "
            f"{row['fraction']} = {100 * row['rtp']:.6f} %{mark}."
        )
        lines.append(wrap(text, width, "  ", "- "))
    for table in paytables(game):
        title, tables = wager_title(game, table["bet"]), table["tables"]
        text = (
            f"{title}: the rules text prints no paytable; {len(tables)} falling tables of payouts "
            f"in use print as {table['published']}, the one in force among them"
            if table["in_force"] in tables
            else f"{title}: {len(tables)} other tables print as {table['published']}"
        )
        lines.append(wrap(f"{text} ({', '.join(table['in_force'])} to one):", width, "  ", "- "))
        lines += [f"    {' / '.join(map(str, one.values()))}" for one in tables[:MOST_TABLES]]
        if len(tables) > MOST_TABLES:
            lines.append(f"    and {len(tables) - MOST_TABLES} more (--json lists all)")
    return lines
