"""Memories of mem0, as `get_all` answers them: `{"results": [{"id", "memory", …}]}`, or the list alone.

Documented: `Memory.get_all` of the library ("a list of memories under the `results` key"), and of the platform
https://docs.mem0.ai/cookbooks/essentials/exporting-memories (pages of `count`, `next`, `previous`, `results`) with
https://docs.mem0.ai/api-reference/memory/get-memory (the members of a memory). What the platform's export jobs answer
has the form somebody asked for there, so there is no form to read.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from shared.portability.packages.foreign.making import Made, clean, member, memories, moment, needed
from shared.portability.packages.refusals import PackageRefused


def is_memory(document: dict[str, Any]) -> bool:
    """Return whether an object looks like one of these."""
    return "memory" in document and "id" in document


def made_of(document: Any, *, now: datetime) -> Made:
    """Turn one memory into ours. Its metadata, hash, categories and agents are not taken; what expired is left out.

    Raises:
        PackageRefused: it is not of the documented form.
    """
    own_id, text = needed(document, "id", str), member(document, "memory", str) or ""
    person = member(document, "user_id", str)
    if _has_expired(member(document, "expiration_date", str), now):
        return Made(person=person)
    at = moment(member(document, "created_at", str)) or now
    changed = moment(member(document, "updated_at", str)) or at
    return Made(memories=memories("mem0", own_id, clean(text), at=at, changed=changed), person=person)


def _has_expired(day: str | None, now: datetime) -> bool:
    if day is None:
        return False
    try:
        return date.fromisoformat(day) < now.date()
    except ValueError:
        raise PackageRefused("package_schema_mismatch") from None
