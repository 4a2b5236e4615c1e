"""The embedder as other processes ask it: over Unix sockets in a folder only its owner may enter.

One request is one connection, answered by bytes, or by none when the model failed. Texts to embed are a JSON list,
answered by their vectors (32-bit floats, one vector after the other). A connection that ends without an answer says
that the process at its other end died of the request.
"""

from __future__ import annotations

import json
import os
import socket
import time
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from shared.language.embedding.bundled import DIMENSIONS, TEXT_MAX, EmbedderUnavailable, Unembeddable

TOGETHER: Final = 8
"""Passages in one request: so long others wait for their turn, 0.2 s for usual turns."""
PATIENCE_SECONDS: Final = 10.0
"""How long a worker waits for vectors. Its row comes again."""
_PATH_MAX: Final = 100
"""Bytes of a path the operating system takes as an address (107 on Linux, 103 on macOS)."""
_POLL_SECONDS: Final = 0.02


class Lane(StrEnum):
    """What is asked. Each kind has a socket and processes of its own: no question waits for passages."""

    PASSAGES = "passages"
    QUERIES = "queries"
    READINGS = "readings"

    def socket_in(self, folder: Path) -> Path:
        return folder / f"{self}.sock"


class EmbedderFailed(RuntimeError):
    """The model raised an error; the log of the embedder names it."""


class Lost(Exception):
    """The process at the other end died before it answered."""


def ask(folder: Path, lane: Lane, request: bytes, *, patience: float) -> bytes:
    """Send a request and return its answer.

    Args:
        patience: seconds to wait for an answer, and for a process that is being started again.

    Raises:
        EmbedderUnavailable: nobody answered in time.
        Lost: the process died of it.
        EmbedderFailed: the model raised an error.
    """
    until = time.monotonic() + patience
    with _connected(lane.socket_in(folder), until) as connection:
        try:
            connection.send_bytes(request)
            if not connection.poll(max(0.0, until - time.monotonic())):
                raise EmbedderUnavailable
            answer = connection.recv_bytes()
        except (EOFError, OSError):
            raise Lost from None
    if not answer:
        raise EmbedderFailed
    return answer


@dataclass(frozen=True)
class SocketEmbedder:
    """Asks the embedder's process, whose sockets are in a folder.

    `patience` is how many seconds it waits for an answer, and for a process that is being started again.

    Raises:
        EmbedderUnavailable: (both methods) nobody answered in time.
        Unembeddable: (both methods) a text killed the process twice, the second time alone.
        EmbedderFailed: (both methods) the model raised an error.
    """

    folder: Path
    patience: float = field(default=PATIENCE_SECONDS, kw_only=True)
    dimensions: int = field(default=DIMENSIONS, init=False)

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        return [
            vector
            for start in range(0, len(texts), TOGETHER)
            for vector in self._embedded(Lane.PASSAGES, texts[start : start + TOGETHER])
        ]

    def query(self, text: str) -> list[float]:
        return self._embedded(Lane.QUERIES, [text])[0]

    def _embedded(self, lane: Lane, texts: Sequence[str]) -> list[list[float]]:
        try:
            return self._ask(lane, texts)
        except Lost:
            return [self._alone(lane, text) for text in texts]

    def _alone(self, lane: Lane, text: str) -> list[float]:
        try:
            return self._ask(lane, [text])[0]
        except Lost:
            raise Unembeddable from None

    def _ask(self, lane: Lane, texts: Sequence[str]) -> list[list[float]]:
        request = json.dumps([text[:TEXT_MAX] for text in texts]).encode()
        numbers = array("f", ask(self.folder, lane, request, patience=self.patience))
        return [list(numbers[start : start + DIMENSIONS]) for start in range(0, len(numbers), DIMENSIONS)]


@contextmanager
def _connected(path: Path, until: float) -> Iterator[Connection]:
    with socket.socket(socket.AF_UNIX) as unix:
        while True:
            unix.settimeout(max(_POLL_SECONDS, until - time.monotonic()))
            try:
                with address(path) as place:
                    unix.connect(place)
                break
            except OSError:  # nobody listens: it is being started
                if time.monotonic() >= until:
                    raise EmbedderUnavailable from None
                time.sleep(_POLL_SECONDS)
        unix.settimeout(None)
        with Connection(unix.detach()) as connection:
            yield connection


@contextmanager
def address(path: Path) -> Iterator[str]:
    """Yield what a Unix socket is bound to or connected by: its path, or a short one by way of its open folder."""
    if len(os.fsencode(path)) <= _PATH_MAX:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
