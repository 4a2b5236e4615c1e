"""The schema can go up, down and up again, from several processes at once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from alembic.script import ScriptDirectory

from migrations.upgrade import UnknownRevisionError, configuration, downgrade, upgrade
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
            select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
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


def test_a_database_of_an_unknown_version_is_refused_in_a_sentence(empty_database: str) -> None:
    upgrade(empty_database)
    with psycopg.connect(empty_database) as connection:
        connection.execute("update alembic_version set version_num = '20261126_16'")
    with pytest.raises(UnknownRevisionError, match="'20261126_16': another version of Memory Center made this"):
        upgrade(empty_database)


def test_no_statistics_are_kept_of_what_people_wrote(empty_database: str) -> None:
    upgrade(empty_database)
    with psycopg.connect(empty_database) as connection:
        sampled = connection.execute(
            """
            select c.relname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
            where c.relname ~ '_contents(_\\d+)?$' and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
              and a.atttypid = 'text'::regtype and a.attstattarget is distinct from 0
            """
        ).fetchall()
    assert sampled == []


BEFORE = "20261127_26"
"""When what people wrote was not partitioned yet."""
FILL = """
    with people as (
      insert into subjects (id, user_id, namespace)
      select gen_random_uuid(), 'person-' || n, gen_random_uuid() from generate_series(1, 1000) n returning id
    ), places as (
      insert into conversations (id, subject_id, generation) select gen_random_uuid(), id, 1 from people
      returning id, subject_id
    ), said as (
      insert into messages (id, subject_id, generation, conversation_id, seq, turn, session, role, completed, summarize,
                            index_episode, learn, spoken_at)
      select gen_random_uuid(), subject_id, 1, p.id, n, n, 1, 'user', true, true, true, true, now()
      from places p, generate_series(1, 100) n returning id
    )
    insert into message_contents (message_id, text) select id, repeat('I live in Oslo. ', 20) from said"""
SAY = """
    with acting as (
      -- as the product does, when it takes the fence
      select id, subject_id, set_config('mc.subject', subject_id::text, false) as subject
      from conversations order by id offset %(place)s limit 1
    ), said as (
      insert into messages (id, subject_id, generation, conversation_id, seq, turn, session, role, completed, summarize,
                            index_episode, learn, spoken_at)
      select gen_random_uuid(), subject::uuid, 1, id, %(seq)s, %(seq)s, 1, 'user', true, true, true, true, now()
      from acting returning id
    )
    insert into message_contents (message_id, text) select id, 'I love jazz.' from said"""
FORGET = """
    with gone as (
      delete from message_contents where message_id = (
        select m.id from messages m join conversations c on c.id = m.conversation_id
        where c.id = (select id from conversations order by id offset %(place)s limit 1) order by m.seq desc limit 1)
      returning message_id
    )
    delete from hides where item_id in (select message_id from gone)"""


class Writer(threading.Thread):
    """Says and forgets in a conversation of its own until it is stopped; a conflict is tried again."""

    def __init__(self, url: str, place: int) -> None:
        super().__init__()
        self._url, self._place = url, place
        self._over = threading.Event()
        self.said = self.forgotten = 0
        self.failed: BaseException | None = None

    def run(self) -> None:
        try:
            with psycopg.connect(self._url, autocommit=True) as connection:
                while not self._over.is_set():
                    self.said += self._try(connection, SAY)
                    if self.said % 3 == 0:
                        self.forgotten += self._try(connection, FORGET)
        except psycopg.Error as error:
            self.failed = error

    def _try(self, connection: psycopg.Connection[Any], statement: str) -> int:
        told = {"seq": 1000 + self.said, "place": self._place}
        while True:
            try:
                connection.execute(statement.encode(), told)
            except psycopg.errors.DeadlockDetected:
                continue
            return 1

    def stop(self) -> None:
        self._over.set()
        self.join()


def test_a_filled_database_is_upgraded_while_people_use_it(empty_database: str) -> None:
    upgrade(empty_database, BEFORE)
    with psycopg.connect(empty_database) as connection:
        connection.execute(FILL)
        before = connection.execute("select count(*) from messages").fetchone()
    assert before == (100_000,)
    writers = [Writer(empty_database, place) for place in range(4)]
    for writer in writers:
        writer.start()
    try:
        upgrade(empty_database)
    finally:
        for writer in writers:
            writer.stop()
    assert [writer.failed for writer in writers] == [None] * 4
    assert all(writer.said for writer in writers)
    with psycopg.connect(empty_database) as connection:
        said = connection.execute("select count(*) from messages where seq >= 1000").fetchone()
        assert said == (sum(writer.said for writer in writers),)
        assert connection.execute("select * from unguarded()").fetchall() == []
        assert connection.execute("select version_num from alembic_version").fetchone() == (_newest(),)


def _newest() -> str | None:
    return ScriptDirectory.from_config(configuration("")).get_current_head()
