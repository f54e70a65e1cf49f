"""Building a report: identification (0), design (6), reproducibility (14)."""

from __future__ import annotations

import platform
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import metadata
from typing import TYPE_CHECKING

import rtpsim
from rtpsim.games import MAIN
from rtpsim.provenance import source_hash
from rtpsim.report.canonical import text_sha256
from rtpsim.report.model import (
    HandsRun,
    Identification,
    Inputs,
    Reproducibility,
    RunTallies,
    Setting,
    SimulationDesign,
    Version,
    WagerPlan,
)
from rtpsim.simulation.streams import CHUNK_ROUNDS, STREAM_VERSION
from rtpsim.statistics import normal_quantile, rounds_needed
from rtpsim.verification.verdicts import LEVEL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rtpsim.games import Game
    from rtpsim.provenance import Provenance
    from rtpsim.report.model import Report, WagerJudged
    from rtpsim.strategy import Chart
    from rtpsim.verification.judging import Limits

SCOPE = (
    "Mathematical evaluation of a game's rules by rtpsim. The cards are dealt by rtpsim's own "
    "random generator, not by the game's; every round is dealt from a freshly shuffled shoe; "
    "nothing is said about a game's program, its random generator or its operator."
)
FLOAT_TOLERANCE = 1e-12
"""Relative difference up to which a figure that is computed again counts as equal."""

_PACKAGES = ("rtpsim", "numpy", "numba", "scipy", "matplotlib")


@dataclass(frozen=True)
class Circumstances:
    """What may differ when the same report is made again; none of it enters a figure.

    Attributes
    ----------
    made, started
        When the report was made, and when its run began: UTC, ISO 8601.
    command
        The command line, or what else made it.
    duration_s, workers
        How long the run took, on how many threads; None where that is not known: of a resumed
        run, how long the earlier part of it took.
    machine, versions
        What it ran on.
    code_sha256
        Of the program's text.
    rounds_rule
        What the rounds follow from, as text; empty for a number that was given.
    """

    made: str
    started: str
    command: str
    duration_s: float | None
    workers: int | None
    machine: str
    versions: tuple[Version, ...]
    code_sha256: str
    rounds_rule: str = ""

    @classmethod
    def collect(
        cls,
        command: str,
        *,
        started: str = "",
        duration_s: float | None = None,
        workers: int | None = None,
        rounds_rule: str = "",
    ) -> Circumstances:
        """Note what a report is made on, now."""
        versions = {"python": ".".join(platform.python_version_tuple())}
        versions |= {name: metadata.version(name) for name in _PACKAGES}
        now = utc_now()
        return cls(
            made=now,
            started=started or now,
            command=command,
            duration_s=duration_s,
            workers=workers,
            machine=f"{platform.system()} {platform.release()} {platform.machine()}",
            versions=tuple(Version(name=n, version=v) for n, v in versions.items()),
            code_sha256=source_hash(),
            rounds_rule=rounds_rule,
        )

    @classmethod
    def of_run(cls, origin: Provenance) -> Circumstances:
        """Return those of a run that has just been played, from what its result says of it."""
        found = cls.collect(
            origin.command,
            started=_in_utc(datetime.fromisoformat(origin.started)),
            duration_s=None if origin.resumed_rounds else origin.duration_s,
            workers=origin.workers,
            rounds_rule=origin.stopping_rule,
        )
        if origin.scheduler:
            machine = f"the cluster of {origin.scheduler}, asked from {found.machine}"
            found = replace(found, machine=machine)
        return found

    @classmethod
    def of(cls, report: Report) -> Circumstances:
        """Return the circumstances that a report tells."""
        identification, made_by = report.identification, report.reproducibility
        return cls(
            made=identification.made,
            started=made_by.started,
            command=made_by.command,
            duration_s=made_by.duration_s,
            workers=made_by.workers,
            machine=made_by.machine,
            versions=made_by.versions,
            code_sha256=made_by.code_sha256,
            rounds_rule=report.design.rounds_rule,
        )


def utc_now() -> str:
    """Return date and time in UTC, to the second."""
    return _in_utc(datetime.now(UTC))


def _in_utc(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def identification(
    game: Game, chart: Chart, inputs: Inputs, run: RunTallies, circumstances: Circumstances
) -> Identification:
    """Return what was tested, by what, when."""
    defaults = {reading.id: reading.default for reading in game.readings}
    return Identification(
        game=game.id,
        title=game.title,
        rule_string=str(game.rules),
        settings=tuple(
            Setting(reading=name, option=option, is_default=option == defaults[name])
            for name, option in game.chosen.items()
        ),
        chart=chart.name,
        game_file_sha256=text_sha256(inputs.game_json),
        game_sha256=game.sha256,
        chart_sha256=chart.sha256,
        rtpsim_version=rtpsim.__version__,
        made=circumstances.made,
        seed=run.seed,
        rounds=run.rounds,
        rounds_asked=run.rounds_asked,
        hands=run.hands,
        scope=SCOPE,
    )


def design(
    run: RunTallies,
    wagers: Sequence[WagerJudged],
    spreads: Mapping[str, float],
    limits: Limits,
    rule: str,
) -> SimulationDesign:
    """Return how the simulation was planned.

    Parameters
    ----------
    spreads
        Wager -> standard deviation of one round's return on its base, as known before the run.
    rule
        What the rounds follow from, as text.
    """
    return SimulationDesign(
        generator="Philox4x32-10 (Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as "
        "1, 2, 3, SC'11, 2011)",
        streams=f"Rounds are cut into chunks of {CHUNK_ROUNDS:,}. A chunk's stream depends on "
        "seed, hash of the game and number of the chunk alone; every round dealt is played to its "
        "end.",
        stream_version=STREAM_VERSION,
        chunk_rounds=CHUNK_ROUNDS,
        chunks=-(-run.rounds // CHUNK_ROUNDS),
        shuffling="Every round is dealt from a freshly shuffled shoe; bounded draws are unbiased.",
        rounds=run.rounds,
        rounds_rule=rule,
        hands=run.hands,
        family_level=limits.family,
        wagers=tuple(_plan(one, spreads.get(one.wager), run.rounds, limits) for one in wagers),
    )


def _plan(one: WagerJudged, sd: float | None, rounds: int, limits: Limits) -> WagerPlan:
    tolerance = limits.main if one.wager == MAIN else limits.side_bet
    return WagerPlan(
        wager=one.wager,
        title=one.title,
        base=one.base,
        tolerance=tolerance,
        sd_per_round=sd,
        planned_half_width_99=None if sd is None else normal_quantile(LEVEL) * sd / rounds**0.5,
        rounds_needed=None if sd is None else rounds_needed(sd, tolerance),
    )


def reproducibility(
    game_id: str,
    inputs: Inputs,
    tallies: Sequence[RunTallies],
    hands_run: HandsRun | None,
    circumstances: Circumstances,
) -> Reproducibility:
    """Return how to get the same again, with all that is needed for it."""
    return Reproducibility(
        command=circumstances.command,
        audit=f"rtpsim audit {game_id}.json",
        machine=circumstances.machine,
        versions=circumstances.versions,
        code_sha256=circumstances.code_sha256,
        started=circumstances.started,
        duration_s=circumstances.duration_s,
        workers=circumstances.workers,
        inputs=inputs,
        tallies=tuple(tallies),
        hands_run=hands_run,
        float_tolerance=FLOAT_TOLERANCE,
    )
