"""Whether a chart and a game's rules go together, and the chart a game plays by default."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from rtpsim.cards import ACE_CLASS, VALUE_CLASSES
from rtpsim.errors import InputError
from rtpsim.rules import Rules
from rtpsim.strategy.files import read_chart
from rtpsim.strategy.notation import ROWS

if TYPE_CHECKING:
    from rtpsim.strategy.chart import Chart


class GameLike(Protocol):
    """What is asked of a game here: `rtpsim.games.Game`, or anything like it."""

    @property
    def title(self) -> str:
        """Return the name for people."""

    @property
    def rules(self) -> Rules:
        """Return the rules."""

    @property
    def insurance(self) -> bool:
        """Say whether insurance is offered."""

    @property
    def even_money(self) -> bool:
        """Say whether even money is offered."""

    @property
    def chart(self) -> str:
        """Return the default chart's name or file."""


POWER_DOUBLED: Final = {
    "none": (),
    "9-11": ("hard 9", "hard 10", "hard 11"),
    "9-11-soft": ("hard 9", "hard 10", "hard 11", "soft 19", "soft 20"),
    "10-11": ("hard 10", "hard 11"),
}
"""The initial totals that each rule lets a player power double."""


def default_chart(game: GameLike) -> Chart:
    """Return the chart that a game's file names.

    Raises
    ------
    InputError
        If there is no such chart, it cannot be read, or it does not go with the game.
    """
    path = Path(game.chart)
    chart = read_chart(path if path.is_absolute() else game.chart)
    check_chart(chart, game)
    return chart


def check_chart(chart: Chart, game: GameLike | Rules) -> None:
    """Check that a game allows what a chart says, and that the chart says what the game needs.

    An action with an "else" (``Rh`` where nobody may surrender), a split that is not allowed and a
    power double of a total that the rules leave out are understood and simply not played.

    Parameters
    ----------
    chart
        Any chart.
    game
        A game, or rules alone (insurance is then taken to be offered).

    Raises
    ------
    InputError
        For insurance where none is offered or against another card than an ace; rows for a power
        move that the rules do not know; a total with a power double that the chart has no row for;
        a power double without its ``replace`` row.
    """
    rules = game if isinstance(game, Rules) else game.rules
    title = str(rules) if isinstance(game, Rules) else game.title
    offered = True if isinstance(game, Rules) else game.insurance or game.even_money
    _check_insurance(chart, title, offered)
    _check_power_rows(chart, rules, title)
    _check_power_doubles(chart, rules, title)


def _check_insurance(chart: Chart, title: str, offered: bool) -> None:
    for label in chart.rows:
        if ROWS[label].kind != "insurance":
            continue
        for up in range(len(VALUE_CLASSES)):
            if chart.cell(label, up) != "Y":
                continue
            place = chart.place(label, up)
            if up != ACE_CLASS:
                raise InputError(f"{place}: insurance is offered against an ace only; expected N")
            if not offered:
                raise InputError(f"{place}: {title} offers no insurance; expected N")


def _check_power_rows(chart: Chart, rules: Rules, title: str) -> None:
    for label in chart.rows:
        kind = ROWS[label].kind
        if kind == "power split" and rules.power_split == "none":
            raise InputError(
                f"{chart.place(label)}: {title} has no power split (PS); expected no such row"
            )
        if kind in ("power double", "replace") and rules.power_double == "none":
            raise InputError(
                f"{chart.place(label)}: {title} has no power double (PD9); expected no such row"
            )


def _check_power_doubles(chart: Chart, rules: Rules, title: str) -> None:
    for total in POWER_DOUBLED[rules.power_double]:
        row = f"power double {total}"
        if row not in chart.rows:
            raise InputError(
                f"{chart.place(row)} is missing: {title} has a power double on {total}; expected "
                "Y or N for each up card"
            )
        if "Y" in chart.rows[row] and f"replace {total}" not in chart.rows:
            up = next(up for up in range(len(VALUE_CLASSES)) if chart.cell(row, up) == "Y")
            raise InputError(
                f"{chart.place(row, up)}: Y, but row 'replace {total}' is missing; expected the "
                "drawn cards to replace, as 'A2-7'"
            )
