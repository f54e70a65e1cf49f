"""Habits: what players commonly do instead of playing well, as charts, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtpsim.analysis.charts import letter_meant
from rtpsim.display import html_table, percent
from rtpsim.exact.figures import ExactFigures, exact_figures
from rtpsim.games import load_game
from rtpsim.strategy import COLUMNS, ROWS, Chart, default_chart, read_chart
from rtpsim.strategy.checks import POWER_DOUBLED
from rtpsim.strategy.notation import NO_CARDS, REQUIRED, total_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from rtpsim.games import AnyGame, Game
    from rtpsim.rules import Rules

_POWER = ("power split", "power double", "replace")


def mimic_the_dealer(rules: Rules) -> Chart:
    """Return the chart of a player who draws as the dealer does, and does nothing else."""
    soft_stand = 17 if rules.soft17 == "stand" else 18

    def letter(label: str) -> str:
        row = ROWS[label]
        return "S" if row.total >= (soft_stand if row.soft else 17) else "H"

    rows = {label: (letter(label),) * len(COLUMNS) for label in REQUIRED}
    return Chart("mimic the dealer", rows | _no_power_moves(rules))


def never_bust(chart: Chart) -> Chart:
    """Return a chart that stands on hard 12 and more instead of hitting; the rest as before."""

    def letter(label: str, cell: str) -> str:
        row = ROWS[label]
        if row.kind in _POWER or row.kind == "insurance" or row.soft or row.total < 12:
            return cell
        return {"H": "S", "Dh": "Ds", "Rh": "Rs", "Ph": "P", "Pd": "P"}.get(cell, cell)

    return _changed("never bust", chart, letter)


def no_doubling(chart: Chart) -> Chart:
    """Return a chart that hits or stands where it would double, power doubles included."""

    def letter(label: str, cell: str) -> str:
        if ROWS[label].kind == "power double":
            return "N"
        return {"Dh": "H", "Ds": "S", "Pd": "Ph"}.get(cell, cell)

    return _changed("no doubling", chart, letter)


def no_splitting(chart: Chart) -> Chart:
    """Return a chart that plays pairs as their totals, without power splits."""
    rows = {}
    for label, cells in chart.rows.items():
        row = ROWS[label]
        if row.kind == "power split":
            cells = ("N",) * len(COLUMNS)
        elif row.is_pair and row.kind in ("pair", "two-card"):
            total, soft = total_of(*row.cards)
            usual = f"{'soft' if soft else 'hard'} {total}"
            cells = tuple(
                letter_meant(chart, usual, up) if cell in ("P", "Ph", "Pd", "Rp") else cell
                for up, cell in zip(COLUMNS, cells, strict=True)
            )
        rows[label] = cells
    return Chart("no splitting", rows, chart.provenance)


def always_insure(chart: Chart) -> Chart:
    """Return a chart that always takes insurance, and even money."""
    yes = ("N",) * (len(COLUMNS) - 1) + ("Y",)
    rows = {
        label: yes if ROWS[label].kind == "insurance" else cells
        for label, cells in chart.rows.items()
    }
    return Chart("always insure", rows, chart.provenance)


def ordinary(rules: Rules) -> Chart:
    """Return the ordinary published chart.

    It knows no power moves: where there is a power double it is made where the chart doubles, and
    the third card kept; there are no power splits.
    """
    chart = read_chart("ordinary")
    rows = dict(chart.rows) | _no_power_moves(rules)
    for total in POWER_DOUBLED[rules.power_double]:
        doubled = tuple("Y" if cell[0] == "D" else "N" for cell in chart.rows[total])
        rows[f"power double {total}"] = doubled
    return Chart(chart.name, rows, chart.provenance)


def _no_power_moves(rules: Rules) -> dict[str, tuple[str, ...]]:
    rows = {}
    for total in POWER_DOUBLED[rules.power_double]:
        rows[f"power double {total}"] = ("N",) * len(COLUMNS)
        rows[f"replace {total}"] = (NO_CARDS,) * len(COLUMNS)
    return rows


def _changed(name: str, chart: Chart, letter: Callable[[str, str], str]) -> Chart:
    rows = {
        label: tuple(letter(label, cell) for cell in cells) for label, cells in chart.rows.items()
    }
    return Chart(name, rows, chart.provenance)


@dataclass(frozen=True)
class Habit:
    """What a way to play returns in a game.

    Attributes
    ----------
    name, what
        Its name, and what it does in a few words.
    net, wager
        Expected net and total wager of a round in initial wagers, insurance included where it is
        taken.
    best_net
        The same of the best play, ``optimal-cd``.
    """

    name: str
    what: str
    net: float
    wager: float
    best_net: float

    @property
    def rtp_initial(self) -> float:
        """Return per initial wager."""
        return 1.0 + self.net

    @property
    def rtp_total(self) -> float:
        """Return per unit wagered in all."""
        return 1.0 + self.net / self.wager

    @property
    def lost_per_1000(self) -> float:
        """Expected loss in 1,000 rounds, in initial wagers."""
        return -1000 * self.net

    @property
    def cost_per_1000(self) -> float:
        """How much more that is than the best play's loss."""
        return 1000 * (self.best_net - self.net)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        names = ("rtp_initial", "rtp_total", "lost_per_1000", "cost_per_1000")
        return {
            "habit": self.name,
            "what": self.what,
            "net": self.net,
            "wager": self.wager,
            **{name: getattr(self, name) for name in names},
        }


@dataclass(frozen=True)
class Ranking:
    """Ways to play a game, the best first.

    Attributes
    ----------
    game, rules
        The game.
    habits
        The ways to play.
    """

    game: str
    rules: str
    habits: tuple[Habit, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each way to play: the fields of `Habit.to_dict`."""
        import pandas as pd

        return pd.DataFrame([habit.to_dict() for habit in self.habits])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        habits = [habit.to_dict() for habit in self.habits]
        return {"game": self.game, "rules": self.rules, "habits": habits}

    def __repr__(self) -> str:
        lines = [
            f"{habit.name}: {percent(habit.rtp_initial)} of the initial bet, "
            f"{percent(habit.rtp_total)} of the total, costs {habit.cost_per_1000:.3f} "
            "in 1,000 rounds"
            for habit in self.habits
        ]
        return "\n".join([f"Ways to play {self.game}", *lines])

    def _repr_html_(self) -> str:
        columns = (
            "way to play",
            "RTP, initial bet",
            "RTP, total wager",
            "lost in 1,000 rounds",
            "more than the best play",
        )
        rows = [
            (
                habit.name,
                percent(habit.rtp_initial),
                percent(habit.rtp_total),
                f"{habit.lost_per_1000:.3f}",
                f"{habit.cost_per_1000:.3f}",
            )
            for habit in self.habits
        ]
        title = f"Ways to play {self.game} (losses in initial wagers)"
        return html_table(title, columns, rows)


def habits(game: Game) -> dict[str, tuple[Chart | str, str]]:
    """Return the ways to play that `rank` ranks, each with what it does in a few words.

    The habits are changes of the game's own chart, `mimic_the_dealer` and `ordinary` apart.
    """
    own, rules = default_chart(game), game.rules
    ways: dict[str, tuple[Chart | str, str]] = {
        "optimal-cd": ("optimal-cd", "the best play by composition"),
        "optimal-td": ("optimal-td", "the best chart by totals"),
        own.name: (own, "the game's own chart"),
    }
    if own.name != "ordinary":
        ways["ordinary"] = ordinary(rules), "the ordinary published chart"
    for chart, what in (
        (no_doubling(own), "the game's chart without doubles"),
        (no_splitting(own), "the game's chart without splits"),
        (never_bust(own), "the game's chart, but stands on hard 12 and more"),
        (mimic_the_dealer(rules), "draws as the dealer does, no double, no split"),
    ):
        ways[chart.name] = chart, what
    if game.insurance:
        ways["always insure"] = always_insure(own), "the game's chart with every insurance"
    return ways


def rank(game: AnyGame) -> Ranking:
    """Return what common ways to play a game return, the best first.

    Parameters
    ----------
    game
        The game: a `Game`, its name or file, or a rule string.

    Returns
    -------
    Ranking
        Of each way the returns on either base as ratios, and losses in initial wagers.

    Raises
    ------
    InputError
        If there is no such game, or it has no chart.

    Examples
    --------
    >>> rank("classic-blackjack").habits[0].name
    'optimal-cd'
    """
    game = load_game(game)
    found = {
        name: (what, exact_figures(game, way, moments=False))
        for name, (way, what) in habits(game).items()
    }
    best = _net(found["optimal-cd"][1])
    ranked = [
        Habit(name, what, _net(figures), figures.main_wager + figures.insurance[1], best)
        for name, (what, figures) in found.items()
    ]
    ranked.sort(key=lambda habit: -habit.net)
    return Ranking(game.id, str(game.rules), tuple(ranked))


def _net(figures: ExactFigures) -> float:
    return figures.main_net + figures.insurance[0]
