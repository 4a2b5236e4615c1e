"""Long-term memories in the API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from services.api import Caller
from services.memory_center.explanation_schemas import EvidenceOut, ExplainedMemoryOut, JudgementOut
from services.memory_center.memory_schemas import MemoryOut, ProvenanceOut
from services.memory_center.schemas import SourceOut
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.memories.queries import remembered
from shared.memories.sql.memories import StoredMemory
from shared.memories.sql.provenance import Source
from shared.recall.queries.explanation import ExplainedMemory


def memory_out(memory: StoredMemory, sources: Sequence[Source] = ()) -> MemoryOut:
    return MemoryOut(**_members(memory, sources))


def read_memory(tx: Transaction, caller: Caller, memory_id: UUID, user_id: str | None = None) -> MemoryOut:
    """Return a memory of a person.

    Raises:
        NotFound: it does not exist, or belongs to another person.
    """
    subject = caller.owner(tx, "memory", memory_id, user_id)
    found = remembered.one_memory(tx, subject.id, memory_id)
    if found is None:
        raise NotFound("memory")
    return memory_out(found.memory, found.sources)


def explained_out(memory: ExplainedMemory) -> ExplainedMemoryOut:
    sources = [one.source for one in memory.evidence]
    evidence = [EvidenceOut(**asdict(one.source), relation=one.relation) for one in memory.evidence]
    judgements = [JudgementOut(**asdict(one)) for one in memory.judgements]
    return ExplainedMemoryOut(**_members(memory.memory, sources), evidence=evidence, judgements=judgements)


def etag(memory: MemoryOut) -> dict[str, str]:
    """Return the ETag header of this version of a memory."""
    return {"ETag": f'"{memory.version}"'}


def _members(memory: StoredMemory, sources: Sequence[Source]) -> dict[str, Any]:
    renamed = {"text": "content", "supersedes": "supersedes_id", "contradicts": "contradicts_id"}
    left_out = {"superseded", "contradicted"}
    members = {renamed.get(name, name): value for name, value in asdict(memory).items() if name not in left_out}
    return members | {
        "validity": memory.validity,
        "provenance": _provenance(memory, sources),
        "sources": [SourceOut(**asdict(source)) for source in sources],
    }


def _provenance(memory: StoredMemory, sources: Sequence[Source]) -> ProvenanceOut | None:
    if not sources:
        return None
    first = sources[0]
    turns = [source.turn for source in sources if source.conversation_id == first.conversation_id]
    said_by = "user" if memory.method == "feedback" else first.role  # feedback on an answer comes from the person
    return ProvenanceOut(
        source_type="model" if said_by == "assistant" else said_by,
        session_id=first.conversation_id,
        turn_index=first.turn,
        turn_range=(min(turns), max(turns)) if len(set(turns)) > 1 else None,
        message_id=first.message_id,
        quote_start=first.quote_start,
        quote_end=first.quote_end,
    )
