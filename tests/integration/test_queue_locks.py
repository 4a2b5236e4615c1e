"""Waiting for a lock ends in time, and leaves nothing behind."""

from __future__ import annotations

import threading
import time

import pytest

from shared.kernel import locks, subjects
from shared.kernel.database import Database
from shared.kernel.database_errors import SubjectBusy
from shared.kernel.locks import CollectionBusy, close_fence, collection_lock, enter_fence, one_at_a_time
from shared.kernel.subjects import Subject
from tests.support.workbench import Workbench


@pytest.fixture
def ada(database: Database) -> Subject:
    return database.transact(lambda tx: subjects.find_or_create(tx, "ada"))


def test_who_cannot_enter_the_fence_is_told_within_seconds(database: Database, ada: Subject) -> None:
    with database.begin() as tx:
        close_fence(tx, ada.id)
        began = time.monotonic()
        with pytest.raises(SubjectBusy):
            database.transact(lambda tx: enter_fence(tx, ada.id))
        assert 2.5 < time.monotonic() - began < 6


def test_a_named_lock_is_waited_for_as_briefly_unless_one_is_patient(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "LOCK_WAIT", "100ms")
    with database.begin() as tx:
        one_at_a_time(tx, "settings", "ada")
        assert tx.value("show lock_timeout") == "0"
        with pytest.raises(SubjectBusy):
            database.transact(lambda other: one_at_a_time(other, "settings", "ada"))
        patient = threading.Thread(
            target=database.transact, args=[lambda other: one_at_a_time(other, "settings", "ada", patient=True)]
        )
        patient.start()
        patient.join(timeout=0.5)
        assert patient.is_alive()
    patient.join(timeout=5)
    assert not patient.is_alive()


@pytest.mark.parametrize("take", [enter_fence, close_fence])
def test_only_the_fence_itself_is_waited_for_so_briefly(database: Database, ada: Subject, take: object) -> None:
    with database.begin() as tx:
        assert callable(take)
        take(tx, ada.id)
        assert tx.value("show lock_timeout") == "0"
        held = tx.value("select count(*) from pg_locks where locktype = 'advisory' and granted")
    assert held == 1


def test_a_person_whose_fence_is_closed_does_not_take_all_connections(bench: Workbench) -> None:
    ada, lin = bench.person(), bench.person()
    conversation = ada.conversation()
    lin.conversation()
    answers: list[int] = []

    def post() -> None:
        body = {"conversation_id": conversation, "messages": [{"role": "user", "content": "hello"}]}
        answers.append(bench.api.post("/api/v1/messages", json=body, headers=ada.headers).status_code)

    threads = [threading.Thread(target=post) for _ in range(3)]
    with bench.database.begin() as tx:
        close_fence(tx, subjects.find_or_create(tx, ada.user_id).id)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(4.5)
    assert answers == [503] * 3


def test_a_refused_collection_lock_raises_an_error_and_leaves_no_timeout_behind(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "COLLECTION_WAIT_SECONDS", 1)
    other = Database(database_url, pool_size=1)
    with collection_lock(database, exclusive=True)("episodes"):
        for exclusive in (True, False):
            with pytest.raises(CollectionBusy), collection_lock(other, exclusive=exclusive)("episodes"):
                raise AssertionError
            assert other.transact(lambda tx: tx.value("show lock_timeout")) == "0"
        with collection_lock(other, exclusive=True)("mem0_memories"):
            pass
    with collection_lock(other, exclusive=True)("episodes"):
        pass
    assert other.transact(lambda tx: tx.value("show lock_timeout")) == "0"
    assert other.transact(lambda tx: tx.value("select count(*) from pg_locks where locktype = 'advisory'")) == 0
    other.close()
