"""Handing out a package: what is gone meanwhile ends it, and a place that hangs holds few threads."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, BinaryIO, cast
from uuid import UUID, uuid4

import anyio
import pytest
from anyio.to_thread import run_sync
from fastapi.responses import StreamingResponse

from services.memory_center.downloading import AT_ONCE, Part, answer
from shared.kernel.database import Database
from shared.kernel.errors import ExportGone
from shared.kernel.ids import Namespace, OperationId
from shared.portability.sql.exports import Export, File, Wanted
from shared.runtime.problems import Busy
from shared.stores.sealed.files import SealedFiles
from shared.stores.sealed.sealing import CHUNK, TAG, Sealer

FILE = File(namespace=Namespace(uuid4()), file_key=uuid4(), encryption_key=os.urandom(32))
PLAIN = os.urandom(3 * CHUNK)
WHOLE = Part(0, len(PLAIN), len(PLAIN))
EXPORT = Export(
    operation_id=OperationId(uuid4()),
    subject_id=uuid4(),
    generation=1,
    wanted=Wanted(scope="user", format="zip", language="en", conversation_id=None, items={}),
    file=FILE,
    snapshot_at=datetime.now(UTC),
    size=len(PLAIN),
    sha256=b"",
    ready_at=datetime.now(UTC),
    expires_at=None,
)


def sealed() -> bytes:
    raw = io.BytesIO()
    sealer = Sealer(raw, FILE.encryption_key, FILE.file_key)
    sealer.write(PLAIN)
    sealer.close()
    return raw.getvalue()


SEALED = sealed()


class Truth:
    """Stands for PostgreSQL: says whether the package may still be read."""

    def __init__(self) -> None:
        self.file: File | None = FILE

    def transact(self, _work: Callable[[Any], object]) -> File | None:
        return self.file


class Place:
    """Stands for a bucket: before the bytes from `at` on are read, something happens."""

    def __init__(self, happens: Callable[[], object], *, at: int) -> None:
        self._happens, self._at = happens, at

    @contextmanager
    def reading(self, _namespace: UUID, _key: UUID) -> Iterator[BinaryIO]:
        place = self

        class Reading(io.BytesIO):
            def read(self, size: int | None = -1) -> bytes:
                if self.tell() >= place._at:
                    place._happens()
                return super().read(size)

        yield Reading(SEALED)


def download(place: Place, truth: Truth | None = None) -> StreamingResponse:
    return answer(cast("Database", truth or Truth()), cast("SealedFiles", place), EXPORT, WHOLE)


def collected(response: StreamingResponse) -> bytes:
    async def collect() -> bytes:
        return b"".join([bytes(cast("bytes", chunk)) async for chunk in response.body_iterator])

    return anyio.run(collect)


def test_a_package_comes_whole() -> None:
    assert collected(download(Place(lambda: None, at=0))) == PLAIN


def test_what_is_forgotten_while_a_chunk_is_read_is_not_handed_out() -> None:
    truth = Truth()

    def forgotten() -> None:
        truth.file = None

    with pytest.raises(ExportGone):
        download(Place(forgotten, at=0), truth)


@pytest.mark.parametrize("at", [0, CHUNK + TAG])
def test_a_file_that_is_gone_is_an_export_that_is_gone_wherever_it_is_noticed(at: int) -> None:
    def gone() -> None:
        raise FileNotFoundError

    with pytest.raises(ExportGone):
        collected(download(Place(gone, at=at)))


def test_enough_beginnings_that_hang_turn_the_next_away_until_they_are_over() -> None:
    hanging, goes_on = threading.Semaphore(0), threading.Event()

    def hang() -> None:
        hanging.release()
        goes_on.wait()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        begun = [threads.submit(download, Place(hang, at=0)) for _ in range(AT_ONCE)]
        try:
            for _ in begun:
                assert hanging.acquire(timeout=10)
            with pytest.raises(Busy):
                download(Place(hang, at=0))
        finally:
            goes_on.set()
        assert [collected(one.result()) for one in begun] == [PLAIN] * AT_ONCE
    assert collected(download(Place(hang, at=0))) == PLAIN


def test_downloads_that_hang_leave_the_threads_that_others_need() -> None:
    hanging, goes_on = threading.Semaphore(0), threading.Event()

    def hang() -> None:
        hanging.release()
        goes_on.wait()

    async def many() -> list[bytes]:
        got: list[bytes] = []

        async def one() -> None:
            response = download(Place(hang, at=CHUNK + TAG))
            got.append(b"".join([bytes(cast("bytes", chunk)) async for chunk in response.body_iterator]))

        with anyio.fail_after(30):
            async with anyio.create_task_group() as group:
                for _ in range(60):  # more than there are threads for requests
                    group.start_soon(one)
                try:
                    for _ in range(AT_ONCE):
                        while not hanging.acquire(blocking=False):  # noqa: ASYNC110 # threads set it
                            await anyio.sleep(0.01)
                    with anyio.fail_after(5):
                        assert await run_sync(lambda: "a forget") == "a forget"
                    assert not hanging.acquire(blocking=False)
                finally:
                    goes_on.set()
        return got

    assert anyio.run(many) == [PLAIN] * 60
