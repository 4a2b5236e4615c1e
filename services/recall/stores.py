"""The stores recall searches. It opens them on first use and never changes them."""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property, lru_cache
from typing import Final, NoReturn

from shared.language.embedding.bundled import Embedder, EmbedderUnavailable
from shared.language.embedding.socket import SocketEmbedder
from shared.runtime.settings import Settings
from shared.stores.breaker import Breaker
from shared.stores.mem0_collections import NearestMemories
from shared.stores.milvus import EpisodeStore
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
    """Read-only views of Milvus and mem0 for one process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._building = threading.RLock()
        self._query_vector = lru_cache(maxsize=QUESTIONS_KEPT)(
            lambda question: array("f", self._embedder_breaker.call(self._embedded, question))
        )
        self._patience = settings.recall_patience_seconds
        self._searching = ThreadPoolExecutor(SEARCHES_AT_ONCE, thread_name_prefix="recall-stores")
        self.breaker = Breaker(MILVUS)
        """Of Milvus, on which mem0 stands too: what hangs holds a thread until its call times out."""
        self._embedder_breaker = Breaker(EMBEDDER)

    def close(self) -> None:
        """Let the threads of the searches end."""
        self._searching.shutdown(wait=False, cancel_futures=True)

    @cached_property
    def embedder(self) -> Embedder:
        return SocketEmbedder(self._settings.embedder_folder, patience=EMBEDDER_PATIENCE_SECONDS)

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
    def memories(self) -> NearestMemories:
        with self._building:
            return NearestMemories(
                self._settings.milvus_uri,
                token=self._settings.milvus_token.get_secret_value(),
                timeout=self._settings.store_timeout_seconds,
            )

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
