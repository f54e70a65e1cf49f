"""Random streams: known answers of the generator, and a plain twin of what fills the words."""

import random

import numpy as np
import pytest
from kernel_twin import Words, philox

from rtpsim.errors import InputError
from rtpsim.simulation.streams import MAX_CHUNKS, MAX_SEED, fill_words, stream_of

# Random123 1.14, tests/kat_vectors: philox4x32 with 10 rounds (counter, key, output), published
# with Salmon et al., SC'11
KNOWN = [
    (
        "00000000 00000000 00000000 00000000",
        "00000000 00000000",
        "6627e8d5 e169c58d bc57ac4c 9b00dbd8",
    ),
    (
        "ffffffff ffffffff ffffffff ffffffff",
        "ffffffff ffffffff",
        "408f276d 41c83b0e a20bc7c6 6d5451fd",
    ),
    (
        "243f6a88 85a308d3 13198a2e 03707344",
        "a4093822 299f31d0",
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]
HASH = "0123456789abcdef" * 4


def words_of(text):
    return tuple(int(word, 16) for word in text.split())


def filled(blocks, first_block, key, counter):
    """Return what `fill_words` writes, as 32-bit words, output by output."""
    words = np.zeros(2 * blocks, dtype=np.uint64)
    fill_words(words, blocks, first_block, np.array(key, np.uint64), np.array(counter, np.uint64))
    low, high = words[:blocks], words[blocks:]
    columns = [low & 0xFFFFFFFF, low >> 32, high & 0xFFFFFFFF, high >> 32]
    return [tuple(int(word) for word in row) for row in zip(*columns, strict=True)]


@pytest.mark.parametrize(("counter", "key", "output"), KNOWN)
def test_known_answers(counter, key, output):
    first_block, *rest = words_of(counter)
    assert filled(2, first_block, words_of(key), rest)[0] == words_of(output)


@pytest.mark.parametrize(("counter", "key", "output"), KNOWN)
def test_known_answers_of_the_twin(counter, key, output):
    assert philox(words_of(counter), words_of(key)) == words_of(output)


@pytest.mark.parametrize("blocks", [2, 6, 8, 100])
def test_blocks_follow_one_another(blocks):
    rng = random.Random(blocks)
    key = [rng.getrandbits(32) for _ in range(2)]
    counter = [rng.getrandbits(32) for _ in range(3)]
    first = rng.getrandbits(30)
    expected = [philox((first + number, *counter), key) for number in range(blocks)]
    assert filled(blocks, first, key, counter) == expected


def test_streams_differ_by_seed_game_and_chunk():
    def first_words(seed, game, chunk):
        stream = stream_of(seed, game, chunk)
        return filled(4, 0, stream.key, stream.counter)

    other_game = "0123456789abcdee" + HASH[16:]
    streams = [
        first_words(*arguments)
        for arguments in (
            (1, HASH, 0),
            (2, HASH, 0),
            (1 + (1 << 32), HASH, 0),
            (1, HASH, 1),
            (1, other_game, 0),
        )
    ]
    words = {word for stream in streams for output in stream for word in output}
    assert len(words) == 5 * 4 * 4  # not one of the 32-bit words is common


def test_stream_is_key_and_counter():
    stream = stream_of(0x0123456789ABCDEF, HASH, 42)
    assert stream.key.tolist() == [0x89ABCDEF, 0x01234567]
    assert stream.counter.tolist() == [42, 0x01234567, 0x89ABCDEF]
    twin = Words(0x0123456789ABCDEF, HASH, 42)
    assert (list(twin.key), list(twin.counter)) == (stream.key.tolist(), stream.counter.tolist())


@pytest.mark.parametrize(
    ("seed", "chunk", "message"),
    [
        (-1, 0, "seed -1: allowed is a whole number from 0 to"),
        (MAX_SEED + 1, 0, "seed 18446744073709551616: allowed"),
        (1, MAX_CHUNKS, "chunk 4294967296: allowed"),
        (1, -1, "chunk -1: allowed"),
    ],
)
def test_what_is_out_of_range_is_refused(seed, chunk, message):
    with pytest.raises(InputError, match=message):
        stream_of(seed, HASH, chunk)
    assert stream_of(MAX_SEED, HASH, MAX_CHUNKS - 1).key.tolist() == [2**32 - 1] * 2
