"""Reading a sealed file as it was before sealing, anywhere in it, with one chunk in memory."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import BinaryIO
from uuid import UUID

from shared.packages.sealing import CHUNK, unsealed


class SealedReader(io.RawIOBase):
    """A seekable file over a sealed one, which stays open.

    Args:
        source, name, size, key: as `unsealed`. The key is asked for each chunk, so that whoever gives it can refuse, or
            do what is due every now and then.

    Raises:
        Damaged: while reading: a chunk is not what was sealed.
    """

    def __init__(self, source: BinaryIO, name: UUID, size: int, *, key: Callable[[], bytes]) -> None:
        self._source, self._name, self._size, self._key = source, name, size, key
        self._place = 0
        self._number, self._chunk = -1, b""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        if start + offset < 0:
            raise ValueError("before the beginning")
        self._place = start + offset
        return self._place

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
