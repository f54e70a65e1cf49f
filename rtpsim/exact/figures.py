"""Exact figures: what reports need of an exact result, found once and kept on disk."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtpsim.exact.frequencies import exact_frequencies
from rtpsim.files import user_cache, write_whole
from rtpsim.provenance import source_hash
from rtpsim.strategy import Chart, chosen_strategy, default_chart

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from rtpsim.exact import ExactResult
    from rtpsim.games import Game
    from rtpsim.strategy import AnyStrategy


_KEPT_S = 30 * 24 * 3600
"""Files are kept for 30 days: the program that could use them may be gone by then."""


_SIMULATED = 50_000_000
_SEED = 20_000_001
"""Rounds and seed of the histogram that stands in for what is out of exact reach."""


@dataclass(frozen=True)
class ExactFigures:
    """The figures of an exact result, as plain values.

    Attributes
    ----------
    document
        `ExactResult.to_dict`.
    frequencies
        Probabilities of how rounds go (`rtpsim.exact.frequencies.exact_frequencies`).
    cached
        Whether they were found before and read from disk.
    """

    document: Mapping[str, Any]
    frequencies: Mapping[str, Mapping[str, float]]
    cached: bool = False

    @classmethod
    def of(cls, result: ExactResult) -> ExactFigures:
        """Return the figures of a result."""
        return cls(result.to_dict(), exact_frequencies(result))

    @property
    def strategy(self) -> str:
        """Name of the strategy."""
        return str(self.document["strategy"])

    @property
    def main_net(self) -> float:
        """Expected net of the main game without insurance, per initial wager."""
        return float(self.document["main"]["net"])

    @property
    def main_wager(self) -> float:
        """Expected total wager of the main game without insurance, per initial wager."""
        return float(self.document["main"]["wager"])

    @property
    def insurance(self) -> tuple[float, float]:
        """Expected net and wager of the insurance, per initial wager."""
        both = self.document["insurance"]
        return float(both["net"]), float(both["wager"])

    @property
    def variance(self) -> float | None:
        """Variance of a round's net in squared initial wagers; None where it is not known."""
        return self._number("variance")

    @property
    def fourth(self) -> float | None:
        """Fourth central moment of a round's net; None where it is not known exactly."""
        return None if self.document.get("simulated") else self._number("fourth_central_moment")

    def _number(self, name: str) -> float | None:
        value = self.document.get(name)
        return None if value is None else float(value)

    def rtp(self, base: str) -> float:
        """Return the return on the ``total`` or the ``initial`` wager.

        It includes insurance where that shows whether the dealer has a natural, and only there
        (`rtpsim.exact.ExactResult.includes_insurance`).
        """
        return float(self.document[f"rtp_{base}"])


def exact_figures(
    game: Game,
    strategy: AnyStrategy = "default",
    *,
    split_model: str = "CDP",
    resplits: str = "forced",
    moments: bool = True,
    keep: bool = True,
) -> ExactFigures:
    """Return what a game returns under a strategy, exactly; from disk if it was found before.

    Parameters
    ----------
    game, strategy, split_model, resplits, moments
        As in `rtpsim.exact.exact`.
    keep
        Whether figures found before may be used, and those found now are kept.

    Raises
    ------
    InputError
        If there is no such strategy or split model, or the chart does not fit the game.
    """
    chart = chosen_strategy(strategy)
    if chart == "default":
        chart = default_chart(game)
    way = {"split_model": split_model, "resplits": resplits, "moments": moments}
    path = _path(game, chart, way) if keep else None
    found = None if path is None else _read(path)
    if found is None:
        from rtpsim.exact import exact

        found = ExactFigures.of(
            exact(game, chart, split_model=split_model, resplits=resplits, moments=moments)
        )
        if moments and isinstance(chart, Chart) and found.document["outcomes"] is None:
            found = _with_simulated(found, game, chart)
        if path is not None:
            _write(path, found)
    # what has no influence on the figures is not what they are found by
    named = {"game": game.id, "rules": str(game.rules)}
    if isinstance(chart, Chart):
        named["strategy"] = chart.name
    return ExactFigures({**found.document, **named}, found.frequencies, found.cached)


def _with_simulated(found: ExactFigures, game: Game, chart: Chart) -> ExactFigures:
    """Add what is out of exact reach from a simulated histogram, and say so in ``simulated``."""
    from rtpsim.simulation import simulate

    tally = simulate(game, chart, rounds=_SIMULATED, seed=_SEED, side_bets=())
    unit, mean = tally.unit, found.main_net

    def central(power: int) -> float:
        cells = tally.outcomes.items()
        return sum((net / unit - mean) ** power * count for (net, _), count in cells) / _SIMULATED

    won = sum(count for (net, _), count in tally.outcomes.items() if net > 0)
    added = {
        "third_central_moment": central(3),
        "fourth_central_moment": central(4),
        "hit_frequency": won / _SIMULATED,
        "outcomes": [
            {"net": net, "wager": wager, "probability": count / _SIMULATED}
            for (net, wager), count in tally.outcomes.items()
        ],
    }
    said = {"rounds": _SIMULATED, "seed": _SEED, "figures": list(added)}
    return ExactFigures({**found.document, **added, "simulated": said}, found.frequencies)


def code_version() -> str:
    """Return a hash of the program's own text: other code may find other figures."""
    return source_hash(without=("cli", "plots", "reference", "report", "runs"))


def cache_folder() -> Path:
    """Return the folder in the user's cache directory where exact figures are kept."""
    return user_cache() / "exact"


def _path(game: Game, strategy: Chart | str, way: dict[str, object]) -> Path:
    """Return the file of these figures, named by all that they depend on."""
    name = strategy.sha256 if isinstance(strategy, Chart) else strategy
    key = [code_version(), game.sha256, name, way]
    return cache_folder() / f"{hashlib.sha256(json.dumps(key).encode()).hexdigest()}.json"


def _read(path: Path) -> ExactFigures | None:
    """Read figures that were kept; a file that is not there or damaged counts for nothing."""
    try:
        checksum, _, body = path.read_text(encoding="utf-8").partition("\n")
        if hashlib.sha256(body.encode()).hexdigest() != checksum:
            return None
        content = json.loads(body)
        return ExactFigures(content["document"], content["frequencies"], cached=True)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(path: Path, figures: ExactFigures) -> None:
    """Keep figures, whole or not at all; a folder that cannot be written is no fault."""
    content = {"document": figures.document, "frequencies": figures.frequencies}
    body = json.dumps(content, ensure_ascii=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        forget_old(path.parent)
        text = f"{hashlib.sha256(body.encode()).hexdigest()}\n{body}"
        write_whole(path, lambda part: part.write_text(text, encoding="utf-8"))
    except OSError:
        return


def forget_old(folder: Path) -> None:
    """Remove files that were written long ago."""
    for file in folder.iterdir():
        if time.time() - file.stat().st_mtime > _KEPT_S:
            file.unlink(missing_ok=True)
