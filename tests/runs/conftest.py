"""Fixtures of the tests of runs."""

import pytest

from rtpsim.simulation import run

CHUNK = 1000


@pytest.fixture
def small_chunks(monkeypatch):
    """Cut runs of this process into chunks of a thousand rounds."""
    monkeypatch.setattr(run, "CHUNK_ROUNDS", CHUNK)
    return CHUNK
