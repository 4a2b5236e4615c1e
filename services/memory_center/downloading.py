"""Serve a package, whole or one byte range; before each chunk, check that it may still be read."""

from __future__ import annotations

import re
import threading
from collections.abc import AsyncIterator, Generator
from dataclasses import dataclass
from typing import Final

from anyio import CapacityLimiter
from anyio.lowlevel import RunVar
from anyio.to_thread import run_sync
from fastapi.responses import StreamingResponse

from shared.kernel.database import Database
from shared.kernel.errors import ExportGone
from shared.portability.sql import exports
from shared.portability.sql.exports import Export
from shared.runtime.problems import ApiProblem, Busy, ProblemKind
from shared.stores.sealed.files import SealedFiles
from shared.stores.sealed.sealing import unsealed

MEDIA_TYPES: Final = {
    "zip": "application/zip",
    "json": "application/json",
    "markdown": "text/markdown; charset=utf-8",
    "finclaw": "application/zip",
}
SUFFIXES: Final = {"zip": "zip", "json": "json", "markdown": "md", "finclaw": "zip"}

AT_ONCE: Final = 8
"""Most downloads of a process that start at once, and most chunks read at once.

A hanging bucket must not block the threads that a forget needs.
"""

OUT_OF_RANGE: Final = ProblemKind(
    status=416, code="range_not_satisfiable", title="The requested range is outside the package."
)

_beginnings = threading.BoundedSemaphore(AT_ONCE)
_readers: Final = RunVar[CapacityLimiter]("download readers")

_RANGE: Final = re.compile(r"bytes=(\d{1,18})?-(\d{1,18})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Part:
    """The bytes `start` … `end` (exclusive) of a package of `size` bytes."""

    start: int
    end: int
    size: int

    @property
    def is_whole(self) -> bool:
        return (self.start, self.end) == (0, self.size)


def tag(export: Export) -> str:
    """Return the package's ETag; it never changes."""
    return f'"{(export.sha256 or b"").hex()}"'


def part_of(size: int, wanted: str | None) -> Part:
    """Return the range a Range header asks for (RFC 9110, 14.2); several ranges or another unit mean the whole package.

    Raises:
        ApiProblem: 416 `range_not_satisfiable`.
    """
    found = _RANGE.fullmatch(wanted.strip()) if wanted else None
    if found is None or found[1] is found[2] is None:
        return Part(0, size, size)
    first, last = (None if one is None else int(one) for one in found.groups())
    if first is None:  # the last `last` bytes
        start, end = max(0, size - (last or 0)), size
    else:
        if last is not None and last < first:
            return Part(0, size, size)
        start, end = first, size if last is None else min(size, last + 1)
    if start >= end:
        raise ApiProblem(OUT_OF_RANGE, headers={"Content-Range": f"bytes */{size}"})
    return Part(start, end, size)


def answer(database: Database, files: SealedFiles, export: Export, part: Part) -> StreamingResponse:
    """Return the response for a range. The first chunk is read before it starts, so that errors can be reported.

    Raises:
        ExportGone: it was revoked meanwhile.
        Busy: too many downloads are starting.
        FilesUnavailable, FilesRefused: the file store does not return it.
    """
    chunks = _chunks(database, files, export, part)
    if not _beginnings.acquire(blocking=False):
        raise Busy
    try:
        first = next(chunks)
    finally:
        _beginnings.release()
    name = f"memory-center-{export.snapshot_at:%Y-%m-%d}.{SUFFIXES[export.wanted.format]}"
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Length": str(part.end - part.start),
        "Accept-Ranges": "bytes",
        "ETag": tag(export),
    }
    if not part.is_whole:
        headers["Content-Range"] = f"bytes {part.start}-{part.end - 1}/{part.size}"
    return StreamingResponse(
        _streamed(first, chunks),
        status_code=200 if part.is_whole else 206,
        headers=headers,
        media_type=MEDIA_TYPES[export.wanted.format],
    )


async def _streamed(first: bytes, chunks: Generator[bytes]) -> AsyncIterator[bytes]:
    readers = _readers.get(None)
    if readers is None:
        readers = CapacityLimiter(AT_ONCE)
        _readers.set(readers)
    try:
        yield first
        while (chunk := await run_sync(next, chunks, None, limiter=readers)) is not None:
            yield chunk
    finally:
        chunks.close()


def _chunks(database: Database, files: SealedFiles, export: Export, part: Part) -> Generator[bytes]:
    file = export.file
    assert file is not None  # noqa: S101 # it is ready

    def key() -> bytes:
        now = database.transact(lambda tx: exports.readable_file(tx, export.operation_id))
        if now is None:
            raise ExportGone
        return now.encryption_key

    try:
        with files.reading(file.namespace, file.file_key) as source:
            yield from unsealed(source, file.file_key, part.size, start=part.start, end=part.end, key=key)
    except FileNotFoundError:
        raise ExportGone from None
