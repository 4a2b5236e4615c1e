"""Connections whose every wait ends with the call it is for: boto3 by itself knows a time for each wait alone.

A call may wait often: for each block that it sends, for each byte of an answer that comes slowly, and all that again
when it is repeated. An announced write must end in time, so what counts is the whole call.
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
    """Say that a call of this thread begins, and how long it may take with all its attempts."""
    _call.ends_at = time.monotonic() + seconds


def _left() -> float:
    """Return the seconds this thread's call has left.

    Raises:
        TimeoutError: none.
    """
    left: float = _call.ends_at - time.monotonic()
    if left <= 0:
        raise TimeoutError("the call took too long")
    return left


class _Socket:
    """A connected socket; whatever else is asked of it, it is the real one."""

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
    """What comes from a socket."""

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
    """Let no call of a boto3 client take longer than this, by more than the pause before its second attempt."""
    # There is no public way; tests/contract/test_bucket_failing.py fails where this does not take.
    client._endpoint.http_session._pool_classes_by_scheme.update(http=_PlainPool, https=_SecurePool)  # noqa: SLF001
    client.meta.events.register("before-call.s3", lambda **_: begin_call(seconds))
