"""DBOS: a durable workflow that does nothing, queued on the same PostgreSQL.

python -m tests.bench.peers.dbos_workflows URL POLLING_SECONDS THREADS
"""

from __future__ import annotations

import signal
import sys

from dbos import DBOS

QUEUE = "noops"
WORKFLOW = "noop"
VERSION = "bench"


def _noop() -> None:
    """Do nothing, durably."""


def main() -> None:
    url, polling, threads = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    DBOS(
        config={
            "name": "bench",
            "system_database_url": url,
            "application_version": VERSION,
            "max_executor_threads": threads,
            "log_level": "ERROR",
        }
    )
    DBOS.workflow(name=WORKFLOW)(_noop)
    DBOS.launch()
    DBOS.register_queue(QUEUE, polling_interval_sec=polling)
    print("ready", flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    DBOS.destroy()


if __name__ == "__main__":
    main()
