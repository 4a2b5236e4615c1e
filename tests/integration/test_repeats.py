"""Sending something again: a client message id counts once, however often and from wherever it comes."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.overlap import together
from tests.support.workbench import Person, Workbench


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def batch(conversation: str, *messages: dict[str, Any]) -> dict[str, Any]:
    return {"conversation_id": conversation, "messages": list(messages)}


def message(client_message_id: str | None, content: str = "hello", **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, "client_message_id": client_message_id, **more}


def contents(person: Person, conversation: str) -> list[str]:
    return [one["content"] for one in person.get("/api/v1/messages", conversation_id=conversation, limit=200)]


def test_a_repeated_client_message_id_changes_nothing(ada: Person) -> None:
    conversation = ada.conversation()
    [first] = ada.post("/api/v1/messages", batch(conversation, message("m-1")))["messages"]
    before = ada.get(f"/api/v1/messages/{first['id']}")

    other = message("m-1", "something else", completed=False, name="x")
    [again] = ada.post("/api/v1/messages", batch(conversation, other))["messages"]

    assert again == {"id": first["id"], "outcome": "repeated"}
    assert ada.get(f"/api/v1/messages/{first['id']}") == before
    assert contents(ada, conversation) == ["hello"]


def test_a_client_message_id_repeated_inside_one_batch_counts_once(ada: Person) -> None:
    conversation = ada.conversation()
    sent = batch(conversation, message("m-1", "first"), message(None, "between"), message("m-1", "second"))

    found = ada.post("/api/v1/messages", sent)["messages"]

    assert [one["outcome"] for one in found] == ["recorded", "recorded", "repeated"]
    assert found[0]["id"] == found[2]["id"]
    assert contents(ada, conversation) == ["first", "between"]


def test_a_message_may_be_completed_inside_the_batch_that_began_it(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    begun = {"role": "assistant", "content": "No", "completed": False, "client_message_id": "a-1"}
    done = begun | {"content": "Noted.", "completed": True}

    sent = batch(conversation, message("u-1", "I'm allergic to peanuts."), begun, done)
    found = ada.post("/api/v1/messages", sent)["messages"]

    assert [one["outcome"] for one in found] == ["recorded", "recorded", "completed"]
    assert contents(ada, conversation) == ["I'm allergic to peanuts.", "Noted."]
    bench.work()
    assert ada.memories() == ["I'm allergic to peanuts."]


def test_a_batch_may_mix_known_and_new_messages(ada: Person) -> None:
    conversation = ada.conversation()
    ada.post("/api/v1/messages", batch(conversation, message("m-1", "1"), message("m-2", "2")))

    sent = batch(conversation, *(message(f"m-{n}", str(n)) for n in range(1, 5)))
    found = ada.post("/api/v1/messages", sent)["messages"]

    assert Counter(one["outcome"] for one in found) == {"repeated": 2, "recorded": 2}
    assert contents(ada, conversation) == ["1", "2", "3", "4"]


def test_client_message_ids_belong_to_their_conversation(ada: Person) -> None:
    one, other = ada.conversation(), ada.conversation()
    for conversation in (one, other):
        ada.post("/api/v1/messages", batch(conversation, message("m-1")))

    assert contents(ada, one) == contents(ada, other) == ["hello"]


def test_messages_without_a_client_id_are_never_taken_for_repeats(ada: Person) -> None:
    conversation = ada.conversation()
    for _ in range(2):
        ada.post("/api/v1/messages", batch(conversation, message(None), message(None)))

    assert contents(ada, conversation) == ["hello"] * 4


def test_a_repeat_is_learned_from_once(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    answer = {"role": "assistant", "content": "Noted.", "client_message_id": "a-1"}
    turn = batch(conversation, message("u-1", "I'm allergic to peanuts."), answer)
    for _ in range(3):
        ada.post("/api/v1/messages", turn)
        bench.work()

    assert ada.memories() == ["I'm allergic to peanuts."]
    assert len(ada.get("/api/v1/memory/episodes", conversation_id=conversation)) == 1


def test_the_same_client_message_sent_at_once_is_recorded_once(ada: Person) -> None:
    conversation = ada.conversation()
    sent = batch(conversation, message("m-1"), message("m-2"))

    answers = together(ada, *[lambda: ada.post("/api/v1/messages", sent)] * 4)

    outcomes = Counter(one["outcome"] for answer in answers for one in answer["messages"])
    assert outcomes == {"recorded": 2, "repeated": 6}
    assert len({one["id"] for answer in answers for one in answer["messages"]}) == 2
    assert contents(ada, conversation) == ["hello"] * 2


def test_batches_sent_at_once_are_recorded_whole_and_one_after_the_other(ada: Person) -> None:
    conversation = ada.conversation()

    def send(writer: int) -> None:
        for n in range(5):
            texts = [f"{writer}.{n}.{place}" for place in range(3)]
            ada.post("/api/v1/messages", batch(conversation, *(message(text, text) for text in texts)))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(send, range(4)))

    found = ada.get("/api/v1/messages", conversation_id=conversation, limit=200)
    assert [one["seq"] for one in found] == list(range(1, 61))
    texts = [one["content"] for one in found]
    assert all(texts[at : at + 3] == [texts[at][:-1] + place for place in "012"] for at in range(0, 60, 3))
    for writer in range(4):
        assert [text for text in texts if text.startswith(f"{writer}.")] == [
            f"{writer}.{n}.{place}" for n in range(5) for place in range(3)
        ]
