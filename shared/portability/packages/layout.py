"""The files of an export: the paths of each kind of record, and the kinds of each scope (MC-12)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from shared.kernel.items import packed_kinds

_UUID: Final = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"

_PATHS: Final[dict[str, tuple[str, ...]]] = {
    "settings": (r"settings\.json",),
    "conversation": (rf"conversations/(?P<folder>{_UUID})/conversation\.json",),
    "erased_conversation": (r"erased_conversations\.jsonl",),
    "message": (rf"conversations/(?P<folder>{_UUID})/messages\.jsonl",),
    "erased_message": (rf"conversations/(?P<folder>{_UUID})/erased\.jsonl",),
    "summary": (rf"conversations/(?P<folder>{_UUID})/summary\.json",),
    "episode": (rf"conversations/(?P<folder>{_UUID})/episodes\.jsonl",),
    "feedback": (r"feedback\.jsonl", rf"conversations/(?P<folder>{_UUID})/feedback\.jsonl"),
    "preference_signal": (r"preference_signals\.jsonl",),
    "memory": (r"memories\.jsonl",),
    "edge": (r"lineage\.jsonl",),
    "event": (r"history\.jsonl",),
    "receipt": (rf"receipts/(?P<receipt>{_UUID})\.json",),
}
_PATTERNS: Final = {kind: [re.compile(path) for path in paths] for kind, paths in _PATHS.items()}

_OF_SCOPE: Final[dict[str, frozenset[str]]] = {
    "conversation": frozenset(
        {"conversation", "message", "erased_message", "summary", "episode", "feedback", "preference_signal", "event"}
    ),
    "selection": frozenset({"message", "memory", "event"}),
}
"""Scope → kinds a package may contain; a package of scope `user` may contain all."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a path names: the conversation of its folder, or a receipt."""

    conversation_id: UUID | None
    receipt_id: UUID | None


def place_of(path: str, kind: str) -> Place | None:
    """Parse a path; None if files of this kind do not have such a path."""
    packed = packed_kinds().get(kind)
    for pattern in _PATTERNS.get(kind, ()) if packed is None else [re.compile(rf"{packed.table.name}\.jsonl")]:
        if found := pattern.fullmatch(path):
            named = found.groupdict()
            folder, receipt = named.get("folder"), named.get("receipt")
            return Place(UUID(folder) if folder else None, UUID(receipt) if receipt else None)
    return None


def may_hold(scope: str, kind: str) -> bool:
    """Return whether a package of this scope may contain records of this kind."""
    return scope == "user" or kind in _OF_SCOPE[scope]
