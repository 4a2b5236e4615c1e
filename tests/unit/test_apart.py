"""Work in a process of its own ends when its time is over or nobody waits (X-06)."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from typing import Any

import pytest
from starlette.requests import Request

from shared.runtime import apart
from shared.runtime.apart import ChildFailed, Stopped, TookTooLong, session
from shared.runtime.describing import AlreadyLooking, Describing
from tests.support.runaway import Runaway


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_kernel_ends_a_regular_expression_that_never_would(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "CPU_SECONDS", 0.2)
    with session(threading.Event(), Runaway) as child:
        pid = child.call(Runaway.pid)
        with pytest.raises(TookTooLong):
            child.call(Runaway.matches)
    assert not is_alive(pid)


def test_it_ends_when_nobody_waits_any_more() -> None:
    stop = threading.Event()
    with session(stop, Runaway) as child:
        pid = child.call(Runaway.pid)
        stop.set()
        with pytest.raises(Stopped):
            child.call(Runaway.matches)
    assert not is_alive(pid)


def test_it_ends_on_a_machine_that_gives_it_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "WALL_SECONDS", 0.2)
    with session(threading.Event(), Runaway) as child, pytest.raises(TookTooLong):
        child.call(Runaway.sleeps)


def test_an_error_is_told_by_its_name_alone() -> None:
    with session(threading.Event(), Runaway) as child, pytest.raises(ChildFailed, match=r"^ValueError$"):
        child.call(Runaway.fails)
    with pytest.raises(ChildFailed, match=r"^ValueError$"), session(threading.Event(), Runaway, fails=True):
        pass


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


def running(begun: threading.Event, pids: list[int]) -> Callable[[threading.Event], None]:
    def work(stop: threading.Event) -> None:
        with session(stop, Runaway) as child:
            pids.append(child.call(Runaway.pid))
            begun.set()
            child.call(Runaway.matches)

    return work


async def until(event: threading.Event) -> None:
    await asyncio.to_thread(event.wait)


def test_one_search_of_a_person_runs_and_ends_when_the_client_leaves() -> None:
    async def scenario() -> None:
        describing, ada, again, begun, pids = Describing(), Client(), Client(), threading.Event(), list[int]()
        first = asyncio.create_task(describing.run(ada.request, "ada", running(begun, pids)))
        await until(begun)
        with pytest.raises(AlreadyLooking):
            await describing.run(again.request, "ada", lambda _: None)
        assert await describing.run(Client().request, "bob", lambda _: "found") == "found"
        ada.leave()
        with pytest.raises(Stopped):
            await first
        assert not is_alive(pids[0])
        assert await describing.run(again.request, "ada", lambda _: "found") == "found"

    asyncio.run(scenario())


def test_who_leaves_while_waiting_for_a_turn_starts_nothing() -> None:
    async def scenario() -> None:
        describing, busy = Describing(), [Client(), Client()]
        events, pids = [threading.Event(), threading.Event()], list[int]()
        running_now = [
            asyncio.create_task(describing.run(client.request, str(place), running(event, pids)))
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
