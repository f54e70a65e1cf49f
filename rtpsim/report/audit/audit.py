"""Audit: whether a report says what its inputs and its seed say, checked by doing it again.

What it can and cannot find. Everything that follows from the inputs and the counts in a report is
computed again and compared, so that no figure can be changed by itself. The counts are compared
with each other, and those of some blocks (with ``every``: of all) with what the same chunks count
when they are played again. Counts that were changed so that they still go together are found with
certainty only if every block is played again. Date, machine, duration and command are told, not
computed: nothing confirms them.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtpsim.errors import InputError, RtpsimError
from rtpsim.provenance import source_hash
from rtpsim.report.audit.compare import differences
from rtpsim.report.audit.renderings import compare_renderings
from rtpsim.report.audit.replay import replay
from rtpsim.report.build.identity import Circumstances
from rtpsim.report.build.report import build_report
from rtpsim.report.canonical import own_hash, read_document, read_report, text_sha256
from rtpsim.report.inputs import opened
from rtpsim.report.tallies import unpack_block, whole_tally

if TYPE_CHECKING:
    from collections.abc import Callable

    from rtpsim.report.inputs import Opened
    from rtpsim.report.model import Report, RunTallies

BLOCKS = 4
"""Blocks of each run that are played again, unless all are."""


@dataclass(frozen=True)
class Check:
    """One thing that was checked.

    Attributes
    ----------
    name
        What: ``own hash``, ``inputs``, ``counts``, ``replay``, ``figures``, ``renderings``.
    faults
        What is wrong, one line each, the first found first; empty if nothing is.
    said
        What was done, and what was found to be right.
    """

    name: str
    faults: tuple[str, ...] = ()
    said: str = ""


@dataclass
class Audit:
    """The outcome of an audit.

    Attributes
    ----------
    report
        The file.
    game, chart, rounds
        What the report is about.
    checks
        In the order in which they were made.
    notes
        What the reader should know that is no fault.
    """

    report: str
    game: str
    chart: str
    rounds: int
    checks: list[Check] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """Everything that is wrong."""
        return [fault for check in self.checks for fault in check.faults]

    @property
    def passed(self) -> bool:
        """Whether nothing is."""
        return not self.faults

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "report": self.report,
            "game": self.game,
            "chart": self.chart,
            "rounds": self.rounds,
            "passed": self.passed,
            "checks": [
                {"check": check.name, "faults": list(check.faults), "said": check.said}
                for check in self.checks
            ],
            "notes": self.notes,
        }


def audit(
    path: str | Path,
    *,
    every: bool = False,
    workers: int | None = None,
    keep: bool = False,
    progress: Callable[[int, int], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> Audit:
    """Check a report: its hash, inputs, counts, figures and renderings.

    Parameters
    ----------
    path
        The report's JSON file; the renderings beside it are checked too.
    every
        Whether every block is played again.
    workers
        Threads.
    keep
        Whether exact figures may come from the cache on disk.
    progress
        Called with the number of blocks played again, and of all that are.
    say
        Told what is being done.

    Raises
    ------
    InputError
        If the file cannot be read, is damaged, no report, or one of another version.
    """
    source = Path(path)
    document = read_document(source)
    report = read_report(document, str(source))
    who = report.identification
    found = Audit(str(source), who.game, who.chart, who.rounds)
    tell = say or (lambda text: None)
    _note_versions(report, found)
    found.checks.append(_own_hash(document))
    try:
        with opened(report.reproducibility.inputs) as what:
            found.checks += (_inputs(report, what), _counts(report))
            # what would be computed from other inputs, or counts that contradict each other, says
            # nothing of this report
            if not any(check.faults for check in found.checks[1:]):
                tell("playing blocks again")
                found.checks.append(_replays(report, what, every, workers, progress))
                tell("computing every figure again")
                found.checks.append(_figures(document, report, what, keep))
            _note_catalogue(report, what, found)
    except RtpsimError as error:  # the inputs are no game, or say what cannot be played
        found.checks.append(Check("inputs", (str(error),)))
    tell("making the other renderings again")
    faults, notes = compare_renderings(report, source)
    said = "the renderings beside it say the same" if not faults else ""
    found.checks.append(Check("renderings", tuple(faults), said))
    found.notes += notes
    return found


def _own_hash(document: dict[str, Any]) -> Check:
    """Compare the report with the hash that it carries."""
    printed, expected = document["sha256"], own_hash(document)
    if printed != expected:
        said = f"sha256: {printed[:16]} in print, {expected[:16]} expected: the file was changed"
        return Check("own hash", (said,))
    return Check("own hash", said=f"sha256 {expected[:16]} is that of the content")


def _inputs(report: Report, what: Opened) -> Check:
    """Compare the hashes of game and chart in print with those of what is embedded."""
    who, inputs = report.identification, report.reproducibility.inputs
    faults = [
        f"identification.{name}: {printed[:16]} in print, {expected[:16]} expected: {of} is "
        "another one"
        for name, printed, expected, of in (
            (
                "game_file_sha256",
                who.game_file_sha256,
                text_sha256(inputs.game_json),
                "the game's file",
            ),
            ("game_sha256", who.game_sha256, what.game.sha256, "the game"),
            ("chart_sha256", who.chart_sha256, what.chart.sha256, "the chart"),
        )
        if printed != expected
    ]
    return Check("inputs", tuple(faults), "game and chart are those of the hashes")


def _counts(report: Report) -> Check:
    """Compare the counts of the runs with each other."""
    faults = []
    for number, run in enumerate(report.reproducibility.tallies):
        try:
            whole_tally(run)
        except InputError as error:
            faults.append(f"reproducibility.tallies.{number}: {error}")
    return Check("counts", tuple(faults), "the counts go together")


def _replays(
    report: Report,
    what: Opened,
    every: bool,
    workers: int | None,
    progress: Callable[[int, int], None] | None,
) -> Check:
    """Play blocks again."""
    runs = report.reproducibility.tallies
    chosen = [
        (number, block)
        for number, run in enumerate(runs)
        for block in chosen_blocks(run, report.sha256, every=every)
    ]
    faults = []
    for done, (number, block) in enumerate(chosen, start=1):
        run = runs[number]
        again = replay(
            what.game,
            what.chart,
            run.seed,
            run.rounds,
            run.hands,
            unpack_block(run, block),
            workers=workers,
        )
        place = f"reproducibility.tallies.{number}.blocks.{block}"
        faults += [f"{place}: {one}" for one in again.differences[:1]]
        if progress is not None:
            progress(done, len(chosen))
    blocks = sum(len(run.blocks) for run in runs)
    rounds = sum(runs[number].blocks[block].rounds for number, block in chosen)
    how = "every block" if every else f"{len(chosen)} of {blocks} blocks"
    return Check("replay", tuple(faults), f"{how} played again, {rounds:,} rounds, bit for bit")


def chosen_blocks(run: RunTallies, sha256: str, *, every: bool = False) -> list[int]:
    """Return which blocks are played again: all, or a few that the report's hash chooses."""
    numbers = range(len(run.blocks))
    if every or len(numbers) <= BLOCKS:
        return list(numbers)
    return sorted(random.Random(f"{sha256} {run.seed}").sample(numbers, BLOCKS))


def _figures(document: dict[str, Any], report: Report, what: Opened, keep: bool) -> Check:
    """Build the report anew and compare every field."""
    by = report.reproducibility
    anew = build_report(
        what,
        by.inputs,
        by.tallies,
        Circumstances.of(report),
        hands_rounds=None if by.hands_run is None else by.hands_run.rounds,
        keep=keep,
    )
    expected = anew.model_dump(mode="json")
    for one in (document, expected):  # has been compared
        one.pop("sha256")
    found = list(differences(document, expected))
    faults = [str(one) for one in found[:1]]
    if len(found) > 1:
        faults.append(f"{len(found) - 1} more fields differ")
    return Check("figures", tuple(faults), "every figure is what inputs and counts give")


def _note_versions(report: Report, found: Audit) -> None:
    if report.reproducibility.code_sha256 != source_hash():
        found.notes.append(
            f"made by another text of the program (rtpsim {report.identification.rtpsim_version}): "
            "words may differ where figures do not"
        )


def _note_catalogue(report: Report, what: Opened, found: Audit) -> None:
    """Say whether the game is that of the catalogue, since anybody can write a game's file."""
    from rtpsim.games import game_names, load_game
    from rtpsim.report.inputs import game_json

    name = report.identification.game
    if name not in game_names():
        found.notes.append("the game is from a file or a rule string, not from the catalogue")
        return
    own = load_game(name)
    read_so = own.with_settings(
        {one.reading: one.option for one in report.identification.settings if one.option != "other"}
    )
    if game_json(read_so) != report.reproducibility.inputs.game_json:
        found.notes.append(f"the game differs from the catalogue's {name} of this version")
