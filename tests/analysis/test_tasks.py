"""Tasks shared out to processes: deaf to Ctrl-C, and gone when who started them stops."""

import signal
import time
from multiprocessing import active_children

import pytest

from rtpsim.analysis.tasks import shared_out

PATIENCE_S = 60
"""A process may take long to start on a busy machine; the sleepers below would take hours."""


def blocked(_):
    """Return the signals that a process does not hear."""
    return signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signal masks here")
def test_processes_are_deaf_to_interrupts_and_this_one_is_not():
    with shared_out(blocked, [0, 1], workers=2) as results:
        assert all(signal.SIGINT in one for one in results)
    assert signal.SIGINT not in blocked(None)


def test_an_error_ends_what_is_still_running():
    before = set(active_children())
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt), shared_out(time.sleep, [3600] * 3, workers=2):
        raise KeyboardInterrupt
    assert time.monotonic() - began < PATIENCE_S
    assert set(active_children()) <= before
