"""What happens at the same time as closing, undoing, recording and restoring: nothing comes back, nothing else goes."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from shared.conversations.derive import queue_derivations
from shared.kernel import subjects
from shared.kernel.subjects import digest
from shared.ledger.rules import canonical, to_document
from shared.memories import learn as learn_memory
from shared.outbox.claim import claim_work
from tests.integration.test_restore import answers, replay, restored, url
from tests.support.dumping import dump
from tests.support.memories import edited
from tests.support.seeding import a_memory
from tests.support.workbench import Person, Workbench
from workers.learner.turn import LearnedTurn

PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
BERLIN = ("I live in Berlin.", "A fine city.")


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person("ada")


def close(person: Person) -> dict[str, str]:
    body = {"scope": "user", "close_account": True, "confirmation": "FORGET EVERYTHING"}
    accepted: dict[str, str] = person.post("/api/v1/memory/forget", body, status=202)
    return accepted


def meanwhile(monkeypatch: pytest.MonkeyPatch, action: Callable[[], Any]) -> list[Any]:
    """Let something happen right before a command takes the fence, once."""
    real, happened = subjects.enter_fence, list[Any]()

    def late(tx: Any, subject_id: UUID) -> None:
        if not happened:
            happened.append(None)
            happened[0] = action()
        real(tx, subject_id)

    monkeypatch.setattr(subjects, "enter_fence", late)
    return happened


def receipt(bench: Workbench, receipt_id: str) -> Any:
    answer = bench.api.get(f"/api/v1/receipts/{receipt_id}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def kinds(found: Any) -> list[tuple[str, int]]:
    return [(entry["body"]["kind"], entry["body"]["run"]) for entry in found["entries"]]


def test_who_writes_while_the_account_closes_writes_as_somebody_new(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada.say(ada.conversation(), PEANUTS)
    bench.work()
    closed = meanwhile(monkeypatch, lambda: close(ada))
    conversation = ada.conversation(title="a new life")
    ada.say(conversation, BERLIN)
    bench.work()
    assert receipt(bench, closed[0]["receipt_id"])["status"] == "succeeded"
    assert ada.get(f"/api/v1/conversations/{conversation}")["title"] == "a new life"
    assert ada.memories() == ["I live in Berlin."]
    assert bench.holds("peanuts") == []
    stub = "select count(*) from conversations c join subjects s on s.id = c.subject_id where s.user_id is null"
    assert bench.count(stub) == 0


def test_a_switch_turned_while_the_account_closes_is_somebody_news(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada.say(ada.conversation(), PEANUTS)
    bench.work()
    closed = meanwhile(monkeypatch, lambda: close(ada))
    for wanted in (False, True):
        body = {"summary_enabled": wanted}
        assert bench.api.patch("/api/v1/memory/settings", json=body, headers=ada.headers).status_code == 200
    bench.work()
    assert receipt(bench, closed[0]["receipt_id"])["status"] == "succeeded"
    assert bench.count("select count(*) from user_settings") == 1


def test_an_entry_recorded_after_the_key_was_destroyed_names_nobody(bench: Workbench, ada: Person) -> None:
    [(question, _)] = ada.say(ada.conversation(), PEANUTS)
    bench.work()
    with bench.database.begin() as tx:
        subject = subjects.find(tx, "ada")
    assert subject is not None
    ada.forget("message", message_id=question, cascade=True, undo_seconds=60)
    close(ada)
    bench.work()
    bench.hurry()
    bench.work()
    chain = bench.process.ledger_book.chain()
    assert len(chain) == 4
    named = [entry for entry in chain if entry.said["subject"] == digest(b"", "subject", str(subject.id)).hex()]
    assert named == []


def test_a_memory_is_not_confirmed_by_a_run_that_began_before_it_was_deleted(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, PEANUTS)
    due = [row_id for row_id, _ in bench.due(["memory.learn"])]
    database = bench.database
    [lease] = database.transact(lambda tx: claim_work(tx, due, lease_seconds=600))
    plan = database.transact(lambda tx: learn_memory.plan_learning(tx, lease, terms=bench.process.terms, context=0))
    assert plan is not None
    database.transact(
        lambda tx: queue_derivations(tx, plan.subject, UUID(conversation), 1, kinds=("memory.learn",), again=True)
    )
    bench.work()
    [memory] = ada.get("/api/v1/memory/long_term")
    turn = LearnedTurn(plan, bench.process.mem0)
    turn.learn()
    bench.api.delete(f"/api/v1/memory/long_term/{memory['id']}", headers=ada.headers)
    with pytest.raises(learn_memory.ContextChanged):  # what it would support is gone
        turn.confirm()
    turn.end_writes()
    bench.work()
    assert ada.memories() == []


def test_what_was_said_again_is_compared_anew_if_it_no_longer_holds(bench: Workbench, ada: Person) -> None:
    ada.say(ada.conversation(), ("I live in Oslo.", "Nice."))
    bench.work()
    [oslo] = ada.get("/api/v1/memory/long_term")
    ada.say(ada.conversation(), ("I live in Oslo.", "Nice."))
    due = [row_id for row_id, _ in bench.due(["memory.learn"])]
    [lease] = bench.database.transact(lambda tx: claim_work(tx, due, lease_seconds=600))
    plan = bench.database.transact(
        lambda tx: learn_memory.plan_learning(tx, lease, terms=bench.process.terms, context=0)
    )
    assert plan is not None
    turn = LearnedTurn(plan, bench.process.mem0)
    turn.learn()
    edited(ada, oslo["id"], content="I live in Riga.")
    with pytest.raises(learn_memory.ContextChanged):
        turn.confirm()
    turn.end_writes()


def test_it_is_too_late_to_undo_once_others_have_given_up(bench: Workbench, ada: Person) -> None:
    [(question, _)] = ada.say(ada.conversation(), PEANUTS)
    operation = ada.forget("message", message_id=question, cascade=True, undo_seconds=1)
    bench.count("select 1 from pg_sleep(1.1)")
    bench.work_once(kinds=["memory.learn", "episode.index"])  # the ledger's lane is busy or away
    answer = bench.api.post(f"/api/v1/memory/ops/{operation}/cancel", headers=ada.headers)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_late_to_undo")


def test_a_quote_that_may_be_given_back_is_learned_from_when_it_is(bench: Workbench, ada: Person) -> None:
    [(first, _), (second, _)] = ada.say(ada.conversation(), ("Hello there.", "Hi."), PEANUTS)
    bench.work()
    twice = a_memory(bench, ada, text="allergic, said twice", sources=[first, second])
    [own] = [one["id"] for one in ada.get("/api/v1/memory/long_term") if "peanuts" in one["content"]]
    bench.api.delete(f"/api/v1/memory/long_term/{own}", headers=ada.headers)
    bench.work()
    with bench.database.begin() as tx:
        tx.run("delete from unlearnable_spans")
    undoable = bench.api.delete(f"/api/v1/memory/long_term/{twice}?undo_seconds=60", headers=ada.headers).json()
    ada.forget("message", message_id=first, cascade=True)
    bench.work()
    ada.post(f"/api/v1/memory/ops/{undoable['op_id']}/cancel", {}, status=200)
    bench.work()
    assert ada.memories() == ["I'm allergic to peanuts."]


def test_the_key_of_a_forget_that_was_undone_promises_nothing(bench: Workbench, ada: Person) -> None:
    [(question, _)] = ada.say(ada.conversation(), PEANUTS)
    bench.work()
    headers = {**ada.headers, "Idempotency-Key": "once"}
    body = {"scope": "message", "message_id": question, "cascade": True, "undo_seconds": 60}
    accepted = bench.api.post("/api/v1/memory/forget", json=body, headers=headers).json()
    assert bench.api.post("/api/v1/memory/forget", json=body, headers=headers).json() == accepted
    ada.post(f"/api/v1/memory/ops/{accepted['op_id']}/cancel", {}, status=200)
    again = bench.api.post("/api/v1/memory/forget", json=body, headers=headers)
    assert (again.status_code, again.json()["code"]) == (409, "idempotency_conflict")
    assert ada.memories() == ["I'm allergic to peanuts."]


def test_a_line_nobody_of_us_wrote_stops_no_forget(bench: Workbench, ada: Person) -> None:
    said = ada.say(ada.conversation(), PEANUTS, BERLIN)
    bench.work()
    ada.forget("message", message_id=said[0][0], cascade=True)
    bench.work()
    book = bench.process.ledger_book
    last = book.chain()[-1]
    forged = to_document(last)
    forged |= {"body": {**forged["body"], "seq": last.seq + 1}, "prev_hash": last.hash.hex(), "hash": "ab" * 32}
    with book.path.open("a") as file:
        file.write(canonical(forged) + "\n")
    operation = ada.forget("message", message_id=said[1][0], cascade=True)
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"


def test_a_restored_backup_stays_refused_when_the_file_goes_away(bench: Workbench, ada: Person, tmp_path: Path) -> None:
    [(peanuts, _), (berlin, _)] = ada.say(ada.conversation(), PEANUTS, BERLIN)
    bench.work()
    ada.forget("message", message_id=berlin, cascade=True)
    bench.work()
    dump(url(bench), tmp_path / "backup")
    ada.forget("message", message_id=peanuts, cascade=True)
    bench.work()
    restored(bench, tmp_path / "backup")
    answers(bench, ada, 503)
    path = bench.process.ledger_book.path
    kept = path.read_bytes()
    path.unlink()
    for unreadable in (True, False):
        if unreadable:
            path.mkdir()
        time.sleep(1.5)  # the watch looks every second
        answers(bench, ada, 503)
        if unreadable:
            path.rmdir()
    path.write_bytes(kept)
    assert replay(bench).exit_code == 0
    answers(bench, ada, 200)
    assert ada.memories() == []


def test_a_second_restore_ends_with_a_proof_of_its_own(bench: Workbench, ada: Person, tmp_path: Path) -> None:
    [(peanuts, _)] = ada.say(ada.conversation(), PEANUTS)
    bench.work()
    dump(url(bench), tmp_path / "backup")
    body = {"scope": "message", "message_id": peanuts, "cascade": True}
    receipt_id = ada.post("/api/v1/memory/forget", body, status=202)["receipt_id"]
    bench.work()
    for runs in (1, 2):
        restored(bench, tmp_path / "backup")
        answers(bench, ada, 503)
        assert replay(bench).exit_code == 0
        answers(bench, ada, 200)
        bench.work()
        found = kinds(receipt(bench, receipt_id))
        assert found[-1] == ("verified", runs), found


def test_a_backup_from_between_accept_and_proof_gets_a_new_proof(bench: Workbench, ada: Person, tmp_path: Path) -> None:
    [(peanuts, _)] = ada.say(ada.conversation(), PEANUTS)
    bench.work()
    body = {"scope": "message", "message_id": peanuts, "cascade": True}
    receipt_id = ada.post("/api/v1/memory/forget", body, status=202)["receipt_id"]
    dump(url(bench), tmp_path / "backup")
    bench.work()
    first = receipt(bench, receipt_id)["entries"][-1]["body"]["verified_at"]
    restored(bench, tmp_path / "backup")
    answers(bench, ada, 200)
    bench.work()
    found = receipt(bench, receipt_id)
    assert found["status"] == "succeeded"
    assert found["entries"][-1]["body"]["verified_at"] > first


def test_a_receipt_outlives_a_backup_that_never_knew_of_it(bench: Workbench, ada: Person, tmp_path: Path) -> None:
    dump(url(bench), tmp_path / "backup")
    later = bench.person("later")
    later.say(later.conversation(), PEANUTS)
    receipt_id = close(later)["receipt_id"]
    bench.work()
    before = receipt(bench, receipt_id)
    restored(bench, tmp_path / "backup")
    answers(bench, ada, 503)
    assert replay(bench).exit_code == 0
    answers(bench, ada, 200)
    after = receipt(bench, receipt_id)
    assert (after["status"], after["entries"]) == ("succeeded", before["entries"])


def test_a_replay_takes_no_memory_that_only_quotes_the_same_message(
    bench: Workbench, ada: Person, tmp_path: Path
) -> None:
    [(message, _)] = ada.say(ada.conversation(), ("Hello there.", "Hi."))
    bench.work()
    one = a_memory(bench, ada, text="fact one", sources=[message])
    a_memory(bench, ada, text="fact two", sources=[message])
    dump(url(bench), tmp_path / "backup")
    bench.api.delete(f"/api/v1/memory/long_term/{one}", headers=ada.headers)
    bench.work()
    restored(bench, tmp_path / "backup")
    answers(bench, ada, 503)
    assert replay(bench).exit_code == 0
    answers(bench, ada, 200)
    bench.work()
    assert ada.memories() == ["fact two"]
