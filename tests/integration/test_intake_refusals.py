"""What intake refuses: limits and text no store can keep. A refused batch records nothing, not even its good half."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.small_api import JSON, assert_problem
from tests.support.tables import each
from tests.support.workbench import Person, Workbench

GOOD = {"role": "user", "content": "good"}
BAD_MESSAGES: dict[str, Any] = {
    "empty content": {"role": "user", "content": ""},
    "content too long": {"role": "user", "content": "x" * 32_001},
    "content not text": {"role": "user", "content": ["x"]},
    "no content": {"role": "user"},
    "no role": {"content": "x"},
    "unknown role": {"role": "robot", "content": "x"},
    "role in capitals": {"role": "User", "content": "x"},
    "null completed": {"role": "user", "content": "x", "completed": None},
    "empty client id": {"role": "user", "content": "x", "client_message_id": ""},
    "long client id": {"role": "user", "content": "x", "client_message_id": "x" * 201},
    "empty name": {"role": "user", "content": "x", "name": ""},
    "long name": {"role": "user", "content": "x", "name": "x" * 101},
    "long task hint": {"role": "user", "content": "x", "task_hint": "x" * 201},
    "naive time": {"role": "user", "content": "x", "spoken_at": "2024-01-01T00:00:00"},
    "no time at all": {"role": "user", "content": "x", "spoken_at": "yesterday"},
    "before any calendar": {"role": "user", "content": "x", "spoken_at": "0001-01-01T00:00:00+14:00"},
    "after the last year": {"role": "user", "content": "x", "spoken_at": "9999-12-31T23:59:59-14:00"},
    "unknown member": {"role": "user", "content": "x", "contents": "y"},
    "no object": "x",
    "null": None,
}


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def nothing_was_recorded(bench: Workbench) -> bool:
    tables = ("messages", "message_contents", "outbox", "debug_records", "idempotency_keys")
    return [bench.count(f"select count(*) from {table}") for table in tables] == [0] * len(tables) and not bench.count(
        "select count(*) from events where type like 'Message%%'"
    )


def test_a_batch_with_one_bad_message_records_none(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    accepted = []
    for name, bad in BAD_MESSAGES.items():
        body = {"conversation_id": conversation, "messages": [GOOD, bad, GOOD]}
        answer = bench.api.post("/api/v1/messages", json=body, headers=ada.headers | {"Idempotency-Key": "k"})
        if answer.status_code != 422:
            accepted.append((name, answer.status_code))
        else:
            errors = assert_problem(answer, 422, "validation_failed")["errors"]
            assert {tuple(error["loc"][:3]) for error in errors} == {("body", "messages", 1)}, name
    assert accepted == []
    assert nothing_was_recorded(bench)


@pytest.mark.parametrize("text", ["x" * 32_000, "🙂" * 32_000])
def test_content_may_have_32000_characters_of_any_size(ada: Person, text: str) -> None:
    conversation = ada.conversation()
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": [{"role": "user", "content": text}]})

    assert ada.get("/api/v1/messages", conversation_id=conversation)[0]["content"] == text


def test_a_batch_holds_1_to_100_messages(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    for count in (0, 101):
        body = {"conversation_id": conversation, "messages": [GOOD] * count}
        assert_problem(bench.api.post("/api/v1/messages", json=body, headers=ada.headers), 422, "validation_failed")
    assert nothing_was_recorded(bench)
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": [GOOD] * 100})
    assert len(ada.get("/api/v1/messages", conversation_id=conversation, limit=200)) == 100


@each(
    "body",
    [
        {"title": ""},
        {"title": "x" * 201},
        {"project_id": ""},
        {"project_id": "x" * 101},
        {"project_id": "two words"},
        {"project_id": "line\n"},
        {"name": "x"},
        [],
    ],
)
def test_a_conversation_with_unusable_fields_is_not_created(bench: Workbench, ada: Person, body: Any) -> None:
    answer = bench.api.post("/api/v1/conversations", json=body, headers=ada.headers)

    assert_problem(answer, 422, "validation_failed")
    assert ada.get("/api/v1/conversations") == []


def test_text_that_cannot_be_stored_has_its_own_codes_and_records_nothing(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    expected = {
        b'"a\\u0000b"': (422, "nul_character"),
        b'"\\ud800"': (422, "invalid_text"),
        b'"\\ude00\\ud83d"': (422, "invalid_text"),
        b'"\xed\xa0\x80"': (400, "malformed_utf8"),
        b'"\xff"': (400, "malformed_utf8"),
        b'"a': (400, "malformed_json"),
        b"NaN": (400, "malformed_json"),
    }
    for place in ("content", "client_message_id", "name", "task_hint"):
        for text, (status, code) in expected.items():
            message = json.dumps(GOOD | {place: "@"}).encode().replace(b'"@"', text)
            body = b'{"conversation_id": "%s", "messages": [%s, %s]}' % (
                conversation.encode(),
                json.dumps(GOOD).encode(),
                message,
            )
            answer = bench.api.post("/api/v1/messages", content=body, headers=ada.headers | JSON)
            assert_problem(answer, status, code)
    assert nothing_was_recorded(bench)


def test_a_body_that_is_too_large_records_nothing(bench: Workbench, ada: Person) -> None:
    body = {"conversation_id": ada.conversation(), "messages": [{"role": "user", "content": "x" * 30_000}] * 80}

    assert_problem(bench.api.post("/api/v1/messages", json=body, headers=ada.headers), 413, "body_too_large")
    assert nothing_was_recorded(bench)


def test_a_body_that_is_not_announced_as_json_records_nothing(bench: Workbench, ada: Person) -> None:
    body = json.dumps({"conversation_id": ada.conversation(), "messages": [GOOD]})
    answer = bench.api.post("/api/v1/messages", content=body, headers=ada.headers | {"Content-Type": "text/plain"})

    assert_problem(answer, 415, "unsupported_media_type")
    assert nothing_was_recorded(bench)


@each("query", ["limit=0", "limit=201", "limit=x", "before_seq=0", f"before_seq={2**63}", "completed_only=maybe"])
def test_a_window_outside_its_limits_is_refused(bench: Workbench, ada: Person, query: str) -> None:
    answer = bench.api.get(f"/api/v1/messages?conversation_id={ada.conversation()}&{query}", headers=ada.headers)

    assert_problem(answer, 422, "validation_failed")
