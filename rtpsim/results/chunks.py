"""Chunks: which part of a run a result counts."""

from __future__ import annotations

from dataclasses import dataclass

from rtpsim.errors import InputError


@dataclass(frozen=True)
class Chunks:
    """Neighbouring chunks of a run.

    Attributes
    ----------
    first, end
        Number of the first chunk, and of the one behind the last.
    rounds_each
        Rounds of a chunk; the whole run's last one may have fewer.

    Raises
    ------
    InputError
        If there are no such chunks.
    """

    first: int
    end: int
    rounds_each: int

    def __post_init__(self) -> None:
        if not 0 <= self.first < self.end or self.rounds_each < 1:
            raise InputError(
                f"chunks {self.first} to {self.end}, {self.rounds_each} rounds each: none are such"
            )

    def may_hold(self, rounds: int) -> bool:
        """Say whether so many rounds can be in the chunks: a run's very last one may be short."""
        most = (self.end - self.first) * self.rounds_each
        return most - self.rounds_each < rounds <= most

    def __str__(self) -> str:
        """Return the numbers of the first and the last chunk."""
        return f"chunks {self.first} to {self.end - 1}"
