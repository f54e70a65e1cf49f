"""A gate before the jobs of a cluster: what has to happen while they are played happens then."""

import threading
import time
from contextlib import contextmanager


class Gate:
    """Lets early jobs pass and holds up the others, each on its worker, until it is opened.

    Without it a run may be over before a worker has joined, been refused or been killed. Each
    worker that is held up leaves its process id in the gate's folder.
    """

    def __init__(self, folder, first):
        self.folder = folder
        self.first = first
        self._over = False

    def play_chunks(self):
        """Return `rtpsim.runs.cluster.play_chunks` behind the gate; it travels as code."""
        folder, first = str(self.folder), self.first

        def play_behind_the_gate(run, chunks):
            import os
            import time

            from rtpsim.runs.cluster import play_chunks

            if chunks.start >= first:
                with open(os.path.join(folder, str(os.getpid())), "w"):
                    pass
                ticket = os.path.join(folder, f"{os.getpid()}.ticket")
                while not os.path.exists(os.path.join(folder, "open")):
                    if os.path.exists(ticket):
                        os.unlink(ticket)
                        break
                    time.sleep(0.01)
            return play_chunks(run, chunks)

        return play_behind_the_gate

    def holds(self, process):
        """Say whether a worker has a job in hand that waits at the gate."""
        return (self.folder / str(process.pid)).exists()

    def let_one_pass(self, process):
        """Let the job pass that a worker has in hand."""
        (self.folder / f"{process.pid}.ticket").touch()

    def wait_for(self, condition, seconds=120):
        """Wait until something is so; that it never will be is a failure."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert not self._over, "the run is over"
            assert time.monotonic() < deadline, "what was waited for did not happen"
            time.sleep(0.01)

    @contextmanager
    def open_after(self, happening):
        """Within, let something happen beside the run, then open the gate; its failure is ours."""
        failures = []

        def happen():
            try:
                happening()
            except BaseException as failure:
                failures.append(failure)
            finally:
                (self.folder / "open").touch()

        thread = threading.Thread(target=happen)
        thread.start()
        try:
            yield
        finally:
            self._over = True
            thread.join()
        if failures:
            raise failures[0]
