"""Verdicts: what can be said of a wager, a run and a game, and how JSON says it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rtpsim.display import html_table, percent
from rtpsim.statistics import Estimate, finite

if TYPE_CHECKING:
    import pandas as pd

    from rtpsim.statistics.significance import TestResult

LEVEL = 0.99
"""Confidence level of the half-widths."""


class PublishedVerdict(StrEnum):
    """Whether a published figure holds."""

    REPRODUCED = "REPRODUCED"
    """The exact value prints as the published figure."""

    UNDER_A_READING = "REPRODUCED UNDER A READING"
    """It does, under another reading of the rules than the default, or by another chart."""

    NOT_REPRODUCED = "NOT REPRODUCED"
    """It does not."""

    NOT_PUBLISHED = "NOT PUBLISHED"
    """Nothing is printed."""


class SimulatedVerdict(StrEnum):
    """Whether the simulation agrees with the exact value."""

    PASS = "PASS"
    """It does, with an error bar within the tolerance, and no test of the game fails."""

    INCONCLUSIVE = "INCONCLUSIVE"
    """Too few rounds to say."""

    FAIL = "FAIL"
    """A test of the game's family fails."""


@dataclass(frozen=True)
class OtherBase:
    """A return on another base: exact, and of the run; it has no verdict."""

    exact: float
    simulated: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"exact": self.exact, **_estimate_dict(self.simulated)}


def _estimate_dict(estimate: Estimate) -> dict[str, Any]:
    return {
        "simulated": finite(estimate.value),
        "half_width_99": finite(estimate.half_width(LEVEL)),
    }


@dataclass(frozen=True)
class WagerVerification:
    """The two verdicts on one wager.

    Attributes
    ----------
    wager, title
        ``main`` or a side bet's id; name for people.
    published
        Figure in percent, as printed; None where nothing is.
    base
        What the returns here are a return on: ``total``, ``initial`` or ``stake``.
    exact
        Exact return (a ratio, 0.9963).
    simulated
        Return of the run, with the standard error that the verdict goes by.
    others
        Returns on other bases, shown beside it without a verdict.
    published_verdict, published_reason, simulated_verdict, simulated_reason
        The verdicts, each with a line that says why.
    """

    wager: str
    title: str
    published: str | None
    base: str
    exact: Fraction | float
    simulated: Estimate
    others: dict[str, OtherBase]
    published_verdict: PublishedVerdict
    published_reason: str
    simulated_verdict: SimulatedVerdict
    simulated_reason: str

    def to_dict(self) -> dict[str, Any]:
        """Return the wager as plain values for JSON; returns are ratios, not percentages."""
        exact = self.exact
        fraction = None
        if isinstance(exact, Fraction):
            fraction = f"{exact.numerator}/{exact.denominator}"
        return {
            "wager": self.wager,
            "title": self.title,
            "published": self.published,
            "base": self.base,
            "exact": float(exact),
            "exact_fraction": fraction,
            **_estimate_dict(self.simulated),
            "other_bases": {base: other.to_dict() for base, other in self.others.items()},
            "published_verdict": str(self.published_verdict),
            "published_reason": self.published_reason,
            "simulated_verdict": str(self.simulated_verdict),
            "simulated_reason": self.simulated_reason,
        }


@dataclass(frozen=True)
class FamilyTest:
    """A test with its place in the game's family.

    Attributes
    ----------
    result
        The test.
    adjusted
        Its p-value by Holm's method; None where the run is too short for the test.
    failed
        Whether the adjusted p-value is at most the family's level.
    """

    result: TestResult
    adjusted: float | None
    failed: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the test as plain values for JSON."""
        return {
            "test": self.result.name,
            "wager": self.result.wager,
            "statistic": finite(self.result.statistic),
            "df": self.result.df,
            "p_value": self.result.p_value,
            "p_adjusted": self.adjusted,
            "failed": self.failed,
        }


@dataclass(frozen=True)
class RunVerification:
    """One run of a game, judged; more rounds were asked for than played where it was stopped."""

    seed: int
    rounds: int
    hands: int
    wagers: tuple[WagerVerification, ...]
    tests: tuple[FamilyTest, ...]
    rounds_asked: int

    @property
    def failed(self) -> bool:
        """Whether any wager's simulated verdict is FAIL."""
        return any(one.simulated_verdict is SimulatedVerdict.FAIL for one in self.wagers)

    def to_dict(self) -> dict[str, Any]:
        """Return the run as plain values for JSON."""
        return {
            "seed": self.seed,
            "rounds": self.rounds,
            "rounds_asked": self.rounds_asked,
            "hands": self.hands,
            "wagers": [wager.to_dict() for wager in self.wagers],
            "tests": [test.to_dict() for test in self.tests],
        }


@dataclass(frozen=True, repr=False)
class GameVerification:
    """A game, judged: by one run, or by a second one that a FAIL triggered.

    Attributes
    ----------
    game, title, rules, strategy
        The game's id and title, its rule string, the chart's name.
    settings
        The option in force of each of the game's readings.
    runs
        One or two; the last decides.
    """

    game: str
    title: str
    rules: str
    strategy: str
    settings: dict[str, str]
    runs: tuple[RunVerification, ...]

    @property
    def wagers(self) -> tuple[WagerVerification, ...]:
        """The wagers as the deciding run has them."""
        return self.runs[-1].wagers

    def __repr__(self) -> str:
        said = ", ".join(
            f"{one.title} {one.published_verdict}, {one.simulated_verdict}" for one in self.wagers
        )
        return f"<GameVerification: {self.game}, {self.runs[-1].rounds:,} rounds: {said}>"

    def _repr_html_(self) -> str:
        rows = [
            [
                one.title,
                one.base,
                "" if one.published is None else f"{one.published} %",
                percent(float(one.exact)),
                f"{percent(one.simulated.value)} ± {100 * one.simulated.half_width(LEVEL):.4f}",
                str(one.published_verdict),
                str(one.simulated_verdict),
            ]
            for one in self.wagers
        ]
        columns = [
            "wager",
            "return on",
            "published",
            "exact",
            "simulated (99 %)",
            "verdict on the published",
            "verdict on the simulated",
        ]
        rounds = f"{self.runs[-1].rounds:,} rounds, seed {self.runs[-1].seed}"
        return html_table(f"{self.title}, {self.strategy}: {rounds}", columns, rows)

    def to_frame(self) -> pd.DataFrame:
        """Return the wagers, as the deciding run has them, as a tidy table.

        Returns
        -------
        DataFrame
            ``wager``, ``title``, ``published`` (percent, text as printed; None: nothing is),
            ``base``, ``exact``, ``simulated``, ``half_width_99`` (ratios of that base),
            ``published_verdict``, ``published_reason``, ``simulated_verdict``,
            ``simulated_reason``.
        """
        import pandas as pd

        left_out = ("exact_fraction", "other_bases")
        rows = [wager.to_dict() for wager in self.wagers]
        return pd.DataFrame(rows).drop(columns=list(left_out))

    def to_dict(self) -> dict[str, Any]:
        """Return the game as plain values for JSON."""
        return {
            "game": self.game,
            "title": self.title,
            "rules": self.rules,
            "strategy": self.strategy,
            "settings": self.settings,
            "wagers": [wager.to_dict() for wager in self.wagers],
            "runs": [run.to_dict() for run in self.runs],
        }
