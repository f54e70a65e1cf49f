"""``rtpsim hand``: what every action of one hand is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rtpsim.cli import options
from rtpsim.cli.output import console, print_json, print_table, say, table, wrap

if TYPE_CHECKING:
    from rich.console import Console

    from rtpsim.exact.hand import HandValues


@click.command(
    "hand",
    epilog="""\b
Examples:
  rtpsim hand signature-surrender "T,6" T
  rtpsim hand "6D S17 DAS SPL3 LS" "8,8" A
  rtpsim hand signature-surrender "T,4,2" T
  rtpsim hand signature-surrender "8,3" 6 --split 8
  rtpsim hand power-blackjack "T,3" 6 --split "T,6" """,
)
@options.game_argument()
@click.argument("cards", metavar="CARDS")
@click.argument("up", metavar="UP")
@click.option(
    "--split",
    metavar="CARD[,CARD]",
    default="",
    help="The hand comes from splitting this pair, or from a power split of these two cards; it "
    "begins with the first of CARDS.",
)
@options.split_model_option()
@options.settings_option()
@options.json_option()
def hand_command(
    game_name: str,
    cards: str,
    up: str,
    split: str,
    split_model: str,
    settings: tuple[tuple[str, str], ...],
    as_json: bool,
) -> None:
    """Say what each legal action of a hand is worth, best first, and what a mistake costs.

    CARDS as T,6; UP is the dealer's up card.
    """
    from rtpsim.exact.hand import hand

    game = options.open_game(game_name, settings)
    say("the very first exact result takes a compilation")
    values = hand(game, cards, up, split=split, split_model=split_model)
    if as_json:
        print_json(values.to_dict())
        return
    _print(console(), values)


def _print(out: Console, values: HandValues) -> None:
    """Print the actions as a table."""
    what = f"{','.join(values.cards)} against {values.up}"
    if values.split:
        what += f", after a split of {','.join(values.split)}"
    click.echo(wrap(f"{values.game}: {what}", out.width, "", ""))
    if values.game != values.rules:
        click.echo(wrap(values.rules, out.width, "", ""))
    click.echo()
    rows = table("action", "expected net", "cost of the mistake")
    for one in values.actions:
        rows.add_row(one.action, f"{one.ev:+.10f}", f"{one.cost:.10f}" if one.cost else "best")
    print_table(out, rows)
    click.echo()
    click.echo(wrap(f"In initial bets; {values.note}.", out.width, "", ""))
    if values.natural_chance:
        click.echo(f"A dealer natural had a chance of {100 * values.natural_chance:.4f} %.")
    if values.insurance is not None:
        click.echo(f"Insurance, half the bet, would net {values.insurance:+.10f}.")
