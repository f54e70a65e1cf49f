"""``rtpsim games`` and ``rtpsim show``: what the catalogue holds, and one game in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rtpsim.cli import options
from rtpsim.cli.output import columns_of, console, one_in, percent, print_json, wrap

if TYPE_CHECKING:
    from rtpsim.games import Game, Published, Reading, SideBet
    from rtpsim.strategy import Chart

ROLES = {
    "player1": "the player's first card",
    "player2": "the player's second card",
    "up": "the dealer's up card",
    "hole": "the dealer's second card",
}
BASES = {
    "total": "of the total amount wagered",
    "initial": "of the initial bet",
    "stake": "of its stake",
}


@click.command("games", epilog="\b\nExample:\n  rtpsim games")
@options.json_option()
def games_command(as_json: bool) -> None:
    """List the games of the catalogue."""
    from rtpsim.games import game_names, load_game

    games = [load_game(name) for name in game_names()]
    if as_json:
        print_json([_summary(game) for game in games])
        return
    width = console().width
    for game in games:
        click.echo(game.id)
        click.echo(wrap(f"{game.title}; {_hands(game)}", width))
        click.echo(wrap(str(game.rules), width))
        figures = [f"{wager_title(game, figure.wager)} {figure.rtp} %" for figure in game.published]
        click.echo(wrap("published: " + (", ".join(figures) or "nothing"), width))


@click.command(
    "show",
    epilog="\b\nExample:\n  rtpsim show signature-surrender\n  rtpsim show power-blackjack --json"
    "\n  rtpsim show classic-blackjack --program",
)
@options.game_argument()
@options.strategy_option()
@options.settings_option()
@click.option(
    "--program", "sizes", is_flag=True, help="Show the size of the tables it is compiled to."
)
@options.json_option()
def show_command(
    game_name: str,
    strategy: str | None,
    settings: tuple[tuple[str, str], ...],
    sizes: bool,
    as_json: bool,
) -> None:
    """Show a game: rules, readings, bets, published figures and chart."""
    game = options.open_game(game_name, settings)
    chart = options.open_chart(game, strategy)
    if as_json:
        program = {"program": _program(game, chart)} if sizes else {}
        print_json(_everything(game, chart) | program)
        return
    width = console().width
    if sizes:
        names = {"bytes": "KiB of tables"}
        click.echo(wrap(f"{game.id}, chart {chart.name}: {game.rules}", width, "", ""))
        for name, number in _program(game, chart).items():
            shown = f"{number / 1024:,.0f}" if name == "bytes" else f"{number:,}"
            click.echo(f"  {shown:>9} {names.get(name, name)}")
        return
    for part in (
        _heading(game, width),
        _rules(game, width),
        _readings(game, width),
        _side_bets(game, width),
        _published(game, width),
        [f"Notes\n{wrap(game.notes, width)}"] if game.notes else [],
        _chart(chart, width),
    ):
        if part:
            click.echo("\n".join(part) + "\n")


def wager_title(game: Game, wager: str) -> str:
    """Return what people call a wager: the main game, or a side bet's title."""
    titles = {bet.id: bet.title for bet in game.side_bets}
    return titles.get(wager, "Blackjack" if wager == "main" else wager)


def _hands(game: Game) -> str:
    return "one hand a round" if game.max_hands == 1 else f"up to {game.max_hands} hands a round"


def _summary(game: Game) -> dict[str, Any]:
    """Return what the list of games says of one."""
    return {
        "game": game.id,
        "title": game.title,
        "rules": str(game.rules),
        "max_hands": game.max_hands,
        "published": [_figure(figure) for figure in game.published],
        "readings": [reading.id for reading in game.readings],
        "side_bets": [bet.id for bet in game.side_bets],
    }


def _figure(figure: Published) -> dict[str, Any]:
    return {
        "wager": figure.wager,
        "rtp": figure.rtp,
        "base": figure.base,
        "rounding": figure.rounding,
        "source": figure.source,
    }


def _everything(game: Game, chart: Chart) -> dict[str, Any]:
    """Return all that ``show`` prints, for machines."""
    chosen = game.chosen
    fields = game.rules.model_dump(mode="json")
    return {
        **_summary(game),
        "rule_fields": fields,
        "insurance": game.insurance,
        "even_money": game.even_money,
        "readings": [
            {
                "reading": reading.id,
                "title": reading.title,
                "options": list(reading.options),
                "default": reading.default,
                "chosen": chosen[reading.id],
                "reason": reading.reason,
            }
            for reading in game.readings
        ],
        "side_bets": [_bet(game, bet) for bet in game.side_bets],
        "quoted": [quote.model_dump(mode="json") for quote in game.quoted],
        "source": None if game.source is None else game.source.model_dump(mode="json"),
        "notes": game.notes,
        "strategy": {
            "name": chart.name,
            "sha256": chart.sha256,
            "rows": {row: list(cells) for row, cells in chart.rows.items()},
        },
    }


def _program(game: Game, chart: Chart) -> dict[str, int]:
    """Return the sizes of the tables that the kernel follows."""
    from rtpsim.program.compiler import compile_program
    from rtpsim.program.player import ChartPlayer

    program = compile_program(
        game.rules,
        ChartPlayer(chart, game.rules),
        insurance=game.insurance,
        even_money=game.even_money,
    )
    return {
        "classes": program.classes,
        "states": program.first_event,
        "events": program.join.shape[1],
        "contexts": len(program.join),
        "labels": program.labels,
        "bytes": program.nbytes,
    }


def _bet(game: Game, bet: SideBet) -> dict[str, Any]:
    """Return one side bet with its exact figures."""
    from rtpsim.cards import Shoe
    from rtpsim.sidebets import exact_counts, exact_rtp

    shoe = Shoe.of_decks(game.rules.decks)
    exact = exact_counts(bet, shoe)
    rtp = exact_rtp(bet, shoe)
    return {
        "bet": bet.id,
        "title": bet.title,
        "cards": list(bet.cards),
        "inferred": bet.inferred,
        "exact_rtp": str(rtp),
        "rtp": float(rtp),
        "combinations": exact.total,
        "outcomes": [
            {
                "outcome": outcome,
                "pays": bet.pays[outcome],
                "count": exact.counts[outcome],
                "probability": exact.counts[outcome] / exact.total,
            }
            for outcome in bet.outcomes
        ],
    }


def _heading(game: Game, width: int) -> list[str]:
    """Say which game it is, how many hands it has and what is offered before play."""
    offers = []
    if game.insurance:
        offers.append("Insurance (half the bet, pays 2 to 1) is offered under an ace.")
    else:
        offers.append("No insurance.")
    if game.even_money:
        offers.append("A natural under an ace may take even money instead.")
    hands = _hands(game)
    return [
        game.id,
        wrap(game.title, width),
        wrap(f"{hands[0].upper()}{hands[1:]}. {' '.join(offers)}", width),
    ]


def _rules(game: Game, width: int) -> list[str]:
    """Write the rules as a rule string and in words."""
    from rtpsim.games.wording import rules_in_words

    lines = ["Rules", wrap(str(game.rules), width)]
    lines += [wrap(text, width, "    ", "  - ") for text in rules_in_words(game.rules)]
    return lines


def _readings(game: Game, width: int) -> list[str]:
    """Write each point that the rule text leaves open, what is chosen and why."""
    if not game.readings:
        return []
    lines = [
        wrap("Readings of what the rules text leaves open; choose with --set NAME=VALUE", width, "")
    ]
    for reading in game.readings:
        lines += _reading(reading, game.chosen[reading.id], width)
    return lines


def _reading(reading: Reading, chosen: str, width: int) -> list[str]:
    marks = {reading.default: "default"}
    if chosen != reading.default:
        marks[chosen] = "chosen"
    options = [
        f"{option} [{marks[option]}]" if option in marks else option for option in reading.options
    ]
    if chosen not in reading.options:
        options.append("[neither is in force]")
    return [
        wrap(f"{reading.id}: {', '.join(options)}", width, "      ", "  "),
        wrap(f"{reading.title}. {reading.reason}", width, "      "),
    ]


def _side_bets(game: Game, width: int) -> list[str]:
    """Write the paytables with what they return, exactly."""
    if not game.side_bets:
        return []
    lines = ["Side bets, exactly"]
    for bet in game.side_bets:
        facts = _bet(game, bet)
        mark = " (inferred paytable)" if bet.inferred else ""
        text = f"{bet.title}: returns {percent(facts['rtp'])}{mark}, on {_listed_roles(bet)}"
        lines.append(wrap(text, width))
        rows = [
            (
                outcome["outcome"].replace("-", " "),
                f"{outcome['pays']:>3} to 1",
                f"{outcome['count']:>{len(str(facts['combinations']))}} of {facts['combinations']}",
                one_in(outcome["probability"]),
            )
            for outcome in facts["outcomes"]
        ]
        lines += columns_of(rows)
    return lines


def _listed_roles(bet: SideBet) -> str:
    """Say which cards decide a side bet."""
    cards = set(bet.cards)
    words = []
    if {"player1", "player2"} <= cards:
        words.append("the player's first two cards")
        cards -= {"player1", "player2"}
    if {"up", "hole"} <= cards:
        words.append("the dealer's first two cards")
        cards -= {"up", "hole"}
    words += [ROLES[role] for role in bet.cards if role in cards]
    return " and ".join(words)


def _published(game: Game, width: int) -> list[str]:
    """Write what the operator prints, and what it is a return on."""
    lines = ["Published"] if game.published else ["Published: nothing"]
    for figure in game.published:
        title = wager_title(game, figure.wager)
        text = f"{title}: {figure.rtp} % {BASES[figure.base]}, rounded to {figure.rounding}"
        lines.append(wrap(f"{text} ({figure.source})", width, "    ", "  "))
    for quote in game.quoted:
        title = wager_title(game, quote.wager)
        name = "return" if quote.figure == "rtp" else "house edge"
        text = f"quoted elsewhere: {title}, {name} {quote.value} % ({quote.source})"
        lines.append(wrap(text, width, "    ", "  "))
    if game.source is not None:
        lines.append(wrap(f"Rules text: {game.source}", width, "    ", "  "))
    return lines


def _chart(chart: Chart, width: int) -> list[str]:
    """Write the chart in letters, and its rows of other things as sentences."""
    lines = [f"Chart {chart.name} (sha256 {chart.sha256[:12]})"]
    if chart.provenance:
        lines.append(wrap(" ".join(chart.provenance), width))
    head = ("hand", *"23456789TA")
    grid = [head]
    other = []
    for row, cells in chart.rows.items():
        if row.startswith("replace"):
            other.append(wrap(f"{row}: {_runs(cells)}", width, "    ", "  "))
        else:
            grid.append((row, *(cell.ljust(2) for cell in cells)))
    return lines + columns_of(grid, gap=" ") + other


def _runs(cells: tuple[str, ...]) -> str:
    """Write ten cells as runs of equal ones: ``A2-7 against 2-6, nothing against 7-A``."""
    columns = "23456789TA"
    runs: list[tuple[str, int, int]] = []
    for index, cell in enumerate(cells):
        if runs and runs[-1][0] == cell:
            runs[-1] = (cell, runs[-1][1], index)
        else:
            runs.append((cell, index, index))
    return ", ".join(
        f"{cell if cell not in ('', '-') else 'nothing'} against {columns[first]}"
        + (f"-{columns[last]}" if last > first else "")
        for cell, first, last in runs
    )
