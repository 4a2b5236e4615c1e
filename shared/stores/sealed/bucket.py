"""Encrypted packages in a bucket: `<prefix><namespace>/<key>.sealed`."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, Final
from uuid import UUID

from shared.stores.sealed.bucket_client import Bucket
from shared.stores.sealed.files import SUFFIX, Sealing
from shared.stores.sealed.seekable import Seekable

PART: Final = 5 * 1024 * 1024
"""Size of an uploaded part: S3's minimum. Its 10,000 parts are three times the largest possible package."""
READ_AHEAD: Final = 1024 * 1024
"""Minimum bytes per request: sixteen chunks."""


class BucketFiles:
    """`SealedFiles` in a bucket. Memory holds one part being written, and the read-ahead buffer."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket

    @contextmanager
    def writing(self, namespace: UUID, key: UUID) -> Iterator[Sealing]:
        """As in the protocol. Always a multipart upload: after an abort nothing of it can appear any more."""
        name = named(namespace, key)
        if self._bucket.versions(name):
            raise FileExistsError("it is in the bucket already")
        try:
            upload = _Upload(self._bucket, name)
            yield upload
            upload.complete()
        except BaseException:
            with suppress(OSError):  # what cannot be removed now is erased by its announced key
                self._bucket.erase(name)
            raise

    @contextmanager
    def reading(self, namespace: UUID, key: UUID) -> Iterator[BinaryIO]:
        """As in the protocol."""
        with io.BufferedReader(_Object(self._bucket, named(namespace, key)), READ_AHEAD) as file:
            yield file

    def keys(self) -> Iterator[tuple[UUID, UUID]]:
        """As in the protocol; a file with several versions is yielded once."""
        found = {name for name, _ in (*self._bucket.versions(""), *self._bucket.uploads(""))}
        for folder, _, file in (name.partition("/") for name in sorted(found)):
            with suppress(ValueError):
                yield UUID(folder), UUID(file.removesuffix(SUFFIX))


def named(namespace: UUID, key: UUID) -> str:
    """Return the name of a package's object, without the prefix."""
    return f"{namespace}/{key}{SUFFIX}"


class _Upload:
    """Buffers written data and uploads it in parts."""

    def __init__(self, bucket: Bucket, name: str) -> None:
        self._bucket, self._name = bucket, name
        self._id = bucket.begin(name)
        self._waiting = bytearray()
        self._tags: list[str] = []

    def write(self, data: bytes, /) -> int:
        self._waiting += data
        while len(self._waiting) >= PART:
            self._send(PART)
        return len(data)

    def complete(self) -> None:
        if self._waiting or not self._tags:
            self._send(len(self._waiting))
        self._bucket.complete(self._name, self._id, self._tags)

    def _send(self, size: int) -> None:
        part = bytes(self._waiting[:size])
        del self._waiting[:size]
        self._tags.append(self._bucket.add(self._name, self._id, len(self._tags) + 1, part))


class _Object(Seekable):
    """An object with random access; each read is a request."""

    def __init__(self, bucket: Bucket, name: str) -> None:
        super().__init__(bucket.size(name))
        self._bucket, self._name = bucket, name

    def readall(self) -> bytes:
        return self._read(self._size)  # otherwise one request for each 8 KiB

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # what `io` hands over
        data = self._read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _read(self, size: int) -> bytes:
        end = min(self._place + size, self._size)
        if self._place >= end:
            return b""
        data = self._bucket.read(self._name, self._place, end)
        self._place += len(data)
        return data
