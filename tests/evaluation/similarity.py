"""The real embedder's cosine, each text embedded once a process."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from shared.models.embedder import bundled_embedder

Similarity: TypeAlias = Callable[[str, str], float]


@cache
def _vector(text: str) -> tuple[float, ...]:
    return tuple(bundled_embedder().passages([text])[0])


def cosine(one: str, other: str) -> float:
    """Return how near two texts are, from about 0.75 (unrelated) to 1.0."""
    return sum(x * y for x, y in zip(_vector(one), _vector(other), strict=True))
