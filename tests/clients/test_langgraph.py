"""LangGraph's store and LangChain's chat history are a person's memory."""

from __future__ import annotations

from typing import Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore, InvalidNamespaceError

from memory_center_client import MemoryCenter, NotFound
from memory_center_client.adapters.langgraph import ChatHistory, MemoryStore
from tests.clients.conftest import Person, until


def test_what_is_put_is_got_searched_changed_and_forgotten(ada: Person, center: MemoryCenter) -> None:
    store, mine = MemoryStore(center), ("memories", ada.user_id)
    store.put(mine, "drink", {"text": "Ada drinks oolong tea.", "confidence": 0.9, "kind": "taste"})
    store.put(mine, "pet", {"content": "Ada has a parrot named Coco.", "kind": "pet"})
    item = store.get(mine, "drink")
    assert item is not None
    assert (item.key, item.value) == (
        "drink",
        {"text": "Ada drinks oolong tea.", "confidence": 0.9, "kind": "taste"},
    )
    assert [one.key for one in store.search(mine)] == ["pet", "drink"]
    assert [one.key for one in store.search(mine, filter={"kind": {"$eq": "pet"}})] == ["pet"]
    until(lambda: [one.key for one in store.search(mine, query="What does she drink?", limit=1)] == ["drink"])

    store.put(mine, "drink", {"text": "Ada drinks coffee."})
    changed = store.get(mine, "drink")
    assert changed is not None
    assert changed.value == {"text": "Ada drinks coffee."}
    store.delete(mine, "drink")
    assert store.get(mine, "drink") is None
    assert [one.key for one in store.search(mine)] == ["pet"]
    store.put(mine, "drink", {"text": "Ada drinks water."})
    assert [one["content"] for one in center.memories.list(external_id="drink")] == ["Ada drinks water."]


def test_what_was_learned_is_there_and_what_was_forgotten_is_not(ada: Person, center: MemoryCenter) -> None:
    conversation = center.conversations.create()
    said: list[Any] = [{"role": "user", "content": "I'm allergic to peanuts."}, {"role": "assistant", "content": "OK."}]
    center.messages.record(conversation, said)
    ada.learned("peanuts")
    store, mine = MemoryStore(center), ("memories", ada.user_id)
    [item] = store.search(mine)
    assert (
        store.get(mine, item.key)
        == item.__class__(
            value=item.value, key=item.key, namespace=mine, created_at=item.created_at, updated_at=item.updated_at
        )
        or store.get(mine, item.key).value == item.value
    )  # type: ignore[union-attr]
    center.conversations.delete(conversation)
    assert store.get(mine, item.key) is None
    assert store.search(mine, query="peanuts") == []


def test_what_the_person_keeps_from_assistants_is_no_item(ada: Person, center: MemoryCenter) -> None:
    store, mine = MemoryStore(center), ("memories", ada.user_id)
    for key in ("bees", "goats"):
        store.put(mine, key, {"text": f"I keep {key}."})
    [bees] = center.memories.list(external_id="bees")
    center.memories.update(bees["id"], disabled=True)
    assert [one.key for one in store.search(mine)] == ["goats"]
    assert store.get(mine, "bees") is None
    [goats] = center.memories.list(external_id="goats")
    center.memories.update(goats["id"], scope="project", project_id="farm")
    assert (store.search(mine), store.get(mine, "goats")) == ([], None)
    store.put(mine, "hens", {"text": "I keep hens."})
    center.settings.update(injection_enabled=False)
    assert (store.search(mine), store.get(mine, "hens")) == ([], None)
    for key in ("bees", "goats", "hens"):
        store.delete(mine, key)
    assert list(center.memories.list()) == [], "what is not shown is forgotten all the same"


def test_an_item_without_a_key_of_its_own_keeps_its_key_when_it_is_put(ada: Person, center: MemoryCenter) -> None:
    store, mine = MemoryStore(center), ("memories", ada.user_id)
    key = center.memories.create("Ada has a parrot.")["id"]
    for words in ("Ada has two parrots.", "Ada has three parrots."):
        store.put(mine, key, {"content": words})
        item = store.get(mine, key)
        assert item is not None
        assert item.value == {"content": words}
    assert [one.key for one in store.search(mine)] == [key]
    store.delete(mine, key)
    assert store.search(mine) == []


def test_a_namespace_is_one_person_and_nobody_elses(ada: Person, eve: Person, center: MemoryCenter) -> None:
    store = MemoryStore(center)
    store.put(("memories", ada.user_id), "pet", {"content": "Ada has a parrot."})
    for namespace in (("memories",), ("docs", ada.user_id), ("memories", ada.user_id, "more")):
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "pet", {"content": "x"})
        with pytest.raises(InvalidNamespaceError):
            store.search(namespace)
    with pytest.raises(NotFound):
        store.get(("memories", eve.user_id), "pet")
    with pytest.raises(NotImplementedError):
        store.list_namespaces()


@pytest.mark.parametrize(
    "value", [{"a": 1}, {"content": ["x"]}, {"content": "x", "more": {"a": 1}}, {"content": "x", "more": None}]
)
def test_what_a_memory_cannot_keep_is_refused(ada: Person, center: MemoryCenter, value: dict[str, Any]) -> None:
    store = MemoryStore(center)
    with pytest.raises(ValueError, match=r"memory keeps|needs a text"):
        store.put(("memories", ada.user_id), "key", value)
    with pytest.raises(NotImplementedError):
        store.search(("memories", ada.user_id), filter={"a": {"$gt": 1}})
    with pytest.raises(NotImplementedError, match="query"):
        store.search(("memories", ada.user_id), filter={"content": "x"})
    assert list(center.memories.list()) == []


class State(TypedDict):
    user_id: str
    question: str
    answer: str


def test_a_graph_remembers_across_its_runs(ada: Person, center: MemoryCenter) -> None:
    def answer(state: State, *, store: BaseStore) -> dict[str, str]:
        mine = ("memories", state["user_id"])
        found = store.search(mine, query=state["question"], limit=3)
        store.put(mine, "last-question", {"content": f"Ada asked: {state['question']}"})
        return {"answer": " | ".join(str(one.value["content"]) for one in found)}

    graph = StateGraph(State)
    graph.add_node("answer", answer)
    graph.add_edge(START, "answer")
    graph.add_edge("answer", END)
    compiled = graph.compile(store=MemoryStore(center))

    def ask(question: str) -> str:
        return str(compiled.invoke({"user_id": ada.user_id, "question": question, "answer": ""})["answer"])

    assert ask("Where do I live?") == ""
    assert until(lambda: "Where do I live?" in ask("Where do I live?"))


async def test_the_store_can_be_awaited(ada: Person, center: MemoryCenter) -> None:
    store, mine = MemoryStore(center), ("memories", ada.user_id)
    await store.aput(mine, "pet", {"content": "Ada has a parrot."})
    found = await store.aget(mine, "pet")
    assert found is not None
    assert found.value == {"content": "Ada has a parrot."}


def test_a_chat_history_is_a_conversation_that_is_learned_from(ada: Person, center: MemoryCenter) -> None:
    history = ChatHistory(center)
    assert history.messages == []
    call = {"name": "weather", "args": {"city": "Rome"}, "id": "call-1", "type": "tool_call"}
    said = [
        SystemMessage("You are kind."),
        HumanMessage("I live in Rome."),
        AIMessage("", tool_calls=[call]),
        ToolMessage("sunny", tool_call_id="call-1"),
        AIMessage("It is sunny."),
    ]
    history.add_messages(said)
    again = ChatHistory(center, history.conversation_id).messages
    assert [(one.type, one.content) for one in again] == [(one.type, one.content) for one in said]
    assert again[2].tool_calls == [call]  # type: ignore[attr-defined]
    assert any("Rome" in one for one in ada.learned("Rome"))
    assert not any("sunny" in one for one in ada.learned("Rome")), "results of tools are not learned from"
    history.add_messages([HumanMessage("word " * 10_000), ToolMessage("x" * 100_000, tool_call_id="call-2")])
    assert [len(one.content) > 10_000 for one in history.messages[5:]] == [True, True, True], "in parts, or cut"
    history.clear()
    assert (history.messages, list(center.memories.list())) == ([], [])
