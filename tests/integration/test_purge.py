"""A purge rewrites what held content, and says of a forget that it is physically gone only when it is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from deploy.embedded.servers import MilvusLite
from shared.erasure.purge import STEPS, confirm_purge, queue_purge
from shared.erasure.sql import purging
from shared.erasure.sql.purging import NotRewritten, PurgeBusy, rewrite_tables
from shared.kernel.database import Database, Transaction
from shared.kernel.ids import OperationId
from shared.kernel.locks import collection_lock
from shared.kernel.new_ids import new_id
from shared.outbox.sql import leasing
from shared.outbox.sql.leasing import Lease, LeaseLost
from shared.stores.inspection import COLLECTIONS, Inspection
from shared.stores.milvus_purging import Purger
from tests.support.backing import Backing
from tests.support.workbench import Workbench, test_settings, workbench


@pytest.fixture
def owner(database_url: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A connection of the owner of everything."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


def files(owner: psycopg.Connection[tuple[object, ...]]) -> dict[str, object]:
    """Return the files of all tables that a purge rewrites, and of all partitions of those that are partitioned."""
    rows = owner.execute(
        """
        select oid::regclass::text, pg_relation_filenode(oid) from pg_class
        left join pg_inherits on inhrelid = oid where relkind = 'r' and coalesce(inhparent, oid) = any(%s::regclass[])
        """,
        [list(purging.tables())],
    )
    return {str(name): number for name, number in rows.fetchall()}


PARTITIONED = {"message_contents": 16, "message_terms": 64, "memory_contents": 16, "memory_terms": 16}
WHOLE = set(purging.tables()) - set(PARTITIONED)


def test_tables_are_written_anew_and_the_partitions_of_those_who_forgot(
    database: Database, owner: psycopg.Connection[tuple[object, ...]]
) -> None:
    before = files(owner)
    assert len(before) == len(WHOLE) + sum(PARTITIONED.values())
    assert rewrite_tables(database) == len(WHOLE)
    assert {name for name, file in files(owner).items() if file != before[name]} == WHOLE

    forgotten = a_forget(database)
    before = files(owner)
    assert rewrite_tables(database) == len(WHOLE) + len(PARTITIONED)
    rewritten = {name for name, file in files(owner).items() if file != before[name]}
    assert rewritten > WHOLE
    [(subject,)] = rows(database, "select subject_id from operations where id = :id", id=forgotten)
    for table, count in PARTITIONED.items():
        [part] = [name for name in rewritten if name.startswith(f"{table}_")]
        number = int(part.removeprefix(f"{table}_"))
        theirs = "select satisfies_hash_partition(%s::regclass, %s, %s, %s)"
        assert owner.execute(theirs, [table, count, number, subject]).fetchone() == (True,)


def test_every_table_with_content_or_a_name_is_among_them(owner: psycopg.Connection[tuple[object, ...]]) -> None:
    granted = owner.execute(
        """
        select distinct c.relname from pg_class c, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
        where r.rolname = 'memory_center_app' and a.privilege_type = 'MAINTAIN'
        """
    ).fetchall()
    contents = owner.execute("select relname from pg_class where relkind in ('r', 'p') and relname ~ '_contents$'")
    assert {name for (name,) in granted} == files(owner).keys()
    assert {name for (name,) in contents.fetchall()} <= set(purging.tables())


def test_partitions_are_rewritten_also_for_a_forget_that_is_not_verified_yet(database: Database) -> None:
    a_forget(database, verified=False)
    assert rewrite_tables(database) == len(WHOLE) + len(PARTITIONED)


def test_a_table_in_use_is_tried_again(database: Database, database_url: str) -> None:
    user = psycopg.connect(database_url)
    user.execute("lock table summary_contents in access share mode")
    timer = threading.Timer(purging.LOCK_WAIT_SECONDS + 1, user.close)
    timer.start()
    assert rewrite_tables(database, readers_wait=0) == len(WHOLE)
    timer.join()


def test_a_table_somebody_uses_is_named_and_the_others_are_purged(
    database: Database,
    owner: psycopg.Connection[tuple[object, ...]],
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = files(owner)
    monkeypatch.setattr(purging, "LOCK_TRIES", 1)
    # begun after the purge looked for older transactions: it holds a lock, not a snapshot
    with psycopg.connect(database_url) as user, user.transaction():
        user.execute("lock table summary_contents in access share mode")
        with pytest.raises(PurgeBusy) as refused:
            rewrite_tables(database, readers_wait=0)
        assert refused.value.tables == ("summary_contents",)
    after = files(owner)
    assert {table for table in WHOLE if after[table] == before[table]} == {"summary_contents"}
    assert rewrite_tables(database) == len(WHOLE)


def test_nothing_is_purged_while_an_older_transaction_could_see_it(
    database: Database, owner: psycopg.Connection[tuple[object, ...]], database_url: str
) -> None:
    before = files(owner)
    with psycopg.connect(database_url) as reader:
        reader.execute("set transaction isolation level repeatable read")
        reader.execute("select 1")
        owner.execute("insert into subjects (id, user_id, namespace, subject_key) values (%s, 'x', %s, '')", _ids())
        with pytest.raises(PurgeBusy) as refused:
            rewrite_tables(database, readers_wait=0.3)
        assert set(refused.value.tables) == set(purging.tables())
    assert files(owner) == before


def test_a_purge_waits_for_a_short_older_transaction(database: Database, database_url: str) -> None:
    reader = psycopg.connect(database_url)
    reader.execute("set transaction isolation level repeatable read")
    reader.execute("select 1")
    with psycopg.connect(database_url, autocommit=True) as writer:
        writer.execute("insert into subjects (id, user_id, namespace, subject_key) values (%s, 'x', %s, '')", _ids())
    timer = threading.Timer(0.5, reader.close)
    timer.start()
    assert rewrite_tables(database) == len(WHOLE)
    timer.join()


def test_a_table_postgresql_skips_is_not_taken_for_purged(
    database: Database, owner: psycopg.Connection[tuple[object, ...]]
) -> None:
    owner.execute("revoke maintain on summary_contents from memory_center_app")
    with pytest.raises(NotRewritten):
        rewrite_tables(database)


def test_the_connection_keeps_its_time_limits(database_url: str) -> None:
    database = Database(database_url, pool_size=1)
    limits = "select current_setting('transaction_timeout') || current_setting('lock_timeout')"
    before = database.transact(lambda tx: tx.value(limits))
    rewrite_tables(database)
    assert database.transact(lambda tx: tx.value(limits)) == before == "10s0"
    database.close()


def test_only_announced_writes_are_kept(database: Database, owner: psycopg.Connection[tuple[object, ...]]) -> None:
    keys = {state: uuid4() for state in ("intended", "written", "erased")}
    for state, key in keys.items():
        owner.execute(
            """
            insert into vector_refs (pk, store, subject_id, namespace, item_kind, item_id, state, deadline)
            values (%s, 'mem0', %s, %s, 'memory', %s, %s, now())
            """,
            [key, *_ids(), uuid4(), state],
        )
    asked = [*keys.values(), uuid4()]
    assert database.transact(lambda tx: purging.kept(tx, asked)) == {keys["intended"], keys["written"]}


def test_nothing_forgotten_needs_no_purge(database: Database) -> None:
    assert database.transact(queue_purge) is None
    a_forget(database, verified=False)
    assert database.transact(queue_purge) is None


def test_one_purge_is_under_way_at_a_time(database: Database) -> None:
    forgotten = a_forget(database)
    purge = queued(database)
    assert database.transact(queue_purge) is None
    assert dict(rows(database, "select kind, state from outbox")) == dict.fromkeys(STEPS.values(), "ready")

    began = database.transact(Transaction.now)
    for lease in claimed(database):
        assert purged(database, forgotten) is None
        close(database, lease, began)

    assert purged(database, forgotten) is not None
    assert rows(database, "select status, progress from operations where id = :id", id=purge) == [("succeeded", 1.0)]
    assert rows(database, "select count(*) from outbox") == [(0,)]
    assert database.transact(queue_purge) is None
    a_forget(database)
    assert database.transact(queue_purge) is not None


def test_what_was_verified_after_any_step_began_waits_for_the_next_purge(database: Database) -> None:
    early = a_forget(database)
    queued(database)
    began = {"early": database.transact(Transaction.now)}
    late = a_forget(database)
    began["late"] = database.transact(Transaction.now)

    for lease in claimed(database):
        at = began["early" if lease.kind == STEPS["milvus"] else "late"]
        close(database, lease, at)

    assert purged(database, early) is not None
    assert purged(database, late) is None
    assert database.transact(queue_purge) is not None


def test_an_earlier_attempt_does_not_count_as_the_start(database: Database) -> None:
    queue_after = a_forget(database)
    queued(database)
    first_tried = database.transact(Transaction.now) - timedelta(hours=1)
    with database.begin() as tx:
        tx.run("update operation_steps set started_at = :at", at=first_tried)
    began = database.transact(Transaction.now)
    for lease in claimed(database):
        close(database, lease, began)
    assert purged(database, queue_after) is not None


def test_who_lost_the_lease_closes_nothing(database: Database) -> None:
    forgotten = a_forget(database)
    queued(database)
    leases = claimed(database)
    with database.begin() as tx:
        tx.run("update outbox set lease_token = lease_token + 1")
    began = database.transact(Transaction.now)
    for lease in leases:
        with pytest.raises(LeaseLost):
            close(database, lease, began)
    assert purged(database, forgotten) is None
    assert rows(database, "select distinct status from operation_steps") == [("ready",)]


def test_steps_that_close_at_once_still_close_the_purge(database: Database) -> None:
    forgotten = a_forget(database)
    queued(database)
    began = database.transact(Transaction.now)
    together = threading.Barrier(len(STEPS))

    def close_together(lease: Lease) -> None:
        together.wait()
        close(database, lease, began)

    threads = [threading.Thread(target=close_together, args=(lease,)) for lease in claimed(database)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert purged(database, forgotten) is not None


def _ids() -> list[UUID]:
    return [uuid4(), uuid4()]


def a_forget(database: Database, *, verified: bool = True) -> UUID:
    """Write a forget of its own person, verified just now."""
    operation_id = new_id()
    with database.begin() as tx:
        subject = uuid4()
        tx.run(
            "insert into subjects (id, user_id, namespace, subject_key) values (:id, :name, :namespace, '')",
            id=subject,
            name=f"person-{subject}",
            namespace=uuid4(),
        )
        tx.run(
            """
            insert into operations (id, subject_id, type, scope, target, status, erased_at)
            values (:id, :subject, 'forget_message', 'message', '{}', :status,
                    case when :verified then clock_timestamp() end)
            """,
            id=operation_id,
            subject=subject,
            status="succeeded" if verified else "running",
            verified=verified,
        )
    return operation_id


def queued(database: Database) -> OperationId:
    operation_id = database.transact(queue_purge)
    assert operation_id is not None
    return operation_id


def claimed(database: Database) -> list[Lease]:
    def claim(tx: Transaction) -> list[Lease]:
        due = [row["id"] for row in tx.rows("select id from outbox")]
        return leasing.claim(tx, due, lease_seconds=60)

    return database.transact(claim)


def close(database: Database, lease: Lease, began: datetime, counts: Mapping[str, int] | None = None) -> None:
    database.transact(lambda tx: confirm_purge(tx, lease, began, counts or {"rows": 1}))


def purged(database: Database, operation_id: UUID) -> datetime | None:
    found: datetime | None = rows(database, "select purged_at from operations where id = :id", id=operation_id)[0][0]
    return found


def rows(database: Database, sql: str, **values: object) -> list[tuple[Any, ...]]:
    with database.begin() as tx:
        return [tuple(row.values()) for row in tx.rows(sql, **values)]


@pytest.fixture
def own_bench(backing: Backing, database_url: str, tmp_path: Path) -> Iterator[Workbench]:
    """The product on a Milvus Lite of its own: a purge takes away what this database does not know."""
    with MilvusLite(tmp_path / "milvus") as milvus:
        settings = test_settings(backing, database_url, milvus_uri=milvus.url(), milvus_flavour="lite")
        with workbench(settings) as opened:
            yield opened


def test_what_was_forgotten_is_purged_and_the_rest_still_remembered(own_bench: Workbench) -> None:
    bench, person = own_bench, own_bench.person()
    conversation = person.conversation()
    said = person.say(
        conversation,
        ("I am allergic to peanuts.", "I will keep that in mind."),
        ("I prefer green tea.", "Green tea it is."),
    )
    bench.work()
    assert len(person.memories()) == 2
    forget = person.forget("message", message_id=said[0][0])
    bench.work()
    assert person.operation(forget)["status"] == "succeeded"
    queued(bench.database)

    purger = Purger(
        bench.settings.milvus_uri,
        flavour="lite",
        lock=collection_lock(bench.database, exclusive=True),
        keep=lambda keys: bench.database.transact(lambda tx: purging.kept(tx, keys)),
    )
    counts: dict[str, Callable[[], dict[str, int]]] = {
        "purge.postgres": lambda: {"tables": rewrite_tables(bench.database)},
        "purge.milvus": lambda: purger.purge_store("milvus"),
        "purge.mem0": lambda: purger.purge_store("mem0"),
    }
    for lease in claimed(bench.database):
        began = bench.database.transact(Transaction.now)
        seen = counts[lease.kind]()
        close(bench.database, lease, began, seen)

    assert person.operation(forget)["purged_at"] is not None
    assert not any("peanuts" in memory for memory in person.memories())
    assert any("green tea" in found for found in person.search("Which tea do I like?"))
    inspection = Inspection(bench.settings.milvus_uri)
    known = rows(bench.database, "select pk from vector_refs where state = 'written'")
    stored = {row.key for collection in COLLECTIONS for row in inspection.rows(collection)}
    assert stored
    assert stored <= {key for (key,) in known}
    inspection.close()
