"""A search through all a person said: one of theirs at a time, ended when its time is over or nobody waits (X-06)."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from starlette.requests import Request

from shared.runtime import describing as module
from shared.runtime.describing import AlreadyLooking, Describing, Patience, Stopped, TookTooLong


def test_a_search_ends_when_its_processor_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CPU_SECONDS", 0.05)
    patience = Patience(threading.Event())
    patience.check()
    time.sleep(0.1)
    patience.check()  # who only waits uses none
    with pytest.raises(TookTooLong):
        while True:
            patience.check()


def test_a_search_ends_when_nobody_waits_any_more() -> None:
    stop = threading.Event()
    patience = Patience(stop)
    patience.check()
    stop.set()
    with pytest.raises(Stopped):
        patience.check()


class Client:
    """The other end of a request; it may leave."""

    def __init__(self) -> None:
        self._left = asyncio.Event()
        self.request = Request({"type": "http"}, receive=self._receive)

    def leave(self) -> None:
        self._left.set()

    async def _receive(self) -> dict[str, Any]:
        await self._left.wait()
        return {"type": "http.disconnect"}


def running(begun: threading.Event, ended: threading.Event) -> Callable[[threading.Event], None]:
    """Return work that goes on until nobody waits for it."""

    def work(stop: threading.Event) -> None:
        patience = Patience(stop)
        begun.set()
        try:
            while True:
                patience.check()
                time.sleep(0.001)
        finally:
            ended.set()

    return work


async def until(event: threading.Event) -> None:
    await asyncio.to_thread(event.wait)


def test_one_search_of_a_person_runs_and_ends_when_the_client_leaves() -> None:
    async def scenario() -> None:
        describing, ada, again = Describing(), Client(), Client()
        begun, ended = threading.Event(), threading.Event()
        first = asyncio.create_task(describing.run(ada.request, "ada", running(begun, ended)))
        await until(begun)
        with pytest.raises(AlreadyLooking):
            await describing.run(again.request, "ada", lambda _: None)
        assert await describing.run(Client().request, "bob", lambda _: "found") == "found"
        ada.leave()
        with pytest.raises(Stopped):
            await first
        assert ended.is_set()
        assert await describing.run(again.request, "ada", lambda _: "found") == "found"

    asyncio.run(scenario())


def test_who_leaves_while_waiting_for_a_turn_starts_nothing() -> None:
    async def scenario() -> None:
        describing, busy = Describing(), [Client(), Client()]
        events, ended = [threading.Event(), threading.Event()], threading.Event()
        running_now = [
            asyncio.create_task(describing.run(client.request, str(place), running(event, ended)))
            for place, (client, event) in enumerate(zip(busy, events, strict=True))
        ]
        for event in events:
            await until(event)
        waits, started = Client(), list[str]()
        waiting = asyncio.create_task(describing.run(waits.request, "ada", lambda _: started.append("ada")))
        await asyncio.sleep(0.05)
        waits.leave()
        with pytest.raises(Stopped):
            await waiting
        for client in busy:
            client.leave()
        assert [type(one) for one in await asyncio.gather(*running_now, return_exceptions=True)] == [Stopped, Stopped]
        assert started == []

    asyncio.run(scenario())
