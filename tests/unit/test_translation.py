"""The names of others at the edge: paths, camel case, renamed members; and the page that lists them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any

import pytest
from fastapi import FastAPI, Query, Request
from fastapi.responses import Response
from fastapi.testclient import TestClient
from pydantic import BaseModel, ConfigDict, Field

from services.aliases import ALIASES
from services.gateway import app as gateway
from shared.runtime.aliases import Alias, Aliases
from shared.runtime.spelling import _TOKEN, camel, free_members, snake
from shared.runtime.web import api_router, create_app
from tests.support.small_api import LIMIT, LOCALHOST, SETTINGS, assert_problem
from tests.support.tables import each

PAGE = Path(__file__).parents[2] / "docs" / "aliases.md"
JSON = {"Content-Type": "application/json"}


def test_a_string_that_never_ends_is_looked_at_once() -> None:
    """A body like this is read before anybody is asked for credentials."""
    assert len(list(_TOKEN.finditer(b'"' + b'\\"' * 8_000))) == 1


router = api_router(prefix="/api/v1/memory")


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")

    task_hint: str


class Unit(BaseModel):
    model_config = ConfigDict(extra="forbid")

    content: str = Field(max_length=40)
    content_type: str = "note"
    project_id: str | None = None
    some_parts: list[Part] = []
    metadata: dict[str, Any] | None = None


class UnitOut(Unit):
    made_by: dict[str, int] = {"user_message": 1}


@router.post("/units", status_code=201)
def write(unit: Unit) -> UnitOut:
    return UnitOut(**unit.model_dump())


@router.patch("/units/{unit_id}")
def change(unit_id: int, unit: Unit) -> dict[str, Any]:
    return {"unit_id": unit_id, "project_id": unit.project_id}


@router.get("/units")
def listed(
    project_id: str = "none", limit: Annotated[int, Query(ge=1)] = 1, content_type: str = "any"
) -> list[dict[str, Any]]:
    return [{"project_id": project_id, "limit": limit, "content_type": content_type}]


@router.get("/package")
def package() -> Response:
    headers = {"Content-Disposition": 'attachment; filename="x.json"'}
    return Response('{"project_id": 1}', media_type="application/json", headers=headers)


@router.post("/upload")
async def upload(request: Request) -> dict[str, int]:
    return {"body_bytes": len(await request.body())}


NAMES = {"type": "content_type"}
TABLE = Aliases(
    prefixes={"/memory/": "/api/v1/memory/", "/api/": "/api/v1/"},
    channels=(
        Alias("POST", "/memory/update", "PATCH /api/v1/memory/units/{id}"),
        Alias("POST", "/memory/list", "GET /api/v1/memory/units", names=NAMES),
    ),
    renamed=(
        Alias("POST", "/api/v1/memory/units", "POST /api/v1/memory/units", names=NAMES),
        Alias("GET", "/api/v1/memory/units", "GET /api/v1/memory/units", names=NAMES),
    ),
    planned=(Alias("POST", "/api/v1/tasks/{task_id}"),),
    streamed=("/api/v1/memory/upload",),
)
UNITS = "/api/v1/memory/units"


@pytest.fixture(scope="module")
def api() -> TestClient:
    app = create_app(
        title="small",
        settings=SETTINGS,
        routers=[router],
        aliases=TABLE,
        body_limits={"/api/v1/memory/upload": 10 * LIMIT},
    )
    return TestClient(app, base_url=LOCALHOST, raise_server_exceptions=False)


@each(
    ("plain", "humped"),
    [("project_id", "projectId"), ("a_b_c", "aBC"), ("id", "id"), ("covered_message_count", "coveredMessageCount")],
)
def test_a_name_in_either_case(plain: str, humped: str) -> None:
    assert (snake(humped), camel(plain)) == (plain, humped)


@each("name", ["Project", "PROJECT", "project_Id", "_x", "", "9a", "日本"])
def test_what_is_no_camel_case_stays(name: str) -> None:
    assert snake(name) == name


@each("path", ["/memory/units", "/api/memory/units", UNITS])
def test_a_path_may_begin_otherwise(api: TestClient, path: str) -> None:
    answer = api.post(path, json={"content": "tea"})
    assert answer.status_code == 201, answer.text
    assert answer.json()["project_id"] is None
    assert answer.headers["cache-control"] == "no-store", "the headers of the API, whatever the path"


def test_camel_case_is_answered_in_camel_case_and_content_is_not_touched(api: TestClient) -> None:
    said = 'a "projectId": \\ {"taskHint": 1} 茶'
    body = {"content": said, "projectId": "p_q", "someParts": [{"taskHint": "my_task"}]}
    assert api.post(UNITS, json=body).json() == {
        "content": said,
        "contentType": "note",
        "type": "note",
        "projectId": "p_q",
        "someParts": [{"taskHint": "my_task"}],
        "metadata": None,
        "madeBy": {"user_message": 1},
    }


def test_snake_case_is_answered_in_snake_case(api: TestClient) -> None:
    answer = api.post(UNITS, json={"content": "x", "project_id": "p"}).json()
    assert answer.keys() == {"content", "content_type", "project_id", "some_parts", "metadata", "made_by"}
    preferred = api.post(UNITS, json={"content": "x", "project_id": "p"}, headers={"Prefer": "wait=1, case=camel"})
    assert "projectId" in preferred.json()
    assert int(preferred.headers["content-length"]) == len(preferred.content)


def test_keys_of_a_map_stay_in_requests_and_say_nothing_about_the_spelling(api: TestClient) -> None:
    data = {"sourceUrl": "a", "type": "crm", "of_it": {"projectId": "}", "x{": 1}}
    plain = api.post(UNITS, json={"content": "x", "metadata": data, "some_parts": []}).json()
    assert (plain["metadata"], plain["content_type"]) == (data, "note")
    humped = api.post(UNITS, json={"metadata": data, "content": 'x"}', "projectId": "p", "type": "fact"}).json()
    assert (humped["metadata"], humped["projectId"], humped["contentType"]) == (data, "p", "fact")
    assert api.post(UNITS, json={"content": "x", "metadata": None, "projectId": "p"}).json()["projectId"] == "p"


def test_a_second_name_is_ours(api: TestClient) -> None:
    assert api.post(UNITS, json={"content": "x", "type": "fact"}).json()["contentType"] == "fact"
    told = api.post(UNITS, json={"content": "x", "type": "fact", "project_id": "p"}).json()
    assert told["content_type"] == "fact", "somebody who writes snake case is answered so"
    assert api.get(UNITS, params={"type": "fact", "projectId": "é&="}).json() == [
        {"projectId": "é&=", "limit": 1, "contentType": "fact", "type": "fact"}
    ]


@each(
    "body",
    [
        {"content": "x", "projectId": "a", "project_id": "b"},
        {"content": "x", "type": "a", "content_type": "b"},
        {"content": "x", "type": "a", "contentType": "b"},
        {"content": "x", "madeUp": 1},
        {"content": "x", "Project_Id": "a"},
    ],
)
def test_a_member_that_is_told_twice_or_unknown_is_refused(api: TestClient, body: dict[str, Any]) -> None:
    answer = api.post(UNITS, json=body)
    assert answer.status_code == 422
    assert answer.json()["code"] == "validation_failed"


def test_a_problem_is_told_in_both_cases(api: TestClient) -> None:
    problem = api.post(UNITS, json={"content": "x" * 41, "projectId": 7}).json()
    assert problem["request_id"] == problem["requestId"]
    assert [error["loc"] for error in problem["errors"]] == [["body", "content"], ["body", "projectId"]]


def test_a_channel_fills_in_the_path_and_the_query(api: TestClient) -> None:
    for path in ("/memory/update", "/memory:update"):
        body = {"id": "7", "content": "x", "projectId": "p"}
        assert api.post(path, json=body).json() == {"unitId": 7, "projectId": "p"}
    listed = api.post("/memory:list", json={"projectId": "p q/é", "limit": 2, "type": None})
    assert listed.json() == [{"projectId": "p q/é", "limit": 2, "contentType": "any", "type": "any"}]
    assert api.post("/memory:list").json()[0]["projectId"] == "none"
    assert api.post("/memory/list", json={"project_id": "p"}).json()[0]["project_id"] == "p"


@each("body", [{}, {"id": None}, {"id": ""}, {"id": 7}, {"id": ["7"]}])
def test_a_channel_without_the_id_it_needs_is_refused(api: TestClient, body: dict[str, Any]) -> None:
    problem = assert_problem(api.post("/memory:update", json=body), 422, "validation_failed")
    assert problem["errors"] == [{"loc": ["body", "id"], "msg": "This field is required.", "type": "missing"}]


@each("id_", ["../units", "7/8", "x", "7?limit=2", "\ud800"])
def test_an_id_never_leads_to_another_path(api: TestClient, id_: str) -> None:
    answer = api.post("/memory:update", content=json.dumps({"id": id_, "content": "x"}), headers=JSON)
    assert answer.status_code == 422, answer.text


def test_what_is_planned_says_so_under_each_of_its_names(api: TestClient) -> None:
    for path in ("/api/tasks/1", "/api/v1/tasks/1"):
        assert_problem(api.post(path, json={}), 501, "not_built_yet")
        assert_problem(api.get(path), 404, "not_found")


@each("content", [b"{", b"[1]", b"\xff", b'{"content": "\\ud800", "projectId": "p"}', b"[" * 900 + b"]" * 900, b"nul"])
def test_a_broken_body_is_refused_as_ever(api: TestClient, content: bytes) -> None:
    for path in (UNITS, "/memory:update", "/memory:list"):
        answer = api.post(path, content=content, headers=JSON)
        refused = answer.status_code in {400, 422}
        assert refused or path == "/memory:list", (path, answer.status_code, answer.text)


def test_too_large_a_body_is_refused_and_an_upload_passes_untouched(api: TestClient) -> None:
    large = json.dumps({"projectId": "x" * LIMIT}).encode()
    assert_problem(api.post(UNITS, content=large, headers=JSON), 413, "body_too_large")
    assert_problem(api.post("/memory/update", content=large, headers=JSON), 413, "body_too_large")
    answer = api.post("/memory/upload", content=large, headers=JSON)
    assert answer.json() == {"body_bytes": len(large)}


def test_a_download_passes_as_it_is(api: TestClient) -> None:
    assert api.get("/memory/package", headers={"Prefer": "case=camel"}).json() == {"project_id": 1}


def test_members_of_a_map_are_names_of_things() -> None:
    free = free_members(json.loads((PAGE.parent / "openapi.json").read_text(encoding="utf-8")))
    assert {"counts", "data", "body", "remarks", "parts", "metadata"} <= free
    assert not {"items", "provenance", "errors", "sources"} & free, "these have members of ours"


# --- The table and its page


def routes(app: FastAPI) -> set[str]:
    return {f"{method.upper()} {path}" for path, item in app.openapi()["paths"].items() for method in item}


def test_every_other_name_stands_for_a_route_there_is() -> None:
    there = {re.sub(r"\{\w+\}", "{id}", route) for route in routes(gateway.app(SETTINGS))}
    for alias in (*ALIASES.channels, *ALIASES.renamed):
        assert alias.ours in there, alias
    for alias in ALIASES.planned:
        assert f"{alias.method} {alias.path}" not in routes(gateway.app(SETTINGS)), "it is built: take it off the list"


def test_the_page_lists_the_table_and_nothing_else() -> None:
    rows = re.findall(r"^\| (`.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    table = {f"`{prefix}…` | `{target}…`" for prefix, target in ALIASES.prefixes.items()}
    table |= {f"`{one.method} {one.path}` | `{one.ours}`" for one in ALIASES.channels}
    table |= {f"`{name}` | `{ours}`" for one in ALIASES.renamed for name, ours in one.names.items()}
    table |= {f"`{one.method} {one.path}`" for one in ALIASES.planned}
    values = {row for row in rows if row.startswith(("`rating`", "`reason`", "`content_type` | any"))}
    assert set(rows) == table | values
    assert len(values) == 3
