"""What a run is: integer tallies, what they were counted of, figures and provenance."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rtpsim.cards import Shoe
from rtpsim.display import percent_within
from rtpsim.errors import InputError
from rtpsim.provenance import Provenance
from rtpsim.results.terms import BetTerms
from rtpsim.statistics import (
    LEVELS,
    Estimate,
    MainFigures,
    finite,
    main_figures,
    outcome_counts,
    ratio_estimate,
    return_estimate,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pandas as pd
    from numpy.typing import NDArray

    from rtpsim.games import Game
    from rtpsim.program.composition import Strategy
    from rtpsim.program.labels import Label
    from rtpsim.results.chunks import Chunks
    from rtpsim.results.terms import TallyLike

FORMAT_VERSION = 2
"""Version of the files that `SimulationResult.save` writes: 2 says which chunks were counted."""


@dataclass(frozen=True, eq=False, repr=False)
class SimulationResult:
    """A finished run. Equal to another if everything in it is, provenance included.

    It can stand wherever a tally is wanted (`TallyLike`).

    Attributes
    ----------
    game, rules, strategy
        The game's id, its rule string, the chart's name.
    seed, rounds, hands, stream_version
        What the run is a function of, beside game and chart.
    unit
        Net results and wagers are integers in 1/`unit` initial wagers.
    chunks
        Which chunks of the run were counted; None where a file does not say (format version 1).
    outcomes, insurance
        (net, wager) of the round -> rounds, for the main game and for insurance.
    bets, side_bets
        The side bets played, and for each the winning outcomes of a round -> rounds.
    labels, initial
        How the first hand ended, and its initial cards; None where the result was read from the
        short JSON that leaves them out.
    provenance
        Where the run came from.

    Raises
    ------
    InputError
        If the tallies do not count the same rounds, or other rounds than the chunks have.
    """

    game: str
    rules: str
    strategy: str
    seed: int
    rounds: int
    hands: int
    stream_version: str
    unit: int
    outcomes: Mapping[tuple[int, int], int]
    insurance: Mapping[tuple[int, int], int]
    bets: tuple[BetTerms, ...]
    side_bets: Mapping[str, Mapping[tuple[str, ...], int]]
    provenance: Provenance
    labels: Mapping[Label, int] | None = None
    initial: NDArray[np.int64] | None = None
    chunks: Chunks | None = None

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise InputError("result: no round was played")
        parts: dict[str, Mapping[Any, int]] = {
            "outcomes": self.outcomes,
            "insurance": self.insurance,
            **{f"bet '{bet}'": tally for bet, tally in self.side_bets.items()},
        }
        sums = {name: sum(tally.values()) for name, tally in parts.items()}
        if self.labels is not None:
            sums["labels"] = sum(self.labels.values())
        if self.initial is not None:
            sums["initial"] = int(self.initial.sum())
        for name, counted in sums.items():
            if counted != self.rounds:
                raise InputError(
                    f"result: {name} count {counted} rounds, but {self.rounds} were played"
                )
        if self.chunks is not None and not self.chunks.may_hold(self.rounds):
            raise InputError(f"result: {self.rounds} rounds are not those of {self.chunks}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SimulationResult):
            return NotImplemented
        names = [one.name for one in fields(self) if one.name != "initial"]
        if any(getattr(self, name) != getattr(other, name) for name in names):
            return False
        if self.initial is None or other.initial is None:
            return self.initial is other.initial
        return bool(np.array_equal(self.initial, other.initial))

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def from_tally(
        cls,
        game: Game,
        chart: Strategy,
        seed: int,
        tally: TallyLike,
        provenance: Provenance | None = None,
        chunks: Chunks | None = None,
    ) -> SimulationResult:
        """Put a run's tally together with what it was counted of.

        Raises
        ------
        InputError
            If nothing was played, or the tally's parts do not count the same rounds.
        """
        from rtpsim.simulation.streams import STREAM_VERSION

        shoe = Shoe.of_decks(game.rules.decks)
        played = [bet for bet in game.side_bets if bet.id in tally.side_bets]
        labels = tally.labels
        return cls(
            game=game.id,
            rules=str(game.rules),
            strategy=chart.name,
            seed=seed,
            rounds=int(tally.rounds),
            hands=int(tally.hands),
            stream_version=STREAM_VERSION,
            unit=int(tally.unit),
            outcomes=_pairs(tally.outcomes),
            insurance=_with_uninsured(_pairs(tally.insurance), int(tally.rounds)),
            bets=tuple(BetTerms.of(bet, shoe, tally.hands) for bet in played),
            side_bets={
                bet.id: {key: int(n) for key, n in sorted(tally.side_bets[bet.id].items()) if n}
                for bet in played
            },
            provenance=provenance or Provenance.collect(game, chart),
            labels=None if labels is None else _sorted_labels(labels),
            initial=tally.initial,
            chunks=chunks,
        )

    @cached_property
    def figures(self) -> MainFigures:
        """The main game's figures (`MainFigures`)."""
        return main_figures(self.outcomes, self.unit, self.hands)

    def __repr__(self) -> str:
        return (
            f"<SimulationResult: {self.game}, {self.strategy}, {self.rounds:,} rounds, seed "
            f"{self.seed}: rtp_total {percent_within(self.figures.rtp_total)}>"
        )

    def _repr_html_(self) -> str:
        hands = f", {self.hands} hands each (money in initial wagers of one)" * (self.hands > 1)
        return self.figures.html(
            f"{self.game}, {self.strategy}: {self.rules}; {self.rounds:,} rounds{hands}, "
            f"seed {self.seed}"
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the main game's figures as a tidy table: see `MainFigures.to_frame`."""
        return self.figures.to_frame()

    def to_dict(self, *, detail: bool = False) -> dict[str, Any]:
        """Return the result as plain values for JSON.

        Parameters
        ----------
        detail
            Add `labels` and `initial` under the key ``detail``, thousands of numbers.
        """
        document: dict[str, Any] = {
            "game": self.game,
            "rules": self.rules,
            "strategy": self.strategy,
            "seed": self.seed,
            "rounds": self.rounds,
            "hands": self.hands,
            "stream_version": self.stream_version,
            "chunks": None if self.chunks is None else asdict(self.chunks),
            "unit": f"1/{self.unit}",
            "outcomes": _rows(self.outcomes),
            "bets": [*map(self._bet_dict, self.bets), self._insurance_dict()],
            "figures": self.figures.to_dict(),
            "provenance": {"format_version": FORMAT_VERSION, **asdict(self.provenance)},
        }
        if detail and self.labels is not None and self.initial is not None:
            document["detail"] = {
                "labels": [{**key._asdict(), "count": n} for key, n in self.labels.items()],
                "initial": [
                    [*map(int, cell), int(self.initial[cell])]
                    for cell in zip(*self.initial.nonzero(), strict=True)
                ],
            }
        return document

    def to_json(self, *, detail: bool = False) -> str:
        """Return the result as JSON; see `to_dict`."""
        return json.dumps(self.to_dict(detail=detail), indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, source: str = "JSON") -> SimulationResult:
        """Read what `to_json` wrote; faults are reported with `source` as their place.

        Raises
        ------
        InputError
            If the text is damaged, of another version, or something else altogether.
        """
        from rtpsim.results.files import read_json

        return read_json(text, source)

    def save(self, path: str | Path) -> None:
        """Write to a ``.json`` or ``.parquet`` file, whole or not at all."""
        from rtpsim.results.files import save_result

        save_result(self, path)

    @classmethod
    def load(cls, path: str | Path) -> SimulationResult:
        """Read a file that `save` wrote; see `rtpsim.results.files.load_result`."""
        from rtpsim.results.files import load_result

        return load_result(path)

    def _bet_dict(self, bet: BetTerms) -> dict[str, Any]:
        """Return one side bet: exact and simulated return, and each outcome."""
        tally = self.side_bets[bet.id]
        staked = self.rounds * bet.stakes
        counts = outcome_counts(tally)
        rows = []
        for name, pays in bet.pays.items():
            rows.append(
                {
                    "outcome": name,
                    "pays": pays,
                    "count": counts[name],
                    "frequency": counts[name] / staked,
                    "exact_count": bet.counts[name],
                    "probability": bet.counts[name] / bet.total,
                    "contribution": counts[name] * (pays + 1) / staked,
                    "exact_contribution": bet.counts[name] * (pays + 1) / bet.total,
                }
            )
        return {
            "bet": bet.id,
            "title": bet.title,
            "stakes_per_round": bet.stakes,
            "exact_fraction": f"{bet.rtp.numerator}/{bet.rtp.denominator}",
            "exact_rtp": float(bet.rtp),
            "exact_total": bet.total,
            **_return_dict(return_estimate(tally, bet.pays, bet.stakes)),
            "outcomes": rows,
            "rounds": [{"outcomes": list(key), "count": n} for key, n in tally.items()],
        }

    def _insurance_dict(self) -> dict[str, Any]:
        """Return insurance as a wager of its own; its return is that on what was insured."""
        return {
            "bet": "insurance",
            "title": "Insurance",
            "rounds_insured": sum(n for (_, wager), n in self.insurance.items() if wager),
            **_return_dict(ratio_estimate(self.insurance).shifted(1, 1)),
            "outcomes": _rows(self.insurance),
        }


def rounds_asked(tally: TallyLike) -> int:
    """Return how many rounds were to be played; those that were where a tally does not say."""
    asked = tally.provenance.rounds_asked if isinstance(tally, SimulationResult) else None
    return asked or tally.rounds


def _return_dict(estimate: Estimate) -> dict[str, Any]:
    document: dict[str, Any] = {
        "rtp": finite(estimate.value),
        "standard_error": finite(estimate.standard_error),
    }
    for level in LEVELS:
        bounds = estimate.interval(level)
        document[f"interval_{round(100 * level)}"] = [finite(bound) for bound in bounds]
    return document


def _pairs(tally: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """Return a tally with plain integers, in order, without empty cells."""
    return {(int(x), int(w)): int(count) for (x, w), count in sorted(tally.items()) if count}


def _sorted_labels(labels: Mapping[Label, int]) -> dict[Label, int]:
    """Return counts by label in the labels' order, whatever order they were counted in."""
    return dict(sorted((_plain(label), int(n)) for label, n in labels.items() if n))


def _plain(label: Label) -> Label:
    """Return a label whose words are plain strings, as it is read back from a file."""
    return label._replace(
        route=str(label.route),
        player_final=str(label.player_final),
        dealer_final=str(label.dealer_final),
    )


def _with_uninsured(tally: dict[tuple[int, int], int], rounds: int) -> dict[tuple[int, int], int]:
    """Count the rounds that an insurance tally leaves out as not insured."""
    missing = rounds - sum(tally.values())
    if missing > 0:
        tally[0, 0] = tally.get((0, 0), 0) + missing
    return dict(sorted(tally.items()))


def _rows(tally: Mapping[tuple[int, int], int]) -> list[dict[str, int]]:
    return [{"net": net, "wager": w, "count": count} for (net, w), count in tally.items()]
