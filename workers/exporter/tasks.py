"""Pack an export from one snapshot into a sealed file, in bounded memory; whatever interrupts it, it starts over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime
from typing import Final

from shared.kernel.database import Transaction
from shared.lineage.sql.vector_keys import IntentsLost
from shared.outbox.job_kinds import EXPORT_BUILD
from shared.outbox.sql.outbox import Lease
from shared.portability.export_package import Assignment, begin_export, finish_export, keep_exporting
from shared.portability.packages.manifest import Manifest
from shared.portability.packages.packing import Sink, Tally, pack_json, pack_view, pack_zip
from shared.portability.packages.view import View
from shared.portability.queries.exported import Exported
from shared.runtime.heartbeat import Heartbeat
from shared.stores.files import translated_errors
from shared.stores.sealed.files import Sealing
from shared.stores.sealed.sealing import Sealer
from workers.celery_app import app
from workers.leases import Postponed
from workers.process import leased_work, process

THREADS_MAX: Final = 1
"""So many threads of a process export; the others are for what people wait for more urgently."""

_threads = threading.BoundedSemaphore(THREADS_MAX)


@app.task(name="exporter.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Write the packages these outbox rows name; while enough are being written, the scheduler offers them again."""
    if _threads.acquire(blocking=False):
        try:
            leased_work().run_each(outbox_ids, build, kinds=WORK)
        finally:
            _threads.release()


def build(lease: Lease) -> None:
    """Announce a file, write the package into it, and let it be had.

    A forget of something it may hold takes the key and the row away in its own commit: what is written then is thrown
    away here, and what a crash leaves of it nobody can read.
    """
    database = process().database
    assignment = database.transact(lambda tx: begin_export(tx, lease))
    tally = Tally()

    def keep() -> None:
        counts = dict(tally.counts)
        database.transact(lambda tx: keep_exporting(tx, assignment, counts))

    heartbeat = Heartbeat(keep)  # from the announcement on: to open the file may take long already
    with translated_errors(), process().packages.writing(assignment.file.namespace, assignment.file.file_key) as file:
        # Before each record, however slowly they come, and before each chunk, of which any may send a part.
        sealer = Sealer(_Beating(file, heartbeat), assignment.file.encryption_key, assignment.file.file_key)
        moment = _pack(assignment, _Beating(sealer, heartbeat), tally)
        sha256 = sealer.close()
        keep()
    counts = {**tally.counts, "bytes": sealer.size}
    kept = process().settings.retention.exports.kept

    def finish(tx: Transaction) -> None:
        finish_export(tx, assignment, counts, size=sealer.size, sha256=sha256, snapshot_at=moment, kept=kept)

    try:
        database.transact(finish)
    except IntentsLost:
        raise Postponed("write_given_up", 0.0) from None


WORK: Final[dict[str, Callable[[Lease], None]]] = {EXPORT_BUILD: build}


def _pack(assignment: Assignment, sink: Sink, tally: Tally) -> datetime:
    """Write the package, and count into `tally` what it holds; return the moment it shows."""
    export, subject = assignment.export, assignment.subject
    wanted, view = export.wanted, View(export.wanted.language)
    with process().database.snapshot() as tx:
        exported = Exported(tx, subject.id, wanted, defaults=process().defaults)

        def manifest(tally: Tally) -> Manifest:
            return exported.manifest_of(export, subject.user_id, tally)

        match wanted.format:
            case "zip":
                pack_zip(sink, exported.files(), exported.view(view, alone=False), manifest, tally)
            case "json":
                pack_json(sink, exported.files(), manifest, tally)
            case "markdown":
                pack_view(sink, exported.view(view, alone=True))
        return exported.moment


class _Beating:
    """Passes a package on, and with each piece looks whether it is still wanted."""

    def __init__(self, sink: Sealing, heartbeat: Heartbeat) -> None:
        self._sink = sink
        self._heartbeat = heartbeat

    def write(self, data: bytes, /) -> int:
        """Raises `LeaseLost` when the package is not wanted any more, or not from us."""
        self._heartbeat()
        return self._sink.write(data)

    def flush(self) -> None:
        """As `Sealer`: nothing is written before its chunk is full."""
