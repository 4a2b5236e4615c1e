"""Schemathesis against the real API and a real database: whatever is sent, the answer is one the document describes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.transport import Response
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.types import ASGIApp, Receive, Scope, Send

from services.memory_center.routes import live
from tests.support.depth import examples
from tests.support.every_operation import Ids, some_ids
from tests.support.workbench import Person, Workbench

EXAMPLES = 2
"""Per operation and kind of data, with ids that exist and with made-up ones each."""

UNDOCUMENTED_FAILURES = {405, 409, 410}
"""Described by `default`: rare enough not to be repeated at every operation."""

TOO_LARGE = 413

UNGUESSABLE = {
    "GET /api/v1/debug/{debug_id}",
    "GET /api/v1/receipts/{receipt_id}",
    "POST /api/v1/memory/import",
    "POST /api/v1/session",
    "GET /api/v1/deletion-stubs/{of_user}",  # nobody closed their account
    "POST /api/v1/documents",  # made-up bytes are no text
    # nobody has a trait yet
    "GET /api/v1/memory/traits/{trait_id}",
    "PATCH /api/v1/memory/traits/{trait_id}",
    "DELETE /api/v1/memory/traits/{trait_id}",
    "GET /api/v1/memory/traits/{trait_id}/explanation",
    "GET /api/v1/memory/traits/{trait_id}/history",
    "DELETE /api/v1/memory/traits/refused/{trait_key}",
}
NEVER_SUCCEED = {
    "service": UNGUESSABLE | {"GET /api/v1/session"},
    "person": UNGUESSABLE
    | {
        "GET /api/v1/memory/cleanups",
        "POST /api/v1/memory/reconcile",
        "POST /api/v1/memory/reindex",
        "POST /api/v1/tokens",
    },
}
"""Nothing made up names a debug record, receipt or token, or is a package; some are for services."""

TAKES_NOTHING = {"DELETE /api/v1/session"}
"""No parameter, body or credentials: nothing that could be wrong."""

SUCCEEDING: dict[str, Callable[[Ids], dict[str, Any]]] = {
    "/feedback": lambda ids: {"action": "accept", "evidence_ref": "its examples", "message_id": ids.message},
    "/profile-consent": lambda _: {"save_to_thread": True, "research_depth": "deep"},
    "/onboarding": lambda _: {"step": "consent"},
    "/tasks": lambda _: {"route": "snapshot"},
    "/end": lambda _: {"status": "succeeded"},
    "/save-as-thread": lambda _: {"main_thesis": "Chips stay scarce.", "save_user_context": False},
    "/refresh": lambda _: {"current_thesis": "Chips become plentiful."},
    "/memory/export": lambda _: {"scope": "user", "confirmation": True},
    "/memory/long_term": lambda _: {"content": "I keep bees."},
    "/long_term/change": lambda ids: {"ids": [ids.memory], "act": "keep"},
    "/long_term/correct": lambda _: {
        "about": "my allergy to peanuts",
        "statement": "I'm not allergic to peanuts any more.",
    },
    "/correct/dry-run": lambda _: {
        "about": "my allergy to peanuts",
        "statement": "I'm not allergic to peanuts any more.",
    },
    "/forget/find": lambda _: {"description": "my allergy"},
    "/memory/forget": lambda ids: {"scope": "message", "message_id": ids.message},
}
"""Bodies of requests that hardly ever succeed by chance, by how their paths end."""

READING = ("/search", "/find", "/preview", "/dry-run", "/recall")
"""How paths end whose requests change nothing although they have a body."""

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


def started_already(app: ASGIApp) -> ASGIApp:
    """Return the app without its start and stop: the workbench did the one and will do the other."""

    async def only_http(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            raise NotImplementedError
        await app(scope, receive, send)

    return only_http


def body_says_whose(case: Case) -> bool:
    """Return whether the body of this operation has a member `user_id`."""
    schema = case.operation.definition.raw["requestBody"]["content"].get("application/json", {}).get("schema", {})
    if "$ref" in schema:
        schema = case.operation.schema.raw_schema["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return "user_id" in schema.get("properties", {})


def changes_something(operation: Any) -> bool:
    """Return whether a request may leave the next one without what it needs."""
    return operation.method.upper() != "GET" and not operation.path.endswith(READING)


def with_real_ids(case: Case, person: Person, ids: Ids) -> None:
    """Put ids that exist where the case has made-up ones."""
    real = {
        "user_id": person.user_id,
        "conversation_id": ids.conversation,
        "message_id": ids.message,
        "memory_id": ids.memory,
        "task_id": ids.task,
        "document_id": ids.document,
        "thread_id": ids.conversation,
        "consent_id": ids.consent,
        "of_user": "me",
        "op_id": ids.export if "/exports/" in case.path else ids.operation,
    }
    for place in (case.path_parameters, case.query, case.body):
        if isinstance(place, dict):
            place.update({name: value for name, value in real.items() if name in place})
    if isinstance(case.body, dict) and "/forget" in case.path:  # without its id it is hardly ever complete
        for name in ("conversation_id", "message_id", "token", "ids"):
            case.body.pop(name, None)
        wanted = {"message": {"message_id": ids.message}, "conversation": {"conversation_id": ids.conversation}}
        scope = str(case.body.get("scope", "selection"))
        case.body.update(wanted.get(scope, {"ids": [ids.memory]} if scope == "selection" else {}))
        case.body.update(user_id=person.user_id)
    made = next((body for end, body in SUCCEEDING.items() if case.path.endswith(end)), None)
    if isinstance(case.body, dict) and made is not None:
        case.body.clear()
        case.body.update(made(ids))
    if isinstance(case.body, dict) and body_says_whose(case):
        case.body.update(user_id=person.user_id)  # a service must
    if "user_id" in {parameter.name for parameter in case.operation.query}:
        case.query = {**(case.query or {}), "user_id": person.user_id}  # as above
    if case.headers:
        case.headers.pop("If-Match", None)  # a made-up version is never the one there is


def has_bad_body(case: Case) -> bool:
    """Return whether the body breaks its schema; what is wrong elsewhere our own headers may have put right."""
    made = case.meta.components.get(ParameterLocation.BODY) if case.meta else None
    return made is not None and made.mode is GenerationMode.NEGATIVE


def is_as_documented(response: Response, case: Case) -> None:
    """Check what `default` in the document would hide."""
    documented = case.operation.definition.raw["responses"]
    status = response.status_code
    assert str(status) in documented or status in UNDOCUMENTED_FAILURES, f"{status} is not documented"
    if status >= 400:
        assert response.headers["content-type"] == ["application/problem+json"]
        problem = response.json()
        assert problem["code"], problem
        assert problem["status"] == status, problem


@pytest.mark.timeout(300)
@pytest.mark.parametrize("caller", ["person", "service"])
def test_the_api_answers_as_documented(bench: Workbench, caller: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SECONDS_MAX", 0)  # a stream ends after its first look, whatever was asked for
    app = started_already(bench.api.app)
    api: Any = schemathesis.openapi.from_dict(bench.api.get("/openapi.json").json())
    operations = [found.ok() for found in api.get_all_operations()]
    operations.sort(key=lambda operation: operation.label.endswith("/cancel"))
    reader = bench.person()
    people = [bench.person() if changes_something(operation) else reader for operation in operations]
    changed = [person for person in people if person is not reader]
    of_each = {person.user_id: some_ids(person, trait=False) for person in [reader, *changed]}
    things = [of_each[person.user_id] for person in people]
    failures: dict[str, str] = {}
    succeeded: set[str] = set()

    def exercise(operation: Any, mode: GenerationMode, person: Person, ids: Ids, *, real: bool) -> None:
        headers = (person.headers if caller == "person" else bench.service) | {"Host": "localhost"}

        @settings(
            max_examples=examples(EXAMPLES),
            database=None,
            derandomize=True,
            deadline=None,
            phases=[Phase.generate],  # what fails is small enough to read, and there may be much of it
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def answers_as_documented(case: Case) -> None:
            if real:
                with_real_ids(case, person, ids)
            response = case.call(app=app, headers=headers)
            # A body that is too large is refused before it is read; the check does not count 413 as a refusal.
            wrong = has_bad_body(case) and not real and response.status_code != TOO_LARGE
            checks = [*CHECKS, negative_data_rejection] if wrong else CHECKS
            case.validate_response(response, checks=checks, headers=headers)
            is_as_documented(response, case)
            if response.status_code < 300:
                succeeded.add(operation.label)

        try:
            answers_as_documented()
        except (Exception, BaseExceptionGroup) as failure:  # noqa: BLE001 # one report for all operations
            failures[f"{operation.label} with {mode.value} data"] = str(failure)

    # The last first: what was made last can be undone for a minute only.
    for operation, person, ids in reversed(list(zip(operations, people, things, strict=True))):
        for mode in GenerationMode:
            if operation.label in TAKES_NOTHING and mode is GenerationMode.NEGATIVE:
                continue
            for real in (True, False):
                exercise(operation, mode, person, ids, real=real)
    assert not failures, "\n\n".join(f"{label}: {text}" for label, text in failures.items())
    assert {operation.label for operation in operations} - succeeded == NEVER_SUCCEED[caller]
