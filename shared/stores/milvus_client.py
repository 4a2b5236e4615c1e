"""One process's connection to Milvus: every call ends in time, and every failure is one of the port's errors."""

from __future__ import annotations

import logging
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit

import grpc
from pymilvus import CollectionSchema, MilvusClient, MilvusException

from shared.stores.milvus_errors import STORE, NotLoaded, translated
from shared.stores.port import StoreMisconfigured, StoreUnavailable

Flavour: TypeAlias = Literal["lite", "server"]
Consistency: TypeAlias = Literal["Strong", "Session", "Bounded"]
Row: TypeAlias = dict[str, Any]
T = TypeVar("T")

DEFAULT_TIMEOUT = 4.0
SETUP_TIMEOUT = 60.0  # creating and loading a collection took 3…5 s on an idle Milvus 2.3.5
BATCH = 1000  # a delete or query by key names at most this many
PARTITIONS = 16  # of a partition-key collection; Milvus' own default of 64 only makes loading slower here

_GRPC_OPTIONS = {
    # A restarted server is found again within a second instead of grpc's two minutes.
    "grpc.initial_reconnect_backoff_ms": 200,
    "grpc.max_reconnect_backoff_ms": 1000,
    # pymilvus pings every 10 s, also when idle; a server that allows fewer hangs up on the next call
    # ("too_many_pings"). Every call has its own timeout, so pings are not needed to notice a dead server.
    "grpc.keepalive_time_ms": 330_000,
    "grpc.keepalive_permit_without_calls": 0,
}


def silence(*loggers: str) -> None:
    """Mute these loggers and everything below them, now and later: their messages repeat what people wrote."""
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
    """How one vector field is searched."""

    field: str
    kind: str
    metric: str


@dataclass(frozen=True, slots=True)
class Definition:
    """What a collection is made of. Kept here, because what Milvus says of a collection leaves parts out."""

    key: str
    schema: CollectionSchema
    indexes: tuple[Index, ...]


class MilvusConnection:
    """A `MilvusClient` that is opened on first use, never retries by itself and survives server restarts.

    Safe to share between threads, not across a fork. `timeout` (seconds) bounds every call, the first
    connection included; a single call may ask for more. Every method raises `StoreUnavailable` when the
    server does not answer in time and `StoreMisconfigured` when it rejects us for good; neither carries
    what the server said, because servers quote filters and fields.
    """

    def __init__(self, uri: str, *, token: str = "", timeout: float = DEFAULT_TIMEOUT) -> None:
        self.uri = uri
        self.timeout = timeout
        self._token = token
        self._opening = threading.Lock()
        self._opened: MilvusClient | None = None

    def version(self) -> tuple[int, ...]:
        """Return the server's version as numbers, for example (2, 3, 5); this is also the cheapest proof of life."""
        text = str(self._call("get_server_version"))
        return tuple(int(number) for number in re.findall(r"\d+", text)[:3])

    def exists(self, collection: str) -> bool:
        """Tell whether a collection or alias of this name exists."""
        return bool(self._call("has_collection", collection))

    def fields(self, collection: str) -> set[str]:
        """Return the names of the collection's fields."""
        return {str(field["name"]) for field in self._call("describe_collection", collection)["fields"]}

    def dimensions(self, collection: str) -> set[int]:
        """Return how many dimensions the collection's dense vectors have."""
        fields = self._call("describe_collection", collection)["fields"]
        return {int(field["params"]["dim"]) for field in fields if "dim" in (field.get("params") or {})}

    def ensure(self, alias: str, collection: str, schema: CollectionSchema, indexes: Sequence[Index]) -> None:
        """Create the collection, its indexes and its alias where missing, and load it.

        The alias comes last, so that whoever sees it finds everything behind it. The caller holds the lock.
        """
        if not self.exists(alias):
            self.create(collection, schema, indexes)
            self._unless_done(lambda: self._call("create_alias", collection, alias), lambda: self.exists(alias))
        self.load(alias)

    def create(self, collection: str, schema: CollectionSchema, indexes: Sequence[Index]) -> None:
        """Create the collection and its indexes, skipping what already exists."""
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
        """Make the collection searchable; harmless when it is."""
        self._call("load_collection", collection, timeout=timeout)

    def insert(self, collection: str, rows: Sequence[Row]) -> None:
        """Insert rows with keys that were never used before: Milvus does not look for an older row of that key."""
        for batch in batches(rows):
            self._call("insert", collection, list(batch))

    def delete(self, collection: str, field: str, keys: Sequence[str]) -> None:
        """Delete by primary key `field` in batches. Says nothing about what was there: Milvus counts requests."""
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
        """Write what is buffered to files; a server allows this once in ten seconds per collection."""
        self._call("flush", collection, timeout=max(self.timeout, 10.0), retry_on_rate_limit=False)

    def collections(self) -> list[str]:
        """Return the names of all collections, without aliases."""
        return [str(name) for name in self._call("list_collections")]

    def behind(self, alias: str) -> str:
        """Return the name of the collection an existing alias stands for."""
        return str(self._call("describe_alias", alias)["collection_name"])

    def point(self, alias: str, collection: str) -> None:
        """Let an existing alias stand for another collection from now on."""
        self._call("alter_alias", collection, alias)

    def drop(self, collection: str) -> None:
        """Delete a collection with its files; harmless when there is none."""
        self._call("drop_collection", collection)

    def count(self, collection: str) -> int:
        """Return how many rows the collection has, read strongly."""
        found = self._reading(collection, "query", filter="", output_fields=["count(*)"], consistency_level="Strong")
        return int(found[0]["count(*)"])

    def compact(self, collection: str, *, deletes: bool, within: float) -> None:
        """Have a server write segments anew without deleted rows, and wait for it at most `within` seconds.

        With `deletes` only what is known of deletions is merged into its segments (L0, since Milvus 2.4).
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
        """Run `act`; a failure does not matter when `done` holds afterwards: another process was faster."""
        try:
            act()
        except (StoreUnavailable, StoreMisconfigured):
            if not done():
                raise

    def _reading(self, collection: str, method: str, **arguments: Any) -> Any:
        """Read; when the server forgot that the collection was loaded (Lite does at every restart), load and repeat."""
        deadline = time.monotonic() + self.timeout
        try:
            return self._call(method, collection, **arguments)
        except NotLoaded:
            self.load(collection, timeout=_left(deadline))
            return self._call(method, collection, timeout=_left(deadline), **arguments)

    def _call(self, method: str, *arguments: Any, timeout: float | None = None, **named: Any) -> Any:
        deadline = time.monotonic() + (self.timeout if timeout is None else timeout)
        client = self._client(deadline)
        try:
            return getattr(client, method)(*arguments, timeout=_left(deadline), **named)
        except (MilvusException, grpc.RpcError) as error:
            # Not chained: the cause quotes filters, fields and sometimes rows.
            raise translated(error) from None

    def _client(self, deadline: float) -> MilvusClient:
        if (client := self._opened) is not None:
            return client
        if not self._opening.acquire(timeout=_left(deadline)):
            raise StoreUnavailable(STORE)
        try:
            if self._opened is None:
                self._opened = self._open(deadline)
            return self._opened
        finally:
            self._opening.release()

    def _open(self, deadline: float) -> MilvusClient:
        self._knock(deadline)
        try:
            client = MilvusClient(
                self.uri, token=self._token, timeout=_left(deadline), dedicated=True, grpc_options=_GRPC_OPTIONS
            )
        except (MilvusException, grpc.RpcError) as error:
            raise translated(error) from None
        # pymilvus repeats a call the server refuses, under a lock of the whole process and past the timeout (3.7 s
        # measured for 2 s); grpc reconnects on its own and the outbox repeats, so here the first error is final.
        client._handler._on_rpc_error = _give_up  # noqa: SLF001 - there is no public switch; a contract test watches it
        return client

    def _knock(self, deadline: float) -> None:
        """Fail at once when nobody listens: pymilvus would try again until the timeout and beyond."""
        address = urlsplit(self.uri)
        try:
            if address.scheme == "unix":
                with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as knocking:
                    knocking.settimeout(_left(deadline))
                    knocking.connect(address.path)
            elif address.hostname is not None:
                socket.create_connection((address.hostname, address.port or 19530), timeout=_left(deadline)).close()
        except OSError:
            raise StoreUnavailable(STORE) from None


def connect(uri: str, *, token: str = "", timeout: float = DEFAULT_TIMEOUT) -> MilvusConnection:
    """Return a connection to `uri`; nothing is sent until its first use. `timeout` is in seconds, per call."""
    return MilvusConnection(uri, token=token, timeout=timeout)


def _give_up(error: Exception) -> bool:
    if isinstance(error, grpc.RpcError):
        raise error
    return False


def _left(deadline: float) -> float:
    """Return the seconds until `deadline`, never so few that grpc would not even try."""
    return max(deadline - time.monotonic(), 0.05)


def batches(items: Sequence[T], size: int = BATCH) -> Iterator[Sequence[T]]:
    """Cut `items` into slices of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def any_of(field: str, values: Sequence[str]) -> str:
    """Return a filter: `field` is one of `values`. The values are uuids or were checked by the caller."""
    quoted = ",".join(f'"{value}"' for value in values)
    return f"{field} in [{quoted}]"
