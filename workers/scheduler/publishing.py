"""Publish outbox rows to the broker: mark, commit, then send ids. Lost messages are sent again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import structlog

from shared.kernel.database import Database, Transaction
from shared.kernel.database_errors import DatabaseUnavailable
from shared.outbox.claim import revive_work
from shared.outbox.job_kinds import BATCH_DEFAULT, BATCHES, QUARANTINE, QUARANTINE_EXPIRIES, QUEUES
from shared.outbox.sql import scheduling
from shared.outbox.sql.scheduling import Due
from shared.runtime import logging, telemetry
from shared.runtime.restore_watch import NotServing
from workers.scheduler.fairness import Turns

log = structlog.get_logger()

SCAN_LIMIT = 1_000
FULL_SCAN_SECONDS = 5.0
REAP_SECONDS = 1.0
"""With a lease of 12 s, work resumes within 16 s after a worker is killed (P5)."""
RECENT_SECONDS = 5.0
"""Leases that expired longer ago than this are found by the full scans."""
MEASURE_SECONDS = 2.0
SHARE = 0.01
"""Largest share of time for scans of the whole table: an open snapshot keeps every dead row in it."""
IDLE_SECONDS = 0.5
"""Longest pause while nothing is due and nobody notifies."""
FEW = 8
ROOM_SECONDS = 0.05
"""Longest pause before checking whether workers have claimed rows, while others are waiting."""
ROOM_LEAST_SECONDS = 0.005
"""Shortest one: while workers claim rows faster than they are published, each check is after half the pause."""
BREATH_SECONDS = 0.02
"""Pause after a small batch, unless notified."""
LATE_SECONDS = 0.5
"""Longest delay of the other duties while rows keep coming."""
AWAY_SECONDS = 1.0
"""Pause after the broker or the database did not answer."""
SLACK = 2_000
"""Ids commit out of order, so the scan starts this far below the newest id seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WakeUp:
    """One message: outbox ids of one kind, the worker that does it, and the queue."""

    worker: str
    queue: str
    ids: tuple[int, ...]


class Recurring:
    """A recurring duty: runs at its interval, but never takes more than `SHARE` of the time."""

    def __init__(self, seconds: float, now: Callable[[], float]) -> None:
        self._seconds = seconds
        self._now = now
        self._at = 0.0

    def is_due(self, *, late: float = 0.0) -> bool:
        """Return whether the duty has been due for at least `late` seconds."""
        return self._now() >= self._at + late

    def hurry(self, seconds: float = 0.0) -> None:
        """Make the duty due within `seconds`."""
        self._at = min(self._at, self._now() + seconds)

    def done(self, since: float) -> None:
        """Record a run from `since` until now."""
        self._at = self._now() + max(self._seconds, (self._now() - since) / SHARE)


Publish = Callable[[WakeUp], None]
"""Sends a message; raises when the broker is unavailable."""


class Publisher:
    """Publishes due rows and returns rows with expired leases to the queue.

    Args:
        database: holds the outbox.
        publish: sends messages.
        now: a monotonic clock, in seconds.
    """

    def __init__(self, database: Database, publish: Publish, *, now: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._publish = publish
        self._now = now
        self._turns = Turns()
        self._newest = 0
        self._pause = ROOM_SECONDS
        self._full_scan = Recurring(FULL_SCAN_SECONDS, now)
        self._thorough_reap = Recurring(FULL_SCAN_SECONDS, now)
        self._reap = Recurring(REAP_SECONDS, now)
        self._measure = Recurring(MEASURE_SECONDS, now)

    def turn(self) -> float:
        """Publish due rows; return the seconds until more may be due, 0 if there may be more now."""
        marked, due = self._mark()
        self._turns.add(marked)
        try:
            taken = self._next()
            self._send(_wake_ups(taken))
        finally:
            self._look_after(late=LATE_SECONDS if marked else 0.0)
        if marked:
            return BREATH_SECONDS if len(marked) <= FEW else 0.0
        if self._turns.are_waiting():
            self._pause = max(ROOM_LEAST_SECONDS, self._pause / 2) if taken else min(ROOM_SECONDS, self._pause * 2)
            return self._pause
        if due is not None and due < IDLE_SECONDS:
            self._full_scan.hurry(due)
            return max(0.0, due)
        return IDLE_SECONDS

    def stop(self) -> None:
        """Unmark the rows still waiting here, so that another scheduler can publish them at once."""
        if waiting := self._turns.waiting():
            self._database.transact(partial(scheduling.unmark, ids=waiting))

    def _next(self) -> list[Due]:
        if told := self._turns.told():
            self._turns.unclaimed(self._database.transact(partial(scheduling.unclaimed, ids=told)))
        return self._turns.take()

    def _mark(self) -> tuple[list[Due], float | None]:
        """Mark due rows and return them; if there are none, return too in how many seconds one will be due."""
        begun, full = self._now(), self._full_scan.is_due()
        above = 0 if full else max(0, self._newest - SLACK)

        def mark(tx: Transaction) -> tuple[list[Due], float | None]:
            found = scheduling.mark_published(tx, above=above, limit=SCAN_LIMIT)
            return found, None if found else scheduling.seconds_until_due(tx)

        marked, due = self._database.transact(mark)
        if full and len(marked) < SCAN_LIMIT:
            self._full_scan.done(begun)
        self._newest = max([self._newest, *(row.id for row in marked)])
        for kind, count in Counter(row.kind for row in marked if row.kind not in QUEUES).items():
            # A kind from a newer release, during an upgrade: left for the newer scheduler, offered again every 12 s.
            log.error("outbox.kind_unknown", kind=kind, count=count)
        return marked, due

    def _look_after(self, *, late: float) -> None:
        if self._thorough_reap.is_due(late=late):
            self._on_its_own(self._thorough_reap, lambda: self._revive(within=None))
        elif self._reap.is_due(late=late):
            self._on_its_own(self._reap, lambda: self._revive(within=RECENT_SECONDS))
        if self._measure.is_due(late=late):
            self._on_its_own(self._measure, self._gauge)

    def _revive(self, within: float | None) -> None:
        revived = self._database.transact(partial(revive_work, expired_within=within))
        for kind, count in Counter(row.kind for row in revived.parked).items():
            log.error("work.worker_lost", kind=kind, count=count)
        if revived.returned:
            log.warning("lease.revived", count=revived.returned)
            self._full_scan.hurry()

    def _gauge(self) -> None:
        depth = self._database.transact(scheduling.depth)
        telemetry.OUTBOX_READY.set(depth.ready)
        telemetry.OUTBOX_LEASED.set(depth.leased)
        telemetry.OUTBOX_FAILED.set(depth.failed)
        telemetry.OUTBOX_QUARANTINED.set(depth.quarantined)
        telemetry.OUTBOX_OLDEST_SECONDS.set(depth.oldest_seconds)

    def _on_its_own(self, when: Recurring, part: Callable[[], None]) -> None:
        """Run a duty; its failure must not stop publishing."""
        begun = self._now()
        try:
            part()
        except DatabaseUnavailable:
            raise  # publishing cannot work either
        except Exception:
            log.exception("publishing.part_failed")
        finally:
            when.done(begun)

    def _send(self, wake_ups: Sequence[WakeUp]) -> None:
        for sent, wake_up in enumerate(wake_ups):
            try:
                self._publish(wake_up)
            except Exception as error:  # noqa: BLE001 # see below
                # Whatever the broker's client raises, no row is lost: they are marked again.
                unsent = [row_id for later in wake_ups[sent:] for row_id in later.ids]
                log.warning("broker.unavailable", count=len(unsent), **logging.failure(error))
                self._full_scan.hurry()
                self._turns.give_back(unsent)
                self._database.transact(partial(scheduling.unmark, ids=unsent))
                raise BrokerUnavailable from None


def _wake_ups(rows: Sequence[Due]) -> list[WakeUp]:
    """Return messages of one kind each, the kind with the most urgent row first.

    A row whose worker died gets a message of its own, so that it cannot take others with it if it kills a worker again.
    After several deaths it goes to quarantine.

    Args:
        rows: the most urgent first.
    """
    groups: dict[tuple[str, str, int], list[int]] = {}
    for due in rows:
        queue = QUARANTINE if due.expiries >= QUARANTINE_EXPIRIES else QUEUES[due.kind]
        groups.setdefault((due.kind, queue, due.id if due.expiries else 0), []).append(due.id)
    return [
        WakeUp(worker=QUEUES[kind], queue=queue, ids=ids)
        for (kind, queue, _), of_group in groups.items()
        for ids in _batches(of_group, BATCHES.get(kind, BATCH_DEFAULT))
    ]


def _batches(ids: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    for start in range(0, len(ids), size):
        yield tuple(ids[start : start + size])


class BrokerUnavailable(Exception):
    """The broker rejected a message; no row is lost."""


def forever(
    publisher: Publisher,
    wait: Callable[[float], object],
    stopping: Callable[[], bool],
    *,
    may_work: Callable[[], None] = lambda: None,
) -> None:
    """Run until told to stop, despite any error: nothing else publishes.

    Args:
        may_work: raises `NotServing` or `DatabaseUnavailable` while nothing may be published.
    """
    while not stopping():
        try:
            may_work()
            pause = publisher.turn()
            if pause > 0:
                wait(pause)
        except (BrokerUnavailable, DatabaseUnavailable, NotServing):
            time.sleep(AWAY_SECONDS)
        except Exception:
            log.exception("publishing.failed")
            time.sleep(AWAY_SECONDS)
