"""Random streams: Philox4x32-10, keyed by the seed and counted by game, chunk and position.

Source of the generator: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random
numbers: as easy as 1, 2, 3", SC'11 (2011), section 4.3 and the known-answer vectors published
with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim._jit import kernel, loop
from rtpsim.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

STREAM_VERSION = "3"
"""Version of the stream layout: which word decides what. Stored in every result."""

CHUNK_ROUNDS = 1 << 18
"""Rounds in a chunk; the last chunk of a run may have fewer."""

MAX_SEED = (1 << 64) - 1
MAX_CHUNKS = 1 << 32

_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0 = np.uint64(0x9E3779B9)
_WEYL_1 = np.uint64(0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_ROUNDS = 10


class Stream(NamedTuple):
    """A chunk's stream of random words.

    Attributes
    ----------
    key
        The seed's halves, uint64 array of 2 (32 bits used in each).
    counter
        Words 1 to 3 of the counter: chunk number and the halves of the game's hash, uint64 array
        of 3. Word 0 counts the blocks of 128 bits.
    """

    key: NDArray[np.uint64]
    counter: NDArray[np.uint64]


def stream_of(seed: int, game_hash: str, chunk: int) -> Stream:
    """Return the stream of a chunk.

    Parameters
    ----------
    seed
        0 to 2**64 - 1.
    game_hash
        Hexadecimal SHA-256 of the game; its first 64 bits are used.
    chunk
        Number of the chunk, 0 to 2**32 - 1.

    Raises
    ------
    InputError
        If a number is out of range.
    """
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"seed {seed}: allowed is a whole number from 0 to 2**64 - 1")
    if not 0 <= chunk < MAX_CHUNKS:
        raise InputError(f"chunk {chunk}: allowed is a whole number from 0 to 2**32 - 1")
    low, high = int(game_hash[:8], 16), int(game_hash[8:16], 16)
    return Stream(
        np.array([seed & 0xFFFFFFFF, seed >> 32], dtype=np.uint64),
        np.array([chunk, low, high], dtype=np.uint64),
    )


@loop
def blocks_of(draws: int) -> int:
    """Return how many blocks hold so many draws of 16 bits: an even number."""
    return (draws + 15) // 16 * 2


@kernel
def fill_words(
    words: NDArray[np.uint64],
    blocks: int,
    first_block: int,
    key: NDArray[np.uint64],
    counter: NDArray[np.uint64],
) -> None:
    """Write ``blocks`` blocks of the stream, an even number, into ``words`` (two words each).

    Block ``first_block + i`` becomes words i and ``blocks`` + i: outputs 0 and 1, and outputs 2
    and 3, the even one in the low half. The loop has no branch and vectorises: what it writes is
    contiguous. Two blocks at a time keep the multiplier busy.
    """
    key_0 = key[0] & _LOW
    key_1 = key[1] & _LOW
    counter_1 = counter[0] & _LOW
    counter_2 = counter[1] & _LOW
    counter_3 = counter[2] & _LOW
    half = blocks // 2
    low_0 = words[:half]
    low_1 = words[half : 2 * half]
    high_0 = words[2 * half : 3 * half]
    high_1 = words[3 * half : 4 * half]
    for i in range(half):
        x0 = np.uint64(first_block + i) & _LOW
        y0 = np.uint64(first_block + half + i) & _LOW
        x1 = y1 = counter_1
        x2 = y2 = counter_2
        x3 = y3 = counter_3
        k0 = key_0
        k1 = key_1
        for _ in range(_ROUNDS):
            p0 = _MULTIPLIER_0 * x0
            p1 = _MULTIPLIER_1 * x2
            q0 = _MULTIPLIER_0 * y0
            q1 = _MULTIPLIER_1 * y2
            x0 = (p1 >> _HALF) ^ x1 ^ k0
            x1 = p1 & _LOW
            x2 = (p0 >> _HALF) ^ x3 ^ k1
            x3 = p0 & _LOW
            y0 = (q1 >> _HALF) ^ y1 ^ k0
            y1 = q1 & _LOW
            y2 = (q0 >> _HALF) ^ y3 ^ k1
            y3 = q0 & _LOW
            k0 = (k0 + _WEYL_0) & _LOW
            k1 = (k1 + _WEYL_1) & _LOW
        low_0[i] = x0 | (x1 << _HALF)
        high_0[i] = x2 | (x3 << _HALF)
        low_1[i] = y0 | (y1 << _HALF)
        high_1[i] = y2 | (y3 << _HALF)
