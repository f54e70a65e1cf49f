"""Random streams: Philox4x32-10, keyed by the seed and counted by game, chunk and position.

Source of the generator: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random
numbers: as easy as 1, 2, 3", SC'11 (2011), section 4.3 and the known-answer vectors published
with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtpsim._jit import kernel
from rtpsim.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

STREAM_VERSION = "1"
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


@kernel
def fill_words(
    words: NDArray[np.uint64],
    blocks: int,
    first_block: int,
    key: NDArray[np.uint64],
    counter: NDArray[np.uint64],
) -> None:
    """Write ``blocks`` blocks of the stream into ``words`` (two 64-bit words each).

    Block ``first_block + i`` becomes words i and ``blocks`` + i: outputs 0 and 1, and outputs 2
    and 3, the even one in the low half. The loop has no branch and vectorises: all its values are
    known to fit 32 bits, and what it writes is contiguous.
    """
    key_0 = key[0] & _LOW
    key_1 = key[1] & _LOW
    counter_1 = counter[0] & _LOW
    counter_2 = counter[1] & _LOW
    counter_3 = counter[2] & _LOW
    low_words = words[:blocks]
    high_words = words[blocks : 2 * blocks]
    for i in range(blocks):
        x0 = np.uint64(first_block + i) & _LOW
        x1 = counter_1
        x2 = counter_2
        x3 = counter_3
        k0 = key_0
        k1 = key_1
        for _ in range(_ROUNDS):
            p0 = _MULTIPLIER_0 * x0
            p1 = _MULTIPLIER_1 * x2
            x0 = (p1 >> _HALF) ^ x1 ^ k0
            x1 = p1 & _LOW
            x2 = (p0 >> _HALF) ^ x3 ^ k1
            x3 = p0 & _LOW
            k0 = (k0 + _WEYL_0) & _LOW
            k1 = (k1 + _WEYL_1) & _LOW
        low_words[i] = x0 | (x1 << _HALF)
        high_words[i] = x2 | (x3 << _HALF)
