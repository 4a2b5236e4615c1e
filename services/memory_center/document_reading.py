"""Reads uploaded documents beside the event loop: those that take long one after the other (TR-12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

import anyio
from anyio.lowlevel import RunVar
from anyio.to_thread import run_sync

from shared.documents.extract_text import Unreadable
from shared.documents.prepare import Prepared
from shared.documents.reading import is_read_here, read
from shared.documents.rules.media_types import MediaType
from shared.kernel.sensitivity import Policy
from shared.runtime.problems import ApiProblem, Busy, ProblemKind

AT_ONCE: Final = 2
"""Files one process reads at once; a PDF may cost half a minute."""
PATIENCE_SECONDS: Final = 20.0
"""Wait for a place among the files being read."""
WAITING_MAX: Final = 4
"""Files of one person that are being read or wait for it."""

UNREADABLE: Final = ProblemKind(
    status=422,
    code="document_malformed",
    title="The text of this document cannot be read.",
    detail="`code` gives the reason: document_not_text, document_empty, document_encrypted, document_without_text (a"
    " scan), document_malformed, document_too_long, document_too_complex. Nothing was stored.",
)


async def read_in_turn(data: bytes, media_type: MediaType, policy: Policy, *, whose: str) -> Prepared:
    """Read a file beside the event loop; what takes long waits for a place without holding a thread.

    Raises:
        ApiProblem: 422, the text cannot be read.
        Busy: no place became free in time, or this person has files waiting already.
    """
    if is_read_here(data, media_type):
        return await run_sync(_prepared, data, media_type, policy)
    try:
        queue = _QUEUE.get()
    except LookupError:
        _QUEUE.set(queue := _Queue())
    async with queue.turn(whose):
        return await run_sync(_prepared, data, media_type, policy)


class _Queue:
    """The files that wait to be read, of one event loop."""

    def __init__(self) -> None:
        self._places = anyio.Semaphore(AT_ONCE)
        self._people: Counter[str] = Counter()

    @asynccontextmanager
    async def turn(self, whose: str) -> AsyncIterator[None]:
        if self._people[whose] >= WAITING_MAX:
            raise Busy
        self._people[whose] += 1
        try:
            with anyio.move_on_after(PATIENCE_SECONDS) as waiting:
                await self._places.acquire()
            if waiting.cancelled_caught:
                raise Busy
            try:
                yield
            finally:
                self._places.release()
        finally:
            self._people[whose] -= 1
            self._people += Counter()  # nobody is kept who has none


_QUEUE: Final[RunVar[_Queue]] = RunVar("documents")


def _prepared(data: bytes, media_type: MediaType, policy: Policy) -> Prepared:
    try:
        return read(data, media_type, policy)
    except Unreadable as unreadable:
        raise ApiProblem(replace(UNREADABLE, code=unreadable.fault)) from None
