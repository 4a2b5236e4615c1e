"""Two requests that are really in flight at once: both wait at a person's fence until they are let go together."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import psycopg

from tests.support.workbench import Person

T = TypeVar("T")


def together(person: Person, *requests: Callable[[], T]) -> Sequence[T]:
    """Send requests that write for one person so that all are inside their transaction before any goes on.

    The person must be known already. Returns the answers in order.
    """
    url = person.bench.settings.database_url.get_secret_value()
    with (
        psycopg.connect(url) as holder,
        psycopg.connect(url, autocommit=True) as watcher,
        ThreadPoolExecutor(len(requests)) as threads,
    ):
        held = holder.execute(
            "select pg_advisory_xact_lock(hashtextextended(id::text, 1)) from subjects where user_id = %s",
            [person.user_id],
        )
        assert held.rowcount == 1, "this person is not known yet"
        running = [threads.submit(request) for request in requests]
        deadline = time.monotonic() + 2.5  # accepting a forget waits for 3 s at most
        try:
            while _waiting(watcher) < len(requests):
                assert time.monotonic() < deadline, "the requests never waited for each other"
                time.sleep(0.005)
        finally:
            holder.commit()
        return [one.result() for one in running]


def _waiting(watcher: psycopg.Connection[tuple[int]]) -> int:
    row = watcher.execute(
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    ).fetchone()
    return row[0] if row else 0
