"""Effects: what every single change of a rule does to the house edge, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from rtpsim.analysis.tasks import Task, run_task, run_tasks
from rtpsim.analysis.values import USUAL, chosen, difference_bp
from rtpsim.display import html_table, no_number, signed
from rtpsim.errors import ContradictionError, InputError, suggestion
from rtpsim.games import load_game
from rtpsim.rules import Rules, written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import pandas as pd

    from rtpsim.analysis.tasks import Mapper
    from rtpsim.analysis.values import Value
    from rtpsim.games import AnyGame, Game
    from rtpsim.strategy import AnyStrategy

CHANGES: Final[Mapping[str, tuple[tuple[Any, str], ...]]] = {
    "decks": tuple((n, "one deck" if n == 1 else f"{n} decks") for n in (1, 2, 4, 5, 6, 8)),
    "soft17": (("stand", "dealer stands on soft 17"), ("hit", "dealer hits soft 17")),
    "double": (
        ("any", "double any two cards"),
        ("8-11", "double hard 8 to 11 only"),
        ("9-11", "double hard 9 to 11 only"),
        ("10-11", "double hard 10 and 11 only"),
        ("11", "double hard 11 only"),
        ("none", "no doubling"),
    ),
    "double_soft": ((True, "soft totals double as 10 less"), (False, "no soft doubles")),
    "double_any_cards": ((True, "double any number of cards"), (False, "double two cards only")),
    "double_after_split": ((True, "double after split"), (False, "no double after split")),
    "splits": (
        (0, "no splitting"),
        (1, "split once, to 2 hands"),
        (2, "split twice, to 3 hands"),
        (3, "split three times, to 4 hands"),
        ("tree", "each split hand may be split once more"),
    ),
    "split_by": (("value", "split equal values"), ("rank", "split equal ranks only")),
    "resplit_aces": ((True, "resplit aces"), (False, "no resplit of aces")),
    "hit_split_aces": ((True, "hit split aces"), (False, "one card to split aces")),
    "double_split_aces": ((True, "double split aces"), (False, "no double of split aces")),
    "surrender": (
        ("none", "no surrender"),
        ("late", "late surrender"),
        ("late-not-ace", "late surrender, not against an ace"),
        ("early", "early surrender"),
        ("early-ten", "early surrender, not against an ace"),
    ),
    "natural_pays": tuple(
        (Fraction(*odds), f"a natural pays {odds[0]} to {odds[1]}")
        for odds in ((3, 2), (7, 5), (6, 5), (1, 1), (2, 1))
    ),
    "hole_card": (
        ("peek", "dealer peeks under ace and ten"),
        ("peek-ace", "dealer peeks under the ace only"),
        ("peek-ten", "dealer peeks under the ten only"),
        ("obo", "no hole card, original bets only lost"),
        ("enhc", "no hole card, all bets lost"),
    ),
    "charlie": (
        (None, "no Charlie"),
        *(
            (n, f"{word}-card Charlie")
            for n, word in enumerate(("five", "six", "seven", "eight"), 5)
        ),
    ),
    "charlie_after_split": (
        (True, "Charlie after a split too"),
        (False, "no Charlie after a split"),
    ),
    "charlie_21_pushes": (
        (True, "Charlie of 21 pushes with 21"),
        (False, "Charlie of 21 beats a dealer 21"),
    ),
    "max_cards": ((None, "any number of cards"), (8, "a hand stands at 8 cards")),
    "hit_21": ((True, "a hand of 21 may be hit"), (False, "a hand of 21 stands")),
    "push_22": (
        ("none", "a dealer 22 is bust"),
        ("push", "a dealer 22 pushes"),
        ("push-naturals", "a dealer 22 pushes, naturals too"),
    ),
    "power_double": (
        ("none", "no power double"),
        ("9-11", "power double on 9 to 11"),
        ("9-11-soft", "power double on 9 to 11, soft too"),
        ("10-11", "power double on 10 and 11"),
    ),
    "power_split": (
        ("none", "no power split"),
        ("once", "power split"),
        ("resplit", "power split, and split again"),
    ),
    "insurance_peek": (
        (True, "insurance has the dealer check"),
        (False, "insurance has no check"),
    ),
}
"""Field of `Rules` -> the values that are tried, with what they are called in tables.

Every field is there, and of those with few values every value; of numbers those that are dealt.
"""


@dataclass(frozen=True)
class Effect:
    """What one change of a rule does.

    Attributes
    ----------
    change
        The change in words.
    field
        The field of `Rules` that is changed.
    old, new
        Its value before and after.
    rules
        The rule string after the change; empty where it contradicts the other rules.
    values
        What the changed game is worth, for each strategy.
    differences_bp
        For each strategy how much larger the house edge is than that of the base, in basis
        points of the initial wager (a hundredth of a percentage point): below 0 the change favours
        the player. None where the strategy fits one of the two games only (`Value.problem`).
    skipped
        Why the change was not valued, or empty.
    """

    change: str
    field: str
    old: Any
    new: Any
    rules: str
    values: tuple[Value, ...] = ()
    differences_bp: tuple[float | None, ...] = ()
    skipped: str = ""

    @property
    def setting(self) -> str:
        """The change as the command line writes it: ``soft17=hit``."""
        return f"{self.field}={written(self.new)}"


@dataclass(frozen=True, repr=False)
class Effects:
    """The effects of single changes of a game's rules.

    Attributes
    ----------
    game, rules
        The base: the game's id and its rule string.
    strategies
        What it is valued by.
    base
        What it is worth, for each strategy.
    rows
        The effects, rule by rule; those that were skipped among them.
    """

    game: str
    rules: str
    strategies: tuple[str, ...]
    base: tuple[Value, ...]
    rows: tuple[Effect, ...]

    @property
    def valued(self) -> tuple[Effect, ...]:
        """The effects without what was skipped."""
        return tuple(row for row in self.rows if not row.skipped)

    @property
    def skipped(self) -> tuple[Effect, ...]:
        """The changes that contradict the base's other rules."""
        return tuple(row for row in self.rows if row.skipped)

    def to_frame(self) -> pd.DataFrame:
        """Return the effects as a tidy table, a row for each change and strategy.

        Returns
        -------
        DataFrame
            ``change`` (words), ``field``, ``old``, ``new`` (text), ``rules`` (rule string),
            ``strategy``, ``played``, ``house_edge`` (of the changed game, per initial wager; NaN:
            none), ``difference_bp`` (house edge less that of the base, in basis points of the
            initial wager: below 0 favours the player), ``skipped`` (why there is no value).
        """
        import pandas as pd

        return pd.DataFrame(list(self._records()), columns=list(_COLUMNS))

    def _records(self) -> Iterator[dict[str, Any]]:
        for row in self.rows:
            said = {
                "change": row.change,
                "field": row.field,
                "old": written(row.old),
                "new": written(row.new),
                "rules": row.rules,
            }
            if row.skipped:
                yield {**said, **_NOT_VALUED, "skipped": row.skipped}
            for value, difference in zip(row.values, row.differences_bp, strict=True):
                yield {
                    **said,
                    "strategy": value.strategy,
                    "played": value.played,
                    "house_edge": no_number(value.house_edge),
                    "difference_bp": no_number(difference),
                    "skipped": value.problem,
                }

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "game": self.game,
            "rules": self.rules,
            "base": [value.to_dict() for value in self.base],
            "effects": [
                {
                    "change": row.change,
                    "field": row.field,
                    "old": written(row.old),
                    "new": written(row.new),
                    "rules": row.rules,
                    "values": [
                        {**value.to_dict(), "difference_bp": difference}
                        for value, difference in zip(row.values, row.differences_bp, strict=True)
                    ],
                    "skipped": row.skipped,
                }
                for row in self.rows
            ],
        }

    def __repr__(self) -> str:
        return (
            f"<Effects of {len(self.valued)} changes of {self.game} by "
            f"{', '.join(self.strategies)}; {len(self.skipped)} skipped>"
        )

    def _repr_html_(self) -> str:
        rows = [
            [row.change, row.setting, *(signed(one) for one in row.differences_bp)]
            for row in self.valued
        ]
        title = f"{self.game}: change of the house edge, basis points of the initial wager"
        return html_table(title, ["change", "setting", *self.strategies], rows)


_COLUMNS = (
    "change",
    "field",
    "old",
    "new",
    "rules",
    "strategy",
    "played",
    "house_edge",
    "difference_bp",
    "skipped",
)
_NOT_VALUED = {
    "strategy": "",
    "played": "",
    "house_edge": no_number(None),
    "difference_bp": no_number(None),
}


def effects(
    game: AnyGame,
    strategies: Iterable[AnyStrategy] = USUAL,
    *,
    fields: Iterable[str] | None = None,
    keep: bool = True,
    workers: int = 1,
    mapper: Mapper | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Effects:
    """Return what every single change of a rule does to the house edge, exactly.

    Every field of `Rules` is set to each other value of `CHANGES`, all else as in the base. A
    change that contradicts the base's other rules is kept as skipped, with the reason. A chart is
    played unchanged: what it cannot play (a power double without a row for it) is said in the
    values' problem.

    Parameters
    ----------
    game
        The base: a game, a name of the catalogue, a file or a rule string.
    strategies
        What it is valued by: charts, charts' names, or the best ways to play.
    fields
        The fields to change; by default all of them.
    keep
        Whether figures are kept on disk, and taken from there. New ones take about half a second
        for each change.
    workers, mapper, progress
        As in `rtpsim.analysis.tasks.run_tasks`.

    Raises
    ------
    InputError
        If there is no such game, strategy or field.

    Examples
    --------
    >>> found = effects("6D", ["default"], fields=["natural_pays"])
    >>> for row in found.rows:
    ...     print(f"{row.change}: {row.differences_bp[0]:+.1f} basis points")
    a natural pays 7 to 5: +45.3 basis points
    a natural pays 6 to 5: +136.0 basis points
    a natural pays 1 to 1: +226.6 basis points
    a natural pays 2 to 1: -226.6 basis points
    """
    base, ways = load_game(game), chosen(strategies)
    changes = list(_changes(base, _checked(fields)))
    tasks = [Task(changed, ways, keep) for _, changed in changes if changed is not None]
    before = run_task(Task(base, ways, keep))
    found = iter(run_tasks(tasks, workers=workers, mapper=mapper, progress=progress))
    rows = []
    for row, changed in changes:
        if changed is not None:
            row = _valued(row, before, next(found))
        rows.append(row)
    names = tuple(value.strategy for value in before)
    return Effects(base.id, str(base.rules), names, before, tuple(rows))


def _checked(fields: Iterable[str] | None) -> list[str]:
    """Return the fields to change, in the order of the rules."""
    wanted = list(CHANGES if fields is None else fields)
    for name in wanted:
        if name not in CHANGES:
            raise InputError(
                f"effects: unknown rule '{name}'; allowed are {', '.join(CHANGES)}"
                f"{suggestion(name, CHANGES)}"
            )
    return [name for name in Rules.model_fields if name in wanted]


def _changes(base: Game, fields: Iterable[str]) -> Iterator[tuple[Effect, Game | None]]:
    """Yield every change, with the game that it makes, if that holds together."""
    for name in fields:
        old = getattr(base.rules, name)
        for new, words in CHANGES[name]:
            if new == old:
                continue
            try:
                rules = base.rules.replace(**{name: new})
            except ContradictionError as error:
                reason = str(error).removeprefix("rules: ")
                yield Effect(words, name, old, new, "", skipped=reason), None
                continue
            changed = base.model_copy(update={"rules": rules})
            yield Effect(words, name, old, new, str(rules)), changed


def _valued(row: Effect, before: tuple[Value, ...], after: tuple[Value, ...]) -> Effect:
    """Return an effect with its values."""
    differences = tuple(difference_bp(*both) for both in zip(before, after, strict=True))
    return Effect(row.change, row.field, row.old, row.new, row.rules, after, differences)
