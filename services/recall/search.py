"""Search a person's memory: stores give hints, PostgreSQL decides."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from services.recall.schemas import Diagnostics, EpisodeSearchIn, FoundOut, MemorySearchIn, Reason, SearchOut
from shared.consent.allows import effective
from shared.consent.rules.consents import restricted
from shared.consent.rules.policy import Terms
from shared.consent.rules.switches import Switches
from shared.conversations.sql import conversations
from shared.conversations.sql.episodes import Episode
from shared.kernel.database import Database, Transaction
from shared.kernel.readers import Reader
from shared.kernel.sensitivity import Policy
from shared.language.sensitivity import mask
from shared.memories.sql.listing import MemoryFilter
from shared.recall.hints import Hints, look_up
from shared.recall.queries import recallable
from shared.recall.queries.among import among_of
from shared.recall.queries.recallable import RecallableEpisode, RecallableMemory
from shared.recall.retrieve import Found, find
from shared.recall.rules.items import Question, Retrieved
from shared.recall.rules.order import PRECISION
from shared.recall.rules.selection import given_instead
from shared.recall.sql.retrieval import NOBODY, Talk
from shared.recall.sql.retrieval import talk as talk_of
from shared.recall.stores import Stores


def search(
    database: Database,
    stores: Stores,
    reader: Reader | None,
    wanted: MemorySearchIn,
    *,
    terms: Terms,
    sensitivity: Policy,
) -> SearchOut:
    """Return visible memories and episodes for a question; switched-off kinds are left out, with the reason.

    Of two memories that contradict each other the one that a recall leaves out is marked (MC-14).
    Episodes are masked by `sensitivity` (MC-17). If the vector store is down, the search still succeeds: items found by
    words come first, then the first memories in the fixed order (CN-08).
    """
    if reader is None:  # nothing was ever stored about this person
        reasons = _reasons(wanted, restricted(terms.defaults, None, terms))
        return SearchOut(items=[], mode="deterministic", diagnostics=Diagnostics(reasons=reasons))
    allowed, project_id, talk = database.transact(lambda tx: _allowed(tx, reader, wanted, terms))
    only = _filter(wanted)
    among = None if only == MemoryFilter() else database.transact(lambda tx: among_of(tx, reader.subject_id, only))
    question = Question(
        text=wanted.query,
        conversation_id=None if among else wanted.conversation_id,
        project_id=project_id,
        task=None,
        limit=wanted.limit,
        among=among,
    )
    hints = look_up(
        database, stores, reader, question, allowed, talk, vectors=terms.permitted.vector_search_over_user_memory
    )
    read = find(database, reader, question, hints, window=0)
    found, near = read.retrieved, _similarities(hints, read)
    # A new statement after the stores answered, so that it excludes anything forgotten meanwhile.
    instead = {one.id: given_instead(one) for one in read.memories.memories.values()}
    items = database.transact(lambda tx: _visible(tx, reader, question, allowed, found, sensitivity))
    return SearchOut(
        items=[
            one.model_copy(update={"similarity": near.get(one.id), "contradicted_by": instead.get(one.id)})
            for one in items[: wanted.limit]
        ],
        mode="semantic" if found.semantic else "deterministic",
        diagnostics=Diagnostics(reasons=[*_reasons(wanted, allowed), *cast("tuple[Reason, ...]", found.reasons)]),
    )


def _filter(wanted: MemorySearchIn) -> MemoryFilter:
    return MemoryFilter(
        metadata=wanted.metadata or None,
        content_type=wanted.content_type,
        taboo=wanted.taboo,
        conversation_id=wanted.learned_in,
        created_after=wanted.created_after,
        created_before=wanted.created_before,
    )


def search_episodes(
    database: Database, stores: Stores, reader: Reader | None, wanted: EpisodeSearchIn, *, terms: Terms
) -> list[tuple[Episode, float | None]]:
    """Return a conversation's visible episodes for a question, best first; none while episodes are switched off.

    Each has its cosine if a vector led to it.
    """
    if reader is None:
        return []
    asked = MemorySearchIn(query=wanted.query, conversation_id=wanted.conversation_id, limit=wanted.limit)
    allowed, _, talk = database.transact(lambda tx: _allowed(tx, reader, asked, terms))
    question = Question(
        text=wanted.query, conversation_id=wanted.conversation_id, project_id=None, task=None, limit=wanted.limit
    )
    hints = look_up(
        database, stores, reader, question, allowed, talk, vectors=terms.permitted.vector_search_over_user_memory
    )
    read = find(database, reader, question, hints, window=0)
    near = _similarities(hints, read)
    best: dict[tuple[str, UUID], float] = {(one.kind, one.id): one.total or 0.0 for one in read.retrieved.candidates}
    turns = database.transact(
        lambda tx: recallable.episodes_for_the_assistant(tx, reader.subject_id, wanted.conversation_id, best)
    )
    turns.sort(key=lambda one: (-one.score, one.episode.id))
    return [(one.episode, near.get(one.episode.id)) for one in turns[: wanted.limit]]


def _similarities(hints: Hints | None, found: Found) -> dict[UUID, float]:
    """Return the cosine with the question by id, for items found by vectors."""
    cosines = {**(hints.meaning.episodes if hints else {}), **found.memories.cosines}
    return {id_: round(cosine, PRECISION) for id_, cosine in cosines.items()}


def _allowed(
    tx: Transaction, reader: Reader, wanted: MemorySearchIn, terms: Terms
) -> tuple[Switches, str | None, Talk]:
    allowed = effective(tx, reader.subject_id, terms=terms)
    if wanted.conversation_id is None:
        return allowed, wanted.project_id, NOBODY
    project_id = wanted.project_id or conversations.project_of(tx, wanted.conversation_id)
    return allowed, project_id, talk_of(tx, wanted.conversation_id)


def _reasons(wanted: MemorySearchIn, allowed: Switches) -> list[Reason]:
    """Return the reasons for omissions that are known before any store is asked."""
    reasons: list[tuple[Reason, bool]] = [
        ("injection_off", not allowed.injection_enabled),
        ("longterm_off", not allowed.longterm_enabled),
        ("episodic_off", not allowed.episodic_enabled),
        ("no_conversation", wanted.conversation_id is None),
        ("empty_query", not wanted.query.strip()),
    ]
    return [reason for reason, holds in reasons if holds]


def _visible(
    tx: Transaction,
    reader: Reader,
    question: Question,
    allowed: Switches,
    retrieved: Retrieved,
    sensitivity: Policy,
) -> list[FoundOut]:
    best: dict[tuple[str, UUID], float] = {(one.kind, one.id): one.total or 0.0 for one in retrieved.candidates}
    found: list[FoundOut] = []
    if allowed.gives_memories:
        found += _memories(tx, reader, question, best)
    if allowed.gives_episodes and question.conversation_id is not None:
        turns = recallable.episodes_for_the_assistant(tx, reader.subject_id, question.conversation_id, best)
        found += [_episode(turn, sensitivity) for turn in turns]
    found.sort(key=lambda one: (-(one.score or 0.0), one.id))
    if allowed.gives_memories and not retrieved.semantic:
        known = {one.id for one in found}
        found += [one for one in _memories(tx, reader, question, None) if one.id not in known]
    return found


def _memories(
    tx: Transaction, reader: Reader, question: Question, best: dict[tuple[str, UUID], float] | None
) -> list[FoundOut]:
    memories = recallable.memories_for_the_assistant(
        tx,
        reader.subject_id,
        best,
        project_id=question.project_id,
        limit=question.limit,
        among=question.among.ids if question.among else None,
    )
    return [_memory(memory) for memory in memories]


def _memory(found: RecallableMemory) -> FoundOut:
    memory = found.memory
    return FoundOut(
        id=memory.id,
        kind="memory",
        content=memory.text,
        content_type=memory.content_type,
        score=found.score,
        metadata=dict(memory.metadata) if memory.metadata else None,
        external_id=memory.external_id,
        conversation_id=memory.conversation_id,
        message_ids=[source.message_id for source in found.sources],
        created_at=memory.created_at,
    )


def _episode(found: RecallableEpisode, sensitivity: Policy) -> FoundOut:
    turn = found.episode
    sides = (("user", turn.user_message), ("assistant", turn.assistant_message))
    return FoundOut(
        id=turn.id,
        kind="episode",
        content="\n".join(f"{role}: {mask(text, sensitivity)}" for role, text in sides if text),
        content_type="episode",
        score=found.score,
        metadata=None,
        external_id=None,
        conversation_id=turn.conversation_id,
        message_ids=[one for one in (turn.user_message_id, turn.assistant_message_id) if one],
        created_at=turn.created_at,
    )
