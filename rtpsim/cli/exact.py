"""``rtpsim exact``: what a game returns under a strategy, to the last digit."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from rtpsim.cli import options
from rtpsim.cli.games import wager_title
from rtpsim.cli.output import columns_of, console, one_in, print_json, print_table, say, table, wrap

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from rtpsim.exact.figures import ExactFigures
    from rtpsim.games import Game

UNKNOWN = "not in reach"


@click.command(
    "exact",
    epilog="""\b
Examples:
  rtpsim exact signature-surrender
  rtpsim exact classic-blackjack --strategy optimal-cd --json
  rtpsim exact --rules "6D S17 DOA DAS SPL3 LS" --strategy optimal-cd""",
)
@click.argument("game_name", metavar="[GAME]", required=False)
@click.option("--rules", metavar="RULES", help="A rule string, in place of a GAME.")
@options.exact_strategy_option()
@options.split_model_option()
@options.resplits_option()
@options.settings_option()
@options.cache_option()
@options.json_option()
def exact_command(
    game_name: str | None,
    rules: str | None,
    strategy: str,
    split_model: str,
    resplits: str,
    settings: tuple[tuple[str, str], ...],
    keep: bool,
    as_json: bool,
) -> None:
    """Say exactly what a game returns, by enumeration of every hand."""
    from rtpsim.exact.figures import exact_figures

    game = open_either(game_name, rules, settings)
    way = options.open_strategy(game, strategy)
    if way != "optimal-cd" and (split_model, resplits) != ("CDP", "forced"):
        raise click.UsageError(
            "--split-model and --resplits are for --strategy optimal-cd alone",
            click.get_current_context(),
        )
    say("the very first exact result takes a compilation")
    figures = exact_figures(game, way, split_model=split_model, resplits=resplits, keep=keep)
    if as_json:
        print_json({**figures.document, "cached": figures.cached})
        return
    _print(console(), game, figures)


def open_either(
    game_name: str | None, rules: str | None, settings: tuple[tuple[str, str], ...]
) -> Game:
    """Return the game of a GAME argument or of ``--rules``, of which one has to be given."""
    if (game_name is None) == (rules is None):
        raise click.UsageError(
            "expected a GAME or --rules, one of the two", click.get_current_context()
        )
    if rules is None:
        assert game_name is not None, "one of the two is there"
        return options.open_game(game_name, settings)
    from rtpsim.games import Game
    from rtpsim.rulestring import parse_rules

    game = Game.from_rules(parse_rules(rules))
    return game.with_settings(dict(settings)) if settings else game


def _print(out: Console, game: Game, figures: ExactFigures) -> None:
    """Print figures as tables."""
    facts = figures.document
    click.echo(wrap(f"{game.id}, {figures.strategy}", out.width, "", ""))
    click.echo(wrap(str(facts["rules"]), out.width, "", ""))
    click.echo(wrap(f"Exact: {facts['note']}.", out.width, "", ""))
    click.echo()
    _print_main(out, facts)
    click.echo()
    _print_up_cards(out, facts)
    for line in _bets(game, facts):
        click.echo(line)
    if facts["insurance"]["wager"]:
        net, wager = figures.insurance
        click.echo(
            f"\nInsurance, a bet of its own: net {net:+.9f} on {wager:.9f} wagered, per initial bet"
        )


def _print_main(out: Console, facts: Mapping[str, Any]) -> None:
    """Print the main game's figures."""
    rows = table("Main game, exactly", "figure")
    if facts["includes_insurance"]:
        rows = table("Main game with its insurance, exactly", "figure")
    for label, value in (
        ("rtp_total (return on all that was wagered)", facts["rtp_total"]),
        ("rtp_initial (return on the initial bet)", facts["rtp_initial"]),
        ("house edge (1 - rtp_initial)", facts["house_edge"]),
        ("element of risk (1 - rtp_total)", facts["element_of_risk"]),
    ):
        rows.add_row(label, f"{100 * value:.9f} %")
    for label, name in (
        ("net result of a round", "ev"),
        ("wager of a round", "mean_wager"),
        ("variance of a round", "variance"),
        ("standard deviation of a round", "sd"),
        ("hit frequency (rounds won)", "hit_frequency"),
    ):
        value = facts.get(name)
        rows.add_row(label, UNKNOWN if value is None else _shown(facts, name, value))
    print_table(out, rows)


def _shown(facts: Mapping[str, Any], name: str, value: float) -> str:
    """Write a figure: with all its digits, or those that a simulation can know."""
    simulated = facts["simulated"]
    if simulated and name in simulated["figures"]:
        return f"{value:.4f} (simulated)"
    return f"{value:.12f}"


def _print_up_cards(out: Console, facts: Mapping[str, Any]) -> None:
    """Print the main game by up card."""
    rows = table("up card", "probability", "net result", "wager")
    for row in facts["by_up_card"]:
        rows.add_row(
            row["up"],
            f"{row['probability']:.6f}",
            f"{row['ev']:+.9f}",
            f"{row['mean_wager']:.6f}",
        )
    print_table(out, rows)


def _bets(game: Game, facts: Mapping[str, Any]) -> list[str]:
    """Write the side bets with their fractions."""
    lines = []
    for bet in facts["bets"]:
        title = wager_title(game, bet["bet"])
        rtp = Fraction(bet["fraction"])
        lines.append(f"\n{title}: returns {rtp} = {100 * float(rtp):.6f} %")
        lines += columns_of(
            (
                outcome["outcome"].replace("-", " "),
                f"{outcome['pays']:>3} to 1" if outcome["pays"] >= 0 else "",
                str(outcome["fraction"]),
                one_in(outcome["probability"]),
            )
            for outcome in bet["outcomes"]
        )
    return lines
