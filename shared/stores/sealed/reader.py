"""Random access to the plaintext of an encrypted file, with one chunk in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO
from uuid import UUID

from shared.stores.sealed.sealing import CHUNK, unsealed
from shared.stores.sealed.seekable import Seekable


class SealedReader(Seekable):
    """A seekable plaintext view of an encrypted file, which stays open.

    Args:
        source, name, size, key: as `unsealed`. `key` is called for each chunk, so it can refuse, or do periodic work.

    Raises:
        Damaged: while reading: a chunk was changed.
    """

    def __init__(self, source: BinaryIO, name: UUID, size: int, *, key: Callable[[], bytes]) -> None:
        super().__init__(size)
        self._source, self._name, self._key = source, name, key
        self._number, self._chunk = -1, b""

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # what `io` hands over
        if self._place >= self._size:
            return 0
        number, within = divmod(self._place, CHUNK)
        if number != self._number:
            self._chunk = self._read(number)
            self._number = number
        part = self._chunk[within : within + len(buffer)]
        buffer[: len(part)] = part
        self._place += len(part)
        return len(part)

    def _read(self, number: int) -> bytes:
        start = number * CHUNK
        end = min(start + CHUNK, self._size)
        [chunk] = unsealed(self._source, self._name, self._size, start=start, end=end, key=self._key)
        return chunk
