"""Import a package in one transaction, in bounded memory; an interrupted import starts over."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, Final

from shared.language.sensitivity import screen
from shared.outbox.job_kinds import IMPORT_APPLY
from shared.outbox.sql.leasing import Lease
from shared.portability.import_package import Assignment, apply_import, begin_import, keep_importing
from shared.portability.packages.reading import open_package
from shared.runtime.heartbeat import Heartbeat
from shared.stores.files import translated_errors
from shared.stores.sealed.reader import SealedReader
from shared.stores.sealed.sealing import CHUNK
from workers.celery_app import app
from workers.process import leased_work, process

THREADS_MAX: Final = 1
"""Import threads per process; the others are kept for more urgent work."""

_threads = threading.BoundedSemaphore(THREADS_MAX)


@app.task(name="importer.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Import the packages of these outbox rows. If all import threads are busy, the scheduler offers the rows again."""
    if _threads.acquire(blocking=False):
        try:
            leased_work().run_each(outbox_ids, bring, kinds=WORK)
        finally:
            _threads.release()


def bring(lease: Lease) -> None:
    """Read the package and write its records in one transaction; a failed attempt leaves nothing behind."""
    parts = process()
    assignment = parts.database.of(lease.subject_id).transact(lambda tx: begin_import(tx, lease))
    with translated_errors(), _opened(assignment) as file:
        package = open_package(file, parts.settings.retention.limits)
        parts.database.transact(
            lambda tx: apply_import(tx, assignment, package, learnable=_learnable, terms=parts.terms),
            patient=True,
        )


WORK: Final[dict[str, Callable[[Lease], None]]] = {IMPORT_APPLY: bring}


def _learnable(text: str) -> str | None:
    return screen(text, process().sensitivity).text


@contextmanager
def _opened(assignment: Assignment) -> Iterator[BinaryIO]:
    imported = assignment.imported
    file = imported.file
    with process().packages.reading(file.namespace, file.file_key) as sealed:
        key = _key_while_wanted(assignment)
        yield io.BufferedReader(SealedReader(sealed, file.file_key, imported.size, key=key), CHUNK)


def _key_while_wanted(assignment: Assignment) -> Callable[[], bytes]:
    """Return a function that gives the key for each chunk and raises `LeaseLost` once the package was revoked."""
    chunks = 0

    def keep() -> None:
        counts = {"bytes_read": chunks * CHUNK}
        process().database.of(assignment.lease.subject_id).transact(lambda tx: keep_importing(tx, assignment, counts))

    heartbeat = Heartbeat(keep)

    def key() -> bytes:
        nonlocal chunks
        chunks += 1
        heartbeat()
        return assignment.imported.file.encryption_key

    return key
