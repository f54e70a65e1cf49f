"""Sweeps: a game under every combination of varied rules, exactly."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtpsim.analysis.tasks import Task, run_tasks
from rtpsim.analysis.values import USUAL, chosen
from rtpsim.display import html_table, no_number, percent
from rtpsim.errors import ContradictionError, InputError
from rtpsim.files import write_whole
from rtpsim.games import load_game
from rtpsim.rules import written
from rtpsim.strategy import strategy_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    import pandas as pd

    from rtpsim.analysis.tasks import Mapper, Values
    from rtpsim.games import AnyGame, Game
    from rtpsim.strategy import AnyStrategy

MOST = 10_000
"""Combinations that are tried: more are a slip, and would take hours."""


@dataclass(frozen=True)
class SweepRow:
    """A game under one combination of varied rules.

    Attributes
    ----------
    settings
        The combination: a rule's or reading's name -> its value as it was given.
    rules
        The rule string; empty where the combination contradicts itself.
    values
        What the game is worth, for each strategy.
    problem
        Why it was not valued, or empty.
    """

    settings: Mapping[str, Any]
    rules: str
    values: Values = ()
    problem: str = ""


@dataclass(frozen=True, repr=False)
class Sweep:
    """A game under every combination of varied rules.

    Attributes
    ----------
    game, rules
        The base: the game's id and its rule string.
    varied
        What was varied, with its values.
    strategies
        What the combinations are valued by.
    rows
        The combinations, the last name varying fastest; those that contradict themselves too.
    """

    game: str
    rules: str
    varied: Mapping[str, tuple[Any, ...]]
    strategies: tuple[str, ...]
    rows: tuple[SweepRow, ...]

    @property
    def problems(self) -> tuple[SweepRow, ...]:
        """The combinations that contradict themselves."""
        return tuple(row for row in self.rows if row.problem)

    def to_frame(self, strategy: str | None = None) -> pd.DataFrame:
        """Return the combinations as a tidy table, a row for each one and each strategy.

        Parameters
        ----------
        strategy
            Return the rows of this strategy alone, without what could not be valued: what a plot
            takes.

        Returns
        -------
        DataFrame
            A column for each name that is varied; ``strategy``; ``house_edge``, ``rtp_initial``
            (per initial wager), ``rtp_total`` (per unit wagered), ``ev`` and ``mean_wager`` (of a
            round, in initial wagers), NaN where there is no figure; ``played``, ``rules`` (rule
            string), ``problem`` (why there is no figure).

        Raises
        ------
        InputError
            If the sweep has no such strategy.
        """
        import pandas as pd

        if strategy is not None and strategy not in self.strategies:
            raise InputError(
                f"strategy '{strategy}': the sweep has {', '.join(self.strategies)} only"
            )
        frame = pd.DataFrame(list(self._records()), columns=[*self.varied, *_FIGURES, *_FACTS])
        if strategy is None:
            return frame
        valued = (frame["strategy"] == strategy) & frame["house_edge"].notna()
        return frame[valued].reset_index(drop=True)

    def _records(self) -> Iterator[dict[str, Any]]:
        for row in self.rows:
            settings = {name: _plain(value) for name, value in row.settings.items()}
            for number, strategy in enumerate(self.strategies):
                value = row.values[number] if row.values else None
                yield {
                    **settings,
                    "strategy": strategy,
                    **{name: no_number(getattr(value, name, None)) for name in _FIGURES[1:]},
                    "played": value.played if value else "",
                    "rules": row.rules,
                    "problem": row.problem or (value.problem if value else ""),
                }

    def to_csv(self, path: str | Path) -> None:
        """Write `to_frame` as CSV, whole or not at all.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        try:
            frame = self.to_frame()
            write_whole(path, lambda part: frame.to_csv(part, index=False, lineterminator="\n"))
        except OSError as error:
            raise InputError(f"{path}: cannot be written ({error.strerror or error})") from None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "game": self.game,
            "rules": self.rules,
            "varied": {name: [*map(_plain, values)] for name, values in self.varied.items()},
            "rows": [
                {
                    "settings": {name: _plain(value) for name, value in row.settings.items()},
                    "rules": row.rules,
                    "values": [value.to_dict() for value in row.values],
                    "problem": row.problem,
                }
                for row in self.rows
            ],
        }

    def __repr__(self) -> str:
        varied = " x ".join(f"{name} ({len(values)})" for name, values in self.varied.items())
        return (
            f"<Sweep of {self.game} over {varied} by {', '.join(self.strategies)}; "
            f"{len(self.problems)} of {len(self.rows)} combinations contradict themselves>"
        )

    def _repr_html_(self) -> str:
        rows = [
            [
                *(written(value) for value in row.settings.values()),
                *(percent(value.house_edge) for value in row.values),
                *[""] * (0 if row.values else len(self.strategies)),
            ]
            for row in self.rows
        ]
        return html_table(
            f"{self.game}: house edge on the initial wager", [*self.varied, *self.strategies], rows
        )


_FIGURES = ("strategy", "house_edge", "rtp_initial", "rtp_total", "ev", "mean_wager")
_FACTS = ("played", "rules", "problem")


def sweep(
    game: AnyGame,
    varied: Mapping[str, Sequence[Any]],
    strategies: Iterable[AnyStrategy] = USUAL,
    *,
    keep: bool = True,
    workers: int = 1,
    mapper: Mapper | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Sweep:
    """Value a game under every combination of varied rules, exactly.

    Parameters
    ----------
    game
        The base: a game, a name of the catalogue, a game file or a rule string.
    varied
        Field of the rules, or reading of the game -> the values to try, as Python values or text.
    strategies
        What it is valued by: charts, charts' names or files, ``default``, ``optimal-td``,
        ``optimal-2c``, ``optimal-cd`` (CDP).
    keep
        Whether exact figures are kept on disk, and taken from there.
    workers, mapper, progress
        As in `rtpsim.analysis.tasks.run_tasks`.

    Returns
    -------
    Sweep
        A row for each combination; house edges and returns are ratios (0.0041). A combination
        that contradicts itself is one of them, with the reason in `SweepRow.problem`.

    Raises
    ------
    InputError
        If there is no such game, strategy or rule, or a value is not allowed in any combination.

    Examples
    --------
    >>> found = sweep("6D", {"decks": [1, 6], "soft17": ["stand", "hit"]}, ["default"])
    >>> print(found.to_frame()[["decks", "soft17", "house_edge"]].round(6).to_string(index=False))
     decks soft17  house_edge
         1  stand   -0.000837
         1    hit    0.001143
         6  stand    0.004599
         6    hit    0.006762
    """
    base, ways = load_game(game), chosen(strategies)
    values = {name: _several(name, given) for name, given in varied.items()}
    if not values:
        raise InputError("sweep: nothing is varied; expected a rule with its values, as decks=1,2")
    combinations = _combinations(base, values)
    tasks = [Task(changed, ways, keep) for _, changed in combinations if changed is not None]
    found = iter(run_tasks(tasks, workers=workers, mapper=mapper, progress=progress))
    rows = [
        row if changed is None else SweepRow(row.settings, row.rules, next(found))
        for row, changed in combinations
    ]
    names = tuple(map(strategy_name, ways))
    return Sweep(base.id, str(base.rules), values, names, tuple(rows))


def _several(name: str, given: Any) -> tuple[Any, ...]:
    """Return the values of one name; a single one will do."""
    if isinstance(given, str) or not isinstance(given, Sequence):
        given = list(given) if isinstance(given, range) else [given]
    if not given:
        raise InputError(f"sweep: {name} has no values; expected one or more, as decks=1,2")
    seen: set[str] = set()
    for text in map(written, given):
        if text in seen:
            raise InputError(f"sweep: {name} = {text} is there twice; give one")
        seen.add(text)
    return tuple(given)


def _combinations(
    base: Game, values: Mapping[str, tuple[Any, ...]]
) -> list[tuple[SweepRow, Game | None]]:
    """Return every combination, with the game that it makes, if that holds together."""
    number = 1
    for one in values.values():
        number *= len(one)
    if number > MOST:
        raise InputError(f"sweep: {number} combinations; allowed are {MOST}")
    found: list[tuple[SweepRow, Game | None]] = []
    for combination in itertools.product(*values.values()):
        settings = dict(zip(values, combination, strict=True))
        try:
            changed = base.replace(**settings)
        except ContradictionError as error:
            problem = str(error).removeprefix("rules: ")
            found.append((SweepRow(settings, "", problem=problem), None))
            continue
        found.append((SweepRow(settings, str(changed.rules)), changed))
    return found


def _plain(value: Any) -> Any:
    """Return a value as frames and JSON hold it: numbers and truth as they are, else text."""
    return value if isinstance(value, bool | int) else written(value)
