"""How a product process reports that it is ready: it answers HTTP, or has touched a file.

A gateway that says why it may serve nothing runs as it should: what ends that, like `memory-center replay` after a
restore, needs the servers that a failed start would stop.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from pathlib import Path

from deploy.embedded import ports

_TIMEOUT_SECONDS = 5.0
_ANSWER_BYTES = 10_000


def asks(port: int, say: Callable[[str], None]) -> Callable[[int], bool]:
    """Return a check that GET /readyz on a local port answers 200, or says that the ledger keeps it from serving.

    Args:
        say: receives one line in the second case.
    """

    def is_ready(_pid: int) -> bool:
        connection = http.client.HTTPConnection(ports.LOOPBACK, port, timeout=_TIMEOUT_SECONDS)
        try:
            connection.request("GET", "/readyz")
            answer = connection.getresponse()
            found = {} if answer.status == http.HTTPStatus.OK else json.loads(answer.read(_ANSWER_BYTES))["parts"]
        except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
            return False
        finally:
            connection.close()
        if found.get("database", "ok") != "ok":
            return False
        if found:
            say(f"nothing is served yet: {found.get('ledger')}; `memory-center doctor` says what to do")
        return True

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
