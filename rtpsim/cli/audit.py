"""``rtpsim audit``: whether a report says what its inputs and its seed say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rtpsim.cli import options
from rtpsim.cli.output import console, count, print_json, say, wrap

if TYPE_CHECKING:
    from rtpsim.report.audit.audit import Audit


@click.command(
    "audit",
    epilog="""\b
Examples:
  rtpsim audit results/signature-surrender/signature-surrender.json
  rtpsim audit out/mine.json --all

\b
Exit status:
  0    everything is confirmed
  1    something is not what inputs, counts and seed say
  2    the file is damaged, no report, or of another version""",
)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--all", "every", is_flag=True, help="Play every block of the run again, not a few.")
@options.workers_option()
@click.option(
    "--cache",
    "keep",
    is_flag=True,
    help="Take exact figures from the cache where they are there, instead of computing them anew.",
)
@options.json_option()
def audit_command(file: Path, every: bool, workers: int | None, keep: bool, as_json: bool) -> int:
    """Check a report: hashes, counts, every figure, and the renderings beside it.

    FILE is the report's JSON. Its own hash is checked first, then those of game and chart; some
    blocks of the run are played again, bit for bit; every figure is computed again from inputs
    and counts; HTML, workbook and PDF are made again and compared.
    """
    from rtpsim.report.audit.audit import audit

    found = audit(file, every=every, workers=workers, keep=keep, say=say)
    if as_json:
        print_json(found.to_dict())
    else:
        _print(found)
    return 0 if found.passed else 1


def _print(found: Audit) -> None:
    """Print what was checked, and what is wrong."""
    width = console().width
    click.echo(wrap(f"{found.game}, chart {found.chart}: {count(found.rounds)} rounds", width, ""))
    for check in found.checks:
        if not check.faults:
            click.echo(wrap(f"{check.name}: {check.said}", width, "  ", "- "))
        for fault in check.faults:
            click.echo(wrap(f"{check.name}: NOT CONFIRMED: {fault}", width, "  ", "- "))
    for note in found.notes:
        click.echo(wrap(f"note: {note}", width, "  ", "- "))
    click.echo("NOT CONFIRMED" if found.faults else "CONFIRMED")
