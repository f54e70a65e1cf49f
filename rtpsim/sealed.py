"""Parquet files with a checksum in them: of others Arrow is not given a byte."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from rtpsim.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

MOST_VALUES = 10_000_000
"""What holds more values is nothing that was written here: a few bytes may stand for very many."""

_SEAL = b"rtpsim.sha256"


def seal(content: bytes) -> bytes:
    """Return a Parquet file with its checksum in it, between the rows and the footer.

    The footer says where the rows are, so readers of Parquet do not see what else is there.
    """
    rows, footer = _halves(content)
    return rows + _SEAL + hashlib.sha256(rows + footer).digest() + footer


def sealed_table(table: pa.Table) -> bytes:
    """Return a table as a Parquet file with its checksum in it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pa.BufferOutputStream()
    pq.write_table(table, file)
    return seal(file.getvalue().to_pybytes())


def read_sealed(content: bytes, source: str, what: str) -> pa.Table:
    """Read a Parquet file that `seal` has sealed.

    Parameters
    ----------
    content
        The file's bytes.
    source, what
        What messages call the file, and what it should be (``a result``).

    Raises
    ------
    InputError
        If it is damaged, something else, or absurdly large when unpacked.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not is_whole(content):
        raise InputError(
            f"{source}: damaged, or not {what} of rtpsim: its checksum does not fit its content"
        )
    try:
        file = pq.ParquetFile(pa.BufferReader(content))
        if _unpacked(file.metadata) > MOST_VALUES:
            raise InputError(f"{source}: holds more than {MOST_VALUES} values; not {what}")
        table = file.read()
        _ = table.column_names  # which need not be text
    except (pa.ArrowException, OSError, MemoryError, UnicodeDecodeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{source}: damaged, or not Parquet ({reason[:200]})") from None
    return table


def is_whole(content: bytes) -> bool:
    """Say whether a file is as `seal` made it.

    Arrow takes the whole process down with it over some files that are damaged, so it is not
    given any.
    """
    rows, footer = _halves(content)
    rows, sealed, digest = rows.rpartition(_SEAL)
    return bool(sealed) and hashlib.sha256(rows + footer).digest() == digest


def _halves(content: bytes) -> tuple[bytes, bytes]:
    """Return a Parquet file before and from its footer on; its length stands near its end."""
    length = int.from_bytes(content[-8:-4], "little") + 8
    start = max(len(content) - length, 0)
    return content[:start], content[start:]


def _unpacked(metadata: Any) -> int:
    """Return how many values a file says that it holds."""
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    values = sum(
        group.column(number).num_values for group in groups for number in range(group.num_columns)
    )
    return max(int(values), int(metadata.num_rows) * int(metadata.num_columns))
