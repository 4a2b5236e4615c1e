"""What mem0's callers decide while it works: prompts, refusals and deadlines."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest

from shared.stores.breaker import FAILURES_TO_OPEN, Breaker
from shared.stores.mem0 import LanguageModel, Mem0Store
from shared.stores.mem0_calls import WriteCall, writing
from shared.stores.milvus_client import MilvusConnection
from shared.stores.port import FenceLost, StoreFailed, StoreUnavailable
from tests.contract.conftest import Milvus, RecordingLock, Visibility
from tests.support.mem0_stores import Announcements, WordEmbedder, agreed, entities, ignored, seed_entity
from tests.support.scripted_llm import ScriptedLlm

SAID = [{"role": "user", "content": "tea"}]


class DatabaseGone(Exception):
    """Stands for whatever PostgreSQL's driver raises."""


def broken(*_args: object) -> Any:
    raise DatabaseGone("canary")


def a_store(
    connection: MilvusConnection, milvus: Milvus, lock: RecordingLock, llm: ScriptedLlm, *, visible: Callable[..., Any]
) -> Mem0Store:
    return Mem0Store(
        connection,
        flavour=milvus.flavour,
        lock=lock,
        visible=visible,
        embedder=WordEmbedder(),
        llm=LanguageModel(base_url=llm.base_url, model="scripted", api_key="key", timeout=5),
    )


def test_a_prompt_is_agreed_to_with_the_memories_it_holds(
    mem0: Mem0Store, namespace: UUID, llm: ScriptedLlm, visibility: Visibility
) -> None:
    shown, hidden = (mem0.remember(namespace, text, announce=ignored)[0].key for text in ("tea one", "tea two"))
    mem0.remember(uuid4(), "tea of a stranger", announce=ignored)
    visibility.hidden.add(hidden)
    asked: list[tuple[list[UUID], int]] = []

    mem0.learn(
        namespace,
        SAID,
        announce=ignored,
        before_prompt=lambda keys: asked.append((list(keys), len(llm.prompts))),
    )

    assert asked == [([shown], 0)]  # once, before anything was sent
    assert len(llm.prompts) == 1
    assert "tea one" in llm.prompts[0]


def test_only_the_memories_of_the_prompt_are_named(mem0: Mem0Store, namespace: UUID, llm: ScriptedLlm) -> None:
    keys = {mem0.remember(namespace, f"tea {n}", announce=ignored)[0].key for n in range(14)}
    asked: list[UUID] = []

    mem0.learn(namespace, SAID, announce=ignored, before_prompt=asked.extend)

    assert len(asked) == 10  # as many as mem0 shows
    assert set(asked) < keys


@pytest.mark.parametrize("refusal", [FenceLost(), DatabaseGone("gone"), StoreUnavailable("milvus")])
def test_a_prompt_that_is_not_agreed_to_is_never_sent(
    mem0: Mem0Store, namespace: UUID, llm: ScriptedLlm, refusal: Exception
) -> None:
    llm.will_extract("tea is green")
    announced = Announcements()

    def refuse(_keys: Sequence[UUID]) -> None:
        raise refusal

    with pytest.raises(type(refusal)) as caught:
        mem0.learn(namespace, SAID, announce=announced, before_prompt=refuse)

    assert caught.value is refusal
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert llm.prompts == []
    assert announced.calls == 0
    assert mem0.keys(namespace) == set()


def test_what_visible_raises_while_searching_comes_out_unchanged(
    mem0: Mem0Store,
    milvus: Milvus,
    connection: MilvusConnection,
    lock: RecordingLock,
    namespace: UUID,
    llm: ScriptedLlm,
) -> None:
    mem0.remember(namespace, "likes tea", announce=ignored)
    store = a_store(connection, milvus, lock, llm, visible=broken)

    with pytest.raises(DatabaseGone, match="canary"):
        store.search(namespace, "tea", limit=3)
    with pytest.raises(DatabaseGone, match="canary"):
        store.learn(namespace, SAID, announce=ignored, before_prompt=agreed)

    assert llm.prompts == []


def test_what_visible_raises_in_a_thread_of_mem0_comes_out_unchanged(
    mem0: Mem0Store,
    milvus: Milvus,
    connection: MilvusConnection,
    lock: RecordingLock,
    namespace: UUID,
    llm: ScriptedLlm,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mem0.memory.main.extract_entities", lambda _text: [("PROPER", "Kyoto")])
    memory = mem0.remember(namespace, "lives in Kyoto", announce=ignored)[0].key
    seed_entity(mem0, namespace, "Kyoto", [memory])
    calls = 0

    def visible(keys: Sequence[UUID]) -> set[UUID]:
        nonlocal calls
        calls += 1
        if calls == (3 if store._memories._knows_text() else 2):  # after the memories: mem0 asks for entities
            raise DatabaseGone
        return set(keys)

    store = a_store(connection, milvus, lock, llm, visible=visible)

    with pytest.raises(DatabaseGone):
        store.search(namespace, "Kyoto", limit=3)


def test_what_visible_raises_while_entities_are_linked_comes_out_unchanged(
    mem0: Mem0Store,
    milvus: Milvus,
    connection: MilvusConnection,
    lock: RecordingLock,
    namespace: UUID,
    llm: ScriptedLlm,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mem0.memory.main.extract_entities_batch", lambda texts: [[("PROPER", "Kyoto")] for _ in texts])
    memory = mem0.remember(namespace, "lives in Kyoto", announce=ignored)[0].key
    seed_entity(mem0, namespace, "Kyoto", [memory])
    llm.will_extract("works in Kyoto")
    announced = Announcements()
    visible = Visibility()
    store = a_store(connection, milvus, lock, llm, visible=lambda keys: broken() if announced.calls else visible(keys))

    with pytest.raises(DatabaseGone):
        store.learn(namespace, SAID, announce=announced, before_prompt=agreed)

    assert mem0.keys(namespace) >= {key for key, _, _ in announced.made}  # what was written had been announced


def test_what_recent_messages_raises_comes_out_unchanged(mem0: Mem0Store, namespace: UUID, llm: ScriptedLlm) -> None:
    with pytest.raises(DatabaseGone):
        mem0.learn(namespace, SAID, announce=ignored, before_prompt=agreed, recent_messages=broken)

    assert llm.prompts == []


def test_an_unexpected_failure_of_mem0_may_be_retried_and_quotes_nothing(
    mem0: Mem0Store, namespace: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_values: object) -> None:
        raise KeyError("canary")

    monkeypatch.setattr("mem0.memory.main.lemmatize_for_bm25", fail)

    for act in (
        lambda: mem0.search(namespace, "tea", limit=3),
        lambda: mem0.remember(namespace, "tea", announce=ignored),
    ):
        with pytest.raises(StoreFailed) as caught:
            act()
        assert str(caught.value) == "mem0 failed with KeyError"
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None


def test_a_text_that_is_stored_already_is_stored_again(mem0: Mem0Store, namespace: UUID, llm: ScriptedLlm) -> None:
    llm.will_extract("likes tea")
    announced = Announcements()

    for _ in range(2):
        written = mem0.learn(namespace, SAID, announce=announced, before_prompt=agreed)
        assert [one.text for one in written] == ["likes tea"]

    assert len(mem0.keys(namespace)) == 2
    assert [text for _, text, _ in announced.made] == ["likes tea", "likes tea"]


def test_a_memory_whose_time_is_over_is_not_written(mem0: Mem0Store, namespace: UUID, llm: ScriptedLlm) -> None:
    llm.will_extract("a", "b")
    announced = Announcements()

    def late(*arguments: Any) -> float:
        announced(*arguments)
        return time.monotonic() - 0.001

    with pytest.raises(StoreUnavailable):
        mem0.learn(namespace, SAID, announce=late, before_prompt=agreed)
    assert announced.calls == 1
    with pytest.raises(StoreUnavailable):
        mem0.remember(namespace, "c", announce=late)

    assert mem0.keys(namespace) == set()


def test_waiting_for_the_collection_counts_against_the_time(
    mem0: Mem0Store, mem0_ready: RecordingLock, namespace: UUID
) -> None:
    def soon(*_arguments: Any) -> float:
        return time.monotonic() + 0.05

    class SlowLock:
        def __call__(self, collection: str) -> Any:
            time.sleep(0.1)
            return mem0_ready(collection)

    mem0._memories._lock = SlowLock()
    with pytest.raises(StoreUnavailable):
        mem0.remember(namespace, "too late", announce=soon)
    mem0._memories._lock = mem0_ready

    assert mem0.keys(namespace) == set()


def test_the_earliest_moment_holds_for_entities_too(
    mem0: Mem0Store, namespace: UUID, llm: ScriptedLlm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mem0.memory.main.extract_entities_batch", lambda texts: [[("PROPER", "Kyoto")] for _ in texts])
    llm.will_extract("moved to Kyoto")
    moment = time.monotonic() + 5

    def announce(_items: object, kind: str, _links: object) -> float:
        return moment if kind == "memory" else moment - 60

    with pytest.raises(StoreUnavailable):
        mem0.learn(namespace, SAID, announce=announce, before_prompt=agreed)

    assert entities(mem0, namespace) == {}


def test_a_late_write_relinks_no_entity(mem0: Mem0Store, namespace: UUID) -> None:
    old = mem0.remember(namespace, "born in Kyoto", announce=ignored)[0].key
    entity = seed_entity(mem0, namespace, "Kyoto", [old])
    new = str(uuid4())
    call = WriteCall(namespace, ignored, start_before=time.monotonic() - 1)
    call.announced["memory"].add(new)

    payload = {"data": "Kyoto", "linked_memory_ids": [str(old), new], "user_id": str(namespace)}
    with writing(call), pytest.raises(StoreUnavailable):
        mem0._entities.update(str(entity), vector=None, payload=payload)

    assert entities(mem0, namespace) == {"Kyoto": [str(old)]}


def test_late_writes_do_not_make_the_store_look_down(mem0: Mem0Store, namespace: UUID) -> None:
    breaker = Breaker("milvus")

    for _ in range(FAILURES_TO_OPEN + 1):
        with pytest.raises(StoreUnavailable):
            breaker.call(mem0.remember, namespace, "late", announce=lambda *_: time.monotonic() - 1)

    assert not breaker.is_open
