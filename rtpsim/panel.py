"""The rule panel: controls for a game's rules, with house edge and best chart beside them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any, Final

from rtpsim.analysis.changes import changed_cells
from rtpsim.analysis.values import BASIS_POINTS
from rtpsim.cards import Shoe
from rtpsim.display import percent, signed
from rtpsim.errors import InputError
from rtpsim.games import load_game
from rtpsim.rules import written
from rtpsim.strategy.formats import chart_html

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ipywidgets import HBox, ToggleButtons

    from rtpsim.analysis.changes import CellChange
    from rtpsim.games import AnyGame, Game
    from rtpsim.strategy import Chart

CONTROLS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "decks": ("Decks", {str(number): number for number in (1, 2, 4, 6, 8)}),
    "soft17": ("Dealer, soft 17", {"stands": "stand", "hits": "hit"}),
    "double_after_split": ("Double after split", {"yes": True, "no": False}),
    "surrender": ("Surrender", {"none": "none", "late": "late", "early": "early"}),
    "charlie": ("Charlie, cards", {"none": None, "5": 5, "6": 6, "7": 7}),
    "natural_pays": ("A natural pays", {"3:2": "3:2", "7:5": "7:5", "6:5": "6:5", "1:1": "1:1"}),
}
"""Field of `rtpsim.rules.Rules` -> the control's name, and its options: text -> value."""

LISTED: Final = 14
"""Changed cells that are listed in words; the chart outlines all of them."""


@dataclass(frozen=True)
class Solved:
    """A game with its best chart by totals.

    Attributes
    ----------
    game
        The game.
    chart
        ``optimal-td``.
    house_edge
        What the chart leaves to the house, per initial wager.
    """

    game: Game
    chart: Chart
    house_edge: float


@lru_cache(maxsize=128)
def solve_game(game: Game) -> Solved:
    """Return a game's best chart by totals, with what it leaves to the house: one solve for both.

    The last ones are remembered.
    """
    from rtpsim.exact.solver.solve import solution
    from rtpsim.exact.solver.tables import chart_rows
    from rtpsim.strategy import Chart

    shoe = Shoe.of_decks(game.rules.decks)
    found = solution(game.rules, shoe, insurance=game.insurance, even_money=game.even_money)
    rows = chart_rows(game.rules, found.columns, found.plays) | found.insurance.rows()
    return Solved(game, Chart("optimal-td", rows), -found.ev)


class RulePanel:
    """Controls for the rules of a game, with its house edge, best chart and changed cells.

    Whatever a control is set to, the game is solved anew, exactly. In a notebook the last
    expression of a cell shows the panel; where nothing can run (a page on the web) it is shown as
    it stood.

    Parameters
    ----------
    game
        The game to begin with, which all others are compared with: a game, a name of the
        catalogue, a game file or a rule string.

    Attributes
    ----------
    base, now
        The game to begin with and the one that the controls are set to, solved (`Solved`).
    problem
        Why the controls' setting makes no game (`now` is then the last one that did), or empty.

    Raises
    ------
    InputError
        If there is no such game.

    Examples
    --------
    >>> panel = RulePanel("6D")
    >>> panel.set(soft17="hit", natural_pays="6:5")
    >>> print(f"{panel.change_bp:+.1f} basis points; {len(panel.changed)} cells")
    +157.2 basis points; 3 cells
    """

    base: Solved
    now: Solved
    problem: str

    def __init__(self, game: AnyGame = "6D") -> None:
        self.base = self.now = solve_game(load_game(game))
        self.problem = ""
        self._widgets: dict[str, ToggleButtons] = {}
        self._box: HBox | None = None
        self._set_by_program = False

    @property
    def changed(self) -> tuple[CellChange, ...]:
        """The cells of the best chart that the setting changes."""
        return changed_cells(self.base.chart, self.now.chart)

    @property
    def change_bp(self) -> float:
        """Change of the house edge in basis points of the initial wager; below 0: the player's."""
        return BASIS_POINTS * (self.now.house_edge - self.base.house_edge)

    def set(self, **rules: Any) -> None:
        """Set rules by their fields' names, as the controls do.

        Raises
        ------
        InputError
            For an unknown field or a value that is not allowed, or if they contradict each other.
        """
        game = self.now.game.replace(**rules)
        self._show(game)
        self._solve(game)

    def reset(self) -> None:
        """Go back to the game to begin with."""
        self._show(self.base.game)
        self._solve(self.base.game)

    def html(self) -> str:
        """Return figures, changed cells and chart as HTML."""
        return "\n".join((self._figures(), self._cells(), self._chart()))

    def widget(self) -> HBox:
        """Return the panel as a widget; made at the first call.

        Raises
        ------
        InputError
            If ipywidgets is not installed.
        """
        if self._box is None:
            self._box = self._build()
        return self._box

    def __repr__(self) -> str:
        edge = percent(self.now.house_edge)
        return (
            f"<RulePanel: {self.now.game.rules}: house edge {edge} ({signed(self.change_bp)} bp), "
            f"{len(self.changed)} cells change>"
        )

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Show the widget; beside it the page that stands in where no widget can live."""
        shown = dict(self.widget()._repr_mimebundle_() or {})
        return {**shown, "text/plain": repr(self), "text/html": self.html()}

    # -- the widget ------------------------------------------------------------------------------

    def _build(self) -> HBox:
        try:
            import ipywidgets as widgets
        except ImportError:
            raise InputError(
                "the panel needs ipywidgets; install it: pip install 'rtpsim[notebook]'"
            ) from None
        self._figures_widget, self._chart_widget = widgets.HTML(), widgets.HTML()
        for name, (title, options) in CONTROLS.items():
            self._widgets[name] = widgets.ToggleButtons(
                options=tuple(options),
                description=title,
                style={"description_width": "9em", "button_width": "5em"},
            )
        self._show(self.now.game)
        for widget in self._widgets.values():
            widget.observe(self._turned, names="value")
        back = widgets.Button(description="Back to the start")
        back.on_click(lambda _: self.reset())
        self._redraw()
        controls = [*self._widgets.values(), back, self._figures_widget]
        # beside each other, so that controls, figures and chart are seen at once
        wraps = widgets.Layout(flex_flow="row wrap", grid_gap="2em")
        left = widgets.VBox(controls, layout=widgets.Layout(width="29em"))
        self._chart_widget.layout.flex = "1 1 24em"
        return widgets.HBox([left, self._chart_widget], layout=wraps)

    def _turned(self, _: Any) -> None:
        """Follow the controls; a setting that contradicts itself is said, not raised."""
        if self._set_by_program:
            return
        settings = {}
        for name, widget in self._widgets.items():
            settings[name] = CONTROLS[name][1].get(widget.value, widget.value)
        try:
            game = self.base.game.replace(**settings)
        except InputError as error:
            self.problem = str(error)
            self._redraw()
            return
        self._solve(game)

    def _show(self, game: Game) -> None:
        """Set the controls to a game's rules: all at once, without solving what lies between."""
        self._set_by_program = True
        try:
            for name, widget in self._widgets.items():
                own = _option(game, name)
                if own not in widget.options:
                    widget.options = (*widget.options, own)
                widget.value = own
        finally:
            self._set_by_program = False

    def _solve(self, game: Game) -> None:
        self.now, self.problem = solve_game(game), ""
        self._redraw()

    def _redraw(self) -> None:
        if self._widgets:
            self._figures_widget.value = _close_set(self._figures() + self._cells())
            self._chart_widget.value = _close_set(self._chart())

    # -- what it shows ---------------------------------------------------------------------------

    def _figures(self) -> str:
        lines = [
            f"<p><b>House edge {percent(self.now.house_edge)}</b> of the initial wager by the best "
            f"chart ({signed(self.change_bp)} basis points from the start)<br>",
            f"<code>{escape(str(self.now.game.rules))}</code></p>",
        ]
        if self.problem:
            lines.append(f"<p><b>Not possible:</b> {escape(self.problem)}</p>")
        return "".join(lines)

    def _cells(self) -> str:
        changed = self.changed
        if not changed:
            return "<p>No cell of the chart changes.</p>"
        said = "; ".join(f"{c.row} v {c.up}: {c.old} → {c.new}" for c in changed[:LISTED])
        more = f"; and {len(changed) - LISTED} more" if len(changed) > LISTED else ""
        number = "One cell changes" if len(changed) == 1 else f"{len(changed)} cells change"
        return f"<p>{number}, outlined in the chart: {escape(said)}{more}.</p>"

    def _chart(self) -> str:
        return chart_html(self.now.chart, {(cell.row, cell.up) for cell in self.changed})


def _close_set(html: str) -> str:
    """Set lines as close as text is, and not as far apart as controls are."""
    return f'<div style="line-height:1.35">{html}</div>'


def _value(game: Game, name: str) -> Any:
    return getattr(game.rules, name)


def _option(game: Game, name: str) -> str:
    """Return the text of the option that a game has; a value that is none of them is written."""
    own = written(_value(game, name))
    for text, value in CONTROLS[name][1].items():
        if written(value) == own:
            return text
    return own
