"""A sealed file reads as what was sealed, from anywhere, one chunk at a time."""

from __future__ import annotations

import io
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.stores.sealed.reader import SealedReader
from shared.stores.sealed.sealing import CHUNK, Damaged, Sealer
from tests.support.depth import examples

KEY = bytes(32)
NAME = uuid4()
SIZES = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 7]


def sealed(data: bytes) -> io.BytesIO:
    target = io.BytesIO()
    sealer = Sealer(target, KEY, NAME)
    sealer.write(data)
    sealer.close()
    return target


def content(size: int) -> bytes:
    return bytes(place * 7 % 251 for place in range(size))


@pytest.mark.parametrize("size", SIZES)
def test_it_reads_what_was_sealed(size: int) -> None:
    data = content(size)
    reader = SealedReader(sealed(data), NAME, size, key=lambda: KEY)
    assert io.BufferedReader(reader).read() == data
    assert (reader.seekable(), reader.readable(), reader.writable()) == (True, True, False)


@settings(max_examples=examples(30), deadline=None)
@given(st.sampled_from(SIZES), st.lists(st.tuples(st.integers(0, 4 * CHUNK), st.integers(0, 2 * CHUNK)), max_size=6))
def test_it_is_a_file_like_any_other(size: int, reads: list[tuple[int, int]]) -> None:
    data = content(size)
    file, like = io.BytesIO(data), io.BufferedReader(SealedReader(sealed(data), NAME, size, key=lambda: KEY), 512)
    for place, length in reads:
        assert (like.seek(place), like.tell()) == (file.seek(place), file.tell())
        assert like.read(length) == file.read(length)
    assert like.seek(-min(3, size), io.SEEK_END) == file.seek(-min(3, size), io.SEEK_END)
    assert like.read() == file.read()


def test_who_gives_the_key_is_asked_for_each_chunk_and_may_refuse() -> None:
    asked: list[int] = []

    def key() -> bytes:
        asked.append(1)
        if len(asked) > 2:
            raise PermissionError
        return KEY

    reader = SealedReader(sealed(content(3 * CHUNK)), NAME, 3 * CHUNK, key=key)
    assert len(reader.read(2 * CHUNK) or b"") + len(reader.read(CHUNK) or b"") == 2 * CHUNK
    with pytest.raises(PermissionError):
        reader.read(1)


def test_what_was_changed_or_cut_is_noticed() -> None:
    file = sealed(content(2 * CHUNK))
    whole = file.getvalue()
    for damaged in (whole[:-1], bytes([whole[0] ^ 1]) + whole[1:], whole[: CHUNK + 16]):
        reader = io.BufferedReader(SealedReader(io.BytesIO(damaged), NAME, 2 * CHUNK, key=lambda: KEY))
        with pytest.raises(Damaged):
            reader.read()


def test_before_the_beginning_is_nowhere() -> None:
    with pytest.raises(ValueError, match="beginning"):
        SealedReader(sealed(b"x"), NAME, 1, key=lambda: KEY).seek(-1)
