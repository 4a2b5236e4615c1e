"""The schema can go up, down and up again, from several processes at once."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator

import psycopg
import pytest

from migrations.upgrade import downgrade, upgrade
from tests.support.backing import Backing


@pytest.fixture
def empty_database(backing: Backing) -> Iterator[str]:
    name = f"empty_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(backing.url("postgres"), autocommit=True) as connection:
        connection.execute(f'create database "{name}"'.encode())
        yield backing.url(name)
        connection.execute(f'drop database "{name}" with (force)'.encode())


def objects(url: str) -> set[str]:
    """Return every table, view and function of ours."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            """
            select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
            union all select proname from pg_proc where pronamespace = 'public'::regnamespace
            """
        ).fetchall()
    return {row[0] for row in rows} - {"alembic_version"}


def test_up_down_and_up_again_gives_the_same_schema(empty_database: str) -> None:
    upgrade(empty_database)
    first = objects(empty_database)
    assert {"subjects", "outbox", "visible_messages", "superseded_memories"} <= first
    downgrade(empty_database)
    assert objects(empty_database) == set()
    upgrade(empty_database)
    assert objects(empty_database) == first


def test_two_processes_that_migrate_at_once_do_it_once(empty_database: str) -> None:
    environment = {**os.environ, "MEMORY_CENTER_DATABASE_URL": empty_database}
    running = [subprocess.Popen([sys.executable, "-m", "migrations"], env=environment) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert "subjects" in objects(empty_database)


def test_no_statistics_are_kept_of_what_people_wrote(empty_database: str) -> None:
    upgrade(empty_database)
    with psycopg.connect(empty_database) as connection:
        sampled = connection.execute(
            """
            select c.relname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
            where c.relname like '%\\_contents' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
              and a.atttypid = 'text'::regtype and a.attstattarget is distinct from 0
            """
        ).fetchall()
    assert sampled == []
