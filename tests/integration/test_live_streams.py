"""Streams of a real process: told in time, counted, holding nothing, ended with their client or the server."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from deploy.embedded import ports
from services.memory_center.routes.live import LOOKS_AT_ONCE, STREAMS_MAX
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.traits.reflect import queue_reflection
from tests.e2e.test_quarantine import told
from tests.support.streams import Sent, events_in
from tests.support.workbench import Person, Workbench

SECONDS = 20.0
"""A busy machine may take so long; nothing here waits for it when all is well."""


@dataclass
class Service:
    """The memory center's API as a process of its own."""

    process: subprocess.Popen[bytes]
    url: str

    def asks(self, person: Person, **more: Any) -> httpx.Response:
        """Take one look."""
        return httpx.get(self.url, params={"seconds": 0}, headers=person.headers, timeout=SECONDS, **more)


@dataclass
class Listener:
    """A client in a thread of its own that keeps what it is sent."""

    text: str = ""
    ended: threading.Event = field(default_factory=threading.Event)
    _socket: socket.socket | None = None

    def run(self, url: str, person: Person) -> None:
        try:
            with httpx.stream("GET", url, headers=person.headers, timeout=SECONDS) as answer:
                self._socket = answer.extensions["network_stream"].get_extra_info("socket")
                for piece in answer.iter_text():
                    self.text += piece
        except httpx.TransportError:
            pass  # it was hung up
        finally:
            self.ended.set()

    def hang_up(self) -> None:
        """Close the connection, as a page that is left does."""
        if self._socket is not None and not self.ended.is_set():
            self._socket.shutdown(socket.SHUT_RDWR)

    @property
    def events(self) -> list[Sent]:
        return events_in(self.text)


def wait_for(condition: Callable[[], object], seconds: float = SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.02)


@pytest.fixture
def service(bench: Workbench, tmp_path: Path) -> Iterator[Service]:
    ready, port = tmp_path / "ready", ports.free_port()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("MEMORY_CENTER_")},
        **told(bench.settings),
        "MEMORY_CENTER_PORT": str(port),
        "MEMORY_CENTER_READY_FILE": str(ready),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "services.memory_center"], env=environment, stdout=subprocess.DEVNULL
    )
    try:
        wait_for(ready.exists, 60)
        yield Service(process, f"http://127.0.0.1:{port}/api/v1/memory/events")
    finally:
        process.kill()
        process.wait()


@contextmanager
def listening(service: Service, person: Person) -> Iterator[Listener]:
    """Open a stream and wait for its first event."""
    listener = Listener()
    thread = threading.Thread(target=listener.run, args=(service.url, person))
    thread.start()
    try:
        wait_for(lambda: listener.events)
        yield listener
    finally:
        listener.hang_up()
        thread.join(SECONDS)
        assert not thread.is_alive()


def connections_of(bench: Workbench, *states: str) -> int:
    """Count the connections of the process to its database, those in some states or all."""
    return bench.count(
        """
        select count(*) from pg_stat_activity where datname = current_database()
          and application_name = 'memory-center memory-center'
          and (%(states)s = '{}' or state = any(%(states)s::text[]))
        """,
        states="{" + ",".join(f'"{state}"' for state in states) + "}",
    )


def test_idle_streams_ask_together(bench: Workbench, service: Service) -> None:
    """Eight pages of each of six people: once a second for all of them, and each hears of its own person alone."""
    people = [bench.person() for _ in range(6)]
    for person in people:
        person.conversation()
        bench.database.transact(lambda tx, who=person.user_id: wait_for_the_end_of_a_session(tx, who))  # type: ignore[misc]
    with ExitStack() as stack:
        listeners = [
            (person, stack.enter_context(listening(service, person))) for person in people for _ in range(STREAMS_MAX)
        ]
        wait_for(lambda: statements(bench, seconds=3) < len(listeners) / 2)
        before = {id(listener): len(listener.events) for _, listener in listeners}
        people[0].conversation()
        wait_for(
            lambda: all(
                len(listener.events) > before[id(listener)] for person, listener in listeners if person is people[0]
            )
        )
        assert all(
            len(listener.events) == before[id(listener)] for person, listener in listeners if person is not people[0]
        )


def wait_for_the_end_of_a_session(tx: Transaction, user_id: str) -> None:
    subject = subjects.find(tx, user_id)
    assert subject is not None
    queue_reflection(tx, subject.id, trigger="session", delay_seconds=1_800)


def statements(bench: Workbench, *, seconds: float) -> float:
    """Return how many transactions a second there are in the database, of anybody."""
    counted = "select xact_commit + xact_rollback from pg_stat_database where datname = current_database()"
    began, before = time.monotonic(), bench.count(counted)
    time.sleep(seconds)
    return (bench.count(counted) - before) / (time.monotonic() - began)


def test_what_happens_elsewhere_is_told_of_while_it_happens(bench: Workbench, service: Service) -> None:
    ada = bench.person()
    conversation = ada.conversation()
    ada.say(conversation, ("I live in Zanzibar.", "Ok."))
    with listening(service, ada) as listener:
        bench.work()
        wait_for(lambda: any("memories" in one.data.get("areas", []) for one in listener.events))
        op_id = ada.forget("conversation", conversation_id=conversation)
        wait_for(lambda: any(one.event == "operation" for one in listener.events))
        bench.work()
        wait_for(lambda: any(one.data.get("status") == "succeeded" for one in listener.events))
        last = [one.data for one in listener.events if one.event == "operation"][-1]

    assert last == ada.operation(op_id)
    assert "Zanzibar" not in listener.text


def test_streams_are_counted_hold_no_connection_and_end_with_their_client(bench: Workbench, service: Service) -> None:
    ada, lin = bench.person(), bench.person()
    ada.conversation()
    with ExitStack() as open_streams:
        for _ in range(STREAMS_MAX):
            open_streams.enter_context(listening(service, ada))
        refused = service.asks(ada)
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_streams")
        assert refused.headers["retry-after"] == "5"
        assert service.asks(lin).status_code == 200
        elsewhere = bench.api.get("/api/v1/memory/events", params={"seconds": 0}, headers=ada.headers)
        assert elsewhere.status_code == 429, "the streams of all processes count together"
        assert connections_of(bench) <= LOOKS_AT_ONCE + 1
        wait_for(lambda: connections_of(bench, "active", "idle in transaction") == 0)

    wait_for(lambda: service.asks(ada).status_code == 200)


def test_a_server_that_is_told_to_stop_ends_its_streams(bench: Workbench, service: Service) -> None:
    ada = bench.person()
    with listening(service, ada) as listener:
        begun = time.monotonic()
        service.process.send_signal(signal.SIGTERM)
        wait_for(listener.ended.is_set)
        service.process.wait(SECONDS)

    assert time.monotonic() - begun < 4, "the server waited for its streams until its patience was over"
