"""Undo while nothing was erased (X-08): what a forget hid is there again, and nothing was missed meanwhile."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from tests.support.memories import written
from tests.support.tables import each
from tests.support.workbench import Person, Workbench

PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
BERLIN = ("I live in Berlin.", "A fine city.")
GREEN_TEA = ("我喜欢喝绿茶。", "好的,记住了。")


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def everything(ada: Person, conversation: str) -> tuple[list[str], list[str], int]:
    messages = [message["content"] for message in ada.get("/api/v1/messages", conversation_id=conversation)]
    return messages, ada.memories(), len(ada.get("/api/v1/memory/episodes", conversation_id=conversation))


@pytest.mark.parametrize("scope", ["message", "conversation", "clear", "memory"])
def test_what_is_undone_is_there_as_before_and_what_is_not_goes(bench: Workbench, ada: Person, scope: str) -> None:
    conversation = ada.conversation(title="Tea")
    [(first, _), _] = ada.say(conversation, PEANUTS, GREEN_TEA)
    bench.work()
    before = everything(ada, conversation)
    assert len(before[1]) == 2

    for undone in (True, False):
        operation = forget(ada, scope, conversation, first)
        assert everything_or_gone(ada, conversation) != before
        waiting = ada.operation(operation)
        assert waiting["status"] == "pending"
        assert waiting["not_before"] is not None
        bench.work()
        assert ada.operation(operation)["status"] == "pending", "nothing is erased while it can be undone"
        if undone:
            ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)
            assert everything(ada, conversation) == before
            shown = ada.operation(operation)
            assert shown["status"] == "cancelled"
            assert {step["status"] for step in shown["steps"]} == {"cancelled"}
            ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)  # as before, once more
        else:
            bench.hurry()
            bench.work()
            assert ada.operation(operation)["status"] == "succeeded"
            answer = bench.api.post(f"/api/v1/memory/ops/{operation}/cancel", headers=ada.headers)
            assert (answer.status_code, answer.json()["code"]) == (409, "too_late_to_undo")
    bench.work()
    assert bench.count("select count(*) from hides") == 0
    spans = bench.count("select count(*) from unlearnable_spans")
    assert spans == (1 if scope == "memory" else 0)


def forget(ada: Person, scope: str, conversation: str, message: str) -> str:
    if scope == "memory":
        memory = next(m for m in ada.get("/api/v1/memory/long_term") if "peanuts" in m["content"])["id"]
        answer = ada.bench.api.delete(f"/api/v1/memory/long_term/{memory}?undo_seconds=60", headers=ada.headers)
    elif scope == "clear":
        answer = ada.bench.api.post(
            "/api/v1/clear", json={"conversation_id": conversation, "undo_seconds": 60}, headers=ada.headers
        )
    else:
        target = {"message_id": message, "cascade": True} if scope == "message" else {"conversation_id": conversation}
        body = {"scope": scope, "undo_seconds": 60, **target}
        answer = ada.bench.api.post("/api/v1/memory/forget", json=body, headers=ada.headers)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["op_id"])


def everything_or_gone(ada: Person, conversation: str) -> object:
    found = ada.bench.api.get(f"/api/v1/conversations/{conversation}", headers=ada.headers)
    return found.status_code if found.status_code != 200 else everything(ada, conversation)


def test_what_was_to_be_derived_meanwhile_is_derived_after_the_undo(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(question, _)] = ada.say(conversation, PEANUTS)
    operation = ada.forget("message", message_id=question, cascade=True, undo_seconds=60)
    bench.work()  # neither indexed nor learned from, and not given up
    assert ada.memories() == []
    assert bench.count("select count(*) from outbox where last_error = 'undo_possible'") == 2

    ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)
    bench.work()

    assert ada.memories() == ["I'm allergic to peanuts."]
    assert len(ada.get("/api/v1/memory/episodes", conversation_id=conversation)) == 1


@pytest.mark.parametrize(
    "refusing", ["workers.learner.turn.announce_memories", "workers.learner.indexing.announce_indexing"]
)
def test_what_was_refused_by_a_forget_that_was_undone_at_once_is_written_after_all(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch, refusing: str
) -> None:
    module, name = refusing.rsplit(".", 1)
    announce, refused = getattr(import_module(module), name), []

    def hidden_for_a_moment(*given: Any, **named: Any) -> bool:
        if not refused:
            refused.append(given)
            return False
        return bool(announce(*given, **named))

    monkeypatch.setattr(refusing, hidden_for_a_moment)
    ada.say(ada.conversation(), PEANUTS)
    written(ada, "I keep bees.")
    bench.work()

    assert refused
    assert ada.memories() == ["I keep bees.", "I'm allergic to peanuts."]
    assert bench.count("select count(*) from visible_vectors where item_kind = 'memory'") == 2


def test_what_was_to_be_derived_meanwhile_is_dropped_when_the_time_to_undo_is_over(
    bench: Workbench, ada: Person
) -> None:
    conversation = ada.conversation()
    [(question, _)] = ada.say(conversation, PEANUTS)
    ada.forget("message", message_id=question, cascade=True, undo_seconds=1)
    bench.count("select 1 from pg_sleep(1.1)")
    bench.hurry()
    bench.work()
    assert ada.memories() == []
    assert bench.count("select count(*) from outbox") == 0
    assert bench.holds("peanuts") == []


def test_overlapping_forgets_one_cancelled(bench: Workbench, ada: Person) -> None:
    """The other's content stays hidden, and the union of what was not cancelled ends erased."""
    conversation = ada.conversation()
    [(peanuts, _), (tea, _)] = ada.say(conversation, PEANUTS, GREEN_TEA)
    bench.work()
    clear = forget(ada, "clear", conversation, peanuts)
    message = forget(ada, "message", conversation, tea)

    ada.post(f"/api/v1/memory/ops/{clear}/cancel", {}, status=200)

    assert [m["content"] for m in ada.get("/api/v1/messages", conversation_id=conversation)] == list(PEANUTS)
    assert ada.memories() == ["I'm allergic to peanuts."]
    bench.hurry()
    bench.work()
    assert ada.operation(message)["status"] == "succeeded"
    assert ada.operation(clear)["status"] == "cancelled"
    assert bench.holds("绿茶") == []
    assert ada.memories() == ["I'm allergic to peanuts."]


def test_a_clear_that_is_undone_gives_nothing_back_that_a_later_clear_took(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, PEANUTS)
    bench.work()
    first = forget(ada, "clear", conversation, "")
    ada.say(conversation, GREEN_TEA)
    bench.work()
    second = ada.post("/api/v1/clear", {"conversation_id": conversation}, status=202)["op_id"]

    ada.post(f"/api/v1/memory/ops/{first}/cancel", {}, status=200)

    assert everything(ada, conversation) == ([], [], 0)
    bench.work()
    assert ada.operation(second)["status"] == "succeeded"
    assert bench.holds("peanuts") == []
    assert bench.holds("绿茶") == []


def test_a_surviving_source_hidden_by_another_forget_is_learned_from_after_its_undo(
    bench: Workbench, ada: Person
) -> None:
    from tests.support.seeding import a_memory

    conversation = ada.conversation()
    [(first, _), (second, _)] = ada.say(conversation, PEANUTS, ("我对花生过敏。", "好的。"))
    bench.work()
    a_memory(bench, ada, text="allergic, said twice", sources=[first, second])
    undoable = ada.forget("message", message_id=second, cascade=True, undo_seconds=60)
    final = ada.forget("message", message_id=first, cascade=True)
    bench.work()
    waiting = {step["name"]: step for step in ada.operation(final)["steps"]}["rederive"]
    assert waiting["last_error"].startswith("undo_possible")

    ada.post(f"/api/v1/memory/ops/{undoable}/cancel", {}, status=200)
    bench.work()

    assert ada.operation(final)["status"] == "succeeded"
    assert ada.memories() == ["我对花生过敏。"]
    assert bench.holds("peanuts") == []


def test_retrying_does_not_cut_the_time_to_undo_short(bench: Workbench, ada: Person) -> None:
    [(question, _)] = ada.say(ada.conversation(), PEANUTS)
    operation = ada.forget("message", message_id=question, undo_seconds=60)
    retried = ada.post(f"/api/v1/memory/ops/{operation}/retry", {}, status=202)
    assert retried["retried_steps"] == 0
    bench.work()
    assert ada.operation(operation)["status"] == "pending"


@pytest.mark.parametrize("done", range(1, 4))
def test_between_two_stages_it_is_too_late_to_undo(bench: Workbench, ada: Person, done: int) -> None:
    """The rows of the stage to come are fresh: nobody took them yet, but the ledger has it and stores were erased."""
    [(question, _)] = ada.say(ada.conversation(), PEANUTS)
    bench.work()
    operation = ada.forget("message", message_id=question, cascade=True, undo_seconds=60)
    bench.hurry()
    for _ in range(done):
        bench.work_once()
    answer = bench.api.post(f"/api/v1/memory/ops/{operation}/cancel", headers=ada.headers)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_late_to_undo")
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"


def test_a_step_that_was_begun_and_put_back_is_not_undone(bench: Workbench, ada: Person) -> None:
    """Its line may be in the ledger's file already, although waiting spent no attempt."""
    [(question, _)] = ada.say(ada.conversation(), PEANUTS)
    operation = ada.forget("message", message_id=question, cascade=True, undo_seconds=60)
    bench.hurry()
    bench.process.ledger_book.path.mkdir(parents=True)
    bench.work_once()
    with bench.database.begin() as tx:
        tx.run("update outbox set attempt = 0 where operation_id is not null")
    answer = bench.api.post(f"/api/v1/memory/ops/{operation}/cancel", headers=ada.headers)
    assert answer.status_code == 409


def test_only_its_person_undoes_a_forget(bench: Workbench, ada: Person) -> None:
    [(question, _)] = ada.say(ada.conversation(), PEANUTS)
    operation = ada.forget("message", message_id=question, undo_seconds=60)
    answer = bench.api.post(f"/api/v1/memory/ops/{operation}/cancel", headers=bench.person().headers)
    assert answer.status_code == 404
    assert ada.operation(operation)["status"] == "pending"


@each(
    "body",
    [
        {"scope": "user", "confirmation": "FORGET EVERYTHING", "undo_seconds": 8},
        {"scope": "message", "message_id": "01a1ffff-0000-7000-8000-000000000000", "undo_seconds": 61},
        {"scope": "message", "message_id": "01a1ffff-0000-7000-8000-000000000000", "undo_seconds": -1},
        {"scope": "message", "message_id": "01a1ffff-0000-7000-8000-000000000000", "undo_seconds": True},
        {"scope": "message", "message_id": "01a1ffff-0000-7000-8000-000000000000", "close_account": True},
    ],
)
def test_an_impossible_undo_is_refused(bench: Workbench, ada: Person, body: dict[str, object]) -> None:
    answer = bench.api.post("/api/v1/memory/forget", json=body, headers=ada.headers)
    assert answer.status_code == 422
