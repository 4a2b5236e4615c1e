"""Signs proofs, and checks signatures with the public key alone (Ed25519, RFC 8032)."""

from __future__ import annotations

import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


class Signer:
    """Signs with the key derived from an installation's secret.

    Args:
        secret: any text with enough randomness, from which HKDF-SHA256 (RFC 5869) derives the 32-byte seed.
    """

    def __init__(self, secret: str) -> None:
        seed = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"memory-center ledger").derive(secret.encode())
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public_key = self._key.public_key().public_bytes_raw().hex()
        """The 32-byte public key, as hex."""

    def sign(self, message: bytes) -> bytes:
        """Return the 64-byte signature of a message."""
        return self._key.sign(message)


def is_signed(message: bytes, signature: bytes, public_key: str) -> bool:
    """Return whether the owner of a public key (hex) signed the message; False for a malformed key."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def fingerprint(public_key: str) -> str:
    """Return a short form of a public key for people to compare: the start of its SHA-256, in groups."""
    digest = hashlib.sha256(bytes.fromhex(public_key)).hexdigest()[:32]
    return " ".join(digest[start : start + 4] for start in range(0, len(digest), 4))
