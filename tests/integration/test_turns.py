"""Which messages belong together, and what a session's end does with those that stayed alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.small_api import assert_problem
from tests.support.workbench import Person, Workbench

ROLES = {"u": "user", "a": "assistant", "t": "tool", "s": "system"}

CASES: list[tuple[str, list[int], list[str], list[str]]] = [
    # letters are roles, capitals are still being written; turn of each message; episodes at once; after the session
    ("ua", [1, 1], ["u0|a1"], ["u0|a1"]),
    ("uaua", [1, 1, 2, 2], ["u0|a1", "u2|a3"], ["u0|a1", "u2|a3"]),
    ("uua", [1, 1, 1], ["u|a2"], ["u|a2"]),
    ("sua", [1, 1, 1], ["u1|a2"], ["u1|a2"]),
    ("uta", [1, 1, 1], ["u0|a2"], ["u0|a2"]),
    ("a", [1], [], ["-|a0"]),
    ("aua", [1, 2, 2], ["u1|a2"], ["-|a0", "u1|a2"]),
    ("uau", [1, 1, 2], ["u0|a1"], ["u0|a1", "u2|-"]),
    ("uaa", [1, 1, 2], ["u0|a1"], ["u0|a1", "-|a2"]),
    ("u", [1], [], ["u0|-"]),
    ("uA", [1, 1], [], ["u0|-"]),
    ("A", [1], [], []),
    ("uAua", [1, 1, 1, 1], ["u|a3"], ["u|a3"]),
    ("uaUa", [1, 1, 2, 2], ["u0|a1"], ["-|a3", "u0|a1"]),
    ("U", [1], [], []),
]


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def record(person: Person, conversation: str, letters: str) -> list[int]:
    """Record one message per letter in one batch; return the turns they were put in."""
    messages = [
        {"role": ROLES[letter.lower()], "content": f"{letter}{n}", "completed": letter.islower()}
        for n, letter in enumerate(letters)
    ]
    person.post("/api/v1/messages", {"conversation_id": conversation, "messages": messages})
    return [one["turn"] for one in person.get("/api/v1/messages", conversation_id=conversation)]


def episodes(person: Person, conversation: str) -> list[str]:
    found: list[Any] = person.get("/api/v1/memory/episodes", conversation_id=conversation)
    return [f"{one['user_message'] or '-'}|{one['assistant_message'] or '-'}" for one in reversed(found)]


def end_session(person: Person, conversation: str) -> Any:
    return person.post(f"/api/v1/conversations/{conversation}/session-end", {}, status=200)


def matches(found: list[str], expected: list[str]) -> bool:
    # "u" alone stands for whichever of the turn's user messages is shown
    return len(found) == len(expected) and all(
        f == e or (e.startswith("u|") and f[0] == "u" and f.split("|")[1] == e.split("|")[1])
        for f, e in zip(found, expected, strict=True)
    )


def test_a_turn_ends_at_the_next_completed_answer_and_the_rest_waits_for_session_end(
    bench: Workbench, ada: Person
) -> None:
    conversations = [ada.conversation() for _ in CASES]
    for conversation, (letters, turns, _, _) in zip(conversations, CASES, strict=True):
        assert record(ada, conversation, letters) == turns, letters
    bench.work()
    for conversation, (letters, _, at_once, _) in zip(conversations, CASES, strict=True):
        found = episodes(ada, conversation)
        assert matches(found, at_once), (letters, found)
        end_session(ada, conversation)
    bench.work()
    for conversation, (letters, _, _, afterwards) in zip(conversations, CASES, strict=True):
        found = sorted(episodes(ada, conversation))
        assert matches(found, sorted(afterwards)), (letters, found)


def test_a_turn_does_not_depend_on_how_its_messages_were_batched(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    for letter in "uua":
        message = {"role": ROLES[letter], "content": letter}
        ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": [message]})
    bench.work()

    assert {one["turn"] for one in ada.get("/api/v1/messages", conversation_id=conversation)} == {1}
    assert len(episodes(ada, conversation)) == 1


def test_a_session_end_learns_from_what_was_left_unpaired(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    message = {"role": "user", "content": "I'm allergic to peanuts."}
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": [message]})
    bench.work()
    assert ada.memories() == []

    assert end_session(ada, conversation) == {"conversation_id": conversation, "session": 1}
    bench.work()

    assert ada.memories() == ["I'm allergic to peanuts."]
    assert ada.search("nuts", conversation_id=conversation) != []


def test_no_turn_crosses_the_end_of_a_session(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    record(ada, conversation, "u")
    end_session(ada, conversation)

    assert record(ada, conversation, "a") == [1, 2]
    assert [one["session"] for one in ada.get("/api/v1/messages", conversation_id=conversation)] == [1, 2]
    assert ada.get(f"/api/v1/conversations/{conversation}")["session"] == 2


def test_ending_a_session_twice_indexes_nothing_twice(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    record(ada, conversation, "uau")
    assert [end_session(ada, conversation)["session"] for _ in range(2)] == [1, 2]
    bench.work()

    assert episodes(ada, conversation) == ["u0|a1", "u2|-"]


def test_the_session_of_a_forgotten_conversation_cannot_end(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.forget("conversation", conversation_id=conversation)

    answer = bench.api.post(f"/api/v1/conversations/{conversation}/session-end", headers=ada.headers)

    assert_problem(answer, 410, "conversation_forgotten")


def test_a_message_forgotten_before_the_session_ended_is_not_indexed(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    record(ada, conversation, "u")
    [message] = ada.get("/api/v1/messages", conversation_id=conversation)
    ada.forget("message", message_id=message["id"])

    end_session(ada, conversation)
    bench.work()

    assert episodes(ada, conversation) == []


def test_a_question_completed_after_its_answer_is_learned_at_session_end(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    question = {"role": "user", "content": "I'm", "completed": False, "client_message_id": "q"}
    messages = [question, {"role": "assistant", "content": "Noted."}]
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": messages})
    done = question | {"content": "I'm allergic to peanuts.", "completed": True}
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": [done]})
    end_session(ada, conversation)
    bench.work()

    assert ada.memories() == ["I'm allergic to peanuts."]
