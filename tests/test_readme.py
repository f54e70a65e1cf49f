"""Every command and example of README and docs runs, and prints what stands there.

Run as a script, this file writes the pages anew: what their examples print, the effects of the
rules, the list of commands. ``python tests/test_readme.py tutorial README`` writes only those.
"""

import re
import sys

import pages
import pytest
from pages import (
    ALLOWED,
    DOCS,
    README,
    ROOT,
    arguments_of,
    blocks,
    cut,
    is_long,
    is_report,
    printed_by,
    printed_by_code,
    shortened,
    shown_lines,
    text_of,
)

PAGES = pages.pages()
WITH_COMMANDS = [page for page in PAGES if blocks(page)]
WITH_REPORTS = [
    page
    for page in PAGES
    if any(one.kind != "python" and is_report(one.source) for one in blocks(page))
]


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    pages.prepare(tmp_path)


def difference(block):
    """Run what a page shows and return what is wrong with it, or an empty string."""
    if block.kind == "python":
        lines = printed_by_code(block.source, "example")
        status, allowed = 0, {0}
    else:
        status, lines = printed_by(block.source, *shortened(block.source))
        command = arguments_of(block.source)[0]
        allowed = ALLOWED.get(command, {0}) if is_long(block.source) else {0}
    if status not in allowed:
        return f"ends with {status}"
    if block.output is None:
        return ""
    shown = shown_lines(block.output)
    seen = cut(lines, shown)
    if block.kind == "console" and is_long(block.source):
        return difference_of_long(shown, seen)
    return "" if seen == shown else "prints\n" + "\n".join(seen)


def difference_of_long(shown, seen):
    """Compare what does not depend on the number of rounds: titles, published and exact figures."""
    if seen[:3] != shown[:3]:
        return "begins with\n" + "\n".join(seen[:3])
    for line in shown:
        judged = re.match(r"(\S.*\d %\s+\d+\.\d+)", line)
        if judged and not line.startswith("-"):
            start = judged[1].split()
            if not any(other.split()[: len(start)] == start for other in seen):
                return f"has no line {judged[1]}"
    return ""


PLAYED = [
    pytest.param(
        page,
        id=pages.named(page),
        marks=pytest.mark.slow if page.stem == "tutorial" else (),  # it goes the whole way
    )
    for page in WITH_COMMANDS
]


@pytest.mark.parametrize("page", PLAYED)
def test_what_a_page_shows_runs_and_prints_what_stands_there(page):
    wrong = []
    for block in blocks(page):
        if block.kind == "python" and page.stem == "cluster":
            continue  # other people's clusters
        if block.kind != "python" and is_report(block.source):
            continue
        said = difference(block)
        if said:
            wrong.append(f"{block.source}\n{said}")
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_REPORTS, ids=pages.named)
def test_reports_that_a_page_shows_are_made_and_confirmed(page, tmp_path):
    commands = [one for one in blocks(page) if one.kind != "python" and is_report(one.source)]
    for block in commands:
        assert difference(block) == ""
    assert list(tmp_path.glob("*/*.json"))


def test_a_page_that_says_something_else_is_found():
    right = pages.Block("console", "rtpsim games", printed_by("rtpsim games")[1])
    assert difference(right) == ""
    assert difference(right._replace(output=right.output.replace("6D", "7D")))
    assert difference(right._replace(source="rtpsim show nothing"))
    assert difference(pages.Block("python", "print(1)", "2\n"))


def test_every_command_has_an_example():
    shown = {
        arguments_of(block.source)[0]
        for page in PAGES
        for block in blocks(page)
        if block.kind != "python"
    }
    from rtpsim.cli.main import cli

    assert shown == set(cli.commands)


def test_the_two_commands_come_first():
    commands = [
        line for line in text_of(README).splitlines() if line.startswith("    ") and line.strip()
    ]
    assert [line.split("#")[0].split() for line in commands[:2]] == [
        ["make", "verify"],
        ["make", "test"],
    ]


def test_exit_statuses_are_those_of_the_program():
    from rtpsim.cli import main, output

    table = text_of(README).partition("### Exit status")[2].partition("\n## ")[0]
    statuses = {int(number) for number in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)}
    stops = {output.INTERRUPTED, output.TERMINATED, main.PIPE_CLOSED}
    assert statuses == {0, 1, 3, main.USAGE, main.FAULT} | stops


def test_commands_of_the_overview_are_those_of_the_program():
    from rtpsim.cli.main import cli

    table = text_of(README).partition("| command | what it does |")[2].partition("\n\n")[0]
    first = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert set(re.findall(r"`([^`]+)`", "".join(first))) == set(cli.commands)


def test_the_picture_of_the_architecture_names_every_package():
    picture = text_of(README).partition("Imports point downwards only:")[2].split("```")[1]
    named = set(re.findall(r"^([a-z]+)(?: {2,}|$)", picture, re.MULTILINE))
    named |= set(re.findall(r" {2,}(plots|bench)$", picture, re.MULTILINE))
    packages = {
        path.name
        for path in (ROOT / "rtpsim").iterdir()
        if path.is_dir() and any(path.glob("*.py")) and (path / "__init__.py").exists()
    }
    assert packages <= named
    for name in named - packages:
        assert (ROOT / "rtpsim" / name).is_dir(), name
    for name in re.findall(r"\b[a-z_]+\.py\b", picture):
        assert (ROOT / "rtpsim" / name).is_file(), name


@pytest.mark.parametrize("page", PAGES, ids=pages.named)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text_of(page)):
        if not target.startswith("https://"):
            assert (page.parent / target).exists(), target


def test_pictures_are_small():
    for path in (DOCS / "images").iterdir():
        assert path.stat().st_size < 300_000, path.name


def test_every_page_is_in_the_overview():
    overview = text_of(README).partition("## Documentation")[2]
    for page in DOCS.glob("*.md"):
        assert f"docs/{page.name}" in overview, page.name


if __name__ == "__main__":
    pages.write_all(sys.argv[1:])
