"""Logins without ownership: each may take on the role of what it is for, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote

import psycopg
from psycopg import sql
from sqlalchemy import make_url


def let_in(owner: str, logins: Mapping[str, tuple[str, ...]]) -> None:
    """Let the logins of these addresses connect, with their passwords, and take on these roles.

    Args:
        owner: the address with the login that owns the schema; its own login is left as it is.
        logins: roles by address.
    """
    with psycopg.connect(owner, autocommit=True) as connection:
        # Two that change one role at once fail: the lock of migrations, until the connection is closed.
        connection.execute("select pg_advisory_lock(hashtextextended('memory-center.migrations', 0))")
        for url, roles in logins.items():
            named = make_url(url)
            login = unquote(named.username or "")
            if not login or login == connection.info.user:
                continue
            name = sql.Identifier(login)
            connection.execute("grant select on alembic_version to memory_center_app")  # `doctor` asks for the schema
            if connection.execute("select from pg_roles where rolname = %s", [login]).fetchone() is None:
                connection.execute(sql.SQL("create role {} login").format(name))
            connection.execute(sql.SQL("alter role {} login").format(name))
            if named.password:  # without one in the address, it comes from elsewhere: a file, a certificate
                hashed = _hashed(connection, login, named.password)
                connection.execute(sql.SQL("alter role {} password {}").format(name, hashed))
            for role in roles:
                # Else membership alone would bind the login to one person's rows, also where it takes on no role.
                inherits = sql.SQL("true" if role == "memory_center_app" else "false")
                connection.execute(
                    sql.SQL("grant {} to {} with inherit {}, set true").format(sql.Identifier(role), name, inherits)
                )


def _hashed(connection: psycopg.Connection, login: str, password: str) -> sql.Literal:
    """Return a password as PostgreSQL keeps it: what is sent may be written to a log."""
    return sql.Literal(connection.pgconn.encrypt_password(password.encode(), login.encode(), b"scram-sha-256").decode())
