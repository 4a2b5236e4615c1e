"""The stores recall searches. It opens them on first use and never changes them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from typing import NoReturn
from uuid import UUID

from shared.models.embedder import Embedder, bundled_embedder
from shared.persistence import vectors
from shared.persistence.database import Database
from shared.runtime.settings import Settings
from shared.stores.mem0 import Mem0Store
from shared.stores.milvus import EpisodeStore


class Stores:
    """Read-only views of Milvus and mem0 for one process.

    Args:
        settings: where they are.
        database: answers which keys are visible, under the recall role.
    """

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings = settings
        self._database = database
        self._building = threading.RLock()
        self._unarchived_only: ContextVar[bool] = ContextVar("unarchived_only", default=False)

    @cached_property
    def embedder(self) -> Embedder:
        return bundled_embedder()

    @cached_property
    def episodes(self) -> EpisodeStore:
        with self._building:
            return EpisodeStore(
                self._settings.milvus_uri,
                token=self._settings.milvus_token.get_secret_value(),
                flavour=self._settings.milvus_flavour,
                lock=_no_changes,
                timeout=self._settings.store_timeout_seconds,
            )

    @cached_property
    def mem0(self) -> Mem0Store:
        with self._building:
            return Mem0Store(
                self._settings.milvus_uri,
                token=self._settings.milvus_token.get_secret_value(),
                flavour=self._settings.milvus_flavour,
                lock=_no_changes,
                visible=self._visible_keys,
                embedder=self.embedder,
                timeout=self._settings.store_timeout_seconds,
            )

    @contextmanager
    def leaving_out_archived(self) -> Iterator[None]:
        """Let, in this thread and block, no archived or paused memory take another's place in an answer (LT-10)."""
        token = self._unarchived_only.set(True)
        try:
            yield
        finally:
            self._unarchived_only.reset(token)

    def _visible_keys(self, keys: Sequence[UUID]) -> set[UUID]:
        find = vectors.in_use if self._unarchived_only.get() else vectors.visible
        return set(self._database.transact(lambda tx: find(tx, keys)))


@contextmanager
def _no_changes(collection: str) -> Iterator[None]:
    _refuse(collection)
    yield


def _refuse(collection: str) -> NoReturn:
    raise PermissionError(f"recall never changes {collection}")
