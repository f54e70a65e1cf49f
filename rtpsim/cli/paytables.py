"""``rtpsim paytable``: what a side bet returns, and which paytables return a target."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import click

from rtpsim.cli import options
from rtpsim.cli.output import console, one_in, percent, print_json, print_table, table, wrap
from rtpsim.errors import InputError, shown

if TYPE_CHECKING:
    from rich.console import Console

    from rtpsim.analysis.paytables import Paytable, PaytableSearch
    from rtpsim.games import Game
    from rtpsim.sidebets import SideBet

Settings: TypeAlias = tuple[tuple[str, str], ...]


def _pay(text: str) -> tuple[str, int]:
    """Read ``OUTCOME=N``."""
    name, equals, value = text.partition("=")
    pays = _whole(value)
    if not (name.strip() and equals) or pays is None:
        raise click.BadParameter(f"{shown(text)}: expected OUTCOME=N, as trips=30")
    return name.strip(), pays


def _whole(text: str) -> int | None:
    """Return a whole number of a few digits, as a payout is, or None."""
    digits = text.strip()
    return int(digits) if digits.isdecimal() and len(digits) < 10 else None


def _percentage(text: str) -> Fraction:
    """Read a percentage, exactly: ``95.38``."""
    number = text.strip().removesuffix("%").strip()
    try:
        # Fraction would write out 1e999999999
        value = Fraction(number) if len(number) < 30 and "e" not in number.lower() else None
    except (ValueError, ZeroDivisionError):
        value = None
    if value is None or not 0 <= value <= 100_000:
        raise click.BadParameter(f"{shown(text)}: expected a percentage from 0 to 100000, as 95.38")
    return value / 100


def _payouts(text: str) -> tuple[int, ...]:
    """Read payouts to try: ``1-12,15,20``."""
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        low, high = _whole(first), _whole(last if dash else first)
        if low is None or high is None:
            raise click.BadParameter(f"{shown(text)}: expected payouts, as 1-12,15,20")
        if not 1 <= low <= high <= 100_000:
            raise click.BadParameter(f"{shown(part.strip())}: allowed are payouts from 1 to 100000")
        found += range(low, high + 1)
    return tuple(found)


def _decks_option() -> options.Decorator:
    return click.option(
        "--decks",
        type=options.whole_number(1, 1000),
        metavar="N",
        help="Decks in the shoe. [default: the game's]",
    )


def _pays_option() -> options.Decorator:
    return click.option(
        "--pay",
        "pays",
        multiple=True,
        type=_pay,
        metavar="OUTCOME=N",
        help="Let an outcome pay N to 1 instead. Repeatable.",
    )


@click.group(
    "paytable",
    epilog="""\b
Examples:
  rtpsim paytable show signature-surrender
  rtpsim paytable find blackjack-surrender 21+3 --target 95.38""",
)
def paytable_command() -> None:
    """Explore side bets: what any paytable returns, and which ones return a target."""


@paytable_command.command(
    "show",
    epilog="""\b
Examples:
  rtpsim paytable show signature-surrender
  rtpsim paytable show blackjack-surrender 21+3 --decks 8 --pay trips=25
  rtpsim paytable show blackjack-surrender players-pair --json""",
)
@options.game_argument()
@click.argument("bet_id", metavar="[BET]", required=False)
@_decks_option()
@_pays_option()
@options.settings_option()
@options.json_option()
def show_command(
    game_name: str,
    bet_id: str | None,
    decks: int | None,
    pays: tuple[tuple[str, int], ...],
    settings: Settings,
    as_json: bool,
) -> None:
    """Say what side bets return, how often they pay and how much they vary, exactly."""
    from rtpsim.analysis.paytables import paytable

    game = options.open_game(game_name, settings)
    if bet_id is None and not game.side_bets:
        raise InputError(f"{game.id} has no side bets")
    if bet_id is None and pays:
        raise InputError("--pay changes one bet's paytable; name the bet behind the game")
    bets = game.side_bets if bet_id is None else (game.side_bet(bet_id),)
    found = [paytable(bet, decks or game.rules.decks, dict(pays)) for bet in bets]
    if as_json:
        print_json([table.to_dict() for table in found])
        return
    out = console()
    for place, one in enumerate(found):
        if place:
            click.echo()
        _print_paytable(out, one)


def _print_paytable(out: Console, found: Paytable) -> None:
    click.echo(wrap(f"{found.bet.title}, {_decks(found.decks)}", out.width, "", ""))
    click.echo()
    rows = table("outcome", "pays", "probability", "odds")
    for line in found.lines[:-1]:
        rows.add_row(
            line.outcome.replace("-", " "),
            f"{line.pays} to 1",
            str(line.probability),
            one_in(float(line.probability)),
        )
    print_table(out, rows)
    click.echo()
    for name, value in (
        ("returns", f"{found.rtp} = {percent(float(found.rtp))}"),
        ("pays", f"{percent(float(found.hit_frequency))} of the time"),
        ("variance", f"{float(found.variance):.6f}, standard deviation {found.sd:.6f} stakes"),
    ):
        click.echo(wrap(f"{name} {value}", out.width, "    ", ""))


def _decks(decks: int) -> str:
    return "one deck" if decks == 1 else f"{decks} decks"


@paytable_command.command(
    "find",
    epilog="""\b
Examples:
  rtpsim paytable find blackjack-surrender 21+3 --target 95.38
  rtpsim paytable find blackjack-surrender players-pair --target 96 --tolerance 0.5
  rtpsim paytable find signature-surrender empire-pairs --target 97 --tolerance 1 --payouts 3-40""",
)
@options.game_argument()
@click.argument("bet_id", metavar="BET")
@click.option(
    "--target",
    type=_percentage,
    required=True,
    metavar="PERCENT",
    help="The return that is wanted.",
)
@click.option(
    "--tolerance",
    type=_percentage,
    default="0.005",
    metavar="POINTS",
    help="By how many percentage points it may be missed. [default: 0.005]",
)
@click.option(
    "--payouts",
    type=_payouts,
    metavar="LIST",
    help="Payouts to try, as 1-12,15,20. [default: those in use]",
)
@click.option(
    "--limit",
    type=options.whole_number(1, 10_000),
    default=20,
    metavar="N",
    help="Paytables to show. [default: 20]",
)
@_decks_option()
@options.settings_option()
@options.json_option()
def find_command(
    game_name: str,
    bet_id: str,
    target: Fraction,
    tolerance: Fraction,
    payouts: tuple[int, ...] | None,
    limit: int,
    decks: int | None,
    settings: Settings,
    as_json: bool,
) -> None:
    """List whole-number paytables that return a target, those most like the bet's own first.

    Payouts fall from each outcome to the next, less special one.
    """
    from rtpsim.analysis.paytables import paytables_near
    from rtpsim.games.paytables import PAYOUTS_IN_USE

    game: Game = options.open_game(game_name, settings)
    bet: SideBet = game.side_bet(bet_id)
    found = paytables_near(
        bet,
        decks or game.rules.decks,
        target,
        tolerance,
        payouts=payouts or PAYOUTS_IN_USE,
        limit=limit,
    )
    if as_json:
        print_json(found.to_dict())
        return
    _print_search(console(), found)


def _print_search(out: Console, found: PaytableSearch) -> None:
    click.echo(wrap(f"{found.summary}.", out.width, "", ""))
    if not found.tables:
        return
    click.echo()
    rows = table(" / ".join(found.bet.outcomes), "returns", "pays", "sd")
    for one in found.tables:
        rows.add_row(
            " / ".join(map(str, one.bet.pays.values())),
            percent(float(one.rtp)),
            f"{100 * float(one.hit_frequency):.2f} %",
            f"{one.sd:.3f}",
        )
    print_table(out, rows)
    if found.found > len(found.tables):
        click.echo(f"... and {found.found - len(found.tables):,} more (--limit)")
