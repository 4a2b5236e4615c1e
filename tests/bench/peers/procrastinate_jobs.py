"""Procrastinate: a no-op job on the same PostgreSQL.

python -m tests.bench.peers.procrastinate_jobs URL CONCURRENCY
"""

from __future__ import annotations

import sys

from procrastinate import App, BaseConnector, PsycopgConnector, SyncPsycopgConnector

NOOP = "noop"


def jobs(connector: BaseConnector) -> App:
    """Return an app that knows the job."""
    app = App(connector=connector)
    app.task(name=NOOP)(_noop)
    return app


async def _noop() -> None:
    """Do nothing."""


def synchronous_jobs(url: str) -> App:
    """Return the app for a process without an event loop."""
    return jobs(SyncPsycopgConnector(conninfo=url))


def main() -> None:
    url, concurrency = sys.argv[1], int(sys.argv[2])
    size = concurrency + 4
    app = jobs(PsycopgConnector(conninfo=url, min_size=size, max_size=size))
    app.run_worker(concurrency=concurrency, listen_notify=True, delete_jobs="successful", wait=True)


if __name__ == "__main__":
    main()
