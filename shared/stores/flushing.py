"""Flushing Milvus Lite: unflushed rows slow every search, and one process flushes."""

from __future__ import annotations

from shared.stores.milvus_client import connect
from shared.stores.port import CollectionLock

COLLECTIONS = ("episodes", "mem0_memories", "mem0_entities")


class Flusher:
    """Flushes every collection; used by the worker that does the maintenance.

    Args:
        uri: where Milvus Lite listens.
        lock: held for each flush, named by the collection's alias.
    """

    def __init__(self, uri: str, *, lock: CollectionLock) -> None:
        self._milvus = connect(uri)
        self._lock = lock

    def flush(self) -> None:
        """Flush the collections that exist; one that fails does not keep the others from it.

        Raises:
            StoreUnavailable: Milvus did not answer in time. This, or what the lock raised, is the first failure.
        """
        failures: list[Exception] = []
        for collection in COLLECTIONS:
            try:
                self._flush(collection)
            except Exception as error:  # noqa: BLE001 - raised below, when the others had their turn
                failures.append(error)
        if failures:
            raise failures[0]

    def _flush(self, collection: str) -> None:
        if self._milvus.exists(collection):
            with self._lock(collection):
                self._milvus.flush(collection)
