"""Episode vectors in Milvus: ids and numbers only, never text (MC-04)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from pymilvus import CollectionSchema, DataType, MilvusClient

from shared.stores.milvus_client import (
    DEFAULT_TIMEOUT,
    Definition,
    Flavour,
    Index,
    MilvusConnection,
    batches,
    connect,
)
from shared.stores.milvus_deletion import Layout, erase_rows, matching_keys, rows_left
from shared.stores.milvus_errors import STORE
from shared.stores.port import (
    CollectionLock,
    EpisodeVector,
    ErasureTarget,
    Hit,
    Residue,
    StoreMisconfigured,
    WriteTooLate,
)

__all__ = ["COLLECTION", "DIMENSIONS", "PHYSICAL_COLLECTION", "EpisodeStore", "connect"]

COLLECTION = "episodes"
"""The collection's alias; also the name of the lock for changes."""

PHYSICAL_COLLECTION = "episodes_v1"
DIMENSIONS = 384
MAX_MESSAGES = 1024  # per episode; Milvus allows 4096 elements in an array

_INDEXES = (Index("vector", "AUTOINDEX", "COSINE"),)
_INSERT_BATCH = 500


_LAYOUT = Layout(
    collection=COLLECTION, key="pk", namespace="namespace", conversation="conversation_id", messages="message_ids"
)


class EpisodeStore:
    """Episodes by vector; an episode may have several vectors, each under its own key.

    `lock` is held for every change of the collection and named by its alias. `timeout` (seconds) bounds
    each single call to Milvus when a URI is given instead of a connection. Every method raises
    `StoreUnavailable` or `StoreMisconfigured`.
    """

    name = "milvus"

    def __init__(
        self,
        milvus: MilvusConnection | str,
        *,
        flavour: Flavour,
        lock: CollectionLock,
        timeout: float = DEFAULT_TIMEOUT,
        token: str = "",
    ) -> None:
        self._milvus = connect(milvus, token=token, timeout=timeout) if isinstance(milvus, str) else milvus
        self.flavour = flavour
        self._lock = lock

    def ensure(self) -> None:
        """Create and load the collection, its index and its alias if missing; safe to repeat and to run
        concurrently.
        """
        with self._lock(COLLECTION):
            self._milvus.ensure(COLLECTION, PHYSICAL_COLLECTION, _schema(), _INDEXES)

    def ping(self) -> None:
        """Return once Milvus answers."""
        self._milvus.version()

    def insert(self, rows: Sequence[EpisodeVector], *, start_before: float | None = None) -> None:
        """Store vectors under announced, unused keys; all-or-nothing per 500 rows.

        An invalid row is refused before anything is written. After `start_before` (`time.monotonic()`) no write starts,
        and `WriteTooLate`, a `StoreUnavailable`, is raised.
        """
        records = [_record(row) for row in rows]
        for batch in batches(records, _INSERT_BATCH):
            with self._lock(COLLECTION):
                if start_before is not None and time.monotonic() > start_before:
                    raise WriteTooLate(STORE)
                self._milvus.insert(COLLECTION, batch)

    def search(
        self, namespace: UUID, vector: Sequence[float], *, limit: int, conversation_id: UUID | None = None
    ) -> list[Hit]:
        """Return the `limit` nearest vectors of the namespace, best first; score is the cosine (-1…1)."""
        _check_dimensions(vector)
        where = _in_namespace(namespace)
        if conversation_id is not None:
            where = f'{where} and conversation_id == "{conversation_id}"'
        fields = ("pk", "episode_id")
        hits = self._milvus.search(COLLECTION, list(vector), vectors="vector", where=where, fields=fields, limit=limit)
        return [Hit(key=UUID(one["pk"]), score=score, item=UUID(one["episode_id"])) for one, score in hits]

    def erase(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[int]:
        """Delete the announced keys and, with `search`, all other rows a strong read finds; safe to repeat.

        Return the number of keys requested for deletion, whether they existed or not.
        """
        return [len(keys) for keys in erase_rows(self._milvus, _LAYOUT, targets, lock=self._lock, search=search)]

    def residue(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[Residue]:
        """Count the targets' vectors that a strong read still finds, by key and, with `search`, by namespace or
        source.
        """
        left = rows_left(self._milvus, _LAYOUT, targets, search=search)
        return [Residue(found={"vectors": len(keys)}) for keys in left]

    def keys(self, namespace: UUID) -> set[UUID]:
        """Return every key of the namespace, by a strong read."""
        return {UUID(key) for key in self._matching(_in_namespace(namespace))}

    def flush(self) -> None:
        """Write buffered rows to files, under the lock used for every change."""
        with self._lock(COLLECTION):
            self._milvus.flush(COLLECTION)

    def _matching(self, where: str) -> set[str]:
        return matching_keys(self._milvus, COLLECTION, "pk", where)


def definition() -> Definition:
    """Return the definition of the collection."""
    return Definition(key="pk", schema=_schema(), indexes=_INDEXES)


def _schema() -> CollectionSchema:
    schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("pk", DataType.VARCHAR, max_length=36, is_primary=True)
    schema.add_field("namespace", DataType.VARCHAR, max_length=36, is_partition_key=True)
    schema.add_field("conversation_id", DataType.VARCHAR, max_length=36)
    schema.add_field("episode_id", DataType.VARCHAR, max_length=36)
    # An array, because Milvus 2.3 accepts only objects in a JSON field.
    schema.add_field(
        "message_ids", DataType.ARRAY, element_type=DataType.VARCHAR, max_capacity=MAX_MESSAGES, max_length=36
    )
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=DIMENSIONS)
    return schema


def _record(row: EpisodeVector) -> dict[str, Any]:
    _check_dimensions(row.vector)
    if len(row.message_ids) > MAX_MESSAGES:
        raise StoreMisconfigured(EpisodeStore.name, f"an episode holds at most {MAX_MESSAGES} messages")
    return {
        "pk": str(row.key),
        "namespace": str(row.namespace),
        "conversation_id": str(row.conversation_id),
        "episode_id": str(row.episode_id),
        "message_ids": [str(message_id) for message_id in row.message_ids],
        "vector": list(row.vector),
    }


def _check_dimensions(vector: Sequence[float]) -> None:
    # Milvus 2.3 reports a wrong dimension as an unknown error, which would be retried forever.
    if len(vector) != DIMENSIONS:
        raise StoreMisconfigured(EpisodeStore.name, f"vectors have {DIMENSIONS} dimensions, not {len(vector)}")


def _in_namespace(namespace: UUID) -> str:
    return f'namespace == "{namespace}"'
