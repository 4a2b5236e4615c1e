"""What a turn teaches besides what is said: tasks, tools, feelings, levels; in privacy mode nothing that identifies."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from shared.memories.sql import levels
from tests.support.memories import deleted, edited, memory, patched, written
from tests.support.workbench import Person, Workbench
from workers.scheduler.memories import consolidate

LONG_TERM = "/api/v1/memory/long_term"


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def switch(person: Person, **wanted: Any) -> None:
    answer = person.bench.api.patch("/api/v1/memory/settings", json=wanted, headers=person.headers)
    assert answer.status_code == 200, answer.text


def record(person: Person, conversation: str, *messages: dict[str, Any]) -> list[str]:
    recorded = person.post("/api/v1/messages", {"conversation_id": conversation, "messages": list(messages)})
    return [one["id"] for one in recorded["messages"]]


def by_content(person: Person) -> dict[str, Any]:
    return {one["content"]: one for one in person.get(LONG_TERM, limit=200)}


def test_a_named_task_binds_the_turns_after_it_until_another_or_the_end(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(
        conversation,
        ("I live in Berlin.", "Noted."),
        ("接下来处理写文档。", "好的。"),
        ("I prefer Markdown tables.", "All right."),
        ("Let's fix the login bug.", "Sure."),
        ("I drive a Skoda.", "OK."),
    )
    ada.post(f"/api/v1/conversations/{conversation}/session-end", {}, status=200)
    ada.say(conversation, ("I own a canary.", "Nice."))
    bench.work()

    hints = {content: one["task_hint"] for content, one in by_content(ada).items()}

    assert hints == {
        "I live in Berlin.": None,
        "I prefer Markdown tables.": "写文档",
        "I drive a Skoda.": "fix the login bug",
        "I own a canary.": None,
    }


def test_a_tasks_name_goes_with_the_message_that_named_it(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(naming, _), _] = ada.say(conversation, ("Let's fix the canary-login bug.", "Sure."), ("I drive a Skoda.", "OK."))
    bench.work()
    assert by_content(ada)["I drive a Skoda."]["task_hint"] == "fix the canary-login bug"

    ada.forget("message", message_id=naming, cascade=True)
    assert "canary" not in str(ada.get(LONG_TERM))
    bench.work()

    assert by_content(ada)["I drive a Skoda."]["task_hint"] is None, "what else it says is learned again"
    assert bench.holds("canary-login") == []


def test_tools_and_the_end_of_a_task_are_learned_from(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ids = record(
        ada,
        conversation,
        {"role": "user", "content": "Let's fix the login bug."},
        {"role": "tool", "name": "pytest", "content": "collected 9 items\n1 failed: the cookie had expired"},
        {"role": "assistant", "content": "The cookie had expired."},
        {"role": "user", "content": "Thanks! I fixed it, it was the cookie."},
        {"role": "assistant", "content": "Good."},
    )
    bench.work()

    found = by_content(ada)
    tool = found["pytest: 1 failed: the cookie had expired"]
    assert (tool["content_type"], tool["task_hint"]) == ("tool_experience", "fix the login bug")
    assert (tool["provenance"]["source_type"], tool["provenance"]["message_id"]) == ("tool", ids[1])
    assert tool["sources"][0]["quote"] == "1 failed: the cookie had expired"
    ended = found["fix the login bug: I fixed it, it was the cookie."]
    assert (ended["content_type"], ended["provenance"]["source_type"]) == ("task_outcome", "user")
    # Another time it goes otherwise, and neither is wrong; the same again is evidence.
    record(
        ada,
        conversation,
        {"role": "user", "content": "Once more."},
        {"role": "tool", "name": "pytest", "content": "9 passed"},
        {"role": "tool", "name": "pytest", "content": "1 failed: the cookie had expired"},
        {"role": "assistant", "content": "Hm."},
    )
    bench.work()
    again = by_content(ada)
    assert {one["validity"] for one in again.values()} == {"active"}
    assert set(again) - set(found) == {"pytest: 9 passed"}
    assert len(again[tool["content"]]["sources"]) == 2


def test_a_feeling_is_kept_with_its_memory_and_taken_along(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I work at the zoo, and I'm proud of it.", "Great!"))
    bench.work()
    [told] = [one for one in by_content(ada).values() if one["emotion"]]
    assert told["emotion"] == {"valence": 0.8, "arousal": 0.6, "label": "proud"}
    by_hand = written(ada, "I moved house.", emotion={"valence": -0.5, "arousal": 0.75, "label": "焦虑"})
    assert memory(ada, by_hand["id"])["emotion"]["label"] == "焦虑"
    changed = edited(ada, by_hand["id"], emotion={"valence": 0.5, "arousal": 0, "label": "calm"})
    assert changed["emotion"] == {"valence": 0.5, "arousal": 0.0, "label": "calm"}
    assert edited(ada, changed["id"], importance=7)["emotion"]["label"] == "calm"
    assert patched(ada, changed["id"], {"emotion": {"valence": 2, "arousal": 0, "label": "x"}}).status_code == 422
    secret = {"valence": 0, "arousal": 0, "label": "my PIN is 4711"}
    assert bench.api.post(LONG_TERM, json={"content": "x", "emotion": secret}, headers=ada.headers).status_code == 422


def test_what_a_session_taught_is_consolidated_when_it_ends(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I live in Berlin.", "Noted."), ("I live in Hamburg now.", "Noted."))
    written(ada, "I play chess.")
    bench.work()
    assert {content: one["level"] for content, one in by_content(ada).items()} == {
        "I live in Berlin.": "L1",
        "I live in Hamburg now.": "L1",
        "I play chess.": "L2",
    }

    ada.post(f"/api/v1/conversations/{conversation}/session-end", {}, status=200)
    bench.work()

    found = by_content(ada)
    assert found["I live in Hamburg now."]["level"] == "L2"
    assert (found["I live in Berlin."]["level"], found["I live in Berlin."]["validity"]) == ("L1", "superseded")
    assert [one["content"] for one in ada.get(LONG_TERM, level="L1")] == ["I live in Berlin."]
    history = ada.get(f"{LONG_TERM}/{found['I live in Hamburg now.']['id']}/history")
    assert history["events"][-1]["type"] == "MemoryConsolidated"


def test_quiet_conversations_are_consolidated_in_batches(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada.say(ada.conversation(), ("I own a canary.", "Nice."))
    bench.work()
    assert consolidate(bench.database) == 0, "it may go on any moment"
    monkeypatch.setattr(levels, "QUIET_SECONDS", -timedelta(minutes=1).total_seconds())
    assert consolidate(bench.database) == 1
    assert consolidate(bench.database) == 0
    assert by_content(ada)["I own a canary."]["level"] == "L2"


def test_in_privacy_mode_nothing_that_identifies_anybody_is_learned(bench: Workbench, ada: Person) -> None:
    switch(ada, privacy_mode_enabled=True)
    conversation = ada.conversation()
    ada.say(
        conversation,
        ("I live in Berlin. I hate mushrooms.", "Noted."),
        ("My sister Anna is allergic to nuts. I'm allergic to peanuts.", "Noted."),
        ("我住在上海。我喜欢喝绿茶。", "好的。"),
        ("Let's write the letter to Siemens.", "Sure."),
        ("I prefer tables.", "OK."),
    )
    bench.work()

    found = by_content(ada)

    assert set(found) == {
        "I hate mushrooms.",
        "I'm allergic to peanuts.",
        "我喜欢喝绿茶。",
        "I prefer tables.",
    }
    assert {one["task_hint"] for one in found.values()} == {None}
    switch(ada, privacy_mode_enabled=False)
    ada.say(conversation, ("I work at Siemens.", "OK."))
    bench.work()
    assert "I work at Siemens." in by_content(ada)


def test_in_privacy_mode_feedback_teaches_by_its_label_alone(bench: Workbench, ada: Person) -> None:
    switch(ada, privacy_mode_enabled=True)
    for evidence, outcome in (("my cat Bella", "ignored"), ("shorter, Bella", "counted")):
        for number in range(3):
            body = {"action": "accept", "evidence_ref": evidence}
            answer = ada.post("/api/v1/memory/preferences/ingest", body, status=200)
            assert answer["outcome"] == ("learned" if outcome == "counted" and number == 2 else outcome)
    assert ada.memories() == ["Prefers: length"]
    ada.post("/api/v1/feedback", {"rating": 1, "comment": "Bella said so"})
    assert bench.holds("Bella") == []


def test_a_memory_that_was_deleted_is_not_consolidated(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I own a canary.", "Nice."))
    bench.work()
    [one] = by_content(ada).values()
    ada.post(f"/api/v1/conversations/{conversation}/session-end", {}, status=200)
    deleted(ada, one["id"])
    bench.work()
    assert by_content(ada) == {}
