"""What a game is worth under several strategies: what tables of changes are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from rtpsim.errors import InputError
from rtpsim.exact.figures import exact_figures
from rtpsim.strategy import chosen_strategy, strategy_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rtpsim.games import Game
    from rtpsim.strategy import AnyStrategy, Chart

Strategies: TypeAlias = "tuple[Chart | str, ...]"
"""Ways to play, looked up (`rtpsim.strategy.chosen_strategy`)."""

USUAL = ("optimal-cd", "optimal-td", "default")
"""What changes of rules are valued by: the best play by composition (CDP), the best chart by
totals, and the game's own chart."""

BASIS_POINTS = 1e4
"""Basis points in a whole: one is a hundredth of a percentage point."""


@dataclass(frozen=True)
class Value:
    """What a game's main game is worth under one strategy, exactly.

    Attributes
    ----------
    strategy
        The strategy as it was asked for: ``optimal-cd``, ``default`` or a chart's name.
    played
        What was played: a chart's name, or ``optimal-cd (CDP)``.
    ev, mean_wager
        Expected net and total wager of a round in initial wagers; None where the strategy does
        not fit the game. Insurance is included where it shows whether the dealer has a natural
        (`rtpsim.exact.ExactResult.includes_insurance`).
    problem
        Why there is no value, or empty.
    """

    strategy: str
    played: str
    ev: float | None
    mean_wager: float | None
    problem: str = ""

    @property
    def house_edge(self) -> float | None:
        """Loss per initial wager: -`ev`."""
        return None if self.ev is None else -self.ev

    @property
    def rtp_initial(self) -> float | None:
        """Return per initial wager: 1 + `ev`."""
        return None if self.ev is None else 1.0 + self.ev

    @property
    def rtp_total(self) -> float | None:
        """Return per unit wagered in all: 1 + `ev` / `mean_wager`."""
        if self.ev is None or self.mean_wager is None:
            return None
        return 1.0 + self.ev / self.mean_wager

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        return {
            "strategy": self.strategy,
            "played": self.played,
            "ev": self.ev,
            "house_edge": self.house_edge,
            "mean_wager": self.mean_wager,
            "rtp_initial": self.rtp_initial,
            "rtp_total": self.rtp_total,
            "problem": self.problem,
        }


def chosen(strategies: Iterable[AnyStrategy]) -> Strategies:
    """Look strategies up.

    Raises
    ------
    InputError
        If there is no such strategy, none is given, or two have one name.
    """
    found = tuple(chosen_strategy(one) for one in strategies)
    names = [strategy_name(one) for one in found]
    if not names:
        raise InputError("strategies: none is given; expected one or more, as 'optimal-td'")
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"strategies: '{name}' is there twice; give one")
    return found


def value_of(game: Game, strategy: Chart | str, *, keep: bool = True) -> Value:
    """Return what a game is worth under a strategy; a `Value.problem` where that does not fit it.

    Parameters
    ----------
    game
        The game.
    strategy
        A strategy out of `chosen`.
    keep
        Whether figures are kept on disk, and taken from there.
    """
    name = strategy_name(strategy)
    try:
        figures = exact_figures(game, strategy, moments=False, keep=keep)
    except InputError as error:
        return Value(name, name, None, None, str(error))
    facts = figures.document
    return Value(name, figures.strategy, float(facts["ev"]), float(facts["mean_wager"]))


def values_of(
    game: Game, strategies: Sequence[Chart | str], *, keep: bool = True
) -> tuple[Value, ...]:
    """Return what a game is worth under each strategy: see `value_of`."""
    return tuple(value_of(game, strategy, keep=keep) for strategy in strategies)


def difference_bp(old: Value, new: Value) -> float | None:
    """Return how much larger the house edge is in `new`, in basis points of the initial wager."""
    if old.house_edge is None or new.house_edge is None:
        return None
    return BASIS_POINTS * (new.house_edge - old.house_edge)
