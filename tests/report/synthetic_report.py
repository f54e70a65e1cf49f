"""Reports for tests: real ones, of short runs, with few rule changes, readings by one chart."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import patch

from rtpsim.games import Game, load_game
from rtpsim.report.build.identity import Circumstances
from rtpsim.report.build.report import build_report
from rtpsim.report.inputs import opened, pack_inputs
from rtpsim.report.tallies import pack_run
from rtpsim.rulestring import parse_rules
from rtpsim.runs.prepared import prepare
from rtpsim.runs.run import Run
from rtpsim.strategy import default_chart

if TYPE_CHECKING:
    from rtpsim.report.model import Report

RULES = ("soft17", "natural_pays")
"""Rules whose effects the reports hold."""

HANDS_ROUNDS = 1 << 18
DEALS = 1 << 16

TEMPORARY = TemporaryDirectory(prefix="rtpsim-tests-")
"""Where standing sections are kept: in short, so apart from those of real reports."""


@cache
def synthetic_report(
    game_id: str = "signature-surrender", rounds: int = 2_000_000, hands: int = 1, seed: int = 1
) -> Report:
    """Return a report of a catalogue game, or of a rule string, made once per test session."""
    is_rules = " " in game_id
    game = Game.from_rules(parse_rules(game_id)) if is_rules else load_game(game_id)
    return report_of(game, rounds=rounds, hands=hands, seed=seed)


def report_of(game, chart=None, *, rounds=300_000, hands=1, seed=1, limits=None) -> Report:
    """Return a report of a game, quickly made."""
    chart = chart or default_chart(game)
    run = prepare(Run(game, chart, rounds, seed, hands)).play(in_blocks=True)
    inputs = pack_inputs(game, chart, limits)
    circumstances = Circumstances.collect(f"rtpsim verify '{game.id}' --report out", workers=2)
    with quickly_made(), opened(inputs) as what:
        return build_report(what, inputs, [pack_run(run)], circumstances, hands_rounds=HANDS_ROUNDS)


@contextmanager
def quickly_made():
    """Within, reports are made, and audited, without what takes long or was found before."""
    folder = Path(TEMPORARY.name)
    with (
        patch("rtpsim.report.build.spread.FIELDS", RULES),
        patch("rtpsim.report.build.game.READ_BY", ("default",)),
        patch("rtpsim.report.build.witnesses.DEALS", DEALS),
        patch("rtpsim.report.build.standing.user_cache", lambda: folder),
    ):
        yield
