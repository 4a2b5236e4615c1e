"""Edit a memory by writing a new one that supersedes it; nothing is overwritten (CN-03, LT-03)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from shared.consent.rules.policy import Terms
from shared.kernel.database import Transaction
from shared.kernel.errors import ScopeIncomplete
from shared.kernel.events import MemoryDisputed
from shared.kernel.ids import MemoryId
from shared.kernel.subjects import Subject
from shared.lineage.sql import lineage
from shared.memories.change import change_memory, memory_to_change
from shared.memories.sql import memories, supersession_chain
from shared.memories.sql.memories import StoredMemory
from shared.memories.write import MemorySource, NewMemory, is_taken, write_by_hand

EDITABLE: Final = (
    "text",
    "content_type",
    "scope",
    "project_id",
    "importance",
    "taboo",
    "task_hint",
    "emotion",
    "metadata",
    "external_id",
)


def edit_memory(
    tx: Transaction,
    subject: Subject,
    memory_id: UUID,
    wanted: Mapping[str, Any],
    *,
    terms: Terms,
    actor: str,
    if_version: int | None = None,
) -> MemoryId:
    """Write a memory that supersedes another and return its id; the old id if nothing would change.

    Confirmation, disabling and open contradictions carry over. The new wording may contain the old one, so it is erased
    with the old memory's sources. A changed text counts as a new statement by the person, made now; otherwise the
    evidence carries over too. A part of a document stays one.

    Args:
        wanted: any of `EDITABLE` with its new value.

    Raises:
        NotFound, MemoryChanged, MemorySuperseded, SubjectBusy: as `memory_to_change`.
        ScopeIncomplete: scope and project id do not match.
        LongTermOff: long-term memory is off for this person.
        ExternalIdTaken: another memory in force has the wanted external id.
    """
    subject, _, old = memory_to_change(tx, subject, memory_id, if_version=if_version)
    wanted = {name: value for name, value in wanted.items() if not _is_same(getattr(old, name), value)}
    if wanted.get("scope") == "global":
        wanted["project_id"] = None
    if not wanted:
        return MemoryId(memory_id)
    new = _edited(tx, old, wanted)
    if (new.scope == "project") != (new.project_id is not None):
        raise ScopeIncomplete
    inherited = "external_id" not in wanted and new.external_id is not None
    if inherited and is_taken(tx, subject, new.external_id or "", besides=old.id):
        new = replace(new, external_id=None)  # an undo brought back two of a name: the newest has it
    new_id = write_by_hand(tx, subject, new, terms=terms, actor=actor)
    memories.replace_part(tx, memory_id, new_id)
    for newer in supersession_chain.disputing(tx, subject.id, memory_id):
        memory = memories.for_change(tx, subject, newer)
        if memory is not None:
            change_memory(tx, subject, newer, memory, MemoryDisputed(contradicts=new_id), actor=actor)
    return new_id


def _is_same(old: Any, new: Any) -> bool:
    """Return whether a member would stay; in metadata 1 is not true."""
    return bool(old == new) and json.dumps(old, sort_keys=True, default=str) == json.dumps(
        new, sort_keys=True, default=str
    )


def _edited(tx: Transaction, old: StoredMemory, wanted: Mapping[str, Any]) -> NewMemory:
    values: dict[str, Any] = {name: getattr(old, name) for name in EDITABLE} | dict(wanted)
    reworded = "text" in wanted
    sources = (MemorySource(kind="memory", id=old.id),)
    return NewMemory(
        **values,
        origin="stated" if reworded else old.origin,
        method="person" if reworded and old.method != "document" else old.method or "rules",
        supersedes=old.id,
        contradicts=old.contradicts,
        conversation_id=old.conversation_id,
        spoken_at=None if reworded else old.spoken_at,
        sources=sources if reworded else (*sources, *_evidence(tx, old.id)),
        confirmed=old.confirmed,
        disabled=old.disabled,
        level="L2" if reworded else old.level,
    )


def _evidence(tx: Transaction, memory_id: UUID) -> list[MemorySource]:
    return [
        MemorySource(
            kind=edge.source_kind,
            id=edge.source_id,
            edge=edge.edge,
            quote_start=edge.quote_start,
            quote_end=edge.quote_end,
        )
        for edge in lineage.evidence(tx, [memory_id])
    ]
