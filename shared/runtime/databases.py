"""This process's connections to PostgreSQL: through a pooler where there is one, and past it for what lasts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from shared.kernel.connection_limits import Pooler, Role
from shared.kernel.database import Database, Transaction
from shared.kernel.database_errors import DatabaseFailed, DatabaseMisconfigured, DatabaseUnavailable
from shared.runtime.settings import Settings


def database_of(settings: Settings, *, role: Role = "memory_center_app", **more: Any) -> Database:
    """Return a pool of connections; `more` as for `Database`."""
    url = settings.database_url
    if role == "memory_center_searches":
        url = settings.database_recall_url or url
    return Database(url.get_secret_value(), role=role, pooler=settings.pooler, **more)


def direct_database_of(settings: Settings, **more: Any) -> Database:
    """Return a pool of connections to PostgreSQL itself, for locks that outlive a transaction."""
    return Database(settings.direct_url, **more)


def worker_pool(threads: int) -> int:
    """Return how many connections a worker has for transactions."""
    return 2 * threads + 4


def lock_pool(threads: int) -> int:
    """Return how many connections a worker has for locks, so that waiting for one cannot starve its transactions."""
    return threads + 2


def most_connections(*, requests: int, threads: int, pooler: Pooler = "none") -> int:
    """Return how many connections the processes of a host, as `memory-center up` starts them, open at PostgreSQL.

    Args:
        requests: `MEMORY_CENTER_DATABASE_CONNECTIONS`.
        threads: `MEMORY_CENTER_WORKER_THREADS`.
        pooler: with one, only those past it count; the pooler has the others.
    """
    lasting = 2  # the watch over the ledger, and notifications
    workers = 3  # erasing, everything else, and quarantine while it has work
    gateway, worker, scheduler = lasting, lock_pool(threads) + lasting, lasting
    if pooler == "none":
        gateway += 2 * requests + 1  # requests, searches, readiness
        worker += worker_pool(threads)
        scheduler += 4  # publishing, and periodic jobs
    return gateway + workers * worker + scheduler


SERVING: Final[tuple[Role, ...]] = ("memory_center_requests",)
SEARCHING: Final[tuple[Role, ...]] = (*SERVING, "memory_center_searches")


def refuse_wrong_connections(
    settings: Settings, application: str, *, roles: Sequence[Role] = ("memory_center_app",)
) -> None:
    """Return if this process's connections have the roles and the limits it needs, or if PostgreSQL does not answer.

    Raises:
        SystemExit: they do not, or rows are not guarded against statements in these roles; the message says what to do.
    """
    named: dict[str, Any] = {"application": application, "pool_size": 1}
    for database in (
        direct_database_of(settings, **named),
        *(database_of(settings, role=one, **named) for one in roles),
    ):
        try:
            database.ping()
            if database.role == "memory_center_requests" and database.transact(_unguarded):
                raise SystemExit(NOT_GUARDED)
        except DatabaseMisconfigured as wrong:
            raise SystemExit(str(wrong)) from None
        except (DatabaseUnavailable, DatabaseFailed):  # away, or not migrated yet: readiness says so
            pass
        finally:
            database.close()


NOT_GUARDED: Final = "rows are not guarded, as after a restore without roles: run `memory-center migrate`"


def _unguarded(tx: Transaction) -> bool:
    return bool(tx.value("select exists (select from unguarded())"))
