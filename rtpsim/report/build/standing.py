"""Standing sections: what a report says of game, chart and seed whatever was played; on disk."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from pydantic import ValidationError

from rtpsim.exact.figures import forget_old
from rtpsim.files import write_whole
from rtpsim.files import user_cache
from rtpsim.provenance import source_hash
from rtpsim.report.build.game import readings_table, strategy_assumed
from rtpsim.report.build.origin import contributions, extremes
from rtpsim.report.build.spread import rule_effects, spread
from rtpsim.report.build.witnesses import randomness
from rtpsim.report.canonical import canonical
from rtpsim.report.model import (
    Contributions,
    Extremes,
    Randomness,
    ReadingsTable,
    RuleEffects,
    StrategyAssumed,
    Volatility,
)
from rtpsim.report.model.parts import Part

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rtpsim.exact.figures import ExactFigures
    from rtpsim.report.inputs import Opened
    from rtpsim.report.model import Inputs


class Standing(Part):
    """Sections that follow from inputs and seed alone."""

    strategy: StrategyAssumed
    """3."""

    readings: ReadingsTable | None
    """5."""

    volatility: Volatility
    """9., without the covariance between hands."""

    extremes: Extremes
    """10."""

    contributions: Contributions
    """11."""

    effects: RuleEffects
    """12."""

    randomness: Randomness
    """13."""


def standing(
    opened: Opened,
    inputs: Inputs,
    exact: ExactFigures,
    seed: int,
    *,
    keep: bool = True,
    say: Callable[[str], None],
) -> Standing:
    """Return the sections that follow from inputs and seed alone; from disk if found before.

    Parameters
    ----------
    opened, inputs, exact
        Game and chart, as they are and as the report holds them, and what they return.
    seed
        Of the deciding run.
    keep
        Whether what was found before may be used, and what is found now is kept.
    say
        Told what is being done.
    """
    path = _path(inputs, seed) if keep else None
    found = None if path is None else _read(path)
    if found is not None:
        return found
    found = _find(opened, exact, seed, keep, say)
    if path is not None:
        _write(path, found)
    return found


def _find(
    opened: Opened, exact: ExactFigures, seed: int, keep: bool, say: Callable[[str], None]
) -> Standing:
    """Compute the sections."""
    game, chart = opened.game, opened.chart
    say(f"{game.id}: the best play, for comparison")
    strategy = strategy_assumed(game, chart, exact, keep=keep)
    say(f"{game.id}: every reading by every chart (kept for the next time)")
    readings = readings_table(game, keep=keep)
    say(f"{game.id}: volatility and sessions")
    volatility = spread(game, chart, exact)
    say(f"{game.id}: largest win and loss, contributions")
    largest, sources = extremes(game, chart, exact), contributions(game, chart)
    say(f"{game.id}: the randomness of the deals")
    deals = randomness(game, chart, seed)
    say(f"{game.id}: the effect of each rule (kept for the next time)")
    return Standing(
        strategy=strategy,
        readings=readings,
        volatility=volatility,
        extremes=largest,
        contributions=sources,
        effects=rule_effects(game, keep=keep),
        randomness=deals,
    )


def _path(inputs: Inputs, seed: int) -> Path:
    """Return the file of these sections, named by all that they depend on."""
    key = canonical([source_hash(), seed, inputs.model_dump(mode="json")])
    return user_cache() / "reports" / f"{hashlib.sha256(key.encode()).hexdigest()}.json"


def _read(path: Path) -> Standing | None:
    """Read sections that were kept; a file that is not there or damaged counts for nothing."""
    try:
        checksum, _, body = path.read_text(encoding="utf-8").partition("\n")
        if hashlib.sha256(body.encode()).hexdigest() != checksum:
            return None
        return Standing.model_validate_json(body)
    except (OSError, ValueError, ValidationError):
        return None


def _write(path: Path, found: Standing) -> None:
    """Keep sections, whole or not at all; a folder that cannot be written is no fault."""
    body = found.model_dump_json()
    text = f"{hashlib.sha256(body.encode()).hexdigest()}\n{body}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        forget_old(path.parent)
        write_whole(path, lambda part: part.write_text(text, encoding="utf-8"))
    except OSError:
        return
