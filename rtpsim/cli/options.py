"""Arguments and options that several commands share, and what they stand for."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import click

from rtpsim.cli.output import is_terminal
from rtpsim.errors import InputError, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from rtpsim.games import Game
    from rtpsim.program.composition import Strategy
    from rtpsim.strategy import Chart

    Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

MOST_ROUNDS = 10**15
MOST_HANDS = 21
MOST_WORKERS = 1024
LARGEST_SEED = 2**64 - 1
MANY = 24
"""Rule sets from which several processes are quicker than one: each takes seconds to start."""


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Return a reader of whole numbers: ``1000000``, ``1_000_000``, ``1e6`` or ``1.5e6``; exact.

    Parameters
    ----------
    least, most
        The bounds, both allowed.
    """

    def read(text: str) -> int:
        number = _exact(str(text))
        if number is None or not least <= number <= most:
            raise click.BadParameter(
                f"{shown(text)}: expected a whole number from {least} to {_short(most)}, "
                "written as 1000000, 1_000_000 or 1e6"
            )
        return number

    return read


def _exact(text: str) -> int | None:
    """Return the whole number that a text writes, or None."""
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    # the exponent first: writing out 1e999999999 would take for ever
    if not number.is_finite() or number.adjusted() > 30 or number != number.to_integral_value():
        return None
    return int(number)


def _short(number: int) -> str:
    """Write a bound as people say it: 10**15 as 1e15."""
    digits = str(number)
    if len(digits) > 6 and set(digits[1:]) == {"0"}:
        return f"{digits[0]}e{len(digits) - 1}"
    return digits


def setting(text: str) -> tuple[str, str]:
    """Read ``NAME=VALUE``: a reading of the game, or a field of its rules."""
    name, equals, value = text.partition("=")
    if not (name.strip() and equals and value.strip()):
        raise click.BadParameter(f"{shown(text)}: expected NAME=VALUE, as soft17=hit")
    return name.strip(), value.strip()


def game_argument() -> Decorator:
    """Return the GAME argument."""
    return click.argument("game_name", metavar="GAME")


def strategy_option() -> Decorator:
    """Return ``--strategy``."""
    return click.option(
        "--strategy",
        metavar="NAME|FILE",
        help="How the player plays: a chart's name or file; optimal-td, optimal-2c. "
        "[default: the game's own chart]",
    )


def playable_option() -> Decorator:
    """Return ``--strategy`` of commands that simulate."""
    return click.option(
        "--strategy",
        metavar="NAME|FILE",
        help="How the player plays: a chart's name or file; optimal-td, optimal-2c, optimal-cd; or "
        "a file of `rtpsim solve --kind optimal-cd`. [default: the game's own chart]",
    )


def settings_option() -> Decorator:
    """Return ``--set``."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        type=setting,
        metavar="NAME=VALUE",
        help="Choose a reading of the game, or change a rule (soft17=hit). Repeatable.",
    )


def exact_strategy_option() -> Decorator:
    """Return ``--strategy`` of commands that also know the best play."""
    return click.option(
        "--strategy",
        default="default",
        metavar="NAME|FILE",
        help="default (the game's own chart), optimal-td, optimal-2c, optimal-cd, or a chart's "
        "name or file. [default: default]",
    )


def strategies_option() -> Decorator:
    """Return ``--strategy`` of commands that value games by several."""
    return click.option(
        "--strategy",
        "strategies",
        multiple=True,
        metavar="NAME|FILE",
        help="default (the game's own chart), optimal-td, optimal-2c, optimal-cd, or a chart's "
        "name or file. Repeatable. [default: optimal-cd, optimal-td and default]",
    )


def split_model_option() -> Decorator:
    """Return ``--split-model``."""
    return click.option(
        "--split-model",
        type=click.Choice(["CDP", "CDZ-"]),
        default="CDP",
        help="How optimal-cd plays hands of a split: by their own cards (CDP), or as if they had "
        "not been split (CDZ-). [default: CDP]",
    )


def resplits_option() -> Decorator:
    """Return ``--resplits``."""
    return click.option(
        "--resplits",
        type=click.Choice(["forced", "best"]),
        default="forced",
        help="Whether optimal-cd splits every further pair of a split while the rules allow "
        "(forced), as published values do, or only where that is best. [default: forced]",
    )


def cache_option() -> Decorator:
    """Return ``--no-cache``."""
    return click.option(
        "--no-cache",
        "keep",
        flag_value=False,
        default=True,
        help="Compute exact figures anew; neither use nor keep those found before.",
    )


def json_option() -> Decorator:
    """Return ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")


def rounds_option(default: int | None, text: str, most: int = MOST_ROUNDS) -> Decorator:
    """Return ``--rounds``."""
    return click.option(
        "--rounds",
        type=whole_number(1, most),
        default=default,
        metavar="N",
        help=text,
    )


def seed_option(default: int | None, text: str) -> Decorator:
    """Return ``--seed``."""
    return click.option(
        "--seed", type=whole_number(0, LARGEST_SEED), default=default, metavar="N", help=text
    )


def hands_option(default: int | None = 1) -> Decorator:
    """Return ``--hands``."""
    return click.option(
        "--hands",
        type=whole_number(1, MOST_HANDS),
        default=default,
        metavar="K",
        help="Hands a round, played against one dealer. [default: 1]",
    )


def workers_option() -> Decorator:
    """Return ``--workers``."""
    return click.option(
        "--workers",
        type=whole_number(1, MOST_WORKERS),
        metavar="N",
        help="Threads; they change the speed, never the figures. [default: all cores]",
    )


def processes_option() -> Decorator:
    """Return ``--workers`` of commands that value many rule sets."""
    return click.option(
        "--workers",
        type=whole_number(1, MOST_WORKERS),
        metavar="N",
        help="Processes; they change the speed, never the figures. [default: one, or all cores "
        f"from {MANY} rule sets on]",
    )


def processes(workers: int | None, rule_sets: int) -> int:
    """Return how many processes value so many rule sets."""
    if workers is not None:
        return workers
    if rule_sets < MANY:
        return 1
    from rtpsim.simulation import available_cores

    return available_cores()


def counting(unit: str) -> Callable[[int, int], None] | None:
    """Return what counts on stderr how much is done, if somebody is looking."""

    def count(done: int, of: int) -> None:
        text = f"{done} of {of} {unit}"
        click.echo(f"\r{text if done < of else ' ' * len(text)}\r", nl=False, err=True)

    return count if is_terminal() else None


def open_game(name: str, settings: tuple[tuple[str, str], ...] = ()) -> Game:
    """Return the game that a name, a file or a rule string means, with its settings.

    Raises
    ------
    InputError
        If there is no such game, or it has no such setting.
    """
    from rtpsim.games import load_game

    game = load_game(name)
    chosen: dict[str, str] = {}
    for setting, value in settings:
        if chosen.setdefault(setting, value) != value:
            raise InputError(
                f"--set {shown(setting)}: given twice, as {shown(chosen[setting])} and "
                f"{shown(value)}"
            )
    return game.with_settings(chosen) if chosen else game


def open_strategy(game: Game, strategy: str) -> Chart | str:
    """Return a chart, or the name of a best way to play, as `rtpsim.exact.exact` takes it.

    Raises
    ------
    InputError
        If there is no such chart, or it does not fit the game.
    """
    if strategy == "default":
        return open_chart(game, None)
    return strategy if strategy.startswith("optimal-") else open_chart(game, strategy)


def open_playable(game: Game, strategy: str | None, split_model: str) -> Strategy:
    """Return what a simulation plays by: a chart, or a strategy by composition.

    Parameters
    ----------
    game
        The game.
    strategy
        None or ``default`` (the game's chart); ``optimal-td``, ``optimal-2c``, ``optimal-cd``; a
        chart's name or file; the file of a strategy by composition.
    split_model
        Of ``optimal-cd``: ``CDP`` or ``CDZ-``; said of anything else it is refused.

    Raises
    ------
    InputError
        If there is no such strategy, or it does not fit the game.
    """
    from rtpsim.exact.compositions import strategy_for

    if split_model != "CDP" and strategy != "optimal-cd":
        raise InputError("--split-model: is for --strategy optimal-cd alone")
    return strategy_for(game, "default" if strategy is None else strategy, split_model)


def open_chart(game: Game, strategy: str | None) -> Chart:
    """Return the chart to play by: the game's own or the one that `strategy` names.

    Raises
    ------
    InputError
        If there is no such chart, or it does not fit the game.
    """
    from rtpsim.analysis.charts import chart_for

    return chart_for(game, "default" if strategy is None else strategy)
