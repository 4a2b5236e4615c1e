"""What people said about how to work for them, by task, thread and profile (FC-01)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.consent.sql import consents
from shared.contexts.rules.fields import Scope, WrittenBy
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredContext:
    """One visible context.

    Args:
        consent_blocked: kept for the person to see, and never loaded.
        training_excluded: its person withdrew only the consent to training.
    """

    id: UUID
    scope: Scope
    written_by: WrittenBy
    task_id: UUID | None
    conversation_id: UUID | None
    consent_id: UUID | None
    consent_blocked: bool
    training_excluded: bool
    expires_at: datetime | None
    created_at: datetime
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Where a context belongs: a task or a conversation, at its next message."""

    task_id: UUID | None = None
    conversation_id: UUID | None = None
    at_seq: int | None = None


def add(
    tx: Transaction,
    subject: Subject,
    context_id: UUID,
    scope: Scope,
    fields: Mapping[str, str],
    *,
    written_by: WrittenBy,
    placed: Placed = Placed(),  # frozen
    consent_id: UUID | None = None,
    expires_at: datetime | None = None,
) -> None:
    """Insert a context."""
    tx.run(
        """
        with kept as (
          insert into user_contexts (id, subject_id, generation, scope, written_by, task_id, conversation_id, at_seq,
                                     consent_id, training_excluded, expires_at, created_at)
          values (:id, :subject, :generation, :scope, :written_by, :task, :conversation, :at_seq, :consent, :excluded,
                  :expires, now())
          returning id
        )
        insert into context_contents (context_id, fields) select id, cast(:fields as jsonb) from kept
        """,
        id=context_id,
        subject=subject.id,
        generation=subject.generation,
        scope=scope,
        written_by=written_by,
        task=placed.task_id,
        conversation=placed.conversation_id,
        at_seq=placed.at_seq,
        consent=consent_id,
        excluded=_is_excluded(tx, subject),
        expires=expires_at,
        fields=json.dumps(dict(fields), ensure_ascii=False),
    )


def _is_excluded(tx: Transaction, subject: Subject) -> bool:
    """Return whether the person withdrew the consent to training and did not give it again."""
    consent = consents.current(tx, subject.id)
    if consent is None or consent.training_use_allowed:
        return False
    return consents.last_withdrawal(tx, subject.id, "training_use_allowed") is not None


def of_scope(
    tx: Transaction,
    subject_id: UUID,
    scope: Scope,
    *,
    task_id: UUID | None = None,
    conversation_id: UUID | None = None,
) -> list[StoredContext]:
    """Return a person's newest visible contexts of a scope, oldest first; of one task or conversation if one is given.

    At most 200, which the plan has to know: a thread that was refreshed for years costs no more than that.
    """
    rows = tx.rows(
        """
        with newest as materialized (
          select id from user_contexts
          where subject_id = :subject and scope = :scope
            and (cast(:task as uuid) is null or task_id = :task)
            and (cast(:conversation as uuid) is null or conversation_id = :conversation)
          order by id desc limit 200
        )
        select id, scope, written_by, task_id, conversation_id, consent_id, consent_blocked, training_excluded,
               expires_at, created_at, fields
        from visible_contexts where id = any(array(select id from newest)) order by id
        """,
        subject=subject_id,
        scope=scope,
        task=task_id,
        conversation=conversation_id,
    )
    return [StoredContext(**row) for row in rows]


def all_of(tx: Transaction, subject_id: UUID) -> list[StoredContext]:
    """Return the newest visible contexts of a person, at most 200 of each scope, oldest first."""
    rows = tx.rows(
        """
        select c.* from unnest(array['task', 'thread', 'profile']) as s(scope)
        cross join lateral (
          select id, scope, written_by, task_id, conversation_id, consent_id, consent_blocked, training_excluded,
                 expires_at, created_at, fields
          from visible_contexts where subject_id = :subject and scope = s.scope order by id desc limit 200
        ) c order by c.id
        """,
        subject=subject_id,
    )
    return [StoredContext(**row) for row in rows]


def count_loaded_threads(tx: Transaction, subject: Subject) -> int:
    """Return how many contexts of a person's threads are loaded, however many there are."""
    found: int = tx.value(
        """
        select count(*) from visible_contexts
        where subject_id = :subject and scope = 'thread' and not consent_blocked
        """,
        subject=subject.id,
    )
    return found


def end_at(tx: Transaction, task_id: UUID, expires_at: datetime) -> None:
    """Set when the context of a task expires, unless it did."""
    tx.run(
        "update user_contexts set expires_at = :at where task_id = :task and expires_at > now()",
        at=expires_at,
        task=task_id,
    )


def block(tx: Transaction, subject: Subject, *, conversation_id: UUID | None = None) -> list[UUID]:
    """Block a person's thread contexts, of one conversation or all; return those that were not blocked before."""
    rows = tx.rows(
        """
        update user_contexts set consent_blocked = true
        where subject_id = :subject and generation = :generation and scope = 'thread' and not consent_blocked
          and (cast(:conversation as uuid) is null or conversation_id = :conversation)
        returning id
        """,
        subject=subject.id,
        generation=subject.generation,
        conversation=conversation_id,
    )
    return [row["id"] for row in rows]


def exclude_from_training(tx: Transaction, subject: Subject) -> None:
    """Mark a person's contexts: training was withdrawn, and nothing else."""
    tx.run(
        "update user_contexts set training_excluded = true where subject_id = :subject and generation = :generation",
        subject=subject.id,
        generation=subject.generation,
    )


def ids_of_scope(tx: Transaction, subject: Subject, scope: Scope) -> list[UUID]:
    """Return the ids of all contexts of a scope, hidden or not."""
    rows = tx.rows(
        """
        select id from user_contexts where subject_id = :subject and generation = :generation and scope = :scope
        order by id
        """,
        subject=subject.id,
        generation=subject.generation,
        scope=scope,
    )
    return [row["id"] for row in rows]


def people_with_expired(tx: Transaction, *, limit: int) -> Sequence[UUID]:
    """Return people with contexts past their end that no operation erases yet."""
    rows = tx.rows(
        """
        select distinct c.subject_id from user_contexts c
        where c.expires_at <= now() and not exists (select from hides h where h.kind = 'context' and h.item_id = c.id)
        order by c.subject_id limit :limit
        """,
        limit=limit,
    )
    return [row["subject_id"] for row in rows]


def expired(tx: Transaction, subject: Subject, *, limit: int) -> list[UUID]:
    """Return a person's contexts past their end that no operation erases yet."""
    rows = tx.rows(
        """
        select c.id from user_contexts c
        where c.subject_id = :subject and c.generation = :generation and c.expires_at <= now()
          and not exists (select from hides h where h.kind = 'context' and h.item_id = c.id)
        order by c.id limit :limit
        """,
        subject=subject.id,
        generation=subject.generation,
        limit=limit,
    )
    return [row["id"] for row in rows]
