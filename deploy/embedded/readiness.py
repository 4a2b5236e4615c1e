"""How a process of ours is seen to be ready: it answers, or it touched a file."""

from __future__ import annotations

import http.client
from collections.abc import Callable
from pathlib import Path

from deploy.embedded import ports

_TIMEOUT_SECONDS = 5.0


def asks(port: int) -> Callable[[int], bool]:
    """Return the question whether GET /readyz on a port of this machine answers 200."""

    def is_ready(_pid: int) -> bool:
        connection = http.client.HTTPConnection(ports.LOOPBACK, port, timeout=_TIMEOUT_SECONDS)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    return is_ready


def looks_for(path: Path) -> Callable[[int], bool]:
    """Return the question whether a file is there."""
    return lambda _pid: path.exists()


def remover(*paths: Path) -> Callable[[], None]:
    """Return what removes files, if they are there."""

    def remove() -> None:
        for path in paths:
            path.unlink(missing_ok=True)

    return remove
