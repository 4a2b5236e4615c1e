"""What PostgreSQL's errors mean for the product; a driver's message, which may quote values, goes no further."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

SERIALIZATION_FAILURE, DEADLOCK, UNIQUE_VIOLATION, LOCK_TIMEOUT = "40001", "40P01", "23505", "55P03"
INSUFFICIENT_PRIVILEGE, NO_SUCH_ROLE = "42501", "22023"


class DatabaseUnavailable(Exception):
    """PostgreSQL is unreachable, shutting down, out of resources, or the pool has no free connection. Retry later."""

    code = "database_unavailable"


class DatabaseMisconfigured(DatabaseUnavailable):
    """A connection is not what this process needs; the message says what to change."""


DatabaseFailed = DBAPIError
"""PostgreSQL rejected a statement for an unexpected reason. The driver's message may quote values."""


class SubjectBusy(Exception):
    """The fence of this person could not be acquired in time. Retry shortly."""


class LostRace(Exception):
    """Another transaction won the race; retry this one from its start."""


@contextmanager
def translated_errors() -> Iterator[None]:
    """Translate driver errors into ours. They are not chained, because the driver's message may quote values."""
    try:
        yield
    except PoolTimeout:
        raise DatabaseUnavailable from None
    except DBAPIError as error:
        state = getattr(error.orig, "sqlstate", None)
        if state in (SERIALIZATION_FAILURE, DEADLOCK) or (state == UNIQUE_VIOLATION and _is_stream_race(error)):
            raise LostRace from None
        if state == LOCK_TIMEOUT:
            raise SubjectBusy from None
        if error.connection_invalidated or _means_unavailable(state, error):
            raise DatabaseUnavailable from None
        raise


def _is_stream_race(error: DBAPIError) -> bool:
    diagnostics = getattr(error.orig, "diag", None)
    return getattr(diagnostics, "constraint_name", None) in RACES


RACES = frozenset(
    {
        "events_stream_version_key",
        "subjects_user_id_key",
        "messages_conversation_id_client_key_key",
        "idempotency_keys_pkey",
        "user_settings_pkey",
    }
)
"""Unique constraints that only concurrent writers can violate. The loser retries its transaction."""


def _means_unavailable(state: str | None, error: DBAPIError) -> bool:
    # 08 connection, 53 resources (disk full, too many connections), 57P shutdown, 25P0x our own time limits
    if state is None:
        return isinstance(error, OperationalError | InterfaceError)
    return state.startswith(("08", "53", "57P", "25P03", "25P04"))
