"""A request reaches its person's rows only, also where a statement forgot to say whose it wants (LT-09)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast
from uuid import UUID

import psycopg
import pytest
from fastapi import FastAPI
from sqlalchemy import event

from shared.kernel.database import Database
from shared.kernel.new_ids import new_id
from tests.support.every_operation import REQUESTS, some_ids
from tests.support.workbench import Person, Workbench

UNGUARDED = {
    "alembic_version",
    "subjects",  # who is asking is looked up here
    "operations",  # ids, times and counts, read by an operation's id before its person is known
    "operation_steps",
    "outbox",
    "hides",
    "idempotency_keys",
    "ledger",
    "imported_receipts",  # whoever has a receipt's random id may read it
    "debug_records",  # an operator's, of anybody's request
    "events",  # one look for all open pages
    "hosts",
    "rounds",
}
WHOSE = re.compile(r"\b(?:\w+\.)?subject_id = %\(\w+\)s(?:::UUID)?")
ROLES = ("memory_center_requests", "memory_center_recall")


@pytest.fixture
def owner(database_url: str) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    with psycopg.connect(database_url) as connection:
        yield connection


def test_every_table_of_a_person_is_guarded(owner: psycopg.Connection[tuple[Any, ...]]) -> None:
    tables = owner.execute(
        "select relname, relrowsecurity from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'"
    ).fetchall()
    assert {name for name, guarded in tables if not guarded} == UNGUARDED
    views = owner.execute(
        "select relname, relowner::regrole::text from pg_class"
        " where relnamespace = 'public'::regnamespace and relkind = 'v'"
    ).fetchall()
    assert {whose for _, whose in views} == {"memory_center_views"}
    powers = "select rolsuper or rolbypassrls from pg_roles where rolname = 'memory_center_views'"
    assert owner.execute(powers).fetchone() == (False,)


def subject_of(bench: Workbench, person: Person) -> UUID:
    found: UUID = bench.database.transact(
        lambda tx: tx.value("select id from subjects where user_id = :user", user=person.user_id)
    )
    return found


@contextmanager
def recorded(engine: Any, into: dict[str, dict[str, Any]]) -> Iterator[None]:
    """Note each statement once, with the first values it was run with."""

    def note(_connection: object, _cursor: object, sql: str, values: Any, *_: object) -> None:
        if isinstance(values, dict):
            into.setdefault(sql, values)

    event.listen(engine, "before_cursor_execute", note)
    yield
    event.remove(engine, "before_cursor_execute", note)


def test_no_statement_reaches_another_person_without_its_condition(
    bench: Workbench, owner: psycopg.Connection[tuple[Any, ...]]
) -> None:
    ada, ben = bench.person(), bench.person()
    ids, _ = some_ids(ada), some_ids(ben)
    state = cast("FastAPI", bench.api.app).state
    requests: dict[str, dict[str, Any]] = {}
    searches: dict[str, dict[str, Any]] = {}
    with recorded(state.database.engine, requests), recorded(state.recall_database.engine, searches):
        for request in REQUESTS.values():
            request(ids).send(ada, ada.headers)

    reach = Reach(owner, subject_of(bench, ada), subject_of(bench, ben))
    tried = needed = 0
    for role, statements in zip(ROLES, (requests, searches), strict=True):
        for sql, values in statements.items():
            for found in WHOSE.finditer(sql):
                without = f"{sql[: found.start()]}true{sql[found.end() :]}"
                tried += 1
                needed += reach.reaches("memory_center_app", without, values)
                assert not reach.reaches(role, without, values), without
    print(f"{tried} statements without a condition, {needed} of which would reach another person's rows")
    assert tried > 60
    assert needed > 10  # conditions were needed, and that one is missing is noticed


class Reach:
    """Runs statements for one person, and sees whether they reach another one's rows."""

    def __init__(self, owner: psycopg.Connection[tuple[Any, ...]], subject: UUID, other: UUID) -> None:
        self._owner, self._subject, self._other = owner, subject, other
        self._tables = [
            (str(name), bool(has_id))
            for name, has_id in owner.execute(
                """
                select c.relname, exists (select from pg_attribute i where i.attrelid = c.oid and i.attname = 'id'
                                          and i.atttypid = 'uuid'::regtype)
                from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'subject_id'
                where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relrowsecurity order by 1
                """
            ).fetchall()
        ]
        listed = " union all ".join(
            f"select id from {name} where subject_id = %(who)s" for name, id_ in self._tables if id_
        )
        self._ids = {str(id_) for (id_,) in owner.execute(listed.encode(), {"who": other}).fetchall()}
        self._rows = self._fingerprint()
        owner.rollback()

    def reaches(self, role: str, statement: str, values: dict[str, Any]) -> bool:
        """Return whether a statement returns an id of the other person, or changes a row of theirs; changes nothing."""
        owner = self._owner
        try:
            owner.execute(f"set local role {role}".encode())
            owner.execute("select set_config('mc.subject', %s, true)", [str(self._subject)])
            cursor = owner.execute(statement.encode(), values)
            if cursor.description:
                shown = repr(cursor.fetchall())
                return any(one in shown for one in self._ids)
            owner.execute("reset role")
            return self._fingerprint() != self._rows
        except psycopg.errors.Error:  # such as a row that another constraint keeps from being written twice
            return False
        finally:
            owner.rollback()

    def _fingerprint(self) -> dict[str, str | None]:
        """Return a digest of what the other person has, by table."""
        each = " union all ".join(
            f"select '{name}', md5(string_agg(t::text, ' ' order by t::text)) from {name} t where subject_id = %(who)s"
            for name, _ in self._tables
        )
        return dict(self._owner.execute(each.encode(), {"who": self._other}).fetchall())


@pytest.mark.parametrize("role", ROLES)
def test_whoever_names_nobody_reads_nothing(bench: Workbench, database_url: str, role: Any) -> None:
    ada = bench.person()
    ada.say(ada.conversation(), ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    nobodys = Database(database_url, role=role)
    try:
        with bench.database.begin() as tx:
            assert tx.value("select count(*) from visible_memories") == 1
        subject = subject_of(bench, ada)
        assert nobodys.transact(lambda tx: tx.value("select count(*) from visible_memories")) == 0
        assert nobodys.of(subject).transact(lambda tx: tx.value("select count(*) from visible_memories")) == 1
        assert nobodys.transact(lambda tx: tx.value("select count(*) from visible_memories")) == 0  # same connection
        assert nobodys.of(new_id()).transact(lambda tx: tx.value("select count(*) from visible_memories")) == 0
    finally:
        nobodys.close()


def test_nothing_is_written_for_somebody_else(bench: Workbench, database_url: str) -> None:
    ada, ben = bench.person(), bench.person()
    conversations = ada.conversation(), ben.conversation()
    requests = Database(database_url, role="memory_center_requests")
    subjects = [subject_of(bench, one) for one in (ada, ben)]
    try:
        theirs = requests.of(subjects[0])
        touch = "update conversations set project_id = 'x' where id = any(:ids)"
        assert theirs.transact(lambda tx: tx.run(touch, ids=[*map(str, conversations)])) == 1
        with pytest.raises(Exception, match="row-level security"):
            theirs.transact(
                lambda tx: tx.run(
                    "update conversations set subject_id = :other where id = :id",
                    other=subjects[1],
                    id=conversations[0],
                )
            )
    finally:
        requests.close()
