"""Interface of the storage of encrypted packages, a folder or a bucket: each file has a namespace and a key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import BinaryIO, Final, Protocol
from uuid import UUID

SUFFIX: Final = ".sealed"


class FilesUnavailable(OSError):
    """The storage did not answer in time, or is temporarily unavailable; the call may be retried."""


class FilesRefused(PermissionError):
    """The storage refuses permanently. `reason` is one of our own sentences, never the server's."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Sealing(Protocol):
    """A file being written sequentially."""

    def write(self, data: bytes, /) -> int:
        """Write all of `data`."""


class SealedFiles(Protocol):
    """Encrypted packages. Every method raises `FilesUnavailable`, `FilesRefused` or another OSError; none names a
    file.
    """

    def writing(self, namespace: UUID, key: UUID) -> AbstractContextManager[Sealing]:
        """Open a new file. It is durable when the block ends; if the block raises, no file is left.

        Raises:
            FileExistsError: it already exists.
        """

    def reading(self, namespace: UUID, key: UUID) -> AbstractContextManager[BinaryIO]:
        """Open a file, seekable.

        Raises:
            FileNotFoundError: it does not exist.
        """

    def keys(self) -> Iterator[tuple[UUID, UUID]]:
        """Yield namespace and key of every file, including those being written."""
