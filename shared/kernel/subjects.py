"""People, each with a generation and a namespace that separate current data from forgotten data."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import Text, Uuid, bindparam, cast, func, literal, select, update
from sqlalchemy.dialects.postgresql import REGCLASS

from shared.kernel.database import Row, Transaction
from shared.kernel.database_errors import LostRace
from shared.kernel.ids import Namespace, SubjectId
from shared.kernel.locks import enter_fence
from shared.kernel.new_ids import new_id, new_namespace
from shared.kernel.tables import subjects


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One person, as read from the database. For a closed account `user_id` is empty, and later `key` is too."""

    id: SubjectId
    user_id: str
    generation: int
    namespace: Namespace
    key: bytes

    closed_as: bytes = b""

    def digest(self, *parts: str) -> bytes:
        """Return a keyed digest that cannot be linked without this person's key."""
        return digest(self.key, *parts)

    def is_user(self, user_id: str) -> bool:
        """Return whether this is the person's account, including one that is closed and still being erased."""
        return self.user_id == user_id or (self.closed_as != b"" and self.closed_as == self.digest("user", user_id))


def digest(key: bytes, *parts: str) -> bytes:
    """Return the HMAC-SHA256 of the parts, keyed with a person's key."""
    return hmac.new(key, "\x1f".join(parts).encode(), hashlib.sha256).digest()


INSTALLATION: Final = SubjectId(UUID(int=0))
"""The owner of work that belongs to no person, such as reconciling and purging."""

_SUBJECT: Final = (
    subjects.c.id,
    subjects.c.user_id,
    subjects.c.generation,
    subjects.c.namespace,
    subjects.c.subject_key,
    subjects.c.closed_as,
)
_NAMED: Final = func.set_config("mc.subject", cast(subjects.c.id, Text), literal(value=True))
"""Whoever is looked up is the person the transaction acts for: it reaches no other person's rows from then on."""
_BY_USER_ID: Final = select(*_SUBJECT, _NAMED).where(subjects.c.user_id == bindparam("user_id"))
_BY_ID: Final = select(*_SUBJECT, _NAMED).where(subjects.c.id == bindparam("id"))
_BY_ITEM: Final = select(*_SUBJECT, _NAMED).where(
    subjects.c.id == func.owner_of(cast(bindparam("items", type_=Text), REGCLASS), bindparam("item", type_=Uuid))
)
_NEXT_GENERATION: Final = (
    update(subjects)
    .where(subjects.c.id == bindparam("of"))
    .values(generation=subjects.c.generation + 1, namespace=bindparam("to"))
    .returning(*_SUBJECT)
)


def find(tx: Transaction, user_id: str) -> Subject | None:
    """Return the person, for whom the transaction acts from now on, or None if nothing was ever stored for them."""
    row = tx.row(_BY_USER_ID, user_id=user_id)
    return as_subject(row) if row else None


def find_or_create(tx: Transaction, user_id: str) -> Subject:
    """Return the person, creating them if needed."""
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
    """Return the person's current state, and let the transaction act for them; call it after acquiring the fence."""
    row = tx.row(_BY_ID, id=subject_id)
    return as_subject(row) if row else None


def owner(tx: Transaction, table: str, item_id: UUID) -> Subject | None:
    """Return the person whose a row is, and let the transaction act for them."""
    row = tx.row(_BY_ITEM, items=table, item=item_id)
    return as_subject(row) if row else None


def by_digest(tx: Transaction) -> dict[str, SubjectId]:
    """Return all people with an open account by their digest (hex) in the ledger."""
    rows = tx.rows("select id, subject_key from subjects where subject_key is not null and user_id is not null")
    return {digest(bytes(row["subject_key"]), "subject", str(row["id"])).hex(): row["id"] for row in rows}


def again(tx: Transaction, subject: Subject) -> Subject:
    """Read the person again after the fence was acquired.

    Raises:
        LostRace: the account was closed in the meantime; a new user with that name is a different person.
    """
    now = read(tx, subject.id) or subject
    if subject.user_id and not now.user_id:
        raise LostRace
    return now


def entered(tx: Transaction, subject: Subject) -> Subject:
    """Enter the person's fence, as every writer does; return their current state.

    Raises:
        LostRace: as `again`.
        SubjectBusy: the fence could not be acquired in time.
    """
    enter_fence(tx, subject.id)
    return again(tx, subject)


def start_new_generation(tx: Transaction, subject: Subject) -> Subject:
    """Start a new generation and namespace: late writes to the old generation are never visible."""
    row = tx.row(_NEXT_GENERATION, of=subject.id, to=new_namespace())
    assert row is not None  # noqa: S101 # subjects are never deleted
    return as_subject(row)


def close(tx: Transaction, subject: Subject, *, consent_version: int | None) -> None:
    """Detach the user name from the person, so that a new user with that name is a different person.

    The remaining row is used to follow the erasure. Of a person who had consented it is also the stub that shows when
    they were deleted (FC-11): it is found by the user id under a key of the installation.

    Args:
        consent_version: of the consent that held.
    """
    tx.run(
        """
        update subjects set user_id = null, closed_as = :closed_as, deleted_at = clock_timestamp(),
          consent_version_at_deletion = :version, stub_of = :stub
        where id = :id
        """,
        id=subject.id,
        closed_as=subject.digest("user", subject.user_id),
        version=consent_version,
        stub=None if consent_version is None else _stub_of(tx, subject.user_id),
    )
    tx.run("delete from user_settings where subject_id = :id", id=subject.id)


def deletion_stub(tx: Transaction, user_id: str) -> Row | None:
    """Return when the newest account with this user id was closed, and the version of the consent that held."""
    return tx.row(
        """
        select deleted_at, consent_version_at_deletion from subjects where stub_of = :stub
        order by deleted_at desc limit 1
        """,
        stub=_stub_of(tx, user_id),
    )


def _stub_of(tx: Transaction, user_id: str) -> bytes:
    key: bytes = tx.value("select subject_key from subjects where id = :id", id=INSTALLATION)
    return digest(bytes(key), "deleted user", user_id)


def destroy_key(tx: Transaction, subject_id: UUID) -> None:
    """Make every digest of a closed account unlinkable; a row without name and key remains."""
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
