"""What is derived again after a forget, and what never is."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import pytest

from shared.erasure import discard_vectors
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.new_ids import new_id
from shared.lineage.sql import vector_keys
from shared.lineage.sql.vector_keys import Intent, IntentsLost
from shared.memories.learn import announce_memories
from shared.recall.sql import traces
from shared.stores import milvus
from tests.support.seeding import a_memory
from tests.support.workbench import Person, Workbench
from workers.learner import turn


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def test_the_end_of_a_session_does_not_learn_again_what_a_forget_removed(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(_, answer)] = ada.say(conversation, ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    ada.forget("message", message_id=answer)
    bench.api.post(f"/api/v1/conversations/{conversation}/session-end", headers=ada.headers)
    bench.work()
    assert ada.memories() == []
    ada.say(conversation, ("And now?", "Now."))
    bench.api.post(f"/api/v1/conversations/{conversation}/session-end", headers=ada.headers)
    bench.work()
    assert ada.memories() == []
    [episode] = ada.get("/api/v1/memory/episodes", conversation_id=conversation)
    assert episode["user_message"] == "And now?"


def test_what_must_be_learned_again_waits_while_long_term_memory_is_off(bench: Workbench, ada: Person) -> None:
    one, other = ada.conversation(), ada.conversation()
    [(first, _)] = ada.say(one, ("I live in Berlin, near canary-street.", "Nice."))
    [(second, _)] = ada.say(other, ("I live in Berlin.", "You said so."))
    with bench.database.begin() as tx:
        tx.run("delete from outbox")
    a_memory(bench, ada, text="I live in Berlin, near canary-street.", sources=[first, second])
    bench.api.patch("/api/v1/memory/settings", json={"longterm_enabled": False}, headers=ada.headers)

    operation = ada.forget("message", message_id=first, cascade=True)
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert ada.memories() == []

    bench.api.patch("/api/v1/memory/settings", json={"longterm_enabled": True}, headers=ada.headers)
    bench.work()
    assert ada.memories() == ["I live in Berlin."]


def test_what_a_turn_wrote_first_waits_for_the_rest_of_it(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    deadlines = list[dict[UUID, datetime]]()

    def announce(tx: Transaction, *said: Any, **more: Any) -> bool:
        stands = announce_memories(tx, *said, **more)
        rows = tx.rows("select pk, deadline from vector_refs where state = 'intended' and item_kind = 'memory'")
        deadlines.append({row["pk"]: row["deadline"] for row in rows})
        return stands

    monkeypatch.setattr(turn, "announce_memories", announce)
    ada.say(ada.conversation(), ("I'm allergic to peanuts. I live in Rome. I keep bees.", "Noted."))
    bench.work()

    assert len(ada.memories()) == len(deadlines) == 2
    first, last = deadlines
    [(key, begun)] = first.items()
    assert last[key] > begun


@pytest.mark.parametrize("most", [60, pytest.param(milvus.MAX_MESSAGES, marks=pytest.mark.full)])
def test_a_turn_of_very_many_messages_is_indexed_and_holds_up_nobody(
    bench: Workbench, ada: Person, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(milvus, "MAX_MESSAGES", most)
    conversation = ada.conversation()
    for start in range(0, most + 50, 100):
        batch = [{"role": "user", "content": f"part {start + n}"} for n in range(100)]
        ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": batch})
    ada.post(
        "/api/v1/messages",
        {"conversation_id": conversation, "messages": [{"role": "assistant", "content": "Long."}]},
    )
    lin = bench.person()
    short = lin.conversation()
    lin.say(short, ("Hello.", "Hi."))
    bench.work()
    assert len(lin.get("/api/v1/memory/episodes", conversation_id=short)) == 1
    assert len(ada.get("/api/v1/memory/episodes", conversation_id=conversation)) == 1
    ada.forget("conversation", conversation_id=conversation)
    bench.work()
    assert bench.process.episodes.keys(bench.namespace(ada)) == set()


def an_intent(bench: Workbench, person: Person, kind: str = "memory", store: str = "mem0") -> UUID:
    """Announce a key that is old enough to be given up."""
    key = new_id()
    with bench.database.begin() as tx:
        subject = subjects.find_or_create(tx, person.user_id)
        vector_keys.announce(tx, subject, store, [Intent(pk=key, item_kind=kind, item_id=new_id())], step_id=0)
        tx.run("update vector_refs set deadline = now() - interval '1 hour' where pk = :pk", pk=key)
    return key


def test_a_key_that_was_given_up_can_no_longer_be_confirmed(bench: Workbench, ada: Person) -> None:
    key = an_intent(bench, ada)
    bench.database.transact(discard_vectors.queue_abandoned)
    bench.work()
    assert bench.count("select count(*) from vector_refs") == 0
    with pytest.raises(IntentsLost), bench.database.begin() as tx:
        vector_keys.confirm(tx, [key])


def test_a_key_that_was_confirmed_meanwhile_is_not_discarded(bench: Workbench, ada: Person) -> None:
    ada.say(ada.conversation(), ("I live in Berlin.", "Nice."))
    bench.work()
    [key] = bench.process.mem0.keys(bench.namespace(ada))
    with bench.database.begin() as tx:
        tx.run("update vector_refs set state = 'intended', deadline = now() - interval '1 hour' where pk = :pk", pk=key)
    bench.database.transact(discard_vectors.queue_abandoned)
    with bench.database.begin() as tx:
        vector_keys.confirm(tx, [key])
    bench.work()
    assert bench.process.mem0.keys(bench.namespace(ada)) == {key}
    assert ada.search("where do I live?") == ["I live in Berlin."]


def test_a_forget_waits_for_announced_entities_of_the_person(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(question, _)] = ada.say(conversation, ("I live in Berlin.", "Nice."))
    bench.work()
    key = an_intent(bench, ada, kind="entity", store="mem0_entities")
    with bench.database.begin() as tx:
        tx.run("update vector_refs set deadline = now() + interval '1 minute' where pk = :pk", pk=key)
    operation = ada.forget("message", message_id=question)
    for _ in range(5):
        bench.work_once()
    assert ada.operation(operation)["status"] == "running"
    with bench.database.begin() as tx:
        vector_keys.end_intents(tx, [key])
    bench.hurry()
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"


def test_verification_erases_records_written_late_after_the_postgresql_step(bench: Workbench, ada: Person) -> None:
    ada.say(ada.conversation(), ("I live in Berlin.", "Nice."))
    bench.work()
    with bench.database.begin() as tx:
        before = subjects.find_or_create(tx, ada.user_id)
    operation = ada.forget("user")
    bench.work_once(["ledger.accepted"])
    bench.work_once(["erase.postgres"])
    with bench.database.begin() as tx:
        tx.run(
            """
            insert into debug_records (request_id, subject_id, generation, data)
            values ('late', :id, :generation, '{}')
            """,
            id=before.id,
            generation=before.generation,
        )
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.count("select count(*) from debug_records") == 0


def test_a_trace_belongs_to_the_person_as_they_are_now(bench: Workbench, ada: Person) -> None:
    with bench.database.begin() as tx:
        before = subjects.find_or_create(tx, ada.user_id)
    ada.forget("user")
    bench.work()
    with bench.database.begin() as tx:
        traces.add(tx, before, "request-1", {"route": "test"})
    assert bench.count("select count(*) from debug_records d join subjects s using (generation)") == 1


def test_a_late_answer_replaces_the_half_turn_that_waits(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    batch = [
        {"role": "user", "content": "I live in Berlin."},
        {"role": "assistant", "content": "Ni", "completed": False, "client_message_id": "a-1"},
    ]
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": batch})
    bench.api.post(f"/api/v1/conversations/{conversation}/session-end", headers=ada.headers)
    whole = {"role": "assistant", "content": "Nice.", "client_message_id": "a-1"}
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": [whole]})
    bench.work()
    [episode] = ada.get("/api/v1/memory/episodes", conversation_id=conversation)
    assert (episode["user_message"], episode["assistant_message"]) == ("I live in Berlin.", "Nice.")


def test_a_person_with_more_rows_than_one_batch_is_erased_to_the_end(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("a", "1"), ("b", "2"), ("c", "3"))
    bench.work()
    operation = ada.forget("user")
    monkeypatch.setattr("shared.erasure.sql.erase.BATCH", 2)
    bench.work()
    done = ada.operation(operation)
    assert done["status"] == "succeeded"
    assert bench.count("select count(*) from messages") == 0
    [counts] = [step["counts"] for step in done["steps"] if step["name"] == "postgres"]
    assert counts == {"messages": 6, "episodes": 3, "erased": 9, "residue": 0}
