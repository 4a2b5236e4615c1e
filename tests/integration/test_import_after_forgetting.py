"""What the ledger names stays forgotten, whatever a package holds and whatever a backup lost (P1, X-05, X-09)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.integration.test_export_contents import ada as ada  # noqa: PLC0414 # a fixture is found by its name
from tests.support.dumping import dump
from tests.support.foreign_exports import talk
from tests.support.importing import brought, compared, preview
from tests.support.memories import deleted, written
from tests.support.packages import packed
from tests.support.restoring import answers, replay, restored, url
from tests.support.small_api import assert_problem
from tests.support.workbench import Person, Workbench

IMPORT = "/api/v1/memory/import"
ZIP = {"Content-Type": "application/zip"}
CLEAR = "/api/v1/memory/preferences/clear"
INGEST = "/api/v1/memory/preferences/ingest"


@pytest.fixture
def grace(bench: Workbench) -> Person:
    return bench.person("grace")


@pytest.fixture
def backup(bench: Workbench, grace: Person, tmp_path: Path) -> Path:
    """A backup of when there was nothing but tea."""
    written(grace, "I like tea.")
    bench.work()
    dump(url(bench), tmp_path / "backup")
    return tmp_path / "backup"


def _accept(person: Person, wording: str, times: int = 1) -> None:
    for _ in range(times):
        person.post(INGEST, {"action": "accept", "evidence_ref": wording}, status=200)


def _signals(person: Person) -> list[Any]:
    return list(person.get("/api/v1/memory/preferences")["signals"])


def _restored_since(bench: Workbench, person: Person, backup: Path) -> str:
    """Restore a backup and repeat the forgets since; return what the operator reads."""
    restored(bench, backup)
    answers(bench, person, 503)
    told = replay(bench)
    assert told.exit_code == 0, told
    answers(bench, person, 200)
    bench.work()
    return told.stdout


@pytest.mark.parametrize("times", [1, 3], ids=["not yet learned", "learned"])
def test_feedback_that_was_cleared_does_not_come_back_with_an_older_package(
    bench: Workbench, grace: Person, times: int
) -> None:
    _accept(grace, "canary-bullets", times)
    bench.work()
    package = packed(grace)
    assert len(package.every("preference_signal")) == len(package.every("feedback")) == times
    grace.post(CLEAR, {}, status=202)
    bench.work()
    before = compared(packed(grace))

    counts = brought(grace, package.raw)

    assert counts["erased"] >= 2 * times
    assert bench.holds("canary-bullets") == []
    assert _signals(grace) == []
    assert compared(packed(grace)) == before
    _accept(grace, "canary-bullets", 2)  # counted anew: two are fewer than a preference needs
    bench.work()
    assert [one for one in grace.memories() if "canary-bullets" in one] == []


def test_cleared_feedback_comes_to_another_account(bench: Workbench, grace: Person) -> None:
    _accept(grace, "canary-bullets")
    bench.work()
    package = packed(grace)
    grace.post(CLEAR, {}, status=202)
    bench.work()
    eve = bench.person("eve")
    brought(eve, package.raw)
    assert len(_signals(eve)) == 1


def _message(person: Person, conversation: str, said: str) -> None:
    person.forget("message", message_id=said, cascade=True)


def _conversation(person: Person, conversation: str, said: str) -> None:
    person.forget("conversation", conversation_id=conversation)


def _clear(person: Person, conversation: str, said: str) -> None:
    person.post("/api/v1/clear", {"conversation_id": conversation}, status=202)


def _described(person: Person, conversation: str, said: str) -> None:
    found = person.post("/api/v1/memory/forget/find", {"description": "the canary-Skoda"}, status=200)
    person.forget("selection", token=found["token"])


@pytest.mark.few(2)
@pytest.mark.parametrize("forget", [_message, _conversation, _clear, _described])
def test_an_import_after_a_restore_rejects_forgotten_items_the_backup_never_had(
    bench: Workbench, grace: Person, backup: Path, forget: Callable[[Person, str, str], None]
) -> None:
    conversation = grace.conversation()
    [(said, _)] = grace.say(conversation, ("I drive a canary-Skoda.", "OK."))
    written(grace, "I cycle, too.")
    bench.work()
    package = packed(grace)
    assert {"I drive a canary-Skoda.", "I cycle, too."} <= {one["content"] for one in package.every("memory")}
    forget(grace, conversation, said)
    bench.work()
    told = _restored_since(bench, grace, backup)
    assert "1 concern nothing" in told

    brought(grace, package.raw)

    assert bench.holds("canary-Skoda") == []
    assert set(grace.memories()) == {"I like tea.", "I cycle, too."}


def test_memories_and_feedback_a_restored_backup_never_held_stay_forgotten(
    bench: Workbench, grace: Person, backup: Path
) -> None:
    _accept(grace, "canary-bullets", 3)
    canary = written(grace, "I own a canary.")["id"]
    bench.work()
    package = packed(grace)
    grace.post(CLEAR, {}, status=202)
    deleted(grace, canary)
    bench.work()
    assert "2 concern nothing" in _restored_since(bench, grace, backup)

    brought(grace, package.raw)

    assert bench.holds("canary") == []
    assert (_signals(grace), grace.memories()) == ([], ["I like tea."])


def test_what_was_forgotten_here_does_not_come_back_after_somebody_else_took_its_id(
    bench: Workbench, grace: Person
) -> None:
    _accept(grace, "canary-bullets")
    bench.work()
    package = packed(grace)
    grace.post(CLEAR, {}, status=202)
    bench.work()
    brought(bench.person("eve"), package.raw)
    assert preview(grace, package.raw)["new"].get("preference_signal", 0) == 0
    brought(grace, package.raw)
    assert _signals(grace) == []


def test_an_item_forgotten_under_a_new_id_is_not_imported_again_under_its_old_id(
    bench: Workbench, grace: Person
) -> None:
    eve = bench.person("eve")
    _accept(eve, "canary-bullets")
    bench.work()
    package = packed(eve)
    brought(grace, package.raw)
    assert len(_signals(grace)) == 1
    grace.post(CLEAR, {}, status=202)
    bench.work()
    eve.forget("user")
    bench.work()
    brought(grace, package.raw)
    assert _signals(grace) == []


def test_the_title_of_a_cleared_conversation_a_backup_never_held_does_not_come_back(
    bench: Workbench, grace: Person, backup: Path
) -> None:
    conversation = grace.conversation(title="canary-title")
    grace.say(conversation, ("I cycle.", "OK."))
    bench.work()
    package = packed(grace)
    _clear(grace, conversation, "")
    bench.work()
    _restored_since(bench, grace, backup)
    brought(grace, package.raw)
    assert [one["title"] for one in grace.get("/api/v1/conversations")] == [None]
    assert bench.holds("canary-title") == []


PEANUTS = "I'm allergic to peanuts."
CLAUDE = json.dumps([talk(("human", PEANUTS), ("assistant", "Noted."))]).encode()


def test_after_a_restore_another_products_export_does_not_reteach_a_deleted_memory(
    bench: Workbench, grace: Person, backup: Path
) -> None:
    brought(grace, CLAUDE)
    deleted(grace, next(one["id"] for one in grace.get("/api/v1/memory/long_term") if one["content"] == PEANUTS))
    bench.work()
    _restored_since(bench, grace, backup)
    brought(grace, CLAUDE)
    assert grace.memories() == ["I like tea."]
    [conversation] = grace.get("/api/v1/conversations")
    assert PEANUTS in str(grace.get("/api/v1/messages", conversation_id=conversation["id"])), "the message was kept"


def test_a_turn_that_lost_a_message_is_not_learned_from_again_after_a_restore(
    bench: Workbench, grace: Person, backup: Path
) -> None:
    brought(grace, CLAUDE)
    assert set(grace.memories()) == {"I like tea.", PEANUTS}
    [conversation] = grace.get("/api/v1/conversations")
    noted = grace.get("/api/v1/messages", conversation_id=conversation["id"])[1]
    grace.forget("message", message_id=noted["id"], cascade=False)
    bench.work()
    assert grace.memories() == ["I like tea."]
    _restored_since(bench, grace, backup)
    brought(grace, CLAUDE)
    assert grace.memories() == ["I like tea."]
    [left] = grace.get("/api/v1/messages", conversation_id=conversation["id"])
    assert left["content"] == PEANUTS


def test_an_export_that_grew_does_not_have_a_turn_learned_from_that_lost_a_message(
    bench: Workbench, grace: Person
) -> None:
    brought(grace, json.dumps([talk(("human", PEANUTS))]).encode())
    [conversation] = grace.get("/api/v1/conversations")
    [asked] = grace.get("/api/v1/messages", conversation_id=conversation["id"])
    grace.forget("message", message_id=asked["id"], cascade=True)
    bench.work()
    brought(grace, json.dumps([talk(("human", PEANUTS), ("assistant", "Your peanut allergy is noted."))]).encode())
    [said] = grace.get("/api/v1/messages", conversation_id=conversation["id"])
    assert said["role"] == "assistant"
    assert grace.get("/api/v1/memory/episodes", conversation_id=conversation["id"]) == []
    assert grace.memories() == []


def test_after_forgetting_everything_an_older_package_comes_back_only_when_asked_for(
    bench: Workbench, ada: Person
) -> None:
    package = packed(ada)
    before = ada.memories()
    deleted(ada, next(one["id"] for one in ada.get("/api/v1/memory/long_term") if "peanuts" in one["content"]))
    ada.post(CLEAR, {}, status=202)
    bench.work()
    op_id = ada.forget("user")
    bench.work()

    refused = bench.api.post(IMPORT, content=package.raw, headers=ada.headers | ZIP)
    assert_problem(refused, 409, "import_restores_forgotten")
    [forget] = refused.json()["details"]["forgets"]
    assert forget["op_id"] == op_id
    assert forget["forgotten_at"][:19] == ada.operation(op_id)["unrecallable_at"][:19]
    foreseen = preview(ada, package.raw)
    assert foreseen["returning"] == [forget]
    assert foreseen["new"]["memory"] < forget["records"] <= sum(foreseen["new"].values())
    bench.work()
    assert ada.memories() == []

    brought(ada, package.raw, restore_forgotten=True)

    assert [one for one in before if "peanuts" not in one] == ada.memories()
    assert not [one for one in ada.memories() if "peanuts" in one], "what was forgotten one by one stays so"
    assert _signals(ada) == []
    assert preview(ada, package.raw)["returning"] == [], "what is here already does not come back"


def test_an_import_nobody_confirmed_brings_nothing_back(bench: Workbench, grace: Person) -> None:
    """Whatever is accepted while the ledger does not know of the forget yet."""
    written(grace, "I own a canary.")
    bench.work()
    package = packed(grace)
    grace.forget("user")
    accepted = bench.api.post(IMPORT, content=package.raw, headers=grace.headers | ZIP)
    assert accepted.status_code == 202, accepted.text
    bench.hurry()
    bench.work()
    bench.hurry()
    bench.work()
    [step] = grace.operation(accepted.json()["op_id"])["steps"]
    assert (step["status"], step["counts"].get("memory")) == ("succeeded", None)
    assert (grace.memories(), bench.holds("canary")) == ([], [])


def test_a_memory_brought_alone_goes_with_its_message_that_is_here_already(bench: Workbench, grace: Person) -> None:
    other = bench.person()
    conversation = other.conversation()
    [(message, _)] = other.say(conversation, ("Do you know about hives?", "A little."))
    bench.work()
    talk_package = packed(other, "conversation", conversation_id=conversation).raw
    body = {"user_id": other.user_id, "content": "Keeps bees.", "provenance": {"message_id": message}}
    memory = bench.api.post("/api/v1/memory/long_term", json=body, headers=bench.service).json()["id"]
    alone = packed(other, "selection", ids=[memory]).raw
    for package in (talk_package, alone):
        brought(grace, package)
    assert grace.memories() == ["Keeps bees."]
    [talk] = grace.get("/api/v1/conversations")
    said = grace.get("/api/v1/messages", conversation_id=talk["id"])
    [here] = [one["id"] for one in said if one["role"] == "user"]

    grace.forget("message", message_id=here)

    assert grace.memories() == []


def test_other_packages_are_not_asked_about(bench: Workbench, grace: Person) -> None:
    eve = bench.person("eve")
    written(eve, "I play chess.")
    written(grace, "I own a canary.")
    bench.work()
    package = packed(eve)
    grace.forget("user")
    bench.work()
    brought(grace, package.raw)
    assert grace.memories() == ["I play chess."]
