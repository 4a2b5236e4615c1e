"""The OpenAPI document: committed, valid, complete about failures; and the API answers what it says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from openapi_spec_validator import validate
from typer.testing import CliRunner

from services.cli.main import app as command_line
from services.conversations import app as conversations
from services.gateway import app as gateway
from services.memory_center import app as memory_center
from services.recall import app as recall
from shared.runtime import openapi
from tests.support.small_api import LOCALHOST, SETTINGS

STREAMS = {"GET /api/v1/memory/events", "POST /api/v1/chat/completions"}
PACKAGES = {"GET /api/v1/memory/exports/{op_id}/package"}
COMMITTED = Path(__file__).parents[2] / "docs" / "openapi.json"
METHODS = {"get", "put", "post", "delete", "patch"}


@pytest.fixture(scope="module")
def printed() -> str:
    result = CliRunner().invoke(command_line, ["openapi"])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def document(printed: str) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(printed)
    return parsed


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            assert method in METHODS, f"{method} {path}"
            yield f"{method.upper()} {path}", operation


def response(document: dict[str, Any], operation: dict[str, Any], status: str) -> dict[str, Any]:
    found: dict[str, Any] = operation["responses"][status]
    if "$ref" in found:
        found = document["components"]["responses"][found["$ref"].rsplit("/", 1)[1]]
    return found


def test_the_committed_document_is_what_the_code_says(printed: str) -> None:
    same = COMMITTED.read_text() == printed
    assert same, "docs/openapi.json is out of date: run `make openapi` and look at what changed"


def test_the_document_is_valid(document: dict[str, Any]) -> None:
    validate(document)
    assert document["openapi"].startswith("3.1")


def test_every_operation_has_a_name_of_its_own_and_says_what_it_does(document: dict[str, Any]) -> None:
    names = Counter(operation["operationId"] for _, operation in operations(document))
    assert [name for name, count in names.items() if count > 1] == []
    assert [label for label, operation in operations(document) if not operation.get("description")] == []
    assert [label for label, operation in operations(document) if not operation.get("tags")] == []


UPLOADS = {
    "POST /api/v1/memory/import": ["application/json", "application/octet-stream", "application/zip"],
    "POST /api/v1/documents": ["application/pdf", "text/markdown", "text/plain"],
}
"""Take a file as it is, which says itself what it may hold."""

FOR_EVERYBODY = {"GET /api/v1/receipts/{receipt_id}", "GET /api/v1/consent-text"}
SIGNING_IN_AND_OUT = {"POST /api/v1/session", "DELETE /api/v1/session"}


def test_all_but_what_is_everybodys_needs_credentials_and_says_how_it_fails(
    document: dict[str, Any],
) -> None:
    for label, operation in operations(document):
        if label in FOR_EVERYBODY or label in SIGNING_IN_AND_OUT:
            assert "security" not in operation, label
            assert {"422", "default"} <= operation["responses"].keys(), label
            continue
        assert operation["security"] == [{"bearer": []}], label
        assert {"401", "404", "422", "default"} <= operation["responses"].keys(), label
        if "requestBody" in operation:
            assert {"400", "413", "415"} <= operation["responses"].keys(), label
            media = UPLOADS.get(label, ["application/json"])
            assert sorted(operation["requestBody"]["content"]) == media, label


def test_every_failure_is_a_problem_document_and_every_success_json_with_a_schema(document: dict[str, Any]) -> None:
    problem = {"schema": {"$ref": "#/components/schemas/Problem"}}
    for label, operation in operations(document):
        for status in operation["responses"]:
            if status == "204":
                assert "content" not in operation["responses"][status], label
                continue
            content = response(document, operation, status)["content"]
            if status[0] in "45d":
                assert content == {"application/problem+json": problem}, f"{label} {status}"
            else:
                media = ["text/event-stream" if label in STREAMS else "application/json"]
                if label in PACKAGES:
                    media += ["application/zip", "text/markdown"]
                assert sorted(content) == media, f"{label} {status}"
                assert all(content[one]["schema"] for one in media), f"{label} {status}"


def test_every_path_is_versioned_and_no_question_travels_in_a_url(document: dict[str, Any]) -> None:
    content = {"query", "q", "text", "query_text", "content", "title", "comment"}
    for label, operation in operations(document):
        assert label.split(" ")[1].startswith("/api/v1/"), label
        assert not {one["name"] for one in operation.get("parameters", [])} & content, label


def test_every_body_refuses_members_it_does_not_know(document: dict[str, Any]) -> None:
    for label, operation in operations(document):
        if label in UPLOADS:
            continue
        for media in operation.get("requestBody", {}).get("content", {}).values():
            name = media["schema"]["$ref"].rsplit("/", 1)[1]
            assert document["components"]["schemas"][name]["additionalProperties"] is False, label


@pytest.mark.parametrize("service", [gateway, conversations, memory_center, recall])
def test_a_service_reads_the_document_and_never_builds_it(service: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(_app: FastAPI) -> dict[str, Any]:
        raise AssertionError("building it takes longer than the rest of a start")

    monkeypatch.setattr(openapi, "build", build)
    api = TestClient(service.app(SETTINGS), base_url=LOCALHOST)
    assert api.get("/openapi.json").text == COMMITTED.read_text()
