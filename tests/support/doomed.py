"""A process of ours that dies or stands still at a planned place: `python -m tests.support.doomed MODULE PLAN`.

The file PLAN holds `SIGNAL NUMBER PLACE`: the signal the process sends itself when it is at that place for the
NUMBER-th time since. It is deleted right before. Without it the process is like any other.
"""

from __future__ import annotations

import runpy
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final


class Plan:
    """Where this process ends, read from a file whenever it passes a place."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._guard = threading.Lock()
        self._passed = 0

    def reach(self, place: str) -> None:
        """Pass a place, or do not."""
        with self._guard:
            if not self._path.exists():
                return
            number, count, planned = self._path.read_text().split(" ", 2)
            self._passed += place == planned
            if self._passed < int(count):
                return
            self._passed = 0
            self._path.unlink()
        # To this thread, or it would go on until some other one has heard the signal.
        signal.pthread_kill(threading.get_ident(), signal.Signals[number])


def of_gateway(plan: Plan) -> None:
    """Add `before commit` and `after commit`, of what answers requests."""
    from shared.kernel.database import Database, Transaction

    begin = Database.begin

    @contextmanager
    def beginning(self: Database, **how: Any) -> Iterator[Transaction]:
        answers = threading.current_thread().name != "restore-watch"
        with begin(self, **how) as tx:
            yield tx
            if answers:
                plan.reach("before commit")
        if answers:
            plan.reach("after commit")

    Database.begin = beginning  # type: ignore[method-assign]


def of_scheduler(plan: Plan) -> None:
    """Add `before publish`: what it publishes is marked by then. No round comes: a test plans what is deleted."""
    from workers.celery_app import app
    from workers.scheduler import periodic

    vars(periodic)["ROUND_SECONDS"] = 3600.0
    app.send_task = _after(lambda *_: plan.reach("before publish"), app.send_task)


def of_worker(plan: Plan) -> None:
    """Add `before delete` and `after delete` in a store, `before closing KIND` and `before confirming` an episode."""
    from shared.stores.milvus_client import MilvusConnection
    from workers.eraser import tasks as eraser
    from workers.indexer import tasks as indexer

    delete = MilvusConnection.delete

    def deleting(self: MilvusConnection, collection: str, field: str, keys: Sequence[str]) -> None:
        plan.reach("before delete")
        delete(self, collection, field, keys)
        plan.reach("after delete")

    MilvusConnection.delete = deleting  # type: ignore[method-assign]
    eraser._close = _after(lambda lease, *_: plan.reach(f"before closing {lease.kind}"), eraser._close)
    indexer._confirm = _after(lambda _: plan.reach("before confirming"), indexer._confirm)


def _after(first: Callable[..., None], act: Callable[..., Any]) -> Callable[..., Any]:
    def acting(*values: Any, **named: Any) -> Any:
        first(*values)
        return act(*values, **named)

    return acting


PLACES: Final = {"services.gateway": of_gateway, "workers.scheduler": of_scheduler, "workers": of_worker}

if __name__ == "__main__":
    module, path = sys.argv[1:]
    PLACES[module](Plan(Path(path)))
    sys.argv[1:] = []
    runpy.run_module(module, run_name="__main__", alter_sys=True)
