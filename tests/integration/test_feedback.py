"""Feedback in both vocabularies, clear, and the debug record of a request."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from tests.support.packages import Package, download, export
from tests.support.small_api import assert_problem
from tests.support.tables import each
from tests.support.workbench import Person, Workbench

CANARY = "canary-in-the-text"
WORDS = ("thumbs_up", "not_helpful", "agree", "disagree")


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def test_feedback_is_kept_in_either_vocabulary(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(_, answer)] = ada.say(conversation, ("hello", "hi"))
    given: list[dict[str, Any]] = [
        {"action": "accept", "evidence_ref": "skill-1", "message_id": answer},
        {"action": "reject"},
        {"action": "partial", "conversation_id": conversation},
        {"rating": -5, "comment": "差", "related_object_ref": "thread-9"},
        {"rating": 0, "message_id": answer, "conversation_id": conversation},
        {"comment": "fine"},
        *({"rating": word, "related_object_ref": "thread-9"} for word in WORDS),
        {"action": "reject", "reason": "too_long"},
        {"action": "reject", "reason": "读起来像广告"},
    ]

    ids = [ada.post("/api/v1/feedback", body)["id"] for body in given]

    assert len(set(ids)) == len(given)
    assert bench.count("select count(*) from visible_feedback") == len(given)
    assert bench.count("select count(*) from visible_feedback where action = 'partial' and rating is null") == 1
    kept = "comment = '差' and related_object_ref = 'thread-9' and rating = -5"
    assert bench.count(f"select count(*) from visible_feedback where {kept}") == 1
    for word in WORDS:
        kept = f"rating_word = '{word}' and rating is null and related_object_ref = 'thread-9'"
        assert bench.count(f"select count(*) from visible_feedback where {kept}") == 1
    for reason in ("too_long", "读起来像广告"):
        assert bench.count(f"select count(*) from visible_feedback where reason = '{reason}'") == 1
    packed = Package(download(ada, exported(ada)).content).every("feedback")
    assert {one["rating_word"] for one in packed} == {None, *WORDS}
    assert {one["reason"] for one in packed} == {None, "too_long", "读起来像广告"}


def exported(person: Person) -> str:
    op_id = export(person)
    person.bench.work()
    return op_id


@each(
    "body",
    [
        {},
        {"evidence_ref": "skill-1"},
        {"action": "maybe"},
        {"rating": 6},
        {"rating": -6},
        {"rating": 1.5},
        {"rating": "great"},
        {"rating": ""},
        {"action": "accept", "reason": ""},
        {"action": "accept", "reason": "x" * 4_001},
        {"comment": ""},
        {"comment": "x" * 4_001},
        {"action": "accept", "note": "x"},
    ],
)
def test_feedback_that_says_nothing_or_something_else_is_refused(
    bench: Workbench, ada: Person, body: dict[str, Any]
) -> None:
    answer = bench.api.post("/api/v1/feedback", json=body, headers=ada.headers)

    assert_problem(answer, 422, "validation_failed")
    assert bench.count("select count(*) from feedback") == 0


def test_feedback_on_what_is_not_ones_own_is_not_found_and_not_kept(bench: Workbench, ada: Person) -> None:
    lin = bench.person()
    theirs = lin.conversation()
    [(_, their_answer)] = lin.say(theirs, ("hello", "hi"))
    mine = ada.conversation()
    [(_, my_answer)] = ada.say(mine, ("hello", "hi"))
    for target in (
        {"message_id": their_answer},
        {"conversation_id": theirs},
        {"message_id": str(uuid4())},
        {"message_id": my_answer, "conversation_id": theirs},
        {"message_id": my_answer, "conversation_id": ada.conversation()},
        {"message_id": their_answer, "conversation_id": mine},
    ):
        answer = bench.api.post("/api/v1/feedback", json={"rating": 1, **target}, headers=ada.headers)
        assert_problem(answer, 404, "not_found")
    assert bench.count("select count(*) from feedback") == 0


def test_feedback_about_a_forgotten_conversation_is_refused(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.forget("conversation", conversation_id=conversation)

    answer = bench.api.post(
        "/api/v1/feedback", json={"rating": 1, "conversation_id": conversation}, headers=ada.headers
    )

    assert_problem(answer, 410, "conversation_forgotten")


@each("scope", ["message", "conversation", "clear"])
def test_what_was_said_of_a_memory_goes_with_it(bench: Workbench, ada: Person, scope: str) -> None:
    conversation = ada.conversation()
    [(_, answer)] = ada.say(conversation, ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    [memory] = ada.get("/api/v1/memory/long_term")
    for about in (memory["id"], "thread-9"):
        ada.post("/api/v1/feedback", {"rating": 1, "related_object_ref": about, "comment": f"{CANARY} {about}"})

    if scope == "clear":
        ada.post("/api/v1/clear", {"conversation_id": conversation}, status=202)
    else:
        ada.forget(scope, **({"message_id": answer} if scope == "message" else {"conversation_id": conversation}))
    shown = bench.count("select count(*) from visible_feedback where related_object_ref <> 'thread-9'")
    bench.work()

    assert ada.memories() == []
    assert shown == bench.count("select count(*) from feedback_contents where comment not like '%%thread-9'") == 0
    assert bench.count("select count(*) from feedback_contents where comment like '%%thread-9'") >= 1


def test_clear_says_where_to_look_and_may_come_twice(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation(title="about")
    ada.say(conversation, ("hello", "hi"))
    answers = [
        bench.api.post("/api/v1/clear", json={"conversation_id": conversation}, headers=ada.headers) for _ in range(2)
    ]
    for answer in answers:
        assert answer.status_code == 202
        assert answer.headers["location"] == f"/api/v1/memory/ops/{answer.json()['op_id']}"
        assert answer.headers["retry-after"] == "1"
    assert len({answer.json()["op_id"] for answer in answers}) == 2
    assert ada.get("/api/v1/messages", conversation_id=conversation) == []
    assert ada.get(f"/api/v1/conversations/{conversation}")["message_count"] == 0
    bench.work()
    assert {ada.operation(answer.json()["op_id"])["status"] for answer in answers} == {"succeeded"}
    ada.say(conversation, ("again", "hi"))
    assert [one["content"] for one in ada.get("/api/v1/messages", conversation_id=conversation)] == ["again", "hi"]


def debug_record(bench: Workbench, request_id: str) -> Any:
    answer = bench.api.get(f"/api/v1/debug/{request_id}", headers=bench.service)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_debug_record_tells_what_a_request_did_without_a_word_of_it(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation(title=CANARY)
    message = {"role": "user", "content": CANARY, "name": CANARY, "task_hint": CANARY, "client_message_id": CANARY}
    sent = {
        "r-1": ("/api/v1/messages", {"conversation_id": conversation, "messages": [message]}),
        "r-2": ("/api/v1/feedback", {"rating": 1, "comment": CANARY, "related_object_ref": CANARY}),
        "r-3": ("/api/v1/clear", {"conversation_id": conversation}),
    }
    for request_id, (path, body) in sent.items():
        answer = bench.api.post(path, json=body, headers=ada.headers | {"X-Request-ID": request_id})
        assert answer.is_success, answer.text
        found = debug_record(bench, request_id)
        assert found["request_id"] == request_id
        assert found["data"]["route"] == path.rsplit("/", 1)[1].replace("messages", "post_messages").replace(
            "feedback", "post_feedback"
        )
        assert found["data"]["actor"] == "person"
        assert CANARY not in json.dumps(found)
        assert ada.user_id not in json.dumps(found)
    [kept] = debug_record(bench, "r-1")["data"]["messages"]
    assert kept["outcome"] == "recorded"


def test_a_question_leaves_a_debug_record_of_what_was_given_and_why(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I'm allergic to peanuts.", "Noted."), (f"My dog is called {CANARY}.", "Nice."))
    bench.work()
    asked: dict[str, tuple[str, dict[str, Any]]] = {
        "recall": ("/api/v1/recall", {"query": CANARY, "conversation_id": conversation}),
        "preview_injection": ("/api/v1/memory/injection/preview", {"query_text": CANARY, "project_id": None}),
        "search_memory": ("/api/v1/memory/search", {"query": CANARY}),
    }
    for route, (path, body) in asked.items():
        answer = bench.api.post(path, json=body, headers=ada.headers | {"X-Request-ID": route})
        assert answer.status_code == 200, answer.text
        found = debug_record(bench, route)["data"]
        assert (found["route"], found["actor"], found["mode"]) == (route, "person", answer.json()["mode"])
        told = found["found"] if route == "search_memory" else found["given"]
        assert [one["id"] for one in told] == [one["id"] for one in answer.json()["items"]] != []
        assert CANARY not in json.dumps(found)
        assert ada.user_id not in json.dumps(found)
    given = debug_record(bench, "recall")["data"]
    assert "safety" in {one["reason_code"] for one in given["given"]}
    assert len(given["window"]) == 4
    assert given["tokens"]["used"] > 0


def test_a_question_about_nobody_or_a_forgotten_conversation_leaves_no_record(bench: Workbench, ada: Person) -> None:
    headers = bench.service | {"X-Request-ID": "r-nobody"}
    body = {"query": "tea", "user_id": "nobody-yet"}
    assert bench.api.post("/api/v1/recall", json=body, headers=headers).status_code == 200
    assert_problem(bench.api.get("/api/v1/debug/r-nobody", headers=bench.service), 404, "not_found")
    assert bench.count("select count(*) from subjects where user_id = 'nobody-yet'") == 0

    conversation = ada.conversation()
    body = {"query": "tea", "conversation_id": conversation}
    headers = ada.headers | {"X-Request-ID": "r-1"}
    assert bench.api.post("/api/v1/recall", json=body, headers=headers).status_code == 200
    assert debug_record(bench, "r-1")["data"]["route"] == "recall"
    ada.forget("conversation", conversation_id=conversation)
    bench.work()
    assert_problem(bench.api.get("/api/v1/debug/r-1", headers=bench.service), 404, "not_found")


def test_debug_records_are_for_services_only(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    body = {"conversation_id": conversation, "messages": [{"role": "user", "content": "x"}]}
    bench.api.post("/api/v1/messages", json=body, headers=ada.headers | {"X-Request-ID": "r-1"})

    asked = [bench.api.get(f"/api/v1/debug/{one}", headers=ada.headers) for one in ("r-1", "r-unknown")]

    documents = [assert_problem(answer, 404, "not_found") for answer in asked]
    assert {document.pop("request_id") for document in documents} == {
        answer.headers["x-request-id"] for answer in asked
    }
    assert documents[0] == documents[1]
    assert_problem(bench.api.get("/api/v1/debug/r-unknown", headers=bench.service), 404, "not_found")
    assert_problem(bench.api.get("/api/v1/debug/" + "x" * 65, headers=bench.service), 422, "validation_failed")


def test_debug_records_go_with_everything_else_of_a_person(bench: Workbench, ada: Person) -> None:
    bench.api.post("/api/v1/feedback", json={"rating": 1}, headers=ada.headers | {"X-Request-ID": "r-1"})
    debug_record(bench, "r-1")

    ada.forget("user")

    assert_problem(bench.api.get("/api/v1/debug/r-1", headers=bench.service), 404, "not_found")
