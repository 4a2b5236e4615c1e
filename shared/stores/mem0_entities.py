"""mem0's entities: names found in memories, each linked to the memories that support it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any
from uuid import UUID

from shared.stores.mem0_calls import current_call
from shared.stores.mem0_collections import ENTITIES
from shared.stores.mem0_library import OutputData
from shared.stores.mem0_vectors import Mem0VectorStore, Rows
from shared.stores.milvus_client import Row, any_of, batches
from shared.stores.milvus_deletion import rows_of
from shared.stores.port import ErasureTarget

_LINKS = "linked_memory_ids"
_KEY = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_FIELDS = ("id", "user_id", "vectors", "metadata")
_LINKS_ONLY = ("id", "metadata")
_ROWS_AT_ONCE = 200  # a row contains its vector and text


class EntityVectorStore(Mem0VectorStore):
    """Entities. A row is readable if one of its memories is; links to hidden memories are left out."""

    collection = ENTITIES

    def update(self, vector_id: str | None = None, vector: Any = None, payload: Any = None) -> None:
        """Link the memories announced by this call; all other current content of the row is kept.

        mem0 reads a row and writes it back later. This must not undo an erasure in between, so a deleted entity stays
        deleted.
        """
        del vector
        call = current_call()
        call.proceed("entity")
        new = set(payload.get(_LINKS, ())) & call.announced["memory"]
        with call.stopping("entity"), self._lock(self.collection_name):
            call.start()
            rows = self._rows(any_of("id", [str(UUID(vector_id or ""))]))
            self._relink(rows, {row["id"]: _links(row["metadata"]) | new for row in rows})

    def unlink(self, targets: Sequence[ErasureTarget], memories: Mem0VectorStore) -> None:
        """Remove erased memory keys from every entity; delete entities that no remaining memory supports.

        mem0 also links memories to merely similar entities, so a link alone does not justify the entity's text: a
        remaining linked memory must contain it. An entity that is itself one of the keys is treated the same way.
        """
        keys, texts = _keys(targets), _Texts(memories)
        concerned = {row["id"]: row for row in self._concerned(targets)}
        for batch in batches(sorted(concerned), _ROWS_AT_ONCE):
            self._surviving([concerned[key] for key in batch], keys, texts)  # caches the texts
            # Read again under the lock, because mem0 may have linked another memory meanwhile.
            with self._lock(self.collection_name):
                rows = self._rows(any_of("id", batch))
                self._relink(rows, self._surviving(rows, keys, texts))

    def count_linked(self, targets: Sequence[ErasureTarget], memories: Mem0VectorStore) -> list[int]:
        """Count by target the entities that still link to its keys, or are one of them without support."""
        keys, rows = [_keys([target]) for target in targets], self._concerned(targets)
        surviving = self._surviving(rows, _keys(targets), _Texts(memories))
        counts = [0] * len(targets)
        for row, (place, of_target) in product(rows, enumerate(keys)):
            is_one = row["id"] in of_target and not surviving[row["id"]]
            counts[place] += is_one or bool(_links(row["metadata"]) & of_target)
        return counts

    def links_of(self, namespace: UUID) -> set[str]:
        """Return every memory key that the namespace's entities link to, by a strong read."""
        rows = rows_of(self._milvus, self._layout, [namespace], _LINKS_ONLY)
        return set[str]().union(*(_links(row["metadata"]) for row in rows))

    def _concerned(self, targets: Sequence[ErasureTarget]) -> list[Row]:
        """Return the entities, without vectors, that link to one of the keys or are one of them.

        Whole namespaces are read, which is cheap because entities are few. Milvus Lite would take longer to filter the
        links of all people's entities.
        """
        keys = _keys(targets)
        namespaces = {target.namespace for target in targets if target.keys}
        rows = rows_of(self._milvus, self._layout, namespaces, _LINKS_ONLY)
        return [row for row in rows if row["id"] in keys or _links(row["metadata"]) & keys]

    def _surviving(self, rows: Sequence[Row], keys: set[str], texts: _Texts) -> dict[str, set[str]]:
        """Return each row's links to remaining memories; none if no such memory contains the row's text.

        Cached texts may be used under a later lock, because an erasure of a memory unlinks it afterwards.
        """
        stored = texts.of(set[str]().union(*(_links(row["metadata"]) for row in rows)) - keys)
        surviving: dict[str, set[str]] = {}
        for row in rows:
            name, links = _folded(str(row["metadata"].get("data") or "")), _links(row["metadata"]) & stored.keys()
            surviving[row["id"]] = links if name and any(name in stored[key] for key in links) else set()
        return surviving

    def _rows(self, where: str) -> list[Row]:
        return self._milvus.query(self.collection_name, where, _FIELDS, consistency="Strong")

    def _links(self, rows: Sequence[Row]) -> Mapping[UUID, Sequence[UUID]]:
        return {UUID(row["id"]): [UUID(key) for key in sorted(_links(row["metadata"]))] for row in rows}

    def _relink(self, rows: Sequence[Row], links: Mapping[str, set[str]]) -> None:
        """Rewrite rows with changed links, and delete those without any; the caller holds the lock.

        Rows are deleted and inserted, because Milvus 2.3 upserts a row into a partition where a read by partition key
        does not find it.
        """
        gone = [row for row in rows if not links[row["id"]]]
        changed = [row for row in rows if links[row["id"]] and links[row["id"]] != _links(row["metadata"])]
        self._milvus.delete(self.collection_name, "id", [row["id"] for row in gone + changed])
        linked = [{**row, "metadata": {**row["metadata"], _LINKS: sorted(links[row["id"]])}} for row in changed]
        self._milvus.insert(self.collection_name, [self._with_text(row) for row in linked])

    def _readable(self, rows: Sequence[OutputData]) -> Rows:
        linked = {UUID(key) for row in rows for key in _links(row.payload)}
        if not linked:
            return []
        allowed = {str(key) for key in self._visible(sorted(linked))}
        readable = [(row, _links(row.payload) & allowed) for row in rows]
        return [
            OutputData(id=row.id, score=row.score, payload={**row.payload, _LINKS: sorted(links)})
            for row, links in readable
            if links
        ]


class _Texts:
    """Normalised texts of memories, each read once."""

    def __init__(self, memories: Mem0VectorStore) -> None:
        self._memories = memories
        self._read: dict[str, str | None] = {}

    def of(self, keys: set[str]) -> dict[str, str]:
        """Return the texts of the keys that are stored."""
        unread = sorted(keys - self._read.keys())
        stored = self._memories.texts(unread)
        self._read |= {key: _folded(stored[key]) if key in stored else None for key in unread}
        return {key: text for key in keys if (text := self._read[key]) is not None}


def _keys(targets: Sequence[ErasureTarget]) -> set[str]:
    return {str(key) for target in targets for key in target.keys}


def _folded(text: str) -> str:
    """Return the text normalised, so that differences in case or width do not matter."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _links(payload: dict[str, Any] | None) -> set[str]:
    """Return the memory keys an entity links to; invalid values are ignored."""
    return {str(key) for key in (payload or {}).get(_LINKS) or () if _KEY.fullmatch(str(key))}
