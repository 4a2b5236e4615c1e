"""Conversations are told apart by how they begin, and found by what was said in them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.workbench import Person, Workbench

CONVERSATIONS = "/api/v1/conversations"


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def talk(person: Person, *said: str, title: str | None = None) -> str:
    """Begin a conversation in which a person says something, and the assistant answers each time."""
    conversation: str = person.conversation(title=title)
    for words in said:
        messages = [{"role": "user", "content": words}, {"role": "assistant", "content": "Noted."}]
        person.post("/api/v1/messages", {"conversation_id": conversation, "messages": messages})
    return conversation


def opening(person: Person, conversation: str) -> str | None:
    found: str | None = person.get(f"{CONVERSATIONS}/{conversation}")["opening"]
    return found


def search(person: Person, query: str, **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.post(f"{CONVERSATIONS}/search", {"query": query, **more}, status=200)
    return found


def test_a_conversation_is_called_by_how_it_begins_for_as_long_as_that_is_there(ada: Person) -> None:
    conversation = talk(ada, "Plan a trip to Lisbon. I have four days.", "我住在上海。明天呢？")
    assert opening(ada, conversation) == "Plan a trip to Lisbon"
    first = ada.get("/api/v1/messages", conversation_id=conversation)[0]["id"]

    ada.post("/api/v1/memory/forget", {"scope": "message", "message_id": first, "cascade": False}, status=202)

    assert opening(ada, conversation) == "我住在上海"
    assert ada.get(CONVERSATIONS)[0]["opening"] == "我住在上海"
    assert opening(ada, ada.conversation()) is None


def test_what_is_sensitive_is_masked_where_conversations_are_listed_and_found(ada: Person) -> None:
    conversation = talk(ada, "my password is hunter2butlonger and I like tea")
    assert "hunter2" not in str(opening(ada, conversation))
    [found] = search(ada, "password tea")
    assert "hunter2" not in str(found["quote"])


def test_conversations_are_found_by_words_of_one_message_or_of_the_title(bench: Workbench, ada: Person) -> None:
    trip = talk(ada, "I love the tiles of Lisbon.", "And the trams.")
    named = talk(ada, "Hello.", title="Trams of the world")
    chinese = talk(ada, "我下周去里斯本，坐电车。")
    talk(bench.person("grace"), "Trams of Lisbon.")

    assert [one["id"] for one in search(ada, "TRAMS")] == [named, trip]
    assert [one["quote"] for one in search(ada, "trams")] == [None, "And the trams."]
    assert [one["id"] for one in search(ada, "lisbon tiles")] == [trip]
    assert search(ada, "lisbon trams") == []
    assert [(one["id"], one["quote"]) for one in search(ada, "里斯本 电车")] == [(chinese, "我下周去里斯本，坐电车。")]
    assert [one["id"] for one in search(ada, "trams", limit=1)] == [named]
    for unusual in ("%", "_", "\\", "   ", "100%"):
        assert search(ada, unusual) == []


def test_what_was_forgotten_is_found_no_more(ada: Person) -> None:
    conversation = talk(ada, "I love the tiles of Lisbon.")
    said = ada.get("/api/v1/messages", conversation_id=conversation)[0]["id"]
    assert search(ada, "tiles")[0]["message_id"] == said
    ada.post("/api/v1/memory/forget", {"scope": "message", "message_id": said, "cascade": False}, status=202)
    assert search(ada, "tiles") == []
