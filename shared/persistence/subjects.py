"""People, and the fence around each: generation and namespace."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from shared.domain.ids import Namespace, SubjectId
from shared.persistence.database import Row, Transaction
from shared.persistence.ids import new_id, new_namespace


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One person as the statement that read it saw them."""

    id: SubjectId
    user_id: str
    generation: int
    namespace: Namespace
    key: bytes

    def digest(self, *parts: str) -> bytes:
        """Return a keyed digest that means nothing without this person's key."""
        return hmac.new(self.key, "\x1f".join(parts).encode(), hashlib.sha256).digest()


COLUMNS = "id, user_id, generation, namespace, subject_key"


def find(tx: Transaction, user_id: str) -> Subject | None:
    """Return the person, or None when nothing was ever stored for them."""
    row = tx.row(f"select {COLUMNS} from subjects where user_id = :user_id", user_id=user_id)  # noqa: S608
    return _subject(row) if row else None


def find_or_create(tx: Transaction, user_id: str) -> Subject:
    """Return the person, known from now on."""
    if subject := find(tx, user_id):
        return subject
    tx.run(
        "insert into subjects (id, user_id, namespace, subject_key) values (:id, :user_id, :namespace, :key)",
        id=new_id(),
        user_id=user_id,
        namespace=new_namespace(),
        key=secrets.token_bytes(32),
    )
    subject = find(tx, user_id)
    assert subject is not None  # noqa: S101 # inserted above in this transaction
    return subject


def read(tx: Transaction, subject_id: UUID) -> Subject | None:
    """Return the person as they are now; call it after taking the fence."""
    row = tx.row(f"select {COLUMNS} from subjects where id = :id", id=subject_id)  # noqa: S608
    return _subject(row) if row else None


def start_new_generation(tx: Transaction, subject: Subject) -> Subject:
    """Leave everything recorded so far behind: late writers write where nobody reads."""
    row = tx.row(
        f"update subjects set generation = generation + 1, namespace = :namespace where id = :id returning {COLUMNS}",  # noqa: S608
        id=subject.id,
        namespace=new_namespace(),
    )
    assert row is not None  # noqa: S101 # subjects are never deleted
    return _subject(row)


def _subject(row: Row) -> Subject:
    return Subject(
        id=row["id"],
        user_id=row["user_id"],
        generation=row["generation"],
        namespace=row["namespace"],
        key=bytes(row["subject_key"]),
    )


OWNED: Final = {
    "conversation": "conversations",
    "message": "messages",
    "memory": "memories",
    "operation": "operations",
}


def owner(tx: Transaction, kind: str, item_id: UUID) -> Subject | None:
    """Return whose item this is, for services that name the item and not the person."""
    subject_id = tx.value(f"select subject_id from {OWNED[kind]} where id = :id", id=item_id)  # noqa: S608
    return read(tx, subject_id) if subject_id else None
