"""Requests that look through all a person said: one at a time for each person, and only while somebody waits."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar

import anyio.to_thread
from starlette.requests import Request

from shared.runtime.problems import Busy

T = TypeVar("T")

AT_ONCE: Final = 2
"""Searches under way in one process, for whomever; others wait for their turn, and hold no thread meanwhile."""
PATIENCE_SECONDS: Final = 10.0
"""How long a request waits for its turn."""


CPU_SECONDS: Final = 2.0
"""Processor time of one search (X-06)."""


class Stopped(Exception):
    """Nobody waits for the search any more; it was ended."""


class TookTooLong(Exception):
    """The search used up its time and was ended."""


class Patience:
    """How long a search may go on; made in the thread that searches.

    Args:
        stop: set when nobody waits any more.
    """

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._until = time.thread_time() + CPU_SECONDS

    def check(self) -> None:
        """Raise `Stopped` or `TookTooLong` when it is over."""
        if self._stop.is_set():
            raise Stopped
        if time.thread_time() > self._until:
            raise TookTooLong


class AlreadyLooking(Exception):
    """This person's last description is still being looked for."""


class Describing:
    """Runs searches beside the event loop of one process."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._people: set[str] = set()

    async def run(self, request: Request, person: str, work: Callable[[threading.Event], T]) -> T:
        """Return what `work` returns; it runs in a thread.

        Args:
            person: whose memory it is about.
            work: is told by the event that nobody waits any more; it then raises `Stopped` soon.

        Raises:
            AlreadyLooking: something of this person's is under way.
            Busy: others took too long.
            Stopped: the client left.
        """
        if person in self._people:
            raise AlreadyLooking
        self._people.add(person)
        stop, begun = threading.Event(), threading.Event()
        working = asyncio.create_task(self._in_turn(work, stop, begun))
        leaving = asyncio.create_task(_left(request))
        try:
            await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise Stopped
            return working.result()
        finally:
            stop.set()
            leaving.cancel()
            if not begun.is_set():
                working.cancel()
            await asyncio.wait((working, leaving))
            if not working.cancelled():
                working.exception()  # seen, or asyncio would log it
            self._people.discard(person)

    async def _in_turn(self, work: Callable[[threading.Event], T], stop: threading.Event, begun: threading.Event) -> T:
        try:
            await asyncio.wait_for(self._turns.acquire(), PATIENCE_SECONDS)
        except TimeoutError:
            raise Busy from None
        begun.set()
        try:
            return await anyio.to_thread.run_sync(work, stop)
        finally:
            self._turns.release()


async def _left(request: Request) -> None:
    """Return when the client is gone; the body was read before."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
