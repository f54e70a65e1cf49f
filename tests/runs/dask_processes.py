"""A Dask cluster of processes of their own, which can be killed one by one."""

import json
import os
import subprocess
import sys
import time


class Processes:
    """A scheduler and workers of one thread each; a context manager.

    A worker that is killed stays dead: nobody watches over it.
    """

    def __init__(self, folder, workers, port=0):
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.file.unlink(missing_ok=True)
        self.workers = []
        self.environment = {
            **os.environ,
            "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "false",
            "DASK_DISTRIBUTED__WORKER__MEMORY__PAUSE": "false",
        }
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"
        )
        deadline = time.monotonic() + 60
        while not self.file.exists() or not self.file.read_text():
            assert self.scheduler.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        self.address = json.loads(self.file.read_text())["address"]
        for _ in range(workers):
            self.add_worker()

    def _start(self, what, *options):
        log = (self.folder / f"{what}-{len(self.workers)}.log").open("wb")
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *options]
        with log:
            return subprocess.Popen(
                [*command, "--scheduler-file", str(self.file)],
                env=self.environment,
                stdout=log,
                stderr=log,
            )

    def add_worker(self):
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        self.workers.append(self._start("worker", *options))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()
