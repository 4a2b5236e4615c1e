"""What a person sees of the work behind a forget: its list, its steps, when to look again, and trying again."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest

from tests.support.overlap import together
from tests.support.pages import pages
from tests.support.small_api import assert_problem
from tests.support.tables import each
from tests.support.workbench import Person, Workbench

OPS = "/api/v1/memory/ops"
FORGET = "/api/v1/memory/forget"
STEPS = ["ledger", "postgres", "milvus", "mem0", "files", "verify", "receipt"]
PEANUTS = ("I'm allergic to peanuts.", "Noted.")


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def a_forget(person: Person) -> str:
    [(question, _)] = person.say(person.conversation(), PEANUTS)
    return person.forget("message", message_id=question)


def ask(person: Person, op_id: str, method: str = "GET", path: str = "") -> Any:
    return person.bench.api.request(method, f"{OPS}/{op_id}{path}", headers=person.headers)


def test_a_person_without_operations_has_an_empty_list(ada: Person) -> None:
    assert list(pages(ada, OPS)) == [[]]


@pytest.mark.parametrize(("count", "limit", "sizes"), [(5, 2, [2, 2, 1]), (2, 2, [2, 0]), (1, 200, [1])])
def test_operations_are_listed_newest_first_page_by_page(ada: Person, count: int, limit: int, sizes: list[int]) -> None:
    made = [a_forget(ada) for _ in range(count)]

    found = list(pages(ada, OPS, limit=limit))

    assert [len(page) for page in found] == sizes
    assert [one["id"] for page in found for one in page] == made[::-1]


def test_a_list_holds_the_same_as_each_operation(bench: Workbench, ada: Person) -> None:
    lin = bench.person()
    a_forget(lin)
    conversation = ada.conversation()
    made = [a_forget(ada), ada.forget("conversation", conversation_id=conversation), ada.forget("user")]

    listed = ada.get(OPS)

    assert listed == [ada.operation(op_id) for op_id in made[::-1]]
    assert [(one["type"], one["scope"]) for one in listed] == [
        ("forget_user", "user"),
        ("forget_conversation", "conversation"),
        ("forget_message", "message"),
    ]


@each("query", ["limit=0", "limit=201", "cursor=x", "limit=ten"])
def test_a_list_outside_its_limits_is_refused(bench: Workbench, ada: Person, query: str) -> None:
    answer = bench.api.get(f"{OPS}?{query}", headers=ada.headers)

    assert_problem(answer, 422, "cursor_invalid" if "cursor" in query else "validation_failed")


def test_an_operation_tells_when_to_look_again_until_it_has_ended(bench: Workbench, ada: Person) -> None:
    op_id = a_forget(ada)

    running = ask(ada, op_id)
    assert running.headers["retry-after"] == "1"
    assert (running.json()["status"], running.json()["progress"]) == ("pending", 0.0)
    assert running.json()["unrecallable_at"] is not None
    assert running.json()["erased_at"] is None
    assert [(step["name"], step["status"]) for step in running.json()["steps"]] == list(
        zip(STEPS, ["ready", *["waiting"] * 6], strict=True)
    )
    bench.work_once(["ledger.accepted"])
    part = ask(ada, op_id)
    assert part.headers["retry-after"] == "1"
    assert (part.json()["status"], part.json()["progress"]) == ("running", pytest.approx(1 / 7))

    bench.work()
    ended = ask(ada, op_id)
    assert "retry-after" not in ended.headers
    assert (ended.json()["status"], ended.json()["progress"], ended.json()["last_error"]) == ("succeeded", 1.0, None)
    assert ended.json()["version"] > part.json()["version"] > running.json()["version"]
    moments = [datetime.fromisoformat(ended.json()[name]) for name in ("unrecallable_at", "erased_at")]
    assert moments == sorted(moments)
    for step in ended.json()["steps"]:
        assert (step["status"], step["attempts"], step["last_error"]) == ("succeeded", 1, None)
        assert datetime.fromisoformat(step["started_at"]) <= datetime.fromisoformat(step["finished_at"])
        assert all(isinstance(count, int) for count in step["counts"].values())
    assert ended.json()["steps"][1]["counts"]["residue"] == 0


def test_an_operation_tells_how_much_went_by_kind(bench: Workbench, ada: Person) -> None:
    [(question, _)] = ada.say(ada.conversation(), PEANUTS)
    bench.work()
    op_id = ada.forget("message", message_id=question)
    bench.work()

    [counts] = [step["counts"] for step in ada.operation(op_id)["steps"] if step["name"] == "postgres"]

    assert counts == {"messages": 1, "memories": 1, "episodes": 1, "erased": 3, "residue": 0}


def test_an_operation_and_its_receipt_tell_about_when_leftover_bytes_are_overwritten(
    bench: Workbench, ada: Person
) -> None:
    op_id = a_forget(ada)
    assert ada.operation(op_id)["purge_expected_at"] is None
    bench.work()

    ended = ada.operation(op_id)
    expected = datetime.fromisoformat(ended["purge_expected_at"])
    assert expected - datetime.fromisoformat(ended["erased_at"]) == bench.settings.retention.erased.purged_every
    assert ada.get(f"/api/v1/receipts/{ended['receipt_id']}")["purge_expected_at"] == ended["purge_expected_at"]
    with bench.database.begin() as tx:
        tx.run("update operations set purged_at = now() where id = :id", id=op_id)
    assert ada.operation(op_id)["purge_expected_at"] is None
    assert ada.get(f"/api/v1/receipts/{ended['receipt_id']}")["purge_expected_at"] is None


def test_an_operation_says_nothing_of_what_was_forgotten(bench: Workbench, ada: Person) -> None:
    op_id = a_forget(ada)
    bench.work()

    shown = ask(ada, op_id).text + bench.api.get(OPS, headers=ada.headers).text

    assert "peanut" not in shown
    assert ada.user_id not in shown


def test_retrying_an_operation_with_nothing_to_retry_retries_nothing(bench: Workbench, ada: Person) -> None:
    op_id = a_forget(ada)
    for _ in range(2):  # while all steps are due anyway, and when all have ended
        answer = ask(ada, op_id, "POST", "/retry")
        assert answer.status_code == 202
        assert answer.json() == {"status": "accepted", "op_id": op_id, "retried_steps": 0}
        assert answer.headers["location"] == f"{OPS}/{op_id}"
        bench.work()
    assert ada.operation(op_id)["status"] == "succeeded"
    assert bench.count("select count(*) from events where type = 'OperationRetried'") == 0


def test_failed_and_delayed_steps_are_tried_again_at_once(bench: Workbench, ada: Person) -> None:
    op_id = a_forget(ada)
    bench.work_once(["ledger.accepted"])
    with bench.database.begin() as tx:
        tx.run("update outbox set state = 'failed', available_at = now() + interval '1 h' where kind = 'erase.milvus'")
        tx.run("update outbox set available_at = now() + interval '1 h' where kind = 'erase.mem0'")
        tx.run("update operation_steps set status = 'failed', last_error = 'milvus_unavailable' where name = 'milvus'")
        tx.run("update operations set status = 'failed'")
    bench.work()
    stuck = ada.operation(op_id)
    assert {step["name"]: step["status"] for step in stuck["steps"]} == {
        "ledger": "succeeded",
        "postgres": "succeeded",
        "milvus": "failed",
        "mem0": "ready",
        "files": "succeeded",
        "verify": "waiting",
        "receipt": "waiting",
    }

    answer = ask(ada, op_id, "POST", "/retry")

    assert answer.json()["retried_steps"] == 2
    assert ada.operation(op_id)["status"] == "running"
    bench.work()
    assert ada.operation(op_id)["status"] == "succeeded"


def test_an_operation_nobody_has_is_not_found(bench: Workbench, ada: Person) -> None:
    ada.conversation()
    for method, path in (("GET", ""), ("POST", "/retry")):
        assert_problem(ask(ada, str(uuid4()), method, path), 404, "not_found")
        assert_problem(ask(ada, "no-uuid", method, path), 422, "validation_failed")
        assert_problem(ask(bench.person(), str(uuid4()), method, path), 404, "not_found")


@pytest.mark.parametrize("scope", ["message", "conversation"])
def test_what_never_was_cannot_be_forgotten(bench: Workbench, ada: Person, scope: str) -> None:
    ada.conversation()
    body = {"scope": scope, f"{scope}_id": str(uuid4())}

    assert_problem(bench.api.post(FORGET, json=body, headers=ada.headers), 404, "not_found")
    assert_problem(bench.api.delete(f"/api/v1/memory/long_term/{uuid4()}", headers=ada.headers), 404, "not_found")
    assert ada.get(OPS) == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"scope": "message"},
        {"scope": "conversation"},
        {"scope": "message", "conversation_id": str(uuid4())},
        {"scope": "conversation", "message_id": str(uuid4())},
        {"scope": "message", "message_id": None},
        {"scope": "message", "message_id": "x"},
        {"scope": "everything", "confirmation": "FORGET EVERYTHING"},
        {"scope": "selection"},
        {"scope": "clear", "conversation_id": str(uuid4())},
        {"scope": None},
        {"scope": "user", "confirmation": "FORGET EVERYTHING", "cascade": None},
        {"scope": "user", "confirmation": "FORGET EVERYTHING", "dry_run": True},
        {"scope": "user", "confirmation": "x" * 51},
        [],
    ],
)
def test_a_forget_that_does_not_say_what_is_refused_and_forgets_nothing(
    bench: Workbench, ada: Person, body: Any
) -> None:
    conversation = ada.conversation()

    assert_problem(bench.api.post(FORGET, json=body, headers=ada.headers), 422, "validation_failed")
    assert [one["id"] for one in ada.get("/api/v1/conversations")] == [conversation]
    assert ada.get(OPS) == []


@pytest.mark.parametrize(
    "phrase", [None, "", "forget everything", "FORGET EVERYTHING ", "忘掉", "FORGET  EVERYTHING", "忘掉一切。"]
)
def test_only_the_exact_phrase_forgets_a_person_for_services_too(
    bench: Workbench, ada: Person, phrase: str | None
) -> None:
    conversation = ada.conversation()
    body = {"scope": "user", "confirmation": phrase}

    assert_problem(bench.api.post(FORGET, json=body, headers=ada.headers), 422, "confirmation_required")
    as_service = bench.api.post(FORGET, json=body | {"user_id": ada.user_id}, headers=bench.service)
    assert_problem(as_service, 422, "confirmation_required")
    assert [one["id"] for one in ada.get("/api/v1/conversations")] == [conversation]


def test_forgetting_someone_nothing_is_known_about_succeeds(bench: Workbench) -> None:
    nobody = bench.person()
    op_id = nobody.forget("user")
    bench.work()

    assert nobody.operation(op_id)["status"] == "succeeded"


def test_a_forget_under_the_same_key_is_the_same_operation(bench: Workbench, ada: Person) -> None:
    [(question, _)] = ada.say(ada.conversation(), PEANUTS)
    body = {"scope": "message", "message_id": question}
    headers = ada.headers | {"Idempotency-Key": "once"}

    first = bench.api.post(FORGET, json=body, headers=headers)
    again = bench.api.post(FORGET, json=body, headers=headers)
    bench.work()
    after = bench.api.post(FORGET, json=body, headers=headers)

    assert first.json() == again.json() == after.json()
    assert first.headers["location"] == again.headers["location"] == f"{OPS}/{first.json()['op_id']}"
    assert len(ada.get(OPS)) == 1


def test_a_message_may_be_forgotten_again_while_it_is_being_forgotten(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(question, answer)] = ada.say(conversation, PEANUTS)
    bench.work()
    made = [ada.forget("message", message_id=question)]
    made.append(ada.forget("message", message_id=question, cascade=True))
    bench.work_once(["ledger.accepted"])
    bench.work_once(["erase.postgres"])
    still = bench.api.post(FORGET, json={"scope": "message", "message_id": question}, headers=ada.headers)
    bench.work()

    assert_problem(still, 404, "not_found")
    assert [ada.operation(op_id)["status"] for op_id in made] == ["succeeded", "succeeded"]
    assert ada.get("/api/v1/messages", conversation_id=conversation) == []
    assert bench.holds("peanuts") == []
    assert bench.count("select count(*) from vector_refs") == bench.count("select count(*) from hides") == 0
    assert answer


def test_forgets_of_the_same_message_sent_at_once_both_end(bench: Workbench, ada: Person) -> None:
    [(question, _)] = ada.say(ada.conversation(), PEANUTS)
    bench.work()

    made = together(ada, *[lambda: ada.forget("message", message_id=question)] * 2)
    bench.work()

    assert len(set(made)) == 2
    assert [ada.operation(op_id)["status"] for op_id in made] == ["succeeded", "succeeded"]
    assert bench.holds("peanuts") == []
