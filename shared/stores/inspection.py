"""Reads everything in a collection, for proofs that do not trust the erasing code."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from shared.stores.flushing import COLLECTIONS
from shared.stores.milvus_client import DEFAULT_TIMEOUT, Row, connect

__all__ = ["COLLECTIONS", "Inspection", "StoredRow"]

_KEYS: Final = ("pk", "id")
_NAMESPACES: Final = ("namespace", "user_id")
_NUMBERS: Final = frozenset({"vector", "vectors", "sparse"})


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRow:
    """One row: its key, its namespace, and all its non-numeric fields as JSON."""

    key: UUID
    namespace: UUID
    text: str


class Inspection:
    """Reads whole collections of all people, hidden rows included; read-only.

    For small installations only: a collection is read in one response. `timeout` is in seconds, per call. Raises
    `StoreUnavailable` and `StoreMisconfigured`.
    """

    def __init__(self, uri: str, *, token: str = "", timeout: float = DEFAULT_TIMEOUT) -> None:
        self._milvus = connect(uri, token=token, timeout=timeout)

    def rows(self, collection: str) -> list[StoredRow]:
        """Return every row of a collection by a strong read; empty if the collection does not exist."""
        if not self._milvus.exists(collection):
            return []
        fields = sorted(self._milvus.fields(collection) - _NUMBERS)
        key = next(name for name in _KEYS if name in fields)
        return [_stored(row, key) for row in self._milvus.query(collection, f'{key} != ""', fields)]

    def close(self) -> None:
        """Release the connection."""
        self._milvus.close()


def _stored(row: Row, key: str) -> StoredRow:
    namespace = next(row[name] for name in _NAMESPACES if name in row)
    return StoredRow(key=UUID(row[key]), namespace=UUID(namespace), text=_as_json(row))


def _as_json(row: Row) -> str:
    def plain(value: Any) -> Any:
        return list(value) if hasattr(value, "__iter__") else str(value)

    return json.dumps(row, ensure_ascii=False, default=plain)
