"""Generate ids."""

from __future__ import annotations

from uuid import UUID, uuid4

from uuid_utils.compat import uuid7

from shared.kernel.ids import Namespace


def new_id() -> UUID:
    """Return a new UUIDv7: unique, and ordered by creation time."""
    return uuid7()


def new_namespace() -> Namespace:
    """Return a random namespace; a deterministic one would repeat after a restore."""
    return Namespace(uuid4())
