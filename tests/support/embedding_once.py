"""The real embedder and reader, asked only once for the same text: most tests say the same few sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from json import dumps, loads
from typing import Any

import pytest

from shared.language.embedding.socket import SocketEmbedder
from shared.language.reader.socket import SocketReadings

KEPT = 20_000
"""Vectors, 3 kB each."""


@contextmanager
def each_text_once() -> Iterator[None]:
    """Let every `SocketEmbedder` of this process answer from memory what one was asked before."""
    query: Callable[[SocketEmbedder, str], list[float]] = lru_cache(KEPT)(SocketEmbedder.query)

    @lru_cache(KEPT)
    def passage(embedder: SocketEmbedder, text: str) -> list[float]:
        return original(embedder, [text])[0]

    def passages(embedder: SocketEmbedder, texts: Sequence[str]) -> list[list[float]]:
        return [list(passage(embedder, text)) for text in texts]

    @lru_cache(KEPT)
    def read(readings: SocketReadings, question: str, about: str) -> Any:
        return ask(readings, question, loads(about))

    original, ask = SocketEmbedder.passages, SocketReadings._ask
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SocketEmbedder, "query", lambda embedder, text: list(query(embedder, text)))
        patch.setattr(SocketEmbedder, "passages", passages)
        patch.setattr(SocketReadings, "_ask", lambda readings, question, about: read(readings, question, dumps(about)))
        yield
