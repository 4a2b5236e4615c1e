"""Base class of read-only files with random access."""

from __future__ import annotations

import io


class Seekable(io.RawIOBase):
    """A raw file of `size` bytes; subclasses implement `readinto`, which reads at `_place` and advances it."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._place = 0

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
