"""Exact results: what a game returns under a strategy, to the last digit."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rtpsim.cards import VALUE_CLASSES, Shoe
from rtpsim.display import html_table, main_figure
from rtpsim.errors import InputError, suggestion
from rtpsim.exact.distribution import Distribution, distribution, in_reach
from rtpsim.exact.evaluate import Evaluation, Opening, evaluation
from rtpsim.exact.moments import Moments, moments_of
from rtpsim.exact.policies import ChartPolicy, OptimalPolicy, Policy
from rtpsim.exact.squares import split_square
from rtpsim.games import load_game
from rtpsim.sidebets import exact_counts, exact_rtp
from rtpsim.strategy import Chart, check_chart, chosen_strategy, default_chart

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from rtpsim.games import AnyGame, Game
    from rtpsim.strategy import AnyStrategy

SPLIT_MODELS = ("CDP", "CDZ-")
RESPLITS = {
    "forced": "every further pair is split while hands remain",
    "best": "further pairs are split as often as brings most",
}
_OUT_OF_REACH = (
    "hands of a split are split again: mean, wager and, for a chart, variance are exact, the "
    "joint distribution is out of reach"
)


@dataclass(frozen=True, repr=False)
class ExactResult:
    """What a game returns under a strategy, exactly; one hand a round.

    Attributes
    ----------
    game
        The game.
    strategy
        Name of the strategy.
    split_model
        How hands of a split are played: ``chart`` (as the chart says), ``CDP`` or ``CDZ-``.
    main_net, main_wager
        Expected net and total wager of the main game without insurance, in initial wagers.
    insurance_net, insurance_wager
        Expected net and wager of the insurance.
    openings
        Every initial hand against every up card.
    variance
        Of the net of a round without insurance, in squared initial wagers; None where it was not
        asked for or is out of reach (hands of a split played by how often it was split).
    moments
        The distribution, or None where it was not asked for or is out of reach.
    note
        What is exact, and under which model.
    seconds
        How long it took.
    """

    game: Game
    strategy: str
    split_model: str
    main_net: float
    main_wager: float
    insurance_net: float
    insurance_wager: float
    openings: tuple[Opening, ...]
    variance: float | None
    moments: Moments | None
    note: str
    seconds: float

    def __repr__(self) -> str:
        return (
            f"<ExactResult: {self.game.id}, {self.strategy}: house edge {-100 * self.ev:.6f} %, "
            f"rtp_total {100 * self.rtp_total:.6f} %, rtp_initial {100 * self.rtp_initial:.6f} %>"
        )

    def _repr_html_(self) -> str:
        return html_table(
            f"{self.game.id}, {self.strategy}: {self.game.rules}",
            ["main game, exactly", "figure"],
            [
                main_figure(name, value, 9, in_percent=9)
                for name, value in self._figures()
                if value is not None
            ],
        )

    def _figures(self) -> list[tuple[str, float | None]]:
        return [
            ("rtp_total", self.rtp_total),
            ("rtp_initial", self.rtp_initial),
            ("house_edge", -self.ev),
            ("element_of_risk", 1.0 - self.rtp_total),
            ("mean_wager", self.mean_wager),
            ("sd", self.sd),
        ]

    @property
    def includes_insurance(self) -> bool:
        """Whether `ev` and `mean_wager` include the insurance bet.

        They do where insurance shows whether the dealer has a natural (`Rules.insurance_peek`)
        and the strategy takes it: the bet and the play of the hand are then one decision.
        """
        return self.game.rules.insurance_peek and self.insurance_wager > 0.0

    @property
    def ev(self) -> float:
        """Expected net of a round, in initial wagers; see `includes_insurance`."""
        return self.main_net + (self.insurance_net if self.includes_insurance else 0.0)

    @property
    def mean_wager(self) -> float:
        """Expected total wager of a round, in initial wagers; see `includes_insurance`."""
        return self.main_wager + (self.insurance_wager if self.includes_insurance else 0.0)

    @property
    def rtp_initial(self) -> float:
        """Return per initial wager: 1 + `ev`."""
        return 1.0 + self.ev

    @property
    def rtp_total(self) -> float:
        """Return per unit wagered in all: 1 + `ev` / `mean_wager`."""
        return 1.0 + self.ev / self.mean_wager

    @property
    def sd(self) -> float | None:
        """Standard deviation of the net of a round, in initial wagers."""
        return None if self.variance is None else float(self.variance**0.5)

    def by_up_card(self) -> list[dict[str, Any]]:
        """Return probability, mean net and mean wager given each up card, ace first."""
        found = []
        for up in sorted({opening.up for opening in self.openings}):
            dealt = [opening for opening in self.openings if opening.up == up]
            chance = sum(opening.probability for opening in dealt)
            found.append(
                {
                    "up": VALUE_CLASSES[up],
                    "probability": chance,
                    "ev": sum(o.probability * self._net(o) for o in dealt) / chance,
                    "mean_wager": sum(o.probability * self._wager(o) for o in dealt) / chance,
                }
            )
        return found

    def by_hand(self) -> list[dict[str, Any]]:
        """Return every initial hand against every up card: probability, action, net and wager.

        Pairs of tens told apart by rank are a line of their own (``pair``).
        """
        return [
            {
                "cards": VALUE_CLASSES[opening.first] + VALUE_CLASSES[opening.second],
                "pair": opening.pair,
                "up": VALUE_CLASSES[opening.up],
                "probability": opening.probability,
                "action": None if opening.action is None else str(opening.action),
                "insured": opening.insured,
                "ev": self._net(opening),
                "wager": self._wager(opening),
            }
            for opening in self.openings
        ]

    def to_frame(self) -> pd.DataFrame:
        """Return every initial hand against every up card as a tidy table.

        Returns
        -------
        DataFrame
            The keys of `by_hand` as columns: ``cards`` (two value classes, as ``88``), ``pair``
            (may be split), ``up``, ``probability``, ``action`` (None: a natural, nothing is
            decided), ``insured``, ``ev`` and ``wager`` (expected net and total wager of the round
            given this deal, in initial wagers). ``ev`` weighted by ``probability`` sums to `ev`.
        """
        import pandas as pd

        return pd.DataFrame(self.by_hand())

    def _net(self, opening: Opening) -> float:
        return opening.worth.net + (opening.insurance if self.includes_insurance else 0.0)

    def _wager(self, opening: Opening) -> float:
        insurance = _insurance_wager(opening) if self.includes_insurance else 0.0
        return opening.worth.wager + insurance

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        moments = self.moments
        return {
            "game": self.game.id,
            "rules": str(self.game.rules),
            "strategy": self.strategy,
            "split_model": self.split_model,
            "note": self.note,
            "unit": f"1/{self.game.rules.unit}",
            "ev": self.ev,
            "house_edge": -self.ev,
            "element_of_risk": -self.ev / self.mean_wager,
            "mean_wager": self.mean_wager,
            "rtp_initial": self.rtp_initial,
            "rtp_total": self.rtp_total,
            "includes_insurance": self.includes_insurance,
            "main": {"net": self.main_net, "wager": self.main_wager},
            "insurance": {"net": self.insurance_net, "wager": self.insurance_wager},
            "variance": self.variance,
            "sd": self.sd,
            "third_central_moment": moments.third if moments else None,
            "fourth_central_moment": moments.fourth if moments else None,
            "hit_frequency": moments.hit_frequency if moments else None,
            "by_up_card": self.by_up_card(),
            "by_hand": self.by_hand(),
            "outcomes": [
                {"net": net, "wager": wager, "probability": chance}
                for (net, wager), chance in moments.outcomes.items()
            ]
            if moments
            else None,
            "simulated": None,
            "bets": _bets(self.game),
            "seconds": self.seconds,
        }


def exact(
    game: AnyGame,
    strategy: AnyStrategy = "default",
    *,
    split_model: str = "CDP",
    resplits: str = "forced",
    moments: bool = True,
) -> ExactResult:
    """Return what a game returns under a strategy, exactly.

    Parameters
    ----------
    game
        A game, a name of the catalogue, a game file or a rule string.
    strategy
        A chart, a chart's name or file, or ``default`` (the game's chart), ``optimal-td``,
        ``optimal-2c``, ``optimal-cd``.
    split_model
        For ``optimal-cd``: ``CDP`` or ``CDZ-``.
    resplits
        For ``optimal-cd``: whether further pairs of a split are ``forced`` to be split while the
        rules allow, as in published values, or split where that is ``best``.
    moments
        Whether to find the distribution too, where it is in reach.

    Returns
    -------
    ExactResult
        In initial wagers; one hand a round.

    Raises
    ------
    InputError
        If there is no such game, strategy or split model, or the chart does not fit the game.

    Examples
    --------
    >>> found = exact("signature-surrender", moments=False)
    >>> f"{found.rtp_total:.6f} of all that is wagered, {found.rtp_initial:.6f} of initial wagers"
    '0.996349 of all that is wagered, 0.995883 of initial wagers'
    >>> found.to_frame().query("cards == '88' and up == 'T'")["action"].item()
    'split'
    """
    game = load_game(game)
    _check_word("split model", split_model, SPLIT_MODELS)
    _check_word("resplits", resplits, tuple(RESPLITS))
    begun = time.perf_counter()
    policy, name, model = _policy(game, chosen_strategy(strategy), split_model, resplits)
    found = _evaluate(game, policy)
    spread = distribution(found) if moments else None
    reached = all(in_reach(found, opening) for opening in found.openings)
    return ExactResult(
        game=game,
        strategy=name,
        split_model=model,
        **_means(found),
        openings=tuple(found.openings),
        variance=_variance(found, spread) if spread else None,
        moments=moments_of(spread) if spread and reached else None,
        note=_note(model, resplits, reached=reached),
        seconds=time.perf_counter() - begun,
    )


def _check_word(what: str, given: str, allowed: Sequence[str]) -> None:
    if given not in allowed:
        raise InputError(
            f"{what} '{given}': allowed are {' and '.join(allowed)}{suggestion(given, allowed)}"
        )


def _note(model: str, resplits: str, *, reached: bool) -> str:
    """Say what is exact, and under which model."""
    how = "played as the chart says" if model == "chart" else f"{model}; {RESPLITS[resplits]}"
    return how if reached else f"{how}; {_OUT_OF_REACH}"


def _means(found: Evaluation) -> dict[str, float]:
    """Return the means of a round, as `ExactResult` names them."""
    return {
        "main_net": _mean(found, lambda opening: opening.worth.net),
        "main_wager": _mean(found, lambda opening: opening.worth.wager),
        "insurance_net": _mean(found, lambda opening: opening.insurance),
        "insurance_wager": _mean(found, _insurance_wager),
    }


def _variance(found: Evaluation, spread: Distribution) -> float | None:
    """Return the variance: from the distribution, and hands split again two at a time."""
    unit = spread.rules.unit
    square = sum((net / unit) ** 2 * chance for (net, _), chance in spread.outcomes().items())
    for opening in found.openings:
        if not in_reach(found, opening):
            split = split_square(found.card_of(opening), opening)
            if split is None:
                return None
            square += opening.probability * split
    return float(square - _mean(found, lambda opening: opening.worth.net) ** 2)


def _insurance_wager(opening: Opening) -> float:
    return 0.5 if opening.insured else 0.0


def _policy(
    game: Game, strategy: Chart | str, split_model: str, resplits: str
) -> tuple[Policy, str, str]:
    """Return the policy of a strategy, its name, and its split model."""
    if strategy == "optimal-cd":
        name = f"optimal-cd ({split_model})"
        return OptimalPolicy(split_model, resplits), name, split_model
    if isinstance(strategy, str):
        strategy = default_chart(game) if strategy == "default" else solved(game, strategy)
    check_chart(strategy, game)
    return ChartPolicy(strategy, game.rules), strategy.name, "chart"


@lru_cache(maxsize=64)
def solved(game: Game, kind: str) -> Chart:
    """Return `rtpsim.exact.solver.solve` of a game; the last ones are remembered."""
    from rtpsim.exact.solver.solve import solve

    return solve(game, kind)


def _evaluate(game: Game, policy: Policy) -> Evaluation:
    return evaluation(
        game.rules,
        policy,
        Shoe.of_decks(game.rules.decks),
        insurance=game.insurance,
        even_money=game.even_money,
    )


def _mean(found: Evaluation, what: Any) -> float:
    return float(sum(opening.probability * what(opening) for opening in found.openings))


def _bets(game: Game) -> list[dict[str, Any]]:
    """Return the exact return of each side bet."""
    shoe = Shoe.of_decks(game.rules.decks)
    return [
        {
            "bet": bet.id,
            "rtp": float(exact_rtp(bet, shoe)),
            "fraction": str(exact_rtp(bet, shoe)),
            "outcomes": [
                {
                    "outcome": outcome,
                    "pays": int(bet.pays[outcome]) if outcome in bet.pays else -1,
                    "probability": float(chance),
                    "fraction": str(chance),
                }
                for outcome, chance in exact_counts(bet, shoe).items()
            ],
        }
        for bet in game.side_bets
    ]
