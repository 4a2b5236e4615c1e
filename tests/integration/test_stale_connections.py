"""Connections that were closed while they lay idle are replaced before anybody uses them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args

import psycopg
import pytest

from shared.kernel.connection_limits import Role
from shared.kernel.database import Database, Transaction

APPLICATION: Final = "stale test"


def backend(tx: Transaction) -> int:
    found: int = tx.value("select pg_backend_pid()")
    return found


@pytest.fixture(params=get_args(Role))
def idle(request: pytest.FixtureRequest, database_url: str) -> Iterator[Database]:
    """A pool with two connections that nobody uses."""
    database = Database(database_url, role=request.param, application=APPLICATION)
    with database.begin() as one, database.begin() as other:
        assert backend(one) != backend(other)
    yield database
    database.close()


def close_all(url: str) -> None:
    """Have PostgreSQL close every connection of the pool, as its restart does, and wait until it has."""
    named = "from pg_stat_activity where application_name = %s"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"select pg_terminate_backend(pid, 5000) {named}".encode(), [APPLICATION])
        [count] = connection.execute(f"select count(*) {named}".encode(), [APPLICATION]).fetchone() or [None]
    assert count == 0


def test_who_comes_after_a_restart_notices_nothing(idle: Database, database_url: str) -> None:
    close_all(database_url)
    with idle.begin() as one, idle.begin() as other:
        assert backend(one) != backend(other)


def test_a_connection_that_replaces_a_lost_one_is_vetted(database_url: str) -> None:
    vetted: list[int] = []
    database = Database(database_url, application=APPLICATION, validate=lambda: vetted.append(1))
    assert database.transact(backend) == database.transact(backend)
    assert len(vetted) == 1
    close_all(database_url)
    database.transact(backend)
    assert len(vetted) == 2
    database.close()


def test_a_living_connection_is_kept(idle: Database) -> None:
    assert len({idle.transact(backend) for _ in range(5)}) == 1


def test_a_connection_in_use_is_closed_when_it_comes_back_to_a_closed_pool(database_url: str) -> None:
    database = Database(database_url, pool_size=1)
    with database.begin() as tx:
        raw = tx._connection.connection.dbapi_connection
        database.close()
        assert tx.value("select 1") == 1, "what is under way ends well"
    assert raw is not None
    assert raw.closed
