"""Forgetting, from the 202 to the proof, through the API and the real stores."""

from __future__ import annotations

import pytest

from tests.support.small_api import assert_problem
from tests.support.workbench import Person, Workbench

PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
BERLIN = ("I live in Berlin.", "A fine city.")
GREEN_TEA = ("我喜欢喝绿茶。", "好的,记住了。")


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def test_a_forgotten_message_is_gone_everywhere_with_what_was_learned_from_it(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ids = ada.say(conversation, PEANUTS, BERLIN, GREEN_TEA)
    bench.work()
    assert ada.memories() == ["I live in Berlin.", "I'm allergic to peanuts.", "我喜欢喝绿茶。"]

    operation = ada.forget("message", message_id=ids[0][0], cascade=True)

    assert ada.memories() == ["I live in Berlin.", "我喜欢喝绿茶。"]
    assert not any("peanuts" in text for text in ada.search("peanut allergy", conversation_id=conversation))
    bench.work()
    done = ada.operation(operation)
    assert done["status"] == "succeeded"
    assert done["progress"] == 1.0
    assert {step["name"]: step["status"] for step in done["steps"]} == dict.fromkeys(
        ("ledger", "postgres", "milvus", "mem0", "files", "verify", "receipt"), "succeeded"
    )
    assert bench.holds("peanuts") == []
    namespace = bench.namespace(ada)
    assert len(bench.process.episodes.keys(namespace)) == 2
    assert len(bench.process.mem0.keys(namespace)) == 2
    assert bench.count("select count(*) from vector_refs") == 4
    assert bench.count("select count(*) from hides") == 0


def test_without_cascade_the_users_words_stay_but_not_what_was_learned_from_the_turn(
    bench: Workbench, ada: Person
) -> None:
    conversation = ada.conversation()
    [(question, answer)] = ada.say(conversation, PEANUTS)
    bench.work()

    ada.forget("message", message_id=answer)
    bench.work()

    messages = ada.get("/api/v1/messages", conversation_id=conversation)
    assert [message["id"] for message in messages] == [question]
    assert ada.memories() == []
    assert ada.get("/api/v1/memory/episodes", conversation_id=conversation) == []


def test_a_turn_that_lost_a_message_before_it_was_learned_from_is_never_learned_from(
    bench: Workbench, ada: Person
) -> None:
    conversation = ada.conversation()
    [(_, answer)] = ada.say(conversation, PEANUTS)
    ada.forget("message", message_id=answer)
    bench.work()
    assert ada.memories() == []
    assert ada.get("/api/v1/memory/episodes", conversation_id=conversation) == []
    assert bench.count("select count(*) from outbox") == 0


def test_a_forgotten_conversation_is_gone_everywhere_and_refuses_messages(bench: Workbench, ada: Person) -> None:
    kept, forgotten = ada.conversation(), ada.conversation(title="canary-title")
    ada.say(kept, BERLIN)
    ada.say(forgotten, PEANUTS, GREEN_TEA)
    ada.post("/api/v1/feedback", {"conversation_id": forgotten, "rating": 5, "comment": "canary-comment"})
    bench.work()

    operation = ada.forget("conversation", conversation_id=forgotten)

    assert ada.memories() == ["I live in Berlin."]
    assert [c["id"] for c in ada.get("/api/v1/conversations")] == [kept]
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    for canary in ("peanuts", "绿茶", "canary-title", "canary-comment"):
        assert bench.holds(canary) == []
    assert len(bench.process.episodes.keys(bench.namespace(ada))) == 1
    refused = bench.api.post(
        "/api/v1/messages",
        json={"conversation_id": forgotten, "messages": [{"role": "user", "content": "hi"}]},
        headers=ada.headers,
    )
    assert (refused.status_code, refused.json()["code"]) == (410, "conversation_forgotten")


def test_clear_forgets_the_content_and_keeps_the_conversation(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation(title="canary-title")
    ada.say(conversation, PEANUTS)
    bench.work()

    accepted = ada.post("/api/v1/clear", {"conversation_id": conversation}, status=202)

    assert ada.get(f"/api/v1/conversations/{conversation}")["title"] is None
    assert ada.get("/api/v1/messages", conversation_id=conversation) == []
    ada.say(conversation, BERLIN)
    bench.work()
    assert ada.operation(accepted["op_id"])["status"] == "succeeded"
    assert bench.holds("peanuts") == []
    assert bench.holds("canary-title") == []
    assert ada.memories() == ["I live in Berlin."]
    assert len(ada.get("/api/v1/memory/episodes", conversation_id=conversation)) == 1


def test_forgetting_a_person_needs_the_phrase_and_keeps_switches_and_everyone_else(
    bench: Workbench, ada: Person
) -> None:
    lin = bench.person()
    for person, turn in ((ada, PEANUTS), (lin, GREEN_TEA)):
        person.say(person.conversation(), turn)
    answer = bench.api.patch("/api/v1/memory/settings", json={"summary_enabled": False}, headers=ada.headers)
    assert answer.status_code == 200
    bench.work()
    before = bench.namespace(ada)

    refused = bench.api.post("/api/v1/memory/forget", json={"scope": "user"}, headers=ada.headers)
    assert (refused.status_code, refused.json()["code"]) == (422, "confirmation_required")
    operation = ada.forget("user", confirmation="忘掉一切")

    assert ada.memories() == []
    assert ada.get("/api/v1/conversations") == []
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.holds("peanuts") == []
    assert bench.process.episodes.keys(before) == set()
    assert bench.process.mem0.keys(before) == set()
    assert bench.namespace(ada) != before
    assert ada.get("/api/v1/memory/settings")["summary_enabled"] is False
    assert lin.memories() == ["我喜欢喝绿茶。"]
    assert len(bench.process.mem0.keys(bench.namespace(lin))) == 1
    ada.say(ada.conversation(), BERLIN)
    bench.work()
    assert ada.memories() == ["I live in Berlin."]


def test_deleting_one_memory_keeps_its_message_and_never_learns_it_again(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I live in Berlin and I'm allergic to peanuts.", "Noted."))
    bench.work()
    [memory] = [m for m in ada.get("/api/v1/memory/long_term") if "Berlin" in m["content"]]

    answer = bench.api.delete(f"/api/v1/memory/long_term/{memory['id']}", headers=ada.headers)

    assert answer.status_code == 202
    assert answer.headers["Location"] == f"/api/v1/memory/ops/{answer.json()['op_id']}"
    bench.work()
    assert ada.operation(answer.json()["op_id"])["status"] == "succeeded"
    assert ada.memories() == ["I'm allergic to peanuts."]
    assert len(ada.get("/api/v1/messages", conversation_id=conversation)) == 2
    assert len(bench.process.mem0.keys(bench.namespace(ada))) == 1


def test_a_wish_that_contradicts_itself_forgets_nothing(bench: Workbench, ada: Person) -> None:
    one, other = ada.conversation(), ada.conversation()
    [(message, _)] = ada.say(one, PEANUTS)
    both = {"conversation_id": one, "message_id": message}
    for body, status, code in (
        ({"scope": "conversation", **both}, 422, "validation_failed"),
        ({"scope": "user", "confirmation": "FORGET EVERYTHING", "conversation_id": one}, 422, "validation_failed"),
        ({"scope": "message", "message_id": message, "conversation_id": other}, 404, "not_found"),
    ):
        assert_problem(bench.api.post("/api/v1/memory/forget", json=body, headers=ada.headers), status, code)
    assert bench.count("select count(*) from operations") == 0
    ada.forget("message", **both)


def test_a_repeated_client_message_cannot_bring_a_forgotten_one_back(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    batch = {
        "conversation_id": conversation,
        "messages": [{"role": "user", "content": PEANUTS[0], "client_message_id": "m-1"}],
    }
    first = ada.post("/api/v1/messages", batch)["messages"][0]
    ada.forget("message", message_id=first["id"])
    hidden = ada.post("/api/v1/messages", batch)["messages"][0]
    bench.work()
    erased = ada.post("/api/v1/messages", batch)["messages"][0]
    assert {hidden["id"], erased["id"]} == {first["id"]}
    assert erased["outcome"] == "erased"
    assert ada.get("/api/v1/messages", conversation_id=conversation) == []
    assert bench.holds("peanuts") == []


def test_an_idempotency_key_returns_the_same_operation_after_everything_is_forgotten(
    bench: Workbench, ada: Person
) -> None:
    ada.say(ada.conversation(), BERLIN)
    bench.work()
    body = {"scope": "user", "confirmation": "FORGET EVERYTHING"}
    headers = {**ada.headers, "Idempotency-Key": "once"}
    first = bench.api.post("/api/v1/memory/forget", json=body, headers=headers).json()
    bench.work()
    again = bench.api.post("/api/v1/memory/forget", json=body, headers=headers).json()
    assert again == first
    assert bench.count("select count(*) from operations") == 1


def test_reading_about_someone_unknown_stores_nothing(bench: Workbench) -> None:
    nobody = bench.person("nobody-yet")
    for path in ("conversations", "memory/long_term", "memory/ops", "memory/settings"):
        nobody.get(f"/api/v1/{path}")
    nobody.search("anything")
    assert bench.count("select count(*) from subjects where user_id is not null") == 0
