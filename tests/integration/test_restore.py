"""A restored backup serves nothing until what was forgotten since is forgotten again (P4, X-05)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from shared.ledger.rules import canonical, check_chain, to_document
from shared.ledger.sql import entries as ledger
from shared.stores.inspection import COLLECTIONS, Inspection
from tests.support.dumping import dump
from tests.support.memories import LONG_TERM, deleted, edited, written
from tests.support.restoring import answers, replay, restored, url
from tests.support.workbench import TASKS, Person, Workbench

PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
BERLIN = ("I live in Berlin.", "A fine city.")
GREEN_TEA = ("我喜欢喝绿茶。", "好的,记住了。")
JAZZ = ("I love jazz.", "Smooth.")


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person("ada")


def test_a_restored_backup_is_refused_until_the_ledger_is_replayed(
    bench: Workbench, ada: Person, tmp_path: Path
) -> None:
    eve, closing = bench.person("eve"), bench.person("closing")
    kept, gone, cleared = ada.conversation(), ada.conversation(title="canary-title"), ada.conversation()
    [(peanuts, _), _] = ada.say(kept, PEANUTS, BERLIN)
    ada.say(gone, GREEN_TEA)
    ada.say(cleared, JAZZ)
    for person in (eve, closing):
        person.say(person.conversation(), ("I live in Paris.", "Nice."))
    bench.work()
    memory = next(m["id"] for m in ada.get("/api/v1/memory/long_term") if "Berlin" in m["content"])
    backup = tmp_path / "backup"
    dump(url(bench), backup)
    ada.forget("message", message_id=peanuts, cascade=True)
    ada.forget("conversation", conversation_id=gone)
    ada.post("/api/v1/clear", {"conversation_id": cleared}, status=202)
    bench.api.delete(f"/api/v1/memory/long_term/{memory}", headers=ada.headers)
    eve.forget("user")
    receipt = closing.post(
        "/api/v1/memory/forget",
        {"scope": "user", "close_account": True, "confirmation": "FORGET EVERYTHING"},
        status=202,
    )["receipt_id"]
    later = bench.person("later")  # somebody the backup never knew
    later.say(later.conversation(), PEANUTS)
    later.forget("user")
    bench.work()
    assert ada.memories() == []

    restored(bench, backup)

    answers(bench, ada, 503)
    refused = bench.api.post("/api/v1/memory/search", json={"query": "tea"}, headers=ada.headers)
    assert (refused.status_code, refused.json()["code"]) == (503, "replay_needed")
    assert "Retry-After" in refused.headers
    told = replay(bench)
    assert (told.exit_code, told.stderr) == (0, ""), told
    assert "6 forgets are done again, 1 concern nothing" in told.stdout

    answers(bench, ada, 200)
    assert ada.memories() == [], "hidden at once"
    assert eve.memories() == []
    assert bench.api.get(f"/api/v1/conversations/{gone}", headers=ada.headers).status_code == 404
    bench.work()
    assert bench.count("select count(*) from operations where status <> 'succeeded'") == 0
    for canary in ("peanuts", "绿茶", "canary-title", "jazz", "Paris", "closing"):
        assert bench.holds(canary) == [], canary
    assert bench.holds("Berlin") == ["message_contents"], "that message was kept, its memory was not"
    bench.work()
    assert ada.memories() == []
    proof = bench.api.get(f"/api/v1/receipts/{receipt}").json()
    assert [(e["body"]["kind"], e["body"]["run"]) for e in proof["entries"]] == [
        ("accepted", 0),
        ("verified", 0),
        ("accepted", 1),
        ("verified", 1),
    ]
    with bench.database.begin() as tx:
        chain = list(ledger.after(tx, 0))
    check_chain(chain)
    assert bench.process.ledger_book.chain() == chain
    assert replay(bench).stdout.startswith("Took over 0 entries"), "repeating it does nothing"
    ada.say(ada.conversation(), PEANUTS)  # life goes on
    bench.work()
    assert ada.memories() == ["I'm allergic to peanuts."]


def test_a_restore_does_not_return_the_old_text_of_a_memory_edited_then_forgotten(
    bench: Workbench, ada: Person, tmp_path: Path
) -> None:
    old = written(ada, "I cycle to canary-street.")["id"]
    bench.work()
    backup = tmp_path / "backup"
    dump(url(bench), backup)
    deleted(ada, edited(ada, old, content="I walk to canary-street.")["id"])
    bench.work()

    restored(bench, backup)
    answers(bench, ada, 503)
    assert replay(bench).exit_code == 0

    answers(bench, ada, 200)
    assert ada.memories() == []
    bench.work()
    assert bench.holds("canary") == []


def test_workers_leave_a_restored_database_alone(bench: Workbench, ada: Person, tmp_path: Path) -> None:
    [(peanuts, _)] = ada.say(ada.conversation(), PEANUTS)
    dump(url(bench), tmp_path / "backup")  # its outbox would have the turn learned from
    bench.work()
    ada.forget("message", message_id=peanuts, cascade=True)
    bench.work()
    restored(bench, tmp_path / "backup")
    with psycopg.connect(url(bench)) as connection:
        ids = [row[0] for row in connection.execute("select id from outbox").fetchall()]
    assert len(ids) == 2
    for task in (TASKS["indexer"], TASKS["learner"]):
        task(outbox_ids=ids)
    assert bench.count("select count(*) from outbox where attempt = 0") == 2, "nothing is claimed"
    assert replay(bench).exit_code == 0
    answers(bench, ada, 200)
    bench.work()
    assert ada.memories() == []
    assert bench.holds("peanuts") == []


def test_a_memory_learned_and_forgotten_after_the_backup_is_not_relearned_from_it(
    bench: Workbench, ada: Person, tmp_path: Path
) -> None:
    ada.say(ada.conversation(), PEANUTS)
    dump(url(bench), tmp_path / "backup")
    bench.work()
    [memory] = ada.get("/api/v1/memory/long_term")
    bench.api.delete(f"/api/v1/memory/long_term/{memory['id']}", headers=ada.headers)
    bench.work()
    restored(bench, tmp_path / "backup")
    answers(bench, ada, 503)
    assert replay(bench).exit_code == 0
    answers(bench, ada, 200)
    bench.work()
    assert ada.memories() == []


def test_a_ledger_that_was_tampered_with_is_not_replayed(bench: Workbench, ada: Person, tmp_path: Path) -> None:
    [(peanuts, _), _] = ada.say(ada.conversation(), PEANUTS, BERLIN)
    bench.work()
    dump(url(bench), tmp_path / "backup")
    ada.forget("message", message_id=peanuts, cascade=True)
    bench.work()
    book = bench.process.ledger_book
    entries = book.chain()
    forged = {**to_document(entries[0]), "body": {**entries[0].said, "scope": "user"}}
    book.path.write_text("\n".join([canonical(forged), *(canonical(to_document(e)) for e in entries[1:])]) + "\n")
    restored(bench, tmp_path / "backup")
    answers(bench, ada, 503)
    told = replay(bench)
    assert told.exit_code == 1, told
    assert "entry 1 past the database's last" in told.stderr
    assert told.stderr.count("\n") == 1
    answers(bench, ada, 503)


@pytest.mark.parametrize("harm", ["left out", "cut short"])
def test_an_entry_that_is_missing_hides_none_of_those_below_it(
    bench: Workbench, ada: Person, tmp_path: Path, harm: str
) -> None:
    [(peanuts, _), (berlin, _)] = ada.say(ada.conversation(), PEANUTS, BERLIN)
    bench.work()
    dump(url(bench), tmp_path / "backup")
    for message in (peanuts, berlin):
        ada.forget("message", message_id=message, cascade=True)
        bench.work()
    book = bench.process.ledger_book
    first, *others = book.path.read_text().splitlines()
    book.path.write_text("\n".join(([first[:40]] if harm == "cut short" else []) + others) + "\n")
    restored(bench, tmp_path / "backup")
    answers(bench, ada, 503)
    told = replay(bench)
    assert (told.exit_code, told.stderr.count("\n")) == (1, 1), told
    assert "missing or damaged" in told.stderr
    answers(bench, ada, 503)


def test_a_backup_newer_than_every_forget_is_served_at_once(bench: Workbench, ada: Person, tmp_path: Path) -> None:
    [(peanuts, _), _] = ada.say(ada.conversation(), PEANUTS, BERLIN)
    bench.work()
    ada.forget("message", message_id=peanuts, cascade=True)
    bench.work()
    dump(url(bench), tmp_path / "backup")
    ada.say(ada.conversation(), GREEN_TEA)
    restored(bench, tmp_path / "backup")
    answers(bench, ada, 200)
    assert ada.memories() == ["I live in Berlin."]


def test_what_feedback_taught_and_was_cleared_is_cleared_again(bench: Workbench, ada: Person, tmp_path: Path) -> None:
    body = {"action": "accept", "evidence_ref": "canary-bullets"}
    for _ in range(3):
        ada.post("/api/v1/memory/preferences/ingest", body, status=200)
    bench.work()
    backup = tmp_path / "backup"
    dump(url(bench), backup)
    ada.post("/api/v1/memory/preferences/clear", {}, status=202)
    bench.work()
    assert bench.holds("canary") == []

    restored(bench, backup)
    answers(bench, ada, 503)
    assert replay(bench).exit_code == 0

    assert answers(bench, ada, 200) == [], "hidden at once"
    bench.work()
    assert bench.holds("canary") == []
    assert ada.get("/api/v1/memory/preferences")["signals"] == []


def test_after_a_restore_a_forget_succeeds_only_once_data_written_since_is_gone(
    bench: Workbench, ada: Person, tmp_path: Path
) -> None:
    [(peanuts, _)] = ada.say(ada.conversation(), PEANUTS)
    dump(url(bench), tmp_path / "backup")
    bench.work()  # learned now: the backup does not know under which key
    operation = ada.forget("message", message_id=peanuts, cascade=True)
    bench.work_once(["ledger.accepted"])
    restored(bench, tmp_path / "backup")
    answers(bench, ada, 503)
    assert replay(bench).exit_code == 0
    answers(bench, ada, 200)
    inspection = Inspection(bench.settings.milvus_uri)
    for _ in range(50):
        worked = bench.work_once()
        status = ada.operation(operation)["status"]
        if status == "succeeded":
            stored = [row.text for name in COLLECTIONS for row in inspection.rows(name)]
            assert not [text for text in stored if "peanuts" in text or peanuts in text]
        elif not worked:
            bench.hurry()
    inspection.close()
    assert status == "succeeded"
    assert ada.memories() == []


def test_what_was_forgotten_in_part_is_cut_again_after_a_restore(bench: Workbench, ada: Person, tmp_path: Path) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I drive a canary-Skoda and I love jazz.", "OK."), ("The canary-Skoda leaks oil.", "OK."))
    written(ada, "I like tea and the canary-Skoda is red.")
    bench.work()
    backup = tmp_path / "backup"
    dump(url(bench), backup)
    found = ada.post("/api/v1/memory/forget/find", {"description": "the canary-Skoda"}, status=200)
    ada.forget("selection", token=found["token"])
    bench.work()

    restored(bench, backup)
    answers(bench, ada, 503)
    told = replay(bench)
    assert "1 forgets are done again" in told.stdout, told

    answers(bench, ada, 200)
    assert "canary-Skoda" not in str(ada.get("/api/v1/messages", conversation_id=conversation)), "hidden at once"
    assert set(ada.memories()) == {"I love jazz.", "I like tea."}  # it quotes other words
    bench.work()
    assert bench.count("select count(*) from operations where status <> 'succeeded'") == 0
    assert bench.holds("canary-Skoda") == []
    said = [one["content"] for one in ada.get("/api/v1/messages", conversation_id=conversation)]
    assert said == ["I love jazz.", "OK.", "OK."]
    assert set(ada.memories()) == {"I love jazz.", "I like tea."}


def cut_then_delete_the_rest_of_a_memory(bench: Workbench, ada: Person) -> None:
    described(ada, "the canary-Skoda")
    bench.work()
    [rest] = [one for one in ada.get(LONG_TERM) if one["content"] == "I like tea."]
    deleted(ada, rest["id"])


def cut_a_message_twice(bench: Workbench, ada: Person) -> None:
    for description in ("the canary-Skoda", "jazz"):
        described(ada, description)
        bench.work()


def cut_then_delete_what_was_learned_from_the_rest(bench: Workbench, ada: Person) -> None:
    described(ada, "the canary-Skoda")
    bench.work()
    [learned] = [one for one in ada.get(LONG_TERM) if "jazz" in one["content"]]
    deleted(ada, learned["id"])


def pick_one_of_two_messages_that_say_the_same(bench: Workbench, ada: Person) -> None:
    del bench
    [first, _] = [one["id"] for one in said_of(ada) if "peanuts" in one["content"] and one["role"] == "user"]
    ada.forget("selection", ids=[first])


def described(person: Person, description: str) -> None:
    found = person.post("/api/v1/memory/forget/find", {"description": description}, status=200)
    person.forget("selection", token=found["token"])


def said_of(person: Person) -> list[dict[str, Any]]:
    [conversation] = person.get("/api/v1/conversations")
    said: list[dict[str, Any]] = person.get("/api/v1/messages", conversation_id=conversation["id"])
    return said


@pytest.mark.parametrize(
    "forgotten",
    [
        cut_then_delete_the_rest_of_a_memory,
        cut_a_message_twice,
        cut_then_delete_what_was_learned_from_the_rest,
        pick_one_of_two_messages_that_say_the_same,
    ],
)
def test_a_replay_leaves_what_the_forgets_left(
    bench: Workbench, ada: Person, tmp_path: Path, forgotten: Callable[[Workbench, Person], None]
) -> None:
    def left() -> tuple[list[str], list[str]]:
        return ada.memories(), [one["content"] for one in said_of(ada)]

    cars = ("I drive a canary-Skoda and I love jazz and I keep goats.", "OK.")
    ada.say(ada.conversation(), cars, PEANUTS, ("By the way, I'm allergic to peanuts.", "I know."))
    written(ada, "I like tea and the canary-Skoda is red.")
    bench.work()
    backup = tmp_path / "backup"
    dump(url(bench), backup)
    before = left()
    forgotten(bench, ada)
    bench.work()
    live = left()
    assert live != before

    restored(bench, backup)
    answers(bench, ada, 503)
    assert replay(bench).exit_code == 0
    answers(bench, ada, 200)
    bench.work()

    assert left() == live
    assert bench.count("select count(*) from operations where status <> 'succeeded'") == 0
