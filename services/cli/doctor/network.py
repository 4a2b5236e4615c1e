"""Check whether an address accepts connections, and display addresses without passwords."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path
from urllib.parse import urlsplit

from deploy.embedded.private import answers


def connects(url: str) -> bool:
    """Return whether the host and port, or the socket, of a URL accepts connections within 3 s."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return answers(Path(parts.path), 3)
    port = parts.port or {"https": 443, "postgresql": 5432}.get(parts.scheme, 80)
    with contextlib.suppress(OSError), socket.create_connection((parts.hostname or "", port), 3):
        return True
    return False


def place(url: str) -> str:
    """Return host and port, or the socket, without the password a URL may contain."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return parts.path
    return f"{parts.hostname}:{parts.port}"
