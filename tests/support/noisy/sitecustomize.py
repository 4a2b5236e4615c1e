"""Add noise to every vector the embedder makes, as if each were made on another processor.

A run of tests with `MEMORY_CENTER_TEST_NOISE=1e-6` puts this folder on PYTHONPATH, so each Python process it starts
loads this file by its name, before anything of the product; `tests/conftest.py` imports it for its own process.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import Any

_RANDOM = Random()  # nothing secret


def with_noise(vector: Sequence[float], noise: float) -> list[float]:
    """Return the unit vector after each number was moved by at most `noise`."""
    moved = [x + _RANDOM.uniform(-noise, noise) for x in vector]
    length = sqrt(sum(x * x for x in moved))
    return [x / length for x in moved]


def install(noise: float) -> None:
    """Make the embedder of this process noisy."""
    from shared.language.embedding.bundled import BundledE5  # only a noisy process needs it

    query: Callable[..., Any] = BundledE5.query
    passages: Callable[..., Any] = BundledE5.passages

    def noisy_query(self: BundledE5, text: str) -> list[float]:
        return with_noise(query(self, text), noise)

    def noisy_passages(self: BundledE5, texts: Sequence[str]) -> list[list[float]]:
        return [with_noise(vector, noise) for vector in passages(self, texts)]

    setattr(BundledE5, "query", noisy_query)  # noqa: B010 # mypy forbids assigning to a method
    setattr(BundledE5, "passages", noisy_passages)  # noqa: B010


if _noise := float(os.environ.get("MEMORY_CENTER_TEST_NOISE") or 0):
    install(_noise)
