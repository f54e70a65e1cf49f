"""Contributions: which ways for a hand to go the return of the main game comes from."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rtpsim.cards import VALUE_CLASSES, Shoe
from rtpsim.display import html_table, percent
from rtpsim.errors import InputError
from rtpsim.program.events import Ending
from rtpsim.program.graph import Action

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import pandas as pd

    from rtpsim.exact.evaluate import Evaluation, Opening
    from rtpsim.games import Game
    from rtpsim.program.labels import Label
    from rtpsim.results import TallyLike
    from rtpsim.strategy import Chart

SPLIT, POWER_SPLIT = "split", "power-split"
DOUBLE, INSURANCE = str(Ending.DOUBLE), "insurance"

SOURCES = (*(str(ending) for ending in Ending), SPLIT, POWER_SPLIT)
"""Where a result can come from: how an initial hand went (`rtpsim.program.labels.Label.route`).

``dealer-natural`` are rounds that a dealer natural ends before the hand is played; where the dealer
takes his second card last, what his naturals take is part of the others. A doubled hand counts as
``double`` even if it is bust; the hands of a split are together one result."""


@dataclass(frozen=True)
class Contribution:
    """What one source contributes.

    Attributes
    ----------
    source
        Out of `SOURCES`, ``insurance``, or an up card.
    probability
        Of such a round; of an insured one.
    ev
        Probability times mean net, in initial wagers.
    wager
        Probability times mean total wager.
    """

    source: str
    probability: float
    ev: float
    wager: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


@dataclass(frozen=True, repr=False)
class Contributions:
    """Where the return of the main game comes from, one hand a round.

    Attributes
    ----------
    by_source
        What each source contributes, in the order of `SOURCES`, those that never happen left out.
    by_up_card
        What the rounds with each up card contribute, the ace first.
    by_both
        The same by (up card, source).
    insurance
        What insurance contributes; it is no part of the main game's return and of the sums above.
    ev, wager
        Expected net and total wager of a round without insurance: what each table adds up to.
    exact
        Whether all of it is exact, and not counted in a run.
    rounds
        Rounds of that run; 0 if exact.
    """

    by_source: tuple[Contribution, ...]
    by_up_card: tuple[Contribution, ...]
    by_both: Mapping[tuple[str, str], Contribution]
    insurance: Contribution
    ev: float
    wager: float
    exact: bool
    rounds: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "by_source": [one.to_dict() for one in self.by_source],
            "by_up_card": [one.to_dict() for one in self.by_up_card],
            "by_both": [{"up": up, **one.to_dict()} for (up, _), one in self.by_both.items()],
            "insurance": self.insurance.to_dict(),
            "ev": self.ev,
            "wager": self.wager,
            "exact": self.exact,
            "rounds": self.rounds,
        }

    def __repr__(self) -> str:
        lines = (
            f"{one.source}: {percent(one.probability)} of rounds, {1000 * one.ev:+.3f}"
            for one in self.by_source
        )
        head = f"Net result of 1,000 rounds: {1000 * self.ev:+.3f} initial wagers"
        return "\n".join([head, *lines])

    def _repr_html_(self) -> str:
        def lines(parts: Iterable[Contribution]) -> list[list[str]]:
            return [
                [
                    one.source,
                    percent(one.probability),
                    f"{one.ev / one.probability:+.4f}",
                    f"{1000 * one.ev:+.3f}",
                ]
                for one in parts
            ]

        total = ["all together", percent(1.0), f"{self.ev:+.4f}", f"{1000 * self.ev:+.3f}"]
        columns = ("share of rounds", "net each", "net of 1,000 rounds")
        return html_table(
            "Where the result comes from, by how the hand went (initial wagers)",
            ["source", *columns],
            [*lines(self.by_source), total],
        ) + html_table(
            "The same by up card", ["up card", *columns], [*lines(self.by_up_card), total]
        )

    def to_frame(self) -> pd.DataFrame:
        """Return `by_both` as a table: a row for each up card and source."""
        import pandas as pd

        return pd.DataFrame([{"up": up, **one.to_dict()} for (up, _), one in self.by_both.items()])


@dataclass
class _Sum:
    """Probability, net and wager, weighted and added up."""

    probability: float = 0.0
    net: float = 0.0
    wager: float = 0.0

    def add(self, probability: float, net: float, wager: float) -> None:
        self.probability += probability
        self.net += probability * net
        self.wager += probability * wager


_Cells = defaultdict[tuple[int, str], _Sum]


def exact_contributions(game: Game, chart: Chart) -> Contributions:
    """Return where the return comes from, exactly.

    Every label of the distribution counts where its route says. Hands of splits that are split
    again are out of the distribution's reach; their mean is exact all the same, and a split is one
    source, so that nothing is lost by it.

    Raises
    ------
    InputError
        If the chart does not fit the game.
    """
    from rtpsim.exact.distribution import distribution, in_reach
    from rtpsim.exact.evaluate import evaluation
    from rtpsim.exact.policies import ChartPolicy
    from rtpsim.strategy import check_chart

    check_chart(chart, game)
    found = evaluation(
        game.rules,
        ChartPolicy(chart, game.rules),
        Shoe.of_decks(game.rules.decks),
        insurance=game.insurance,
        even_money=game.even_money,
    )
    cells = _label_cells(distribution(found).labels, game.rules.unit, 1.0)
    for opening in found.openings:
        if not in_reach(found, opening):
            _add_split(cells, found, opening)
    insured = _Sum()
    for opening in found.openings:
        if opening.insured:
            insured.add(opening.probability, opening.insurance, 0.5)
    return _contributions(cells, insured, rounds=0)


def _add_split(cells: _Cells, found: Evaluation, opening: Opening) -> None:
    """Add a split as a whole; what a dealer natural takes before it is a source of its own."""
    route = POWER_SPLIT if opening.action is Action.POWER_SPLIT else SPLIT
    early = opening.natural_chance if found.card_of(opening).ends_early else 0.0
    chance = opening.probability
    cell = cells[opening.up, route]
    cell.probability += chance * (1.0 - early)
    cell.net += chance * (opening.worth.net + early)
    cell.wager += chance * (opening.worth.wager - early)
    if early > 0.0:
        cells[opening.up, str(Ending.DEALER_NATURAL)].add(chance * early, -1.0, 1.0)


def tally_contributions(tally: TallyLike) -> Contributions:
    """Return where the return of the first hands of a run came from.

    Raises
    ------
    InputError
        If the tally does not say how its rounds went.
    """
    if not tally.labels:
        raise InputError("contributions: this result does not say how its rounds went")
    rounds = int(tally.rounds)
    cells = _label_cells(tally.labels, tally.unit, 1.0 / rounds)
    insured = _Sum()
    for label, count in tally.labels.items():
        if label.insured:
            won = label.dealer_final == "natural"
            insured.add(count / rounds, 1.0 if won else -0.5, 0.5)
    return _contributions(cells, insured, rounds=rounds)


def _label_cells(labels: Mapping[Label, float], unit: int, weight: float) -> _Cells:
    cells: _Cells = defaultdict(_Sum)
    for label, chance in labels.items():
        cell = cells[label.up, source_of(label, unit)]
        cell.add(chance * weight, label.net / unit, label.wager / unit)
    return cells


def source_of(label: Label, unit: int) -> str:
    """Return the source that a label counts as, out of `SOURCES`."""
    doubled = label.wager > unit and label.route in (Ending.BUST, Ending.CHARLIE)
    # a power double ends with 19 and more: only ordinary ones bust
    return DOUBLE if doubled else str(label.route)


def _contributions(cells: _Cells, insured: _Sum, rounds: int) -> Contributions:
    """Add the cells up by source, by up card and over all."""
    both = {
        (VALUE_CLASSES[up], source): _named(source, [cells[up, source]])
        for up in range(len(VALUE_CLASSES))
        for source in SOURCES
        if (up, source) in cells and cells[up, source].probability > 0.0
    }

    def group(names: Iterable[str], part: Callable[[tuple[int, str]], str]) -> list[Contribution]:
        found = []
        for name in names:
            sums = [one for key, one in cells.items() if part(key) == name and one.probability > 0]
            if sums:
                found.append(_named(name, sums))
        return found

    by_source = group(SOURCES, lambda key: key[1])
    by_up_card = group(VALUE_CLASSES, lambda key: VALUE_CLASSES[key[0]])
    total = _named("", cells.values())
    return Contributions(
        tuple(by_source),
        tuple(by_up_card),
        both,
        _named(INSURANCE, [insured]),
        total.ev,
        total.wager,
        rounds == 0,
        rounds,
    )


def _named(source: str, sums: Iterable[_Sum]) -> Contribution:
    every = list(sums)
    return Contribution(
        source,
        float(sum(one.probability for one in every)),
        float(sum(one.net for one in every)),
        float(sum(one.wager for one in every)),
    )
