"""Notify the scheduler after a commit. A lost notification delays work by a second but never loses it."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Self

import psycopg

from shared.outbox.sql.outbox import CHANNEL

RECONNECT_SECONDS = 1.0


class Notifier:
    """Sends coalesced NOTIFYs from a separate thread, so that no request waits for them."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._due = threading.Event()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="outbox-notifier", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Request a notification; returns immediately."""
        self._due.set()

    def close(self) -> None:
        self._stopped = True
        self._due.set()
        self._thread.join(timeout=2)

    def _run(self) -> None:
        while not self._stopped:
            try:
                # Asynchronous commit: a NOTIFY needs no durability.
                options = "-c synchronous_commit=off"
                with psycopg.connect(self._url, autocommit=True, connect_timeout=3, options=options) as connection:
                    while not self._stopped:
                        self._due.wait()
                        self._due.clear()
                        if not self._stopped:
                            connection.execute(f"notify {CHANNEL}")
            except psycopg.Error:
                time.sleep(RECONNECT_SECONDS)


class Listener:
    """Waits for notifications."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: psycopg.Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._connection is not None:
            self._connection.close()

    def wait(self, seconds: float) -> bool:
        """Return True when notified, False after `seconds` or while PostgreSQL is unreachable."""
        try:
            if self._connection is None or self._connection.closed:
                self._connection = psycopg.connect(self._url, autocommit=True, connect_timeout=3)
                self._connection.execute(f"listen {CHANNEL}")
            return any(True for _ in self._connection.notifies(timeout=seconds, stop_after=1))
        except psycopg.Error:
            self._connection = None
            time.sleep(min(seconds, RECONNECT_SECONDS))
            return False
