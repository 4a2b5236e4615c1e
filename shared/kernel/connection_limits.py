"""What a connection or transaction takes on before its first statement: its role, and limits of time."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Final, Literal, TypeAlias

import psycopg
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from shared.kernel.database_errors import INSUFFICIENT_PRIVILEGE, NO_SUCH_ROLE, DatabaseMisconfigured

Role: TypeAlias = Literal["memory_center_app", "memory_center_requests", "memory_center_searches"]
"""`memory_center_app` may reach everybody's rows; the others only those of the person a transaction acts for."""
Pooler: TypeAlias = Literal["none", "transaction"]
"""What is between a process and PostgreSQL: nothing, or a pooler that gives it a connection for each transaction."""
A_POOLER = (
    "MEMORY_CENTER_DATABASE_URL leads to a connection pooler: set MEMORY_CENTER_POOLER=transaction, and"
    " MEMORY_CENTER_DATABASE_DIRECT_URL to PostgreSQL itself"
)
NOT_THE_ROLE = (
    "the database login may not act as {role}: run `memory-center migrate` with MEMORY_CENTER_DATABASE_OWNER_URL"
)
_LIMIT_CONNECTION: Final = """
  select pg_backend_pid(), set_config(name, value, false)
  from unnest(%(names)s::text[], %(values)s::text[]) as s(name, value)
"""
_LIMIT_TRANSACTION: Final = text("""
  select set_config(name, value, true) from unnest(cast(:names as text[]), cast(:values as text[])) as s(name, value)
""")


class ConnectionLimits:
    """The role and the limits of one process's connections.

    Args:
        role, transaction_seconds: as for `Database`.
    """

    def __init__(self, role: Role, transaction_seconds: float | None) -> None:
        self._role = role
        settings = {
            "role": role,
            "idle_in_transaction_session_timeout": "5s",
            # Rows are looked up by key. A plan cached while a table was small could scan all of it once it is large.
            "enable_seqscan": "off",
            # Searches repeat a few statements. Planning costs as much as running; no plan depends on values.
            "plan_cache_mode": "force_generic_plan" if role == "memory_center_searches" else "auto",
            "transaction_timeout": str(int(transaction_seconds * 1000)) if transaction_seconds is not None else "0",
        }
        self._settings = {"names": list(settings), "values": list(settings.values())}

    def set_for_connection(self, connection: psycopg.Connection, _record: object) -> None:
        """Take on the role and the limits for as long as a connection lasts.

        Raises:
            DatabaseMisconfigured: it leads to a pooler, or the login may not act in the role.
        """
        with ExitStack() as unless_fit:
            unless_fit.callback(connection.close)
            autocommit, connection.autocommit = connection.autocommit, True
            try:
                row = connection.execute(_LIMIT_CONNECTION, self._settings).fetchone()
            except (psycopg.errors.InsufficientPrivilege, psycopg.errors.InvalidParameterValue):
                raise DatabaseMisconfigured(NOT_THE_ROLE.format(role=self._role)) from None
            # A pooler tells its clients a number of its own.
            if row is None or row[0] != connection.info.backend_pid:
                raise DatabaseMisconfigured(A_POOLER)
            connection.autocommit = autocommit
            unless_fit.pop_all()

    def set_for_transaction(self, connection: Connection) -> None:
        """The same until a transaction ends."""
        try:
            connection.execute(_LIMIT_TRANSACTION, self._settings)
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) in (INSUFFICIENT_PRIVILEGE, NO_SUCH_ROLE):
                raise DatabaseMisconfigured(NOT_THE_ROLE.format(role=self._role)) from None
            raise
