"""What supports learned preferences, as a forget asks: which feedback, signals and memories hang together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.lineage.sql.lineage import Items


def everything(tx: Transaction, subject: Subject) -> Items:
    """Return everything a person's feedback taught: learned preferences, signals, and the feedback itself.

    Includes items hidden by another forget, because that one may be undone.
    """
    rows = tx.rows(
        """
        select 'signal' as kind, id from preference_signals where subject_id = :subject and generation = :generation
        union all select 'feedback', feedback_id from preference_signals
          where subject_id = :subject and generation = :generation
        union all select 'memory', id from memories
          where subject_id = :subject and generation = :generation and method = 'feedback' and origin = 'learned'
        """,
        subject=subject.id,
        generation=subject.generation,
    )
    return _items((row["kind"], row["id"]) for row in rows)


def behind(tx: Transaction, memory_ids: Sequence[UUID]) -> Items:
    """Return all signals that share topic and action with those of these memories, and their feedback."""
    rows = tx.rows(
        """
        with alike as (
          select distinct other.id, other.feedback_id from lineage l
          join preference_signals p on l.source_kind = 'signal' and p.id = l.source_id
          join preference_signals other on other.subject_id = p.subject_id and other.generation = p.generation
            and other.topic = p.topic and other.action = p.action
          where l.derived_kind = 'memory' and l.derived_id = any(:ids)
        )
        select 'signal' as kind, id from alike union all select 'feedback', feedback_id from alike
        """,
        ids=list(memory_ids),
    )
    return _items((row["kind"], row["id"]) for row in rows)


def support_elsewhere(
    tx: Transaction, items: Mapping[str, Sequence[UUID]], *, conversation_id: UUID | None = None, through: int = 0
) -> bool:
    """Return whether a remaining signal supports a memory that is erased.

    Args:
        items: the erased items, by kind.
        conversation_id, through: the part of a conversation that is erased.
    """
    if not items.get("memory"):
        return False
    found: bool = tx.value(
        """
        select exists (
          select from lineage l join preference_signals p on l.source_kind = 'signal' and p.id = l.source_id
          where l.derived_kind = 'memory' and l.derived_id = any(:memories) and not p.id = any(:signals)
            and (p.conversation_id is distinct from cast(:conversation as uuid) or p.at_seq > :through))
        """,
        memories=list(items["memory"]),
        signals=list(items.get("signal", [])),
        conversation=conversation_id,
        through=through,
    )
    return found


def topics_supporting(tx: Transaction, operation_id: UUID) -> list[bytes]:
    """Return the topics of the remaining signals behind the memories an operation hid."""
    rows = tx.rows(
        """
        select distinct p.topic from hides h
        join lineage l on l.derived_kind = 'memory' and l.derived_id = h.item_id and l.source_kind = 'signal'
        join preference_signals p on p.id = l.source_id
        where h.op_id = :operation and h.kind = 'memory' order by p.topic
        """,
        operation=operation_id,
    )
    return [bytes(row["topic"]) for row in rows]


def _items(pairs: Iterable[tuple[str, UUID]]) -> Items:
    found: dict[str, set[UUID]] = {}
    for kind, item_id in pairs:
        found.setdefault(kind, set()).add(item_id)
    return {kind: sorted(ids) for kind, ids in found.items()}
