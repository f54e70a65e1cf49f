"""What all tests share: a cache of their own, and a last word on which tests were left out."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory):
    """Keep exact figures apart from those of the person who runs the tests."""
    folder = tmp_path_factory.mktemp("exact")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rtpsim.exact.figures.cache_folder", lambda: folder)
        yield


NOT_RUN = pytest.StashKey[list[str]]()


def pytest_configure(config):
    config.stash[NOT_RUN] = []


def pytest_deselected(items):
    for item in items:
        item.config.stash[NOT_RUN].append(item.nodeid)


def pytest_terminal_summary(terminalreporter, config):
    skipped = [
        f"{report.nodeid} ({report.longrepr[2].removeprefix('Skipped: ')})"
        for report in terminalreporter.stats.get("skipped", [])
    ]
    left_out = sorted(config.stash[NOT_RUN]) + skipped
    if left_out:
        terminalreporter.section("not run")
        for name in left_out:
            terminalreporter.line(name)
        terminalreporter.line("`make test-all` also runs what is marked slow")
