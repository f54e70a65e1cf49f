"""A run on three workers, two of which are killed one after the other, and the client in between.

    python tests/runs/killed.py [ROUNDS]

plays it (4e8 rounds if nothing is said), and once more on the threads of this machine; prints what
happens and when, and whether both runs counted the same integers, which is its exit status too.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dask_processes import Processes
from played import a_run, fingerprint

from rtpsim.runs.checkpoint import Checkpoint
from rtpsim.runs.cluster import Cluster
from rtpsim.runs.play import play

ROUNDS = 400_000_000
EVERY_S = 2.0
"""Seconds between two savings of the client."""


def client(address, path, rounds, resume, *marks):
    """Play on a cluster; at each mark say so and wait to be told to go on.

    Without waiting, a short run could be over before anybody is killed. The workers wait for
    nobody: they have jobs in hand.
    """
    left = sorted(float(mark) for mark in marks)

    def progress(done):
        while left and done >= left[0] * int(rounds):
            left.pop(0)
            print("at", done, flush=True)
            sys.stdin.readline()

    checkpoint = Checkpoint(path, resume=resume == "resume", every=EVERY_S, say=tell)
    engine = Cluster(address, tell)
    run = play(a_run(int(rounds)), engine=engine, checkpoint=checkpoint, progress=progress)
    print("end", run.resumed_rounds, fingerprint(run.tally), flush=True)


def tell(text):
    print("#", text, flush=True)


class Client:
    """The client in a process of its own."""

    def __init__(self, say, *arguments):
        command = [sys.executable, __file__, "client", *map(str, arguments)]
        self.say = say
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def next(self):
        """Return the words of the next line that is an event, and show the others."""
        for line in self.process.stdout:
            if not line.startswith("#"):
                return line.split()
            self.say(line[2:].rstrip())
        raise RuntimeError("the client has ended")

    def until_mark(self):
        """Wait for a mark; return the rounds played by then."""
        word, rounds = self.next()
        assert word == "at"
        return int(rounds)

    def go_on(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def kill(self):
        self.process.kill()
        self.process.communicate()


def killed_one_by_one(folder, rounds, say=lambda text: None):
    """Play as this file says; return the rounds that were resumed, and what was counted."""
    path = folder / "run.ckpt"
    with Processes(folder, workers=3) as cluster:
        first = Client(say, cluster.address, path, rounds, "begin", 1 / 3, 1 / 2)
        say(f"a worker is killed at {first.until_mark():,} rounds")
        cluster.workers[0].kill()
        first.go_on()
        say(f"the client is killed at {first.until_mark():,} rounds")
        first.kill()
        second = Client(say, cluster.address, path, rounds, "resume", 2 / 3)
        say(f"a second worker is killed at {second.until_mark():,} rounds")
        cluster.workers[1].kill()
        second.go_on()
        word, resumed, found = second.next()
        second.process.communicate()
        assert (word, second.process.returncode) == ("end", 0)
        assert [worker.poll() for worker in cluster.workers] == [-9, -9, None]
    say(f"the cluster has played all; {int(resumed):,} rounds were resumed")
    return int(resumed), found


def main(rounds=ROUNDS):
    began = time.monotonic()

    def say(text):
        print(f"{time.monotonic() - began:7.1f} s  {text}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        _, found = killed_one_by_one(Path(folder), int(float(rounds)), say)
    expected = fingerprint(play(a_run(int(float(rounds)))).tally)
    say("this machine has played all by itself")
    print(f"counts of the cluster:   {found}\ncounts of one machine:   {expected}")
    print("the same integers" if found == expected else "DIFFERENT")
    return found != expected


if __name__ == "__main__":
    if sys.argv[1:2] == ["client"]:
        client(*sys.argv[2:])
    else:
        sys.exit(main(*sys.argv[1:]))
