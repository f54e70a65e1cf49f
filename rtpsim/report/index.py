"""Index of results: a page that lists the verdicts of all reports below a folder.

``python -m rtpsim.report.index FOLDER`` writes FOLDER/README.md.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rtpsim.errors import InputError
from rtpsim.files import write_whole
from rtpsim.report.canonical import read_document, read_report

if TYPE_CHECKING:
    from rtpsim.report.model import Report, WagerJudged

NAME = "README.md"

_HEAD = """# Results

Reports of the catalogue's games, as `make results` writes them. Each is a page (HTML), a workbook \
(XLSX) and the JSON that both are made of, with all that is needed to make it again;

    rtpsim audit results/GAME/GAME.json

computes every figure anew, plays some of the rounds again and says whether the files agree. \
Returns are in percent; the simulated ones with the half-width of their 99 % interval.

A JSON of more than a megabyte is as long as that because it holds the counts of each of some 250 \
blocks of rounds: whoever doubts one plays it again and compares.
"""
_COLUMNS = "| wager | base | published | exact | simulated | verdicts |\n|---|---|--:|--:|--:|---|"


def write_index(folder: Path) -> Path:
    """Write the index of the reports in a folder's folders.

    Raises
    ------
    InputError
        If there is none, one is damaged, or the index cannot be written.
    """
    files = sorted(path for path in folder.glob("*/*.json") if path.stem == path.parent.name)
    if not files:
        raise InputError(f"{folder}: no report; expected {folder}/GAME/GAME.json")
    reports = [read_report(read_document(path), str(path)) for path in files]
    text = index(reports)
    target = folder / NAME
    try:
        write_whole(target, lambda part: part.write_text(text, encoding="utf-8", newline="\n"))
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror or error})") from None
    return target


def index(reports: list[Report]) -> str:
    """Return the index of reports as Markdown."""
    return "\n".join([_HEAD, *(_section(report) for report in reports)])


def _section(report: Report) -> str:
    who = report.identification
    rounds = f"{who.rounds:,}" + (f" of {who.rounds_asked:,}" if who.rounds_asked else "")
    place = f"{who.game}/{who.game}"
    rows = "\n".join(_row(wager) for wager in report.wagers)
    return f"""## {who.title}

`{who.game}`, chart `{who.chart}`: `{who.rule_string}`. {rounds} rounds, seed {who.seed}: \
[page]({place}.html), [workbook]({place}.xlsx), [JSON]({place}.json).

{_COLUMNS}
{rows}
"""


def _row(wager: WagerJudged) -> str:
    published = "-" if wager.published is None else wager.published.figure
    half = wager.simulated.half_width_99
    simulated = f"{100 * (wager.simulated.value or 0.0):.4f}"
    if half is not None:
        simulated += f" ± {100 * half:.4f}"
    return (
        f"| {wager.title} | {wager.base} | {published} | {100 * wager.exact:.4f} | {simulated} | "
        f"{wager.published_verdict}, {wager.simulated_verdict} |"
    )


def main(arguments: list[str]) -> int:
    """Write the index of the folder that is given; return an exit status."""
    if len(arguments) != 1:
        print("usage: python -m rtpsim.report.index FOLDER", file=sys.stderr)
        return 2
    try:
        print(write_index(Path(arguments[0])))
    except InputError as error:
        print(f"rtpsim: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
