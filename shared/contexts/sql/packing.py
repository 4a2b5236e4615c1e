"""Reads tasks, contexts and candidates for packages, and writes those of a package.

What came with a package grants nothing: a context is loaded only while a consent given here allows it, and a candidate
arrives revoked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from uuid import UUID

from sqlalchemy import bindparam, select

from shared.contexts.sql.tables import visible_contexts
from shared.kernel.database import Row, Transaction


def tasks(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield a person's tasks."""
    return tx.stream(
        """
        select id, route, status, conversation_id, created_at, ended_at from visible_tasks
        where subject_id = :subject order by id
        """,
        subject=subject_id,
    )


_CONTEXTS: Final = (
    select(
        visible_contexts.c.id,
        visible_contexts.c.scope,
        visible_contexts.c.written_by,
        visible_contexts.c.task_id,
        visible_contexts.c.conversation_id,
        visible_contexts.c.at_seq,
        visible_contexts.c.consent_blocked,
        visible_contexts.c.training_excluded,
        visible_contexts.c.expires_at,
        visible_contexts.c.created_at,
        visible_contexts.c.fields,
    )
    .where(visible_contexts.c.subject_id == bindparam("subject"))
    .order_by(visible_contexts.c.id)
)


def contexts(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield a person's visible contexts of threads and of the profile: what was said for a task ends within a day."""
    return tx.stream(_CONTEXTS.where(visible_contexts.c.scope != "task"), subject=subject_id)


def contexts_and_tasks(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield all visible contexts of a person."""
    return tx.stream(_CONTEXTS, subject=subject_id)


def candidates(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield a person's visible candidates."""
    return tx.stream(
        """
        select id, object_ref, status, withdrawal_status, conversation_id, at_seq, created_at
        from visible_candidates where subject_id = :subject order by id
        """,
        subject=subject_id,
    )


WRITE_TASKS: Final = """
  insert into tasks (id, subject_id, generation, route, status, conversation_id, created_at, ended_at)
  select i.here, :subject, :generation, i.record ->> 'route', i.record ->> 'status', c.here,
         (i.record ->> 'created_at')::timestamptz, (i.record ->> 'ended_at')::timestamptz
  from incoming i
  left join incoming c on c.kind = 'conversation' and c.id = (i.record ->> 'conversation_id')::uuid
  where i.kind = 'task' and i.fate is null
  on conflict do nothing"""

WRITE_CONTEXTS: Final = """
  with arriving as (
    select i.here, i.record, t.here as task_id, c.here as conversation_id
    from incoming i
    left join incoming t on t.kind = 'task' and t.id = (i.record ->> 'task_id')::uuid
    left join incoming c on c.kind = 'conversation' and c.id = (i.record ->> 'conversation_id')::uuid
      and (c.fate is null or c.fate = 'present')
    where i.kind = 'context' and i.fate is null
      and (i.record ->> 'expires_at' is null or (i.record ->> 'expires_at')::timestamptz > now())
      and (i.record ->> 'conversation_id' is null
           or (c.here is not null and (i.record ->> 'at_seq')::bigint > coalesce(c.cleared, 0)))
  ), kept as (
    insert into user_contexts (id, subject_id, generation, scope, written_by, task_id, conversation_id, at_seq,
                               consent_blocked, training_excluded, expires_at, created_at)
    select here, :subject, :generation, record ->> 'scope', record ->> 'written_by', task_id, conversation_id,
           (record ->> 'at_seq')::bigint, (record ->> 'consent_blocked')::boolean,
           (record ->> 'training_excluded')::boolean,
           -- not longer than a task's is ever kept here
           case when record ->> 'expires_at' is not null
             then least((record ->> 'expires_at')::timestamptz, now() + interval '24 hours') end,
           (record ->> 'created_at')::timestamptz
    from arriving
    on conflict do nothing returning id
  )
  insert into context_contents (context_id, fields)
  select kept.id, a.record -> 'fields' from kept join arriving a on a.here = kept.id"""

WRITE_CANDIDATES: Final = """
  with kept as (
    insert into training_candidates (id, subject_id, generation, status, withdrawal_status, conversation_id, at_seq,
                                     consent_id, created_at)
    select i.here, :subject, :generation, 'pending', 'revoked', c.here,
           case when c.here is not null then (i.record ->> 'at_seq')::bigint end, i.here,
           (i.record ->> 'created_at')::timestamptz
    from incoming i
    left join incoming c on c.kind = 'conversation' and c.id = (i.record ->> 'conversation_id')::uuid
    where i.kind = 'candidate' and i.fate is null
      and (i.record ->> 'conversation_id' is null
           or (c.here is not null and (c.fate is null or c.fate = 'present')
               and (i.record ->> 'at_seq')::bigint > coalesce(c.cleared, 0)))
    on conflict do nothing returning id
  )
  insert into training_candidate_contents (candidate_id, object_ref)
  select kept.id, i.record ->> 'object_ref' from kept join incoming i on i.kind = 'candidate' and i.here = kept.id"""
