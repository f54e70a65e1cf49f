"""Results and checkpoints with faults in them: refused by name, or the very same ones."""

import hashlib
import io
import json
import random
import zipfile

import pytest
from fuzzing import TIMES, check
from mutations import JUNK, bytes_changed, differences, tree_changed
from outcomes import Outcomes
from played import a_run

from rtpsim.provenance import Provenance
from rtpsim.results import SimulationResult
from rtpsim.results.chunks import Chunks
from rtpsim.results.files import load_result, read_json
from rtpsim.runs.parcel import Parcel, pack, unpack
from rtpsim.runs.run import identity
from rtpsim.simulation import simulate
from rtpsim.simulation.run import run_plan
from rtpsim.simulation.streams import CHUNK_ROUNDS

ROUNDS = 60


@pytest.fixture(scope="module")
def result():
    run = a_run(ROUNDS)
    tally = simulate(run.game, run.chart, rounds=ROUNDS, seed=1, workers=1)
    origin = Provenance.collect(run.game, run.chart, rounds=ROUNDS, rounds_asked=ROUNDS, workers=1)
    return SimulationResult.from_tally(
        run.game, run.chart, 1, tally, origin, Chunks(0, 1, CHUNK_ROUNDS)
    )


def saved(result, tmp_path, suffix):
    path = tmp_path / f"run{suffix}"
    result.save(path)
    return path, path.read_bytes()


def read_from(path):
    def read(content):
        path.write_bytes(content)
        return load_result(path)

    return read


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("suffix", [".json", ".parquet"])
def test_damaged_files(result, tmp_path, suffix, times):
    path, content = saved(result, tmp_path, suffix)
    rng, outcomes = random.Random(times), Outcomes()
    for _ in range(600 * times):
        outcomes.feed(read_from(path), bytes_changed(rng, content), path.name)
    check(outcomes, lambda content, found: None if found == result else "it is another result")


@pytest.mark.parametrize("times", TIMES)
def test_other_keys_and_values(result, tmp_path, times):
    _, content = saved(result, tmp_path, ".json")
    tree = json.loads(content)
    rng, outcomes = random.Random(times), Outcomes()
    for _ in range(600 * times):
        outcomes.feed(lambda text: read_json(text, "run.json"), json.dumps(tree_changed(rng, tree)))
    check(
        outcomes,
        # without its checksum a result is as one that was printed
        lambda text, found: None if found == result else str(differences(tree, json.loads(text))),
    )


FREE = {("game",), ("strategy",), ("seed",), ("bets",), ("chunks",), ("chunks", "rounds_each")}
"""What nothing else in a printed result depends on; names, and what may be left out."""


@pytest.mark.parametrize("times", TIMES)
def test_printed_results_have_no_checksum_but_follow_from_their_counts(result, times):
    tree = json.loads(result.to_json())
    rng, outcomes = random.Random(times), Outcomes()
    for _ in range(800 * times):
        outcomes.feed(lambda text: read_json(text, "run.json"), json.dumps(tree_changed(rng, tree)))

    def misread(text, found):
        document = json.loads(text)
        for place in differences(document, json.loads(found.to_json())):
            # older versions said less of where a run came from
            if place[0] != "provenance" or place[1] in document["provenance"]:
                return f"lost {place}"
        changed = {path for path in differences(document, tree) if path[0] != "provenance"}
        odd = {path for path in changed if path not in FREE and path[-1] not in ("bet", "title")}
        return f"{odd}" if odd else None

    check(outcomes, misread)


@pytest.mark.parametrize("times", TIMES)
def test_checkpoints(times):
    run = a_run(ROUNDS)
    plan = run.plan()
    parcel = Parcel(identity(run, plan), range(1), run_plan(plan, workers=1))
    content = pack(parcel)
    rng, outcomes = random.Random(times), Outcomes()
    for _ in range(600 * times):
        outcomes.feed(
            lambda content: unpack(content, "run.ckpt", parcel.counts),
            bytes_changed(rng, content),
            "run.ckpt",
        )
    check(outcomes, lambda content, found: None if pack(found) == pack(parcel) else "another")


@pytest.mark.parametrize("times", TIMES)
def test_checkpoints_of_another_hand_with_a_good_checksum(times):
    """Whoever makes a file can make its checksum: what is inside is checked too."""
    run = a_run(ROUNDS)
    plan = run.plan()
    parcel = Parcel(identity(run, plan), range(1), run_plan(plan, workers=1))
    title, _, body = pack(parcel).split(b"\n", 2)
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}

    def damaged(rng):
        changed = dict(members)
        name = rng.choice(list(members))
        if name.endswith(".json"):
            tree = tree_changed(rng, json.loads(members[name]), JUNK)
            changed[name] = json.dumps(tree).encode()
        else:
            place = rng.randrange(128)  # the head of the member; its numbers are anybody's
            member = bytearray(changed[name])
            member[place] ^= 1 << rng.randrange(8)
            changed[name] = bytes(member)
        inside = io.BytesIO()
        with zipfile.ZipFile(inside, "w") as archive:
            for one, value in changed.items():
                archive.writestr(one, value)
        return inside.getvalue()

    def sealed(body):
        return b"\n".join([title, hashlib.sha256(body).hexdigest().encode(), body])

    rng, outcomes = random.Random(times), Outcomes()
    for _ in range(700 * times):
        outcomes.feed(
            lambda body: unpack(sealed(body), "run.ckpt", parcel.counts), damaged(rng), "run.ckpt"
        )

    def misread(body, found):
        arrays = all((a == b).all() for a, b in zip(found.counts, parcel.counts, strict=True))
        return None if arrays and isinstance(found.identity, dict) else "other counts"

    check(outcomes, misread)
