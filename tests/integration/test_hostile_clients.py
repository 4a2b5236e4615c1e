"""Clients that hold connections and send, or read, nothing: they are sent away, and keep nobody else out."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Self

from starlette.types import Receive, Scope, Send

from shared.runtime.connections import Patience
from shared.runtime.serving import _server
from shared.runtime.telemetry import CONNECTIONS_ENDED
from tests.support.milvus_servers import free_port, wait_until
from tests.support.small_api import SETTINGS

ENDLESS = Patience(headers=600, body=600, reading=600)
BRIEF = Patience(headers=0.2, body=0.2, reading=0.2)
SECONDS = 30.0
"""Long enough for the busiest machine; nothing here waits for it."""
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
WAIT = GET.replace(b"/ ", b"/wait ", 1)


class Server:
    """A server with an application that waits, reads or writes as it is asked."""

    def __init__(self, patience: Patience) -> None:
        self.port = free_port()
        self.waiting = threading.Semaphore(0)
        self.go_on = threading.Event()

        async def app(scope: Scope, receive: Receive, send: Send) -> None:  # uvicorn takes no method for one
            await self._answer(scope, receive, send)

        self._server = _server(app, SETTINGS.model_copy(update={"port": self.port}), patience)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            for done in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{done}.complete"})
            return
        if scope["path"] == "/wait":
            self.waiting.release()
            while not self.go_on.is_set():  # noqa: ASYNC110  # of another thread
                await asyncio.sleep(0.01)
        size = 64_000_000 if scope["path"] == "/big" else 2
        if scope["path"] != "/hasty":
            while (message := await receive())["type"] == "http.request" and message["more_body"]:
                pass
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % size)]})
        for _ in range(size // 64_000 if size > 2 else 0):
            await send({"type": "http.response.body", "body": b"x" * 64_000, "more_body": True})
        await send({"type": "http.response.body", "body": b"" if size > 2 else b"ok"})

    def connect(self, sent: bytes = b"", *, address: str = "127.0.0.1") -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), SECONDS, (address, 0))
        connection.sendall(sent)
        return connection

    def __enter__(self) -> Self:
        self._thread.start()
        wait_until(lambda: self._server.started, seconds=SECONDS, what="the server")
        return self

    def __exit__(self, *_: object) -> None:
        self.go_on.set()
        self._server.should_exit = True
        self._thread.join(SECONDS)


def everything(connection: socket.socket) -> bytes:
    """Read until the server hangs up."""
    parts = []
    with connection:
        try:
            while part := connection.recv(65_536):
                parts.append(part)
        except ConnectionResetError:
            pass
    return b"".join(parts)


def answered(connection: socket.socket) -> bytes:
    """Read one short answer."""
    found = b""
    while not found.endswith(b"ok"):
        part = connection.recv(65_536)
        assert part, found
        found += part
    return found


def ended(reason: str) -> float:
    return float(CONNECTIONS_ENDED.labels(reason)._value.get())


@contextmanager
def idle(server: Server, count: int, **how: str) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        yield [stack.enter_context(server.connect(**how)) for _ in range(count)]


def test_idle_connections_keep_nobody_out_and_cut_nobody_off() -> None:
    with Server(Patience(connections=40, per_address=20, headers=600)) as server, ExitStack() as stack:
        working = stack.enter_context(server.connect(WAIT))
        assert server.waiting.acquire(timeout=SECONDS)
        flood = stack.enter_context(idle(server, 100))
        for _ in range(30):
            assert b" 200 " in answered(stack.enter_context(server.connect(GET)))
        server.go_on.set()
        assert b" 200 " in answered(working)
        assert everything(flood[0]) == b"", "the oldest made room"


def test_a_flood_from_one_address_costs_another_nothing() -> None:
    with Server(Patience(connections=30, per_address=20, headers=600)) as server, ExitStack() as stack:
        [quiet] = stack.enter_context(idle(server, 1, address="127.0.0.2"))
        stack.enter_context(idle(server, 60))
        stack.enter_context(idle(server, 60, address="127.0.0.3"))
        assert b" 200 " in answered(stack.enter_context(server.connect(GET, address="127.0.0.4")))
        quiet.sendall(GET)
        assert b" 200 " in answered(quiet)


def test_who_is_being_answered_keeps_the_place_and_the_next_is_told_to_wait() -> None:
    with Server(Patience(connections=8, per_address=2)) as server, ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(server.connect(WAIT))
            assert server.waiting.acquire(timeout=SECONDS)
        head, _, body = everything(server.connect()).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        assert b"Retry-After: 2" in head
        assert b"application/problem+json" in head
        assert json.loads(body)["code"] == "busy"


POST = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{"


TOO_SLOW: list[tuple[bytes, bytes]] = [
    (b"", b""),
    (b"GET / HTT", b" 408 "),
    (b"GET / HTTP/1.1\r\nHost: localhost\r\nX", b" 408 "),
    (GET + b"GET / HTTP/1.1\r\n", b"\r\n\r\nokHTTP/1.1 408 "),
    (POST % b"/", b" 408 "),
    (POST % b"/hasty", b"\r\n\r\nok"),
]


def test_who_sends_too_slowly_is_sent_away() -> None:
    before = ended("slow_headers"), ended("slow_body")
    with Server(BRIEF) as server:
        hasty = server.connect(WAIT + b"GET / HTTP/1.1\r\n")  # its next request is slow, its answer is ours to end
        connections = [server.connect(sent) for sent, _ in TOO_SLOW]
        for connection, (sent, answer) in zip(connections, TOO_SLOW, strict=True):
            said = everything(connection)
            assert answer in said, sent
            assert bool(said) == bool(answer), sent
            assert said.endswith(b"ok") == answer.endswith(b"ok"), sent
        server.go_on.set()
        assert re.fullmatch(rb"HTTP/1.1 200 OK\r\n.*\r\n\r\nokHTTP/1.1 408 .*", everything(hasty), re.DOTALL)
    assert (ended("slow_headers") - before[0], ended("slow_body") - before[1]) == (5, 2)


def test_who_reads_nothing_is_sent_away() -> None:
    before = ended("not_reading")
    with Server(BRIEF) as server, server.connect(GET.replace(b"/ ", b"/big ", 1)):
        wait_until(lambda: ended("not_reading") > before, seconds=SECONDS, what="the end")


def test_headers_without_an_end_are_refused() -> None:
    with Server(ENDLESS) as server:
        said = everything(server.connect(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 200_000))
    assert b" 431 Request Header Fields Too Large\r\n" in said or said == b"", "the rest was not read"
    assert ended("headers_too_large") >= 1


def test_what_follows_a_body_without_an_end_is_refused() -> None:
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: "
    before = ended("headers_too_large")
    with Server(ENDLESS) as server:
        everything(server.connect(head + b"x" * 200_000))
    assert ended("headers_too_large") == before + 1


def test_what_is_not_http_is_a_problem_too() -> None:
    with Server(ENDLESS) as server:
        said = everything(server.connect(b"\x16\x03\x01\x02\x00\x01"))
    assert json.loads(said.partition(b"\r\n\r\n")[2])["code"] == "bad_request"


def test_a_long_body_arrives() -> None:
    with Server(ENDLESS) as server, server.connect(POST % b"/") as connection:
        for _ in range(9):
            connection.sendall(b"x" * 100_000)
        connection.sendall(b"x" * 99_999)
        assert b" 200 " in answered(connection)
