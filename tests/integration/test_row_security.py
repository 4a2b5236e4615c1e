"""Requests and workers reach one person's rows only, also where a statement forgot to say whose it wants (LT-09)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import psycopg
import pytest
from fastapi import FastAPI
from psycopg import errors
from sqlalchemy import event

from migrations.upgrade import upgrade
from services.cli.doctor.database import guarded_rows
from shared.kernel import items, readers
from shared.kernel.connection_limits import Role
from shared.kernel.database import Database
from shared.kernel.database_errors import DatabaseMisconfigured
from shared.kernel.new_ids import new_id
from shared.runtime.databases import SERVING, refuse_wrong_connections
from tests.support.backing import Backing
from tests.support.every_operation import MORE, REQUESTS, some_ids
from tests.support.workbench import Person, Workbench, test_settings

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
CHANGES = re.compile(r"\b(insert into|update|delete from)\b", re.IGNORECASE)
ROLES: tuple[Role, ...] = ("memory_center_requests", "memory_center_searches")
CANARY = "vanadium"
Owner = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture
def owner(database_url: str) -> Iterator[Owner]:
    with psycopg.connect(database_url) as connection:
        yield connection


def test_every_table_of_a_person_is_guarded(owner: Owner) -> None:
    tables = owner.execute(
        "select relname, relrowsecurity from pg_class"
        " where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition"
    ).fetchall()
    assert {name for name, guarded in tables if not guarded} == UNGUARDED
    assert owner.execute("select name from unguarded() as name").fetchall() == []
    views = owner.execute(
        "select relowner::regrole::text from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'"
    ).fetchall()
    assert {whose for (whose,) in views} == {"memory_center_views"}
    powers = "select rolsuper or rolbypassrls from pg_roles where rolname = 'memory_center_views'"
    assert owner.execute(powers).fetchone() == (False,)


def test_what_a_restore_without_roles_lost_is_noticed_and_guarded_again(
    owner: Owner, database_url: str, backing: Backing
) -> None:
    owner.execute("alter view visible_memories owner to current_user")
    owner.execute("drop policy one_person on memories")
    owner.execute("alter table message_contents disable row level security")
    owner.execute("revoke select on tasks from memory_center_views")
    owner.execute("create view analysts_own as select 1")
    owner.commit()
    found = owner.execute("select name::text from unguarded() as name order by 1").fetchall()
    lost = ["memories", "message_contents", "visible_memories", "visible_tasks", "visible_vectors"]  # reads memories
    assert [name for (name,) in found] == lost
    owner.commit()
    settings = test_settings(backing, database_url)
    with pytest.raises(SystemExit, match="rows are not guarded"):
        refuse_wrong_connections(settings, "test", roles=SERVING)
    refuse_wrong_connections(settings, "test")  # workers and commands are not bound
    with psycopg.connect(database_url) as connection:
        told = guarded_rows(connection, Path("/data"))
    assert (told.level, told.seen) == ("fail", f"not guarded in {', '.join(lost)}")
    upgrade(database_url)
    refuse_wrong_connections(settings, "test", roles=SERVING)
    assert owner.execute("select name from unguarded() as name").fetchall() == []
    owner.execute("drop view analysts_own")
    owner.commit()


def test_a_table_in_use_is_guarded_when_it_is_free(owner: Owner, database_url: str) -> None:
    owner.execute("drop policy one_person on memories")
    owner.commit()
    owner.execute("select from memories")  # a reader holds a lock that a policy has to wait for
    with pytest.MonkeyPatch.context() as hurried:
        hurried.setattr("migrations.upgrade.PATIENCE_SECONDS", 1)
        with pytest.raises(errors.LockNotAvailable):
            upgrade(database_url)
    owner.rollback()
    upgrade(database_url)
    assert owner.execute("select name from unguarded() as name").fetchall() == []


def test_a_role_that_does_not_exist_yet_is_named_in_a_sentence(database_url: str) -> None:
    nobody = Database(database_url, role=cast("Role", "memory_center_nobody"))
    with pytest.raises(DatabaseMisconfigured, match="may not act as memory_center_nobody: run `memory-center migrate`"):
        nobody.ping()
    nobody.close()


def subject_of(bench: Workbench, person: Person) -> UUID:
    found: UUID = bench.database.transact(
        lambda tx: tx.value("select id from subjects where user_id = :user", user=person.user_id)
    )
    return found


@contextmanager
def recorded(
    engine: Any, into: dict[str, dict[str, Any]], *, beyond: dict[str, dict[str, Any]] | None = None
) -> Iterator[None]:
    """Note each statement once, with the first values it was run with; `beyond` gets those in a role without bounds."""

    def note(connection: Any, _cursor: object, sql: str, values: Any, *_: object) -> None:
        if not isinstance(values, dict):
            return
        role = connection.connection.driver_connection.execute("show role").fetchone()[0] if beyond is not None else ""
        (beyond if beyond is not None and role == "memory_center_app" else into).setdefault(sql, values)

    event.listen(engine, "before_cursor_execute", note)
    yield
    event.remove(engine, "before_cursor_execute", note)


def test_no_statement_reaches_another_person(bench: Workbench, owner: Owner) -> None:
    """Each statement of every request, first without each of its conditions in turn, then with another person's ids."""
    ada, ben = bench.person(), bench.person()
    hers, his = some_ids(ada), some_ids(ben)
    ben.say(ben.conversation(title=CANARY), (f"I collect {CANARY}.", f"{CANARY}, noted."))
    bench.work()
    state = cast("FastAPI", bench.api.app).state
    requests: dict[str, dict[str, Any]] = {}
    searches: dict[str, dict[str, Any]] = {}
    with recorded(state.database.engine, requests), recorded(state.recall_database.engine, searches):
        for name, request in REQUESTS.items():
            for one in [request, *MORE.get(name, [])]:
                assert one(hers).send(ada, ada.headers).status_code < 500

    reach = Reach(owner, subject_of(bench, ada), subject_of(bench, ben))
    swapped = {UUID(a): UUID(b) for a, b in zip(astuple(hers), astuple(his), strict=True) if a and b}
    tried = needed = 0
    for role, statements in zip(ROLES, (requests, searches), strict=True):
        these = tampered(reach, role, statements, swapped)
        tried, needed = tried + these[0], needed + these[1]
    print(f"{tried} statements, {needed} of which would reach another person's rows")
    assert tried > 200
    assert needed > 40  # row-level security was needed, and reaching somebody is noticed


def test_no_statement_of_a_worker_reaches_another_person(bench: Workbench, owner: Owner) -> None:
    """The same for the work that requests of every kind give to workers."""
    ada, ben = bench.person(), bench.person()
    hers, his = some_ids(ada), some_ids(ben)
    ben.say(ben.conversation(title=CANARY), (f"I collect {CANARY}.", f"{CANARY}, noted."))
    bench.work()
    reach = Reach(owner, subject_of(bench, ada), subject_of(bench, ben))
    swapped = {UUID(a): UUID(b) for a, b in zip(astuple(hers), astuple(his), strict=True) if a and b}
    bound: dict[str, dict[str, Any]] = {}
    unbound: dict[str, dict[str, Any]] = {}
    for name, request in REQUESTS.items():
        for one in [request, *MORE.get(name, [])]:
            one(hers).send(ada, ada.headers)
        # An import asks which ids are somebody else's.
        with recorded(bench.database.engine, bound, beyond={} if "import" in name else unbound):
            bench.work()
    tried, needed = tampered(reach, "memory_center_requests", bound, swapped)
    print(f"{tried} statements, {needed} of which would reach another person's rows")
    assert tried > 150
    assert needed > 20
    # Of several people at once only ids are read: of vectors, so that a store is asked once, and for the ledger.
    ids = {"vector_refs", "visible_vectors", "messages", "erased_messages", "unlearnable_spans"}
    assert {sql: named for sql in unbound if (named := reach.touched(sql) - ids)} == {}
    assert not any(CHANGES.search(sql) for sql in unbound if reach.touched(sql) - {"vector_refs"})


def tampered(
    reach: Reach, role: Role, statements: dict[str, dict[str, Any]], swapped: dict[UUID, UUID]
) -> tuple[int, int]:
    """Run statements without each of their conditions in turn, and with another person's ids, for one person.

    Returns how many were tried, and how many of these would reach the other person in a role that is not bound.
    """
    tried = needed = 0
    for sql, values in statements.items():
        if not reach.touched(sql):
            continue
        without = [f"{sql[: found.start()]}true{sql[found.end() :]}" for found in WHOSE.finditer(sql)]
        variants = [(one, values) for one in without]
        if "set_config" not in sql:  # which would act for the other person
            others = {**swapped, reach.subject: reach.other}
            variants.append((sql, {name: swap(value, others) for name, value in values.items()}))
        for one, given in variants:
            tried += 1
            needed += reach.reaches("memory_center_app", one, given)
            assert not reach.reaches(role, one, given), one
    return tried, needed


def swap(value: Any, swapped: dict[UUID, UUID]) -> Any:
    """Return a parameter with one person's ids replaced by the other's."""
    if isinstance(value, list | tuple):
        return [swap(one, swapped) for one in value]
    if isinstance(value, UUID):
        return swapped.get(value, value)
    if isinstance(value, str):
        for mine, other in swapped.items():
            value = value.replace(str(mine), str(other))
    return value


class Reach:
    """Runs statements for one person, and sees whether they reach another one's rows."""

    def __init__(self, owner: Owner, subject: UUID, other: UUID) -> None:
        self._owner, self.subject, self.other = owner, subject, other
        personal = owner.execute("select name::text from guarded_tables() where personal order by 1").fetchall()
        self._theirs = {str(name): "subject_id = %(who)s" for (name,) in personal}
        self._ids: set[str] = set()
        for kind in items.kinds():
            if "id" not in kind.table.c:  # a package, which has its operation's
                continue
            rows = owner.execute(f"select id from {kind.table} where subject_id = %s".encode(), [other]).fetchall()
            self._ids |= {str(id_) for (id_,) in rows}
            for key in kind.contents:
                belongs = f"exists (select from {kind.table} p where p.id = t.{key.name} and p.subject_id = %(who)s)"
                self._theirs.setdefault(key.table.name, belongs)
        self._rows = self._fingerprint()
        owner.rollback()

    def touched(self, statement: str) -> set[str]:
        """Return the guarded tables and the views that a statement names."""
        named = set(re.findall(r"\w+", statement))
        return {name for name in named if name in self._theirs or name.startswith("visible_")}

    def reaches(self, role: str, statement: str, values: dict[str, Any]) -> bool:
        """Return whether a statement shows or changes something of the other person; changes nothing."""
        owner = self._owner
        try:
            owner.execute(f"set local role {role}".encode())
            owner.execute("select set_config('mc.subject', %s, true)", [str(self.subject)])
            cursor = owner.execute(statement.encode(), values)
            shown = repr(cursor.fetchall()) if cursor.description else ""
            asked = repr(values)  # what was said in the question is no answer
            if any(one in shown and one not in asked for one in (*self._ids, CANARY)):
                return True
            owner.execute("reset role")
            return CHANGES.search(statement) is not None and self._fingerprint() != self._rows
        except (
            errors.UniqueViolation,
            errors.InsufficientPrivilege,
            errors.CardinalityViolation,
            errors.ForeignKeyViolation,
        ):
            return False  # refused: nothing was shown or changed
        finally:
            owner.rollback()

    def _fingerprint(self) -> dict[str, str | None]:
        """Return a digest of what the other person has, by table."""
        each = " union all ".join(
            f"select '{name}', md5(string_agg(t::text, ' ' order by t::text)) from {name} t where {whose}"
            for name, whose in self._theirs.items()
        )
        return dict(self._owner.execute(each.encode(), {"who": self.other}).fetchall())


def memories_seen(database: Database) -> int:
    return int(database.transact(lambda tx: tx.value("select count(*) from visible_memories")))


@pytest.mark.parametrize("role", ROLES)
def test_whoever_names_nobody_reads_nothing(bench: Workbench, database_url: str, role: Role) -> None:
    ada, ben = bench.person(), bench.person()
    for person, times in ((ada, 1), (ben, 2)):
        for place in range(times):
            person.say(person.conversation(), (f"I'm allergic to {['peanuts', 'celery'][place]}.", "Noted."))
    bench.work()
    hers, his = subject_of(bench, ada), subject_of(bench, ben)
    nobodys = Database(database_url, role=role, pool_size=1)  # everybody on one connection, one after another
    try:
        assert memories_seen(bench.database) == 3
        assert memories_seen(nobodys) == 0
        assert memories_seen(nobodys.of(hers)) == 1
        assert memories_seen(nobodys) == 0
        assert memories_seen(nobodys.of(his)) == 2
        assert memories_seen(nobodys.of(hers)) == 1
        assert memories_seen(nobodys.of(new_id())) == 0
        with pytest.raises(Exception, match="division by zero"):
            nobodys.of(his).transact(lambda tx: tx.value("select 1 / 0"))
        assert memories_seen(nobodys.of(hers)) == 1
        reader, theirs = readers.find(nobodys, ben.user_id)
        assert reader is not None
        assert memories_seen(theirs) == 2
        assert readers.find(nobodys, "nobody-of-that-name")[0] is None
        assert memories_seen(nobodys) == 0
        assert memories_seen(nobodys.of(hers)) == 1
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
        give = "update conversations set subject_id = :other where id = :id"
        with pytest.raises(Exception, match="row-level security"):
            theirs.transact(lambda tx: tx.run(give, other=subjects[1], id=conversations[0]))
    finally:
        requests.close()
