"""What a person picks to forget, and the state it was in when they saw it (X-06)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID

from shared.kernel.spans import Span

Kind: TypeAlias = Literal["message", "memory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """One item to forget, as shown. With `spans`, only those parts of its text: ordered, not adjacent.

    An item that is not `sure` is forgotten only if its id is requested.
    """

    kind: Kind
    id: UUID
    version: str
    spans: tuple[Span, ...] = ()
    sure: bool = True


def version_of(text: str, version: int) -> str:
    """Return a digest of an item's state, to detect changes without keeping its text."""
    return hashlib.sha256(f"{version}\n{text}".encode()).hexdigest()[:16]
