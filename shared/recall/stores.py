"""The stores recall searches. It opens them on first use and never changes them."""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final, NoReturn

from shared.language.embedding.bundled import Embedder, EmbedderUnavailable
from shared.language.embedding.socket import SocketEmbedder
from shared.stores.breaker import Breaker
from shared.stores.mem0_collections import NearestMemories
from shared.stores.milvus import EpisodeStore
from shared.stores.milvus_client import Flavour
from shared.stores.port import Hit, StoreUnavailable

QUESTIONS_KEPT: Final = 1_000
"""Questions whose vectors are kept in memory: an assistant asks the same again for a preview, or a retry."""

SEARCHES_AT_ONCE: Final = 16
"""Calls to the stores under way in one process."""

MILVUS: Final = EpisodeStore.name
EMBEDDER: Final = "embedder"
EMBEDDER_PATIENCE_SECONDS: Final = 2.0
"""How long a question waits for its vector; it takes 30 ms on an idle machine."""


class Stores:
    """Read-only views of Milvus and mem0 for one process.

    Args:
        milvus_uri, milvus_token, milvus_flavour: where Milvus is, and whether it is a server or embedded.
        timeout: seconds one call to Milvus may take.
        embedder_folder: where the embedder's sockets are.
        patience: seconds all searches of a question may take together.
    """

    def __init__(
        self,
        *,
        milvus_uri: str,
        milvus_token: str,
        milvus_flavour: Flavour,
        timeout: float,
        embedder_folder: Path,
        patience: float,
    ) -> None:
        self._milvus = milvus_uri, milvus_token, milvus_flavour, timeout
        self._embedder_folder = embedder_folder
        self._building = threading.RLock()
        self._query_vector = lru_cache(maxsize=QUESTIONS_KEPT)(
            lambda question: array("f", self._embedder_breaker.call(self._embedded, question))
        )
        self._patience = patience
        self._searching = ThreadPoolExecutor(SEARCHES_AT_ONCE, thread_name_prefix="recall-stores")
        self.breaker = Breaker(MILVUS)
        """Of Milvus, on which mem0 stands too: what hangs holds a thread until its call times out."""
        self._embedder_breaker = Breaker(EMBEDDER)

    def close(self) -> None:
        """Let the threads of the searches end."""
        self._searching.shutdown(wait=False, cancel_futures=True)

    @cached_property
    def embedder(self) -> Embedder:
        return SocketEmbedder(self._embedder_folder, patience=EMBEDDER_PATIENCE_SECONDS)

    @cached_property
    def episodes(self) -> EpisodeStore:
        with self._building:
            uri, token, flavour, timeout = self._milvus
            return EpisodeStore(uri, token=token, flavour=flavour, lock=_no_changes, timeout=timeout)

    @cached_property
    def memories(self) -> NearestMemories:
        with self._building:
            uri, token, _, timeout = self._milvus
            return NearestMemories(uri, token=token, timeout=timeout)

    def query_vector(self, question: str) -> list[float]:
        """Embed a question; the vectors of the latest ones are kept, which costs 1.5 kB each.

        Raises:
            StoreUnavailable: the embedder did not answer, or was not asked because it is down.
            Unembeddable: the question has no vector.
        """
        return list(self._query_vector(question))

    def _embedded(self, question: str) -> list[float]:
        try:
            return self.embedder.query(question)
        except EmbedderUnavailable:
            raise StoreUnavailable(EMBEDDER) from None

    def ask(self, searches: Mapping[str, Callable[[], list[Hit]]]) -> dict[str, list[Hit]]:
        """Run searches of the stores side by side and return what each found, by its name.

        Raises:
            StoreUnavailable: one did not answer within recall's patience, or none was asked: after three failures in a
                row the stores are left alone but for one call a second (CN-08).
            StoreMisconfigured: a store rejects the question for good.
        """
        return self.breaker.call(self._in_time, searches)

    def _in_time(self, searches: Mapping[str, Callable[[], list[Hit]]]) -> dict[str, list[Hit]]:
        until = time.monotonic() + self._patience
        asked = {name: self._searching.submit(search) for name, search in searches.items()}
        try:
            return {name: answer.result(max(0.0, until - time.monotonic())) for name, answer in asked.items()}
        except TimeoutError:
            raise StoreUnavailable(MILVUS) from None
        finally:
            for answer in asked.values():
                answer.cancel()  # one that has not begun must not hold a thread nobody waits for


@contextmanager
def _no_changes(collection: str) -> Iterator[None]:
    _refuse(collection)
    yield


def _refuse(collection: str) -> NoReturn:
    raise PermissionError(f"recall never changes {collection}")
