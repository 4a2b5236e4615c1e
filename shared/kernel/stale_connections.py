"""Connections PostgreSQL closed while they lay idle in a pool are replaced before anybody uses them.

Each would fail its first statement otherwise, and a restart of PostgreSQL be felt long after it. Asking PostgreSQL
costs a round trip each time; the socket knows as well, for nothing: an idle connection with something to read was
told goodbye.
"""

from __future__ import annotations

import select
from typing import Any, Final

from psycopg import Connection, OperationalError
from psycopg.pq import ConnStatus
from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError

MESSAGES_AT_MOST: Final = 8
"""Read before a connection that still says something is given up; a goodbye is one, and then the end."""


def replace_stale(engine: Engine) -> None:
    """Look at each connection as it leaves the pool; one that is closed is opened anew."""
    event.listen(engine, "checkout", _look)


def _look(connection: Connection[Any], *_pool: object) -> None:
    if _is_closed(connection):
        raise DisconnectionError


def _is_closed(connection: Connection[Any]) -> bool:
    server = connection.pgconn
    waiting = select.poll()  # unlike select, it takes any number of files
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
