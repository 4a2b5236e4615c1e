"""How a product process reports that it is ready: it answers HTTP, or has touched a file."""

from __future__ import annotations

import http.client
from collections.abc import Callable
from pathlib import Path

from deploy.embedded import ports

_TIMEOUT_SECONDS = 5.0


def asks(port: int) -> Callable[[int], bool]:
    """Return a check that GET /readyz on a local port answers 200."""

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
    """Return a check that a file exists."""
    return lambda _pid: path.exists()


def remover(*paths: Path) -> Callable[[], None]:
    """Return a function that removes files if they exist."""

    def remove() -> None:
        for path in paths:
            path.unlink(missing_ok=True)

    return remove
