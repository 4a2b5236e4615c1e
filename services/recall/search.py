"""Find what a person's memory holds about a question: stores give hints, PostgreSQL decides."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from services.recall.hints import look_up
from services.recall.retrieval import find
from services.recall.schemas import Diagnostics, FoundOut, Reason, SearchIn, SearchOut
from services.recall.stores import Stores
from shared.domain.context.items import Question, Retrieved
from shared.domain.switches import Switches
from shared.persistence import conversations, switches
from shared.persistence.database import Database, Transaction
from shared.persistence.people import Reader
from shared.persistence.retrieval import NOBODY, Talk
from shared.persistence.retrieval import talk as talk_of
from shared.queries import recallable
from shared.queries.recallable import RecallableEpisode, RecallableMemory


def search(
    database: Database, stores: Stores, reader: Reader | None, wanted: SearchIn, *, defaults: Switches
) -> SearchOut:
    """Return visible memories and episodes for a question; what is switched off is refused with its reason.

    A vector store that is away never fails the search: what was found by its words comes first, then the first memories
    in the fixed order (CN-08).
    """
    if reader is None:  # nothing was ever stored about them
        reasons = _reasons(wanted, defaults)
        return SearchOut(items=[], mode="deterministic", diagnostics=Diagnostics(reasons=reasons))
    allowed, project_id, talk = database.transact(lambda tx: _allowed(tx, reader, wanted, defaults))
    question = Question(
        text=wanted.query,
        conversation_id=wanted.conversation_id,
        project_id=project_id,
        task=None,
        limit=wanted.limit,
    )
    hints = look_up(database, stores, reader, question, allowed, talk)
    found = find(database, reader, question, hints, window=0).retrieved
    # A fresh statement after the stores answered: what was forgotten meanwhile is not in it.
    items = database.transact(lambda tx: _visible(tx, reader, question, allowed, found))
    return SearchOut(
        items=items[: wanted.limit],
        mode="semantic" if found.semantic else "deterministic",
        diagnostics=Diagnostics(reasons=[*_reasons(wanted, allowed), *cast("tuple[Reason, ...]", found.reasons)]),
    )


def _allowed(
    tx: Transaction, reader: Reader, wanted: SearchIn, defaults: Switches
) -> tuple[Switches, str | None, Talk]:
    allowed = switches.current(tx, reader.subject_id, defaults=defaults)
    if wanted.conversation_id is None:
        return allowed, wanted.project_id, NOBODY
    project_id = wanted.project_id or conversations.project_of(tx, wanted.conversation_id)
    return allowed, project_id, talk_of(tx, wanted.conversation_id)


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


def _visible(
    tx: Transaction, reader: Reader, question: Question, allowed: Switches, retrieved: Retrieved
) -> list[FoundOut]:
    best: dict[tuple[str, UUID], float] = {(one.kind, one.id): one.total or 0.0 for one in retrieved.candidates}
    found: list[FoundOut] = []
    if allowed.gives_memories:
        found += _memories(tx, reader, question, best)
    if allowed.gives_episodes and question.conversation_id is not None:
        turns = recallable.episodes_for_the_assistant(tx, reader.subject_id, question.conversation_id, best)
        found += [_episode(turn) for turn in turns]
    found.sort(key=lambda one: (-(one.score or 0.0), one.id))
    if allowed.gives_memories and not retrieved.semantic:
        known = {one.id for one in found}
        found += [one for one in _memories(tx, reader, question, None) if one.id not in known]
    return found


def _memories(
    tx: Transaction, reader: Reader, question: Question, best: dict[tuple[str, UUID], float] | None
) -> list[FoundOut]:
    units = recallable.memories_for_the_assistant(
        tx, reader.subject_id, best, project_id=question.project_id, limit=question.limit
    )
    return [_memory(unit) for unit in units]


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
