"""Counted places around every commit and every call outside, where a process dies, stands still, or goes on."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from shared.erasure.sql import purging
from shared.kernel.database import Database, Transaction
from shared.lineage.sql import vector_keys
from shared.stores.milvus_client import MilvusConnection

UNCOUNTED = frozenset({"lease-heartbeat", "outbox-notifier", "restore-watch"})
"""Threads that come by at times of their own; counting them would make a place mean something else each time."""


class Boundaries:
    """The boundaries of one process, counted anew for each command.

    Args:
        tell: reports ("killed" or "stopped", number, name) right before it happens.
    """

    def __init__(self, tell: Callable[[str, int, str], None]) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self.passed = 0
        self._counted = 0
        self._kill_at = 0
        self._hang_at = 0
        self._stop_at = 0
        self._stop_inside = False
        self._on = ""

    def arm(
        self, *, kill_at: int = 0, stop_at: int = 0, stop_inside: bool = False, hang_at: int = 0, on: str = ""
    ) -> None:
        """Count from zero; 0 means never.

        Args:
            kill_at: the boundary to die at.
            stop_at: the boundary to stand still at, or the next one outside of transactions.
            stop_inside: whether to stand still within an open transaction, too.
            hang_at: the boundary whose thread waits for ever while the others, such as a heartbeat, go on.
            on: count boundaries of this name only.
        """
        self.passed, self._kill_at, self._stop_at, self._stop_inside, self._on = 0, kill_at, stop_at, stop_inside, on
        self._counted, self._hang_at = 0, hang_at

    def reach(self, name: str) -> None:
        """Pass a boundary, or do not."""
        if threading.current_thread().name in UNCOUNTED:
            return
        with self._lock:
            self.passed += 1
            if self._on and name != self._on:
                return
            self._counted += 1
            number = self._counted
            stops = self._stop_at and number >= self._stop_at and (self._stop_inside or name != "before commit")
            if stops:
                self._stop_at = 0
        if number == self._kill_at:
            self._tell("killed", number, name)
            os.kill(os.getpid(), signal.SIGKILL)
        if number == self._hang_at:
            self._tell("stopped", number, name)
            threading.Event().wait()
        if stops:
            self._tell("stopped", number, name)
            os.kill(os.getpid(), signal.SIGSTOP)


def watch(boundaries: Boundaries) -> None:
    """Put a boundary before and after each commit, rewriting of a table, call to Milvus and fsync of this process.

    The one after a commit that announced a write has a name of its own: from there on bytes may arrive.
    """
    begin, call, fsync, announce = Database.begin, MilvusConnection._call, os.fsync, vector_keys.announce
    rewrite = purging._rewrite
    announced = threading.local()

    def watched_announce(*arguments: Any, **named: Any) -> None:
        announced.here = True
        announce(*arguments, **named)

    @contextmanager
    def watched_begin(self: Database, **how: Any) -> Iterator[Transaction]:
        with begin(self, **how) as tx:
            yield tx
            boundaries.reach("before commit")
        name, announced.here = "after announcing" if getattr(announced, "here", False) else "after commit", False
        boundaries.reach(name)

    def watched_call(self: MilvusConnection, method: str, *arguments: Any, **named: Any) -> Any:
        boundaries.reach(f"before {method}")
        answer = call(self, method, *arguments, **named)
        boundaries.reach(f"after {method}")
        return answer

    def watched_fsync(file: Any) -> None:
        boundaries.reach("before fsync")
        fsync(file)
        boundaries.reach("after fsync")

    def watched_rewrite(session: Any, name: str) -> bool:
        boundaries.reach("before rewrite")
        rewritten = rewrite(session, name)
        boundaries.reach("after rewrite")
        return rewritten

    vars(vector_keys)["announce"] = watched_announce
    vars(purging)["_rewrite"] = watched_rewrite
    Database.begin = watched_begin  # type: ignore[method-assign]
    MilvusConnection._call = watched_call  # type: ignore[method-assign]
    os.fsync = watched_fsync  # type: ignore[assignment]
