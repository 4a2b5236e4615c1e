"""Loopback ports: find a free one, ask whether one is taken or answered."""

from __future__ import annotations

import contextlib
import random
import socket

LOOPBACK = "127.0.0.1"
# Below Linux's and macOS's range for outgoing connections, so that no client takes the port before its server does.
_CANDIDATES = range(20_000, 32_000)


def is_free(port: int) -> bool:
    """Say whether a server could listen on this loopback port now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(OSError):
            probe.bind((LOOPBACK, port))
            return True
    return False


def free_port() -> int:
    """Return a loopback port nobody listens on.

    Raises:
        OSError: a hundred random candidates are all taken.
    """
    for port in random.SystemRandom().sample(_CANDIDATES, 100):
        if is_free(port):
            return port
    raise OSError("no free port between 20000 and 32000 on 127.0.0.1")


def answers(port: int, timeout: float = 0.5) -> bool:
    """Say whether something accepts connections on this loopback port."""
    with contextlib.suppress(OSError), socket.create_connection((LOOPBACK, port), timeout):
        return True
    return False
