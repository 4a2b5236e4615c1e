"""The real embedder, asked only once for the same text: most tests say the same few sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

import pytest

from shared.models.embedder import BundledE5

KEPT = 20_000
"""Vectors, 3 kB each."""


@contextmanager
def each_text_once() -> Iterator[None]:
    """Let every `BundledE5` of this process answer from memory what one was asked before."""
    query: Callable[[BundledE5, str], list[float]] = lru_cache(KEPT)(BundledE5.query)

    @lru_cache(KEPT)
    def passage(embedder: BundledE5, text: str) -> list[float]:
        return original(embedder, [text])[0]

    def passages(embedder: BundledE5, texts: Sequence[str]) -> list[list[float]]:
        return [list(passage(embedder, text)) for text in texts]

    original = BundledE5.passages
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BundledE5, "query", lambda embedder, text: list(query(embedder, text)))
        patch.setattr(BundledE5, "passages", passages)
        yield
