"""What every request to every API gets: an id, an identity, headers, a log line, and health."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient
from openapi_spec_validator import validate

from shared.runtime import telemetry
from shared.runtime.authentication import mint_person_token
from shared.runtime.session_cookie import COOKIE
from shared.runtime.web import create_app
from tests.support.log_lines import LogLines, captured_log
from tests.support.small_api import (
    CANARY,
    JSON,
    LOCALHOST,
    SERVICE,
    SERVICE_KEY,
    SETTINGS,
    SIGNING_KEY,
    app,
    assert_problem,
)


@pytest.fixture
def log() -> Iterator[LogLines]:
    with captured_log() as lines:
        yield lines
    assert CANARY not in lines.text


@pytest.fixture
def api(log: LogLines) -> Iterator[TestClient]:
    with TestClient(app, base_url=LOCALHOST) as client:
        yield client


def test_an_invented_method_is_neither_logged_nor_counted(api: TestClient, log: LogLines) -> None:
    assert_problem(api.request(CANARY, "/api/v1/notes/1"), 405, "method_not_allowed")

    assert log.all[-1]["method"] == "OTHER"
    assert CANARY not in api.get("/metrics").text


@pytest.mark.parametrize(
    ("header", "code"), [(None, "credentials_missing"), (f"Bearer {CANARY}", "credentials_invalid")]
)
def test_unknown_callers_are_told_how_to_authenticate(api: TestClient, header: str | None, code: str) -> None:
    response = api.get("/api/v1/mine", headers={"Authorization": header} if header else {})

    assert_problem(response, 401, code)
    assert response.headers["www-authenticate"] == "Bearer"


def test_an_expired_token_has_its_own_code(api: TestClient) -> None:
    token = mint_person_token(SIGNING_KEY, "anna", minutes=-10)

    response = api.get("/api/v1/mine", headers={"Authorization": f"Bearer {token}"})

    assert_problem(response, 401, "credentials_expired")


def test_a_person_is_answered_for_themselves_only(api: TestClient) -> None:
    headers = {"Authorization": f"Bearer {mint_person_token(SIGNING_KEY, '小明')}"}

    assert api.get("/api/v1/mine", headers=headers).json() == {"user_id": "小明"}
    assert_problem(api.get(f"/api/v1/mine?user_id={CANARY}", headers=headers), 404, "not_found")


def test_a_service_must_name_a_person(api: TestClient) -> None:
    assert api.get("/api/v1/mine?user_id=ben", headers=SERVICE).json() == {"user_id": "ben"}
    assert_problem(api.get("/api/v1/mine", headers=SERVICE), 422, "user_id_required")
    assert_problem(api.get("/api/v1/mine?user_id=*", headers=SERVICE), 422, "validation_failed")


@pytest.mark.parametrize("offered", ["abc-1", "A.b_c-9", "x" * 64])
def test_a_request_keeps_the_id_it_came_with(api: TestClient, log: LogLines, offered: str) -> None:
    response = api.get("/api/v1/notes/1", headers={"X-Request-ID": offered})

    assert response.headers["x-request-id"] == offered
    assert log.all[-1]["request_id"] == offered


@pytest.mark.parametrize("offered", ["", f"{CANARY} and more", "x" * 65, "a/b", "é"])
def test_an_unusable_request_id_is_replaced(api: TestClient, offered: str) -> None:
    response = api.get("/api/v1/notes/1", headers={b"X-Request-ID": offered.encode()})

    assert response.headers["x-request-id"] != offered
    assert len(response.headers["x-request-id"]) == 36


def test_answers_carry_security_headers(api: TestClient) -> None:
    for path in ("/api/v1/notes/1", "/api/v1/nothing", "/api/v1/users/x/things"):
        headers = api.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert headers["content-security-policy"].startswith("default-src 'none'")


def test_requests_are_logged_and_counted_by_template(api: TestClient, log: LogLines) -> None:
    api.get(f"/api/v1/users/{CANARY}/things?user_id={CANARY}")
    api.get(f"/{CANARY}")

    assert [line["route"] for line in log.all if line["event"] == "http.request"] == [
        "/api/v1/users/{user_id}/things",
        "none",
    ]
    telemetry._exposition._until = 0.0
    metrics = api.get("/metrics").text
    assert 'memory_center_http_requests_total{method="GET",route="none",status="404"}' in metrics
    assert CANARY not in metrics


def test_a_refused_method_adds_no_series_of_its_own(api: TestClient) -> None:
    api.get("/api/v1/notes/1")
    for method in ("PUT", "PATCH", "DELETE"):
        assert api.request(method, "/api/v1/notes/1").status_code == 405
    telemetry._exposition._until = 0.0
    metrics = api.get("/metrics").text
    series = [line for line in metrics.splitlines() if line.startswith("memory_center_http_requests_total{")]
    assert {line.split('"')[1] for line in series if 'status="405"' in line} == {"OTHER"}


def test_the_metrics_are_written_once_however_many_ask(api: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(telemetry, "generate_latest", lambda: written.append("once") or b"metrics 1\n")
    monkeypatch.setattr(telemetry, "_exposition", telemetry._Exposition())
    assert {api.get("/metrics").text for _ in range(5)} == {"metrics 1\n"}
    assert written == ["once"]


def test_the_metrics_with_fixed_names_are_there(api: TestClient) -> None:
    exposition = api.get("/metrics").text

    for name in ("memory_op", "persona_drift", "profile_consent_granted", "onboarding_step"):
        assert f"# TYPE {name}_total counter" in exposition


@pytest.mark.parametrize(
    ("found", "status", "overall", "database"),
    [
        ({"database": "ok", "broker": "ok", "vectors": "ok", "ledger": "ok"}, 200, "ready", "ok"),
        ({"database": "ok", "broker": "unavailable"}, 200, "degraded", "ok"),
        ({"database": f"password {CANARY}", "broker": "ok", "vectors": "ok"}, 503, "unavailable", "unavailable"),
        ({"database": "ok", "broker": "ok", "vectors": "ok", "ledger": "damaged"}, 200, "degraded", "ok"),
        (None, 503, "unavailable", "unavailable"),
    ],
)
def test_readiness_tells_parts_in_fixed_words(
    log: LogLines, found: dict[str, str] | None, status: int, overall: str, database: str
) -> None:
    def ask() -> dict[str, str]:
        if found is None:
            raise ConnectionError(CANARY)
        return found

    asked = create_app(title="Ready", settings=SETTINGS, routers=[], readiness=ask)
    with TestClient(asked, base_url=LOCALHOST) as client:
        response = client.get("/readyz")

        assert response.status_code == status
        assert (response.json()["status"], response.json()["parts"]["database"]) == (overall, database)
        assert CANARY not in response.text
        assert client.get("/livez").status_code == 200


def test_credentials_may_come_from_a_cookie(log: LogLines) -> None:
    with TestClient(app, base_url=LOCALHOST, cookies={COOKIE: mint_person_token(SIGNING_KEY, "anna")}) as client:
        assert client.get("/api/v1/mine").json() == {"user_id": "anna"}


def test_the_openapi_document_is_valid_and_tells_the_failures(api: TestClient) -> None:
    document = api.get("/openapi.json").json()

    validate(document)
    assert document["openapi"].startswith("3.1")
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    assert {operation["operationId"] for operation in operations} >= {"write_note", "read_note", "whose", "events"}
    assert all({"422", "default"} <= operation["responses"].keys() for operation in operations)
    assert document["paths"]["/api/v1/mine"]["get"]["security"] == [{"bearer": []}]
    assert "401" in document["paths"]["/api/v1/mine"]["get"]["responses"]
    assert {"400", "413", "415"} <= document["paths"]["/api/v1/notes"]["post"]["responses"].keys()
    for response in document["components"]["responses"].values():
        assert list(response["content"]) == ["application/problem+json"]
    assert "HTTPValidationError" not in json.dumps(document)
    assert "itemSchema" not in json.dumps(document)


def test_a_real_server_is_as_silent(tmp_path: Path) -> None:
    program = textwrap.dedent(
        """
        from shared.runtime.logging import configure
        from shared.runtime.settings import settings
        from shared.runtime.serving import serve
        from tests.support.small_api import app

        configure("debug", "small")
        serve(app, settings())
        """
    )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    ready = tmp_path / "ready"
    environment = {
        "MEMORY_CENTER_DATABASE_URL": "x",
        "MEMORY_CENTER_BROKER_URL": "x",
        "MEMORY_CENTER_MILVUS_URI": "x",
        "MEMORY_CENTER_SIGNING_KEY": SIGNING_KEY,
        "MEMORY_CENTER_SERVICE_KEY": SERVICE_KEY,
        "MEMORY_CENTER_PORT": str(port),
        "MEMORY_CENTER_READY_FILE": str(ready),
    }
    server = subprocess.Popen(
        [sys.executable, "-c", program],
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        deadline = time.monotonic() + 30
        while not ready.exists():
            assert server.poll() is None, server.communicate()[0]
            assert time.monotonic() < deadline, "the server did not become ready"
            time.sleep(0.02)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=10) as client:
            answer = client.get(f"/api/v1/users/{CANARY}/things?user_id={CANARY}")
            assert_problem(answer, 500, "internal_error")
            assert "server" not in answer.headers
            chunks = (CANARY.encode() * 20 for _ in range(100))
            assert_problem(client.post("/api/v1/notes", content=chunks, headers=JSON), 413, "body_too_large")
            with pytest.raises(httpx.RemoteProtocolError):
                client.get("/api/v1/stream")
        with socket.create_connection(("127.0.0.1", port), timeout=10) as raw:
            raw.sendall(f"GET /{CANARY} {CANARY}\r\n\r\n".encode())
            assert b"400" in raw.recv(1000)
    finally:
        server.send_signal(signal.SIGTERM)
        output = server.communicate(timeout=30)[0]
    assert CANARY not in output
    written = [json.loads(line) for line in output.splitlines()]
    assert {line["event"] for line in written} >= {"http.failed", "http.request", "library.logged"}
