"""The pages of the documentation: their commands and examples, run in order and written anew.

A ``console`` block shows one command and what it prints, an ``sh`` block commands alone, a
``python`` block code; a ``text`` block right behind it is what that prints. The blocks of a page
run from top to bottom in one folder, in which the files of ``docs/examples`` lie.
"""

import contextlib
import io
import os
import re
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

from rtpsim.cli.main import run

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
DOCS = ROOT / "docs"
EXAMPLES = DOCS / "examples"
FENCE = re.compile(r"```(console|sh|python)\n(.*?)```(?:\n+```text\n(.*?)```)?", re.DOTALL)
SPEED = re.compile(r"[\d.]+ s, [\d.]+ [GMk]? ?rounds/s")
CUT = "..."
"""Last line of an output that a page does not show in full."""
SHORT = {
    "simulate": ("--rounds", "1e6"),
    "verify": ("--rounds", "1e5"),
    "bench": ("--rounds", "1e6"),
}
"""Given too, where a command would play for long: the last value of an option counts."""
ALLOWED = {"verify": {0, 3}}
"""Exit statuses of commands that may end otherwise than with 0: too few rounds are played here."""
ELSEWHERE = re.compile(r"^(dask|sbatch|make)|--scheduler|\$SLURM")
"""Commands that need a cluster, or that make what is not there."""


class Block(NamedTuple):
    """What runs: a command (``console``, ``sh``) or code, and what it prints according to the page.

    ``output`` is None where the page does not say.
    """

    kind: str
    source: str
    output: str | None


def pages():
    """Return the README and every page of the docs."""
    return [README, *sorted(DOCS.glob("*.md"))]


def named(page):
    return page.relative_to(ROOT).as_posix()


def text_of(page):
    return page.read_text(encoding="utf-8")


def fenced(kind, page):
    """Return the contents of the page's fenced blocks of a kind."""
    return re.findall(rf"```{kind}\n(.*?)```", text_of(page), re.DOTALL)


def blocks(page):
    """Return what runs on a page, in order."""
    found = []
    for kind, source, output in FENCE.findall(text_of(page)):
        if kind == "python":
            found.append(Block(kind, source, output or None))
        elif kind == "console":
            command, _, shown = source.removeprefix("$ ").partition("\n")
            found.append(Block(kind, command, shown))
        else:
            lines = source.replace("\\\n", " ").splitlines()
            found += [Block(kind, line, None) for line in lines if not ELSEWHERE.search(line)]
    return found


def arguments_of(command):
    program, *arguments = shlex.split(command, comments=True)
    assert program == "rtpsim", command
    return arguments


def is_report(command):
    """Whether a command makes or checks a report, which takes most of a minute."""
    return "--report" in command or command.startswith("rtpsim audit")


def is_long(command):
    """Whether a command plays for longer than a test may."""
    arguments = arguments_of(command)
    if arguments[0] == "verify" and not re.search(r"--rounds 1e[1-6]\b", command):
        return True
    return bool(re.search(r"--rounds \d?e(9|1\d)|--until-half-width", command)) or (
        arguments[0] == "bench"
    )


def shortened(command):
    """Return what is added to a command so that it ends soon."""
    if "--until-half-width" in command:
        return ("--until-half-width", "5")
    return SHORT[arguments_of(command)[0]] if is_long(command) else ()


def printed_by(command, *more):
    """Return the exit status of a command, and what it prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = run([*arguments_of(command), *more])
    return status, out.getvalue()


def printed_by_code(code, name):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, name, "exec"), {"__name__": "__main__"})
    return out.getvalue()


def without_speed(text):
    """Leave out what depends on the machine."""
    return SPEED.sub("...", text)


def cut(printed, shown):
    """Return lines of an output, as many as the page shows."""
    lines = without_speed(printed).rstrip().splitlines()
    if shown and shown[-1] == CUT:
        return [*lines[: len(shown) - 1], CUT]
    return lines


def shown_lines(output):
    return without_speed(output).rstrip().splitlines()


def prepare(folder):
    """Put the files of the examples into a folder."""
    for path in EXAMPLES.iterdir():
        shutil.copy(path, folder)


def fill(page):
    """Write what the page's commands and code print now into the page."""

    def filled(match):
        kind, source, output = match[1], match[2], match[3]
        if kind == "sh":
            for line in source.replace("\\\n", " ").splitlines():
                if not ELSEWHERE.search(line):
                    printed_by(line, *shortened(line))
            return match[0]
        if kind == "python":
            printed = printed_by_code(source, named(page))
            if output is None:
                return match[0]
            lines = cut(printed, shown_lines(output))
            return "\n".join(["```python", f"{source}```", "", "```text", *lines, "```"])
        command, _, before = source.removeprefix("$ ").partition("\n")
        _, printed = printed_by(command)
        lines = cut(printed, shown_lines(before))
        return "\n".join(["```console", f"$ {command}", *lines, "```"])

    page.write_text(FENCE.sub(filled, text_of(page)), encoding="utf-8")


def write_all(only=()):
    """Write every page anew, or those named: outputs, effects of rules, commands."""
    import tempfile

    from docs_tables import write_commands, write_effects

    os.environ["COLUMNS"] = "80"
    write_commands()
    for page in pages():
        if only and page.stem not in only:
            continue
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            prepare(folder)
            if page.stem == "rules":
                write_effects()
            if page.stem != "cluster":
                fill(page)
