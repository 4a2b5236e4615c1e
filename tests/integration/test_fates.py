"""Nothing is stored whose forgetting was not thought of (X-04)."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import UUID

from shared.consent.sql import hints
from shared.erasure.fates import COLLECTIONS, EDGES, tables
from shared.kernel import subjects
from shared.lineage.sql import lineage
from shared.lineage.sql.lineage import Derivation
from shared.outbox.stages import STAGES
from shared.stores import flushing
from shared.stores.mem0_collections import ENTITIES, MEMORIES
from shared.stores.milvus import COLLECTION
from shared.traits.sql import asking
from tests.support.consent import consented
from tests.support.relations import OUR_TABLES
from tests.support.seeding import a_memory, a_summary
from tests.support.traits import reflected, show
from tests.support.workbench import Person, Workbench

PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
BERLIN = ("I live in Berlin.", "A fine city.")


def rows_of(bench: Workbench, subject_id: UUID) -> dict[str, int]:
    """Return how many rows every table with a person in it has of this one."""
    with bench.database.begin() as tx:
        tables = [
            row["table_name"]
            for row in tx.rows(
                """
                select relname as table_name from pg_attribute join pg_class c on c.oid = attrelid
                where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
                  and attname = 'subject_id'
                """
            )
        ]
    counts = {
        table: bench.count(f"select count(*) from {table} where subject_id = %(id)s", id=subject_id) for table in tables
    }
    return {table: count for table, count in counts.items() if count}


def lived_in(bench: Workbench) -> tuple[Person, UUID]:
    """Return someone of whom every table holds something."""
    ada = bench.person()
    conversation = ada.conversation(title="Lunch")
    said = ada.say(conversation, PEANUTS, BERLIN, ("I love jazz.", "Good."))
    bench.work()
    ada.post("/api/v1/feedback", {"conversation_id": conversation, "rating": 5, "comment": "canary"})
    a_summary(bench, ada, conversation, text="A summary.", covers=[said[0][0]])
    first = a_memory(bench, ada, text="old", sources=[said[0][0]])
    a_memory(bench, ada, text="new", sources=[said[1][0]], supersedes=first)
    bench.api.patch("/api/v1/memory/settings", json={"summary_enabled": False}, headers=ada.headers)
    body = {"scope": "message", "message_id": said[2][0]}
    bench.api.post("/api/v1/memory/forget", json=body, headers={**ada.headers, "Idempotency-Key": "once"})
    for key in ("compares-prices", "cooks-at-home"):
        show(bench, ada, key=key)
    reflected(bench, ada)
    consented(ada)
    ada.post("/api/v1/recall", {"route": "snapshot"}, status=200)
    with bench.database.begin() as tx:
        subject = subjects.find(tx, ada.user_id)
        assert subject is not None
        assert hints.take_turn(tx, subject, timedelta(hours=24))
        asking.note_asked(tx, subject, tx.now())
    trait = next(one["id"] for one in ada.get("/api/v1/memory/traits") if one["trait_key"] == "cooks-at-home")
    bench.api.delete(f"/api/v1/memory/traits/{trait}", headers=ada.headers)
    memory = next(one["id"] for one in ada.get("/api/v1/memory/long_term") if "Berlin" in one["content"])
    bench.api.delete(f"/api/v1/memory/long_term/{memory}", headers=ada.headers)
    bench.work()
    with bench.database.begin() as tx:
        subject = subjects.find(tx, ada.user_id)
    assert subject is not None
    return ada, subject.id


def test_every_table_edge_and_collection_declares_what_forgetting_does_to_it(bench: Workbench) -> None:
    with bench.database.begin() as tx:
        found = {row["relname"] for row in tx.rows(OUR_TABLES)}
        allowed = tx.value("select pg_get_constraintdef(oid) from pg_constraint where conname = 'lineage_edge_check'")
    assert found - {"alembic_version"} == set(tables())
    assert set(re.findall(r"'(\w+)'", allowed)) == set(EDGES)
    assert set(flushing.COLLECTIONS) == set(COLLECTIONS) == {COLLECTION, MEMORIES.alias, ENTITIES.alias}
    assert {"postgres", "milvus", "mem0", "files"} == set(STAGES[1])


def test_forgetting_a_person_leaves_of_every_table_what_is_declared_to_stay(bench: Workbench) -> None:
    ada, subject_id = lived_in(bench)
    full = rows_of(bench, subject_id)
    missing = {table for table, fate in tables().items() if fate == "goes with the person"} - set(full)
    assert not missing, "this test shows nothing about them"
    ada.forget("user")
    bench.work()
    left = rows_of(bench, subject_id)
    assert {table for table in left if tables()[table] != "stays"} <= {"events"}
    assert (
        bench.count(
            "select count(*) from events where subject_id = %(id)s and stream !~ '^(operation|settings):'",
            id=subject_id,
        )
        == 0
    )
    assert {"user_settings", "operations"} <= set(left)


def test_closing_an_account_leaves_operations_and_nothing_else(bench: Workbench) -> None:
    ada, subject_id = lived_in(bench)
    ada.forget("user", close_account=True)
    bench.work()
    assert set(rows_of(bench, subject_id)) == {"events", "operations"}
    assert (
        bench.count("select count(*) from events where subject_id = %(id)s and stream !~ '^operation:'", id=subject_id)
        == 0
    )


def test_what_a_forgotten_message_only_supported_stays_without_that_edge(bench: Workbench) -> None:
    ada = bench.person()
    [(peanuts, _), (berlin, _)] = ada.say(ada.conversation(), PEANUTS, BERLIN)
    bench.work()
    memory = next(UUID(one["id"]) for one in ada.get("/api/v1/memory/long_term") if "Berlin" in one["content"])
    with bench.database.begin() as tx:
        subject = subjects.find(tx, ada.user_id)
        assert subject is not None
        edge = Derivation(
            derived_kind="memory",
            derived_id=memory,
            source_kind="message",
            source_id=UUID(peanuts),
            edge="supported_by",
        )
        lineage.add(tx, subject, [edge])
    supported = "select count(*) from lineage where edge = 'supported_by'"
    assert bench.count(supported) == 1
    ada.forget("message", message_id=peanuts, cascade=True)
    assert ada.memories() == ["I live in Berlin."]
    bench.work()
    assert ada.memories() == ["I live in Berlin."]
    assert bench.count(supported) == 0
    assert berlin in {source["message_id"] for source in ada.get(f"/api/v1/memory/long_term/{memory}")["sources"]}
