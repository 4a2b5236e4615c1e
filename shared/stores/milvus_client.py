"""One process's connection to Milvus: every call has a timeout, and every failure is one of the port's errors."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

import grpc
from pymilvus import CollectionSchema, MilvusClient, MilvusException

from shared.stores.milvus_errors import STORE, NotLoaded, translated
from shared.stores.milvus_opening import open_client, seconds_left
from shared.stores.port import StoreMisconfigured, StoreUnavailable

Flavour: TypeAlias = Literal["lite", "server"]
Consistency: TypeAlias = Literal["Strong", "Session", "Bounded"]
Row: TypeAlias = dict[str, Any]
T = TypeVar("T")

DEFAULT_TIMEOUT = 4.0
SETUP_TIMEOUT = 60.0  # creating and loading a collection took 3…5 s on an idle Milvus 2.3.5
BATCH = 1000  # maximum number of keys in one delete or query
PARTITIONS = 16  # of a partition-key collection; Milvus' own default of 64 only makes loading slower here


def silence(*loggers: str) -> None:
    """Mute these loggers and their children, now and later, because their messages repeat people's texts."""
    for root in loggers:
        logger = logging.getLogger(root)
        logger.handlers = [logging.NullHandler()]
        logger.propagate = False
        logger.setLevel(logging.CRITICAL + 1)
        for name in [name for name in logging.root.manager.loggerDict if name.startswith(f"{root}.")]:
            child = logging.getLogger(name)
            child.handlers = []
            child.propagate = True
            child.setLevel(logging.NOTSET)


silence("pymilvus")


@dataclass(frozen=True, slots=True)
class Index:
    """The index of one vector field."""

    field: str
    kind: str
    metric: str


@dataclass(frozen=True, slots=True)
class Definition:
    """Definition of a collection; kept here because Milvus' own description is incomplete."""

    key: str
    schema: CollectionSchema
    indexes: tuple[Index, ...]


class MilvusConnection:
    """A `MilvusClient` that is opened on first use, never retries by itself and survives server restarts.

    Safe to share between threads, not across a fork. `timeout` (seconds) limits every call, including the first
    connection; a single call may set a longer one. Every method raises `StoreUnavailable` if the server does not answer
    in time and `StoreMisconfigured` if it rejects us permanently. Neither contains the server's message, because
    servers quote filters and fields.
    """

    def __init__(self, uri: str, *, token: str = "", timeout: float = DEFAULT_TIMEOUT) -> None:
        self.uri = uri
        self.timeout = timeout
        self._token = token
        self._opening = threading.Lock()
        self._opened: MilvusClient | None = None

    def version(self) -> tuple[int, ...]:
        """Return the server's version as numbers, for example (2, 3, 5); also the cheapest liveness check."""
        text = str(self._call("get_server_version"))
        return tuple(int(number) for number in re.findall(r"\d+", text)[:3])

    def exists(self, collection: str) -> bool:
        """Return whether a collection or alias of this name exists."""
        return bool(self._call("has_collection", collection))

    def fields(self, collection: str) -> set[str]:
        """Return the names of the collection's fields."""
        return {str(field["name"]) for field in self._call("describe_collection", collection)["fields"]}

    def dimensions(self, collection: str) -> set[int]:
        """Return the dimensions of the collection's dense vectors."""
        fields = self._call("describe_collection", collection)["fields"]
        return {int(field["params"]["dim"]) for field in fields if "dim" in (field.get("params") or {})}

    def ensure(self, alias: str, collection: str, schema: CollectionSchema, indexes: Sequence[Index]) -> None:
        """Create the collection, its indexes and its alias if missing, and load it.

        The alias is created last, so everything behind it exists once it is visible. The caller holds the lock.
        """
        if not self.exists(alias):
            self.create(collection, schema, indexes)
            self._unless_done(lambda: self._call("create_alias", collection, alias), lambda: self.exists(alias))
        self.load(alias)

    def create(self, collection: str, schema: CollectionSchema, indexes: Sequence[Index]) -> None:
        """Create the collection and its indexes, skipping existing ones."""
        if not self.exists(collection):
            self._unless_done(
                lambda: self._call(
                    "create_collection", collection, schema=schema, num_partitions=PARTITIONS, timeout=SETUP_TIMEOUT
                ),
                lambda: self.exists(collection),
            )
        for index in indexes:
            self._create_index(collection, index)

    def load(self, collection: str, *, timeout: float = SETUP_TIMEOUT) -> None:
        """Make the collection searchable; does nothing if it is."""
        self._call("load_collection", collection, timeout=timeout)

    def insert(self, collection: str, rows: Sequence[Row]) -> None:
        """Insert rows with new keys; Milvus does not replace an existing row with the same key."""
        for batch in batches(rows):
            self._call("insert", collection, list(batch))

    def delete(self, collection: str, field: str, keys: Sequence[str]) -> None:
        """Delete by primary key `field` in batches. Returns nothing, because Milvus counts requests, not rows."""
        for batch in batches(keys):
            self._call("delete", collection, filter=any_of(field, batch))

    def query(
        self,
        collection: str,
        where: str,
        fields: Sequence[str],
        *,
        consistency: Consistency = "Strong",
        limit: int | None = None,
    ) -> list[Row]:
        """Return every matching row, or any `limit` of them."""
        window = {} if limit is None else {"limit": limit}
        found = self._reading(
            collection, "query", filter=where, output_fields=list(fields), consistency_level=consistency, **window
        )
        return [dict(row) for row in found]

    def search(
        self,
        collection: str,
        question: Sequence[float] | str,
        *,
        vectors: str,
        where: str,
        fields: Sequence[str],
        limit: int,
        consistency: Consistency = "Bounded",
    ) -> list[tuple[Mapping[str, Any], float]]:
        """Return (fields, score) of the nearest rows, best first; `question` is a vector, or text for BM25."""
        hits = self._reading(
            collection,
            "search",
            data=[question],
            anns_field=vectors,
            filter=where,
            output_fields=list(fields),
            limit=limit,
            consistency_level=consistency,
        )
        return [(hit["entity"], float(hit["distance"])) for hit in hits[0]]

    def flush(self, collection: str) -> None:
        """Write buffered rows to files; a server allows this once in ten seconds per collection."""
        self._call("flush", collection, timeout=max(self.timeout, 10.0), retry_on_rate_limit=False)

    def collections(self) -> list[str]:
        """Return the names of all collections, without aliases."""
        return [str(name) for name in self._call("list_collections")]

    def behind(self, alias: str) -> str:
        """Return the collection an existing alias points to."""
        return str(self._call("describe_alias", alias)["collection_name"])

    def point(self, alias: str, collection: str) -> None:
        """Point an existing alias to another collection."""
        self._call("alter_alias", collection, alias)

    def drop(self, collection: str) -> None:
        """Delete a collection with its files; does nothing if it does not exist."""
        self._call("drop_collection", collection)

    def count(self, collection: str) -> int:
        """Return the number of rows in the collection, by a strong read."""
        found = self._reading(collection, "query", filter="", output_fields=["count(*)"], consistency_level="Strong")
        return int(found[0]["count(*)"])

    def compact(self, collection: str, *, deletes: bool, within: float) -> None:
        """Make a server rewrite segments without deleted rows, and wait at most `within` seconds.

        With `deletes`, only deletion records are merged into their segments (L0, since Milvus 2.4).
        """
        deadline = time.monotonic() + within
        job = self._call("compact", collection, is_l0=deletes)
        while self._call("get_compaction_state", job) != "Completed":
            if time.monotonic() > deadline:
                raise StoreUnavailable(STORE)
            time.sleep(0.5)

    def close(self) -> None:
        """Release the connection; the next call opens a new one."""
        with self._opening:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()

    def _create_index(self, collection: str, index: Index) -> None:
        def indexed() -> bool:
            return bool(self._call("list_indexes", collection, field_name=index.field))

        params = MilvusClient.prepare_index_params()
        params.add_index(
            index.field, index_type=index.kind, metric_type=index.metric, index_name=f"{index.field}_index"
        )
        if not indexed():
            self._unless_done(lambda: self._call("create_index", collection, params, timeout=SETUP_TIMEOUT), indexed)

    def _unless_done(self, act: Callable[[], object], done: Callable[[], bool]) -> None:
        """Run `act`; ignore a failure if `done` is true afterwards, because another process was faster."""
        try:
            act()
        except (StoreUnavailable, StoreMisconfigured):
            if not done():
                raise

    def _reading(self, collection: str, method: str, **arguments: Any) -> Any:
        """Read; if the server no longer has the collection loaded (Lite after every restart), load it and retry."""
        deadline = time.monotonic() + self.timeout
        try:
            return self._call(method, collection, **arguments)
        except NotLoaded:
            self.load(collection, timeout=seconds_left(deadline))
            return self._call(method, collection, timeout=seconds_left(deadline), **arguments)

    def _call(self, method: str, *arguments: Any, timeout: float | None = None, **named: Any) -> Any:
        deadline = time.monotonic() + (self.timeout if timeout is None else timeout)
        client = self._client(deadline)
        try:
            return getattr(client, method)(*arguments, timeout=seconds_left(deadline), **named)
        except (MilvusException, grpc.RpcError) as error:
            # Not chained, because the cause quotes filters, fields and sometimes rows.
            raise translated(error) from None

    def _client(self, deadline: float) -> MilvusClient:
        if (client := self._opened) is not None:
            return client
        if not self._opening.acquire(timeout=seconds_left(deadline)):
            raise StoreUnavailable(STORE)
        try:
            if self._opened is None:
                self._opened = open_client(self.uri, self._token, deadline)
            return self._opened
        finally:
            self._opening.release()


def connect(uri: str, *, token: str = "", timeout: float = DEFAULT_TIMEOUT) -> MilvusConnection:
    """Return a connection to `uri`, opened on first use. `timeout` is in seconds, per call."""
    return MilvusConnection(uri, token=token, timeout=timeout)


def batches(items: Sequence[T], size: int = BATCH) -> Iterator[Sequence[T]]:
    """Split `items` into slices of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def any_of(field: str, values: Sequence[str]) -> str:
    """Return a filter that `field` is one of `values`; they must be UUIDs or checked by the caller."""
    quoted = ",".join(f'"{value}"' for value in values)
    return f"{field} in [{quoted}]"
