"""The fence around each person, and what each database role may touch."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from uuid import UUID

import pytest
from sqlalchemy.exc import ProgrammingError

from shared.erasure import forget
from shared.erasure.accept import ForgetRequest
from shared.kernel import items, subjects
from shared.kernel.database import Database
from shared.kernel.database_errors import DatabaseUnavailable, SubjectBusy
from shared.kernel.errors import NotFound
from shared.kernel.locks import close_fence, collection_lock, enter_fence
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.lineage.sql import lineage
from shared.lineage.sql.lineage import Derivation
from shared.outbox.sql import operations
from tests.support.relations import OUR_TABLES
from tests.support.tables import each
from tests.support.workbench import Person, Workbench

CONTENT_TABLES = (
    "conversation_contents",
    "message_contents",
    "feedback_contents",
    "summary_contents",
    "memory_contents",
    "message_terms",
    "memory_terms",
    "preference_signal_contents",
)


@pytest.fixture
def ada(database: Database) -> Subject:
    return database.transact(lambda tx: subjects.find_or_create(tx, "ada"))


def test_accepting_a_forget_waits_for_writers_of_that_person_only(database: Database, ada: Subject) -> None:
    lin = database.transact(lambda tx: subjects.find_or_create(tx, "lin"))
    accepted = threading.Event()

    def accept() -> None:
        with database.begin() as tx:
            close_fence(tx, ada.id)
            accepted.set()

    with database.begin() as writer:
        enter_fence(writer, ada.id)
        thread = threading.Thread(target=accept)
        thread.start()
        with database.begin() as tx:
            close_fence(tx, lin.id)
        assert not accepted.wait(0.3)
    thread.join(5)
    assert accepted.is_set()


def test_a_forget_takes_what_was_learned_while_it_waited(database: Database, bench: Workbench) -> None:
    person = bench.person()
    message_id = _message(person)
    memory_id, request = new_id(), ForgetRequest(actor="test")

    def accept() -> None:
        database.transact(lambda tx: forget.forget_message(tx, ada, message_id, request, cascade=False))

    with database.begin() as learner:
        ada = items.owner(learner, "message", message_id)
        assert ada is not None
        enter_fence(learner, ada.id)
        edge = Derivation(
            derived_kind="memory", derived_id=memory_id, source_kind="message", source_id=message_id, context=True
        )
        lineage.add(learner, ada, [edge])
        thread = threading.Thread(target=accept)
        thread.start()
        thread.join(0.3)
        assert thread.is_alive()
    thread.join(5)
    with database.begin() as tx:
        assert operations.hidden(tx, request.operation_id, "memory") == [memory_id]


def test_a_message_that_went_with_everything_while_its_forget_waited_is_not_found(
    database: Database, bench: Workbench
) -> None:
    message_id = _message(bench.person())
    with database.begin() as tx:
        before = items.owner(tx, "message", message_id)
        assert before is not None
        forget.forget_user(tx, before, ForgetRequest(actor="test"), confirmation="FORGET EVERYTHING")
    with pytest.raises(NotFound), database.begin() as tx:
        forget.forget_message(tx, before, message_id, ForgetRequest(actor="test"), cascade=False)


def _message(person: Person) -> UUID:
    batch = [{"role": "user", "content": "I live in Berlin."}]
    recorded = person.post("/api/v1/messages", {"conversation_id": person.conversation(), "messages": batch})
    return UUID(recorded["messages"][0]["id"])


def test_a_forget_that_cannot_take_the_fence_says_so_within_seconds(
    database: Database, ada: Subject, bench: Workbench
) -> None:
    with database.begin() as writer:
        enter_fence(writer, ada.id)
        began = time.monotonic()
        with pytest.raises(SubjectBusy):
            database.transact(
                lambda tx: forget.forget_user(tx, ada, ForgetRequest(actor="test"), confirmation="FORGET EVERYTHING")
            )
        assert 2.5 < time.monotonic() - began < 6
        writer.value("select 1")  # or its idle transaction would be ended, which another test is about
        answer = bench.api.post(
            "/api/v1/memory/forget",
            json={"scope": "user", "user_id": "ada", "confirmation": "FORGET EVERYTHING"},
            headers=bench.service,
        )
    assert answer.status_code == 503
    assert answer.json()["code"] == "busy"
    assert int(answer.headers["Retry-After"]) >= 1


def test_a_process_stopped_inside_the_fence_is_thrown_out_of_it(database: Database, ada: Subject) -> None:
    began = time.monotonic()
    with pytest.raises(DatabaseUnavailable), database.begin() as stopped:
        enter_fence(stopped, ada.id)
        deadline = began + 12
        while time.monotonic() < deadline:
            try:
                database.transact(lambda tx: close_fence(tx, ada.id))
                break
            except SubjectBusy:
                continue
        assert time.monotonic() - began < 10
        stopped.value("select 1")


def test_a_transaction_that_keeps_busy_is_ended_too(database_url: str) -> None:
    impatient = Database(database_url, transaction_seconds=0.5)
    with pytest.raises(DatabaseUnavailable), impatient.begin() as tx:
        for _ in range(100):
            tx.value("select pg_sleep(0.05)")
    impatient.close()


@pytest.fixture
def recall(database_url: str) -> Iterator[Database]:
    opened = Database(database_url, role="memory_center_searches")
    yield opened
    opened.close()


def _tables(bench: Workbench) -> list[str]:
    rows = []
    with bench.database.begin() as tx:
        rows = tx.rows(OUR_TABLES)
    return [row["relname"] for row in rows]


def test_the_recall_role_reads_views_only_and_writes_nothing(bench: Workbench, recall: Database) -> None:
    for table in _tables(bench):
        with pytest.raises(ProgrammingError), recall.begin() as tx:
            tx.rows(f'select * from "{table}"')
        with pytest.raises(ProgrammingError), recall.begin() as tx:
            tx.run(f'delete from "{table}"')
    with recall.begin() as tx:
        assert tx.rows("select * from visible_messages") == []


@each("table", CONTENT_TABLES)
def test_no_process_reads_content_around_the_views(database: Database, table: str) -> None:
    with pytest.raises(ProgrammingError), database.begin() as tx:
        tx.rows(f"select * from {table}")
    with database.begin() as tx:
        assert tx.value(f"select has_table_privilege('memory_center_app', '{table}', 'select')") is False


def test_every_table_with_text_of_a_person_is_a_content_table(bench: Workbench) -> None:
    person = bench.person()
    conversation = person.conversation(title="canary title")
    batch = [
        {
            "role": "user",
            "content": "canary: I live in canary-town.",
            "name": "canary-name",
            "task_hint": "canary-task",
        },
        {"role": "assistant", "content": "canary answer"},
    ]
    recorded = person.post("/api/v1/messages", {"conversation_id": conversation, "messages": batch})
    answer = {"message_id": recorded["messages"][1]["id"], "action": "accept", "evidence_ref": "canary-ref"}
    person.post("/api/v1/feedback", answer)
    bench.work()
    assert bench.holds("canary") != []
    assert set(bench.holds("canary")) <= set(CONTENT_TABLES)


def test_one_process_at_a_time_changes_a_collection_of_milvus_lite(database: Database) -> None:
    lock = collection_lock(database, exclusive=True)
    inside: list[int] = []
    most = []

    def change() -> None:
        with lock("episodes"):
            inside.append(1)
            most.append(len(inside))
            time.sleep(0.02)
            inside.pop()

    threads = [threading.Thread(target=change) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert most == [1] * 6


def test_a_collection_lock_is_given_back_when_the_change_fails(database: Database) -> None:
    lock = collection_lock(database, exclusive=True)
    for _ in range(3):
        with pytest.raises(ValueError, match="broken"), lock("episodes"):
            raise ValueError("broken")
    assert database.transact(lambda tx: tx.value("select count(*) from pg_locks where locktype = 'advisory'")) == 0


def test_a_new_generation_has_a_random_namespace(database: Database, ada: Subject) -> None:
    seen: set[UUID] = {ada.namespace}
    for generation in range(2, 5):
        renewed = database.transact(lambda tx: subjects.start_new_generation(tx, ada))
        assert renewed.generation == generation
        assert renewed.namespace not in seen
        seen.add(renewed.namespace)
