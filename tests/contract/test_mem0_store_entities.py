"""What an entity may keep of memories that were erased."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from shared.stores.mem0 import Mem0Store
from shared.stores.port import ErasureTarget
from tests.support.mem0_stores import entities, ignored, seed_entity


def test_an_entity_goes_when_only_similar_memories_link_it(mem0: Mem0Store, namespace: UUID) -> None:
    texts = ("the secret plan for Kyoto", "a plan for Kyoto")
    gone, similar = (mem0.remember(namespace, text, announce=ignored)[0].key for text in texts)
    seed_entity(mem0, namespace, "secret plan", [gone, similar])
    seed_entity(mem0, namespace, "plan", [gone, similar])
    target = ErasureTarget(namespace=namespace, keys=(gone,))
    assert mem0.residue([target])[0].found == {"vectors": 1, "entities": 2}

    mem0.erase([target])

    assert entities(mem0, namespace) == {"plan": [str(similar)]}
    assert mem0.residue([target])[0].total == 0


def test_an_announced_entity_that_no_memory_speaks_of_is_residue(mem0: Mem0Store, namespace: UUID) -> None:
    stays = mem0.remember(namespace, "a plan for Kyoto", announce=ignored)[0].key
    entity = seed_entity(mem0, namespace, "secret plan", [stays])
    target = ErasureTarget(namespace=namespace, keys=(entity,))
    assert mem0.residue([target])[0].found == {"vectors": 0, "entities": 1}

    mem0.erase([target])

    assert entities(mem0, namespace) == {}


@pytest.mark.parametrize(
    ("name", "text"), [("KYOTO", "lives in kyoto"), ("ＫＹＯＴＯ", "lives in Kyoto"), ("爱喝", "她爱喝绿茶")]
)
def test_case_and_width_do_not_matter_for_what_an_entity_may_keep(
    mem0: Mem0Store, namespace: UUID, name: str, text: str
) -> None:
    gone, stays = (mem0.remember(namespace, one, announce=ignored)[0].key for one in ("gone", text))
    seed_entity(mem0, namespace, name, [gone, stays])

    mem0.erase([ErasureTarget(namespace=namespace, keys=(gone,))])

    assert entities(mem0, namespace) == {name: [str(stays)]}


def test_targets_that_share_entities_are_unlinked_together(mem0: Mem0Store, namespace: UUID) -> None:
    stranger = uuid4()
    first, second, stays = (mem0.remember(namespace, f"tea {n}", announce=ignored)[0].key for n in range(3))
    theirs = mem0.remember(stranger, "tea", announce=ignored)[0].key
    seed_entity(mem0, namespace, "tea", [first, second, stays])
    only_first = seed_entity(mem0, namespace, "only these", [first, second])
    seed_entity(mem0, stranger, "tea", [theirs])
    targets = [
        ErasureTarget(namespace=namespace, keys=(first, only_first)),
        ErasureTarget(namespace=stranger, whole_namespace=True),
        ErasureTarget(namespace=namespace, keys=(second,)),
        ErasureTarget(namespace=namespace),
    ]
    assert [one.found["entities"] for one in mem0.residue(targets)] == [2, 1, 2, 0]
    assert [one.found["vectors"] for one in mem0.residue(targets)] == [1, 1, 1, 0]

    assert mem0.erase(targets) == [2, 2, 1, 0]

    assert [one.total for one in mem0.residue(targets)] == [0, 0, 0, 0]
    assert entities(mem0, namespace) == {"tea": [str(stays)]}
    assert mem0.keys(namespace) & {first, second, only_first} == set()
    assert mem0.keys(stranger) == set()
