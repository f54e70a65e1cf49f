"""Shards: a run in contiguous shares of its chunks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rtpsim.errors import InputError, shown


@dataclass(frozen=True)
class Shard:
    """One of several shares of a run.

    Attributes
    ----------
    number, of
        Which share, counted from 1, and how many there are.
    """

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read ``3/16``.

        Raises
        ------
        InputError
            If it is anything else, or there is no such share.
        """
        found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text.strip())
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            raise InputError(f"shard {shown(text)}: expected K/N with K from 1 to N, as 3/16")
        return cls(int(found[1]), int(found[2]))

    def chunks(self, chunks: int) -> range:
        """Return the share's chunks of a run of so many; shares differ by one chunk at most.

        Raises
        ------
        InputError
            If there are fewer chunks than shares.
        """
        if chunks < self.of:
            raise InputError(
                f"shard {self}: the run has {chunks} chunks, too few for {self.of} shares"
            )
        return range(chunks * (self.number - 1) // self.of, chunks * self.number // self.of)

    @classmethod
    def of_chunk(cls, chunk: int, chunks: int, of: int) -> Shard:
        """Return the share that a chunk of a run of so many belongs to."""
        return cls(-(-(chunk + 1) * of // chunks), of)

    def __str__(self) -> str:
        """Return the shard as `parse` reads it."""
        return f"{self.number}/{self.of}"
