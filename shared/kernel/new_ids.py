"""Generate ids."""

from __future__ import annotations

from hashlib import blake2b
from uuid import UUID, uuid4

from uuid_utils.compat import uuid7

from shared.kernel.ids import Namespace


def new_id() -> UUID:
    """Return a new UUIDv7: unique, and ordered by creation time."""
    return uuid7()


def repeatable_id(operation_id: UUID, of: UUID) -> UUID:
    """Return the id of what an operation makes of an item: the same one whenever the operation is repeated.

    It is a UUIDv7 of the operation's time, so that it is ordered like the others.
    """
    digest = blake2b(operation_id.bytes + of.bytes, digest_size=10).digest()
    made = int.from_bytes(operation_id.bytes[:6] + digest, "big")
    version, variant = 0xF << 76, 0x3 << 62
    return UUID(int=made & ~version & ~variant | 0x7 << 76 | 0x2 << 62)


def new_namespace() -> Namespace:
    """Return a random namespace; a deterministic one would repeat after a restore."""
    return Namespace(uuid4())
