"""Every planted fault turns a named test red, which is green without it."""

import importlib
import inspect
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import figure_probes
import probes
import pytest
from probes import GROUPS
from rule_probes import PROBED, check_of

HERE = Path(__file__).parent
HOME = HERE.parent.parent
PAGE = HOME / "docs" / "testing.md"

PROBES = probes.PROBES | figure_probes.PROBES

FAILED = 1
"""Exit status of pytest where a test failed."""

QUICK = {
    "standard error divided by hands instead of rounds",
    "one degree of freedom too many",
    "a short run that passes",
    "insurance that is always lost",
    "a bounded draw without its rejection threshold",
    "a shuffle off by one: the last position is never dealt",
    "rounds counted when they finish",
    "straight flushes not told by the classifier",
}
"""Those that are tried on every change; the others take some minutes."""


@cache
def outcomes(compiled, quick):
    """Try the probes that run with numba's compiler on, or off; return what came of each."""
    names = [
        name
        for name, probe in PROBES.items()
        if probe.compiled == compiled and (name in QUICK) == quick
    ]
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment = {**own, "PYTHONPATH": str(HOME)}
    if not compiled:
        environment["NUMBA_DISABLE_JIT"] = "1"
    done = subprocess.run(
        [sys.executable, str(HERE / "run_probes.py"), "--plain", *names],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return {name: (status, said) for name, status, said in found}


def marked(names):
    slow = pytest.mark.slow
    return [name if name in QUICK else pytest.param(name, marks=slow) for name in names]


@pytest.mark.parametrize("name", marked(PROBES))
def test_a_planted_fault_is_noticed(name):
    status, said = outcomes(PROBES[name].compiled, name in QUICK)[name]
    assert status == FAILED, said
    # a fault that is none, but text that cannot run, would be noticed by everything
    assert not re.search("NameError|SyntaxError|LookupError|ImportError", said), said


def test_every_fault_can_be_planted():
    """What it replaces stands in the program still."""
    for probe in PROBES.values():
        with probe.planted():
            pass


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("quick", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_without_faults_the_same_tests_pass(compiled, quick):
    status, said = outcomes(compiled, quick)["--plain"]
    assert status == 0, said


JUDGING = (
    "verification.run_tests",
    "games.printed",
    "sidebets",
    "verification.published",
    "exact.frequencies",
)
NO_FIGURE = {
    "exact.figures:ExactFigures.strategy",
    "sidebets:SideBet.outcomes",
    "exact.result:solved",
}
"""Names and places."""
SHOWING = {"to_dict", "to_frame", "html", "model_config", "of"}
"""What only writes figures down: that is for the tests of tables and files."""


def figure_functions():
    """Yield the places of all functions and properties of the modules that find figures."""
    for name in (*figure_probes.FIGURES_IN, *JUDGING):
        module = importlib.import_module(f"rtpsim.{name}")
        for inner, thing in vars(module).items():
            if inner[0] == "_" or getattr(thing, "__module__", None) != module.__name__:
                continue
            if not inspect.isclass(thing):
                if callable(thing) and not inner.endswith("to_frame"):
                    yield f"{name}:{inner}"
                continue
            for attribute, value in vars(thing).items():
                computes = inspect.isroutine(value) or hasattr(value, "fget")
                computes = computes or hasattr(value, "func")
                if computes and attribute[0] != "_" and attribute not in SHOWING:
                    yield f"{name}:{inner}.{attribute}"


def test_every_function_that_finds_a_figure_has_a_probe():
    found = set(figure_functions())
    assert len(found) > 90
    probed = {probe.place for probe in probes.ALL}
    assert found - probed - NO_FIGURE == set()
    assert found >= NO_FIGURE
    # a helper's probe is none of its own; nor may a place be gone
    assert {
        "statistics.estimates:main_figures",
        "statistics.significance:chi_squared",
    } <= found & probed


def test_every_field_that_is_a_figure_has_a_probe():
    classes = {
        place for name in figure_probes.FIGURES_IN for place in figure_probes.classes_in(name)
    }
    assert classes <= set(figure_probes.CHECKS)
    main = {
        probe.field
        for probe in figure_probes.ALL
        if probe.place == "statistics.estimates:MainFigures"
    }
    assert {"rtp_total", "hit_frequency", "sd", "rounds"} <= main


def table():
    """Return the lines of the page's table of probes."""
    lines = ["| planted fault | where | turns red |", "|---|---|---|"]
    for title, group in GROUPS.items():
        lines.append(f"| **{title}** | | |")
        for probe in group:
            checks = "<br>".join(f"`{check}`" for check in probe.checks)
            lines.append(f"| {probe.name} | `{probe.place}` | {checks} |")
    lines.append("| **Each figure a hundredth off, and each standard error** | | |")
    for place, check in figure_probes.CHECKS.items():
        figures = ", ".join(
            f"{name}, its error" if estimate else name
            for name, estimate in figure_probes.figures_of(place).items()
        )
        checks = [check] if isinstance(check, str) else check
        lines.append(f"| {figures} | `{place}` | {'<br>'.join(f'`{one}`' for one in checks)} |")
    lines.append("| **Rules: the compiler reads a token as another** | | |")
    for token, (right, wrong, chart) in PROBED.items():
        said = f"`{token}` in `{right}` read as `{wrong}`, chart {chart.name}"
        lines.append(f"| {said} | `program` | {check_of(token)} |")
    lines.append("| **Paytables: a row that pays 1 more or less, two rows swapped** | | |")
    lines.append("| every row of every side bet | the game's file | `games/test_catalogue.py` |")
    return lines


def test_the_page_lists_them_all():
    page = PAGE.read_text(encoding="utf-8")
    begin, end = "<!-- probes -->\n", "\n<!-- end of probes -->"
    listed = page[page.index(begin) + len(begin) : page.index(end)]
    assert listed.split("\n") == table(), "python tests/probes/test_probes.py writes it anew"


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition("<!-- probes -->\n")
    _, _, after = rest.partition("\n<!-- end of probes -->")
    listed = "\n".join(table())
    new = f"{before}<!-- probes -->\n{listed}\n<!-- end of probes -->{after}"
    PAGE.write_text(new, encoding="utf-8")
