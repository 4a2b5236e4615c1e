"""What is refused before anybody reads a body: other hosts' names, too much, too often."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import Field

from services.gateway.app import app as gateway
from services.web.app import app as web
from shared.runtime.authentication import Principal, mint_person_token
from shared.runtime.body import MEMBERS_MAX, Body
from shared.runtime.middleware import ANONYMOUS_BODY_BYTES, BodyLimit
from shared.runtime.rates import Rates, TooManyRequests
from shared.runtime.web import CurrentPrincipal, api_router, create_app
from tests.support.small_api import JSON, LOCALHOST, SETTINGS, SIGNING_KEY, assert_problem
from tests.support.tables import each

ADA = {"Authorization": f"Bearer {mint_person_token(SIGNING_KEY, 'ada')}"}
ROOMY = SETTINGS.model_copy(update={"max_body_bytes": 1_000_000, "allowed_hosts": "memory.example, [fd00::1]"})

router = api_router(prefix="/api/v1")


class Thing(Body):
    text: str = Field(default="", max_length=10)


@router.post("/things")
def write(thing: Thing, principal: CurrentPrincipal) -> str:
    return principal.subject


@router.post("/things/confirm")
def confirm() -> None: ...


@router.get("/things/{number}")
def read(number: int) -> int:
    return number


@router.patch("/things/{number}")
def change(number: int) -> int:
    return number


@router.delete("/things/{number}")
def remove(number: int) -> int:
    return number


class ThreeTimes(Rates):
    """Counts as Valkey would, up to three."""

    def __init__(self) -> None:
        self.counted: list[str] = []

    async def close(self) -> None: ...

    async def count(self, principal: Principal) -> None:
        self.counted.append(principal.subject)
        if len(self.counted) > 3:
            raise TooManyRequests(17)


@pytest.fixture
def api() -> Iterator[TestClient]:
    made = create_app(title="Things", settings=ROOMY, routers=[router], body_limits={"/api/v1/things": None})
    with TestClient(made, base_url=LOCALHOST) as client:
        yield client


@each("host", ["localhost", "LOCALHOST:8765", "localhost.", "127.0.0.1:1", "[::1]:8765", "memory.example", "[fd00::1]"])
def test_a_name_of_this_service_is_answered(api: TestClient, host: str) -> None:
    assert api.get("/api/v1/things/1", headers={"Host": host}).status_code == 200


@each(
    "host", ["evil.example", "evil.example:8765", "localhost.evil.example", "memory.example.evil", "[::2]", "10.0.0.1"]
)
def test_another_name_is_refused(api: TestClient, host: str) -> None:
    for path in ("/api/v1/things/1", "/openapi.json", "/"):
        assert_problem(api.get(path, headers={"Host": host}), 421, "host_not_allowed")
    assert api.get("/livez", headers={"Host": host}).status_code == 200


def test_nobody_sends_much_before_saying_who_it_is(api: TestClient) -> None:
    much = b"{}".ljust(ANONYMOUS_BODY_BYTES + 1)
    assert api.post("/api/v1/things", content=much, headers=ADA | JSON).status_code == 200
    assert_problem(api.post("/api/v1/things", content=much, headers=JSON), 401, "credentials_missing")
    chunks = iter([much[:100], much[100:]])
    assert_problem(api.post("/api/v1/things", content=chunks, headers=JSON), 401, "credentials_missing")
    forged = JSON | {"Authorization": "Bearer e30.e30.c2ln"}
    assert_problem(api.post("/api/v1/things", content=much, headers=forged), 401, "credentials_invalid")


def test_members_are_counted_before_they_are_named(api: TestClient) -> None:
    def answer(members: int) -> Any:
        return api.post("/api/v1/things", json={f"a{number}": 1 for number in range(members)}, headers=ADA)

    assert len(assert_problem(answer(MEMBERS_MAX), 422, "validation_failed")["errors"]) == 50
    [error] = assert_problem(answer(MEMBERS_MAX + 1), 422, "validation_failed")["errors"]
    assert error == {"loc": ["body"], "msg": "There are too many members.", "type": "too_many_members"}


def test_one_request_too_many_is_told_when_to_come_again() -> None:
    rates = ThreeTimes()
    with TestClient(create_app(title="T", settings=ROOMY, routers=[router], rates=rates), base_url=LOCALHOST) as api:
        for _ in range(3):
            assert api.get("/api/v1/things/1", headers=ADA).status_code == 200
        refused = api.get("/api/v1/things/1", headers=ADA)
        assert_problem(refused, 429, "too_many_requests")
        assert refused.headers["retry-after"] == "17"
        assert api.get("/livez", headers=ADA).status_code == 200
    assert rates.counted == ["ada"] * 4


def test_a_path_says_all_that_it_takes(api: TestClient) -> None:
    for method in ("PUT", "OPTIONS"):
        answer = api.request(method, "/api/v1/things/1", headers=ADA)
        assert answer.headers["allow"] == "DELETE, GET, OPTIONS, PATCH"
        assert answer.status_code == (204 if method == "OPTIONS" else 405)
    assert_problem(api.put("/api/v1/things/1", headers=ADA), 405, "method_not_allowed")
    assert_problem(api.options("/api/v1/nothing", headers=ADA), 404, "not_found")
    assert_problem(api.patch("/api/v1/things/seven", headers=ADA), 422, "validation_failed")


def test_a_name_is_not_taken_for_an_id(api: TestClient) -> None:
    refused = api.patch("/api/v1/things/confirm", headers=ADA)
    assert_problem(refused, 405, "method_not_allowed")
    assert refused.headers["allow"] == "OPTIONS, POST"


@each("name", ["x" * 300, "x" * 5_000, "%2e%2e"])
def test_a_file_name_no_file_can_have_is_not_there(name: str) -> None:
    with TestClient(web(SETTINGS), base_url=LOCALHOST) as browser:
        assert_problem(browser.get(f"/assets/{name}"), 404, "not_found")


def _most(schema: dict[str, Any], of: dict[str, Any], name: str = "") -> int:
    """Return how many bytes a valid value may take at most, with every character escaped (`\\ud83d\\ude00`)."""
    if "$ref" in schema:
        return _most(of[schema["$ref"].rsplit("/", 1)[1]], of, name)
    if branches := schema.get("anyOf") or schema.get("oneOf"):
        return max(_most(branch, of, name) for branch in branches)
    match schema.get("type"):
        case "object":
            return 2 + sum(
                len(member) + 5 + _most(part, of, member) for member, part in schema.get("properties", {}).items()
            )
        case "array":
            parts = schema.get("prefixItems") or [schema["items"]] * schema.get("maxItems", 20)
            return 2 + sum(1 + _most(part, of, name) for part in parts)
        case "string":
            is_ascii = schema.get("format") == "uuid" or name == "token"
            return 2 + (1 if is_ascii else 12) * schema.get("maxLength", 40)
    return 40


def test_every_valid_body_fits_its_route() -> None:
    built = gateway(SETTINGS.model_copy(update={"max_body_bytes": 2_000_000}))
    limits = next(one.kwargs for one in built.user_middleware if one.cls is BodyLimit)
    document = built.openapi()
    for path, item in document["paths"].items():
        limit = next((size for prefix, size in limits["routes"].items() if path.startswith(prefix)), limits["limit"])
        for method, operation in item.items():
            content = operation.get("requestBody", {}).get("content", {})
            if "application/json" not in content or path == "/api/v1/messages":
                continue  # a hundred of the longest messages, every character escaped, are refused
            most = _most(content["application/json"]["schema"], document["components"]["schemas"])
            assert most <= limit, f"{method} {path}: {most} bytes, {json.dumps(content)}"
