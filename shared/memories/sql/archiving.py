"""SQL for memories that nothing happened to and that were not used for long (LT-10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.memories.rules.archiving import IMPORTANCE_MAX, ArchivePolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Resting:
    """A memory to archive, with the version that was read."""

    id: UUID
    version: int


def people(tx: Transaction, policy: ArchivePolicy, *, after: UUID | None, limit: int) -> list[UUID]:
    """Return ids of people who may have memories to archive, in order, after `after`."""
    rows = tx.rows(
        """
        select distinct m.subject_id from memories m
        join subjects s on s.id = m.subject_id and s.generation = m.generation
        where not m.archived and m.created_at < greatest(now() - :unused, now() - :superseded)
          and ((m.created_at < now() - :unused and m.level = 'L1' and not m.taboo and not m.confirmed
                and not m.disabled and m.contradicts is null and m.importance <= :importance_max)
            or exists (select from memories newer where newer.supersedes = m.id))
          and (cast(:after as uuid) is null or m.subject_id > :after)
        order by m.subject_id limit :limit
        """,
        after=after,
        limit=limit,
        **_given(policy),
    )
    return [row["subject_id"] for row in rows]


def resting(tx: Transaction, subject: Subject, policy: ArchivePolicy, *, limit: int) -> list[Resting]:
    """Return a person's visible memories that should be archived and are not, oldest first."""
    rows = tx.rows(
        """
        with superseded as materialized (select id from superseded_memories(:subject))
        select m.id, m.version from visible_memories m
        where m.subject_id = :subject and not m.archived and case
          when m.id in (select id from superseded) then
            m.created_at < now() - :superseded
            and not exists (select from events e where e.stream = 'memory:' || m.id and e.at >= now() - :superseded)
            and not exists (
              select from memories newer join events e on e.stream = 'memory:' || newer.id
              where newer.supersedes = m.id and e.at >= now() - :superseded
                and e.type in ('MemoryLearned', 'MemoryResolved', 'MemoryRepointed'))
          else
            m.created_at < now() - :unused and m.level = 'L1' and not m.taboo and not m.confirmed
            and not m.disabled and m.contradicts is null and m.importance <= :importance_max
            and not exists (select from visible_memories newer where newer.contradicts = m.id)
            and not exists (select from events e where e.stream = 'memory:' || m.id and e.at >= now() - :unused)
            and not exists (select from memory_uses u where u.memory_id = m.id and u.used_at >= now() - :unused)
          end
        order by m.created_at, m.id limit :limit
        """,
        subject=subject.id,
        limit=limit,
        **_given(policy),
    )
    return [Resting(id=row["id"], version=row["version"]) for row in rows]


def note_used(tx: Transaction, subject: Subject, memory_ids: Sequence[UUID]) -> None:
    """Note, once a day, that an assistant was given these memories."""
    tx.run(
        """
        insert into memory_uses (memory_id, subject_id, used_at)
        select m.id, :subject, now() from visible_memories m where m.subject_id = :subject and m.id = any(:ids)
        on conflict (memory_id) do update set used_at = excluded.used_at
          where memory_uses.used_at < excluded.used_at - interval '1 day'
        """,
        subject=subject.id,
        ids=sorted(memory_ids),
    )


def superseded(tx: Transaction, subject: Subject) -> set[UUID]:
    """Return the memories of a person that a visible one supersedes."""
    rows = tx.rows("select id from superseded_memories(:subject) as s(id)", subject=subject.id)
    return {row["id"] for row in rows}


def _given(policy: ArchivePolicy) -> dict[str, object]:
    return {
        "unused": timedelta(days=policy.unused_days),
        "superseded": timedelta(days=policy.superseded_days),
        "importance_max": IMPORTANCE_MAX,
    }
