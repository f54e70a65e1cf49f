"""A cluster: the same integers whoever dies, and nobody plays who should not."""

import itertools
import json
import os
import random
import sys
import threading
import time
from contextlib import contextmanager
from functools import cache

import numpy as np
import pytest
from dask_processes import Processes
from gate import Gate
from killed import killed_one_by_one
from played import a_run, fingerprint

from rtpsim.cli.main import run
from rtpsim.errors import InputError, RtpsimError
from rtpsim.runs import crew, selftest
from rtpsim.runs.checkpoint import Checkpoint
from rtpsim.runs.cluster import Cluster, InOrder, cluster_map, job_size, play_chunks
from rtpsim.runs.parcel import unpack
from rtpsim.runs.play import Threads, play
from rtpsim.runs.shards import Shard
from rtpsim.simulation.buffers import Counts
from rtpsim.simulation.streams import STREAM_VERSION

pytest.importorskip("distributed")

ROUNDS = 16_000_000


@pytest.fixture(autouse=True, scope="module")
def _tested_once():
    """Let this process test itself once; workers do so before every run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crew, "self_test", cache(selftest.self_test))
        yield


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with Processes(tmp_path_factory.mktemp("dask"), workers=2) as processes:
        yield processes


@pytest.fixture(scope="module")
def expected():
    """Return the fingerprint of the run on one thread."""
    return fingerprint(play(a_run(ROUNDS), engine=Threads(1)).tally)


class Said(list):
    """What a crew says."""

    def __call__(self, text):
        self.append(text)

    def has(self, *words):
        return [text for text in self if all(word in text for word in words)]


# -- parts that need no cluster ----------------------------------------------------------------


def counts_of(number):
    return Counts(*(np.array([number]) for _ in Counts._fields))


def test_blocks_are_handed_on_in_order_however_they_come():
    pick = random.Random(3)
    cuts = [0, 1, 3, 4, 8, 9, 12]
    blocks = [range(a, b) for a, b in itertools.pairwise(cuts)]
    for order in itertools.permutations(blocks):
        done = []
        in_order = InOrder(0, done.append)
        for chunks in order:
            in_order.add(chunks, counts_of(sum(chunks)))
        assert in_order.waiting == 0
        assert [chunk for block in done for chunk in block.chunks] == list(range(12))
        assert [int(block.counts.labels[0]) for block in done] == [
            sum(block.chunks) for block in done
        ]
    order = blocks[1:]
    pick.shuffle(order)
    done = []
    in_order = InOrder(0, done.append)
    for chunks in order:
        in_order.add(chunks, counts_of(0))
    assert (done, in_order.waiting) == ([], 1)  # neighbours that wait are added up


def test_what_is_kept_apart_is_not_added_up():
    blocks = [range(a, b) for a, b in itertools.pairwise([0, 1, 3, 4, 8, 9, 12])]
    for order in itertools.permutations(blocks):
        done = []
        in_order = InOrder(0, done.append, frozenset({0, 3, 8}))
        for chunks in order:
            in_order.add(chunks, counts_of(sum(chunks)))
        assert in_order.waiting == 0
        assert [chunk for block in done for chunk in block.chunks] == list(range(12))
        for block in done:
            assert int(block.counts.labels[0]) == sum(block.chunks)
            assert not {3, 8} & set(block.chunks[1:])


def test_jobs_are_smaller_towards_the_end():
    sizes, left = [], 100_000
    while left > 0:
        sizes.append(job_size(left, 8))
        left -= sizes[-1]
    assert sizes[0] == 256
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 4
    assert job_size(1000, 0) > 0


def test_a_worker_s_parcel_is_that_of_its_chunks():
    some = a_run(3_000_000)
    plan = some.plan()
    parcel = unpack(play_chunks(some, range(2, 4)), "here", plan.new_counts())
    assert parcel.chunks == range(2, 4)
    assert parcel.counts.labels.sum() == 2 * 2**18


def test_the_self_test_knows_this_version_and_notices_one_round(monkeypatch):
    assert STREAM_VERSION in selftest.KNOWN, "run: python -m rtpsim.runs.selftest"
    assert selftest.self_test() is None
    found = selftest.fingerprint

    def one_round_more(tally):
        if tally.hands == 2:
            tally.initial[1, 2, 3, 4] += 1
        return found(tally)

    monkeypatch.setattr(selftest, "fingerprint", one_round_more)
    assert "something else than is known of blackjack-surrender, 2 a round" in selftest.self_test()
    monkeypatch.setattr(selftest, "KNOWN", {})
    assert "no tallies are known" in selftest.self_test()


@pytest.mark.parametrize(
    "address",
    ["", "here", "127.0.0.1:8786", "tcp://host", "http://host:1", "tcp://a b:1", "tcp://h:x"],
)
def test_addresses_that_are_none(address):
    with pytest.raises(InputError, match=r"--scheduler .*: expected tcp://HOST:PORT"):
        cluster_map(Shard.parse, ["1/2"], address)


def test_a_scheduler_that_is_not_there(monkeypatch):
    monkeypatch.setattr(crew, "CONNECT_S", 0.3)
    with pytest.raises(InputError, match=r"--scheduler tcp://127.0.0.1:9: cannot be reached"):
        cluster_map(Shard.parse, ["1/2"], "tcp://127.0.0.1:9")


def test_dask_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"Dask is not installed here.*rtpsim\[cluster\]"):
        cluster_map(Shard.parse, ["1/2"], "tcp://127.0.0.1:9")


def test_an_installation_that_counts_wrongly_does_not_even_try(monkeypatch):
    monkeypatch.setattr(crew, "self_test", lambda: "wrong")
    with pytest.raises(InputError, match="fails its self-test: wrong"):
        cluster_map(Shard.parse, ["1/2"], "tcp://127.0.0.1:9")


# -- a cluster of processes --------------------------------------------------------------------


def on_worker(cluster, number, function):
    """Run a function on one worker."""
    import distributed

    with distributed.Client(cluster.address, set_as_default=False) as client:
        pids = client.run(os.getpid)
        (address,) = [a for a, pid in pids.items() if pid == cluster.workers[number].pid]
        client.run(function, workers=[address])


@pytest.fixture
def gate(tmp_path, monkeypatch):
    """Return a function that puts up a gate before the jobs of this process's runs."""

    def put_up(first=0):
        gate = Gate(tmp_path, first)
        monkeypatch.setattr("rtpsim.runs.cluster.play_chunks", gate.play_chunks())
        return gate

    return put_up


def test_the_integers_of_one_thread(cluster, expected, gate):
    said, told, gate = Said(), [], gate()
    engine = Cluster(cluster.address, said)
    with gate.open_after(lambda: gate.wait_for(lambda: len(said.has("plays, 1 thread")) == 2)):
        found = play(a_run(ROUNDS), engine=engine, progress=told.append)
    assert fingerprint(found.tally) == expected
    assert engine.workers == 2
    assert told[-1] == ROUNDS
    assert told == sorted(told)


def test_the_blocks_of_one_thread(cluster):
    some = a_run(ROUNDS)
    found = play(some, engine=Cluster(cluster.address), in_blocks=True)
    assert found.blocks == play(some, engine=Threads(1), in_blocks=True).blocks


def test_the_commands_print_the_same_figures(cluster, capsys):
    printed = []
    for where in (("--workers", "1"), ("--scheduler", cluster.address)):
        assert run(["simulate", "signature-surrender", "--rounds", "2e6", "--json", *where]) == 0
        printed.append(json.loads(capsys.readouterr().out))
    one, many = (document.pop("provenance") for document in printed)
    assert printed[0] == printed[1]
    assert (one["scheduler"], many["scheduler"]) == ("", cluster.address)
    assert 1 <= many["workers"] <= 2
    assert run(["verify", "classic-blackjack", "--rounds", "1e6", *where]) == 3
    assert "1,000,000 rounds" in capsys.readouterr().out


@pytest.mark.slow
def test_a_sweep_of_200_rule_sets_prints_the_same_table(cluster, capsys):
    sweep = ["sweep", "6D", "--vary", "decks=1,2,4,6,8", "--vary", "soft17=stand,hit"]
    sweep += ["--vary", "double=any,8-11,9-11,10-11,none", "--vary", "surrender=none,late"]
    sweep += ["--vary", "natural_pays=3:2,6:5", "--strategy", "default", "--no-cache", "--json"]
    printed = []
    for where in (("--workers", "2"), ("--scheduler", cluster.address)):
        assert run([*sweep, *where]) == 0
        printed.append(json.loads(capsys.readouterr().out))
    assert printed[0] == printed[1]
    assert len(printed[0]["rows"]) == 200
    edges = {value["house_edge"] for row in printed[0]["rows"] for value in row["values"]}
    assert len(edges) > 100


def test_a_stopped_run_goes_on_on_threads(cluster, expected, tmp_path):
    stop = threading.Event()

    def progress(rounds):
        if rounds > ROUNDS / 4:
            stop.set()

    path = tmp_path / "run.ckpt"
    checkpoint = Checkpoint(path, every=0)
    first = play(
        a_run(ROUNDS),
        engine=Cluster(cluster.address),
        checkpoint=checkpoint,
        progress=progress,
        stop=stop,
    )
    assert not first.complete
    last = play(a_run(ROUNDS), engine=Threads(2), checkpoint=Checkpoint(path, resume=True))
    assert last.resumed_rounds == first.tally.rounds
    assert fingerprint(last.tally) == expected


def test_workers_of_other_versions_are_refused(cluster, monkeypatch):
    for name in ("numba", "numpy", "rtpsim", "code of rtpsim"):
        monkeypatch.setattr(crew, "facts", lambda name=name: {**selftest.facts(), name: "0.1"})
        with pytest.raises(
            InputError, match=rf"no worker may play.*its {name} is .*, here it is 0"
        ):
            play(a_run(ROUNDS), engine=Cluster(cluster.address))


def test_a_worker_that_counts_wrongly_plays_no_part(cluster, expected, gate):
    def spoil():
        from rtpsim.runs import selftest

        selftest.kept, selftest.KNOWN = selftest.KNOWN, {"2": ("0", "0", "0")}

    def mend():
        from rtpsim.runs import selftest

        selftest.KNOWN = selftest.kept

    on_worker(cluster, 0, spoil)
    said, gate = Said(), gate()
    engine = Cluster(cluster.address, said)
    with gate.open_after(
        lambda: gate.wait_for(lambda: said.has("refused: it fails its self-test"))
    ):
        found = play(a_run(ROUNDS), engine=engine)
    on_worker(cluster, 0, mend)
    assert fingerprint(found.tally) == expected
    assert not gate.holds(cluster.workers[0])
    assert gate.holds(cluster.workers[1])
    assert engine.workers == 1


def test_a_worker_may_die_between_two_looks(cluster):
    with crew.Crew(cluster.address) as some:
        gone = crew._Worker("tcp://127.0.0.1:9", 1, ready=True)
        some._workers[gone.address] = gone
        some._nudge(some._client.processing())
        some._look()
        assert gone.address not in some._workers
        assert len(some._workers) == 2


def test_workers_are_not_lost_by_what_dask_remembers(cluster):
    """Dask's client asks for the cluster's state every two seconds, and for no workers with it."""
    with crew.Crew(cluster.address) as some:
        client = some._client
        asked = client._update_scheduler_info

        async def later_asked_by_the_timer(**_):
            await asked(n_workers=0)

        client._update_scheduler_info = later_asked_by_the_timer
        some._look()
        assert len(some._workers) == 2


def test_a_result_that_goes_down_with_its_worker_is_waited_for(cluster):
    def until(some, condition):
        deadline = time.monotonic() + 60
        while not (found := condition(some.finished(0.1))):
            assert time.monotonic() < deadline
        return found

    with crew.Crew(cluster.address) as some:
        some.submit(crew.Job(int, ("7",), tag="seven"))
        until(some, lambda _: some._jobs)
        (future,) = some._jobs
        done = threading.Event()
        future.add_done_callback(lambda _: done.set())
        assert done.wait(60)
        future._state.lose()  # as Dask does when it hears of it, and when it is there again
        until(some, lambda _: some._done.empty())
        assert some.jobs == 1
        future._state.finish()
        job, result = until(some, lambda found: found)
        assert (job.tag, result, some.jobs) == ("seven", 7, 0)


def test_a_map_keeps_the_order_and_its_own_errors(cluster):
    texts = [f"{k}/40" for k in range(1, 41)]
    told = []
    found = cluster_map(Shard.parse, texts, cluster.address, progress=lambda *of: told.append(of))
    assert found == [Shard(k, 40) for k in range(1, 41)]
    assert told[-1] == (40, 40)
    assert cluster_map(Shard.parse, [], cluster.address) == []
    with pytest.raises(InputError, match="shard 'x': expected K/N"):
        cluster_map(Shard.parse, ["1/2", "x"], cluster.address)
    with pytest.raises(RtpsimError, match=r"a worker of .*: ValueError: invalid literal"):
        cluster_map(int, ["1", "x"], cluster.address)


def killer(moments):
    """Return a progress function that does something once so many rounds are played."""
    left = sorted(moments.items())

    def progress(rounds):
        while left and rounds >= left[0][0]:
            left.pop(0)[1]()

    return progress


def test_a_worker_is_killed_and_another_joins(cluster, expected, gate):
    """The last of the tests of this cluster: one of its workers is another afterwards."""
    said, told, gate = Said(), [], gate(first=20)

    def kill():
        gate.wait_for(lambda: all(map(gate.holds, cluster.workers)))
        cluster.workers[0].kill()
        gate.wait_for(lambda: said.has("is gone; what it played is played again"))
        cluster.add_worker()
        gate.wait_for(lambda: len(said.has("plays, 1 thread")) == 3)
        gate.let_one_pass(cluster.workers[1])  # the next job is for whoever has none
        gate.wait_for(lambda: gate.holds(cluster.workers[-1]))

    with gate.open_after(kill):
        found = play(a_run(ROUNDS), engine=Cluster(cluster.address, said), progress=told.append)
    assert told[0] < gate.first * 2**18 < ROUNDS  # some is played before, some after
    assert len(said.has("plays, 1 thread")) == 3
    assert fingerprint(found.tally) == expected


# -- everything dies ---------------------------------------------------------------------------


@pytest.mark.slow
def test_workers_and_client_are_killed(tmp_path):
    """Three workers, one killed at a third, one at two thirds; the client killed in between."""
    rounds = 400_000_000
    resumed, found = killed_one_by_one(tmp_path, rounds)
    assert 0 < resumed <= 2 * rounds / 3
    assert found == fingerprint(play(a_run(rounds)).tally)


@pytest.mark.slow
def test_all_workers_die_and_others_come(tmp_path):
    said = Said()
    with Processes(tmp_path, workers=1) as cluster:

        def kill():
            cluster.workers[0].kill()
            threading.Timer(3, cluster.add_worker).start()

        found = play(
            a_run(ROUNDS),
            engine=Cluster(cluster.address, said),
            progress=killer({ROUNDS / 3: kill}),
        )
    assert said.has("has no workers; waiting for one")
    assert fingerprint(found.tally) == fingerprint(play(a_run(ROUNDS)).tally)


@pytest.mark.slow
def test_the_scheduler_dies_and_the_run_goes_on_without_a_cluster(tmp_path, capsys, monkeypatch):
    command = ["simulate", "signature-surrender", "--rounds", str(ROUNDS), "--json"]
    keep = ["--checkpoint", str(tmp_path / "run.ckpt"), "--checkpoint-every", "0"]
    with Processes(tmp_path, workers=1) as cluster:
        killed = []

        def kill():
            cluster.scheduler.kill()
            killed.append(time.monotonic())

        @contextmanager
        def kills(what, rounds):
            yield killer({rounds / 3: kill})

        with monkeypatch.context() as patch:
            patch.setattr("rtpsim.cli.running.progress_bar", kills)
            assert run([*command, *keep, "--scheduler", cluster.address]) == 2
        assert time.monotonic() - killed[0] < 120
        assert capsys.readouterr().err.splitlines()[-1] == (
            f"rtpsim: {cluster.address}: the connection to the scheduler was lost; what was played "
            f"is kept: --resume goes on from {tmp_path / 'run.ckpt'}"
        )
    assert run([*command, *keep, "--resume"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert 0 < found.pop("provenance")["resumed_rounds"] < ROUNDS
    assert run(command) == 0
    whole = json.loads(capsys.readouterr().out)
    whole.pop("provenance")
    assert found == whole
