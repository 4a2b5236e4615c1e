"""Real stores for the contract suites; each test works in namespaces of its own."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from shared.stores.mem0 import Mem0Store
from shared.stores.milvus import DIMENSIONS, EpisodeStore
from shared.stores.milvus_client import MilvusConnection, connect
from shared.stores.port import EpisodeVector
from tests.support.mem0_stores import WordEmbedder
from tests.support.milvus_servers import LiteServer, StandaloneServer, milvus_lite, milvus_standalone

Milvus = LiteServer | StandaloneServer


@pytest.fixture(scope="session")
def lite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiteServer]:
    with milvus_lite(tmp_path_factory.mktemp("lite")) as server:
        yield server


@pytest.fixture(scope="session")
def standalone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StandaloneServer]:
    pytest.importorskip("milvus", reason="the dependency group milvus-server is not installed")
    with milvus_standalone(tmp_path_factory.mktemp("standalone")) as server:
        yield server


@pytest.fixture(scope="session", params=["lite", pytest.param("standalone", marks=pytest.mark.full)])
def milvus(request: pytest.FixtureRequest) -> Milvus:
    """Every implementation, one after the other."""
    server: Milvus = request.getfixturevalue(request.param)
    return server


@pytest.fixture
def own_lite(tmp_path: Path) -> Iterator[LiteServer]:
    """A Milvus Lite that the test may stop, kill and freeze."""
    with milvus_lite(tmp_path) as server:
        yield server


class RecordingLock:
    """The collection lock of a single process; knows who holds what."""

    def __init__(self) -> None:
        self._locks: dict[str, threading.Lock] = {}
        self.held: set[str] = set()
        self.taken: list[str] = []

    def __call__(self, collection: str) -> AbstractContextManager[None]:
        return self._holding(collection)

    @contextmanager
    def _holding(self, collection: str) -> Iterator[None]:
        with self._locks.setdefault(collection, threading.Lock()):
            self.held.add(collection)
            self.taken.append(collection)
            try:
                yield
            finally:
                self.held.discard(collection)


@pytest.fixture(scope="session")
def lock() -> RecordingLock:
    return RecordingLock()


@pytest.fixture(scope="session")
def connection(milvus: Milvus) -> MilvusConnection:
    return connect(milvus.uri, token=milvus.token, timeout=15)


@pytest.fixture(scope="session")
def episodes(milvus: Milvus, connection: MilvusConnection, lock: RecordingLock) -> EpisodeStore:
    store = EpisodeStore(connection, flavour=milvus.flavour, lock=lock)
    store.ensure()
    return store


@pytest.fixture
def namespace() -> UUID:
    return uuid4()


def a_vector(seed: float = 0.0) -> list[float]:
    """Return a vector; the nearer two seeds, the nearer the vectors."""
    return [1.0, seed, *[0.0] * (DIMENSIONS - 2)]


def an_episode(
    namespace: UUID,
    *,
    messages: Sequence[UUID] = (),
    conversation: UUID | None = None,
    episode: UUID | None = None,
    seed: float | None = None,
) -> EpisodeVector:
    return EpisodeVector(
        key=uuid4(),
        namespace=namespace,
        conversation_id=conversation or uuid4(),
        episode_id=episode or uuid4(),
        message_ids=tuple(messages) or (uuid4(), uuid4()),
        vector=a_vector(random.random() if seed is None else seed),
    )


class Visibility:
    """Stands for PostgreSQL's answer: everything is visible but what a test hides."""

    def __init__(self) -> None:
        self.hidden: set[UUID] = set()

    def __call__(self, keys: Sequence[UUID]) -> set[UUID]:
        return set(keys) - self.hidden


@pytest.fixture(scope="session")
def visibility() -> Visibility:
    return Visibility()


@pytest.fixture(scope="session")
def mem0_ready(milvus: Milvus, connection: MilvusConnection, lock: RecordingLock) -> RecordingLock:
    """Both of mem0's collections exist; returns the lock they are changed under."""
    Mem0Store(connection, flavour=milvus.flavour, lock=lock, visible=set, embedder=WordEmbedder()).ensure()
    return lock


@pytest.fixture
def mem0(mem0_ready: RecordingLock, milvus: Milvus, connection: MilvusConnection, visibility: Visibility) -> Mem0Store:
    return Mem0Store(connection, flavour=milvus.flavour, lock=mem0_ready, visible=visibility, embedder=WordEmbedder())
