"""Sealing: a file is readable with its own key only, in parts, and whoever shortens or reorders it is noticed.

AES-256-GCM over chunks of 64 KiB under nonces of a counter and a mark of the last one: the STREAM construction (Hoang,
Reyhanitabar, Rogaway, Vizár: "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", 2015). A key
seals one file, so no nonce repeats; the file's name is authenticated with every chunk.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from shared.stores.sealed.files import Sealing

CHUNK: Final = 64 * 1024
TAG: Final = 16
_SEALED: Final = CHUNK + TAG


class Damaged(Exception):
    """A chunk is not what was sealed, or not where it was."""


class Sealer:
    """Takes what is written to it and writes it sealed.

    Args:
        sink: where the sealed bytes go.
        key: 32 bytes that seal nothing else.
        name: the file's key in the store.
    """

    def __init__(self, sink: Sealing, key: bytes, name: UUID) -> None:
        self._sink = sink
        self._cipher = AESGCM(key)
        self._name = name.bytes
        self._waiting = bytearray()
        self._chunks = 0
        self._digest = hashlib.sha256()
        self.size = 0
        """Bytes written so far, before sealing."""

    def write(self, data: bytes) -> int:
        """Seal what fills a chunk; the last chunk is known at the end only."""
        self._digest.update(data)
        self.size += len(data)
        self._waiting += data
        while len(self._waiting) > CHUNK:
            self._seal(bytes(self._waiting[:CHUNK]), last=False)
            del self._waiting[:CHUNK]
        return len(data)

    def flush(self) -> None:
        """Nothing is written before its chunk is full."""

    def close(self) -> bytes:
        """Seal the last chunk; return the SHA-256 of everything before sealing."""
        self._seal(bytes(self._waiting), last=True)
        self._waiting.clear()
        return self._digest.digest()

    def _seal(self, chunk: bytes, *, last: bool) -> None:
        self._sink.write(self._cipher.encrypt(_nonce(self._chunks, last=last), chunk, self._name))
        self._chunks += 1


def unsealed(
    source: BinaryIO, name: UUID, size: int, *, start: int, end: int, key: Callable[[], bytes]
) -> Iterator[bytes]:
    """Yield the bytes `start` … `end` (exclusive) of what was sealed, chunk by chunk.

    Args:
        source: the sealed file.
        size: of all that was sealed, before sealing.
        key: asked for each chunk once that was read, however long it took; raises when nothing may be read any more.

    Raises:
        Damaged: a chunk is not what was sealed.
    """
    last = max(0, size - 1) // CHUNK
    for number in range(start // CHUNK, (max(end, 1) - 1) // CHUNK + 1):
        source.seek(number * _SEALED)
        sealed = source.read(_SEALED)
        try:
            chunk = AESGCM(key()).decrypt(_nonce(number, last=number == last), sealed, name.bytes)
        except (InvalidTag, ValueError):
            raise Damaged from None
        begin = number * CHUNK
        yield chunk[max(0, start - begin) : end - begin]


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11, "big") + (b"\x01" if last else b"\x00")
