"""Checks the proof of an erasure offline (X-03). The form of entries is in docs/schemas of the project."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from typing import Any

from memory_center_client.errors import ReceiptInvalid


def verify(receipt: Mapping[str, Any], *, public_keys: Collection[str]) -> None:
    """Return if a receipt, as `GET /api/v1/receipts/{id}` answered it, proves that something was erased.

    Each entry's hash is SHA-256 of the hash before it and of its body in canonical JSON (RFC 8785), and is signed
    (Ed25519).

    Args:
        public_keys: whose signature is expected, in hexadecimal.

    Raises:
        ReceiptInvalid: it was altered, signed with another key, or the erasure is not proven yet.
    """
    try:
        entries = list(receipt["entries"])
        for entry in entries:
            _check(entry, str(receipt["receipt_id"]), public_keys)
        # After a backup was restored, the erasure is repeated: only the last run proves anything.
        run = max(int(entry["body"]["run"]) for entry in entries)
        proven = any(entry["body"]["kind"] == "verified" and entry["body"]["run"] == run for entry in entries)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ReceiptInvalid("this is not a receipt") from None
    if not proven:
        raise ReceiptInvalid("the erasure is not proven yet")


def _check(entry: Mapping[str, Any], receipt_id: str, public_keys: Collection[str]) -> None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    body = entry["body"]
    sealed = bytes.fromhex(entry["hash"])
    text = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    if hashlib.sha256(bytes.fromhex(entry["prev_hash"]) + text.encode()).digest() != sealed:
        raise ReceiptInvalid("the hash does not fit the entry")
    if body["receipt"] != receipt_id:
        raise ReceiptInvalid("an entry belongs to another receipt")
    if body["public_key"] not in public_keys:
        raise ReceiptInvalid("it was signed with another key than the expected one")
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(body["public_key"]))
        key.verify(bytes.fromhex(entry["signature"]), sealed)
    except InvalidSignature:
        raise ReceiptInvalid("the signature does not fit the entry") from None
