"""Say at the end of a run which tests were left out, so that nobody takes silence for success."""

import pytest

NOT_RUN = pytest.StashKey[list[str]]()


def pytest_configure(config):
    config.stash[NOT_RUN] = []


def pytest_deselected(items):
    for item in items:
        item.config.stash[NOT_RUN].append(item.nodeid)


def pytest_terminal_summary(terminalreporter, config):
    skipped = [report.nodeid for report in terminalreporter.stats.get("skipped", [])]
    left_out = sorted(config.stash[NOT_RUN]) + [f"{name} (skipped)" for name in skipped]
    if left_out:
        terminalreporter.section("not run")
        for name in left_out:
            terminalreporter.line(name)
        terminalreporter.line("`make test-all` also runs what is marked slow")
