"""Runs searches through all of a person's data: one at a time per person, and only while the client waits."""

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
"""Concurrent searches per process; others wait without using a thread."""
PATIENCE_SECONDS: Final = 10.0
"""How long a request waits for its turn."""


CPU_SECONDS: Final = 2.0
"""CPU time limit of one search (X-06)."""


class Stopped(Exception):
    """The client left, so the search was ended."""


class TookTooLong(Exception):
    """The search exceeded its time limit and was ended."""


class Patience:
    """Limits the time of a search; create it in the searching thread.

    Args:
        stop: set when the client has left.
    """

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._until = time.thread_time() + CPU_SECONDS

    def check(self) -> None:
        """Raise `Stopped` or `TookTooLong` if the search must end."""
        if self._stop.is_set():
            raise Stopped
        if time.thread_time() > self._until:
            raise TookTooLong


class AlreadyLooking(Exception):
    """This person's previous search is still running."""


class Describing:
    """Runs searches in threads beside the event loop of one process."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._people: set[str] = set()

    async def run(self, request: Request, person: str, work: Callable[[threading.Event], T]) -> T:
        """Run `work` in a thread and return its result.

        Args:
            person: whose memory is searched.
            work: receives an event that is set when the client has left; it must then raise `Stopped` soon.

        Raises:
            AlreadyLooking: a search for this person is running.
            Busy: there was no free place in time.
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
                working.exception()  # retrieve it, or asyncio would log it
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
    """Return once the client has disconnected; the body was read before."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
