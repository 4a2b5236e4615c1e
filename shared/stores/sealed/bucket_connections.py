"""Connections with a deadline for the whole call; boto3 only has a timeout for each single wait.

A call may wait many times: for each block sent, for each byte of a slow response, and again for a retry. An announced
write must end in time, so the deadline covers the whole call.
"""

from __future__ import annotations

import io
import socket
import threading
import time
from typing import Any

from botocore.awsrequest import (
    AWSHTTPConnection,
    AWSHTTPConnectionPool,
    AWSHTTPSConnection,
    AWSHTTPSConnectionPool,
)

_call = threading.local()


def begin_call(seconds: float) -> None:
    """Start a call in this thread and set its maximum duration, including all attempts."""
    _call.ends_at = time.monotonic() + seconds


def _left() -> float:
    """Return the remaining seconds of this thread's call.

    Raises:
        TimeoutError: there are none.
    """
    left: float = _call.ends_at - time.monotonic()
    if left <= 0:
        raise TimeoutError("the call took too long")
    return left


class _Socket:
    """A connected socket; all other attributes are those of the real one."""

    def __init__(self, real: socket.socket) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def sendall(self, data: bytes) -> None:
        self._real.settimeout(_left())
        self._real.sendall(data)

    def makefile(self, mode: str, buffering: int = -1) -> io.IOBase:
        raw = _Answer(self._real, self._real.makefile(mode, buffering=0))  # type: ignore[call-overload]
        return raw if buffering == 0 else io.BufferedReader(raw)


class _Answer(io.RawIOBase):
    """The response stream of a socket."""

    def __init__(self, real: socket.socket, raw: io.RawIOBase) -> None:
        self._real, self._raw = real, raw

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int | None:  # type: ignore[override]  # what `io` hands over
        self._real.settimeout(_left())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Plain(AWSHTTPConnection):
    def connect(self) -> None:
        self.timeout = _left()
        super().connect()
        self.sock = _Socket(self.sock)


class _Secure(AWSHTTPSConnection):
    def connect(self) -> None:
        self.timeout = _left()
        super().connect()
        self.sock = _Socket(self.sock)


class _PlainPool(AWSHTTPConnectionPool):
    ConnectionCls = _Plain


class _SecurePool(AWSHTTPSConnectionPool):
    ConnectionCls = _Secure


def make_punctual(client: Any, seconds: float) -> None:
    """Limit every call of a boto3 client to this many seconds, plus the pause before its second attempt."""
    # There is no public API; tests/contract/test_bucket_failing.py fails if this has no effect.
    client._endpoint.http_session._pool_classes_by_scheme.update(http=_PlainPool, https=_SecurePool)  # noqa: SLF001
    client.meta.events.register("before-call.s3", lambda **_: begin_call(seconds))
