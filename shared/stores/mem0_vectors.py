"""mem0's vector store over our collections: announced writes, visible reads, one namespace per call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Final, NoReturn, Self, TypeAlias
from uuid import UUID

from pymilvus import CollectionSchema, DataType, Function, FunctionType, MilvusClient

from shared.stores.mem0_calls import Call, current_call, running_call
from shared.stores.mem0_collections import MEMORIES, in_namespace
from shared.stores.mem0_library import MilvusDB, OutputData
from shared.stores.milvus_client import Definition, Flavour, Index, MilvusConnection, Row, any_of, batches
from shared.stores.milvus_deletion import Layout, delete_keys, erase_rows, matching_keys, rows_left
from shared.stores.port import CollectionLock, ErasureTarget, StoreMisconfigured, VisibleKeys

DIMENSIONS = 384
BM25_SINCE = (2, 5)
_TEXT_BYTES = 65_535
_TEXTS_AT_ONCE: Final = 200
_MOST_HITS = 1024  # limit when hidden rows take the places of visible ones

Rows: TypeAlias = list[OutputData]  # the store has a method named `list`
KeysByTarget: TypeAlias = list[set[str]]


class Mem0VectorStore(MilvusDB):  # type: ignore[misc]  # mem0 is untyped
    """Memories. Names and arguments of the public methods are mem0's; see `MilvusDB`.

    A read returns only visible rows, determined by `visible` after Milvus answered. A write needs a running
    `WriteCall`. Operations that change rows without the erasure's control (update, reset, drop) are refused.
    """

    collection = MEMORIES

    def __init__(self, milvus: MilvusConnection, *, lock: CollectionLock, visible: VisibleKeys) -> None:
        # MilvusDB's constructor would connect without a timeout and create its own schema.
        self.collection_name = self.collection.alias
        self.embedding_model_dims = DIMENSIONS
        self.metric_type = "COSINE"
        self.client = milvus
        self._milvus = milvus
        self._lock = lock
        self._visible = visible
        self._layout = Layout(collection=self.collection_name, key="id", namespace="user_id")
        self._bm25: list[bool] = []  # set once known; shared by the copies that `asking` makes

    def asking(self, call: Call) -> Self:
        """Return a copy for one call that records exceptions of `visible`, because mem0 would swallow or wrap them."""
        bound = copy(self)
        bound._visible = call.asking(self._visible)  # noqa: SLF001 - of the same class
        return bound

    def ensure(self, flavour: Flavour) -> None:
        """Create and load the collection if missing; safe to repeat, also from several processes at once."""
        bm25 = flavour == "lite" or self._milvus.version() >= BM25_SINCE
        made_of = definition(bm25=bm25)
        with self._lock(self.collection_name):
            self._milvus.ensure(self.collection_name, self.collection.physical, made_of.schema, made_of.indexes)

    def insert(
        self, ids: Sequence[str], vectors: Sequence[Any], payloads: Sequence[dict[str, Any]], **_kwargs: Any
    ) -> None:
        call, kind = current_call(), self.collection.kind
        call.proceed(kind)
        with call.stopping(kind):
            rows = [
                self._row(key, vector, payload, call.namespace)
                for key, vector, payload in zip(ids, vectors, payloads, strict=True)
            ]
            call.announcing([(UUID(row["id"]), row["metadata"]["data"]) for row in rows], kind, self._links(rows))
            with self._lock(self.collection_name):
                call.start()
                self._milvus.insert(self.collection_name, rows)

    def search(
        self, query: str, vectors: Sequence[float], top_k: int = 5, filters: dict[str, Any] | None = None
    ) -> Rows:
        del query
        return self._nearest(list(vectors), "vectors", top_k, filters)

    def keyword_search(self, query: str, top_k: int = 5, filters: dict[str, Any] | None = None) -> Rows | None:
        return self._nearest(query, "sparse", top_k, filters) if self._knows_text() else None

    def list(self, filters: dict[str, Any] | None = None, top_k: int | None = 100) -> tuple[Rows]:
        rows = self._milvus.query(
            self.collection_name, _within(filters), ["id", "metadata"], consistency="Session", limit=top_k
        )
        return (self._handed_out(self._readable([_output(row, None) for row in rows])),)

    def get(self, vector_id: str) -> OutputData | None:
        rows = self._milvus.query(self.collection_name, any_of("id", [str(UUID(vector_id))]), ["id", "metadata"])
        return next(iter(self._handed_out(self._readable([_output(row, None) for row in rows]))), None)

    def delete(self, vector_id: str) -> None:
        self.delete_keys({str(UUID(vector_id))})

    def update(self, vector_id: str | None = None, vector: Any = None, payload: Any = None) -> None:
        del vector_id, vector, payload
        _refuse("a memory is replaced by a new one, never updated")

    def create_col(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        _refuse("the collection is made by ensure()")

    def delete_col(self) -> NoReturn:
        _refuse("a collection is never dropped from here")

    def reset(self) -> NoReturn:
        _refuse("a collection is never reset")

    def list_cols(self) -> Any:
        return [self.collection_name]

    def col_info(self) -> Any:
        return {"name": self.collection_name}

    def delete_keys(self, keys: set[str]) -> None:
        """Delete rows by key in batches; each batch takes its own lock, so that other writers can proceed."""
        delete_keys(self._milvus, self.collection_name, "id", keys, lock=self._lock)

    def erase(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> KeysByTarget:
        """Delete the targets' keys and, with `search`, every row a strong read finds in whole namespaces.

        Return the keys requested for deletion, by target.
        """
        return erase_rows(self._milvus, self._layout, targets, lock=self._lock, search=search)

    def left(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> KeysByTarget:
        """Return, by target, the keys a strong read still finds, hidden ones included.

        Reads by key and, with `search`, whole namespaces.
        """
        return rows_left(self._milvus, self._layout, targets, search=search)

    def keys_of(self, namespace: UUID) -> set[str]:
        """Return every key of the namespace that a strong read finds, hidden ones included."""
        return self._ids(in_namespace(namespace))

    def texts(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the texts of the keys that a strong read finds, hidden ones included."""
        return {
            str(row["id"]): str((row["metadata"] or {}).get("data") or "")
            for batch in batches(keys, _TEXTS_AT_ONCE)
            for row in self._milvus.query(self.collection_name, any_of("id", batch), ["id", "metadata"])
        }

    def _ids(self, where: str) -> set[str]:
        return matching_keys(self._milvus, self.collection_name, "id", where)

    def _links(self, rows: Sequence[Row]) -> Mapping[UUID, Sequence[UUID]]:
        """Return the memories each row links to, by the row's key; none, because these rows are memories."""
        del rows
        return {}

    def _handed_out(self, rows: Rows) -> Rows:
        """Return rows as mem0 sees them during a write: without hashes, by which it would skip a known text.

        Deduplication is the caller's task; mem0 would respond as if nothing had been extracted.
        """
        if running_call() is None:
            return rows
        return [
            OutputData(id=row.id, score=row.score, payload={k: v for k, v in row.payload.items() if k != "hash"})
            for row in rows
        ]

    def _nearest(
        self, question: Sequence[float] | str, vectors: str, wanted: int, filters: dict[str, Any] | None
    ) -> Rows:
        """Return the nearest visible rows, requesting more if hidden ones took their places."""
        limit = max(wanted, 1)
        while True:
            hits = self._milvus.search(
                self.collection_name,
                question,
                vectors=vectors,
                where=_within(filters),
                fields=["id", "metadata"],
                limit=limit,
                consistency="Strong",  # what another worker has written is found too
            )
            rows = self._readable([_output(fields, score) for fields, score in hits])
            if len(rows) >= wanted or len(hits) < limit or limit >= _MOST_HITS:
                return self._handed_out(rows[:wanted])
            limit = min(limit * 4, _MOST_HITS)

    def _readable(self, rows: Sequence[OutputData]) -> Rows:
        if not rows:
            return []
        allowed = self._visible([UUID(row.id) for row in rows])
        return [row for row in rows if UUID(row.id) in allowed]

    def _row(self, key: str, vector: Any, payload: dict[str, Any], namespace: UUID) -> Row:
        if payload.get("user_id") != str(namespace):
            _refuse("a row belongs to the namespace it is written for")
        if len(vector) != DIMENSIONS:
            _refuse(f"vectors have {DIMENSIONS} dimensions, not {len(vector)}")
        return self._with_text(
            {"id": str(UUID(key)), "user_id": str(namespace), "vectors": list(vector), "metadata": payload}
        )

    def _with_text(self, row: Row) -> Row:
        if self._knows_text():
            text = str(row["metadata"].get("text_lemmatized") or row["metadata"].get("data") or "")
            row["text"] = text.encode()[:_TEXT_BYTES].decode(errors="ignore")
        return row

    def _knows_text(self) -> bool:
        if not self._bm25:
            self._bm25.append({"text", "sparse"} <= self._milvus.fields(self.collection_name))
        return self._bm25[0]


def definition(*, bm25: bool) -> Definition:
    """Return the definition of both collections."""
    indexes = [Index("vectors", "AUTOINDEX", "COSINE")]
    if bm25:
        indexes.append(Index("sparse", "SPARSE_INVERTED_INDEX", "BM25"))
    return Definition(key="id", schema=_schema(bm25=bm25), indexes=tuple(indexes))


def _schema(*, bm25: bool) -> CollectionSchema:
    schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("id", DataType.VARCHAR, max_length=36, is_primary=True)
    schema.add_field("user_id", DataType.VARCHAR, max_length=36, is_partition_key=True)
    schema.add_field("vectors", DataType.FLOAT_VECTOR, dim=DIMENSIONS)
    schema.add_field("metadata", DataType.JSON)
    if bm25:
        schema.add_field("text", DataType.VARCHAR, max_length=_TEXT_BYTES, enable_analyzer=True)
        schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
        schema.add_function(
            Function(
                name="bm25",
                input_field_names=["text"],
                output_field_names=["sparse"],
                function_type=FunctionType.BM25,
            )
        )
    return schema


def _within(filters: dict[str, Any] | None) -> str:
    """Convert mem0's filters, which must name exactly one namespace (no wildcard)."""
    if filters is None or set(filters) != {"user_id"}:
        _refuse("a read names its namespace and nothing else")
    try:
        return in_namespace(UUID(filters["user_id"]))
    except (ValueError, AttributeError, TypeError):
        _refuse("a namespace is a uuid")


def _output(fields: Mapping[str, Any], score: float | None) -> OutputData:
    return OutputData(id=str(fields["id"]), score=score, payload=fields["metadata"])


def _refuse(reason: str) -> NoReturn:
    raise StoreMisconfigured("mem0", reason)
