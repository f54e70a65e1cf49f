"""Published figures: whether an exact value prints as one, and under which reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.cards import Shoe
from rtpsim.errors import InputError
from rtpsim.exact.figures import exact_figures
from rtpsim.games import MAIN
from rtpsim.games.printed import decimals_of, print_percentage
from rtpsim.sidebets import exact_rtp
from rtpsim.strategy import Chart, default_chart
from rtpsim.verification.verdicts import PublishedVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from rtpsim.exact.figures import ExactFigures
    from rtpsim.games import Game, Published, Reading
    from rtpsim.program.composition import Strategy
    from rtpsim.sidebets import SideBet


def main_verdict(game: Game, chart: Strategy, exact: ExactFigures) -> tuple[PublishedVerdict, str]:
    """Compare a main game's exact value with the figure in print, on the base it is declared for.

    Parameters
    ----------
    game
        The game.
    chart
        The chart played; another than the game's own is a deviation, as a reading is.
    exact
        What the game returns under it.
    """
    published = game.published_for(MAIN)
    if published is None:
        return PublishedVerdict.NOT_PUBLISHED, "no figure is printed"
    value = exact.rtp(published.base)
    chosen = deviations(game, MAIN)
    own = default_chart(game)
    if chart != own:
        what = "chart " if isinstance(chart, Chart) else ""
        chosen.append(f"{what}{chart.name} instead of {own.name}")
    elsewhere = [] if published.prints(value) else _main_readings(game, chart, published)
    verdict, said = printed_verdict(value, published, chosen, elsewhere)
    return verdict, f"{said}, on the {published.base} wager"


def _main_readings(game: Game, chart: Strategy, published: Published) -> list[str]:
    """Return the options, one reading changed at a time, under which a main figure holds."""
    found: list[str] = []
    if not isinstance(chart, Chart):
        return found
    for reading in game.readings:
        if not bears_on(reading, MAIN):
            continue
        for option in reading.options:
            try:
                other = game.with_settings({reading.id: option})
                figures = exact_figures(other, chart, moments=False)
            except InputError:  # it contradicts the rules in force, or the chart does not fit it
                continue
            if published.prints(figures.rtp(published.base)):
                found.append(f"{reading.id} = {option}")
    return found


def deviations(game: Game, wager: str) -> list[str]:
    """Return the readings that bear on a wager and are not at their default."""
    chosen = game.chosen
    return [
        f"{reading.id} = {chosen[reading.id]}"
        for reading in game.readings
        if chosen[reading.id] != reading.default and bears_on(reading, wager)
    ]


def bears_on(reading: Reading, wager: str) -> bool:
    """Say whether a wager's return can hang on a reading: all see the decks, else only their own.

    Parameters
    ----------
    wager
        `rtpsim.games.MAIN`, or a side bet's id.
    """
    start = "rules." if wager == MAIN else f"side_bets.{wager}."
    return any(name.startswith(start) or name == "rules.decks" for name in reading.names())


def other_readings(game: Game, bet: SideBet, published: Published) -> list[str]:
    """Return the options, one reading changed at a time, under which a side bet's figure holds."""
    found = []
    for reading in game.readings:
        if not bears_on(reading, bet.id):
            continue
        for option in reading.options:
            other = game.with_settings({reading.id: option})
            shoe = Shoe.of_decks(other.rules.decks)
            if published.prints(exact_rtp(other.side_bet(bet.id), shoe)):
                found.append(f"{reading.id} = {option}")
    return found


def printed_verdict(
    exact: Fraction | float,
    published: Published,
    chosen: Sequence[str],
    elsewhere: Sequence[str],
) -> tuple[PublishedVerdict, str]:
    """Compare an exact value with the figure in print.

    Parameters
    ----------
    chosen
        Readings in force that are not the default.
    elsewhere
        Other readings under which the figure holds, if it does not here.
    """
    holds = published.prints(exact)
    how = {"nearest": "rounded to nearest", "down": "cut off"}[published.rounding]
    decimals = decimals_of(published.rtp)
    said = (
        f"exact {100 * float(exact):.6f} % prints as "
        f"{print_percentage(exact, decimals, published.rounding)} ({how})"
    )
    if chosen:
        said += f" under {', '.join(chosen)}"
    if elsewhere:
        said += f"; it prints as published under {', '.join(elsewhere)}"
    if holds and not chosen:
        return PublishedVerdict.REPRODUCED, said
    # who asked for a certain reading is answered for that one
    if holds or (elsewhere and not chosen):
        return PublishedVerdict.UNDER_A_READING, said
    return PublishedVerdict.NOT_REPRODUCED, said
