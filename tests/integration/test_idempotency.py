"""Idempotency-Key: the same request under the same key is answered alike and happens once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from tests.support.importing import empty_document
from tests.support.overlap import together
from tests.support.small_api import assert_problem
from tests.support.tables import each
from tests.support.traits import reflected, show
from tests.support.workbench import Person, Workbench

PEANUTS = ("I'm allergic to peanuts.", "Noted.")


@dataclass(frozen=True)
class Request:
    """One request, and another that the same key must not start."""

    method: str
    path: str
    body: dict[str, Any] | None
    other_path: str
    other_body: dict[str, Any] | None
    effect: str
    """SQL that counts what the request does."""
    is_text: bool = False
    """The bodies are texts, not JSON."""


def ids_of(person: Person) -> dict[str, str]:
    """Make a conversation with one exchange; return the ids in it."""
    conversation = person.conversation()
    [(question, answer)] = person.say(conversation, PEANUTS)
    return {"conversation": conversation, "question": question, "answer": answer}


def operations(scope: str) -> str:
    return f"select count(*) from operations where scope = '{scope}'"


def _create_conversation(_: Person) -> Request:
    path = "/api/v1/conversations"
    return Request("POST", path, {"title": "a"}, path, {"title": "b"}, "select count(*) from conversations")


def _post_messages(person: Person) -> Request:
    path, conversation = "/api/v1/messages", person.conversation()
    body, other = (
        {"conversation_id": conversation, "messages": [{"role": "user", "content": text}]} for text in ("a", "b")
    )
    return Request("POST", path, body, path, other, "select count(*) from messages")


def _post_feedback(_: Person) -> Request:
    path = "/api/v1/feedback"
    return Request("POST", path, {"rating": 1}, path, {"rating": 2}, "select count(*) from feedback")


def _clear(person: Person) -> Request:
    path = "/api/v1/clear"
    body, other = ({"conversation_id": ids_of(person)["conversation"]} for _ in range(2))
    return Request("POST", path, body, path, other, operations("clear"))


def _delete_conversation(person: Person) -> Request:
    path, other = (f"/api/v1/conversations/{ids_of(person)['conversation']}" for _ in range(2))
    return Request("DELETE", path, None, other, None, operations("conversation"))


def _end_session(person: Person) -> Request:
    path, other = (f"/api/v1/conversations/{ids_of(person)['conversation']}/session-end" for _ in range(2))
    return Request("POST", path, None, other, None, "select count(*) from events where type = 'SessionEnded'")


def _forget(person: Person) -> Request:
    path, ids = "/api/v1/memory/forget", ids_of(person)
    body = {"scope": "message", "message_id": ids["question"]}
    return Request("POST", path, body, path, body | {"cascade": True}, operations("message"))


def _delete_long_term(person: Person) -> Request:
    person.say(person.conversation(), PEANUTS, ("I live in Berlin.", "A fine city."))
    person.bench.work()
    path, other = (f"/api/v1/memory/long_term/{one['id']}" for one in person.get("/api/v1/memory/long_term"))
    return Request("DELETE", path, None, other, None, operations("selection"))


def _create_long_term(_: Person) -> Request:
    path = "/api/v1/memory/long_term"
    return Request("POST", path, {"content": "a"}, path, {"content": "b"}, "select count(*) from memories")


def _update_long_term(person: Person) -> Request:
    made = person.post("/api/v1/memory/long_term", {"content": "a"})["id"]
    path, other = f"/api/v1/memory/long_term/{made}", person.post("/api/v1/memory/long_term", {"content": "b"})["id"]
    other_path = f"/api/v1/memory/long_term/{other}"
    return Request("PATCH", path, {"content": "c"}, other_path, {"content": "d"}, "select count(*) from memories")


def _confirm_long_term(person: Person) -> Request:
    path = "/api/v1/memory/long_term/confirm"
    body, other = ({"memory_id": person.post("/api/v1/memory/long_term", {"content": text})["id"]} for text in "ab")
    return Request("POST", path, body, path, other, "select count(*) from events where type = 'MemoryConfirmed'")


def _change_long_term(person: Person) -> Request:
    path = "/api/v1/memory/long_term/change"
    body, other = (
        {"act": "pause", "ids": [person.post("/api/v1/memory/long_term", {"content": text})["id"]]} for text in "ab"
    )
    return Request("POST", path, body, path, other, "select count(*) from events where type = 'MemoryDisabled'")


def _correct_long_term(person: Person) -> Request:
    person.post("/api/v1/memory/long_term", {"content": "My gym day is Monday."})
    path, body = "/api/v1/memory/long_term/correct", {"about": "my gym day", "statement": "My gym day is Tuesday."}
    effect = "select count(*) from memories where supersedes is not null"
    return Request("POST", path, body, path, body | {"statement": "My gym day is Friday."}, effect)


def _ingest_preference(_: Person) -> Request:
    path, body = "/api/v1/memory/preferences/ingest", {"action": "accept", "evidence_ref": "shorter answers"}
    other = body | {"action": "reject"}
    return Request("POST", path, body, path, other, "select count(*) from preference_signals")


def _clear_preferences(person: Person) -> Request:
    path = "/api/v1/memory/preferences/clear"
    person.post("/api/v1/feedback", {"action": "accept", "evidence_ref": "shorter answers"})
    return Request("POST", path, {}, path, {"undo_seconds": 5}, operations("selection"))


def _delete_trait(person: Person) -> Request:
    for key in ("compares-prices", "cooks-at-home"):
        show(person.bench, person, key=key)
    person.bench.work()
    reflected(person.bench, person)
    path, other = (f"/api/v1/memory/traits/{one['id']}" for one in person.get("/api/v1/memory/traits")[:2])
    return Request("DELETE", path, None, other, None, operations("selection"))


def _clear_traits(person: Person) -> Request:
    path = "/api/v1/memory/traits/clear"
    show(person.bench, person)
    return Request("POST", path, {}, path, {"undo_seconds": 5}, operations("selection"))


def _retry(person: Person) -> Request:
    ids = ids_of(person)
    path, other = (
        f"/api/v1/memory/ops/{person.forget('message', message_id=ids[side])}/retry" for side in ("question", "answer")
    )
    with person.bench.database.begin() as tx:
        tx.run("update outbox set state = 'failed' where operation_id is not null")
    return Request("POST", path, None, other, None, "select count(*) from events where type = 'OperationRetried'")


def _export_memory(_: Person) -> Request:
    path, body = "/api/v1/memory/export", {"scope": "user", "confirmation": True}
    effect = "select count(*) from operations where type = 'export_user'"
    return Request("POST", path, body, path, body | {"format": "zip"}, effect)


def _import_memory(_: Person) -> Request:
    path, effect = "/api/v1/memory/import", "select count(*) from operations where type = 'import'"
    return Request("POST", path, empty_document(), path, empty_document(), effect)


def _grant_consent(_: Person) -> Request:
    path = "/api/v1/users/me/profile-consent"
    body, other = ({"save_to_thread": True, "research_depth": depth} for depth in ("quick", "deep"))
    return Request("POST", path, body, path, other, "select count(*) from profile_consents")


def _create_task(_: Person) -> Request:
    path = "/api/v1/tasks"
    return Request("POST", path, {"route": "snapshot"}, path, {"route": "risk_challenge"}, "select count(*) from tasks")


def _save_as_thread(_: Person) -> Request:
    path, body = "/api/v1/snapshots/{}/save-as-thread", {"main_thesis": "Chips.", "save_user_context": False}
    return Request("POST", path.format("a"), body, path.format("b"), body, "select count(*) from conversations")


def _add_document(_: Person) -> Request:
    path, effect = "/api/v1/documents", "select count(*) from documents"
    return Request("POST", path, {"text": "a"}, path, {"text": "b"}, effect, is_text=True)


def _delete_document(person: Person) -> Request:
    path, other = (
        f"/api/v1/documents/{send(person, '/api/v1/documents', {'text': one}, key=one, is_text=True).json()['id']}"
        for one in "ab"
    )
    return Request("DELETE", path, None, other, None, operations("selection"))


def _refresh_thread(person: Person) -> Request:
    saved = {"main_thesis": "Chips.", "save_user_context": False}
    thread = person.post("/api/v1/snapshots/a/save-as-thread", saved)["thread_id"]
    path, effect = f"/api/v1/threads/{thread}/refresh", "select count(*) from thread_notes"
    return Request("POST", path, {"current_thesis": "Scarce."}, path, {"current_thesis": "Plenty."}, effect)


REQUESTS: dict[str, Callable[[Person], Request]] = {
    "export_memory": _export_memory,
    "import_memory": _import_memory,
    "create_conversation": _create_conversation,
    "post_messages": _post_messages,
    "post_feedback": _post_feedback,
    "clear": _clear,
    "delete_conversation": _delete_conversation,
    "end_conversation_session": _end_session,
    "forget": _forget,
    "delete_long_term": _delete_long_term,
    "create_long_term": _create_long_term,
    "update_long_term": _update_long_term,
    "confirm_long_term": _confirm_long_term,
    "change_long_term": _change_long_term,
    "correct_long_term": _correct_long_term,
    "ingest_preference": _ingest_preference,
    "clear_learned_preferences": _clear_preferences,
    "delete_trait": _delete_trait,
    "clear_traits": _clear_traits,
    "retry": _retry,
    "grant_profile_consent": _grant_consent,
    "create_task": _create_task,
    "save_snapshot_as_thread": _save_as_thread,
    "refresh_a_thread": _refresh_thread,
    "add_a_document": _add_document,
    "delete_document": _delete_document,
}


@pytest.fixture
def ada(bench: Workbench) -> Person:
    person = bench.person()
    person.conversation()  # from here on the person is known
    return person


def send(
    person: Person,
    path: str,
    body: dict[str, Any] | None,
    *,
    method: str = "POST",
    key: str = "key-1",
    is_text: bool = False,
) -> Any:
    headers = person.headers | {"Idempotency-Key": key}
    if is_text and body is not None:
        headers |= {"Content-Type": "text/plain"}
        return person.bench.api.request(method, path, content=body["text"].encode(), headers=headers)
    return person.bench.api.request(method, path, json=body, headers=headers)


def test_every_operation_that_takes_a_key_is_covered_here(bench: Workbench) -> None:
    document = bench.api.get("/openapi.json").json()
    taking = {
        operation["operationId"]
        for item in document["paths"].values()
        for operation in item.values()
        if any(parameter["name"] == "Idempotency-Key" for parameter in operation.get("parameters", []))
    }
    assert taking == set(REQUESTS)


def test_every_post_that_starts_work_takes_a_key(bench: Workbench) -> None:
    document = bench.api.get("/openapi.json").json()
    posts = {item["post"]["operationId"] for item in document["paths"].values() if "post" in item}
    assert posts - set(REQUESTS) == {
        "search_memory",
        "search_episodes",
        "search_conversations",
        "recall",
        "preview_injection",
        "find_to_forget",
        "preview_forget",
        "dry_run_correct",
        "dry_run_forget",
        "cancel",
        "reconcile",
        "reindex",
        "sign_in",
        "issue_token",  # stores nothing
        "chat",
        "note_onboarding_step",  # stores nothing
        "finish_task",  # ending it again changes nothing
        "request_a_reflection",  # asking again finds the first still waiting
    }


@pytest.mark.parametrize("operation", REQUESTS)
def test_the_same_request_under_the_same_key_happens_once(bench: Workbench, ada: Person, operation: str) -> None:
    wanted = REQUESTS[operation](ada)
    before = bench.count(wanted.effect)

    answers = [send(ada, wanted.path, wanted.body, method=wanted.method, is_text=wanted.is_text) for _ in range(3)]

    assert all(answer.is_success for answer in answers), [answer.text for answer in answers]
    assert answers[0].json() == answers[1].json() == answers[2].json()
    assert len({(answer.status_code, answer.headers.get("location")) for answer in answers}) == 1
    assert bench.count(wanted.effect) == before + 1


@pytest.mark.parametrize("operation", REQUESTS)
def test_another_request_under_the_same_key_is_a_conflict_and_does_nothing(
    bench: Workbench, ada: Person, operation: str
) -> None:
    wanted = REQUESTS[operation](ada)
    assert send(ada, wanted.path, wanted.body, method=wanted.method, is_text=wanted.is_text).is_success
    done = bench.count(wanted.effect)

    answer = send(ada, wanted.other_path, wanted.other_body, method=wanted.method, is_text=wanted.is_text)

    assert_problem(answer, 409, "idempotency_conflict")
    assert bench.count(wanted.effect) == done
    again = send(ada, wanted.other_path, wanted.other_body, method=wanted.method, key="key-2", is_text=wanted.is_text)
    assert again.is_success


@pytest.mark.few(8)
@pytest.mark.parametrize("operation", REQUESTS)
def test_the_same_request_sent_twice_at_once_happens_once(bench: Workbench, ada: Person, operation: str) -> None:
    wanted = REQUESTS[operation](ada)
    before = bench.count(wanted.effect)

    def request() -> Any:
        return send(ada, wanted.path, wanted.body, method=wanted.method, is_text=wanted.is_text)

    one_by_one = operation in ("retry", "correct_long_term")  # of a person's corrections one runs, the other gets 429
    answers = [request(), request()] if one_by_one else together(ada, request, request)

    assert all(answer.is_success for answer in answers), [answer.text for answer in answers]
    assert answers[0].json() == answers[1].json()
    assert bench.count(wanted.effect) == before + 1


def test_a_key_belongs_to_whoever_used_it(bench: Workbench, ada: Person) -> None:
    lin = bench.person()
    body = {"title": "a"}
    asked = [
        send(ada, "/api/v1/conversations", body),
        send(lin, "/api/v1/conversations", body),
        bench.api.post(
            "/api/v1/conversations",
            json=body | {"user_id": ada.user_id},
            headers=bench.service | {"Idempotency-Key": "key-1"},
        ),
    ]

    assert [answer.status_code for answer in asked] == [201] * 3
    assert len({answer.json()["id"] for answer in asked}) == 3
    assert [len(person.get("/api/v1/conversations")) for person in (ada, lin)] == [3, 1]


def test_a_service_cannot_use_a_key_for_two_people(bench: Workbench, ada: Person) -> None:
    lin = bench.person()
    headers = bench.service | {"Idempotency-Key": "key-1"}
    for person, status in ((ada, 201), (lin, 409)):
        answer = bench.api.post("/api/v1/conversations", json={"user_id": person.user_id}, headers=headers)
        assert answer.status_code == status
    assert lin.get("/api/v1/conversations") == []


def test_a_refused_request_leaves_its_key_free(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    body = {"scope": "user"}
    assert_problem(send(ada, "/api/v1/memory/forget", body), 422, "confirmation_required")
    assert_problem(
        send(ada, "/api/v1/messages", {"conversation_id": conversation, "messages": []}), 422, "validation_failed"
    )

    answer = send(ada, "/api/v1/memory/forget", body | {"confirmation": "FORGET EVERYTHING"})

    assert answer.status_code == 202
    assert UUID(answer.json()["op_id"])


@each("key", ["", "two words", "x" * 201, "ключ".encode().decode("latin-1")])
def test_an_unusable_key_is_refused(bench: Workbench, ada: Person, key: str) -> None:
    headers = ada.headers | {"Idempotency-Key": key}
    answer = bench.api.post(
        "/api/v1/conversations", json={}, headers=[(n, v.encode("latin-1")) for n, v in headers.items()]
    )

    assert_problem(answer, 422, "validation_failed")


@pytest.mark.parametrize("scope", ["message", "conversation", "user"])
def test_a_forget_repeated_after_it_was_done_is_answered_alike(bench: Workbench, ada: Person, scope: str) -> None:
    ids = ids_of(ada)
    target = {
        "message": {"message_id": ids["question"]},
        "conversation": {"conversation_id": ids["conversation"]},
        "user": {"confirmation": "FORGET EVERYTHING"},
    }[scope]
    first = send(ada, "/api/v1/memory/forget", {"scope": scope, **target})
    bench.work()
    ada.say(ada.conversation(), ("I live in Berlin.", "A fine city."))

    again = send(ada, "/api/v1/memory/forget", {"scope": scope, **target})

    assert (again.status_code, again.json()) == (202, first.json())
    bench.work()
    assert ada.memories() == ["I live in Berlin."]
