"""What mem0's store is given in tests, and what lies in it."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from uuid import UUID, uuid4

from shared.stores.mem0 import Mem0Store
from shared.stores.mem0_calls import WriteCall, writing
from shared.stores.milvus import DIMENSIONS
from shared.stores.port import FenceLost, Hit


class WordEmbedder:
    """Vectors from hashed words: texts that share words are near, and no model is needed."""

    dimensions = DIMENSIONS

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        return [self.query(text) for text in texts]

    def query(self, text: str) -> list[float]:
        vector = [0.0] * DIMENSIONS
        for word in ["", *text.lower().split()]:
            vector[zlib.crc32(word.encode()) % DIMENSIONS] += 1.0
        length = math.sqrt(sum(x * x for x in vector))
        return [x / length for x in vector]


def nearest(store: Mem0Store, namespace: UUID, text: str, *, limit: int) -> list[Hit]:
    """Return the visible memories that share words with a text."""
    return store.nearest(namespace, WordEmbedder().query(text), limit=limit)


class Announcements:
    """Takes every announcement; may refuse one kind."""

    def __init__(self, *, refuse: str | None = None) -> None:
        self.made: list[tuple[UUID, str, str]] = []
        self.links: dict[UUID, Sequence[UUID]] = {}
        self.calls = 0
        self._refuse = refuse

    def __call__(self, items: Sequence[tuple[UUID, str]], kind: str, links: Mapping[UUID, Sequence[UUID]]) -> None:
        self.calls += 1
        if kind == self._refuse:
            raise FenceLost
        self.made += [(key, text, kind) for key, text in items]
        self.links |= links


def ignored(items: Sequence[tuple[UUID, str]], kind: str, links: Mapping[UUID, Sequence[UUID]]) -> None:
    """Announce to nobody."""


def seed_entity(store: Mem0Store, namespace: UUID, name: str, memories: Sequence[UUID]) -> UUID:
    """Store an entity as mem0 would: without spaCy it extracts none itself."""
    key = uuid4()
    payload = {"data": name, "entity_type": "PROPER", "linked_memory_ids": sorted(map(str, memories))}
    with writing(WriteCall(namespace, ignored)):
        store._entities.insert([str(key)], [WordEmbedder().query(name)], [{**payload, "user_id": str(namespace)}])
    return key


def entities(store: Mem0Store, namespace: UUID) -> dict[str, list[str]]:
    """Return every entity's name with its links, as stored."""
    rows = store._milvus.query("mem0_entities", f'user_id == "{namespace}"', ["id", "metadata"])
    return {row["metadata"]["data"]: row["metadata"]["linked_memory_ids"] for row in rows}
