"""Flushing Milvus Lite: unflushed rows slow every search, and only one process may flush (see the protocol)."""

from __future__ import annotations

from shared.stores.milvus_client import connect
from shared.stores.port import CollectionLock

COLLECTIONS = ("episodes", "mem0_memories", "mem0_entities")


class Flusher:
    """Flushes every collection; used by the sweeper alone.

    Args:
        uri: where Milvus Lite listens.
        lock: held for each flush, named by the collection's alias.
    """

    def __init__(self, uri: str, *, lock: CollectionLock) -> None:
        self._milvus = connect(uri)
        self._lock = lock

    def flush(self) -> None:
        """Flush the collections that exist.

        Raises:
            StoreUnavailable: Milvus did not answer in time.
        """
        for collection in COLLECTIONS:
            if self._milvus.exists(collection):
                with self._lock(collection):
                    self._milvus.flush(collection)
