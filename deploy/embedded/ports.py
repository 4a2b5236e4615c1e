"""Loopback ports: find a free one, check whether one is free or answers."""

from __future__ import annotations

import contextlib
import os
import random
import socket
import sys
from collections import deque

LOOPBACK = "127.0.0.1"
# Below Linux's and macOS's range for outgoing connections, so that no client takes the port before its server does.
_CANDIDATES = range(20_000, 32_000)


def is_free(port: int) -> bool:
    """Return whether a server could listen on this loopback port now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(OSError):
            probe.bind((LOOPBACK, port))
            return True
    return False


_held: deque[int] = deque(maxlen=64)
"""Claims of the ports of servers. A server listens seconds after its port was chosen, and restarts on it.

Descriptors and no sockets: they are held until the process ends, and Python warns of sockets that are never closed.
"""


def free_port() -> int:
    """Return a free loopback port that nobody has claimed; another process may claim it.

    Raises:
        OSError: a hundred random candidates are all in use.
    """
    port, claimed = _some_port()
    claimed.close()
    return port


def claimed_port() -> int:
    """Return a free loopback port for a server of this process, claimed until the process was given many others.

    Raises:
        OSError: as `free_port`.
    """
    port, claimed = _some_port()
    if len(_held) == _held.maxlen:
        os.close(_held.popleft())
    _held.append(claimed.detach())
    return port


def _some_port() -> tuple[int, socket.socket]:
    for port in random.SystemRandom().sample(_CANDIDATES, 100):
        claimed = claim(port)
        if claimed is not None:
            return port, claimed
    raise OSError("no free port between 20000 and 32000 on 127.0.0.1")


def claim(port: int) -> socket.socket | None:
    """Claim a free port among launchers until the result is closed; None if it is in use or claimed.

    Two launchers may start together. The claim is a name in Linux's abstract socket namespace, which disappears with
    its process. Other systems have no such claims.
    """
    claimed = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        if sys.platform == "linux":
            claimed.bind(f"\0memory-center-port-{port}")
    except OSError:
        claimed.close()
        return None
    if not is_free(port):
        claimed.close()
        return None
    return claimed
