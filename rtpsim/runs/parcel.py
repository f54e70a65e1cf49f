"""Parcels: counts of some chunks of a run, packed with the run's identity and a checksum.

A parcel is what a checkpoint holds and what a worker of a cluster sends back. Its first line names
the format and its version, its second is the SHA-256 of everything below: a zip archive with a
JSON document, ``run.json``, and one ``.npy`` member for each array of counts. Where the run is kept
in blocks there are also ``blocks.json``, with those that are whole, and the counts of the one that
is not, in the folder ``begun``. Nothing in it is code, and nothing is unpacked before the checksum
and the sizes are known to be right.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rtpsim.errors import InputError, shown
from rtpsim.runs.blocks import BlocksSoFar, BlockTally
from rtpsim.runs.run import difference

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rtpsim.simulation.buffers import Counts

FORMAT_VERSION = 1
"""Version of the layout; a reader refuses any other."""

_TITLE = b"rtpsim counts "
_DOCUMENT = "run.json"
_BLOCKS = "blocks.json"
_BEGUN = "begun/"
_MOST_BYTES = 1 << 20
"""More than an identity needs, or the head of a ``.npy`` member."""
_MOST_OF_BLOCKS = 1 << 26
"""More than 256 blocks need, of which each has some hundred cells at the most."""


@dataclass(frozen=True)
class Parcel:
    """Counts of neighbouring chunks.

    Attributes
    ----------
    identity
        Of the run (`rtpsim.runs.run.identity`).
    chunks
        Which chunks are counted.
    counts
        The sum of their counts, in the kernel's own order.
    blocks
        The same in blocks; None where the run is not kept in blocks.
    """

    identity: dict[str, Any]
    chunks: range
    counts: Counts
    blocks: BlocksSoFar | None = None


def pack(parcel: Parcel) -> bytes:
    """Return a parcel as bytes, the same for the same parcel."""
    document = {
        "identity": parcel.identity,
        "chunks": [parcel.chunks.start, parcel.chunks.stop],
    }
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        _add(archive, _DOCUMENT, json.dumps(document, indent=1).encode())
        _add_counts(archive, "", parcel.counts)
        if parcel.blocks is not None:
            blocks = [block.to_dict() for block in parcel.blocks.whole]
            _add(archive, _BLOCKS, json.dumps(blocks, separators=(",", ":")).encode())
            _add_counts(archive, _BEGUN, parcel.blocks.begun)
    content = body.getvalue()
    title = _TITLE + str(FORMAT_VERSION).encode()
    checksum = hashlib.sha256(content).hexdigest().encode()
    return b"\n".join([title, checksum, content])


def _npy(numbers: NDArray[Any]) -> bytes:
    member = io.BytesIO()
    np.lib.format.write_array(member, numbers, allow_pickle=False)
    return member.getvalue()


def _add_counts(archive: zipfile.ZipFile, folder: str, counts: Counts) -> None:
    for name, numbers in counts._asdict().items():
        _add(archive, f"{folder}{name}.npy", _npy(numbers))


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Add a member without a date, which would make equal parcels differ."""
    member = zipfile.ZipInfo(name)
    member.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(member, content)


def unpack(
    content: bytes, source: str, like: Counts, wanted: dict[str, Any] | None = None
) -> Parcel:
    """Read what `pack` wrote.

    Parameters
    ----------
    content, source
        The bytes, and what to call them in messages.
    like
        Counts of the run that it should be of: the same arrays are expected.
    wanted
        Identity of that run, where another one is to be refused as such: its arrays may differ too,
        which says less.

    Raises
    ------
    InputError
        If it is something else, damaged, of another version or run, or holds other arrays.
    """
    title, _, rest = content.partition(b"\n")
    checksum, _, body = rest.partition(b"\n")
    if not title.startswith(_TITLE):
        raise InputError(f"{source}: damaged, or not a checkpoint of rtpsim")
    version = title.removeprefix(_TITLE).decode("ascii", "replace")
    if version != str(FORMAT_VERSION):
        raise InputError(
            f"{source}: format version {shown(version)}; this version of rtpsim reads "
            f"{FORMAT_VERSION}"
        )
    if hashlib.sha256(body).hexdigest().encode() != checksum:
        raise InputError(f"{source}: damaged: its checksum does not fit its content")
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            return _from_archive(archive, source, like, wanted)
    except InputError:  # a ValueError too, but it says what it is about
        raise
    except (
        AttributeError,
        EOFError,
        KeyError,
        NotImplementedError,  # a compression that Python does not know
        OSError,
        RuntimeError,  # an encrypted member
        TypeError,
        ValueError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{source}: damaged, or of other counts: {reason[:100]}") from None


def _from_archive(
    archive: zipfile.ZipFile, source: str, like: Counts, wanted: dict[str, Any] | None
) -> Parcel:
    document = json.loads(_member(archive, _DOCUMENT, _MOST_BYTES))
    start, stop = document["chunks"]
    if not (type(start) is type(stop) is int and 0 <= start <= stop):
        raise ValueError(f"chunks {shown(document['chunks'])}")
    if not isinstance(document["identity"], dict):
        raise TypeError("the identity is no table")
    if wanted and (other := difference(document["identity"], wanted)):
        raise InputError(f"{source}: of another run: {other}")
    blocks, known = None, {_DOCUMENT, *_names("", like)}
    if _BLOCKS in archive.namelist():
        rows = json.loads(_member(archive, _BLOCKS, _MOST_OF_BLOCKS))
        whole = tuple(map(BlockTally.from_dict, rows))
        blocks = BlocksSoFar(whole, _counts(archive, _BEGUN, like))
        known |= {_BLOCKS, *_names(_BEGUN, like)}
    counts = _counts(archive, "", like)
    if names := set(archive.namelist()) - known:
        raise ValueError(f"it also holds {shown(min(names))}")
    return Parcel(document["identity"], range(start, stop), counts, blocks)


def _names(folder: str, like: Counts) -> list[str]:
    return [f"{folder}{name}.npy" for name in like._fields]


def _counts(archive: zipfile.ZipFile, folder: str, like: Counts) -> Counts:
    """Read the arrays of a folder, which are the same as those of `like`."""
    arrays = []
    for name, expected in zip(_names(folder, like), like, strict=True):
        member = _member(archive, name, expected.nbytes + _MOST_BYTES)
        # its head is what numpy writes, or it is not read: numpy would parse it as Python
        head = _npy(expected)[: -expected.nbytes or None]
        if not member.startswith(head) or len(member) != len(head) + expected.nbytes:
            raise ValueError(f"{name} is not {expected.dtype} {expected.shape}")
        numbers = np.frombuffer(member, expected.dtype, offset=len(head))
        arrays.append(numbers.reshape(expected.shape).copy())
    return type(like)(*arrays)


def _member(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Unpack a member that is not larger than it can be."""
    if archive.getinfo(name).file_size > most:
        raise ValueError(f"{name} is too large")
    return archive.read(name)
