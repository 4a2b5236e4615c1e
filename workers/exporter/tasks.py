"""Build an export from one snapshot into a sealed file, in bounded memory; an interrupted build starts over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime
from typing import Final

from shared.kernel.database import Transaction
from shared.outbox.job_kinds import EXPORT_BUILD
from shared.outbox.sql.leasing import Lease
from shared.portability.export_package import Assignment, begin_export, finish_export, keep_exporting
from shared.portability.packages.finclaw import pack_finclaw
from shared.portability.packages.manifest import Manifest
from shared.portability.packages.packing import Sink, Tally, pack_json, pack_view, pack_zip
from shared.portability.packages.view import View
from shared.portability.queries.exported import Exported
from shared.runtime.heartbeat import Heartbeat
from shared.stores.files import translated_errors
from shared.stores.sealed.files import Sealing
from shared.stores.sealed.sealing import Sealer
from workers.celery_app import app
from workers.process import leased_work, process

THREADS_MAX: Final = 1
"""Export threads per process; the others are kept for more urgent work."""

_threads = threading.BoundedSemaphore(THREADS_MAX)


@app.task(name="exporter.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Build the packages of these outbox rows. If all export threads are busy, the scheduler offers the rows again."""
    if _threads.acquire(blocking=False):
        try:
            leased_work().run_each(outbox_ids, build, kinds=WORK)
        finally:
            _threads.release()


def build(lease: Lease) -> None:
    """Announce a file, write the package into it and publish it for download.

    A forget that affects its content deletes the key and the row in its own commit. This build then discards its file;
    after a crash, nobody can read the remains.
    """
    database = process().database.of(lease.subject_id)
    assignment = database.transact(lambda tx: begin_export(tx, lease))
    tally = Tally()

    def keep() -> None:
        counts = dict(tally.counts)
        database.transact(lambda tx: keep_exporting(tx, assignment, counts))

    heartbeat = Heartbeat(keep)  # started at the announcement: opening the file may already take long
    with translated_errors(), process().packages.writing(assignment.file.namespace, assignment.file.file_key) as file:
        # Check before each record, and before each chunk: either may take long to come or to be sent.
        sealer = Sealer(_Beating(file, heartbeat), assignment.file.encryption_key, assignment.file.file_key)
        moment = _pack(assignment, _Beating(sealer, heartbeat), tally)
        sha256 = sealer.close()
        keep()
    counts = {**tally.counts, "bytes": sealer.size}
    kept = process().settings.retention.exports.kept

    def finish(tx: Transaction) -> None:
        finish_export(tx, assignment, counts, size=sealer.size, sha256=sha256, snapshot_at=moment, kept=kept)

    database.transact(finish)


WORK: Final[dict[str, Callable[[Lease], None]]] = {EXPORT_BUILD: build}


def _pack(assignment: Assignment, sink: Sink, tally: Tally) -> datetime:
    """Write the package and count its contents in `tally`; return the time of the snapshot."""
    export, subject = assignment.export, assignment.subject
    wanted, view = export.wanted, View(export.wanted.language)
    with process().database.of(subject.id).snapshot() as tx:
        exported = Exported(tx, subject.id, wanted, terms=process().terms)

        def manifest(tally: Tally) -> Manifest:
            return exported.manifest_of(export, subject.user_id, tally)

        match wanted.format:
            case "zip":
                pack_zip(sink, exported.files(), exported.view(view, alone=False), manifest, tally)
            case "json":
                pack_json(sink, exported.files(), manifest, tally)
            case "finclaw":
                kept = process().settings.retention.contexts.tasks_exported
                pack_finclaw(sink, subject.user_id, exported.of_consent(), exported.moment, kept, tally)
            case "markdown":
                pack_view(sink, exported.view(view, alone=True))
        return exported.moment


class _Beating:
    """Passes data on, and checks with each piece that the package is still wanted."""

    def __init__(self, sink: Sealing, heartbeat: Heartbeat) -> None:
        self._sink = sink
        self._heartbeat = heartbeat

    def write(self, data: bytes, /) -> int:
        """Raises `LeaseLost` when the package is no longer wanted or another worker builds it."""
        self._heartbeat()
        return self._sink.write(data)

    def flush(self) -> None:
        """Do nothing, like `Sealer`: only full chunks are written."""
