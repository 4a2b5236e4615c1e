"""Tokens that a backend gets for one person, limited to what they are for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from services.scopes import required
from shared.runtime.authentication import TOKEN_SCOPES
from tests.support.every_operation import FOR_EVERYBODY, REQUESTS, some_ids
from tests.support.small_api import assert_problem
from tests.support.tables import each
from tests.support.workbench import Person, Workbench

TOKENS = "/api/v1/tokens"
READING = {
    "chat",
    "dry_run_correct",
    "dry_run_forget",
    "find_to_forget",
    "preview_forget",
    "preview_injection",
    "recall",
    "search_conversations",
    "search_episodes",
    "search_memory",
}
"""What reads although it is a POST."""


def issued(bench: Workbench, user_id: str, **more: Any) -> dict[str, Any]:
    answer = bench.api.post(TOKENS, json={"user_id": user_id, **more}, headers=bench.service)
    assert answer.status_code == 201, answer.text
    token: dict[str, Any] = answer.json()
    return token


def limited(bench: Workbench, user_id: str, *scopes: str) -> Person:
    token = issued(bench, user_id, scopes=list(scopes))["token"]
    return Person(bench, user_id, {"Authorization": f"Bearer {token}"})


def test_a_backend_gets_a_token_that_is_one_person(bench: Workbench) -> None:
    ada, lin = bench.person(), bench.person()
    memory = ada.post("/api/v1/memory/long_term", {"content": "I keep bees."})["id"]
    found = issued(bench, ada.user_id)

    assert found["user_id"] == ada.user_id
    assert found["scopes"] == sorted(TOKEN_SCOPES)
    assert found["audience"] is None
    left = (datetime.fromisoformat(found["expires_at"]) - datetime.now(UTC)).total_seconds()
    assert 59 * 60 < left <= 60 * 60
    hers = Person(bench, ada.user_id, {"Authorization": f"Bearer {found['token']}"})
    assert [one["id"] for one in hers.get("/api/v1/memory/long_term")] == [memory]
    his = Person(bench, lin.user_id, {"Authorization": f"Bearer {issued(bench, lin.user_id)['token']}"})
    assert his.get("/api/v1/memory/long_term") == []
    assert_problem(bench.api.get(f"/api/v1/memory/long_term/{memory}", headers=his.headers), 404, "not_found")


def test_a_person_gets_no_token(bench: Workbench) -> None:
    ada = bench.person()

    for user_id in (ada.user_id, "lin"):
        answer = bench.api.post(TOKENS, json={"user_id": user_id}, headers=ada.headers)
        assert_problem(answer, 404, "not_found")


@each(
    "wrong",
    [
        {},
        {"user_id": ""},
        {"user_id": "ada", "minutes": 0},
        {"user_id": "ada", "minutes": 61},
        {"user_id": "ada", "minutes": "60"},
        {"user_id": "ada", "scopes": []},
        {"user_id": "ada", "scopes": ["users:any"]},
        {"user_id": "ada", "scopes": ["memory:read"] * 4},
        {"user_id": "ada", "audience": "mcp"},
        {"user_id": "ada", "audience": "https://a b"},
        {"user_id": "ada", "role": "admin"},
    ],
)
def test_a_wrong_wish_is_refused(bench: Workbench, wrong: dict[str, Any]) -> None:
    assert_problem(bench.api.post(TOKENS, json=wrong, headers=bench.service), 422, "validation_failed")


def test_a_token_is_good_for_its_scopes_and_nothing_else(bench: Workbench) -> None:
    ada = bench.person()
    ids = some_ids(ada)
    owners = {scope: limited(bench, ada.user_id, scope) for scope in TOKEN_SCOPES}
    for name, make in REQUESTS.items():
        if name in FOR_EVERYBODY:
            continue
        wanted = make(ids)
        needed = required(wanted.method, name)
        assert needed, name
        if wanted.method == "GET" or name in READING:
            assert ("memory:read" in needed) == (name != "export_in_layout"), name
        for scope, person in owners.items():
            if needed <= {scope}:
                continue
            answer = bench.api.request(
                wanted.method, wanted.path, params=wanted.query, json=wanted.body, headers=person.headers
            )
            problem = assert_problem(answer, 403, "insufficient_scope")
            assert problem["details"] == {"required": sorted(needed)}, name


@pytest.mark.parametrize(
    ("scope", "method", "path", "body"),
    [
        ("memory:read", "POST", "/api/v1/recall", {"query": "bees"}),
        ("memory:read", "GET", "/api/v1/memory/long_term", None),
        ("memory:write", "POST", "/api/v1/memory/long_term", {"content": "I row."}),
        ("memory:forget", "POST", "/api/v1/memory/forget", {"scope": "user", "confirmation": "FORGET EVERYTHING"}),
        ("memory:forget", "GET", "/api/v1/session", None),
    ],
)
def test_what_a_token_is_good_for_works(bench: Workbench, scope: str, method: str, path: str, body: Any) -> None:
    ada = bench.person()
    ada.post("/api/v1/memory/long_term", {"content": "I keep bees."})

    answer = bench.api.request(method, path, json=body, headers=limited(bench, ada.user_id, scope).headers)

    assert answer.is_success, answer.text


def test_a_token_that_may_only_write_reads_nothing_by_writing(bench: Workbench) -> None:
    ada = bench.person()
    memory = ada.post("/api/v1/memory/long_term", {"content": "I keep bees."})["id"]
    writer = limited(bench, ada.user_id, "memory:write")
    corrected = {"about": "what I keep", "statement": "I keep wasps."}
    for method, path, body in (
        ("PATCH", f"/api/v1/memory/long_term/{memory}", {"importance": 3}),
        ("POST", "/api/v1/memory/long_term/confirm", {"memory_id": memory}),
        ("POST", "/api/v1/memory/long_term/correct", corrected),
    ):
        problem = assert_problem(
            bench.api.request(method, path, json=body, headers=writer.headers), 403, "insufficient_scope"
        )
        assert problem["details"] == {"required": ["memory:read", "memory:write"]}


def test_an_alias_asks_for_the_same(bench: Workbench) -> None:
    reader = limited(bench, bench.person().user_id, "memory:read")

    answer = bench.api.post("/memory/forget", json={"scope": "user"}, headers=reader.headers)

    assert_problem(answer, 403, "insufficient_scope")
