"""What is erased of mem0's collections, proven on Milvus Lite and on a real standalone server."""

from __future__ import annotations

from uuid import UUID, uuid4

from shared.stores.mem0 import Mem0Store
from shared.stores.mem0_calls import WriteCall, writing
from shared.stores.port import ErasureTarget
from tests.support.mem0_stores import WordEmbedder, entities, ignored, seed_entity


def test_an_erased_memory_leaves_no_vector_and_no_entity_only_it_supported(mem0: Mem0Store, namespace: UUID) -> None:
    gone, stays = (mem0.remember(namespace, text, announce=ignored)[0].key for text in ("gone", "stays shared"))
    seed_entity(mem0, namespace, "only-gone", [gone])
    seed_entity(mem0, namespace, "shared", [gone, stays])
    seed_entity(mem0, namespace, "only-stays", [stays])
    target = ErasureTarget(namespace=namespace, keys=(gone,))
    assert mem0.residue([target])[0].found == {"vectors": 1, "entities": 2}

    mem0.erase([target])
    mem0.erase([target])

    assert mem0.residue([target])[0].found == {"vectors": 0, "entities": 0}
    assert entities(mem0, namespace) == {"shared": [str(stays)], "only-stays": [str(stays)]}
    # Found through the partition key after it was written again.
    assert mem0._entities.list(filters={"user_id": str(namespace)})[0][0].payload["linked_memory_ids"] == [str(stays)]


def test_an_entity_keeps_no_text_for_memories_that_were_never_stored(mem0: Mem0Store, namespace: UUID) -> None:
    gone = mem0.remember(namespace, "gone", announce=ignored)[0].key
    seed_entity(mem0, namespace, "half-dangling", [gone, uuid4()])
    dangling = seed_entity(mem0, namespace, "dangling", [uuid4()])
    target = ErasureTarget(namespace=namespace, keys=(gone, dangling))
    assert mem0.residue([target])[0].found == {"vectors": 1, "entities": 2}

    mem0.erase([target])

    assert entities(mem0, namespace) == {}
    assert mem0.residue([target])[0].total == 0


def test_an_announced_entity_stays_while_another_memory_supports_it(mem0: Mem0Store, namespace: UUID) -> None:
    gone, stays = (mem0.remember(namespace, text, announce=ignored)[0].key for text in ("gone", "stays shared"))
    entity = seed_entity(mem0, namespace, "shared", [gone, stays])
    target = ErasureTarget(namespace=namespace, keys=(gone, entity))

    mem0.erase([target])

    assert entities(mem0, namespace) == {"shared": [str(stays)]}
    assert mem0.residue([target])[0].total == 0


def test_a_whole_namespace_goes_and_no_other(mem0: Mem0Store, namespace: UUID) -> None:
    stranger = uuid4()
    for one in (namespace, stranger):
        key = mem0.remember(one, "likes tea", announce=ignored)[0].key
        seed_entity(mem0, one, "tea", [key])
    target = ErasureTarget(namespace=namespace, whole_namespace=True)
    assert mem0.residue([target])[0].found == {"vectors": 1, "entities": 1}

    mem0.erase([target])

    assert mem0.residue([target])[0].total == 0
    assert mem0.keys(namespace) == set()
    assert len(mem0.keys(stranger)) == 2


def test_more_than_a_thousand_entities_are_unlinked(mem0: Mem0Store, namespace: UUID) -> None:
    texts = ("gone", "stays with name 0, name 1, name 2, name 3 and name 4")
    gone, stays = (mem0.remember(namespace, text, announce=ignored)[0].key for text in texts)
    ids = [str(uuid4()) for _ in range(1100)]
    payloads = [
        {"data": f"name {n}", "linked_memory_ids": [str(gone)] + [str(stays)] * (n < 5), "user_id": str(namespace)}
        for n in range(1100)
    ]
    with writing(WriteCall(namespace, ignored)):
        for start in (0, 550):
            part = slice(start, start + 550)
            mem0._entities.insert(ids[part], [WordEmbedder().query("name")] * 550, payloads[part])
    target = ErasureTarget(namespace=namespace, keys=(gone,))
    assert mem0.residue([target])[0].found == {"vectors": 1, "entities": 1100}

    mem0.erase([target])

    assert mem0.residue([target])[0].total == 0
    assert entities(mem0, namespace) == {f"name {n}": [str(stays)] for n in range(5)}
