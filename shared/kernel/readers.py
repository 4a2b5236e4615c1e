"""People as seen by the recall role, which has no access to keys or base tables."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from shared.kernel.database import Database, Transaction
from shared.kernel.errors import NotFound
from shared.kernel.ids import Namespace, SubjectId


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """The person whose memory is searched, and the namespace of their vectors."""

    subject_id: SubjectId
    user_id: str
    namespace: Namespace


def find(database: Database, user_id: str, conversation_id: UUID | None = None) -> tuple[Reader | None, Database]:
    """Return the person, None if nothing was ever stored for them, and the database for reading what is theirs.

    Raises:
        NotFound: the conversation is not this person's, or was forgotten.
    """
    reader = database.transact(lambda tx: _by_user_id(tx, user_id), names=True)
    if reader is not None:
        database = database.of(reader.subject_id)
    if conversation_id is not None:
        whose = None if reader is None else reader.subject_id
        if not database.transact(lambda tx: _is_theirs(tx, whose, conversation_id)):
            raise NotFound("conversation")
    return reader, database


def _by_user_id(tx: Transaction, user_id: str) -> Reader | None:
    row = tx.act_for(
        """
        select id, user_id, namespace, set_config('mc.subject', id::text, :until_the_end)
        from visible_subjects where user_id = :user_id
        """,
        user_id=user_id,
    )
    return Reader(subject_id=row["id"], user_id=row["user_id"], namespace=row["namespace"]) if row else None


def _is_theirs(tx: Transaction, subject_id: UUID | None, conversation_id: UUID) -> bool:
    found = "select exists (select from visible_conversations where id = :id and subject_id = :subject)"
    return bool(tx.value(found, id=conversation_id, subject=subject_id))
