"""Replace pooled connections that PostgreSQL closed while they were idle, before they are used.

Otherwise the first statement on each would fail long after a restart of PostgreSQL. A test query would cost a round
trip per checkout. The socket is checked instead, at no cost: data waiting on an idle connection nearly always means
that the server closed it.
"""

from __future__ import annotations

import select
from typing import Any, Final

from psycopg import Connection, OperationalError
from psycopg.pq import ConnStatus
from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError

MESSAGES_AT_MOST: Final = 8
"""Limit of reads before a connection that keeps sending is treated as closed."""


def replace_stale(engine: Engine) -> None:
    """Check each connection on checkout; a closed one is replaced with a new one."""
    event.listen(engine, "checkout", _look)


def _look(connection: Connection[Any], *_pool: object) -> None:
    if _is_closed(connection):
        raise DisconnectionError


def _is_closed(connection: Connection[Any]) -> bool:
    server = connection.pgconn
    waiting = select.poll()  # unlike select, it has no limit on file descriptors
    waiting.register(server.socket, select.POLLIN)
    for _ in range(MESSAGES_AT_MOST):
        if not waiting.poll(0):
            return False
        try:
            server.consume_input()
        except OperationalError:
            return True
        if server.status != ConnStatus.OK:
            return True
    return True
