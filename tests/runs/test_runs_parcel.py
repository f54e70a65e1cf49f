"""Parcels: what was packed comes back, and no damage passes."""

import hashlib
import io
import json
import random
import zipfile

import numpy as np
import pytest
from played import a_run

from rtpsim.errors import InputError
from rtpsim.runs.parcel import Parcel, pack, unpack
from rtpsim.runs.run import difference, identity
from rtpsim.simulation.run import run_plan


@pytest.fixture(scope="module")
def parcel():
    run = a_run(5000)
    plan = run.plan()
    return Parcel(identity(run, plan), range(1), run_plan(plan, workers=1))


@pytest.fixture(scope="module")
def content(parcel):
    return pack(parcel)


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def with_checksum(body, title=b"rtpsim counts 1"):
    return b"\n".join([title, hashlib.sha256(body).hexdigest().encode(), body])


def body_of(content):
    return content.split(b"\n", 2)[2]


def rezipped(content, change):
    """Return a parcel whose members went through `change`, with a checksum that fits."""
    with zipfile.ZipFile(io.BytesIO(body_of(content))) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return with_checksum(body.getvalue())


def test_a_parcel_comes_back(parcel, content):
    found = unpack(content, "here", parcel.counts)
    assert (found.identity, found.chunks) == (parcel.identity, parcel.chunks)
    assert same(found.counts, parcel.counts)
    assert found.counts.labels.sum() == 5000
    assert pack(found) == content


def test_every_flipped_bit_is_noticed(parcel, content):
    pick = random.Random(1)
    places = [*range(200), *range(200, len(content), 7), *range(len(content) - 400, len(content))]
    for place in places:
        damaged = bytearray(content)
        damaged[place] ^= 1 << pick.randrange(8)
        with pytest.raises(InputError, match=r"^here: "):
            unpack(bytes(damaged), "here", parcel.counts)


def test_every_truncation_is_noticed(parcel, content):
    for length in [*range(200), *range(200, len(content), 53), len(content) - 1]:
        with pytest.raises(InputError, match=r"^here: (damaged|format version '')"):
            unpack(content[:length], "here", parcel.counts)
    with pytest.raises(InputError, match=r"^here: damaged"):
        unpack(content + b"\0", "here", parcel.counts)


def test_another_version_is_named(parcel, content):
    with pytest.raises(InputError, match=r"here: format version '2'; .* reads 1"):
        unpack(with_checksum(body_of(content), b"rtpsim counts 2"), "here", parcel.counts)


@pytest.mark.parametrize("foreign", [b"", b"PK", b"\x93NUMPY", b"{}", b"\x80\x05K\x01."])
def test_something_else_is_refused(parcel, foreign):
    with pytest.raises(InputError, match="not a checkpoint of rtpsim"):
        unpack(foreign, "here", parcel.counts)
    with pytest.raises(InputError, match="damaged, or of other counts"):
        unpack(with_checksum(foreign), "here", parcel.counts)


def npy(array, **how):
    member = io.BytesIO()
    np.save(member, array, **how)
    return member.getvalue()


CHANGES = {
    "array missing": lambda members: members.pop("labels.npy"),
    "document missing": lambda members: members.pop("run.json"),
    "another array": lambda members: members.update({"more.npy": npy(np.zeros(3, dtype=int))}),
    "another shape": lambda members: members.update({"labels.npy": npy(np.zeros(3, dtype=int))}),
    "another type": lambda members: members.update({"labels.npy": npy(np.zeros(10530))}),
    "an object": lambda members: members.update(
        {"labels.npy": npy(np.array([{}], dtype=object), allow_pickle=True)}
    ),
    "huge": lambda members: members.update({"labels.npy": bytes(5_000_000)}),
    "no chunks": lambda members: members.update({"run.json": b'{"identity": {}}'}),
    "chunks that are none": lambda members: members.update(
        {"run.json": b'{"identity": {}, "chunks": [3, 1]}'}
    ),
    "chunks in words": lambda members: members.update(
        {"run.json": b'{"identity": {}, "chunks": [0, "1"]}'}
    ),
    "identity in words": lambda members: members.update(
        {"run.json": b'{"identity": "me", "chunks": [0, 1]}'}
    ),
    "a list": lambda members: members.update({"run.json": b"[]"}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_other_content_with_a_good_checksum_is_refused(parcel, content, change):
    assert unpack(rezipped(content, lambda members: None), "here", parcel.counts)
    with pytest.raises(InputError, match=r"^here: damaged, or of other counts") as caught:
        unpack(rezipped(content, change), "here", parcel.counts)
    assert "\n" not in str(caught.value)


def test_an_identity_is_plain_and_differs_in_all_that_matters():
    run = a_run(5000)
    known = identity(run, run.plan())
    assert json.loads(json.dumps(known)) == known
    for changes, word in (
        ({"seed": 6}, "seed is 6, not 5"),
        ({"hands": 2}, "hands a round are 2, not 1"),
        ({"side_bets": ()}, "side bets are none, not empire-poker, empire-pairs"),
        ({"game": run.game.with_settings({"soft17": "hit"})}, "rules are 8D H17"),
        ({"chart": run.chart.with_cell("hard 16", 8, "S")}, "hash of its strategy"),
    ):
        other = a_run(5000, **changes)
        assert word in difference(identity(other, other.plan()), known)
    assert difference(known, known) is None
    assert "code of rtpsim" in difference({**known, "code": "0" * 64}, known)
    assert "version of rtpsim" in difference({**known, "rtpsim": "9"}, known)
    assert "missing" in difference({}, known)
