"""Crew: the workers of a Dask cluster that may play, and the jobs that they are given.

Every worker is examined before it plays: it must run the same versions, and count what is known of
a few chunks. One that passes is given a resource, `Crew.badge`, and jobs ask for it, so that Dask
itself sends them nowhere else: not to a worker that failed, nor to one that has just joined. Each
crew has a badge of its own: what a worker was worth to an earlier one counts for nothing.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import queue
import re
import time
import uuid
import warnings
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtpsim.errors import ClusterError, InputError, RtpsimError, shown
from rtpsim.runs.selftest import facts, self_test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType

CONNECT_S = 10.0
"""Seconds within which a scheduler has to answer."""

LOOK_S = 1.0
"""Seconds between two looks for workers that have joined."""

_ADDRESS = re.compile(r"(tcp|tls|wss?)://(\[[0-9a-fA-F:.]+\]|[^\s/:\[\]]+):[0-9]{1,5}|inproc://\S+")

MOST_DEATHS = 3
"""Times that a job is given out again after Dask has given it up, its workers having died."""


@dataclass(eq=False)
class Job:
    """A call to be made on some worker, and what the caller knows it by."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    tag: Any = None
    given_up: int = 0


@dataclass
class _Worker:
    """A worker, as far as it is known here."""

    address: str
    threads: int
    examination: Any = None
    ready: bool = False
    refused: str = ""


class Crew:
    """The workers behind a scheduler; a context manager.

    Parameters
    ----------
    address
        Of the scheduler, as ``tcp://host:8786``.
    say
        Is told, in one line, of workers that join or are refused.

    Raises
    ------
    InputError
        If Dask is not installed, the scheduler cannot be reached, or this installation itself
        fails its self-test.
    """

    def __init__(self, address: str, say: Callable[[str], object] = lambda text: None) -> None:
        self.address = address
        self.say = say
        self.facts = facts()
        self._workers: dict[str, _Worker] = {}
        self._jobs: dict[Any, Job] = {}
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._numbers = itertools.count()
        self._token = uuid.uuid4().hex[:12]
        self.badge = f"rtpsim-{self._token}"
        self._looked_at = -LOOK_S
        self._alone = False
        self._backlog: deque[Job] = deque()
        self._waiting: set[Any] = set()
        connect = _connector(address)
        if fault := self_test():
            raise InputError(f"this installation of rtpsim fails its self-test: {fault}")
        self._client = connect()

    def __enter__(self) -> Crew:
        """Look at the workers that are there."""
        self._look()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Take back what is not done, and leave the cluster as it is."""
        with contextlib.suppress(Exception):
            self._client.cancel(list(self._jobs), force=True)
        with contextlib.suppress(Exception):
            self._client.close(timeout=CONNECT_S)

    @property
    def threads(self) -> int:
        """Threads of the workers that may play."""
        return sum(worker.threads for worker in self._workers.values() if worker.ready)

    @property
    def jobs(self) -> int:
        """Number of jobs that are not done."""
        return len(self._jobs) + len(self._backlog)

    def submit(self, job: Job) -> None:
        """Give a job to whichever worker is free."""
        self._backlog.append(job)
        self._give()

    def _give(self) -> None:
        """Hand jobs over to the scheduler, once there is somebody who may do them."""
        while self._backlog and self.threads:
            self._hand_over(self._backlog.popleft())

    def _hand_over(self, job: Job) -> None:
        future = self._client.submit(
            job.function,
            *job.arguments,
            key=f"rtpsim-{self._token}-{next(self._numbers)}",
            resources={self.badge: 1},
            pure=False,
        )
        self._jobs[future] = job
        future.add_done_callback(self._done.put)

    def _nudge(self, processing: Mapping[str, Iterable[str]]) -> None:
        """Submit jobs again that have been waiting for a badge.

        Dask looks for a place for them when a worker joins, which has no badge then, and not when
        it is given one.

        Parameters
        ----------
        processing
            Keys of what each worker has in hand. Asked of all workers: of one that has just died
            the question is an error.
        """
        ready = [worker.address for worker in self._workers.values() if worker.ready]
        placed = {key for address in ready for key in processing.get(address, ())}
        waiting = {
            future
            for future in self._jobs
            if ready and future.key not in placed and future.status == "pending"
        }
        for future in waiting & self._waiting:
            self._hand_over(self._jobs.pop(future))
            future.cancel(force=True)
        self._waiting = waiting - self._waiting

    def finished(self, timeout: float) -> tuple[Job, Any] | None:
        """Wait for a job to be done; return it with its result, or None when the time is over.

        Raises
        ------
        ClusterError
            If the scheduler is lost, if workers die of a job again and again, or if it fails.
        RtpsimError
            If no worker may play, or a job ends with an error of rtpsim's own.
        """
        if time.monotonic() - self._looked_at >= LOOK_S:
            self._look()
        try:
            future = self._done.get(timeout=timeout)
        except queue.Empty:
            self._check_connection()
            return None
        job = self._jobs.get(future)
        if job is None:
            self._judge(future)
            return None
        status = future.status
        if status == "finished":
            return self._fetch(future, job)
        if status not in ("error", "cancelled"):
            # its worker died before the result was fetched, and another computes it again
            future.add_done_callback(self._done.put)
            return None
        del self._jobs[future]
        if status == "cancelled":
            raise self._lost()
        self._give_again(job, future.exception())
        return None

    def _fetch(self, future: Any, job: Job) -> tuple[Job, Any] | None:
        """Get a result; one that went down with its worker is being computed again."""
        try:
            result = future.result(timeout=CONNECT_S)
        except OSError:  # no answer in time, or the connection broke off
            self._check_connection()
            future.add_done_callback(self._done.put)
            return None
        except Exception as error:
            del self._jobs[future]
            self._give_again(job, error)
            return None
        del self._jobs[future]
        return job, result

    def _give_again(self, job: Job, error: BaseException) -> None:
        """Submit a job again whose workers died; any other failure is one of the job's own."""
        from distributed.client import FutureCancelledError
        from distributed.scheduler import KilledWorker

        if isinstance(error, FutureCancelledError):
            raise self._lost()
        if isinstance(error, RtpsimError):
            raise error
        if not isinstance(error, KilledWorker):
            text = (str(error).splitlines() or [""])[0]
            raise ClusterError(f"a worker of {self.address}: {type(error).__name__}: {text}")
        job.given_up += 1
        if job.given_up > MOST_DEATHS:
            raise ClusterError(
                f"{self.address}: workers died again and again of the same job; "
                "do they have enough memory?"
            )
        self.submit(job)

    def _check_connection(self) -> None:
        if self._client.status not in ("running", "connecting"):
            raise self._lost()

    def _lost(self) -> ClusterError:
        return ClusterError(f"{self.address}: the connection to the scheduler was lost")

    # -- who may play --------------------------------------------------------------------------

    def _look(self) -> None:
        """Examine workers that have joined, and forget those that are gone."""
        self._looked_at = time.monotonic()
        try:
            # not scheduler_info(): it may show what a timer of Dask's left there, without workers
            present = self._client.nthreads()
            processing = self._client.processing()
        except (OSError, ValueError):
            raise self._lost() from None
        for address in set(self._workers) - set(present):
            worker = self._workers.pop(address)
            if worker.ready:
                self.say(f"{address} is gone; what it played is played again")
        for address, threads in present.items():
            worker = self._workers.setdefault(address, _Worker(address, int(threads)))
            if worker.examination is None:
                worker.examination = self._examine(address)
                worker.examination.add_done_callback(self._done.put)
        self._complain_if_alone()
        self._nudge(processing)

    def _examine(self, address: str) -> Any:
        return self._client.submit(
            _examination(self.facts),
            key=f"rtpsim-examination-{self._token}-{next(self._numbers)}",
            workers=[address],
            allow_other_workers=False,
            pure=False,
        )

    def _judge(self, examination: Any) -> None:
        """Give a worker whose examination is over the badge, or refuse it."""
        mine = (one for one in self._workers.values() if one.examination is examination)
        worker = next(mine, None)
        if worker is None or examination.status not in ("finished", "error"):
            return  # it went away meanwhile, or this is a job that was given out again
        if examination.status == "finished":
            worker.refused = examination.result(timeout=CONNECT_S)
        else:
            error = examination.exception()
            worker.refused = f"its examination failed: {type(error).__name__}: {error}"[:200]
        if worker.refused:
            self.say(f"{worker.address} is refused: {worker.refused}")
            self._complain_if_alone()
            return
        with contextlib.suppress(OSError):  # gone, which the next look will see
            self._client.run(_award(self.badge, worker.threads), workers=[worker.address])
            worker.ready = True
            threads = "1 thread" if worker.threads == 1 else f"{worker.threads} threads"
            self.say(f"{worker.address} plays, {threads}")
            self._give()

    def _complain_if_alone(self) -> None:
        """Refuse a cluster of which every worker is refused; wait for one that has none."""
        workers = list(self._workers.values())
        refused = [worker for worker in workers if worker.refused]
        if workers and len(refused) == len(workers):
            more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
            raise InputError(
                f"{self.address}: no worker may play: {refused[0].address}{more}: "
                f"{refused[0].refused}"
            )
        if not workers and not self._alone:
            self.say(f"{self.address} has no workers; waiting for one")
        self._alone = not workers


def _connector(address: str) -> Callable[[], Any]:
    """Return a function that connects to a scheduler, if that can be thought of."""
    if not _ADDRESS.fullmatch(address):
        raise InputError(f"--scheduler {shown(address)}: expected tcp://HOST:PORT")
    try:
        import distributed
    except ImportError:
        raise InputError(
            "--scheduler: Dask is not installed here; to install it: pip install 'rtpsim[cluster]'"
        ) from None
    client: Any = distributed.Client
    # what it would say of workers that come and go, and of versions, is said here
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)

    def connect() -> Any:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return client(address, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise InputError(f"--scheduler {address}: cannot be reached ({reason[:150]})") from None

    return connect


def _examination(wanted: dict[str, str]) -> Callable[[], str]:
    """Return a function that says what is wrong with the worker that it runs on, or ``""``.

    It is made here, so that it travels as code: a worker without rtpsim, or with an old one, can
    answer too.
    """

    def examine() -> str:
        try:
            from rtpsim.runs.selftest import facts, self_test

            found = facts()
        except Exception as error:
            return f"rtpsim cannot be used there ({type(error).__name__}: {error})"
        for name, value in wanted.items():
            if found.get(name) != value:
                return f"its {name} is {found.get(name)}, here it is {value}"
        fault = self_test()
        return "" if fault is None else f"it fails its self-test: {fault}"

    return examine


def _award(badge: str, threads: int) -> Callable[..., Any]:
    """Return a function that gives the worker it runs on the resource that jobs ask for."""

    async def award(dask_worker: Any) -> None:
        await dask_worker.set_resources(**{badge: threads})

    return award
