"""Find what a person's memory holds about a question: stores give hints, PostgreSQL decides."""

from __future__ import annotations

from dataclasses import dataclass, field

from services.recall.schemas import Diagnostics, FoundOut, Reason, SearchIn, SearchOut
from services.recall.stores import Stores
from shared.domain.switches import Switches
from shared.persistence import conversations, switches
from shared.persistence.database import Database, Transaction
from shared.persistence.people import Reader
from shared.queries import recallable
from shared.queries.recallable import RecallableEpisode, RecallableMemory
from shared.stores.port import Hit, StoreFailed, StoreMisconfigured, StoreUnavailable


@dataclass
class _Hints:
    """What the stores answered, and why some did not."""

    memories: list[Hit] = field(default_factory=list)
    episodes: list[Hit] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)
    semantic: bool = False


def search(
    database: Database, stores: Stores, reader: Reader | None, wanted: SearchIn, *, defaults: Switches
) -> SearchOut:
    """Return visible memories and episodes for a question; what is switched off is refused with its reason.

    A vector store that is away never fails the search: the newest memories come in fixed order instead (CN-08).
    """
    if reader is None:  # nothing was ever stored about them
        reasons = _reasons(wanted, defaults)
        return SearchOut(items=[], mode="deterministic", diagnostics=Diagnostics(reasons=reasons))
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
    hints = _Hints(reasons=_reasons(wanted, allowed))
    if "empty_query" in hints.reasons:
        return hints
    searches_episodes = allowed.gives_episodes and wanted.conversation_id is not None
    try:
        if allowed.gives_memories:
            with stores.leaving_out_archived():
                hints.memories = stores.mem0.search(reader.namespace, wanted.query, limit=wanted.limit)
        if searches_episodes:
            vector = stores.embedder.query(wanted.query)
            hints.episodes = stores.episodes.search(
                reader.namespace, vector, limit=wanted.limit, conversation_id=wanted.conversation_id
            )
        hints.semantic = allowed.gives_memories or searches_episodes
    except StoreUnavailable:
        hints.reasons.append("milvus_unavailable")
    except (StoreMisconfigured, StoreFailed):
        hints.reasons.append("store_misconfigured")
    return hints


def _reasons(wanted: SearchIn, allowed: Switches) -> list[Reason]:
    """Say what is left out before any store is asked."""
    reasons: list[tuple[Reason, bool]] = [
        ("injection_off", not allowed.injection_enabled),
        ("longterm_off", not allowed.longterm_enabled),
        ("episodic_off", not allowed.episodic_enabled),
        ("no_conversation", wanted.conversation_id is None),
        ("empty_query", not wanted.query.strip()),
    ]
    return [reason for reason, holds in reasons if holds]


def _visible(tx: Transaction, reader: Reader, wanted: SearchIn, allowed: Switches, hints: _Hints) -> list[FoundOut]:
    best = recallable.visible_items(tx, {hit.key: hit.score for hit in (*hints.memories, *hints.episodes)})
    found: list[FoundOut] = []
    if allowed.gives_memories:
        project_id = wanted.project_id
        if project_id is None and wanted.conversation_id is not None:
            project_id = conversations.project_of(tx, wanted.conversation_id)
        units = recallable.memories_for_the_assistant(
            tx,
            reader.subject_id,
            best if hints.semantic else None,
            project_id=project_id,
            limit=wanted.limit,
        )
        found += [_memory(unit) for unit in units]
    if allowed.gives_episodes and wanted.conversation_id is not None:
        turns = recallable.episodes_for_the_assistant(tx, reader.subject_id, wanted.conversation_id, best)
        found += [_episode(turn) for turn in turns]
    if hints.semantic:
        found.sort(key=lambda one: (-(one.score or 0.0), one.id))
    return found


def _memory(found: RecallableMemory) -> FoundOut:
    unit = found.memory
    return FoundOut(
        id=unit.id,
        kind="memory",
        content=unit.text,
        content_type=unit.content_type,
        score=found.score,
        conversation_id=unit.conversation_id,
        message_ids=[source.message_id for source in found.sources],
        created_at=unit.created_at,
    )


def _episode(found: RecallableEpisode) -> FoundOut:
    turn = found.episode
    sides = (("user", turn.user_message), ("assistant", turn.assistant_message))
    return FoundOut(
        id=turn.id,
        kind="episode",
        content="\n".join(f"{role}: {text}" for role, text in sides if text),
        content_type="episode",
        score=found.score,
        conversation_id=turn.conversation_id,
        message_ids=[one for one in (turn.user_message_id, turn.assistant_message_id) if one],
        created_at=turn.created_at,
    )
