"""Limits connections and their waiting times, so that idle clients make room for active ones.

uvicorn only limits the idle time after a response. Here headers have a time limit, bodies a minimum speed, and clients
must read their responses. When connections run short, the server closes the one it has waited for longest, from the
address with the most connections; a request being answered is never cut off for another.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Literal

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from shared.runtime.problems import (
    BAD_REQUEST,
    BUSY,
    HEADERS_TOO_LARGE,
    MEDIA_TYPE,
    REQUEST_TIMEOUT,
    TYPE_PREFIX,
    ProblemKind,
)
from shared.runtime.telemetry import CONNECTIONS_ENDED

Reason = Literal["made_room", "no_room", "slow_headers", "slow_body", "headers_too_large", "not_reading"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Limits for connections and clients. Times are in seconds."""

    connections: int = 512
    """Every open event stream uses one, so this is well above the 40 threads that serve routes."""
    per_address: int = 128
    headers: float = 10.0
    """From connecting, or the previous response, to the end of the headers."""
    header_bytes: int = 32 * 1024
    body: float = 10.0
    """How far a body may fall behind `body_bytes_per_second`."""
    body_bytes_per_second: int = 4096
    reading: float = 30.0
    """How long a client may read nothing of its response."""


@dataclass(slots=True)
class Crowd:
    """The connections of one server."""

    patience: Patience
    members: set[Connection] = field(default_factory=set)
    addresses: Counter[str] = field(default_factory=Counter)

    def enter(self, connection: Connection) -> bool:
        """Admit a connection, closing another if there are too many; False if there is no room."""
        if self.addresses[connection.address] >= self.patience.per_address:
            room = self._make_room(connection.address)
        elif len(self.members) >= self.patience.connections:
            room = self._make_room(self.addresses.most_common(1)[0][0]) or self._make_room(None)
        else:
            room = True
        if room:
            self.members.add(connection)
            self.addresses[connection.address] += 1
        return room

    def leave(self, connection: Connection) -> None:
        """Remove a closed connection; ignored if it was never admitted."""
        if connection in self.members:
            self.members.remove(connection)
            self.addresses[connection.address] -= 1
            if not self.addresses[connection.address]:
                del self.addresses[connection.address]

    def _make_room(self, address: str | None) -> bool:
        idle = [
            (since, one)
            for one in self.members
            if address in (None, one.address) and (since := one.idle_since()) is not None
        ]
        if not idle:
            return False
        _, longest = min(idle, key=lambda pair: pair[0])
        longest.end("made_room")
        return True

    def look(self, now: float) -> None:
        """End every connection whose client kept the server waiting too long."""
        for connection in list(self.members):
            connection.look(now)


class Connection(HttpToolsProtocol):
    """One client's connection. `waits_since`: since when the server waits for the client; None: the client waits."""

    crowd: Crowd  # set by the subclass `protocol` makes

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Start waiting for the first request, or refuse the connection."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self.waits_since: float | None = self.loop.time()
        self._in: Literal["nothing", "headers", "body"] = "nothing"
        self._header_bytes = self._body_bytes = 0
        self._unanswered = self._unread = 0
        self._unread_since = self.waits_since
        if not self.crowd.enter(self):
            CONNECTIONS_ENDED.labels("no_room").inc()
            self._answer(BUSY, {"Retry-After": "2"})

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the crowd."""
        self.crowd.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process data; refuse headers that are too large, and what follows a body as if it were headers."""
        self._header_bytes += len(data)
        super().data_received(data)
        if self._in != "nothing" and self._header_bytes > self.crowd.patience.header_bytes:
            self._refuse("headers_too_large", HEADERS_TOO_LARGE)

    def on_message_begin(self) -> None:
        """Start waiting for headers."""
        super().on_message_begin()
        self._in, self._header_bytes, self._body_bytes = "headers", 0, 0

    def on_headers_complete(self) -> None:
        """Start waiting for the body."""
        self._in = "body"
        self._unanswered += 1
        if self.waits_since is not None:  # otherwise the client pipelined this request
            self.waits_since = self.loop.time()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Count the body's bytes."""
        self._body_bytes += len(body)
        self._header_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop waiting for the client, unless the response was complete before the request."""
        self._in = "nothing"
        self.waits_since = None if self._unanswered else self.loop.time()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request, or for the rest of this one."""
        self._unanswered -= 1
        super().on_response_complete()
        if not self._unanswered or self._in != "nothing":
            self.waits_since = self.loop.time()

    def send_400_response(self, msg: str) -> None:
        """Answer invalid HTTP."""
        del msg
        self._answer(BAD_REQUEST)

    def look(self, now: float) -> None:
        """End the connection if its client kept the server waiting too long."""
        patience = self.crowd.patience
        unread = self.transport.get_write_buffer_size()
        if not unread or unread < self._unread:  # the client reads
            self._unread_since = now
        self._unread = unread
        if now - self._unread_since > patience.reading:  # a closing transport also waits for its client
            CONNECTIONS_ENDED.labels("not_reading").inc()
            self.transport.abort()
            return
        if self.waits_since is None or self.transport.is_closing():
            return
        if self.flow.read_paused:  # the application does not read
            self.waits_since, self._body_bytes = now, 0
        waited = now - self.waits_since
        if self._in != "body":
            if waited > patience.headers:
                self._refuse("slow_headers", REQUEST_TIMEOUT)
        elif waited > patience.body + (self._body_bytes / patience.body_bytes_per_second if self._unanswered else 0):
            self._refuse("slow_body", REQUEST_TIMEOUT)

    def idle_since(self) -> float | None:
        """Return since when the client has sent or read nothing; None if the server is working."""
        if self.transport.is_closing():
            return None
        if self.waits_since is None and self._unread and self.transport.get_write_buffer_size():
            return self._unread_since
        return self.waits_since

    def end(self, reason: Reason) -> None:
        """Close the connection."""
        CONNECTIONS_ENDED.labels(reason).inc()
        self.transport.close()

    def _refuse(self, reason: Reason, kind: ProblemKind) -> None:
        CONNECTIONS_ENDED.labels(reason).inc()
        if self._in == "nothing" or (self._in == "body" and not self._unanswered):
            self.transport.close()
        else:
            self._answer(kind)

    def _answer(self, kind: ProblemKind, headers: dict[str, str] | None = None) -> None:
        """Send a response without the application, unless it has begun one; then close the connection."""
        if self._unanswered > 1 or (self._unanswered and self.cycle.response_started):
            self.transport.close()
            return
        document = {"type": TYPE_PREFIX + kind.code, "title": kind.title, "status": kind.status, "code": kind.code}
        body = json.dumps(document).encode()
        sent = {"Content-Type": MEDIA_TYPE, "Content-Length": str(len(body)), "Connection": "close", **(headers or {})}
        head = [f"HTTP/1.1 {kind.status} {HTTPStatus(kind.status).phrase}", *(f"{n}: {v}" for n, v in sent.items())]
        self.transport.write("\r\n".join([*head, "", ""]).encode() + body)
        self.transport.close()


def protocol(crowd: Crowd) -> type[Connection]:
    """Return the uvicorn protocol class for the connections of one crowd."""
    return type("Connection", (Connection,), {"crowd": crowd})
