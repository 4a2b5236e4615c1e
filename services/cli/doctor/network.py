"""Whether something listens, and how to say where."""

from __future__ import annotations

import contextlib
import socket
from urllib.parse import urlsplit


def connects(url: str) -> bool:
    """Return whether something accepts connections at the host and port of a URL, within 3 s."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    with contextlib.suppress(OSError), socket.create_connection((parts.hostname or "", port), 3):
        return True
    return False


def place(url: str) -> str:
    """Return host and port, without the password a URL may hold."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port}"
