"""Fixtures of the command line's tests."""

import json
import os
import signal
from contextlib import contextmanager

import pytest

from rtpsim.cli.main import run


@pytest.fixture
def call(capsys):
    """Run the command line in this process; return exit status, stdout and stderr."""

    def call(*arguments):
        status = run(arguments)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


@pytest.fixture
def call_json(call):
    """Run a command with ``--json``; return exit status and what it printed, read."""

    def call_json(*arguments):
        status, out, err = call(*arguments, "--json")
        assert err == ""
        return status, json.loads(out)

    return call_json


@pytest.fixture
def interrupted(monkeypatch):
    """Press Ctrl-C once, as soon as the first rounds have been counted."""
    presses = iter([signal.SIGINT])

    def press(done):
        for number in presses:
            os.kill(os.getpid(), number)

    @contextmanager
    def progress_bar(what, rounds):
        yield press

    monkeypatch.setattr("rtpsim.cli.running.progress_bar", progress_bar)
    return monkeypatch
