"""Flushes Milvus Lite in one process, because unflushed rows slow every search."""

from __future__ import annotations

from shared.stores.milvus_client import connect
from shared.stores.port import CollectionLock

COLLECTIONS = ("episodes", "mem0_memories", "mem0_entities")


class Flusher:
    """Flushes every collection; used by the maintenance worker.

    Args:
        uri: address of Milvus Lite.
        lock: held during each flush, named after the collection's alias.
    """

    def __init__(self, uri: str, *, lock: CollectionLock) -> None:
        self._milvus = connect(uri)
        self._lock = lock

    def flush(self) -> None:
        """Flush the existing collections; a failure of one does not stop the others.

        Raises:
            StoreUnavailable: Milvus did not answer in time. The first failure is raised, which may also come from the
                lock.
        """
        failures: list[Exception] = []
        for collection in COLLECTIONS:
            try:
                self._flush(collection)
            except Exception as error:  # noqa: BLE001 - raised below, after the other collections
                failures.append(error)
        if failures:
            raise failures[0]

    def _flush(self, collection: str) -> None:
        if self._milvus.exists(collection):
            with self._lock(collection):
                self._milvus.flush(collection)
