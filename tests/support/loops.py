"""Asynchronous code in a test."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import anyio

T = TypeVar("T")


def in_a_loop(work: Callable[[], Awaitable[T]]) -> T:
    """Return what `work` returns; in another thread, because a browser's driver keeps its loop in the tests' own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, work).result()
