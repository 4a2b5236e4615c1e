"""Find what a person's memory holds about a question: stores give hints, PostgreSQL decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from services.recall.schemas import Diagnostics, FoundOut, SearchIn, SearchOut
from services.recall.stores import Stores
from shared.domain.switches import Switches
from shared.persistence import episodes, memories, switches, vectors
from shared.persistence.database import Database, Transaction
from shared.persistence.episodes import Episode
from shared.persistence.memories import Source, StoredMemory
from shared.persistence.people import Reader
from shared.stores.port import Hit, StoreMisconfigured, StoreUnavailable


@dataclass
class _Hints:
    """What the stores answered, and why some did not."""

    memories: list[Hit] = field(default_factory=list)
    episodes: list[Hit] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    semantic: bool = False


def search(database: Database, stores: Stores, reader: Reader, wanted: SearchIn, *, defaults: Switches) -> SearchOut:
    """Return visible memories and episodes for a question; what is switched off is refused with its reason.

    A vector store that is away never fails the search: the newest memories come in fixed order instead (CN-08).
    """
    allowed = database.transact(lambda tx: switches.current(tx, reader.subject_id, defaults=defaults))
    hints = _ask(stores, reader, wanted, allowed)
    # A fresh statement after the stores answered: what was forgotten meanwhile is not in it.
    items = database.transact(lambda tx: _visible(tx, reader, wanted, allowed, hints))
    return SearchOut(
        items=items[: wanted.limit],
        mode="semantic" if hints.semantic else "deterministic",
        diagnostics=Diagnostics(reasons=hints.reasons),
    )


def _ask(stores: Stores, reader: Reader, wanted: SearchIn, allowed: Switches) -> _Hints:
    hints = _Hints()
    if not allowed.longterm_enabled:
        hints.reasons.append("longterm_off")
    if not allowed.episodic_enabled:
        hints.reasons.append("episodic_off")
    if wanted.conversation_id is None:
        hints.reasons.append("no_conversation")
    if not wanted.query.strip():
        hints.reasons.append("empty_query")
        return hints
    try:
        if allowed.longterm_enabled:
            hints.memories = stores.mem0.search(reader.namespace, wanted.query, limit=wanted.limit)
        if allowed.episodic_enabled and wanted.conversation_id is not None:
            vector = stores.embedder.query(wanted.query)
            hints.episodes = stores.episodes.search(
                reader.namespace, vector, limit=wanted.limit, conversation_id=wanted.conversation_id
            )
        hints.semantic = True
    except StoreUnavailable:
        hints.reasons.append("milvus_unavailable")
    except StoreMisconfigured:
        hints.reasons.append("store_misconfigured")
    return hints


def _visible(tx: Transaction, reader: Reader, wanted: SearchIn, allowed: Switches, hints: _Hints) -> list[FoundOut]:
    scores = {hit.key: hit.score for hit in (*hints.memories, *hints.episodes)}
    items = vectors.visible(tx, list(scores))
    best: dict[tuple[str, UUID], float] = {}
    for key, item in items.items():
        best[item] = max(best.get(item, -1.0), scores[key])
    found: list[FoundOut] = []
    if allowed.longterm_enabled:
        ids = [item_id for kind, item_id in best if kind == "memory"] if hints.semantic else None
        units = memories.the_assistant_would_see(
            tx, reader.subject_id, ids=ids, project_id=wanted.project_id, limit=wanted.limit
        )
        sources = memories.sources(tx, [unit.id for unit in units])
        found += [_memory(unit, sources[unit.id], best.get(("memory", unit.id))) for unit in units]
    if allowed.episodic_enabled and wanted.conversation_id is not None:
        ids = [item_id for kind, item_id in best if kind == "episode"]
        turns = episodes.read_many(tx, reader.subject_id, wanted.conversation_id, ids)
        found += [_episode(turn, best.get(("episode", turn.id))) for turn in turns.values()]
    if hints.semantic:
        found.sort(key=lambda one: (-(one.score or 0.0), one.id))
    return found


def _memory(unit: StoredMemory, sources: Sequence[Source], score: float | None) -> FoundOut:
    return FoundOut(
        id=unit.id,
        kind="memory",
        content=unit.text,
        content_type=unit.content_type,
        score=score,
        conversation_id=unit.conversation_id,
        message_ids=[source.message_id for source in sources],
        created_at=unit.created_at,
    )


def _episode(turn: Episode, score: float | None) -> FoundOut:
    sides = (("user", turn.user_message), ("assistant", turn.assistant_message))
    return FoundOut(
        id=turn.id,
        kind="episode",
        content="\n".join(f"{role}: {text}" for role, text in sides if text),
        content_type="episode",
        score=score,
        conversation_id=turn.conversation_id,
        message_ids=[one for one in (turn.user_message_id, turn.assistant_message_id) if one],
        created_at=turn.created_at,
    )
