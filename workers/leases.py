"""Run leased work: keep the lease alive, and handle each class of error in one place."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from uuid import UUID

import structlog

from shared.consent.allows import SwitchedOff
from shared.erasure.verify import ResidueLeft
from shared.kernel.database import Database, Transaction
from shared.kernel.database_errors import DatabaseUnavailable, SubjectBusy
from shared.kernel.errors import UndoPossible
from shared.kernel.locks import CollectionBusy
from shared.language.embedding.bundled import EmbedderUnavailable
from shared.ledger.book import LedgerUnavailable
from shared.lineage.sql.vector_keys import IntentsLost
from shared.outbox.backoff import full_jitter
from shared.outbox.claim import claim_work, give_up, postpone
from shared.outbox.sql import leasing
from shared.outbox.sql.leasing import Lease, LeaseLost
from shared.runtime import logging, telemetry
from shared.runtime.restore_watch import NotServing
from shared.stores.breaker import PROBE_SECONDS, Breaker
from shared.stores.port import StoreMisconfigured, StoreUnavailable

log = structlog.get_logger()

RESIDUE_ALERT_AFTER = 3
UNEXPECTED_ATTEMPTS = 8
BUSY_SECONDS = 1.0
"""Longest pause after work could not get a busy lock; waiting for the lock has already taken time."""

UNAVAILABLE = {
    "milvus": "milvus_unavailable",
    "mem0": "mem0_unavailable",
    "mem0-llm": "model_unavailable",
    "files": "files_unavailable",
}
ON_MILVUS = frozenset({"milvus", "mem0"})


class Postponed(Exception):
    """The work cannot be done yet. This is not an error and spends no attempt."""

    def __init__(self, code: str, seconds: float) -> None:
        super().__init__(code)
        self.code = code
        self.seconds = seconds


WAITED_FOR = (
    Postponed,
    SwitchedOff,
    StoreUnavailable,
    EmbedderUnavailable,
    CollectionBusy,
    SubjectBusy,
    DatabaseUnavailable,
    LedgerUnavailable,
)
"""Errors no single row causes. A store that rejects a request is not listed: one row may be the cause."""


class LeasedWork:
    """Claims rows for a worker process and keeps their leases alive.

    Args:
        database: holds the outbox.
        breaker: the circuit breaker of the stores; while it is open, work that needs them waits without spending
            attempts.
        lease_seconds: how long a lease lasts without a heartbeat.
        may_work: raises `NotServing` while nothing may be claimed.
    """

    def __init__(
        self,
        database: Database,
        breaker: Breaker,
        *,
        lease_seconds: float,
        may_work: Callable[[], None] = lambda: None,
    ) -> None:
        self._database = database
        self._breaker = breaker
        self._lease_seconds = lease_seconds
        self._may_work = may_work
        self._held: dict[int, Lease] = {}
        self._last_held = time.monotonic()
        self._lock = threading.Lock()
        self._random = random.Random()  # noqa: S311 # jitter, not a secret
        self._closed = threading.Event()
        threading.Thread(target=self._heartbeat, name="lease-heartbeat", daemon=True).start()

    def close(self) -> None:
        """Stop extending leases."""
        self._closed.set()

    def idle_seconds(self) -> float:
        """Return the seconds since this process last held a row; 0 while it holds one."""
        with self._lock:
            return 0.0 if self._held else time.monotonic() - self._last_held

    def run(
        self, outbox_ids: Sequence[int], work: Callable[[list[Lease]], None], *, kinds: Collection[str] | None = None
    ) -> list[int]:
        """Claim those rows that are ready and of the given kinds (None: any), and process them together.

        The kind is checked because after a restore from backup the broker may hold old ids that now belong to other
        rows. A message delivered twice claims nothing the second time. Returns the ids that were not claimed.
        """
        if leases := self._claim(outbox_ids, kinds):
            with self._holding(leases):
                work(leases)
        claimed = {lease.id for lease in leases}
        return [outbox_id for outbox_id in outbox_ids if outbox_id not in claimed]

    def run_each(self, outbox_ids: Sequence[int], work: Callable[[Lease], None], *, kinds: Collection[str]) -> None:
        """Claim and process one row at a time, so that other workers can take the rows behind a long one."""
        for outbox_id in outbox_ids:
            for lease in self._claim([outbox_id], kinds):
                with self._holding([lease]):
                    self.attempt([lease], partial(work, lease))

    def attempt(self, leases: Sequence[Lease], action: Callable[[], None]) -> bool:
        """Run one action for leased rows; if it fails, put them back with the reason. Returns whether it succeeded."""
        try:
            action()
        except LeaseLost:
            self._count(leases, "lease_lost")
            return False
        except Exception as error:  # noqa: BLE001 # the row must survive whatever went wrong
            self.put_back(leases, error)
            return False
        self._count(leases, "done")
        return True

    def attempt_together(
        self, leases: Sequence[Lease], action: Callable[[Sequence[Lease]], Sequence[Callable[[], None]]]
    ) -> None:
        """Run one action for leased rows, then the closing function it returns for each row.

        Any row may have caused an error not in `WAITED_FOR`, so each row is then tried again on its own.
        """
        try:
            closings = action(leases)
        except WAITED_FOR as error:
            self.put_back(leases, error)
        except Exception as error:  # noqa: BLE001 # as `attempt`
            if len(leases) == 1:
                self.put_back(leases, error)
            else:
                for lease in leases:
                    self.attempt_together([lease], action)
        else:
            self._close_each(leases, closings)

    def _close_each(self, leases: Sequence[Lease], closings: Sequence[Callable[[], None]]) -> None:
        """Close rows one by one. Of a person whose fence is taken only the first waits for it: others come behind."""
        busy: set[UUID] = set()

        def closed(lease: Lease, closing: Callable[[], None]) -> None:
            if lease.subject_id in busy:
                raise SubjectBusy
            try:
                closing()
            except SubjectBusy:
                busy.add(lease.subject_id)
                raise

        for lease, closing in zip(leases, closings, strict=True):
            self.attempt([lease], partial(closed, lease, closing))

    def put_back(self, leases: Sequence[Lease], error: Exception) -> None:
        """Postpone, retry or fail rows, depending on the class of error."""
        attempt = max(lease.attempt for lease in leases)
        match error:
            case Postponed() | SwitchedOff() | UndoPossible() | IntentsLost():
                self._postpone(leases, error.code, error.seconds, spend_attempt=False)
            case StoreUnavailable():
                self._wait_for_store(leases, error)
            case EmbedderUnavailable():
                self._postpone(leases, "embedder_unavailable")
            case CollectionBusy():
                self._postpone(leases, "collection_busy", self._random.uniform(0, BUSY_SECONDS), spend_attempt=False)
            case SubjectBusy():
                pause = self._random.uniform(0, BUSY_SECONDS)
                self._postpone(leases, "database_unavailable", pause, spend_attempt=False)
            case DatabaseUnavailable() | LedgerUnavailable():
                self._postpone(leases, error.code)
            case ResidueLeft():
                alert = log.error if attempt >= RESIDUE_ALERT_AFTER else log.warning
                alert("erasure.residue_found", store=error.store, count=sum(error.found.values()))
                telemetry.ERASURE_RESIDUE.labels(store=error.store).inc(sum(error.found.values()))
                self._postpone(leases, "residue_found")
            case StoreMisconfigured():
                log.error("store.misconfigured", store=error.store)
                self._give_up(leases, "store_misconfigured")
            case _:
                log.error("work.failed", kind=leases[0].kind, **logging.failure(error))
                if attempt >= UNEXPECTED_ATTEMPTS:
                    self._give_up(leases, "internal_error")
                else:
                    self._postpone(leases, "internal_error")

    def _wait_for_store(self, leases: Sequence[Lease], error: StoreUnavailable) -> None:
        code = UNAVAILABLE.get(error.store, "milvus_unavailable")
        if self._breaker.is_open and error.store in ON_MILVUS:
            pause = self._breaker.pause_seconds() + self._random.uniform(0, PROBE_SECONDS)
            self._postpone(leases, code, pause, spend_attempt=False)
        else:
            self._postpone(leases, code)

    def _postpone(
        self, leases: Sequence[Lease], code: str, seconds: float | None = None, *, spend_attempt: bool = True
    ) -> None:
        self._count(leases, "postponed")
        for lease in leases:
            delay = full_jitter(lease.attempt, random_=self._random) if seconds is None else seconds
            self._settle(lease, partial(postpone, code=code, delay_seconds=delay, spend_attempt=spend_attempt))

    def _give_up(self, leases: Sequence[Lease], code: str) -> None:
        self._count(leases, "failed")
        for lease in leases:
            self._settle(lease, partial(give_up, code=code))

    def _settle(self, lease: Lease, change: Callable[..., None]) -> None:
        """Put a row back. If that fails, its lease expires and it is offered again; other rows are unaffected."""
        try:
            self._database.transact(lambda tx: change(tx, lease))
        except (LeaseLost, DatabaseUnavailable, SubjectBusy):
            log.warning("lease.left_to_expire", kind=lease.kind, outbox_id=lease.id)
        except Exception:
            log.exception("lease.left_to_expire", kind=lease.kind, outbox_id=lease.id)

    @contextmanager
    def _holding(self, leases: Sequence[Lease]) -> Iterator[None]:
        with self._lock:
            self._held.update({lease.id: lease for lease in leases})
        begun = time.perf_counter()
        try:
            yield
        finally:
            self._release(leases)
            for lease in leases:
                telemetry.STEP_SECONDS.labels(kind=lease.kind).observe(time.perf_counter() - begun)

    def _release(self, leases: Sequence[Lease]) -> None:
        """Stop extending leases. A row claimed again meanwhile has another token and is kept."""
        with self._lock:
            self._last_held = time.monotonic()
            for lease in leases:
                held = self._held.get(lease.id)
                if held is not None and held.token == lease.token:
                    del self._held[lease.id]

    def _heartbeat(self) -> None:
        while not self._closed.wait(self._lease_seconds / 3):
            try:
                self._extend()
            except DatabaseUnavailable:
                continue  # the next heartbeat tries again; closing the row detects an expired lease
            except Exception:
                log.exception("heartbeat.failed")  # the thread must go on, or every lease of this process would expire

    def _extend(self) -> None:
        with self._lock:
            leases = list(self._held.values())
        if leases:
            kept = self._database.transact(self._extension(leases))
            self._release([lease for lease in leases if lease.id not in kept])

    def _extension(self, leases: Sequence[Lease]) -> Callable[[Transaction], set[int]]:
        return lambda tx: leasing.extend(tx, leases, lease_seconds=self._lease_seconds)

    def _claim(self, outbox_ids: Sequence[int], kinds: Collection[str] | None = None) -> list[Lease]:
        wanted = None if kinds is None else sorted(kinds)
        try:
            self._may_work()
            leases = self._database.transact(
                lambda tx: claim_work(tx, outbox_ids, lease_seconds=self._lease_seconds, kinds=wanted)
            )
        except NotServing:
            return []
        for lease in leases:
            telemetry.CLAIM_SECONDS.labels(kind=lease.kind).observe(max(0.0, lease.waited_seconds))
        return leases

    @staticmethod
    def _count(leases: Sequence[Lease], result: str) -> None:
        for lease in leases:
            telemetry.OUTBOX_STEPS.labels(kind=lease.kind, result=result).inc()
