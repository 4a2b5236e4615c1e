"""Client of the embedder process, over Unix sockets in a folder only its owner may enter.

Each connection carries one request. The answer is bytes; an empty answer means that the model failed. Texts to embed
are sent as a JSON list and answered by their vectors (32-bit floats, concatenated). A connection that closes without an
answer means that the process died of the request.
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
"""Most passages in one request; other requests wait for about 0.2 s with usual turns."""
PATIENCE_SECONDS: Final = 10.0
"""Timeout of a worker for vectors; its row is offered again."""
_PATH_MAX: Final = 100
"""Longest socket path in bytes (the operating system takes 107 on Linux, 103 on macOS)."""
_POLL_SECONDS: Final = 0.02


class Lane(StrEnum):
    """The kind of request. Each has its own socket and processes, so that questions never wait for passages."""

    PASSAGES = "passages"
    QUERIES = "queries"
    READINGS = "readings"

    def socket_in(self, folder: Path) -> Path:
        return folder / f"{self}.sock"


class EmbedderFailed(RuntimeError):
    """The model raised an error; the embedder's log names it."""


class Lost(Exception):
    """The process at the other end died before it answered."""


def ask(folder: Path, lane: Lane, request: bytes, *, patience: float) -> bytes:
    """Send a request and return its answer.

    Args:
        patience: seconds to wait for an answer, including a restart of the process.

    Raises:
        EmbedderUnavailable: there was no answer in time.
        Lost: the process died of the request.
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
    """Embeds texts through the embedder process, whose sockets are in `folder`.

    `patience` is the number of seconds to wait for an answer, including a restart of the process.

    Raises:
        EmbedderUnavailable: (both methods) there was no answer in time.
        Unembeddable: (both methods) a text crashed the process twice, the second time on its own.
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
            except OSError:  # nobody listens: the process is starting
                if time.monotonic() >= until:
                    raise EmbedderUnavailable from None
                time.sleep(_POLL_SECONDS)
        unix.settimeout(None)
        with Connection(unix.detach()) as connection:
            yield connection


@contextmanager
def address(path: Path) -> Iterator[str]:
    """Yield the address of a Unix socket: its path or, if that is too long, a short path through its opened folder."""
    if len(os.fsencode(path)) <= _PATH_MAX:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
