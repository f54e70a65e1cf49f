"""Published figures: whether an exact value prints as one, and under which reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtpsim.cards import Shoe
from rtpsim.games import MAIN
from rtpsim.printed import decimals_of, print_percentage, printed_range
from rtpsim.sidebets import exact_rtp
from rtpsim.verdicts import LEVEL, PublishedVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from rtpsim.games import Game, Published
    from rtpsim.sidebets import SideBet
    from rtpsim.statistics import Estimate


LEAST_FOR_INTERVAL = 100
"""Fewer rounds say nothing of their own error: a normal interval of them contradicts nothing."""


def interim_verdict(
    simulated: Estimate, published: Published, rounds: int
) -> tuple[PublishedVerdict, str]:
    """Compare the 99 % interval with the values that print as the published figure."""
    if rounds < LEAST_FOR_INTERVAL:
        return PublishedVerdict.CONSISTENT, f"{rounds} rounds are too few to contradict it"
    half = simulated.half_width(LEVEL)
    low, high = printed_range(published.rtp, published.rounding)
    meets = simulated.value - half <= high and simulated.value + half >= low
    said = (
        f"99 % interval {100 * simulated.value:.4f} ± {100 * half:.4f} % "
        f"{'meets' if meets else 'misses'} {100 * float(low):.6g} to {100 * float(high):.6g} %"
    )
    return (PublishedVerdict.CONSISTENT if meets else PublishedVerdict.NOT_REPRODUCED), said


def deviations(game: Game, wager: str) -> list[str]:
    """Return the readings that bear on a wager and are not at their default."""
    chosen = game.chosen
    return [
        f"{reading.id} = {chosen[reading.id]}"
        for reading in game.readings
        if chosen[reading.id] != reading.default and _bears_on(reading.names(), wager)
    ]


def _bears_on(names: Iterable[str], wager: str) -> bool:
    start = "rules." if wager == MAIN else f"side_bets.{wager}."
    return any(name.startswith(start) or name == "rules.decks" for name in names)


def other_readings(game: Game, bet: SideBet, published: Published) -> list[str]:
    """Return the options, one reading changed at a time, under which a side bet's figure holds."""
    found = []
    for reading in game.readings:
        if not _bears_on(reading.names(), bet.id):
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
