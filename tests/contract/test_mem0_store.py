"""What mem0 may do here, proven on Milvus Lite and on a real standalone server."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest

from shared.stores.mem0 import Mem0Store
from shared.stores.mem0_calls import WriteCall, writing
from shared.stores.milvus_client import MilvusConnection
from shared.stores.port import ErasureTarget, FenceLost, StoreMisconfigured
from tests.contract.conftest import Milvus, Visibility
from tests.support.mem0_stores import Announcements, WordEmbedder, entities, ignored, nearest, seed_entity


def test_a_memory_is_announced_before_it_is_written(mem0: Mem0Store, namespace: UUID) -> None:
    stored_meanwhile: list[set[UUID]] = []
    announced = Announcements()

    def announce(items: Sequence[tuple[UUID, str]], kind: str, links: Mapping[UUID, Sequence[UUID]]) -> None:
        announced(items, kind, links)
        stored_meanwhile.append(mem0.keys(namespace))

    written = mem0.remember(namespace, "likes green tea", announce=announce)

    assert announced.made == [(written[0].key, "likes green tea", "memory")]
    assert stored_meanwhile == [set()]
    assert mem0.keys(namespace) == {written[0].key}
    assert written[0].text == "likes green tea"


def test_a_search_waits_for_what_other_processes_have_written(
    mem0: Mem0Store, namespace: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = mem0.remember(namespace, "likes green tea", announce=ignored)
    asked: list[str] = []
    search = MilvusConnection.search

    def recorded(*given: Any, **named: Any) -> Any:
        asked.append(named["consistency"])
        return search(*given, **named)

    monkeypatch.setattr(MilvusConnection, "search", recorded)
    assert [hit.key for hit in nearest(mem0, namespace, "green tea", limit=1)] == [written[0].key]
    assert set(asked) == {"Strong"}


def test_a_lost_fence_prevents_the_write(mem0: Mem0Store, namespace: UUID) -> None:
    with pytest.raises(FenceLost):
        mem0.remember(namespace, "never stored", announce=Announcements(refuse="memory"))

    assert mem0.keys(namespace) == set()


def test_an_error_of_the_announcement_itself_surfaces(mem0: Mem0Store, namespace: UUID) -> None:
    def broken(_items: object, _kind: str, _links: object) -> None:
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        mem0.remember(namespace, "a b", announce=broken)

    assert mem0.keys(namespace) == set()


def test_an_entity_erased_while_mem0_thinks_stays_gone(mem0: Mem0Store, namespace: UUID) -> None:
    old = mem0.remember(namespace, "born in Kyoto", announce=ignored)[0].key
    entity = seed_entity(mem0, namespace, "Kyoto", [old])
    mem0.erase([ErasureTarget(namespace=namespace, keys=(old,))])
    new = str(uuid4())
    call = WriteCall(namespace, ignored)
    call.announced["memory"].add(new)

    with writing(call):
        payload = {"data": "Kyoto", "linked_memory_ids": [str(old), new], "user_id": str(namespace)}
        mem0._entities.update(str(entity), vector=None, payload=payload)

    assert entities(mem0, namespace) == {}


@pytest.mark.parametrize("wildcard", ["*", "", None, "not a uuid"])
def test_a_write_or_read_without_a_real_namespace_is_refused(
    mem0: Mem0Store, namespace: UUID, wildcard: str | None
) -> None:
    announced = Announcements()
    payload = {"data": "text", "user_id": wildcard} if wildcard is not None else {"data": "text"}
    vector = WordEmbedder().query("text")

    with writing(WriteCall(namespace, announced)), pytest.raises(StoreMisconfigured):
        mem0._memories.insert([str(uuid4())], [vector], [payload])
    assert announced.made == []
    for read in (
        lambda filters: mem0._memories.search("q", vector, filters=filters),
        lambda filters: mem0._memories.list(filters=filters),
    ):
        with pytest.raises(StoreMisconfigured):
            read({"user_id": wildcard} if wildcard is not None else None)


def test_mem0_may_not_write_unannounced_nor_drop_or_rewrite_anything(mem0: Mem0Store, namespace: UUID) -> None:
    key = mem0.remember(namespace, "stays", announce=ignored)[0].key

    for forbidden in (
        lambda: mem0._memory.add("unannounced", user_id=str(namespace), infer=False),
        lambda: mem0._memory.update(str(key), "rewritten"),
        mem0._memory.llm.generate_response,
        mem0._memory.reset,
        mem0._memories.delete_col,
        mem0._entities.reset,
    ):
        with pytest.raises(StoreMisconfigured):
            forbidden()
    assert mem0.keys(namespace) == {key}


def test_only_visible_memories_are_found_and_hidden_ones_take_no_place(
    mem0: Mem0Store, namespace: UUID, visibility: Visibility
) -> None:
    for n in range(70):
        visibility.hidden.add(mem0.remember(namespace, f"tea tea tea {n}", announce=ignored)[0].key)
    visible = mem0.remember(namespace, "something about tea and more words here", announce=ignored)[0].key

    hits = nearest(mem0, namespace, "tea", limit=3)

    assert [hit.key for hit in hits] == [visible]
    assert 0 < hits[0].score <= 1
    assert mem0._memories.get(str(next(iter(visibility.hidden)))) is None


def test_nobody_finds_another_persons_memories(mem0: Mem0Store, namespace: UUID) -> None:
    stranger = uuid4()
    mine = mem0.remember(namespace, "likes tea", announce=ignored)[0].key
    mem0.remember(stranger, "likes tea", announce=ignored)

    assert [hit.key for hit in nearest(mem0, namespace, "likes tea", limit=10)] == [mine]


def test_two_threads_announce_to_their_own_callers(mem0: Mem0Store) -> None:
    people = [(uuid4(), Announcements()) for _ in range(4)]

    def remember(namespace: UUID, announce: Announcements) -> None:
        for n in range(5):
            mem0.remember(namespace, f"{namespace} {n}", announce=announce)

    threads = [threading.Thread(target=remember, args=one) for one in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for namespace, announced in people:
        assert [text for _, text, _ in announced.made] == [f"{namespace} {n}" for n in range(5)]
        assert mem0.keys(namespace) == {key for key, _, _ in announced.made}


def test_mem0_logs_nothing_at_any_level(mem0: Mem0Store, namespace: UUID, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    mem0.remember(namespace, "canary-text", announce=ignored)
    assert len(nearest(mem0, namespace, "canary-text", limit=3)) == 1

    assert "canary" not in caplog.text


def test_keywords_count_where_the_server_can_and_hidden_rows_stay_hidden(
    mem0: Mem0Store, milvus: Milvus, namespace: UUID, visibility: Visibility
) -> None:
    hidden = mem0.remember(namespace, "rare wombat", announce=ignored)[0].key
    shown = mem0.remember(namespace, "another rare wombat", announce=ignored)[0].key
    mem0.remember(namespace, "nothing alike", announce=ignored)
    visibility.hidden.add(hidden)

    rows = mem0._memories.keyword_search("wombat", top_k=5, filters={"user_id": str(namespace)})

    if milvus.flavour == "server":
        assert rows is None  # 2.3.5 predates BM25
    else:
        assert rows is not None
        assert [row.id for row in rows] == [str(shown)]
