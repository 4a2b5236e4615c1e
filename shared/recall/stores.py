"""Read-only access to the stores that recall searches, opened on first use."""

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
"""Question vectors cached in memory: assistants repeat questions for previews and retries."""

SEARCHES_AT_ONCE: Final = 16
"""Maximum number of concurrent store calls in one process."""

MILVUS: Final = EpisodeStore.name
EMBEDDER: Final = "embedder"
EMBEDDER_PATIENCE_SECONDS: Final = 2.0
"""Maximum wait for a question's vector; it takes 30 ms on an idle machine."""


class Stores:
    """Read-only views of Milvus and mem0 for one process.

    Args:
        milvus_uri, milvus_token, milvus_flavour: address of Milvus, and whether it is a server or embedded.
        timeout: maximum seconds for one call to Milvus.
        embedder_folder: folder of the embedder's sockets.
        patience: maximum seconds for all searches of a question together.
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
        """For Milvus, which mem0 uses too. A call that hangs blocks a thread until its timeout."""
        self._embedder_breaker = Breaker(EMBEDDER)

    def close(self) -> None:
        """Shut down the search threads."""
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
        """Embed a question; the latest vectors are cached, at 1.5 kB each.

        Raises:
            StoreUnavailable: the embedder did not answer, or was not called because it is down.
            Unembeddable: the question has no vector.
        """
        return list(self._query_vector(question))

    def _embedded(self, question: str) -> list[float]:
        try:
            return self.embedder.query(question)
        except EmbedderUnavailable:
            raise StoreUnavailable(EMBEDDER) from None

    def ask(self, searches: Mapping[str, Callable[[], list[Hit]]]) -> dict[str, list[Hit]]:
        """Run searches of the stores in parallel and return the hits by search name.

        Raises:
            StoreUnavailable: a store did not answer in time, or was not called: after three failures in a row only one
                call a second is made (CN-08).
            StoreMisconfigured: a store rejects the query permanently.
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
                answer.cancel()  # a queued search nobody waits for must not take a thread


@contextmanager
def _no_changes(collection: str) -> Iterator[None]:
    _refuse(collection)
    yield


def _refuse(collection: str) -> NoReturn:
    raise PermissionError(f"recall never changes {collection}")
