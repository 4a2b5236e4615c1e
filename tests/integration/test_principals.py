"""Who may ask for what: nobody without credentials, a person for themselves, a service for whom it names."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey
from uuid_utils.compat import uuid7

from shared.runtime.authentication import mint_person_token
from tests.support.every_operation import (
    A_BROWSERS_SESSION,
    BY_SERVICES,
    CHANGES_BY_GET,
    FOR_EVERYBODY,
    FOR_SERVICES_ONLY,
    MORE,
    REQUESTS,
    Ids,
    Operation,
    operations,
    some_ids,
)
from tests.support.small_api import assert_problem
from tests.support.tables import each
from tests.support.workbench import SIGNING_KEY, Person, Workbench

READS_BY_POST = {"search_memory", "search_conversations", "recall", "preview_injection", "find_to_forget", "chat"}
NAMES_ITS_PERSON = {
    "search_episodes",
    "preview_forget",
    "post_feedback",
    "ingest_preference",
    "preview_injection_without_question",
    "create_task",
    "save_snapshot_as_thread",
    "withdraw_profile_consent",
    "list_contexts",
    *READS_BY_POST,
}
"""Say whose they are: what they name otherwise may be left out, or is looked for among one person's."""
NOBODYS = Ids(*(str(uuid7()) for _ in range(9)))


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


@pytest.fixture
def lin(bench: Workbench) -> Person:
    return bench.person()


def documented(bench: Workbench) -> list[Operation]:
    found = operations(bench.api.get("/openapi.json").json())
    return [operation for operation in found if operation.name not in A_BROWSERS_SESSION]


def token(key: str = SIGNING_KEY, *, algorithm: str = "HS256", **claims: Any) -> str:
    now = datetime.now(UTC)
    complete = {
        "iss": "memory-center",
        "aud": "memory-center",
        "sub": "ada",
        "iat": now,
        "exp": now + timedelta(hours=1),
        "jti": "1",
    }
    given = {name: value for name, value in (complete | claims).items() if value is not None}
    return jwt.encode({"alg": algorithm}, given, OctKey.import_key(key), algorithms=[algorithm])


def without_its_request_id(answer: Any) -> dict[str, Any]:
    document: dict[str, Any] = answer.json()
    assert document.pop("request_id") == answer.headers["x-request-id"]
    return document


def test_every_operation_is_covered_here(bench: Workbench) -> None:
    found = {operation.name: operation for operation in documented(bench)}

    assert set(found) - FOR_SERVICES_ONLY - FOR_EVERYBODY == set(REQUESTS)
    values = Ids(
        "the-conversation",
        "the-message",
        "the-memory",
        "the-operation",
        "",
        "the-trait",
        "the-consent",
        "the-task",
        "the-document",
    )
    named = {
        "conversation_id": values.conversation,
        "message_id": values.message,
        "answers": values.message,
        "memory_id": values.memory,
        "op_id": values.operation,
        "trait_id": values.trait,
        "consent_id": values.consent,
        "task_id": values.task,
        "document_id": values.document,
        "thread_id": values.conversation,
        "learned_in": values.conversation,
        "ids": values.memory,
    }
    for name, operation in found.items():
        if name in FOR_EVERYBODY:
            assert operation.id_fields <= {"receipt_id"}
            continue
        if name in FOR_SERVICES_ONLY:
            assert not operation.id_fields
            continue
        sent = [str(make(values)) for make in (REQUESTS[name], *MORE.get(name, []))]
        uncovered = {one for one in operation.id_fields if not any(named.get(one, "\0") in text for text in sent)}
        assert not uncovered, f"{name} takes {uncovered}: add requests with them to tests/support/every_operation.py"


def test_callers_without_good_credentials_are_told_how_to_authenticate_everywhere(bench: Workbench) -> None:
    refused = {
        None: "credentials_missing",
        "": "credentials_missing",
        "Basic YTpi": "credentials_missing",
        "Bearer ": "credentials_missing",
        "Bearer nonsense": "credentials_invalid",
        f"Bearer {mint_person_token(SIGNING_KEY, 'ada', minutes=-10)}": "credentials_expired",
        f"Bearer {token('another-signing-key-0123456789-0123456789')}": "credentials_invalid",
    }
    for name, make in {**REQUESTS, "get_debug_record": None}.items():
        wanted = make(NOBODYS) if make else None
        method, path = (wanted.method, wanted.path) if wanted else ("GET", "/api/v1/debug/x")
        for header, code in refused.items():
            headers = {} if header is None else {"Authorization": header}
            answer = bench.api.request(
                method, path, params=wanted and wanted.query, json=wanted and wanted.body, headers=headers
            )
            assert (name, answer.status_code) == (name, 401)
            assert_problem(answer, 401, code)
            assert answer.headers["www-authenticate"] == "Bearer"


@each(
    "wrong",
    [
        {"iss": "somebody"},
        {"aud": "somebody"},
        {"sub": None},
        {"sub": ""},
        {"sub": "*"},
        {"sub": "a\nb"},
        {"sub": 7},
        {"sub": "x" * 201},
        {"exp": None},
        {"jti": None},
        {"algorithm": "HS512"},
    ],
)
def test_a_token_that_is_not_exactly_ours_is_refused(bench: Workbench, wrong: dict[str, Any]) -> None:
    assert bench.api.get("/api/v1/conversations", headers={"Authorization": f"Bearer {token()}"}).status_code == 200

    answer = bench.api.get("/api/v1/conversations", headers={"Authorization": f"Bearer {token(**wrong)}"})

    assert_problem(answer, 401, "credentials_invalid")


def test_an_unsigned_token_is_refused(bench: Workbench) -> None:
    header, claims, _ = token().split(".")
    none = "eyJhbGciOiJub25lIn0"  # {"alg":"none"}
    for unsigned in (f"{header}.{claims}.", f"{none}.{claims}.", f"{header}.{claims}"):
        answer = bench.api.get("/api/v1/conversations", headers={"Authorization": f"Bearer {unsigned}"})
        assert_problem(answer, 401, "credentials_invalid")


def test_another_persons_ids_are_answered_as_if_they_did_not_exist(bench: Workbench, ada: Person, lin: Person) -> None:
    mine, theirs = some_ids(ada), some_ids(lin)
    rows = bench.count("select count(*) from events")
    for operation in documented(bench):
        if not operation.id_fields or operation.name in FOR_EVERYBODY:
            continue
        for make in (REQUESTS[operation.name], *MORE.get(operation.name, [])):
            foreign, missing = (make(ids).send(ada, ada.headers) for ids in (theirs, NOBODYS))
            assert (operation.name, foreign.status_code) == (operation.name, 404), foreign.text
            assert_problem(foreign, 404, "not_found")
            assert without_its_request_id(foreign) == without_its_request_id(missing)
            assert set(foreign.headers) == set(missing.headers)
            if operation.takes_user_id:  # a service that names one person and another one's things
                for_ada = [make(ids).send(ada, bench.service, user_id=ada.user_id) for ids in (theirs, NOBODYS)]
                assert [answer.status_code for answer in for_ada] == [404, 404], operation.name
                assert without_its_request_id(for_ada[0]) == without_its_request_id(for_ada[1])
            else:
                assert_problem(make(NOBODYS).send(ada, bench.service), 404, "not_found")
    assert bench.count("select count(*) from events") == rows
    for ids, person in ((mine, ada), (theirs, lin)):
        assert all(make(ids).send(person, person.headers).is_success for make in REQUESTS.values())


def test_a_mix_of_ones_own_ids_and_another_persons_is_not_found(ada: Person, lin: Person) -> None:
    mine, theirs = some_ids(ada), some_ids(lin)
    mixed = [
        REQUESTS["post_feedback"](Ids(mine.conversation, theirs.message, "", "")),
        REQUESTS["post_feedback"](Ids(theirs.conversation, mine.message, "", "")),
        REQUESTS["refresh_a_thread"](replace(mine, task=theirs.task)),
    ]
    for wanted in mixed:
        assert_problem(wanted.send(ada, ada.headers), 404, "not_found")


def test_a_person_naming_somebody_else_finds_nothing_whether_they_exist_or_not(
    bench: Workbench, ada: Person, lin: Person
) -> None:
    mine = some_ids(ada)
    lin.conversation()
    for operation in documented(bench):
        if operation.name in FOR_SERVICES_ONLY or not operation.takes_user_id:
            continue
        wanted = REQUESTS[operation.name](mine)
        known, unknown, everyone = (
            wanted.send(ada, ada.headers, user_id=user_id) for user_id in (lin.user_id, f"nobody-{uuid4()}", "*")
        )
        assert (operation.name, known.status_code) == (operation.name, 404)
        assert_problem(known, 404, "not_found")
        assert without_its_request_id(known) == without_its_request_id(unknown) == without_its_request_id(everyone)
    taking = {operation.name for operation in documented(bench) if operation.takes_user_id}
    for name in REQUESTS:
        if name in taking:
            assert REQUESTS[name](mine).send(ada, ada.headers, user_id=ada.user_id).is_success, name


def test_a_service_names_a_person_where_nothing_else_says_whose_it_is(bench: Workbench, ada: Person) -> None:
    mine = some_ids(ada)
    found = {operation.name: operation for operation in documented(bench)}
    for name, make in REQUESTS.items():
        answer = make(mine).send(ada, bench.service)
        if found[name].id_fields and name not in NAMES_ITS_PERSON:
            assert (name, answer.is_success) == (name, True), answer.text
        else:
            assert (name, answer.status_code) == (name, 422)
            assert_problem(answer, 422, "user_id_required")


def test_a_service_may_act_for_anyone_it_names(bench: Workbench, ada: Person, lin: Person) -> None:
    for person in (ada, lin):
        ids = some_ids(person)
        taking = {operation.name for operation in documented(bench) if operation.takes_user_id}
        for name, make in REQUESTS.items():
            if name in taking:
                answer = make(ids).send(person, bench.service, user_id=person.user_id)
                assert (name, answer.is_success) == (name, True), answer.text
    assert bench.count("select count(distinct subject_id) from events where actor = 'service:service'") == 2


@each(
    ("user_id", "code"),
    [
        ("*", "user_id_invalid"),
        ("a\nb", "user_id_invalid"),
        ("a\u2028b", "user_id_invalid"),
        ("\x7f", "user_id_invalid"),
        ("\x85", "user_id_invalid"),
        ("", "validation_failed"),
        ("x" * 201, "validation_failed"),
        ("a\0b", "nul_character"),
    ],
)
def test_a_service_cannot_name_what_is_no_person(bench: Workbench, user_id: str, code: str) -> None:
    ada = Person(bench, "ada", bench.service)
    for operation in documented(bench):
        if operation.takes_user_id:
            make = (REQUESTS | BY_SERVICES)[operation.name]
            answer = make(NOBODYS).send(ada, bench.service, user_id=user_id)
            assert (operation.name, answer.status_code) == (operation.name, 422)
            assert_problem(answer, 422, code)
    assert bench.count("select count(*) from subjects where user_id is not null") == 0


@each("user_id", ["小明", "a b", "**", "ada@example.org", "x" * 200, "../..", "'; drop table--", "🙂"])
def test_any_other_name_is_a_person_of_their_own(bench: Workbench, user_id: str) -> None:
    person = bench.person(user_id)
    created = bench.api.post("/api/v1/conversations", json={"user_id": user_id}, headers=bench.service)

    assert created.status_code == 201
    assert [one["id"] for one in person.get("/api/v1/conversations")] == [created.json()["id"]]
    assert person.get("/api/v1/memory/settings")["user_id"] == user_id


def test_reading_stores_nothing_about_a_person(bench: Workbench) -> None:
    nobody = bench.person()
    for name, make in REQUESTS.items():
        if (make(NOBODYS).method == "GET" and name not in CHANGES_BY_GET) or name in READS_BY_POST:
            make(NOBODYS).send(nobody, nobody.headers)

    assert bench.count("select count(*) from subjects where user_id is not null") == 0
