"""Readings: every way to read a game's rules, by every chart, beside the figures in print."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtpsim.cards import Shoe
from rtpsim.errors import InputError
from rtpsim.exact.figures import ExactFigures, exact_figures
from rtpsim.games import MAIN, load_game
from rtpsim.games.paytables import alternative_paytables
from rtpsim.games.printed import prints_as
from rtpsim.sidebets import exact_rtp
from rtpsim.verification.published import bears_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pandas as pd

    from rtpsim.games import AnyGame, Game, Quoted, Reading

BASES = ("total", "initial")
CHARTS = ("default", "optimal-td", "optimal-cd")
"""The ways to play that are tried: the game's own, published-style chart and the best play."""


@dataclass(frozen=True)
class Cell:
    """A main game under one reading by one chart.

    Attributes
    ----------
    options
        Reading -> option.
    chart, strategy
        Out of `CHARTS`; its name.
    ev, mean_wager
        Per initial wager. Where the dealer checks once insurance is taken, and it is, the
        insurance is included (`insured`).
    insured
        Whether the insurance bet is included.
    marks
        Base -> the figures, published or quoted, that its return or house edge prints as.
    """

    options: dict[str, str]
    chart: str
    strategy: str
    ev: float
    mean_wager: float
    insured: bool
    marks: dict[str, tuple[str, ...]]

    def rtp(self, base: str) -> float:
        """Return the return on the ``total`` or the ``initial`` wager."""
        return 1.0 + (self.ev / self.mean_wager if base == "total" else self.ev)


def main_readings(game: Game) -> list[Reading]:
    """Return the readings that bear on the main game."""
    return [reading for reading in game.readings if bears_on(reading, MAIN)]


def combinations(game: Game) -> Iterator[tuple[dict[str, str], Game]]:
    """Yield every combination of readings of the main game, the default first, with its game.

    Combinations that contradict each other are left out.
    """
    found = main_readings(game)
    ordered = [[one.default, *(o for o in one.options if o != one.default)] for one in found]
    for chosen in itertools.product(*ordered):
        options = {reading.id: option for reading, option in zip(found, chosen, strict=True)}
        try:
            yield options, game.with_settings(options) if options else game
        except InputError:
            continue


def cells(
    game: Game,
    charts: Sequence[str] = CHARTS,
    *,
    keep: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> list[Cell]:
    """Value every combination of readings by every chart.

    Parameters
    ----------
    game
        The game.
    charts
        Strategies, as `rtpsim.exact.exact` takes them.
    keep
        Whether figures are kept on disk, and taken from there.
    progress
        Called with the number of cells done, and of all.
    """
    tried = list(combinations(game))
    found: list[Cell] = []
    for options, read in tried:
        for chart in charts:
            figures = exact_figures(read, chart, moments=False, keep=keep)
            found.append(_cell(read, options, chart, figures))
            if progress is not None:
                progress(len(found), len(tried) * len(charts))
    return found


def _cell(game: Game, options: dict[str, str], chart: str, figures: ExactFigures) -> Cell:
    facts = figures.document
    ev, wager, insured = facts["ev"], facts["mean_wager"], facts["includes_insurance"]
    made = Cell(options, chart, figures.strategy, ev, wager, insured, {})
    marks = {base: tuple(_marks(game, made.rtp(base))) for base in BASES}
    return Cell(options, chart, figures.strategy, ev, wager, insured, marks)


def _marks(game: Game, rtp: float) -> Iterator[str]:
    """Yield the figures of the main game, published or quoted, that a return prints as."""
    published = game.published_for(MAIN)
    if published is not None and published.prints(rtp):
        yield f"published {published.rtp}"
    for quote in game.quoted:
        if quote.wager == MAIN and _prints(quote, rtp):
            yield quoted_name(quote)


def _prints(quote: Quoted, rtp: float) -> bool:
    value = rtp if quote.figure == "rtp" else 1.0 - rtp
    return value >= 0.0 and prints_as(value, quote.value)


def quoted_name(quote: Quoted) -> str:
    """Return how a quoted figure is called: ``quoted 99.91``, ``quoted edge 0.13``."""
    return f"quoted {quote.value}" if quote.figure == "rtp" else f"quoted edge {quote.value}"


def readings(
    game: AnyGame,
    charts: Sequence[str] = CHARTS,
    *,
    keep: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:
    """Return every combination of readings by every chart as a table.

    Parameters
    ----------
    game
        A game, a name of the catalogue, a game file or a rule string.
    charts, keep, progress
        As in `cells`.

    Returns
    -------
    DataFrame
        A column for each reading of the main game, then ``chart``, ``strategy``, ``ev``,
        ``mean_wager``, ``insured``, and for each base ``rtp_total``, ``rtp_initial`` (ratios)
        and ``marks_total``, ``marks_initial`` (the figures that they print as; empty: none). Nets
        and wagers are in initial wagers.

    Raises
    ------
    InputError
        If there is no such game, or a chart does not fit it.

    Examples
    --------
    >>> table = readings("signature-surrender", ["default"])
    >>> print(table[["surrender-vs-ace", "rtp_total", "marks_total"]].to_string(index=False))
    surrender-vs-ace  rtp_total     marks_total
             allowed   0.996349 published 99.63
                 not   0.996305 published 99.63
    """
    return to_frame(cells(load_game(game), charts, keep=keep, progress=progress))


def to_frame(found: Sequence[Cell]) -> pd.DataFrame:
    """Return cells as the table of `readings`."""
    import pandas as pd

    return pd.DataFrame([{**one.options, **_figures(one)} for one in found])


def to_dict(game: Game, found: Sequence[Cell]) -> dict[str, Any]:
    """Return cells, side bets and what follows from them as JSON values."""
    published = game.published_for(MAIN)
    return {
        "game": game.id,
        "rules": str(game.rules),
        "published": None if published is None else published.rtp,
        "base": None if published is None else published.base,
        "quoted": [quoted_name(quote) for quote in game.quoted if quote.wager == MAIN],
        "main": [{"readings": one.options, **_figures(one)} for one in found],
        "side_bets": side_bet_readings(game),
        "paytables": paytables(game),
    }


def _figures(cell: Cell) -> dict[str, Any]:
    return {
        "chart": cell.chart,
        "strategy": cell.strategy,
        "ev": cell.ev,
        "mean_wager": cell.mean_wager,
        "insured": cell.insured,
        **{f"rtp_{base}": cell.rtp(base) for base in BASES},
        **{f"marks_{base}": ", ".join(cell.marks[base]) for base in BASES},
    }


def side_bet_readings(game: Game) -> list[dict[str, Any]]:
    """Return what each side bet returns under each option of the readings that bear on it."""
    found = []
    for bet in game.side_bets:
        published = game.published_for(bet.id)
        for reading in game.readings:
            if not any(name.startswith(f"side_bets.{bet.id}.") for name in reading.names()):
                continue
            for option in reading.options:
                other = game.with_settings({reading.id: option})
                rtp = exact_rtp(other.side_bet(bet.id), Shoe.of_decks(other.rules.decks))
                found.append(
                    {
                        "bet": bet.id,
                        "reading": reading.id,
                        "option": option,
                        "default": option == reading.default,
                        "rtp": float(rtp),
                        "fraction": str(rtp),
                        "published": None if published is None else published.rtp,
                        "prints": published is not None and published.prints(rtp),
                    }
                )
    return found


def paytables(game: Game) -> list[dict[str, Any]]:
    """Return the whole-number paytables that give the figure of a bet whose own is not printed.

    Tables are those of `alternative_paytables`: payouts as the trade uses them, falling from
    outcome to outcome; the nearest to the table in force first.
    """
    found = []
    shoe = Shoe.of_decks(game.rules.decks)
    for bet in game.side_bets:
        published = game.published_for(bet.id)
        if bet.inferred and published is not None:
            tables = alternative_paytables(bet, shoe, published.rtp, rounding=published.rounding)
            found.append(
                {
                    "bet": bet.id,
                    "published": published.rtp,
                    "in_force": dict(bet.pays),
                    "tables": tables,
                }
            )
    return found
