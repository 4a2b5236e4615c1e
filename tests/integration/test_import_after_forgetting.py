"""What the ledger names stays forgotten, whatever a package holds and whatever a backup lost (P1, X-05, X-09)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.integration.test_export_contents import ada as ada  # noqa: PLC0414 # a fixture is found by its name
from tests.support.dumping import dump
from tests.support.importing import brought, compared
from tests.support.packages import packed
from tests.support.restoring import answers, replay, restored, url
from tests.support.units import deleted, written
from tests.support.workbench import Person, Workbench

CLEAR = "/api/v1/memory/preferences/clear"
INGEST = "/api/v1/memory/preferences/ingest"


@pytest.fixture
def grace(bench: Workbench) -> Person:
    return bench.person("grace")


def _accept(person: Person, wording: str, times: int = 1) -> None:
    for _ in range(times):
        person.post(INGEST, {"action": "accept", "evidence_ref": wording}, status=200)


def _signals(person: Person) -> list[Any]:
    return list(person.get("/api/v1/memory/preferences")["signals"])


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


@pytest.mark.parametrize("forget", [_message, _conversation, _clear, _described])
def test_what_a_restored_backup_never_held_and_was_forgotten_does_not_come_back_with_a_package(
    bench: Workbench, grace: Person, tmp_path: Path, forget: Callable[[Person, str, str], None]
) -> None:
    written(grace, "I like tea.")
    bench.work()
    dump(url(bench), tmp_path / "backup")
    conversation = grace.conversation()
    [(said, _)] = grace.say(conversation, ("I drive a canary-Skoda.", "OK."))
    written(grace, "I cycle, too.")
    bench.work()
    package = packed(grace)
    assert {"I drive a canary-Skoda.", "I cycle, too."} <= {one["content"] for one in package.every("memory")}
    forget(grace, conversation, said)
    bench.work()
    restored(bench, tmp_path / "backup")
    answers(bench, grace, 503)
    told = replay(bench)
    assert "1 concern nothing" in told.stdout, told
    answers(bench, grace, 200)
    bench.work()

    brought(grace, package.raw)

    assert bench.holds("canary-Skoda") == []
    assert set(grace.memories()) == {"I like tea.", "I cycle, too."}


def test_memories_and_feedback_a_restored_backup_never_held_stay_forgotten(
    bench: Workbench, grace: Person, tmp_path: Path
) -> None:
    written(grace, "I like tea.")
    bench.work()
    dump(url(bench), tmp_path / "backup")
    _accept(grace, "canary-bullets", 3)
    canary = written(grace, "I own a canary.")["id"]
    bench.work()
    package = packed(grace)
    grace.post(CLEAR, {}, status=202)
    deleted(grace, canary)
    bench.work()
    restored(bench, tmp_path / "backup")
    answers(bench, grace, 503)
    assert "2 concern nothing" in replay(bench).stdout
    answers(bench, grace, 200)
    bench.work()

    brought(grace, package.raw)

    assert bench.holds("canary") == []
    assert (_signals(grace), grace.memories()) == ([], ["I like tea."])


def test_after_forgetting_everything_what_was_forgotten_one_by_one_comes_too(bench: Workbench, ada: Person) -> None:
    package = packed(ada)
    deleted(ada, next(one["id"] for one in ada.get("/api/v1/memory/long_term") if "peanuts" in one["content"]))
    ada.post(CLEAR, {}, status=202)
    bench.work()
    ada.forget("user")
    bench.work()
    counts = brought(ada, package.raw)
    assert "erased" not in counts
    assert [one for one in ada.memories() if "peanuts" in one]
    assert len(_signals(ada)) == 1
