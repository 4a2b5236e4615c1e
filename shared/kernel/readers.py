"""People as seen by the recall role, which has no access to keys or base tables."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.ids import Namespace, SubjectId


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """The person whose memory is searched, and the namespace of their vectors."""

    subject_id: SubjectId
    user_id: str
    namespace: Namespace


def by_user_id(tx: Transaction, user_id: str) -> Reader | None:
    """Return the person, or None if nothing was ever stored for them."""
    row = tx.row("select id, user_id, namespace from visible_subjects where user_id = :user_id", user_id=user_id)
    return Reader(subject_id=row["id"], user_id=row["user_id"], namespace=row["namespace"]) if row else None


def owner_of_conversation(tx: Transaction, conversation_id: UUID) -> str | None:
    """Return the user id of a visible conversation's owner."""
    user_id: str | None = tx.value(
        """
        select s.user_id from visible_conversations c join visible_subjects s on s.id = c.subject_id where c.id = :id
        """,
        id=conversation_id,
    )
    return user_id
