"""Every failure is a problem document, and neither it nor a log line repeats what was sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.support.log_lines import LogLines, captured_log
from tests.support.small_api import CANARY, JSON, LIMIT, LOCALHOST, app, assert_problem
from tests.support.tables import each


@pytest.fixture
def log() -> Iterator[LogLines]:
    with captured_log() as lines:
        yield lines
    assert CANARY not in lines.text


@pytest.fixture
def api(log: LogLines) -> Iterator[TestClient]:
    with TestClient(app, base_url=LOCALHOST) as client:
        yield client


@each(
    ("body", "status", "code"),
    [
        (b"{", 400, "malformed_json"),
        (f'{{"text": {CANARY}}}'.encode(), 400, "malformed_json"),
        (b'{"text": "a\x00b"}', 400, "malformed_json"),
        (b'{"text": "a", "parts": [NaN]}', 400, "malformed_json"),
        (b'{"text": "a", "parts": [-Infinity]}', 400, "malformed_json"),
        (b'{"text": "a", "parts": [1e999]}', 400, "malformed_json"),
        (b"[" * 1_900, 400, "malformed_json"),
        (b"\xff\xfe{", 400, "malformed_utf8"),
        (b'{"text": "\xc3\x28"}', 400, "malformed_utf8"),
        (b'{"text": "\xed\xa0\x80"}', 400, "malformed_utf8"),
        ('{"text": "a"}'.encode("utf-16"), 400, "malformed_utf8"),
        ('{"text": "a"}'.encode("utf-32-le"), 400, "malformed_utf8"),
        (b'{"text": "a\\u0000b"}', 422, "nul_character"),
        (b'{"text": "a", "counts": {"\\u0000": 1}}', 422, "nul_character"),
        (b'{"text": "a", "unknown": [[{"deep": "\\u0000"}]]}', 422, "nul_character"),
        (b'{"text": "\\ud800"}', 422, "invalid_text"),
        (b'{"text": "\\ude00\\ud83d"}', 422, "invalid_text"),
        (b"null", 422, "validation_failed"),
        (b"[]", 422, "validation_failed"),
        (b'"text"', 422, "validation_failed"),
        (b"", 422, "validation_failed"),
    ],
)
def test_bodies_that_cannot_be_read_or_stored(api: TestClient, body: bytes, status: int, code: str) -> None:
    assert_problem(api.post("/api/v1/notes", content=body, headers=JSON), status, code)


@pytest.mark.parametrize(
    "body",
    [
        b'{"text": "\\ud83d\\ude00"}',
        b'{"text": "\\\\u0000"}',
        b'{"text": "NaN, Infinity"}',
        b'\xef\xbb\xbf{"text": "1e999"}',
        b'{"text": "a", "text": "b"}',
    ],
)
def test_text_that_only_looks_suspicious_is_kept(api: TestClient, body: bytes) -> None:
    response = api.post("/api/v1/notes", content=body, headers=JSON)

    assert response.status_code == 200
    assert response.json()["text"] == json.loads(body)["text"]


@pytest.mark.parametrize("url", ["/api/v1/notes/%00", "/api/v1/notes/1?limit=%00", "/api/v1/notes/1?%00=1"])
def test_nul_in_addresses(api: TestClient, url: str) -> None:
    assert_problem(api.get(url), 422, "nul_character")


@pytest.mark.parametrize(
    "media_type", ["application/JSON; charset=utf-8", "application/a+json", "application/a b+json"]
)
def test_no_spelling_of_the_media_type_lets_nul_through(api: TestClient, media_type: str) -> None:
    response = api.post("/api/v1/notes", content=b'{"text": "\\u0000"}', headers={"Content-Type": media_type})

    assert_problem(response, 422, "nul_character")


def test_nul_in_a_header(api: TestClient) -> None:
    assert_problem(api.get("/api/v1/notes/1", headers={"Idempotency-Key": "a\x00"}), 422, "nul_character")


@pytest.mark.parametrize(
    "headers",
    [{"Content-Encoding": "gzip"}, {"Content-Encoding": "br"}, {"Content-Type": "application/json; charset=utf-16"}],
)
def test_a_body_in_another_encoding(api: TestClient, headers: dict[str, str]) -> None:
    response = api.post("/api/v1/notes", content=b'{"text": "a"}', headers=JSON | headers)

    assert_problem(response, 415, "encoding_not_accepted")


@pytest.mark.parametrize("size", [LIMIT + 1, LIMIT * 50])
def test_an_announced_body_that_is_too_large(api: TestClient, size: int) -> None:
    body = (CANARY * size)[:size].encode()
    assert_problem(api.post("/api/v1/notes", content=body, headers=JSON), 413, "body_too_large")


def test_a_streamed_body_that_is_too_large(api: TestClient) -> None:
    chunks = (CANARY.encode() * 20 for _ in range(100))

    assert_problem(api.post("/api/v1/notes", content=chunks, headers=JSON), 413, "body_too_large")


def test_a_body_at_the_limit_is_read(api: TestClient) -> None:
    body = b'{"text": "a"}'.ljust(LIMIT)

    assert api.post("/api/v1/notes", content=body, headers=JSON).status_code == 200


def test_a_path_may_take_larger_bodies(api: TestClient) -> None:
    assert_problem(api.post("/api/v1/imports", content=b" " * 9_000, headers=JSON), 404, "not_found")
    assert_problem(api.post("/api/v1/imports", content=b" " * 10_001, headers=JSON), 413, "body_too_large")


@pytest.mark.parametrize("media_type", ["text/plain", f"text/{CANARY}", "multipart/form-data; boundary=x", None])
def test_a_body_of_another_media_type(api: TestClient, media_type: str | None) -> None:
    headers = {"Content-Type": media_type} if media_type else {}

    assert_problem(
        api.post("/api/v1/notes", content=f'{{"text": "{CANARY}"}}', headers=headers), 415, "unsupported_media_type"
    )


@pytest.mark.parametrize(
    "path", [f"/{CANARY}", f"/api/v1/{CANARY}", "/api/v1/notes/", "/docs", f"/api/v1/users/{CANARY}/things/"]
)
def test_nothing_there(api: TestClient, path: str) -> None:
    assert_problem(api.get(path, follow_redirects=False), 404, "not_found")


def test_a_method_that_is_not_available(api: TestClient) -> None:
    response = api.put("/api/v1/notes/1")

    assert_problem(response, 405, "method_not_allowed")
    assert response.headers["allow"] == "GET, OPTIONS"


@each(
    ("body", "errors"),
    [
        ({}, [("missing", ["body", "text"])]),
        ({"text": CANARY * 9}, [("string_too_long", ["body", "text"])]),
        ({"text": {CANARY: CANARY}}, [("string_type", ["body", "text"])]),
        ({"text": "a", "mood": CANARY}, [("literal_error", ["body", "mood"])]),
        ({"text": "a", CANARY: 1}, [("extra_forbidden", ["body", "<unknown>"])]),
        ({"text": "a", "limit": 1}, [("extra_forbidden", ["body", "<unknown>"])]),
        ({"text": "a", "counts": {CANARY: CANARY}}, [("int_parsing", ["body", "counts", "<unknown>"])]),
        ({"text": "a", "parts": [1, CANARY]}, [("int_parsing", ["body", "parts", 1])]),
    ],
)
def test_invalid_fields_are_named_and_not_repeated(
    api: TestClient, body: dict[str, Any], errors: list[tuple[str, list[Any]]]
) -> None:
    document = assert_problem(api.post("/api/v1/notes", json=body), 422, "validation_failed")

    assert [(error["type"], error["loc"]) for error in document["errors"]] == errors
    assert all(set(error) == {"loc", "msg", "type"} for error in document["errors"])


@pytest.mark.parametrize(
    ("url", "loc"),
    [
        (f"/api/v1/notes/{CANARY}", ["path", "number"]),
        (f"/api/v1/notes/1?limit={CANARY}", ["query", "limit"]),
        ("/api/v1/notes/1?limit=0", ["query", "limit"]),
        (f"/api/v1/notes?{CANARY}=1", ["query", "<unknown>"]),
    ],
)
def test_invalid_parameters_are_named_and_not_repeated(api: TestClient, url: str, loc: list[str]) -> None:
    document = assert_problem(api.get(url), 422, "validation_failed")

    assert [error["loc"] for error in document["errors"]] == [loc]


def test_a_thousand_errors_are_not_all_listed(api: TestClient) -> None:
    body = {"text": "a", "parts": ["x"] * 300}

    assert len(assert_problem(api.post("/api/v1/notes", json=body), 422, "validation_failed")["errors"]) == 50


@pytest.mark.parametrize("path", [f"/api/v1/users/{CANARY}/things", "/api/v1/echo"])
def test_an_unforeseen_error_tells_nothing(api: TestClient, log: LogLines, path: str) -> None:
    document = assert_problem(api.get(path), 500, "internal_error")

    assert "detail" not in document
    failed, answered = log.all[-2:]
    assert failed["event"] == "http.failed"
    assert failed["error_class"] in ("RuntimeError", "fastapi.exceptions.ResponseValidationError")
    assert failed["frames"]
    assert failed["request_id"] == answered["request_id"] == document["request_id"]
    assert (answered["status"], answered["code"]) == (500, "internal_error")


def test_an_error_after_the_answer_began_ends_the_connection(api: TestClient) -> None:
    with pytest.raises(RuntimeError, match=CANARY):  # the test client shows what the server would log and drop
        api.get("/api/v1/stream")


def test_framework_errors_lose_their_text_and_unknown_headers(api: TestClient) -> None:
    response = api.get("/api/v1/fails/http")

    assert_problem(response, 409, "conflict")
    assert response.headers["retry-after"] == "3"
    assert_problem(api.get("/api/v1/fails/teapot"), 418, "i_m_a_teapot")


def test_domain_errors_are_answered_by_the_table(api: TestClient) -> None:
    document = assert_problem(api.get("/api/v1/fails/consent"), 403, "profile_consent_required")

    assert document["details"] == {"required_scopes": ["save_to_profile"]}


def test_busy_says_when_to_come_back(api: TestClient) -> None:
    response = api.get("/api/v1/fails/busy")

    assert_problem(response, 503, "busy")
    assert response.headers["retry-after"] == "7"


def test_a_route_may_raise_a_problem(api: TestClient) -> None:
    document = assert_problem(api.get("/api/v1/fails/problem"), 409, "idempotency_conflict")

    assert document["details"] == {"count": 1}
