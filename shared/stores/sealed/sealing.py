"""Encryption of files: each has its own key, can be read in parts, and truncation or reordering is detected.

AES-256-GCM over chunks of 64 KiB, with nonces made of a counter and a flag for the last chunk: the STREAM construction
(Hoang, Reyhanitabar, Rogaway, Vizár: "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", 2015). A
key encrypts one file, so no nonce repeats; the file's name is authenticated with every chunk.
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
    """A chunk was changed or moved."""


class Sealer:
    """Encrypts the data written to it.

    Args:
        sink: receives the encrypted bytes.
        key: 32 bytes used for nothing else.
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
        """Plaintext bytes written so far."""

    def write(self, data: bytes) -> int:
        """Encrypt complete chunks; the last chunk is known only at the end."""
        self._digest.update(data)
        self.size += len(data)
        self._waiting += data
        while len(self._waiting) > CHUNK:
            self._seal(bytes(self._waiting[:CHUNK]), last=False)
            del self._waiting[:CHUNK]
        return len(data)

    def flush(self) -> None:
        """Do nothing: a chunk is only written when it is full."""

    def close(self) -> bytes:
        """Encrypt the last chunk; return the SHA-256 of the plaintext."""
        self._seal(bytes(self._waiting), last=True)
        self._waiting.clear()
        return self._digest.digest()

    def _seal(self, chunk: bytes, *, last: bool) -> None:
        self._sink.write(self._cipher.encrypt(_nonce(self._chunks, last=last), chunk, self._name))
        self._chunks += 1


def unsealed(
    source: BinaryIO, name: UUID, size: int, *, start: int, end: int, key: Callable[[], bytes]
) -> Iterator[bytes]:
    """Yield the plaintext bytes `start` … `end` (exclusive), chunk by chunk.

    Args:
        source: the encrypted file.
        size: of the whole plaintext.
        key: called for each chunk after it was read; raises if nothing may be read any more.

    Raises:
        Damaged: a chunk was changed.
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
