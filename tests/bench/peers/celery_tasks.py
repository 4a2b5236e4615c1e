"""Plain Celery: a no-op, Celery's own defaults, no results."""

from __future__ import annotations

import os

from celery import Celery

QUEUE = "plain"

app = Celery("plain", broker=os.environ.get("BENCH_BROKER", "redis://"))
app.conf.update(task_ignore_result=True, task_default_queue=QUEUE, worker_hijack_root_logger=False)


@app.task  # type: ignore[untyped-decorator]  # celery has no types
def noop() -> None:
    """Do nothing."""
