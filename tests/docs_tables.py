"""Tables of the docs that are made from the program: its commands, and what each rule is worth."""

import re
from typing import NamedTuple

import click
from pages import DOCS

from rtpsim.cli.main import cli
from rtpsim.exact.figures import exact_figures
from rtpsim.games import load_game
from rtpsim.rulestring import parse_rules

COMMANDS = DOCS / "commands.md"
RULES = DOCS / "rules.md"
BASE = "8D SPL3"
"""The rules of which every other token changes one."""
WAY = "optimal-td"
HEAD = """# Commands

Every command with its options, as `rtpsim COMMAND -h` tells them too. Made from the program: do not
edit. A `GAME` is a name of the catalogue, a game file or a rule string. Counts may be written
`1e6`. Exit statuses are in the [README](../README.md#exit-status).
"""


def commands(group=cli, path="rtpsim"):
    """Yield every command with its full name, in alphabetical order; groups before their own."""
    for name, command in sorted(group.commands.items()):
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")


def _option(option):
    names = ", ".join(option.opts)
    if option.is_flag or option.count:
        return f"`{names}`"
    kind = option.metavar
    if kind is None and isinstance(option.type, click.Choice):
        kind = "|".join(option.type.choices)
    return f"`{names} {kind or option.type.name.upper()}`"


def _cell(text):
    return re.sub(r"\s+", " ", text).strip().replace("|", "\\|")


def _usage(path, command):
    parts = [path]
    if isinstance(command, click.Group):
        parts.append("COMMAND")
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            word = parameter.metavar or parameter.name.upper()
            word += "..." if parameter.nargs == -1 and "..." not in word else ""
            parts.append(word if parameter.required or word.startswith("[") else f"[{word}]")
    if any(isinstance(one, click.Option) for one in command.params):
        parts.append("[OPTIONS]")
    return " ".join(parts)


def commands_page():
    """Return the page of all commands."""
    lines = [HEAD]
    for path, command in commands():
        lines += [f"## {path}", "", f"`{_usage(path, command)}`", ""]
        paragraphs = command.help.replace("\b", "").strip().split("\n\n")
        lines += [line for text in paragraphs for line in (" ".join(text.split()), "")]
        options = [one for one in command.params if isinstance(one, click.Option) and one.help]
        if options:
            lines += ["| option | |", "|---|---|"]
            for option in options:
                written = _option(option).replace("|", "\\|")
                lines.append(f"| {written} | {_cell(option.help)} |")
            lines.append("")
        if command.epilog:
            said = command.epilog.replace("\b", "").strip("\n")
            lines += [*_indented(said), ""]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def _indented(text):
    """Yield an epilog as Markdown: lines that stand in stay as they are."""
    for line in text.splitlines():
        bare = line.rstrip()
        if bare and not bare.startswith(" "):
            yield from ("", bare, "")
        elif bare:
            yield "    " + bare.strip()


class RuleRow(NamedTuple):
    """A row of the rule reference."""

    token: str
    setting: str
    meaning: str
    favours: str
    effect: str
    base: str


def _row(line):
    """Return a line of the page as a row, or None."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if len(cells) != 5 or not cells[0].startswith("`"):
        return None
    token, setting, meaning, favours, effect = cells
    effect, _, base = effect.partition(" at ")
    return RuleRow(token.strip("`"), setting.strip("`"), meaning, favours, effect, base.strip("`"))


def rule_rows():
    """Return the rows of the rule reference."""
    rows = map(_row, RULES.read_text(encoding="utf-8").splitlines())
    return [row for row in rows if row is not None]


def edge(rules):
    game = load_game(rules)
    return -exact_figures(game, WAY, moments=False).main_net


def effect(row):
    """Return what a row's rule changes of the house edge, in basis points, as the page writes it.

    The rules that a row is measured against are the page's, or its own.
    """
    base = parse_rules(row.base or BASE)
    field, _, value = row.setting.partition("=")
    changed = base.replace(**{field: value})
    points = 1e4 * (edge(str(changed)) - edge(str(base)))
    return f"{points:+.2f}".replace("-0.00", "0.00").replace("+0.00", "0.00")


def write_commands():
    """Write the page of commands anew."""
    COMMANDS.write_text(commands_page(), encoding="utf-8")


def write_effects():
    """Write the effects in the rule reference anew."""

    lines = []
    for line in RULES.read_text(encoding="utf-8").splitlines():
        row = _row(line)
        if row is not None and row.effect != "base":
            worth = effect(row) + (f" at `{row.base}`" if row.base else "")
            line = f"{line.rsplit(' | ', 1)[0]} | {worth} |"
        lines.append(line)
    RULES.write_text("\n".join(lines) + "\n", encoding="utf-8")
