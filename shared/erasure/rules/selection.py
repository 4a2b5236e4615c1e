"""What a person picks to be forgotten, and the state it was in when they saw it (X-06)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID

from shared.kernel.spans import Span

Kind: TypeAlias = Literal["message", "memory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """One item to forget, as it was shown: with `spans`, only those parts of its text, in order and not touching.

    What is not `sure` goes only where it is asked for by its id.
    """

    kind: Kind
    id: UUID
    version: str
    spans: tuple[Span, ...] = ()
    sure: bool = True


def version_of(text: str, version: int) -> str:
    """Return what tells one state of an item from another, without its words."""
    return hashlib.sha256(f"{version}\n{text}".encode()).hexdigest()[:16]
