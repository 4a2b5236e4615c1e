"""Where sealed packages lie, as their users know it: a folder or a bucket, under a namespace and a key of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import BinaryIO, Final, Protocol
from uuid import UUID

SUFFIX: Final = ".sealed"


class FilesUnavailable(OSError):
    """The place did not answer in time, or said that it cannot just now; the call may be repeated."""


class FilesRefused(PermissionError):
    """The place turns us away for good. `reason` is one of our own sentences, never the place's."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Sealing(Protocol):
    """A file that is being written, from its beginning to its end."""

    def write(self, data: bytes, /) -> int:
        """Take all of `data`."""


class SealedFiles(Protocol):
    """Sealed packages. Every method raises `FilesUnavailable`, `FilesRefused` or another OSError; none names a file."""

    def writing(self, namespace: UUID, key: UUID) -> AbstractContextManager[Sealing]:
        """Open a new file. On leaving the block it is there for good, and when the block raises there is none.

        Raises:
            FileExistsError: it is there already.
        """

    def reading(self, namespace: UUID, key: UUID) -> AbstractContextManager[BinaryIO]:
        """Open a file, seekable.

        Raises:
            FileNotFoundError: it is gone.
        """

    def keys(self) -> Iterator[tuple[UUID, UUID]]:
        """Yield namespace and key of every file there is, also of those that are being written."""
