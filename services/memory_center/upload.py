"""Receive an uploaded package: stream it into a sealed file and check it there, in bounded memory."""

from __future__ import annotations

import io
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Final

import anyio
from anyio.to_thread import run_sync
from fastapi import Request
from fastapi.concurrency import contextmanager_in_threadpool

from services.api import Caller
from shared.kernel.database import Transaction
from shared.kernel.database_errors import DatabaseUnavailable
from shared.portability.import_package import Upload, begin_upload, discard_upload, keep_uploading
from shared.portability.packages.histories import check_histories
from shared.portability.packages.limits import Limits
from shared.portability.packages.package import Package
from shared.portability.packages.reading import open_package
from shared.portability.packages.refusals import PackageRefused
from shared.runtime.heartbeat import Heartbeat
from shared.runtime.problems import ApiProblem, Busy, ProblemKind
from shared.stores.sealed.files import SealedFiles
from shared.stores.sealed.reader import SealedReader
from shared.stores.sealed.sealing import CHUNK, Sealer

AT_ONCE: Final = 4
"""Packages one process receives at once."""
UPLOAD_SECONDS: Final = 1800.0
"""Longest duration of an upload."""
WRITE_BYTES: Final = 16 * CHUNK
"""Bytes sealed and written together; each write uses a thread."""

REFUSED: Final = ProblemKind(
    status=422,
    code="package_malformed",
    title="This package cannot be imported.",
    detail="`code` gives the reason, `errors` the place. Nothing was stored.",
)
TOO_LARGE: Final = ProblemKind(status=413, code="package_too_large", title="The package is too large.")
UNSUPPORTED: Final = ProblemKind(
    status=415, code="unsupported_media_type", title="The body must be the package itself: a zip or a JSON document."
)
TOO_SLOW: Final = ProblemKind(status=408, code="upload_too_slow", title="The upload took too long.")
MEDIA_TYPES: Final = ("application/zip", "application/json", "application/octet-stream")

_places = threading.BoundedSemaphore(AT_ONCE)


@dataclass(frozen=True, slots=True)
class Received:
    """A complete upload. It exists until the end of its block, or longer if it was accepted."""

    upload: Upload
    size: int
    sha256: bytes


@asynccontextmanager
async def received(request: Request, caller: Caller, user_id: str | None, limits: Limits) -> AsyncIterator[Received]:
    """Receive a package. After the block its file is deleted, unless it was accepted.

    Raises:
        ApiProblem: 408 `upload_too_slow`, 413 `package_too_large`, 415 `unsupported_media_type`.
        Busy: too many packages are being received.
        TooManyImports, ImportOvertaken, SubjectBusy: as `begin_upload` and `keep_uploading`.
    """
    _check_head(request, limits)
    if not _places.acquire(blocking=False):
        raise Busy
    try:
        upload = await run_sync(
            lambda: caller.transact(lambda tx: begin_upload(tx, caller.subject(tx, user_id))),
        )
        theirs = caller.database.of(upload.subject.id)
        try:
            with anyio.move_on_after(UPLOAD_SECONDS) as hurry:
                stored = await _stored(request, caller, upload, limits)
            if hurry.cancelled_caught:
                raise ApiProblem(TOO_SLOW)
            yield stored
        finally:
            # If the database is down, the scheduler removes the abandoned upload later.
            with anyio.CancelScope(shield=True), suppress(DatabaseUnavailable):
                await run_sync(lambda: theirs.transact(lambda tx: discard_upload(tx, upload)))
    finally:
        _places.release()


@contextmanager
def opened(files: SealedFiles, caller: Caller, found: Received, limits: Limits) -> Iterator[Package]:
    """Open a package and check all of it.

    Raises:
        ApiProblem: 422 with the reason for the rejection.
        ImportOvertaken: its person forgot everything meanwhile.
    """
    upload = found.upload
    heartbeat = _heartbeat(caller, upload)

    def key() -> bytes:
        heartbeat()
        return upload.file.encryption_key

    with files.reading(upload.file.namespace, upload.file.file_key) as sealed:
        reader = io.BufferedReader(SealedReader(sealed, upload.file.file_key, found.size, key=key), CHUNK)
        try:
            package = open_package(reader, limits)
            package.check()
            check_histories(package)
            yield package
        except PackageRefused as refused:
            raise _refusal(refused) from None


async def _stored(request: Request, caller: Caller, upload: Upload, limits: Limits) -> Received:
    files: SealedFiles = request.app.state.packages
    file, heartbeat = upload.file, _heartbeat(caller, upload)
    async with contextmanager_in_threadpool(files.writing(file.namespace, file.file_key)) as sealed:
        sealer = Sealer(sealed, file.encryption_key, file.file_key)

        def write(data: bytes) -> None:
            sealer.write(data)
            heartbeat()

        waiting = bytearray()
        async for chunk in request.stream():
            waiting += chunk
            if sealer.size + len(waiting) > limits.package_bytes:
                raise ApiProblem(TOO_LARGE)
            if len(waiting) >= WRITE_BYTES:
                await run_sync(write, bytes(waiting))
                waiting.clear()
            elif heartbeat.is_due:  # also during a slow upload
                await run_sync(heartbeat)
        await run_sync(write, bytes(waiting))
        sha256 = await run_sync(sealer.close)
        await run_sync(heartbeat)  # writing the last part and completing the file are two calls that may each take long
    return Received(upload, sealer.size, sha256)


def _heartbeat(caller: Caller, upload: Upload) -> Heartbeat:
    def keep(tx: Transaction) -> None:
        keep_uploading(tx, upload)

    theirs = caller.database.of(upload.subject.id)
    return Heartbeat(lambda: theirs.transact(keep))


def _check_head(request: Request, limits: Limits) -> None:
    media_type = request.headers.get("content-type", MEDIA_TYPES[-1]).partition(";")[0].strip().lower()
    if media_type not in MEDIA_TYPES:
        raise ApiProblem(UNSUPPORTED)
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limits.package_bytes:
        raise ApiProblem(TOO_LARGE)


def _refusal(refused: PackageRefused) -> ApiProblem:
    kind = TOO_LARGE if refused.code == "package_too_large" else REFUSED
    where = {"file": refused.path, "record": refused.line}
    return ApiProblem(kind, code=refused.code, errors=[where] if refused.path or refused.line else [])
