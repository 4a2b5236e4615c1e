"""People, and the fence around each: generation and namespace."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from shared.kernel.database import LostRace, Row, Transaction
from shared.kernel.ids import Namespace, SubjectId
from shared.kernel.new_ids import new_id, new_namespace


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One person as the statement that read it saw them. Of a closed account `user_id` and later `key` are empty."""

    id: SubjectId
    user_id: str
    generation: int
    namespace: Namespace
    key: bytes

    closed_as: bytes = b""

    def digest(self, *parts: str) -> bytes:
        """Return a keyed digest that means nothing without this person's key."""
        return digest(self.key, *parts)

    def is_user(self, user_id: str) -> bool:
        """Whether this is the person's account, or was until they closed it and still watch it go."""
        return self.user_id == user_id or (self.closed_as != b"" and self.closed_as == self.digest("user", user_id))


def digest(key: bytes, *parts: str) -> bytes:
    """Return HMAC-SHA256 of the parts under a person's key."""
    return hmac.new(key, "\x1f".join(parts).encode(), hashlib.sha256).digest()


INSTALLATION: Final = SubjectId(UUID(int=0))
"""Owns the work that belongs to nobody: reconciling, purging."""

COLUMNS = "id, user_id, generation, namespace, subject_key, closed_as"


def find(tx: Transaction, user_id: str) -> Subject | None:
    """Return the person, or None when nothing was ever stored for them."""
    row = tx.row(f"select {COLUMNS} from subjects where user_id = :user_id", user_id=user_id)  # noqa: S608
    return as_subject(row) if row else None


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
    return as_subject(row) if row else None


def by_digest(tx: Transaction) -> dict[str, SubjectId]:
    """Return everybody by how the ledger names them (hex)."""
    rows = tx.rows("select id, subject_key from subjects where subject_key is not null and user_id is not null")
    return {digest(bytes(row["subject_key"]), "subject", str(row["id"])).hex(): row["id"] for row in rows}


def again(tx: Transaction, subject: Subject) -> Subject:
    """Return the person as they are now that the fence is held.

    Raises:
        LostRace: the account was closed meanwhile; who comes under that name is somebody new.
    """
    now = read(tx, subject.id) or subject
    if subject.user_id and not now.user_id:
        raise LostRace
    return now


def start_new_generation(tx: Transaction, subject: Subject) -> Subject:
    """Leave everything recorded so far behind: late writers write where nobody reads."""
    row = tx.row(
        f"update subjects set generation = generation + 1, namespace = :namespace where id = :id returning {COLUMNS}",  # noqa: S608
        id=subject.id,
        namespace=new_namespace(),
    )
    assert row is not None  # noqa: S101 # subjects are never deleted
    return as_subject(row)


def close(tx: Transaction, subject: Subject) -> None:
    """Let go of the user: whoever comes under that name is somebody new. What is left watches the erasure."""
    tx.run(
        """
        update subjects set user_id = null, closed_as = :closed_as, deleted_at = clock_timestamp() where id = :id
        """,
        id=subject.id,
        closed_as=subject.digest("user", subject.user_id),
    )
    tx.run("delete from user_settings where subject_id = :id", id=subject.id)


def destroy_key(tx: Transaction, subject_id: UUID) -> None:
    """Make every digest of a closed account unlinkable; a stub without name and key remains."""
    tx.run("update subjects set subject_key = null, closed_as = null where id = :id", id=subject_id)


def as_subject(row: Row) -> Subject:
    return Subject(
        id=row["id"],
        user_id=row["user_id"] or "",
        generation=row["generation"],
        namespace=row["namespace"],
        key=bytes(row["subject_key"] or b""),
        closed_as=bytes(row["closed_as"] or b""),
    )
