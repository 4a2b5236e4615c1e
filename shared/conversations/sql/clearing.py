"""SQL for how far a conversation is cleared."""

from __future__ import annotations

from uuid import UUID

from shared.kernel.database import Transaction


def clear(tx: Transaction, conversation_id: UUID) -> int:
    """Clear all messages so far and return the last cleared seq. An open turn ends.

    The clear takes a seq of its own, so that items given before and after it can be told apart.
    """
    through: int = tx.value(
        """
        update conversations set cleared_through = next_seq, next_seq = next_seq + 1, turn_open = false,
          turn_has_user = false, updated_at = now() where id = :id returning cleared_through
        """,
        id=conversation_id,
    )
    return through


def restore_cleared(tx: Transaction, conversation_id: UUID) -> None:
    """Recompute how far a conversation is cleared, after one of its forget operations was cancelled.

    It is cleared as far as those that were not cancelled say, and as far as it was before any of them: an import may
    have brought a clear of another installation.
    """
    tx.run(
        """
        with cleared as (
          select o.status = 'cancelled' as undone, (o.target->>'after')::bigint as before,
                 (o.target->>'through')::bigint as through
          from conversations c join operations o on o.subject_id = c.subject_id
            and o.target->>'conversation_id' = c.id::text and o.scope in ('conversation', 'clear')
          where c.id = :id
        )
        update conversations set updated_at = now(), cleared_through = greatest(0, (
          select max(case when undone then before else through end) from cleared o
          where not undone or before not in (select through from cleared where undone)))
        where id = :id
        """,
        id=conversation_id,
    )
