"""Memories of mem0, as `get_all` returns them: `{"results": [{"id", "memory", …}]}`, or only the list.

Documentation: `Memory.get_all` of the library ("a list of memories under the `results` key"), and for the platform
https://docs.mem0.ai/cookbooks/essentials/exporting-memories (pages of `count`, `next`, `previous`, `results`) with
https://docs.mem0.ai/api-reference/memory/get-memory (the members of a memory). The platform's export jobs return
whatever format was requested there, so they are not supported.
"""

from __future__ import annotations

from datetime import date, datetime
from itertools import islice
from typing import Any

from shared.kernel.metadata import is_metadata
from shared.portability.packages.foreign.making import Made, clean, member, memories, moment, needed
from shared.portability.packages.refusals import PackageRefused

MEMBERS_MAX = 100
"""Members of metadata that are looked at: more do not fit."""


def is_memory(document: dict[str, Any]) -> bool:
    """Return whether an object looks like a mem0 memory."""
    return "memory" in document and "id" in document


def made_of(document: Any, *, now: datetime) -> Made:
    """Convert one memory, without hash and categories. Expired and deleted memories are left out.

    `agent_id` and `app_id` become metadata, beside the members of `metadata` that are flat and fit. `state` is
    OpenMemory's: what is paused or archived there is so here.

    Raises:
        PackageRefused: it does not have the documented format.
    """
    own_id, text = needed(document, "id", str), member(document, "memory", str) or ""
    person = member(document, "user_id", str)
    state = member(document, "state", str) or "active"
    if _has_expired(member(document, "expiration_date", str), now) or state == "deleted":
        return Made(person=person)
    at = moment(member(document, "created_at", str)) or now
    changed = moment(member(document, "updated_at", str)) or at
    made = memories("mem0", own_id, clean(text), at=at, changed=changed)
    now_there = {"metadata": _metadata(document), "disabled": state == "paused", "archived": state == "archived"}
    return Made(memories=[one.model_copy(update=now_there) for one in made], person=person)


def _metadata(document: dict[str, Any]) -> dict[str, Any] | None:
    """Return what fits into our metadata, in order."""
    told = member(document, "metadata", dict) or {}
    offered = [*((name, document.get(name)) for name in ("agent_id", "app_id")), *islice(told.items(), MEMBERS_MAX)]
    kept: dict[str, Any] = {}
    for name, value in offered:
        one = clean(value) if isinstance(value, str) else value
        if value is not None and is_metadata({name: one}) and is_metadata({**kept, name: one}):
            kept[name] = one
    return kept or None


def _has_expired(day: str | None, now: datetime) -> bool:
    if day is None:
        return False
    try:
        return date.fromisoformat(day) < now.date()
    except ValueError:
        raise PackageRefused("package_schema_mismatch") from None
